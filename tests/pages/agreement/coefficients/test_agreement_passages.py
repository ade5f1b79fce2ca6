"""The agreement page's part on passages, and where passages are to be downloaded and seen again."""

import re
from html import escape

import pytest

from core.analysis.collection.exported_files import Wanted, export_file
from core.store.events.labels import Key
from core.store.people.members import add_member, add_viewer
from core.store.people.people import add_person
from pages.agreement.coefficients.agreement import PART
from tests.core.marked_study import CATS, DOGS, TEXT, build_marked, mark
from tests.short import long

PASSAGES = {PART: "Passages", "agreement-facet": "page"}


@pytest.fixture
def people(store) -> tuple[str, str, str]:
    return tuple(add_person(store, name, "assessor") for name in ("Anna", "Bob", "Carla"))


@pytest.fixture
def marked(store, people) -> str:
    return build_marked(store, people)


def test_the_answer_the_items_and_one_text(open_page, organiser, marked):
    at = open_page("agreement", organiser, **PASSAGES)
    assert not at.exception
    assert any("over 5 topics and 5 items; beyond chance" in one.value for one in at.markdown)
    left = "passages in another version of the text, left out: 1"
    assert any(left in one.value.replace("\\", "") for one in at.caption)
    items = next(one.value for one in at.dataframe if "f1" in one.value)
    assert items["topic_id"].tolist() == ["t3", "t1", "t5", "t2", "t4"]
    (text,) = (one for one in at.get("html") if "Text with marks" in one.proto.body)
    shown = text.proto.body
    assert re.sub("<[^>]*>", "", re.sub("<sup.*?</sup>", "", shown)) == escape(TEXT)
    assert "<b>Cats" not in shown
    at.selectbox(key="agreement-passage-page").set_value(("t2", "t2d", "")).run()
    (text,) = (one for one in at.get("html") if "Text with marks" in one.proto.body)
    assert re.findall(r"<sup[^>]*>(\d+)</sup>", text.proto.body) == ["2", "1"]
    assert "Marked by Anna, Bob. The number is how many" in " ".join(
        one.value for one in at.caption
    )


@long
def test_a_viewer_sees_codes(open_page, store, marked):
    viewer = add_person(store, "Vera", "viewer")
    add_viewer(store, marked, viewer)
    at = open_page("agreement", viewer, **PASSAGES)
    assert not at.exception
    told = " ".join(one.value for one in at.caption)
    assert re.search(r"Marked by a-\w+, a-\w+\. ", told)
    assert "Anna" not in told


@long
def test_without_passages_there_is_no_such_part(open_page, organiser, demo):
    at = open_page("agreement", organiser)
    assert "Passages" not in [one.label for one in at.tabs]


@long
def test_where_one_person_marked_it_says_why_nothing_is_compared(
    open_page, store, organiser, people, marked
):
    for topic in ("t1", "t2"):
        for person in people[:2]:
            key = Key(topic, f"{topic}d", "page", "", person, 0)
            mark(store, marked, key, () if person == people[1] else (CATS,))
    for person, topic in (
        (people[2], "t1"),
        (people[1], "t3"),
        (people[1], "t4"),
        (people[1], "t5"),
    ):
        mark(store, marked, Key(topic, f"{topic}d", "page", "", person, 0), ())
    at = open_page("agreement", organiser, **PASSAGES)
    assert not at.exception
    assert any("There is nothing to compare" in one.value for one in at.markdown)


@long
def test_export_offers_the_file(open_page, store, organiser, marked):
    at = open_page("export", organiser)
    assert not at.exception
    assert "Passages" in [one.label for one in at.download_button]
    hidden = export_file(store, marked, "passages").content.decode()
    named = export_file(store, marked, "passages", Wanted(names=True)).content.decode()
    assert ("Anna" in hidden, "Anna" in named) == (False, True)
    assert hidden.count("\n") == named.count("\n") == 17


@long
def test_the_history_quotes_what_one_marked_and_keeps_it_when_revised(
    open_page, store, people, marked
):
    chosen = {"selection": {"rows": [0], "columns": []}}
    bob = people[1]
    mark(store, marked, Key("t2", "t2d", "page", "", bob, 0), (CATS, DOGS))
    at = open_page("history", bob, history=chosen)
    assert not at.exception
    quotes = [f"“{TEXT[slice(*one)]}”" for one in (CATS, DOGS)]
    assert [one.value for one in at.text][-2:] == quotes
    at.radio[0].set_value(1)
    next(button for button in at.button if button.label == "Save").click().run()
    assert not at.exception
    assert [one.value for one in at.text][-2:] == quotes
    label = store.labels.current(marked, bob)[Key("t2", "t2d", "page", "", bob, 0)]
    assert label.level == 1


@long
def test_the_history_says_that_a_text_has_changed(open_page, store, people, marked):
    bob = people[1]
    mark(store, marked, Key("t6", "t6d", "page", "", bob, 0), ((0, 4),), "Other text")
    at = open_page("history", bob, history={"selection": {"rows": [0], "columns": []}})
    assert any("another version of this text" in one.value for one in at.text)


@long
def test_who_marked_nothing_is_told_nothing_of_what_others_did(open_page, store, marked):
    dora = add_person(store, "Dora", "assessor")
    add_member(store, marked, dora, "Dora")
    mark(store, marked, Key("t1", "t1d", "page", "", dora, 0), ())
    at = open_page("history", dora, history={"selection": {"rows": [0], "columns": []}})
    assert not at.exception
    assert not any("“" in one.value for one in at.text)
