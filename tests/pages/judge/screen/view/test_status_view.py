"""What is said about progress and about what is saved."""

from typing import Any

import pytest

from tests.pages.judge.screen.conftest import Run

pytestmark = pytest.mark.browser

FILES = ("view/status_view.js", "view/dom.js")
SETUP = """
document.body.innerHTML = await (await fetch("/screen/screen.html")).text();
const refs = findRefs(document.querySelector(".judge"));
const status = new StatusView(refs);
"""
PROGRESS = {
    **{"place": 3, "total": 8, "possible": 0, "answered": 2, "open": 6, "later": 0, "cannot": 0},
    **{"refused": 0, "topicPlace": 1, "topicTotal": 4, "topicNumber": 2, "topics": 2},
}


@pytest.mark.parametrize(
    ("outbox", "refused", "text", "kind"),
    [
        ({"size": 0}, 0, "All saved", "saved"),
        ({"size": 0}, 1, "All else saved", "saved"),
        ({"size": 2}, 0, "2 waiting", "waiting"),
        (
            {"size": 2, "state": "unreachable"},
            0,
            "Offline, 2 labels wait on this device",
            "trouble",
        ),
        (
            {"size": 2, "state": "full"},
            0,
            "No room on the server, 2 labels wait on this device",
            "trouble",
        ),
        (
            {"size": 2, "notKept": 1},
            0,
            "2 waiting, 1 not kept on this device: do not close this page",
            "trouble",
        ),
    ],
)
def test_saved_is_said_only_of_what_the_server_has(
    run: Run, outbox: dict[str, Any], refused: int, text: str, kind: str
):
    script = """status.renderSaveState(given[0], given[1]);
        return [refs.save.textContent, refs.save.dataset.kind, refs.root.dataset.waiting]"""
    outbox = {"state": "ok", "notKept": 0, **outbox}
    said = run(*FILES, script=SETUP + script, given=[outbox, refused])
    assert said == [text, kind, str(outbox["size"])]


def test_progress_says_what_may_still_come(run: Run):
    script = """status.renderProgress(given, {facet: "page"}, 5);
        const sure = ["progress", "topicProgress", "kind", "pace"]
          .map((name) => refs[name].textContent);
        status.renderProgress({...given, possible: 2, topics: 1}, {facet: "page"}, 0);
        return [sure, refs.progress.textContent, refs.topicProgress.hidden, refs.pace.hidden]"""
    assert run(*FILES, script=SETUP + script, given=PROGRESS) == [
        ["3 of 8", "Query 2 of 2, item 1 of 4", "Page", "About 5 s each, 30 s left"],
        "3 of at most 10",
        True,
        True,
    ]


def test_the_end_says_what_was_done_and_what_is_left(run: Run):
    script = """const said = () => [refs.doneTitle, refs.doneCounts, refs.doneSaved, refs.reopen]
          .map((one) => one.textContent);
        status.renderFinished({...given, answered: 7, cannot: 1, later: 1}, 90, 2);
        const almost = [said(), refs.next.hidden];
        status.renderFinished({...given, answered: 8}, 90, 0);
        return [almost, [said(), refs.next.hidden]]"""
    almost, done = run(*FILES, script=SETUP + script, given=PROGRESS)
    assert almost == [
        [
            "Almost finished",
            "6 judgements, 1 cannot judge, 1 left for later. More comes when these are judged.",
            "2 still waiting to be saved: keep this page open.",
            "Go through the 1 put off",
        ],
        True,
    ]
    assert done == [
        ["This topic is done", "8 judgements.", "Everything is saved.", ""],
        False,
    ]


def test_the_reason_of_a_refusal_is_shown_as_text(run: Run):
    script = """status.renderRefused([{what: given, reason: given}]);
        return [refs.refused.textContent, refs.refused.querySelectorAll("b").length]"""
    said = run(*FILES, script=SETUP + script, given="<b>x</b>")
    assert said == ["Not accepted by the server: <b>x</b>: <b>x</b>", 0]
