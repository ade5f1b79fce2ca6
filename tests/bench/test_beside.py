"""What is measured of two commits is laid out pair by pair, and what one of them lacks is said."""

from pathlib import Path

import pytest

from tests.bench import beside
from tests.bench.beside import CannotDo, Figures, Tree, compare, describe, write_files
from tests.trees import make_python


@pytest.fixture
def tree(tmp_path: Path) -> Tree:
    """A tree of one module, and a Python that finds no other."""
    root, files = tmp_path / "root", tmp_path / "files"
    (root / "core").mkdir(parents=True)
    (root / "core" / "only.py").write_text("print('here')\n")
    write_files(files)
    return Tree(root, make_python(tmp_path / "python"), files)


def test_ratios_are_those_of_pairs():
    rounds: list[tuple[Figures, Figures]] = [
        ({"a": 2.0, "b": 1.0}, {"a": 1.0}),
        ({"a": 3.0, "b": 1.0}, {"a": 2.0}),
        ({"a": 6.0, "b": 1.0}, {"a": 1.0}),
    ]
    a, b = describe(rounds)
    assert a.split() == ["a", "3.000", "1.000", "2.00", "(1.50–6.00)"]
    assert b.split()[:3] == ["b", "1.000", "-"]
    assert b.endswith("only one of them has it")


def test_a_tree_is_run_by_itself(tree: Tree):
    assert all(0 < seconds < 60 for seconds in tree.run("-m", "core.only"))
    with pytest.raises(CannotDo, match=r"'-m core\.errors' ends with 1"):
        tree.run("-m", "core.errors")


def test_the_first_round_does_not_count_and_a_fault_is_said_once(
    tree: Tree, monkeypatch: pytest.MonkeyPatch
):
    tried = []

    def measure(one: Tree) -> Figures:
        tried.append(one.root.name)
        if one.root.name == "lame":
            raise CannotDo("it has no legs")
        return {"steps": float(len(tried))}

    monkeypatch.setitem(beside.TRIALS, "walk", measure)
    lame = Tree(tree.root.with_name("lame"), tree.python, tree.files)
    fault, line = compare(tree, lame, ["walk"], pairs=2)
    assert fault == "walk, there: it has no legs"
    assert line.split()[:3] == ["steps", "3.500", "-"]
    assert tried == ["root", "lame", "root", "root"]
