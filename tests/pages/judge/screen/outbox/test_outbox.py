"""Sending again and again until the server has answered: real requests to a small intake."""

from typing import Any

import pytest
from playwright.sync_api import Page

from tests.pages.judge.screen.conftest import Run, run_in
from tests.pages.judge.screen.loopback import Answer, Event, Intake, Loopback, acknowledge, refuse

pytestmark = pytest.mark.browser

FILE = "outbox/outbox.js"
SETUP = """
const told = [];
const outbox = new Outbox("box", {
  ack: (event, ack) => told.push([event.event_id, ack.status, ack.reason ?? ""]),
  change: () => told.change?.(),
  foreign: (event) => told.push(["foreign", event.event_id]),
  signIn: () => told.push("sign in"),
});
const event = (id) => ({event_id: id, comment: ""});
const until = (isSo) => new Promise((done) => {
  told.change = () => isSo() && done();
  told.change();
});
const empty = () => until(() => !outbox.size && !outbox.sending);
"""


def send(run: Run, script: str) -> Any:
    return run(FILE, script=f"{SETUP} try {{ {script} }} finally {{ outbox.close(); }}")


def ids(intake: Intake) -> list[list[str]]:
    return [[event["event_id"] for event in batch] for batch in intake.batches]


def test_everything_waits_for_an_address_and_goes_in_order(run: Run, intake: Intake):
    script = """for (const id of ["b", "a", "c"]) outbox.add(event(id));
        const before = [outbox.size, localStorage.length];
        outbox.address("/intake", "token"); await empty();
        return [before, localStorage.length, outbox.state, told.map(([id]) => id)]"""
    assert send(run, script) == [[3, 3], 0, "ok", ["b", "a", "c"]]
    assert ids(intake) == [["b", "a", "c"]]
    assert intake.tokens == ["Bearer token"]


def test_what_an_earlier_visit_left_is_sent(run: Run, intake: Intake):
    script = """outbox.add(event("a")); outbox.close();
        const next = new Outbox("box", {ack() {}, change: () => told.change?.()});
        next.address("/intake", "token");
        await until(() => !next.size && !next.sending); next.close()"""
    send(run, script)
    assert ids(intake) == [["a"]]


def test_the_waits_get_longer_and_start_anew_after_an_answer(run: Run, intake: Intake):
    def answer(events: list[Event]) -> Answer:
        return acknowledge(events) if len(intake.batches) == 6 else refuse(503)(events)

    intake.answer = answer
    script = """Object.assign(outbox, {intake: "/intake", token: "token"});
        const waits = [];
        for (let i = 0; i < 6; i += 1) waits.push(await outbox.send([event("a")]));
        return [...waits, await outbox.send([event("b")])]"""
    assert send(run, script) == [500, 1_000, 2_000, 4_000, 5_000, 0, 500]


@pytest.mark.parametrize(
    ("answer", "state"),
    [
        (Answer(401, {}), "sign in"),
        (Answer(403, {"error": "This round is closed."}), "not allowed"),
        (Answer(507, {}), "full"),
        (Answer(500, {}), "unreachable"),
        (Answer(200, "<html>a proxy's page</html>"), "unreachable"),
        (Answer(200, {"acks": []}), "unreachable"),
    ],
)
def test_whatever_goes_wrong_nothing_is_lost(run: Run, intake: Intake, answer: Answer, state: str):
    intake.answer = lambda _: answer
    script = """outbox.add(event("a")); outbox.address("/intake", "token");
        await until(() => outbox.state !== "ok" && !outbox.sending);
        return [outbox.state, outbox.reason, outbox.size, localStorage.length, told]"""
    reason = "This round is closed." if state == "not allowed" else ""
    asked = ["sign in"] if state == "sign in" else []
    assert send(run, script) == [state, reason, 1, 1, asked]


