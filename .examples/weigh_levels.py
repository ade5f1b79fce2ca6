"""What is a level worth? The share of items of a level that somebody else finds excellent.

This is the User Disagreement Model; its weights then serve as gains. The labels are made up.
"""

from pathlib import Path

import dissent

TEXTBOOK = Path(__file__).resolve().parent.parent / "sample_data" / "textbook"

labels = dissent.read_labels(
    TEXTBOOK / "four_users.tsv", scales={"page": ["Non", "Rel", "HRel", "Key"]}
)
for one in dissent.weights(labels, top=3, users=3, at_least=1).itertuples():
    print(f"level {one.level}: weight {one.weight:.3f} from {one.cases} cases")
