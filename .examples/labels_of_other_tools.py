"""Labels that were given in Label Studio: what kind of file it is is told from its content.

The tasks' data name topic and document. Files of doccano, Argilla, Potato and Quepid go the same
way.
"""

import json
from pathlib import Path
from tempfile import TemporaryDirectory

import dissent

GIVEN = {"d1": {"ann": 3, "bea": 3}, "d2": {"ann": 0, "bea": 1}, "d3": {"ann": 2, "bea": 2}}


def annotation(who: str, level: int) -> dict[str, object]:
    """Return what Label Studio exports of one annotator and one task."""
    part = {"from_name": "level", "to_name": "text", "type": "rating", "value": {"rating": level}}
    return {"completed_by": {"email": who}, "result": [part]}


tasks = [
    {
        "data": {"topic": "t1", "document": document},
        "annotations": [annotation(who, level) for who, level in given.items()],
    }
    for document, given in GIVEN.items()
]
with TemporaryDirectory() as folder:
    file = Path(folder) / "project-7.json"
    file.write_text(json.dumps(tasks), encoding="utf-8")
    labels = dissent.read_labels(file)
print(f"{len(labels)} labels of {labels['assessor_id'].nunique()} assessors")
(pair,) = dissent.agreement(labels, ["raw"]).pairs.itertuples()
print(f"{pair.first} and {pair.second} agree on {pair.value:.2f} of their items")
