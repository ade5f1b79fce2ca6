"""What is measured of two commits is laid out pair by pair, and what one of them lacks is said."""

import os
import re
import subprocess
import sys
from itertools import pairwise
from pathlib import Path

import pytest

from tests.bench import beside, live
from tests.bench.beside import (
    CannotDo,
    Figures,
    Tree,
    compare,
    describe,
    read_peak,
    write_files,
)
from tests.bench.live import list_processes, read_processor
from tests.short import long
from tests.trees import ROOT, make_python


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


def test_memory_is_that_of_a_command_alone(tree: Tree):
    """What starts it holds more than the small one: that would count where it is the parent."""
    held = b"x" * 200 * 1024**2
    (tree.root / "core" / "large.py").write_text("held = bytes(range(256)) * 2**19\nprint('1')\n")
    small, large = tree.peak("-m", "core.only"), tree.peak("-m", "core.large")
    assert 1 < small < len(held) / 1024**2
    assert 100 < large - small < 160
    with pytest.raises(CannotDo, match=r"'-m core\.errors' ends with 1"):
        tree.peak("-m", "core.errors")


BURN = """
import sys, time
while time.process_time() < 0.3:
    pass
print("burnt", flush=True)
held = bytes(range(256)) * 2**18
print("held", flush=True)
sys.stdin.readline()
"""


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="looks at processes in /proc")
def test_processes_below_a_process_count_while_they_run_and_afterwards():
    before = read_processor(os.getpid())
    with subprocess.Popen(
        [sys.executable, "-c", BURN], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout
        assert process.stdout.readline() == "burnt\n"
        assert process.pid in list_processes(os.getpid())
        assert read_processor(os.getpid()) - before > 0.25
        assert process.stdout.readline() == "held\n"
        assert read_peak(process.pid) > 64
        process.communicate("end\n")
    assert process.pid not in list_processes(os.getpid())
    assert read_processor(os.getpid()) - before > 0.25
    assert read_peak(process.pid) == 0


SPEAK = """
import sys, time, core.only
for number in range(3):
    print("ready", flush=True)
    assert sys.stdin.readline()
    begun = time.time()
    time.sleep(0.05)
    print("worked", begun, time.time(), flush=True)
print("200 key presses: next item stands after ms p50 2.5 p95 9.00")
print("200 key presses: next item painted after ms p50 16.10 p95 31.0")
print("monitor: processor ms a label 12.5")
"""
STANDS, PAINTED = (
    [f"keys, {what}: ms p{part}" for part in (50, 95)] for what in ("stands", "painted")
)


def test_our_benches_take_turns_in_two_trees(tree: Tree, monkeypatch: pytest.MonkeyPatch):
    ours = tree.files / "comparison.py"
    monkeypatch.setattr(beside, "KEYS", ours)
    monkeypatch.setattr(beside, "LIVE", ours)
    ours.write_text(SPEAK)
    keys, live = beside.measure_keys(tree, tree), beside.measure_live(tree, tree)
    for turn in (0, 1):
        assert list(keys[turn]) == [*STANDS, *PAINTED]
        assert list(keys[turn].values()) == [2.5, 9, 16.1, 31]
        assert live[turn] == {"live, monitor: processor ms a label": 12.5}
    (line,) = compare(tree, tree, ["live"], pairs=1)
    assert line.split()[-4:] == ["12.500", "12.500", "1.00", "(1.00–1.00)"]


def test_what_takes_turns_never_works_together(tree: Tree):
    words = ("-c", SPEAK)
    both = [tree.start(*words, into=subprocess.PIPE) for _ in (0, 1)]
    with both[0], both[1]:
        said = beside._give_turns(both)
    times = [
        [tuple(map(float, one)) for one in re.findall(r"^worked (\S+) (\S+)$", each, re.M)]
        for each in said
    ]
    assert [len(one) for one in times] == [3, 3]
    worked = [turn for pair in zip(*times, strict=True) for turn in pair]
    assert all(one[1] <= other[0] for one, other in pairwise(worked))


def test_a_bench_that_fails_or_tells_nothing_is_said_once(
    tree: Tree, monkeypatch: pytest.MonkeyPatch
):
    ours = tree.files / "comparison.py"
    monkeypatch.setattr(beside, "KEYS", ours)
    ours.write_text("print('nothing')")
    lines = [*compare(tree, tree, ["keys"], pairs=3)]
    assert lines == ["keys, here or there: its bench of keys tells other figures"]
    ours.write_text("import core.other")
    (line,) = compare(tree, tree, ["keys"], pairs=3)
    assert "its bench of keys fails: ModuleNotFoundError: No module named 'core.other'" in line


@long
def test_memory_of_this_checkout_can_be_measured(tree: Tree):
    found = beside.measure_memory(Tree(ROOT, tree.python, tree.files))
    assert len(found) >= len(beside.COMMANDS) + 1
    assert all(figure > 0 for figure in found.values())


@long
@pytest.mark.parametrize(("name", "figures"), [("keys", 4), ("live", len(live.PAGES))])
def test_this_checkout_can_take_turns_with_itself(name: str, figures: int, tree: Tree):
    own = Tree(ROOT, tree.python, tree.files)
    for found in beside.IN_TURN[name](own, own):
        assert len(found) == figures
        assert all(figure > 0 for figure in found.values())


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
