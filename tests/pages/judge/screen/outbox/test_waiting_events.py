"""Keeping events on the device until the server has answered for them."""

import pytest
from playwright.sync_api import Page

from tests.pages.judge.screen.conftest import Run, run_in

pytestmark = pytest.mark.browser

FILE = "outbox/waiting_events.js"
SETUP = """
const waiting = new WaitingEvents("box");
const event = (id, comment = "") => ({event_id: id, comment});
const stored = () => Object.keys(localStorage).sort();
"""


def test_an_event_is_on_the_device_at_once_and_until_it_is_removed(run: Run):
    script = """waiting.add(event("e1", "odd")); waiting.add(event("e2"));
        const { event: kept } = JSON.parse(localStorage.getItem("box:e1"));
        waiting.remove("e1");
        return [kept, stored(), waiting.has("e1"), waiting.size]"""
    assert run(FILE, script=SETUP + script) == [
        {"event_id": "e1", "comment": "odd"},
        ["box:e2"],
        False,
        1,
    ]


def test_the_next_visit_finds_them_in_the_order_in_which_they_were_made(run: Run):
    script = """for (const id of ["c", "a", "b"]) waiting.add(event(id));
        return new WaitingEvents("box").ordered().map((entry) => entry.event.event_id)"""
    assert run(FILE, script=SETUP + script) == ["c", "a", "b"]


def test_entries_of_others_and_broken_ones_are_left_alone(run: Run):
    script = """localStorage.setItem("box:e1", "no JSON"); localStorage.setItem("box:e2", "{}");
        localStorage.setItem("boxes:e3", JSON.stringify({at: 1, event: event("e3")}));
        return [new WaitingEvents("box").size, stored()]"""
    assert run(FILE, script=SETUP + script) == [0, ["box:e1", "box:e2", "boxes:e3"]]


def test_what_is_set_aside_stays_on_the_device(run: Run):
    script = "waiting.add(event('e1')); waiting.setAside('e1'); return [waiting.size, stored()]"
    assert run(FILE, script=SETUP + script) == [0, ["box:e1"]]


def test_a_full_device_is_noticed_and_written_to_when_there_is_room(run: Run):
    script = """const fill = () => {
          for (let size = 1 << 22; size >= 1; size >>= 1) {
            try {
              for (;;) localStorage.setItem("filler" + stored().length, "y".repeat(size));
            } catch {}
          }
        };
        fill(); waiting.add(event("e1")); const full = [...waiting.memoryOnly];
        localStorage.clear(); waiting.add(event("e2"));
        return [full, waiting.size, waiting.memoryOnly.size, stored()]"""
    assert run(FILE, script=SETUP + script) == [["e1"], 2, 0, ["box:e1", "box:e2"]]


def test_without_storage_events_wait_in_memory(blank: Page):
    blank.evaluate("""() => new Promise((loaded) => {
        const frame = document.createElement("iframe");
        Object.assign(frame, {sandbox: "allow-scripts", src: "/", onload: loaded});
        document.body.append(frame);
    })""")
    script = """waiting.add(event("e1")); const kept = waiting.ordered().length;
        const unkept = waiting.memoryOnly.size; waiting.remove("e1");
        return [kept, unkept, waiting.size, waiting.memoryOnly.size]"""
    setup = SETUP.splitlines()[1:3]
    place = blank.frames[1]
    assert run_in(place, FILE, script="\n".join([*setup, script])) == [1, 1, 0, 0]


def test_a_batch_has_at_most_as_many_events_as_the_limit(run: Run):
    script = """for (const id of ["a", "b", "c"]) waiting.add(event(id));
        return waiting.batch(2).map((one) => one.event_id)"""
    assert run(FILE, script=SETUP + script) == ["a", "b"]


def test_a_batch_fits_a_request_that_outlives_the_page(run: Run):
    script = """for (const id of ["a", "b", "c"]) waiting.add(event(id, "x".repeat(7000)));
        const some = waiting.batch(50).length;
        waiting.remove("a"); waiting.add(event("d", "x".repeat(20000)));
        waiting.remove("b"); waiting.remove("c");
        return [some, waiting.batch(50).map((one) => one.event_id)]"""
    assert run(FILE, script=SETUP + script) == [2, ["d"]]


def test_another_tabs_event_is_left_to_it_for_some_seconds(run: Run):
    script = """const entry = (id, age) => ({key: "box:" + id,
          newValue: JSON.stringify({at: Date.now() - age, event: event(id)})});
        const both = [waiting.follow(entry("young", 0)), waiting.follow(entry("old", 60000))];
        return [both.map((one) => one.event_id), waiting.batch(50).map((one) => one.event_id)]"""
    assert run(FILE, script=SETUP + script) == [["young", "old"], ["old"]]


def test_another_tab_can_remove_its_own_events_only(run: Run):
    script = """waiting.add(event("mine"));
        const newValue = JSON.stringify({at: 1, event: event("theirs")});
        waiting.follow({key: "box:theirs", newValue});
        for (const id of ["mine", "theirs"]) waiting.follow({key: "box:" + id, newValue: null});
        return [waiting.has("mine"), waiting.has("theirs")]"""
    assert run(FILE, script=SETUP + script) == [True, False]
