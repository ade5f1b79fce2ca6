"""How far do assessors agree? From a file of labels to κ with its 95 % interval.

The labels are those of the demo; its ten assessors are simulated.
"""

from pathlib import Path

import dissent

DEMO = Path(__file__).resolve().parent.parent / "sample_data" / "demo"
SCALES = {
    "snippet": ["No", "Unlikely", "Maybe", "Sure"],
    "page": ["Non", "Rel", "HRel", "Key", "Nav"],
}

labels = dissent.read_labels(DEMO / "labels.tsv", scales=SCALES)
found = dissent.agreement(labels, ["kappa(linear)", "alpha(ordinal)"], facet="page")
for one in found.overall.itertuples():
    print(f"{one.coefficient} {one.value:.3f} from {one.low:.3f} to {one.high:.3f}")
