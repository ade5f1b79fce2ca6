"""How often 95 % limits hold the true value, and how often tests err.

``python -m tests.calibration --keep FILE`` simulates what the file does not hold yet and prints the
handbook's tables; ``--docs`` puts them there. With two processes it takes about an hour.
``--beside COMMIT`` simulates nothing and prints the handbook's tables beside those of a commit.
"""

import argparse
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict
from pathlib import Path
from typing import Any

from tests.calibration.coverage import Coverage
from tests.calibration.error_rates import ErrorRate
from tests.calibration.registry import FAMILIES, TESTS
from tests.calibration.tables import (
    lay_side_by_side,
    put_in_docs,
    write_coverage,
    write_error_rates,
)
from tests.trees import ROOT

LOW = 0.93
"""Where the first studies give less, four times as many are simulated anew."""

Key = tuple[str, str, int]
"""Family, model and size."""

Rows = list[Any]
"""What was counted, as `Coverage` or `ErrorRate`."""


def main() -> None:
    """Simulate, keep, print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--studies", type=int, default=1_000)
    parser.add_argument("--processes", type=int, default=os.cpu_count())
    what = parser.add_mutually_exclusive_group(required=True)
    what.add_argument("--keep", type=Path, metavar="FILE")
    what.add_argument("--beside", metavar="COMMIT")
    parser.add_argument("--docs", action="store_true")
    chosen = parser.parse_args()
    if chosen.beside:
        show = ["git", "show", f"{chosen.beside}:.docs/intervals.md"]
        before = subprocess.run(show, cwd=ROOT, check=True, capture_output=True, text=True).stdout
        print(*(lay_side_by_side(before, name) for name in ("coverage", "error rates")), sep="\n")
        return
    known = _read(chosen.keep)
    missing = [key for key in _list_keys() if key not in known]
    with ProcessPoolExecutor(chosen.processes) as pool, chosen.keep.open("a") as file:
        studies = [chosen.studies] * len(missing)
        for key, found in zip(missing, pool.map(_simulate, missing, studies), strict=True):
            known[key] = found
            kept = [asdict(one) for one in found]
            file.write(json.dumps([*key, kept], ensure_ascii=False) + "\n")
            file.flush()
            print("·", *key, file=sys.stderr)
    print(write_coverage(known), write_error_rates(known), sep="\n")
    if chosen.docs:
        put_in_docs(known)


def _list_keys() -> Iterator[Key]:
    for family in FAMILIES:
        yield from ((family.title, model, size) for model in family.models for size in family.sizes)
    for test in TESTS:
        models = [*test.nulls, *test.others]
        yield from ((test.title, model, size) for model in models for size in test.sizes)


def _simulate(key: Key, studies: int) -> Rows:
    title, model, size = key
    for family in FAMILIES:
        if family.title == title:
            simulate = family.models[model]
            found = simulate(size, studies)
            if min(one.covered for one in found) < LOW:
                found = simulate(size, 4 * studies)
            return found
    (test,) = (one for one in TESTS if one.title == title)
    is_null_of_default = test.is_default and model in test.nulls
    return {**test.nulls, **test.others}[model](
        size, 2 * studies if is_null_of_default else studies
    )


def _read(path: Path) -> dict[Key, Rows]:
    if not path.exists():
        return {}
    lines = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    return {
        (title, model, size): [_load(one) for one in rows] for title, model, size, rows in lines
    }


def _load(row: dict[str, Any]) -> Coverage | ErrorRate:
    return Coverage(**row) if "covered" in row else ErrorRate(**row)


if __name__ == "__main__":
    main()
