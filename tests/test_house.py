"""What is measured of the house, on a small one."""

import subprocess
from pathlib import Path

from tests.house import graph_imports, measure, parse_product, reach
from tests.trees import ROOT

FILES = {
    "core/api/calls/agreement.py": "from core.numbers import one\nif one:\n    import core.late\n",
    "core/numbers.py": "if TYPE_CHECKING:\n    import core.typed\none = 1\n",
    "core/typed.py": "",
    "core/late.py": "from core import numbers\nnumbers.compile_rankings(1)\ncompile_rankings(2)\n",
    "core/round.py": "import core.trip\n",
    "core/trip.py": "import core.round\n",
    "pages/judge/screen.js": "let a;\nlet b;\n",
    "tests/test_it.py": "\n",
    "notes.md": "\n\n\n",
}


def test_a_small_house(tmp_path: Path):
    for name, text in FILES.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    for words in (["init", "-q"], ["add", "-A"]):
        subprocess.run(["git", *words], cwd=tmp_path, check=True)
    assert measure(tmp_path) == {
        "files, product": 7,
        "lines, product": 13,
        "files, tests": 1,
        "lines, tests": 1,
        "modules reached, page of agreement": 0,
        "modules reached, dissent evaluate": 0,
        "modules reached, dissent.agreement": 2,
        "places that compile rankings": 2,
        "modules with one of them": 1,
        "imports": 5,
        "modules in circles": 2,
    }


OF_LABELS = ("core.analysis.base", "core.analysis.agreement", "pages.agreement.coefficients")
"""Folders that answer what is asked of labels alone."""


def test_what_is_asked_of_labels_alone_leads_to_no_scores():
    """Whoever looks at agreement should not have to know how systems are scored."""
    files = [path for part in ("core", "pages") for path in (ROOT / part).rglob("*.py")]
    graph = graph_imports(parse_product(ROOT, [str(one.relative_to(ROOT)) for one in files]))
    of_labels = [name for name in graph if name.startswith(OF_LABELS)]
    assert all(any(name.startswith(one) for name in of_labels) for one in OF_LABELS)
    led = {
        name: [one for one in reach(graph, name) if "analysis.results" in one] for name in of_labels
    }
    assert {name: places for name, places in led.items() if places} == {}
    assert any("analysis.results" in one for one in reach(graph, "core.analysis.people.assessors"))