def test_without_a_network_nothing_is_lost(blank: Page, run: Run):
    script = """outbox.add(event("a")); outbox.address("/intake", "token");
        await until(() => outbox.state !== "ok" && !outbox.sending);
        return [outbox.state, outbox.size, localStorage.length]"""
    blank.route("**/intake", lambda route: route.abort("internetdisconnected"))
    assert send(run, script) == ["unreachable", 1, 1]


def test_only_what_was_answered_for_is_removed(run: Run, intake: Intake):
    def answer_first(events: list[Event]) -> Answer:
        return acknowledge(events[:1])

    intake.answer = answer_first
    script = """for (const id of ["a", "b"]) outbox.add(event(id));
        Object.assign(outbox, {intake: "/intake", token: "token"});
        const wait = await outbox.send(outbox.events());
        return [wait, outbox.events().map((one) => one.event_id), Object.keys(localStorage)]"""
    assert send(run, script) == [500, ["b"], ["box:b"]]


def test_one_spoilt_event_does_not_hold_up_the_others(run: Run, intake: Intake):
    def answer(events: list[Event]) -> Answer:
        spoilt = any(event["event_id"] == "bad" for event in events)
        return refuse(422, "no such topic")(events) if spoilt else acknowledge(events)

    intake.answer = answer
    script = """for (const id of ["a", "b", "bad", "c"]) outbox.add(event(id));
        outbox.address("/intake", "token"); await empty();
        return [told, Object.keys(localStorage)]"""
    told, stored = send(run, script)
    assert told == [
        ["a", "new", ""],
        ["b", "new", ""],
        ["bad", "refused", "no such topic"],
        ["c", "new", ""],
    ]
    assert stored == ["box:bad"], "its copy is kept for the next visit"
    assert ids(intake)[0] == ["a", "b", "bad", "c"]


def test_a_new_token_is_tried_at_once(run: Run, intake: Intake):
    intake.answer = refuse(401)
    script = """outbox.add(event("a")); outbox.address("/intake", "old");
        await until(() => outbox.state === "sign in" && !outbox.sending);
        outbox.address("/intake", "new"); const due = outbox.due - performance.now();
        await until(() => outbox.sending); await until(() => !outbox.sending);
        return due < 100"""
    assert send(run, script)
    assert intake.tokens == ["Bearer old", "Bearer new"]


def test_the_network_coming_back_ends_the_wait(run: Run, intake: Intake):
    intake.answer = refuse(503)
    script = """outbox.add(event("a")); outbox.address("/intake", "token");
        await until(() => outbox.state === "unreachable" && !outbox.sending);
        outbox.wait = 4000; outbox.schedule(60000); window.dispatchEvent(new Event("online"));
        await until(() => outbox.sending); await until(() => !outbox.sending);
        return outbox.wait"""
    assert send(run, script) == 1_000
    assert ids(intake) == [["a"], ["a"]]


def test_leaving_the_page_sends_what_is_not_due_yet(run: Run, intake: Intake):
    script = """outbox.state = "unreachable"; outbox.wait = 5000; outbox.token = "token";
        outbox.intake = "/intake"; outbox.add(event("a"));
        window.dispatchEvent(new Event("pagehide")); await empty()"""
    send(run, script)
    assert ids(intake) == [["a"]]


def test_an_event_of_another_tab_is_told_of(blank: Page, run: Run, loopback: Loopback):
    other = blank.context.new_page()
    other.goto(loopback.page)
    keep = SETUP + "window.told = told; window.outbox = outbox;"
    run(FILE, script=keep)
    run_in(other, FILE, script=SETUP + "outbox.add(event('x'))")
    blank.wait_for_function("window.told.length && window.outbox.size === 1")
    assert blank.evaluate("window.told") == [["foreign", "x"]]
    other.evaluate("localStorage.removeItem('box:x')")
    blank.wait_for_function("window.outbox.size === 0")


def test_after_the_end_nothing_is_sent(run: Run, intake: Intake):
    script = """outbox.close(); outbox.add(event("a")); outbox.address("/intake", "token");
        return outbox.timer"""
    assert send(run, script) == 0
    assert intake.batches == []
