"""Two commits side by side: ``python -m tests.bench --beside COMMIT``.

Prints for each figure its median in this checkout and in the commit, and the ratio of the two: the
median of the pairs, with the least and the greatest. Less is better in all; above 1 this checkout
is the slower one.
"""

import argparse
import subprocess

from tests.bench.beside import IN_TURN, TRIALS, compare, plant
from tests.trees import ROOT


def main() -> None:
    """Measure what is asked for and print the table."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench", description=__doc__)
    parser.add_argument("--beside", metavar="COMMIT", required=True)
    parser.add_argument("--pairs", type=int, default=5)
    every = [*TRIALS, *IN_TURN]
    parser.add_argument("--only", nargs="+", choices=every, default=every)
    chosen = parser.parse_args()
    told = ["git", "log", "-1", "--format=%h %as %s", chosen.beside]
    print("beside", subprocess.check_output(told, cwd=ROOT, text=True), end="")
    print(f"{'':42}{'here':>10}{'there':>10}  ratio (least–greatest of {chosen.pairs} pairs)")
    with plant(chosen.beside) as (here, there):
        for line in compare(here, there, chosen.only, chosen.pairs):
            print(line, flush=True)


if __name__ == "__main__":
    main()
