"""From commands to events: what an event says, and how the server's answer changes a label."""

from typing import Any

import pytest

from tests.pages.judge.screen.conftest import Run

pytestmark = pytest.mark.browser

FILES = (
    "judging/judging_session.js",
    "judging/queue.js",
    "judging/paradata.js",
    "judging/passages.js",
    "outbox/outbox.js",
    "storage/memory.js",
)
SETUP = """
let now = 0;
const step = (document) => ({topic: "t", document, facet: "page", occasion: 0, label: null});
const data = {assignment: "a1", steps: ["d1", "d2", "d3"].map(step), topics: {t: {query: "cats"}},
  documents: {d1: {title: "One"}, d2: {title: "T".repeat(70)}, d3: {text: "Three"}}};
const outbox = new Outbox("box", {change() {}, ack() {}});
const drafts = new Drafts("draft");
const clock = new Clock(() => now);
const stores = [new Drafts("sets"), new Marks(new Drafts("passages"))];
const begin = () => new JudgingSession(data, outbox, drafts, clock, [], ...stores);
const session = begin();
const { queue } = session;
const answer = (state, level = null) => {
  session.answer(state, level);
  session.move(() => queue.advance());
  return outbox.events().at(-1);
};
"""
"""Three pages of one topic, nothing sent: an outbox without an address."""


def judge(run: Run, script: str) -> Any:
    return run(*FILES, script=SETUP + script)


def test_an_event_names_its_item_and_its_label(run: Run):
    event = judge(run, "now = 1500; return answer('level', 2)")
    assert {name: event[name] for name in ("assignment", "topic", "document", "facet")} == {
        "assignment": "a1",
        "topic": "t",
        "document": "d1",
        "facet": "page",
    }
    assert (event["state"], event["level"], event["comment"]) == ("level", 2, "")
    assert (event["dwell_ms"], event["supersedes"]) == (1_500, None)


def test_a_revision_names_what_it_replaces(run: Run):
    script = """const first = answer("level", 2); session.move(() => queue.back());
        return [first.event_id, answer("level", 0).supersedes]"""
    first, replaced = judge(run, script)
    assert replaced == first


def test_undo_is_an_event_and_its_comment_becomes_a_draft(run: Run):
    script = """drafts.set(session.key(0), "odd"); const first = answer("level", 2);
        const undone = session.undo(); const event = outbox.events().at(-1);
        return {undone, position: queue.position, replaced: event.supersedes === first.event_id,
          states: outbox.events().map((one) => one.state), comment: event.comment,
          note: session.note(0), more: session.undo()}"""
    assert judge(run, script) == {
        "undone": True,
        "position": 0,
        "replaced": True,
        "states": ["level", "unjudged"],
        "comment": "",
        "note": "odd",
        "more": False,
    }


def test_time_on_an_item_that_was_left_counts_for_its_next_event(run: Run):
    script = """now = 1000; answer("level", 1);
        now = 3000; session.move(() => queue.back());
        now = 3500; const revised = answer("level", 2);
        now = 4000; return [revised.dwell_ms, answer("level", 0).dwell_ms]"""
    assert judge(run, script) == [500, 2_500]


def test_time_on_the_card_at_the_end_is_that_of_no_item(run: Run):
    script = """for (let n = 0; n < 3; n += 1) answer("level", 1);
        now = 60_000; session.move(() => queue.back());
        now = 60_500; return [queue.position, answer("level", 2).dwell_ms]"""
    assert judge(run, script) == [2, 500]


def test_time_before_another_assignment_counts_for_the_item_that_was_left(run: Run):
    script = """now = 1000; session.pause(); now = 9000; clock.take();
        now = 9500; return answer("level", 2).dwell_ms"""
    assert judge(run, script) == 1_500


def test_a_move_that_leads_nowhere_loses_no_time(run: Run):
    script = """now = 1000; const moved = session.move(() => queue.back());
        now = 1500; return [moved, answer("level", 1).dwell_ms]"""
    assert judge(run, script) == [False, 1_500]


def test_what_is_put_off_twice_is_left(run: Run):
    script = """answer("later"); answer("level", 0); answer("level", 0);
        const again = session.step; answer("later");
        return [again, session.step, [...queue.left]]"""
    assert judge(run, script) == ["t|d1|page||0", None, [0]]


def test_a_comment_alone_keeps_the_level(run: Run):
    script = """answer("level", 3); const done = [session.amend(0, "odd"), session.amend(0, "odd"),
          session.amend(1, "not judged")];
        const [first, second, ...others] = outbox.events();
        return [done, second.level, second.comment, second.supersedes === first.event_id,
          others.length]"""
    assert judge(run, script) == [[True, True, False], 3, "odd", True, 0]


def test_a_reason_does_not_go_along_with_a_new_level(run: Run):
    script = """answer("cannot judge"); session.amend(0, "unreadable");
        session.move(() => queue.back()); return answer("level", 1).comment"""
    assert judge(run, script) == ""


def test_a_label_of_another_device_takes_the_place_of_a_stale_one(run: Run):
    script = """const event = answer("level", 3);
        const other = {event_id: "other", state: "level", level: 0, comment: ""};
        const i = session.settle(event, {status: "stale", current: other});
        return [i, queue.labels[0].level]"""
    assert judge(run, script) == [0, 0]


def test_the_answer_to_an_older_event_changes_nothing(run: Run):
    script = """const first = answer("level", 3); session.move(() => queue.back());
        answer("level", 1);
        const i = session.settle(first, {status: "refused", current: null});
        return [i ?? null, queue.labels[0].level, queue.labels[0].state]"""
    assert judge(run, script) == [None, 1, "level"]


def test_a_refused_event_leaves_what_stood_before_as_its_forerunner(run: Run):
    script = """const first = answer("level", 3); session.move(() => queue.back());
        const event = answer("level", 1); session.settle(event, {status: "refused"});
        const { state, level, event_id } = queue.labels[0];
        return [state, level, event_id === first.event_id, session.amend(0, "a comment")]"""
    assert judge(run, script) == ["refused", None, True, False]


def test_another_tabs_event_counts_only_when_it_follows_ours(run: Run):
    script = """const mine = answer("level", 3);
        const theirs = {...mine, event_id: "x", level: 0, supersedes: "something older"};
        session.adopt(theirs); const kept = queue.labels[0].level;
        session.adopt({...theirs, supersedes: mine.event_id});
        return [kept, queue.labels[0].level]"""
    assert judge(run, script) == [3, 0]


def test_a_reload_takes_up_what_waits_on_this_device(run: Run):
    script = """answer("level", 3); answer("level", 1); const again = begin();
        return [again.step, again.queue.labels.map((label) => label?.level ?? null)]"""
    assert judge(run, script) == ["t|d3|page||0", [3, 1, None]]


def test_the_pace_is_the_median_of_this_visit_from_three_judgements_on(run: Run):
    script = """data.pace = {median_seconds: 9}; const paces = [session.pace()];
        for (const time of [1000, 3000, 8000]) {
          now += time; answer("level", 0); paces.push(session.pace());
        }
        return paces"""
    assert judge(run, script) == [9, 9, 9, 3]


def test_an_item_is_described_by_its_title_or_its_text_cut_short(run: Run):
    script = "return data.steps.map((step) => session.describe(step))"
    assert judge(run, script) == ["One", f"{'T' * 60}…", "Three"]
