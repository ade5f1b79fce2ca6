"""Active time: what counts and what does not."""

import pytest
from playwright.sync_api import Page

from tests.pages.judge.screen.conftest import Run

pytestmark = pytest.mark.browser


def test_a_quiet_stretch_counts_as_a_minute(run: Run):
    script = """let now = 0; const clock = new Clock(() => now);
        now = 5000; clock.tick(); now = 200000; clock.setRunning(false);
        now = 300000; clock.setRunning(true); now = 301000; return [clock.take(), clock.take()]"""
    assert run("judging/paradata.js", script=script) == [66_000, 0]


def test_input_divides_a_long_stretch(run: Run):
    script = """let now = 0; const clock = new Clock(() => now);
        clock.watch(new AbortController().signal);
        for (now of [50000, 100000]) window.dispatchEvent(new Event("pointermove"));
        now = 150000; return clock.take()"""
    assert run("judging/paradata.js", script=script) == 150_000


def test_after_the_end_input_counts_no_more(run: Run):
    script = """let now = 0; const clock = new Clock(() => now);
        const end = new AbortController(); clock.watch(end.signal); end.abort();
        now = 50000; window.dispatchEvent(new Event("keydown"));
        now = 100000; return clock.take()"""
    assert run("judging/paradata.js", script=script) == 60_000


def test_time_in_a_hidden_tab_does_not_count(blank: Page, run: Run):
    script = """let now = 0; const clock = new Clock(() => now);
        clock.watch(new AbortController().signal);
        const show = (state) => {
          Object.defineProperty(document, "visibilityState", {value: state, configurable: true});
          document.dispatchEvent(new Event("visibilitychange"));
        };
        now = 1000; show("hidden"); now = 31000; show("visible"); now = 33000;
        return clock.take()"""
    assert run("judging/paradata.js", script=script) == 3_000
