"""Examples of what can be added, each whole, and a copy of the checkout to which it was added.

``added`` has a page for each kind: below the name of a file stands what is in it. Where that file
is there already it is given more lines: ``TABLE |= {…}`` stands for entries at the end of its
table, and what precedes it is put above the table.
"""

import ast
import os
import re
import shutil
import subprocess
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from tests.trees import make_python

ROOT = Path(__file__).parent.parent
EXAMPLES = Path(__file__).parent / "added"

_FILE = re.compile(r"^`([\w./]+)`\n\n```\w+\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_NEXT = "NN"
"""In the name of a file: the number behind the last one in its folder."""

_LEFT_OUT = shutil.ignore_patterns(".git", ".venv", ".*_cache", "node_modules")

_MEASURES, _AGREEMENT, _CLICKS = "tests/core/measures", "tests/core/agreement", "tests/core/clicks"
_ORDERS, _FORMATS = "tests/core/orders", "tests/core/collection"
_SCHEMA, _REPORTS = "tests/core/store/schema", "tests/pages/test_report_doors.py"
_WORKS = "tests/core/analysis/test_methods_text.py"
_DOORS, _API = "tests/pages/test_doors.py", "tests/pages/api/v1/test_doors.py"

QUICK = {
    "measure": (
        f"{_MEASURES}/test_oracles.py::test_every_measure_has_an_oracle",
        f"{_MEASURES}/test_oracles.py::test_by_hand_on_the_textbook",
        f"{_MEASURES}/test_laws.py::test_every_measure_describes_itself",
        f"{_WORKS}::test_every_measure_and_coefficient_has_its_work",
        f"{_MEASURES}/test_laws.py::test_scores_stay_within_bounds",
    ),
    "coefficient": (
        f"{_AGREEMENT}/test_oracles.py",
        f"{_AGREEMENT}/test_coefficients.py::test_every_coefficient_describes_itself",
        f"{_WORKS}::test_every_measure_and_coefficient_has_its_work",
        f"{_AGREEMENT}/test_coefficients.py::test_what_is_suggested_for_a_scale",
    ),
    "click_model": (
        f"{_CLICKS}/test_laws.py::test_every_model_is_described_and_has_a_world",
        f"{_CLICKS}/test_laws.py::test_probabilities",
    ),
    "judging_order": (
        f"{_ORDERS}/test_oracles.py::test_every_order_has_an_oracle",
        f"{_ORDERS}/test_laws.py::test_every_order_describes_itself",
        f"{_ORDERS}/test_laws.py::test_only_an_order_that_is_adaptive_heeds_labels",
    ),
    "report": (f"{_REPORTS}::test_every_report_is_in_a_test_of_doors",),
    "file_format": (
        f"{_FORMATS}/test_formats.py::test_every_format_is_told_from_the_others_by_its_example",
        f"{_FORMATS}/topics_and_documents/test_numbered_queries.py",
    ),
    "schema_step": (
        f"{_SCHEMA}/test_migrations.py::test_no_step_was_edited_moved_or_left_out",
        f"{_SCHEMA}/test_catalogue.py::test_what_all_migrations_make_is_known",
    ),
    "page": (f"{_DOORS}::test_somebody_has_decided_who_may_open_each_page",),
    "route": (f"{_API}::test_somebody_has_decided_who_may_ask_for_each_operation",),
}
"""By kind, what tells at once whether something is missing."""

WHOLE = {
    "measure": (_MEASURES, _WORKS),
    "coefficient": (_AGREEMENT, _WORKS, "tests/core/reports"),
    "click_model": (_CLICKS, "tests/core/command/test_clicks.py"),
    "judging_order": (_ORDERS, "tests/core/api/test_judging.py"),
    "report": (_REPORTS, "tests/core/reports"),
    "file_format": (_FORMATS,),
    "schema_step": (_SCHEMA, "tests/core/store/move", "tests/core/store/merge"),
    "page": (_DOORS, "tests/pages/shared"),
    "route": (_API, "tests/pages/api/v1/test_study.py", "tests/pages/api/test_route_doors.py"),
}
"""By kind, all that asks something of each of its kind."""

HOUSE = ("tests/test_docs.py", "tests/test_layers.py", "tests/test_class_names.py")
"""What is asked of every file."""


@dataclass(frozen=True)
class Example:
    """Something of a kind that can be added, as its page in ``added`` has it."""

    kind: str

    @property
    def page(self) -> Path:
        """Where it stands."""
        return EXAMPLES / f"{self.kind}.md"

    @property
    def title(self) -> str:
        """What it is an example of: ``a measure``."""
        title = self.page.read_text(encoding="utf-8").partition("\n")[0].removeprefix("# ")
        return title[0].lower() + title[1:]

    @cached_property
    def files(self) -> dict[str, str]:
        """What is written, by the file that it is written into."""
        return dict(_FILE.findall(self.page.read_text(encoding="utf-8")))

    def add_to(self, tree: Path, files: Iterable[str] | None = None) -> list[Path]:
        """Write it into a copy of the checkout, or only some of its files; return which."""
        written = []
        for name in self.files if files is None else files:
            path, text = tree / _number(tree, name), self.files[name]
            if path.exists():
                text = insert(path.read_text(encoding="utf-8"), text)
            path.write_text(text, encoding="utf-8")
            written.append(path)
        return written


def list_examples() -> list[Example]:
    """Return an example of each kind."""
    return [Example(kind) for kind in QUICK]


def _number(tree: Path, name: str) -> str:
    if _NEXT not in name:
        return name
    last = max(int(one.name.split("_")[0]) for one in (tree / name).parent.glob("[0-9]*_*"))
    return name.replace(_NEXT, f"{last + 1:02}")


def insert(text: str, more: str) -> str:
    """Return a module with more entries at the end of its tables.

    Parameters
    ----------
    text : str
        The module.
    more : str
        ``TABLE |= {…}`` for each of the tables, as many lines each as the entry has, and two.
    """
    lines, done = more.splitlines(keepends=True), 0
    for node in ast.parse(more).body:
        if isinstance(node, ast.AugAssign):
            above = "".join(lines[done : node.lineno - 1]).strip("\n")
            done = node.end_lineno or 0
            own = text.splitlines(keepends=True)
            begin, end = _find_table(text, ast.unparse(node.target))
            head = "".join(own[:begin])
            if above:
                head = f"{head.rstrip()}\n\n\n{above}\n\n\n"
            text = head + "".join([*own[begin:end], *lines[node.lineno : done - 1], *own[end:]])
    return text


def _find_table(text: str, name: str) -> tuple[int, int]:
    """Return the first and the last line of a table, from 0."""
    for node in ast.parse(text).body:
        if isinstance(node, ast.Assign | ast.AnnAssign):
            target = node.targets[0] if isinstance(node, ast.Assign) else node.target
            if ast.unparse(target) == name:
                return node.lineno - 1, (node.end_lineno or 0) - 1
    raise ValueError(f"there is no table {name}")


class Copy:
    """A copy of this checkout, with what is compiled of it, and a Python that runs it alone."""

    def __init__(self, folder: Path) -> None:
        self.tree = Path(shutil.copytree(ROOT, folder / "tree", ignore=_LEFT_OUT))
        self._python = make_python(folder / "python")

    def run(self, *words: str) -> subprocess.CompletedProcess[str]:
        """Run a module on the code of the copy, as ``python -m`` does."""
        return subprocess.run(
            [self._python, "-m", *words],
            cwd=self.tree,
            env={name: value for name, value in os.environ.items() if name != "PYTHONPATH"},
            capture_output=True,
            text=True,
            check=False,
        )
