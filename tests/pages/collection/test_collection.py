"""Making a collection, importing its files, and changing its texts, scales and practice."""

import pytest
from streamlit.testing.v1 import AppTest

from core.collection.files.source import Source
from core.collection.formats import read_import
from core.store.content.collections import create_collection, get_collection, list_collections
from core.store.content.imports import write_import
from core.store.content.practice import list_practice_items
from core.store.content.scales import get_scales
from tests.short import long


@pytest.fixture
def open_part(open_page, organiser):
    def draw(name: str) -> AppTest:
        return open_page("collection", organiser, **{"collection-part": name})

    return draw


def press(at: AppTest, label: str) -> AppTest:
    next(button for button in at.button if button.label == label).click()
    return at.run()


def field(elements, label: str):
    return next(one for one in elements if one.label == label)


def test_makes_the_first_collection_and_looks_at_it(open_page, store, organiser):
    at = open_page("collection", organiser)
    field(at.text_input, "Name").set_value("My study")
    field(at.text_area, "Guidelines").set_value("Judge for a child.")
    press(at, "Create")
    (made,) = list_collections(store)
    assert (made.name, made.guidelines) == ("My study", "Judge for a child.")
    assert "Created My study" in at.success[0].value
    assert not at.exception


def test_makes_another_collection_and_looks_at_that(open_part, store, filled):
    at = open_part("New collection")
    field(at.text_input, "Name").set_value("Second")
    press(at, "Create")
    assert at.query_params["collection"] == list_collections(store)[1].collection_id
    assert field(at.selectbox, "Collection").options == ["Small *one*", "Second"]
    assert at.file_uploader, "its files come next"


def test_a_collection_without_a_name_is_refused(open_page, store, organiser):
    at = press(open_page("collection", organiser), "Create")
    assert at.error[0].value == "No collection was made."
    assert "needs a name" in at.code[0].value
    assert list_collections(store) == []


def test_counts_what_the_collection_holds(open_part, filled):
    at = open_part("Contents")
    said = next(one.value for one in at.markdown if one.value.startswith("Holds"))
    for counted in ("**2** topics", "**3** documents", "**3** label events"):
        assert counted in said
    assert any("1 document without text" in one.value for one in at.caption)


def test_counts_returned_documents_that_no_file_describes(open_part, store, filled):
    run = Source("new.run", b"t1 Q0 unknown-1 1 2.0 s9\nt2 Q0 unknown-2 1 1.0 s9\n")
    write_import(store, filled, read_import("runs", run))
    shown = " ".join(one.value for one in open_part("Contents").caption)
    assert "returned 2 more documents that are in no file" in shown


@pytest.mark.parametrize(
    ("part", "says"),
    [
        ("Contents", "Begin under *Import*"),
        pytest.param("Practice", "Import topics first", marks=long),
        pytest.param("Import", "Drop files", marks=long),
    ],
)
def test_a_collection_without_anything_says_where_to_begin(open_part, store, part, says):
    create_collection(store, "New")
    at = open_part(part)
    assert not at.exception
    assert all(says in one.value for one in at.info)
    assert len(at.info) == 1


def test_the_pace_of_assessors_can_be_hidden(open_part, store, filled):
    at = open_part("Texts")
    at.toggle(key="texts-pace").set_value(False)
    press(at, "Save")
    assert get_collection(store, filled).hides_pace


@long
def test_texts_are_changed(open_part, store, filled):
    at = open_part("Texts")
    field(at.text_area, "Guidelines").set_value("Be strict.")
    press(at, "Save")
    assert get_collection(store, filled).guidelines == "Be strict."
    assert get_collection(store, filled).name == "Small *one*"


@long
def test_a_collection_keeps_its_name_when_the_new_one_is_empty(open_part, store, filled):
    at = open_part("Texts")
    field(at.text_input, "Name").set_value("  ")
    press(at, "Save")
    assert "needs a name" in at.code[0].value
    assert get_collection(store, filled).name == "Small *one*"


@long
def test_closes_and_reopens(open_part, store, filled):
    at = press(open_part("Contents"), "Close this collection")
    assert get_collection(store, filled).closed_at
    assert any("closed to new judgements" in text.value for text in at.caption)
    press(at, "Reopen this collection")
    assert get_collection(store, filled).closed_at is None


def edit(at: AppTest, store, filled, facet: str, **changes) -> AppTest:
    key = f"scale-{facet}-{hash(get_scales(store, filled)[facet])}"
    state = {"edited_rows": {}, "added_rows": [], "deleted_rows": []} | changes
    at.session_state[key] = state
    at.button(key=f"save-{facet}").click()
    return at.run()


@long
def test_a_scale_is_edited(open_part, store, filled):
    added = {"level": 4, "name": "Certain", "key": "5"}
    at = edit(
        open_part("Scales"),
        store,
        filled,
        "snippet",
        edited_rows={0: {"name": "Never"}},
        added_rows=[added],
    )
    assert not at.exception
    assert not at.error
    levels = get_scales(store, filled)["snippet"]
    assert [level.name for level in levels] == ["Never", "Unlikely", "Maybe", "Sure", "Certain"]
    assert (levels[4].counts_as, levels[4].meaning) == (4, "")


@pytest.mark.parametrize(
    ("changes", "fault"),
    [
        ({"edited_rows": {0: {"key": "2"}}}, "every level needs a key of its own"),
        pytest.param(
            {"added_rows": [{"name": "No number"}]}, "every level needs a whole number", marks=long
        ),
        pytest.param({"deleted_rows": [2]}, "level 2", marks=long),
    ],
)
def test_an_unfit_scale_is_refused(open_part, store, filled, changes, fault):
    before = get_scales(store, filled)
    at = edit(open_part("Scales"), store, filled, "page", **changes)
    assert at.error[0].value == "The scale stays as it was."
    assert fault in at.code[0].value
    assert get_scales(store, filled) == before


@long
def test_plain_numbers_replace_a_scale(open_part, store, filled):
    at = open_part("Scales")
    at.button(key="numbers-page").click().run()
    levels = get_scales(store, filled)["page"]
    assert [(level.level, level.name, level.key) for level in levels] == [
        (number, str(number), str(number)) for number in range(4)
    ]


def test_practice_items_are_added_and_removed(open_part, store, filled):
    at = open_part("Practice")
    field(at.text_input, "Why, in one line").set_value("It says so.")
    press(at, "Add")
    (item,) = list_practice_items(store, filled)
    assert (item.topic_id, item.document_id, item.facet, item.engine) == (
        "t1",
        "d1",
        "snippet",
        "e1",
    )
    assert (item.level, item.why) == (0, "It says so.")
    press(at, "Remove")
    assert list_practice_items(store, filled) == []


@long
def test_practice_offers_the_pages_that_a_topic_has(open_part, filled):
    at = open_part("Practice")
    field(at.selectbox, "Topic").select("t2").run()
    field(at.radio, "What is judged").set_value("page").run()
    assert field(at.selectbox, "Item").options == ["Cars · d2"]


@long
def test_a_practice_item_needs_a_reason(open_part, store, filled):
    at = press(open_part("Practice"), "Add")
    assert at.code[0].value == "say in one line why this level is right"
    assert list_practice_items(store, filled) == []
