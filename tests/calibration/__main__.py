"""How often the 95 % limits hold the true value: ``python -m tests.calibration``.

Prints a row for every interval and model, and a column for every number of topics.
"""

import argparse
import sys

import numpy as np

from tests.calibration import agreement, label_models, preference_models, preferences
from tests.calibration.coverage import Coverage, cover

TOPICS = (2, 3, 5, 10, 21, 50)


def main() -> None:
    """Simulate and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--studies", type=int, default=1_000)
    parser.add_argument("--topics", type=int, nargs="+", default=TOPICS)
    chosen = parser.parse_args()
    found: list[Coverage] = []
    tried = [(study, model) for study in agreement.STUDIES for model in label_models.MODELS]
    tried += [(study, model) for study in preferences.STUDIES for model in preference_models.MODELS]
    for study, model in tried:
        for topics in chosen.topics:
            print(f"\r{study.name}, {model.name}, {topics} topics ", end="", file=sys.stderr)
            rng = np.random.default_rng([topics, chosen.studies])
            found += cover(study, model, topics, chosen.studies, rng)
    print(file=sys.stderr)
    print(write_table(found, chosen.topics))


def write_table(found: list[Coverage], topics: tuple[int, ...]) -> str:
    """Return coverage by interval, model and topics, with its width and where it is absent."""
    cells = {(one.what, one.model, one.topics): one for one in found}
    lines = ["| 95 % limits | model | " + " | ".join(f"{one} topics" for one in topics) + " |"]
    lines.append("|---|---|" + "---|" * len(topics))
    for what, model in dict.fromkeys((one.what, one.model) for one in found):
        row = [_write(cells[what, model, one]) for one in topics]
        lines.append(f"| {what} | {model} | " + " | ".join(row) + " |")
    worst = max(one.error for one in found)
    lines.append(
        f"\nShare of {found[0].studies:,} studies whose limits hold the true value (standard error "
        f"at most {worst:.3f}) × mean width over that of the true sampling distribution; − share "
        "without limits."
    )
    return "\n".join(lines)


def _write(one: Coverage) -> str:
    text = f"{one.covered:.3f} × {one.width:.2f}"
    return text + f" − {one.absent:.3f}" if one.absent else text


if __name__ == "__main__":
    main()
