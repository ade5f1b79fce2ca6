"""Every file of ``.examples`` runs in an empty folder and prints what it should."""

import json
import subprocess
import sys
from typing import Any

import pytest

from core.settings import ROOT
from tests.each import each
from tests.short import long

FOLDER = ROOT / ".examples"
PRINTED = {
    "agreement_and_ndcg.py": [
        "kappa(linear) 0.382 0.316 0.444",
        "a1 a2 kappa(linear) 0.435 0.336 0.524",
        "careful nDCG@10 0.854 0.744 0.916 12",
        "3 30.667 0.457 0.251 0.680 1.000",
        "The best system is careful of 3 systems.",
        "At α = 0.05, of 3 pairs of systems 3 differ significantly with 'qrels'.",
    ],
    "first_kappa.py": ["kappa(linear) 0.458 from 0.363 to 0.543"],
    "labels_of_other_tools.py": [
        "6 labels of 2 assessors",
        "ann and bea agree on 0.67 of their items",
    ],
    "score_a_run.py": ["textbook 0.3 0.276"],
    "weigh_levels.py": ["level 2: weight 0.420 from 7.0 cases"],
    "compare_versions.py": [
        "7 pairs of systems are significant with both conditions, none with one alone."
    ],
    "side_by_side.py": ["raw 0.696 0.622 0.761"],
    "study_from_a_terminal.py": ["written: 5 labels; 0 already there", "t1 0 d1 3", "t2 0 d3 1"],
    "hand_over.py": ["ann 1.5", '"big cats","d1","3","2"'],
}
"""Lines that each example prints, whatever the spaces between their words."""

_RUN = """
import contextlib, io, json, os, pathlib, runpy, sys, traceback
found = {}
for number, file in enumerate(map(pathlib.Path, sys.argv[1:])):
    folder = pathlib.Path(str(number))
    folder.mkdir()
    printed, error = io.StringIO(), None
    with contextlib.chdir(folder), contextlib.redirect_stdout(printed):
        try:
            runpy.run_path(str(file), run_name="__main__")
        except Exception:
            error = traceback.format_exc()
    left = [one.name for one in folder.iterdir()]
    found[file.name] = {"printed": printed.getvalue(), "error": error, "left": left}
print(json.dumps(found))
"""
"""One after the other in one process: to start each anew takes longer than all that they do."""


def test_somebody_has_said_what_each_example_prints():
    assert {file.name for file in FOLDER.iterdir() if file.is_file()} == PRINTED.keys()


@pytest.fixture(scope="module")
def ran(tmp_path_factory: pytest.TempPathFactory) -> dict[str, dict[str, Any]]:
    """What each example printed, left behind and failed with."""
    folder = tmp_path_factory.mktemp("examples")
    files = [str(FOLDER / name) for name in PRINTED]
    command = [sys.executable, "-X", "utf8", "-W", "error", "-c", _RUN, *files]
    done = subprocess.run(command, cwd=folder, capture_output=True, encoding="utf-8", check=False)
    assert done.returncode == 0, done.stderr
    found: dict[str, dict[str, Any]] = json.loads(done.stdout)
    return found


@long
@each("name", PRINTED)
def test_an_example_runs_as_it_stands(name: str, ran: dict[str, dict[str, Any]]):
    assert ran[name]["error"] is None
    lines = [" ".join(line.split()) for line in ran[name]["printed"].splitlines()]
    assert [line for line in PRINTED[name] if line not in lines] == []
    assert ran[name]["left"] == []
