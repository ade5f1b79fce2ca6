"""Paradata: what goes along with an answer, and what belongs to the item before."""

import pytest

from tests.pages.judge.screen.conftest import Run

pytestmark = pytest.mark.browser
FILE = "judging/paradata.js"
SETUP = "let now = 1000; const of = new Paradata(() => now);"


def test_the_time_counts_from_when_the_whole_was_shown(run: Run):
    script = """of.begin(); now = 4000; of.shown(); now = 4500; of.shown(); now = 6000;
        const first = of.take(); of.begin(); now = 9000; const unseen = of.take();
        of.shown(); now += 48 * 3600 * 1000; return [first, unseen, of.take()]"""
    assert run(FILE, script=SETUP + script) == [
        {"shown_ms": 2_000},
        {},
        {"shown_ms": 24 * 3600 * 1000},
    ]


def test_an_answer_has_its_press_and_what_is_known_of_the_item(run: Run):
    script = """of.saw({furthest: 700}); of.saw({furthest: 300, both_sides: true});
        of.given({by: "mouse", x: 10, y: 900}); of.given({place: 2}); const first = of.take();
        of.given({by: "key", place: 0}); const again = of.take();
        of.begin(); return [first, again, of.take()]"""
    known = {"furthest": 700, "both_sides": True}
    assert run(FILE, script=SETUP + script) == [
        {**known, "given_by": "mouse", "x": 10, "y": 900, "place": 2},
        {**known, "given_by": "key", "place": 0},
        {},
    ]
