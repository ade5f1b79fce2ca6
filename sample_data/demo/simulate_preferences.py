"""Make preferences.tsv: what simulated assessors of the demo prefer, two things side by side.

Run ``python sample_data/demo/simulate_preferences.py`` to make the file again; it is always the
same. An assessor sees the difference of the levels that two pages' authors intended, or of the
discounted sums of them over two engines' lists, blurred by noise of the assessor's own width.
Little of a difference is a tie, much of it is clear. Sides are drawn at random; one assessor leans
to the left.
"""

import csv
from itertools import combinations
from pathlib import Path

import numpy as np

HERE = Path(__file__).parent
PAGE = {"Non": 0, "Rel": 1, "HRel": 2, "Key": 3, "Nav": 3}
NOISE = {"simulated-1": 0.5, "simulated-3": 0.6, "simulated-4": 1.0, "simulated-5": 1.1}
LEANS_LEFT = {"simulated-5": 0.5}
DOCUMENT_PAIRS, JUDGES = 12, 2
TIE, CLEAR = 0.35, 1.5
COLUMNS = ("topic", "left", "right", "choice", "strength", "assessor", "kind", "occasion")


def main() -> None:
    """Write preferences.tsv beside this file."""
    rng = np.random.default_rng(2026)
    level = {(row["topic"], row["document"]): PAGE[row["page"]] for row in read("page_levels.tsv")}
    lists: dict[tuple[str, str], float] = {}
    for row in read("results.tsv"):
        gain = level.get((row["topic"], row["document"]), 0) / np.log2(int(row["rank"]) + 1)
        place = row["topic"], row["engine"]
        lists[place] = lists.get(place, 0.0) + gain
    rows = []
    for topic in sorted({topic for topic, _ in level}):
        pages = {document: worth for (known, document), worth in level.items() if known == topic}
        engines = {engine: worth / 2 for (known, engine), worth in lists.items() if known == topic}
        pairs = list(combinations(sorted(pages), 2))
        drawn = [pairs[at] for at in rng.choice(len(pairs), DOCUMENT_PAIRS, replace=False)]
        rows += judge(topic, "documents", drawn, pages, rng)
        rows += judge(topic, "systems", list(combinations(sorted(engines), 2)), engines, rng)
    with (HERE / "preferences.tsv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, delimiter="\t", lineterminator="\n")
        writer.writerow(COLUMNS)
        writer.writerows(rows)


def judge(
    topic: str,
    kind: str,
    pairs: list[tuple[str, str]],
    worth: dict[str, float],
    rng: np.random.Generator,
) -> list[tuple[object, ...]]:
    """Return what two of the assessors say of some pairs."""
    rows: list[tuple[object, ...]] = []
    for who in rng.choice(list(NOISE), JUDGES, replace=False).tolist():
        for pair in pairs:
            left, right = pair if rng.random() < 0.5 else pair[::-1]
            seen = worth[right] - worth[left] + rng.normal(-LEANS_LEFT.get(who, 0), NOISE[who])
            choice = "tie" if abs(seen) < TIE else "right" if seen > 0 else "left"
            strength = "" if choice == "tie" else "clearly" if abs(seen) > CLEAR else "slightly"
            rows.append((topic, left, right, choice, strength, who, kind, 0))
    return rows


def read(name: str) -> list[dict[str, str]]:
    """Return the rows of a file beside this one."""
    with (HERE / name).open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))


if __name__ == "__main__":
    main()
