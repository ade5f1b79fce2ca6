"""The order of items: linked pages, what is put off, the way back and forward, progress."""

from typing import Any

import pytest

from tests.pages.judge.screen.conftest import Run

pytestmark = pytest.mark.browser

SETUP = """
const step = (document, facet) => ({topic: "t", document, facet, occasion: 0, label: null,
  needs: facet === "page" ? {facet: "snippet", at_least: 2} : null});
const steps = ["1", "2"].flatMap((d) => [step(d, "snippet"), step(d, "page")]);
const queue = new Queue(steps);
const nameOf = (one) => one ? one.facet[0] + one.document : "end";
const name = () => nameOf(queue.current);
let number = 0;
const label = (state, level = null) => {
  number += 1;
  queue.record({...queue.current, event_id: "e" + number, state, level, comment: ""});
};
const answer = (state, level = null) => {
  label(state, level);
  queue.advance();
  return name();
};
"""
"""A queue of two linked documents, s1 p1 s2 p2, with pages from level 2 on."""


def walk(run: Run, script: str, given: Any = None) -> Any:
    return run("judging/queue.js", script=SETUP + script, given=given)


@pytest.mark.parametrize(
    ("levels", "path"),
    [
        ([2, 0, 3, 1], ["p1", "s2", "p2", "end"]),
        ([1, 1], ["s2", "end"]),
        ([0, 2, 1], ["s2", "p2", "end"]),
    ],
)
def test_a_linked_page_is_asked_for_above_the_level_only(
    run: Run, levels: list[int], path: list[str]
):
    script = "return given.map((level) => answer('level', level))"
    assert walk(run, script, levels) == path


def test_what_is_put_off_comes_last_with_its_page(run: Run):
    script = """return [answer("later"), answer("level", 0), answer("level", 3),
        answer("level", 0)]"""
    assert walk(run, script) == ["s2", "s1", "p1", "end"]


def test_back_and_forward_stay_on_the_way(run: Run):
    script = """answer("level", 0); const here = [];
        for (const move of ["back", "back", "forward", "forward"]) here.push(queue[move](), name());
        return here"""
    assert walk(run, script) == [True, "s1", False, "s1", True, "s2", False, "s2"]


def test_back_from_the_end_leads_to_what_was_judged_last(run: Run):
    script = """answer("level", 0); answer("level", 0);
        return [name(), queue.back(), name(), queue.forward(), name()]"""
    assert walk(run, script) == ["end", True, "s2", True, "end"]


def test_a_lower_level_hides_a_page_that_is_not_judged(run: Run):
    script = """answer("level", 3); queue.back(); answer("level", 0);
        return [name(), queue.order().map((i) => nameOf(steps[i]))]"""
    assert walk(run, script) == ["s2", ["s1", "s2"]]


def test_a_judged_page_stays_though_its_snippet_is_lowered(run: Run):
    script = """answer("level", 3); answer("level", 1); queue.position = 0; answer("level", 0);
        return queue.order().map((i) => nameOf(steps[i]))"""
    assert walk(run, script) == ["s1", "p1", "s2"]


def test_what_is_left_a_second_time_is_asked_for_on_request_only(run: Run):
    script = """answer("later"); answer("level", 0); const again = name();
        queue.left.add(queue.position); label("later"); queue.left.add(queue.position);
        queue.advance(); const end = name();
        return [again, end, queue.putOff().length, queue.reopen(), name()]"""
    assert walk(run, script) == ["s1", "end", 0, True, "s1"]


def test_undo_goes_back_one_item_at_a_time(run: Run):
    script = """queue.undoable.push(0, 2, 0);
        return [queue.takeUndo(), queue.takeUndo(), queue.takeUndo() ?? null]"""
    assert walk(run, script) == [0, 2, None]


def test_newly_handed_out_steps_keep_what_is_known_here(run: Run):
    script = """answer("level", 3);
        queue.load(steps.map((one) => ({...one, label:
          {event_id: "x", state: "level", level: 0, comment: ""}})), new Map([["e1", 1]]));
        const known = [name(), queue.labels[0].level, queue.labels[2].level];
        queue.load(steps.slice(1));
        return [...known, name()]"""
    assert walk(run, script) == ["p1", 3, 0, "p1"]


def test_a_label_of_the_server_that_was_replaced_here_does_not_come_back(run: Run):
    script = """answer("level", 3); queue.position = 0; label("level", 1);
        queue.load(steps.map((one, i) => ({...one, label: i ? null :
          {event_id: "e1", state: "level", level: 3, comment: ""}})));
        return queue.labels[0].level"""
    assert walk(run, script) == 1


def test_indices_follow_their_steps_when_the_order_changes(run: Run):
    script = """answer("later"); queue.undoable.push(0); queue.left.add(0);
        queue.load([steps[2], steps[3], steps[0], steps[1]]);
        return [name(), queue.deferred, queue.undoable, [...queue.left]]"""
    assert walk(run, script) == ["s2", [2], [2], [2]]


def test_what_may_come_next_has_the_page_that_is_still_locked(run: Run):
    script = "return queue.upcoming(2).map((i) => nameOf(steps[i]))"
    assert walk(run, script) == ["p1", "p2", "s2"]


def test_progress_counts_no_page_passed_over(run: Run):
    script = """const before = queue.progress(); answer("level", 0);
        const after = queue.progress();
        return [before, after].map(({place, total, possible, answered}) =>
          [place, total, possible, answered])"""
    assert walk(run, script) == [[1, 2, 2, 0], [2, 2, 1, 1]]


def test_progress_counts_no_practice(run: Run):
    script = """queue.load([{...steps[0], document: "0", practice: true}, ...steps]);
        queue.position = 0;
        const { place, total, topics } = queue.progress();
        return [place, total, topics]"""
    assert walk(run, script) == [0, 2, 1]


def test_progress_tells_apart_what_was_answered_how(run: Run):
    script = """answer("cannot judge"); answer("later");
        const { answered, open, later, cannot } = queue.progress();
        return [answered, open, later, cannot]"""
    assert walk(run, script) == [1, 1, 1, 1]
