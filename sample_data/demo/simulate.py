"""Make labels.tsv: judgements of six simulated assessors on the demo collection.

Run ``python sample_data/demo/simulate.py`` to make the file again; it is always the same.

How an assessor is simulated. Each page has a level that its author intended, and each snippet a
promise. An assessor sees that level shifted by a personal leniency, blurred by normal noise whose
width is the assessor's own, and in ambiguous topics blurred more, by a draw that stays the same
for one assessor and page. Some assessors are fond of the kind of page that one engine is full of
(forum threads, encyclopaedia entries) and see it higher. Now and then a key slips and any level is
given. Everything is rounded to the scale. A tenth of the documents comes up twice, as a second
occasion. A few items cannot be judged, and a few get a remark.
"""

import csv
import json
from dataclasses import dataclass
from pathlib import Path

import numpy as np

HERE = Path(__file__).parent
PAGE = ("Non", "Rel", "HRel", "Key", "Nav")
SNIPPET = ("No", "Unlikely", "Maybe", "Sure")
AMBIGUITY = {"ambiguous": 0.7, "faceted": 0.4, "single": 0.15}
FONDNESS = 0.8
COLUMNS = (
    *("assessor", "group", "topic", "document", "facet", "engine", "occasion"),
    *("state", "level", "time", "dwell_ms", "comment"),
)


@dataclass(frozen=True)
class Simulated:
    """One made-up assessor."""

    name: str
    group: str
    leniency: float
    noise: float
    slips: float
    seconds: float
    fond_of: str = ""


ASSESSORS = (
    Simulated("simulated-1", "expert", -0.15, 0.35, 0.01, 9.0, "almanac"),
    Simulated("simulated-2", "expert", 0.05, 0.35, 0.01, 8.0),
    Simulated("simulated-3", "expert", -0.05, 0.45, 0.01, 11.0, "almanac"),
    Simulated("simulated-4", "crowd", 0.35, 0.70, 0.03, 5.0, "chatter"),
    Simulated("simulated-5", "crowd", 0.10, 0.80, 0.04, 4.0, "chatter"),
    Simulated("simulated-6", "crowd", -0.30, 0.75, 0.03, 6.0),
)
PANELS = ((0, 1), (0, 3, 4), (1, 2, 5), (2, 3), (0, 2, 4), (1, 3, 5), (0, 1, 2, 3))
"""Which assessors judge the first topic, the second …, round and round."""


def main() -> None:
    """Write labels.tsv beside this file."""
    rng = np.random.default_rng(20140819)
    lines = (HERE / "topics.jsonl").read_text(encoding="utf-8").splitlines()
    topics = {topic["id"]: topic["type"] for topic in map(json.loads, lines)}
    intended = {(row["topic"], row["document"]): row["page"] for row in read("page_levels.tsv")}
    promises = read("snippet_levels.tsv")
    rows: list[dict[str, object]] = []
    for place, (topic, kind) in enumerate(topics.items()):
        pages = [document for known, document in intended if known == topic]
        snippets = [row for row in promises if row["topic"] == topic]
        for member in PANELS[place % len(PANELS)]:
            judge = ASSESSORS[member]
            again = set(rng.choice(pages, size=len(pages) // 10, replace=False).tolist())
            for document in rng.permutation(pages).tolist():
                engines = [row for row in snippets if row["document"] == document]
                fond = any(row["engine"] == judge.fond_of for row in engines)
                taste = rng.normal(FONDNESS if fond else 0, AMBIGUITY[kind])
                for occasion in range(2 if document in again else 1):
                    for row in engines:
                        level = see(SNIPPET.index(row["snippet"]), 0.6 * taste, judge, 3, rng)
                        rows.append(
                            label(judge, topic, document, row["engine"], occasion, SNIPPET[level])
                        )
                    truth = PAGE.index(intended[topic, document])
                    level = see(min(truth, 3), taste, judge, 3, rng)
                    name = "Nav" if truth == 4 and level == 3 else PAGE[level]
                    rows.append(label(judge, topic, document, "", occasion, name))
    spread_out(rows, rng)
    with (HERE / "labels.tsv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, COLUMNS, delimiter="\t", lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)


def read(name: str) -> list[dict[str, str]]:
    """Return the rows of a file beside this one."""
    with (HERE / name).open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))


def see(level: int, taste: float, judge: Simulated, top: int, rng: np.random.Generator) -> int:
    """Return the level that an assessor gives to something of an intended level."""
    if rng.random() < judge.slips:
        return int(rng.integers(0, top + 1))
    seen = level + judge.leniency + taste + rng.normal(0, judge.noise)
    return int(np.clip(np.rint(seen), 0, top))


def label(
    judge: Simulated, topic: str, document: str, engine: str, occasion: int, level: str
) -> dict[str, object]:
    """Return one row of the file, without its time."""
    facet = "snippet" if engine else "page"
    fields = (judge.name, judge.group, topic, document, facet, engine, occasion, "level", level)
    return dict(zip(COLUMNS, fields, strict=False))


def spread_out(rows: list[dict[str, object]], rng: np.random.Generator) -> None:
    """Give every row the time it took, and times that follow one another for each assessor."""
    clock = dict.fromkeys((judge.name for judge in ASSESSORS), 0.0)
    pace = {judge.name: judge.seconds for judge in ASSESSORS}
    for row in rows:
        name = str(row["assessor"])
        seconds = pace[name] * rng.lognormal(0, 0.6) * (0.6 if row["facet"] == "snippet" else 1.4)
        clock[name] += seconds
        moment = np.datetime64("2026-03-02T09:00:00") + np.timedelta64(int(clock[name]), "s")
        row["time"], row["dwell_ms"], row["comment"] = f"{moment}Z", int(1000 * seconds), ""
        chance = rng.random()
        if chance < 0.003:
            row["state"], row["level"] = "cannot judge", ""
            row["comment"] = "(simulated) Only half of this is there."
        elif chance < 0.008:
            row["comment"] = "(simulated) Hard to say which meaning is wanted."


if __name__ == "__main__":
    main()
