"""Passages beside a label: what is on the screen is what an event says."""

import json
from typing import Any

import pytest

from tests.pages.judge.screen.conftest import Run

pytestmark = pytest.mark.browser

FILES = (
    *("judging/passages.js", "judging/judging_session.js", "judging/queue.js"),
    *("judging/paradata.js", "outbox/outbox.js", "storage/memory.js"),
)
SETUP = """
const hash = "h".repeat(64);
const about = {topic: "t", facet: "page", occasion: 0, label: null, text_hash: hash};
const step = (document) => ({...about, document});
const data = {assignment: "a1", steps: ["d1", "d2"].map(step), topics: {t: {query: "cats"}},
  documents: {d1: {}, d2: {}}};
const outbox = new Outbox("box", {change() {}, ack() {}});
const drafts = new Drafts("draft");
const begin = () => new JudgingSession(data, outbox, drafts, new Clock(() => 0), [],
  null, new Marks(new Drafts("marks")));
const session = begin();
const { queue } = session;
const sent = () => outbox.events().map(({ state, level, comment, passages, text_hash }) =>
  [state, level, comment, passages ?? null, text_hash === hash]);
"""


def judge(run: Run, script: str, given: Any = None) -> Any:
    return run(*FILES, script=SETUP + script, given=given)


@pytest.mark.parametrize(
    ("spans", "one", "all_of_them"),
    [
        ([], [3, 5], [[3, 5]]),
        ([[3, 5]], [0, 3], [[0, 3], [3, 5]]),
        ([[3, 5]], [4, 8], [[3, 8]]),
        ([[3, 5], [7, 9], [20, 30]], [4, 8], [[3, 9], [20, 30]]),
        ([[7, 9]], [0, 20], [[0, 20]]),
    ],
)
def test_what_overlaps_becomes_one_and_what_touches_does_not(
    run: Run, spans: list, one: list, all_of_them: list
):
    script = "return addSpan(given[0], given[1])"
    assert run("judging/passages.js", script=script, given=[spans, one]) == all_of_them


def test_what_holds_another_whole(run: Run):
    script = """const spans = [[3, 9], [20, 30]];
        return [[3, 9], [4, 5], [2, 5], [8, 21]].map((one) => findHolder(spans, one) ?? null)"""
    assert run("judging/passages.js", script=script) == [[3, 9], [3, 9], None, None]


def test_passages_go_with_the_label_and_only_where_there_are_some(run: Run):
    script = """session.mark([[0, 4]]); const before = sent().length;
        session.answer("level", 2); session.move(() => queue.advance());
        session.answer("level", 1);
        return [before, sent(), JSON.stringify(outbox.events()[1]).includes("passages")]"""
    before, events, is_told = judge(run, script)
    assert (before, is_told) == (0, False)
    assert events == [["level", 2, "", [[0, 4]], True], ["level", 1, "", None, False]]


def test_marks_outlive_the_page_until_they_are_sent(run: Run):
    script = """session.mark([[0, 4]]); const again = begin(); const kept = again.marked(0);
        again.answer("level", 0);
        const left = Object.keys(localStorage).filter((one) => one.startsWith("marks"));
        return [kept, begin().marked(0), left]"""
    assert judge(run, script) == [[[0, 4]], [[0, 4]], []]


def test_another_mark_on_a_label_sends_it_once_more(run: Run):
    script = """session.answer("level", 2); session.mark([[5, 6]]); session.mark([]);
        const [first, second, third] = outbox.events();
        const replaced = [second.supersedes === first.event_id,
          third.supersedes === second.event_id];
        return [sent(), ...replaced]"""
    events, second, third = judge(run, script)
    assert [one[3] for one in events] == [None, [[5, 6]], None]
    assert [one[:2] for one in events] == [["level", 2]] * 3
    assert (second, third) == (True, True)


def test_another_level_or_comment_keeps_the_passages(run: Run):
    script = """session.mark([[0, 4]]); session.answer("level", 2); session.amend(0, "why");
        session.answer("level", 1); return sent()"""
    assert judge(run, script) == [
        ["level", 2, "", [[0, 4]], True],
        ["level", 2, "why", [[0, 4]], True],
        ["level", 1, "why", [[0, 4]], True],
    ]


def test_what_is_taken_back_or_refused_leaves_its_passages_to_be_given_again(run: Run):
    script = """session.mark([[0, 4]]); session.answer("level", 2); session.undo();
        const [, back] = sent(); const left = session.marked(0);
        session.answer("level", 1);
        const last = outbox.events()[2];
        session.settle(last, {status: "refused", event_id: last.event_id});
        return [back, left, session.marked(0), queue.labels[0].state]"""
    back, left, refused, state = judge(run, script)
    assert back == ["unjudged", None, "", None, False]
    assert (left, refused, state) == ([[0, 4]], [[0, 4]], "refused")


def test_passages_of_another_text_are_kept_and_not_shown(run: Run):
    script = """data.steps[0].label = {event_id: "e", state: "level", level: 1, comment: "",
          passages: [[1, 2]], text_hash: "other"};
        const kept = JSON.stringify({passages: [[3, 4]], text_hash: "other"});
        localStorage.setItem("marks:t|d1|page||0", "{");
        localStorage.setItem("marks:t|d2|page||0", kept);
        session.load(data);
        const shown = [session.marked(0), session.marked(1)];
        session.amend(0, "more");
        const { passages, text_hash } = outbox.events()[0];
        return [shown, passages, text_hash]"""
    shown, passages, text_hash = judge(run, script)
    assert shown == [[], []]
    assert (passages, text_hash) == ([[1, 2]], "other")


def test_another_mark_keeps_what_was_said_of_aspects(run: Run):
    script = """data.steps[0].label = {event_id: "e", state: "level", level: 1, comment: "",
          aspects: {trust: 2}};
        session.load(data); queue.position = 0; session.mark([[0, 4]]);
        const { aspects, passages } = outbox.events()[0]; return [aspects, passages]"""
    assert judge(run, script) == [{"trust": 2}, [[0, 4]]]


def test_what_has_no_text_to_mark_is_judged_as_ever(run: Run):
    script = """for (const one of data.steps) delete one.text_hash;
        session.answer("level", 2); return [session.marked(0), sent()]"""
    assert judge(run, script) == [[], [["level", 2, "", None, False]]]


def test_twenty_passages_fit_into_a_small_request(run: Run):
    script = """const spans = Array.from({length: MOST_PASSAGES}, (_, n) => [9e3 * n, 9e3 * n + 1]);
        session.mark(spans);
        session.answer("level", 2); return outbox.events()[0]"""
    event = judge(run, script)
    assert len(event["passages"]) == 20
    assert len(json.dumps(event)) < 4096
