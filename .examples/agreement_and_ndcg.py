"""From files of labels, judgements and runs to κ and nDCG with intervals.

The cells (``# %%``) run one by one in an editor, or all at once by ``python``. The data are
simulated here, for this example: nobody judged anything.
"""

# %% Simulate a small study: 12 topics, 20 documents each, 3 assessors, 3 systems
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

import dissent

rng = np.random.default_rng(1)
held = TemporaryDirectory(prefix="dissent-example-")
folder = Path(held.name)
NOISE = {"careful": 0.4, "usual": 0.8, "poor": 3.0}
"""How far each system's scores stray from a document's true usefulness."""

labels = ["assessor\ttopic\tdocument\tlevel"]
qrels = []
runs: dict[str, list[str]] = {system: [] for system in NOISE}
for number in range(1, 13):
    topic = f"t{number}"
    documents = [f"{topic}-d{place:02}" for place in range(20)]
    useful = rng.normal(1, 1, len(documents))
    for assessor, strictness in {"a1": 0.0, "a2": 0.2, "a3": 0.6}.items():
        seen = useful - strictness + rng.normal(0, 0.6, len(documents))
        levels = seen.round().clip(0, 3).astype(int)
        labels += [
            f"{assessor}\t{topic}\t{document}\t{level}"
            for document, level in zip(documents, levels, strict=True)
        ]
        if assessor == "a1":
            qrels += [
                f"{topic} 0 {document} {level}"
                for document, level in zip(documents, levels, strict=True)
            ]
    for system, noise in NOISE.items():
        scores = useful + rng.normal(0, noise, len(documents))
        runs[system] += [
            f"{topic} Q0 {documents[place]} {rank} {scores[place]:.4f} {system}"
            for rank, place in enumerate(np.argsort(-scores), start=1)
        ]

(folder / "labels.tsv").write_text("\n".join(labels) + "\n", encoding="utf-8")
(folder / "study.qrels").write_text("\n".join(qrels) + "\n", encoding="utf-8")
for system, lines in runs.items():
    (folder / f"{system}.run").write_text("\n".join(lines) + "\n", encoding="utf-8")

# %% Read the files
given = dissent.read_labels(folder / "labels.tsv")
judged = dissent.read_qrels(folder / "study.qrels")
ranked = dissent.read_runs(sorted(folder.glob("*.run")))

# %% How far do the assessors agree? Topics are what is sampled.
found = dissent.agreement(given, ["kappa(linear)", "alpha(ordinal)"])
print("Agreement over all assessors")
print(found.overall[["coefficient", "value", "low", "high"]].round(3).to_string(index=False))

# %% And every two of them?
print("\nAgreement of every two assessors")
pairs = found.pairs[["first", "second", "coefficient", "value", "low", "high"]]
print(pairs.round(3).to_string(index=False))

# %% How good are the systems? The intervals are by Student's t over topics.
evaluated = dissent.evaluate(ranked, judged, ["nDCG@10", "AP"])
print("\nMeans over topics")
means = evaluated.means[["system", "measure", "value", "low", "high", "topics"]]
print(means.round(3).to_string(index=False))

# %% What is each level worth, if one of three users has to find the item top?
worth = dissent.weights(given, top=3, users=3, at_least=1)
print("\nThe User Disagreement Model")
print(worth[["level", "cases", "p", "low", "high", "weight"]].round(3).to_string(index=False))
gains = dict(zip(worth["level"], worth["weight"], strict=True))
weighted = dissent.evaluate(ranked, judged, "nDCG(gain='udm')@10", weights=gains)
print(weighted.side_by_side.round(3))

# %% Which differences between systems are significant?
compared = dissent.compare(ranked, judged, "nDCG@10")
print("\nComparison")
print("\n".join(compared.verdict))

# %% In a notebook, figures show themselves.
figure = dissent.figures.plot_means(evaluated, "nDCG@10")

# %% Remove the simulated files
held.cleanup()
