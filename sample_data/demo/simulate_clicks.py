"""Make clicks.tsv: what simulated users of the demo click.

Run ``python sample_data/demo/simulate_clicks.py`` to make the file again; it is always the same. A
session asks one of the engines for a topic, every third for a second one. Users follow the
position-based model: a result is clicked if its rank is examined and the page, by the level that
its author intended and a little of its own, is attractive.
"""

import csv
from pathlib import Path

import numpy as np

HERE = Path(__file__).parent
SESSIONS = 600
ATTRACTIVE = {"Non": 0.08, "Rel": 0.25, "HRel": 0.45, "Key": 0.65, "Nav": 0.75}
EXAMINED = (1, 0.75, 0.56, 0.42, 0.32, 0.25, 0.2, 0.16, 0.13, 0.1)
OWN = 0.5
"""Standard deviation of what a page has of its own, in log odds."""

COLUMNS = ("session", "topic", "rank", "document", "clicked")


def main() -> None:
    """Write clicks.tsv beside this file."""
    rng = np.random.default_rng(2026)
    attractive = {}
    for row in read("page_levels.tsv"):
        share = ATTRACTIVE[row["page"]]
        odds = np.log(share / (1 - share)) + rng.normal(0, OWN)
        attractive[row["topic"], row["document"]] = 1 / (1 + np.exp(-odds))
    lists: dict[tuple[str, str], dict[int, str]] = {}
    for row in read("results.tsv"):
        lists.setdefault((row["topic"], row["engine"]), {})[int(row["rank"])] = row["document"]
    known = sorted(lists)
    rows: list[tuple[object, ...]] = []
    for session in range(1, SESSIONS + 1):
        pages = 2 if session % 3 == 0 else 1
        for place in rng.choice(len(known), pages, replace=False).tolist():
            topic = known[place][0]
            for rank, document in sorted(lists[known[place]].items()):
                chance = EXAMINED[rank - 1] * attractive.get((topic, document), ATTRACTIVE["Non"])
                rows.append((f"u{session}", topic, rank, document, int(rng.random() < chance)))
    with (HERE / "clicks.tsv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, delimiter="\t", lineterminator="\n")
        writer.writerow(COLUMNS)
        writer.writerows(rows)


def read(name: str) -> list[dict[str, str]]:
    """Return the rows of a file beside this one."""
    with (HERE / name).open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))


if __name__ == "__main__":
    main()
