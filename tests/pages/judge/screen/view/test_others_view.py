"""The way from the cards to where others differ: there only where there is an address."""

import pytest

from tests.pages.judge.screen.conftest import Run
from tests.pages.judge.screen.mounting import Screen, data_for, step

pytestmark = pytest.mark.browser

ADDRESS = "history?collection=c1&shown=others"


def test_without_an_address_there_is_nothing_to_reach_by_tab(run: Run):
    found = run(
        "view/status_view.js",
        script="""
        document.body.innerHTML = await (await fetch("/screen/screen.html")).text();
        const nodes = [...document.querySelectorAll("[data-others]")];
        const link = (one) => one.querySelector("a").getAttribute("href");
        const tell = () => nodes.map((one) => [one.hidden, link(one)]);
        const seen = [];
        for (const address of [undefined, given, null]) {
          renderOthers(document.body, address);
          seen.push(tell());
        }
        return seen;""",
        given=ADDRESS,
    )
    assert found == [[[True, None]] * 2, [[False, ADDRESS]] * 2, [[True, None]] * 2]


def test_the_card_of_a_finished_topic_gets_it_with_what_comes_next(blank):
    """When the topic was handed out nothing could be seen yet."""
    screen = Screen(blank, data_for(step("d1")))
    screen.judge("1")
    assert screen.part("done-others").is_hidden()
    screen.receive(assignment="assignment 2", steps=[step("d2")], others=ADDRESS)
    assert screen.part("done-others").is_visible()
    assert screen.part("finished").is_visible()
    assert screen.part("done-others").locator("a").get_attribute("href") == ADDRESS
