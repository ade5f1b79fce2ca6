"""The checks of what a change can touch: ``python -m tests --changed [BASE]``.

Style and types, and those tests of the short form that reach a definition which differs from BASE:
by default from where this branch left ``main``, with what is not committed yet. `tests.definitions`
has the graph. What is reached by its name only, a command or a page, is tried by the tests that
have this name. Tests that walk over the sources always run. All tests do when what sets them up has
changed, or a file of which nobody can tell who reads it.
"""

import os
import subprocess
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from tests.definitions import ANY, PARTS, Graph, Node, differing, is_test, name_module

ROOT = Path(__file__).parent.parent
MAIN = "main"
EVERYTHING = ["tests"]
SETS_UP = {"pyproject.toml"}
"""Files on which depends how everything runs."""

KEPT = Path(os.environ.get("XDG_CACHE_HOME") or "~/.cache").expanduser() / "dissent"
"""What a run leaves for the next one, also in another checkout."""

TYPES = ["mypy", "--cache-dir", str(KEPT / "types")]
TYPED = ("core/", "pages/", "app.py", "pyproject.toml")


@dataclass(frozen=True)
class Change:
    """The files that differ, each with its text before and now; empty where there is none."""

    base: str
    texts: dict[str, tuple[str, str]]


@dataclass(frozen=True)
class Checks:
    """What is run of a change: modules by ruff, all types or none by mypy, and tests by pytest."""

    modules: list[str]
    has_types: bool
    tests: list[str]

    def style(self) -> list[list[str]]:
        """Return the checks of style."""
        if not self.modules:
            return []
        return [["ruff", "check", *self.modules], ["ruff", "format", "--check", *self.modules]]

    def types(self) -> list[list[str]]:
        """Return the check of types; what has not changed is in mypy's cache."""
        return [TYPES] if self.has_types else []


def choose_checks(words: list[str], root: Path = ROOT) -> Checks:
    """Say what a change can touch, and return how to check it; ``words`` may name a commit."""
    change = read_change(root, *words)
    graph = Graph(root, list_files(root))
    tests = find_tests(graph, change)
    modules = [name for name, (_, now) in change.texts.items() if name.endswith(".py") and now]
    functions = sum(place.count("::") or graph.count_tests(place) for place in tests)
    all_of_them = sum(1 for _ in list_tests(graph))
    print(f"{len(change.texts)} files differ from {change.base[:10]}: ", end="")
    print("all tests" if tests == EVERYTHING else f"{functions} of {all_of_them} tests", flush=True)
    return Checks(modules, any(name.startswith(TYPED) for name in change.texts), tests)


def read_change(root: Path, base: str = "") -> Change:
    """Return what differs from a commit, by default from where this branch left the main one."""
    base = base or _git(root, "merge-base", "HEAD", MAIN, may_fail=True).strip() or "HEAD"
    names = _git(root, "diff", "--name-only", "--no-renames", base).splitlines()
    names += _git(root, "ls-files", "--others", "--exclude-standard").splitlines()
    texts = {}
    for name in names:
        before, path = _git(root, "show", f"{base}:{name}", may_fail=True), root / name
        texts[name] = before, path.read_text("utf-8", "replace") if path.is_file() else ""
    return Change(base, texts)


def list_files(root: Path) -> list[str]:
    """Return the files of the checkout, those included that are not added yet."""
    listed = _git(root, "ls-files", "--cached", "--others", "--exclude-standard").splitlines()
    return [name for name in dict.fromkeys(listed) if (root / name).is_file()]


def _git(root: Path, *words: str, may_fail: bool = False) -> str:
    command = ["git", "-c", "core.quotePath=off", *words]
    done = subprocess.run(command, cwd=root, capture_output=True, check=not may_fail)
    return done.stdout.decode("utf-8", "replace")


def find_tests(graph: Graph, change: Change) -> list[str]:
    """Return the tests that a change can touch, as pytest takes them: files, and tests in files."""
    if SETS_UP & change.texts.keys() or any(_is_lost(graph, file) for file in change.texts):
        return EVERYTHING
    tests = set(list_tests(graph))
    by_file: dict[str, list[str]] = defaultdict(list)
    for module, name in sorted(reached(graph, tests, find_changed(change))):
        by_file[graph.file_of[module]].append(name)
    return [
        place
        for file, names in by_file.items()
        for place in (
            [file] if len(names) == graph.count_tests(file) else [f"{file}::{one}" for one in names]
        )
    ]


def list_tests(graph: Graph) -> Iterator[Node]:
    """Yield the tests that pytest collects."""
    for module, file in graph.file_of.items():
        if file.startswith("tests/") and file.rpartition("/")[2].startswith("test_"):
            yield from ((module, name) for name in graph.modules[module].definitions
                        if is_test(name))  # fmt: skip


def _is_lost(graph: Graph, file: str) -> bool:
    """Tell whether nobody knows who reads a file that is part of the product or of its tests."""
    if file.endswith(".py") or not file.startswith(PARTS):
        return False
    return not any(graph.led_from.get(node) for node in ((file, ""), *_folders(file)))


def _folders(file: str) -> Iterator[Node]:
    parts = file.split("/")[:-1]
    yield from (
        ("/".join(parts[:depth]) + "/", "")
        for depth in range(1 + (not file.startswith(".")), len(parts) + 1)
    )


def find_changed(change: Change) -> set[Node]:
    """Return the definitions and files that differ, with the folders that they are in."""
    changed: set[Node] = set()
    for file, (before, now) in change.texts.items():
        changed |= {*_folders(file)}
        if file.startswith(PARTS):
            # Who walks over all sources does not say where it goes.
            changed |= {("./", ""), (file.partition("/")[0] + "/", "")}
        if not file.endswith(".py"):
            changed.add((file, ""))
            continue
        module = name_module(file)
        changed |= {(module, name) for name in differing(before, now)}
        if not before or not now:
            changed |= {(module, ""), (module, "*")}
    return changed


def reached(graph: Graph, tests: set[Node], changed: set[Node]) -> set[Node]:
    """Return the tests that reach what has changed, directly or through doors that they name."""
    touching = graph.reaching(changed)
    halls = {door.hall: graph.reaching([door.hall]) for door in graph.doors}
    found = tests & touching
    for test in tests - found:
        entered = {hall for hall, comers in halls.items() if test in comers}
        if not entered:
            continue
        words = graph.words_of(test)
        opened = {door for door in graph.doors if words & {ANY, *door.words}}
        # A door may lead to the hall of others, as the command that serves leads to the pages.
        for door in [one for one in opened if one.hall in entered]:
            entered |= {hall for hall, comers in halls.items() if door.place in comers}
        if any(door.hall in entered and door.place in touching for door in opened):
            found.add(test)
    return found
