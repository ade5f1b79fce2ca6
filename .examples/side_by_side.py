"""Which of two did people prefer, and do they agree about it? From a file of preferences."""

from pathlib import Path

import dissent

DEMO = Path(__file__).resolve().parent.parent / "sample_data" / "demo"

found = dissent.preferences(dissent.read_preferences(DEMO / "preferences.tsv"), kind="documents")
for one in found.outcomes.head(3).itertuples():
    print(f"{one.topic_id}: {one.first} and {one.second}: {one.wins} to {one.losses}")
print(found.agreement[["coefficient", "value", "low", "high"]].round(3).to_string(index=False))
