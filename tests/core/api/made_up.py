"""A small study, made up by rule: what walks the same paths where the real data are not there."""

import gzip
import json
from pathlib import Path

TOPICS, DOCUMENTS, ASSESSORS, SYSTEMS = 8, 15, 4, 5


def true_level(topic: int, document: int) -> int:
    """Return what a document is meant to be worth, 0 to 3."""
    return (5 * topic + 3 * document + topic * document) % 4


def level_of(assessor: int, topic: int, document: int) -> int:
    """Return what an assessor says: the truth, or a step beside it."""
    step = {0: 1, 1: -1}.get((7 * assessor + topic + 2 * document) % 5, 0)
    return min(max(true_level(topic, document) + step, 0), 3)


def score_of(system: int, topic: int, document: int) -> float:
    """Return a system's score: the later the system, the more it heeds the truth."""
    noise = (13 * topic + 7 * document * (system + 1)) % 31
    return noise + 2.0 * system * true_level(topic, document) + document / 100


def write_study(folder: Path) -> Path:
    """Write topics, documents, labels and runs as files; returns the folder.

    Two assessors judge each topic, so that pairs meet on several topics.
    """
    (folder / "runs").mkdir(parents=True)
    topics = range(TOPICS)
    lines = [f"t{topic}\tmade-up query {topic}" for topic in topics]
    (folder / "topics.tsv").write_text("\n".join(lines) + "\n")
    documents = [
        {"id": f"t{topic}d{number}", "text": f"Made-up text {number} on query {topic}."}
        for topic in topics
        for number in range(DOCUMENTS)
    ]
    with gzip.open(folder / "documents.jsonl.gz", "wt") as file:
        file.writelines(json.dumps(one) + "\n" for one in documents)
    labels = [
        f"a{assessor}\tt{topic}\tt{topic}d{number}\t{level_of(assessor, topic, number)}"
        for topic in topics
        for assessor in (topic % ASSESSORS, (topic + 1 + topic // ASSESSORS) % ASSESSORS)
        for number in range(DOCUMENTS)
    ]
    header = "assessor\ttopic\tdocument\tlevel"
    (folder / "labels.tsv").write_text("\n".join([header, *labels]) + "\n")
    for system in range(SYSTEMS):
        rows = []
        for topic in topics:
            scored = sorted(
                ((score_of(system, topic, number), number) for number in range(DOCUMENTS)),
                reverse=True,
            )
            rows += [
                f"t{topic} Q0 t{topic}d{number} {rank} {score} s{system}"
                for rank, (score, number) in enumerate(scored, start=1)
            ]
        (folder / "runs" / f"s{system}.run").write_text("\n".join(rows) + "\n")
    return folder
