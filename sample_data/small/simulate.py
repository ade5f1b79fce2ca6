"""Make the files of this folder: ``python -m sample_data.small.simulate``.

Every document has a level that it was made for. An assessor gives it two times in three, else a
neighbouring one; a run orders documents by it, and errs more or less.
"""

import random
from pathlib import Path
from statistics import median

ASSESSORS = ("simulated-1", "simulated-2", "simulated-3")
ERRORS = {"good": 0.8, "poor": 2.5}
TOPICS, DOCUMENTS, HIGHEST, SEED = 8, 10, 3, 20


def make_files() -> dict[str, str]:
    """Return the text of each file by its name."""
    chance = random.Random(SEED)
    files = {"labels.tsv": "assessor\ttopic\tdocument\tlevel\n", "study.qrels": ""}
    files |= {f"{run}.run": "" for run in ERRORS}
    for topic in range(1, TOPICS + 1):
        worth = {
            f"t{topic}-d{number:02}": chance.choice((0, 0, 1, 1, 2, 3))
            for number in range(1, DOCUMENTS + 1)
        }
        for document, level in worth.items():
            given = [_judge(level, chance) for _ in ASSESSORS]
            for assessor, said in zip(ASSESSORS, given, strict=True):
                files["labels.tsv"] += f"{assessor}\tt{topic}\t{document}\t{said}\n"
            files["study.qrels"] += f"t{topic} 0 {document} {median(given):.0f}\n"
        for run, error in ERRORS.items():
            score = {one: level + chance.gauss(0, error) for one, level in worth.items()}
            for rank, one in enumerate(sorted(score, key=lambda name: -score[name]), start=1):
                files[f"{run}.run"] += f"t{topic} Q0 {one} {rank} {score[one]:.3f} {run}\n"
    return files


def _judge(level: int, chance: random.Random) -> int:
    said = level + chance.choice((0, 0, 0, 0, 1, -1))
    return min(max(said, 0), HIGHEST)


def main() -> None:
    """Write the files beside this one."""
    for name, text in make_files().items():
        Path(__file__).with_name(name).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
