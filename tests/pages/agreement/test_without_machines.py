"""Without a machine nothing has changed, and with one the sentences of people stay the same."""

from streamlit.testing.v1 import AppTest

from tests.pages.judging_machine import judge_by_machine
from tests.short import long

ANSWERING = ("monitor", "agreement", "effectiveness")


def tabs(at: AppTest) -> list[str]:
    return [link.proto.label for link in at.get("page_link")]


def words(at: AppTest) -> list[str]:
    return [one.value for one in at.markdown]


@long
def test_a_machine_adds_a_tab_and_changes_no_sentence(open_page, store, organiser, demo):
    before = {path: open_page(path, organiser) for path in ANSWERING}
    assert "Machines" not in tabs(before["agreement"])
    assert "Pairs and topics" in tabs(before["agreement"])
    judge_by_machine(store, demo)
    after = {path: open_page(path, organiser) for path in ANSWERING}
    *others, clicks = tabs(before["agreement"])
    assert tabs(after["agreement"]) == [*others, "Machines", clicks]
    for path in ANSWERING:
        assert words(after[path]) == words(before[path]), path
        told = "1 machine member left out." in [one.value for one in after[path].caption]
        assert told == (path != "monitor"), path


def test_the_page_itself_has_its_tab(open_page, organiser, demo):
    at = open_page("machines", organiser)
    assert tabs(at)[-2:] == ["Machines", "Clicks"]
    assert not at.tabs
