"""What this device keeps for the time without a server: one person's, gone when it is to go."""

import pytest

from tests.pages.judge.screen.conftest import Run

pytestmark = pytest.mark.browser

FILE = "storage/kept.js"
SETUP = "await forgetKept();"


def test_what_is_kept_is_read_the_newest_first(run: Run):
    script = """await keepAssignments("c1:p1", [{n: 1}], 5);
        await keepAssignments("c2:p1", [{n: 2}], 7); await keepAssignments("c1:p1", [{n: 3}], 6);
        const rows = await readAssignments();
        return rows.map(({owner, at, assignments}) => [owner, at, assignments])"""
    assert run(FILE, script=SETUP + script) == [["c2:p1", 7, [{"n": 2}]], ["c1:p1", 6, [{"n": 3}]]]


def test_labels_and_pages_are_kept_beside_their_items_only(run: Run):
    script = """await keepLabel("c1:p1", "s", {level: 1}, 5); await keepPage("c1:p1", "a", "x");
        const early = [(await readLabels("c1:p1")).size, (await readPages("c1:p1")).size];
        await keepAssignments("c1:p1", [], 5); await keepAssignments("c1:p10", [], 5);
        await keepLabel("c1:p1", "s", {level: 1}, 5); await keepLabel("c1:p1", "s", {level: 2}, 6);
        await keepPage("c1:p1", "a", "x"); await keepPage("c1:p1", "b", "y");
        await keepPage("c1:p10", "c", "z"); await dropPages("c1:p1", new Map([["b", 1]]));
        return [early, [...await readLabels("c1:p1")], [...await readPages("c1:p1")],
          [...await readPages("c1:p10")]]"""
    assert run(FILE, script=SETUP + script) == [
        [0, 0],
        [["s", {"label": {"level": 2}, "at": 6}]],
        [["b", "y"]],
        [["c", "z"]],
    ]


def test_nothing_is_left_once_it_is_forgotten(run: Run):
    script = """await keepAssignments("c1:p1", [{}], 5); await keepLabel("c1:p1", "s", {}, 5);
        await keepPage("c1:p1", "a", "x"); await forgetKept();
        return [await readAssignments(), [...await readLabels("c1:p1")],
          [...await readPages("c1:p1")]]"""
    assert run(FILE, script=SETUP + script) == [[], [], []]


def test_without_storage_nothing_is_kept_and_nothing_breaks(run: Run):
    script = """const open = () => { throw new Error("no"); };
        Object.defineProperty(window, "indexedDB", {value: {open}});
        await keepAssignments("c1:p1", [], 1);
        return [await readAssignments(), (await readPages("x")).size]"""
    assert run(FILE, script=script) == [[], 0]
