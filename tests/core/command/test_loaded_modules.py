"""What commands and the Python API import, and what they do without: each costs a part of a second.

The modules are those of a process that has done it, so a name that is in the way turns up here
whoever imports it.
"""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from core.command.main import COMMANDS
from core.settings import ROOT

HEAVY = {"pandas", "pyarrow", "scipy", "duckdb", "plotly", "streamlit", "statsmodels"}
"""What no help needs, nor wrong usage."""

TESTING = {"core.comparison.difference_tests", "core.comparison.conditions", "core.reports.compare"}
"""What scores alone do without."""

HELP = """
import contextlib, io
from core.command.main import main

for word in words:
    with contextlib.redirect_stdout(io.StringIO()), contextlib.suppress(SystemExit):
        main([word, "--help"])
"""

CALL = """
import dissent

run, qrels = words
dissent.evaluate(dissent.read_runs(run), dissent.read_qrels(qrels), ["AP"])
"""


def loaded(tmp_path: Path, script: str, words: list[str]) -> set[str]:
    """Return the modules of a process after a script."""
    told = tmp_path / "modules.json"
    whole = "\n".join(
        [
            f"import json, sys; words = {words!r}",
            script,
            f"json.dump(sorted(sys.modules), open({str(told)!r}, 'w'))",
        ]
    )
    path = f"{ROOT}:{ROOT / '.build' / 'package'}"
    subprocess.run(
        [sys.executable, "-c", whole], check=True, cwd=tmp_path, env={"PYTHONPATH": path}
    )
    return set(json.loads(told.read_text()))


@pytest.fixture
def files(tmp_path) -> tuple[str, str]:
    """A run and its qrels."""
    run, qrels = tmp_path / "a.run", tmp_path / "a.qrels"
    run.write_text("1 Q0 d1 1 2 a\n1 Q0 d2 2 1 a\n2 Q0 d1 1 2 a\n")
    qrels.write_text("1 0 d1 1\n1 0 d2 0\n2 0 d1 1\n")
    return str(run), str(qrels)


def tops(modules: set[str]) -> set[str]:
    return {name.partition(".")[0] for name in modules}


def test_no_help_takes_in_a_heavy_library(tmp_path):
    modules = loaded(tmp_path, HELP, ["--help", "--version", *(one.name for one in COMMANDS)])
    assert {f"core.command.arguments.{name}" for name in ("scores", "collections")} <= modules
    assert not tops(modules) & (HEAVY | {"numpy"})
    named = {one.name.replace("-", "_") for one in COMMANDS}
    assert not {f"core.command.{name}" for name in (*named, "import_")} & modules


def test_help_of_scores_leaves_tests_of_differences(tmp_path):
    """Only commands that take ``--test`` name them."""
    modules = loaded(tmp_path, HELP, ["evaluate"])
    assert "core.command.arguments.score_files" in modules
    assert not {name for name in modules if re.match(r"core\.(comparison|measures)\b", name)}
    assert "core.collection.records" not in modules  # levels wait for a --scale


def test_the_list_of_commands_knows_no_paper(tmp_path):
    assert "core.published" not in loaded(tmp_path, HELP, ["--help"])
    assert "core.published" in loaded(tmp_path, HELP, ["compare"])


def test_evaluating_takes_in_what_scores_need_and_no_more(tmp_path, files):
    run, qrels = files
    words = ["evaluate", "--qrels", qrels, "--run", run, "--measure", "nDCG@10", "AP", "P@10"]
    modules = loaded(tmp_path, "from core.command.main import main; main(words)", words)
    assert "core.measures.evaluate" in modules
    assert not tops(modules) & (HEAVY - {"pandas", "pyarrow", "scipy"})
    assert not {name for name in modules if re.match(r"scipy\.(stats|optimize|linalg)\b", name)}
    assert not {name for name in modules if re.match(r"core\.(store|figures|clicks)\b", name)}
    assert not {name for name in modules if re.match(r"core\.collection\.click_logs\b", name)}
    assert not TESTING & modules


def test_the_package_waits_until_a_name_is_asked_for(tmp_path):
    modules = loaded(tmp_path, "import dissent", [])
    assert not tops(modules) & (HEAVY | {"numpy"})
    assert "core.api" not in modules


def test_a_call_takes_in_what_it_needs(tmp_path, files):
    modules = loaded(tmp_path, CALL, [*files])
    assert "core.api.calls.evaluation" in modules
    assert "core.api.calls.agreement" not in modules
    assert not tops(modules) & {"duckdb", "plotly", "streamlit"}
    assert not TESTING & modules
    assert not {name for name in modules if re.match(r"scipy\.(stats|optimize)\b", name)}


def test_nothing_is_computed_by_scipy_stats():
    """It takes a second to import; scipy.special has the distributions."""
    for part in ("core", "pages"):
        for path in (ROOT / part).rglob("*.py"):
            assert "scipy.stats" not in path.read_text(encoding="utf-8"), path
