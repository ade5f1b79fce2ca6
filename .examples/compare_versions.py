"""Does it matter how labels are combined? Engines ranked by the highest and the lowest label.

The data are the demo's; its assessors are simulated.
"""

from pathlib import Path

import dissent

DEMO = Path(__file__).resolve().parent.parent / "sample_data" / "demo"
SCALES = {
    "snippet": ["No", "Unlikely", "Maybe", "Sure"],
    "page": ["Non", "Rel", "HRel", "Key", "Nav"],
}
ITEM = ["topic_id", "document_id"]

results = dissent.read_results(DEMO / "results.tsv").rename(columns={"engine": "system"})
runs = results.assign(score=-results["rank"])[["system", *ITEM, "score", "rank"]]
labels = dissent.read_labels(DEMO / "labels.tsv", scales=SCALES)
pages = labels[(labels["facet"] == "page") & (labels["state"] == "level")]
versions = {
    name: pages.groupby(ITEM, as_index=False)["level"]
    .agg(how)
    .astype({"level": int})
    .assign(iteration="0")
    for name, how in (("generous", "max"), ("strict", "min"))
}
found = dissent.compare(runs, versions, "nDCG@10")
for sentence in found.verdict:
    print(sentence)
