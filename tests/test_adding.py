"""What develop.md says of adding things is so: each example needs no other file than it has."""

import re
from pathlib import Path

import pytest

from tests.adding import HOUSE, QUICK, ROOT, WHOLE, Copy, Example, list_examples
from tests.docs import COMPLETE, FOLDER, REGISTERED
from tests.short import long

EXAMPLES = list_examples()
NAMES = [one.kind for one in EXAMPLES]
PYTEST = ("pytest", "-q", "-p", "no:cacheprovider")


def renew(copy: Copy) -> None:
    """Make in a copy what is made from the code."""
    made = copy.run("tests.docs")
    assert made.returncode == 0, made.stderr


def list_changes(copy: Copy) -> set[str]:
    """Return the files of a copy that are not those of this checkout, but for what is made."""
    folders = [ROOT / one for one in ("core", "pages", "tests", ".docs")]
    theirs = {copy.tree / one.relative_to(ROOT) for one in folders}
    paths = {
        path.relative_to(copy.tree)
        for folder in theirs
        for path in folder.rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    made = {REGISTERED, COMPLETE, *FOLDER.glob("*.md")}
    return {
        str(path)
        for path in paths
        if ROOT / path not in made
        and not (
            (ROOT / path).is_file()
            and (ROOT / path).read_bytes() == (copy.tree / path).read_bytes()
        )
    }


def pass_in(copy: Copy, *tests: str) -> None:
    """Assert that tests pass in a copy."""
    found = copy.run(*PYTEST, *tests)
    assert found.returncode == 0, found.stdout[-5000:]


def test_every_example_has_a_page():
    assert {path.stem for path in EXAMPLES[0].page.parent.iterdir()} == set(NAMES)
    assert set(WHOLE) == set(QUICK)


def test_a_module_and_its_row_are_all_there_is_to_add(tmp_path: Path):
    copy = Copy(tmp_path)
    written = {
        str(path.relative_to(copy.tree)) for one in EXAMPLES for path in one.add_to(copy.tree)
    }
    renew(copy)
    assert list_changes(copy) == written
    tables = [
        f"{HOUSE[0]}::test_its_tables_follow_from_the_code",
        f"{HOUSE[0]}::test_help_lists_what_is_registered",
    ]
    pass_in(copy, *tables, *(test for tests in QUICK.values() for test in tests))


@long
def test_without_the_row_it_is_seen(tmp_path: Path):
    """All modules without a row: of each kind a test fails. A format has tests of its own."""
    copy = Copy(tmp_path)
    rowed = [one for one in EXAMPLES if one.kind != "file_format"]
    for one in rowed:
        one.add_to(copy.tree, [*one.files][:1])
    found = copy.run(*PYTEST, *(test for one in rowed for test in QUICK[one.kind]))
    failed = re.findall(r"^(?:FAILED|ERROR) (\S+)", found.stdout, re.MULTILINE)
    for one in rowed:
        assert any(name.startswith(QUICK[one.kind]) for name in failed), one.kind


@long
@pytest.mark.parametrize("kind", NAMES)
def test_nothing_else_asks_for_more(kind: str, tmp_path: Path):
    copy = Copy(tmp_path)
    paths = [str(path) for path in Example(kind).add_to(copy.tree)]
    renew(copy)
    modules = [path for path in paths if path.endswith(".py")]
    for words in (("ruff", "check"), ("ruff", "format", "--check")):
        styled = copy.run(*words, *modules)
        assert styled.returncode == 0, styled.stdout
    pass_in(copy, *HOUSE, *WHOLE[kind])
