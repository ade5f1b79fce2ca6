"""Making a collection, importing its files, and changing its texts, scales and practice."""

import gzip

import pytest
from streamlit.testing.v1 import AppTest

from core.collection.formats import read_import
from core.collection.source import Source
from core.store.content.collections import create_collection, get_collection, list_collections
from core.store.content.imports import write_import
from core.store.content.practice import list_practice_items
from core.store.content.scales import get_scales
from core.store.events.frames import count_contents, list_qrels, read_labels


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
    [("Contents", "Begin under *Import*"), ("Practice", "Import topics first"), ("Import", "")],
)
def test_a_collection_without_anything_says_where_to_begin(open_part, store, part, says):
    create_collection(store, "New")
    at = open_part(part)
    assert not at.exception
    assert all(says in one.value for one in at.info)
    assert len(at.info) == bool(says)


def upload(at: AppTest, kind: str, **files: bytes) -> AppTest:
    field(at.selectbox, "What do the files hold?").select(kind).run()
    for name, content in files.items():
        at.file_uploader[0].upload(name, content)
    return at.run()


def test_an_import_is_shown_first_and_stored_when_told_to(open_part, store, filled):
    before = count_contents(store, filled)
    line = "{} Q0 d{} 1 1.0 {}\n"
    packed = gzip.compress(line.format("t1", 1, "s2").encode())
    at = upload(
        open_part("Import"), "runs", **{"a.gz": packed, "b": line.format("t2", 2, "s3").encode()}
    )
    assert not at.exception
    assert {one.label: one.value for one in at.metric}["Systems"] == "2"
    assert any("would add 2 run lines" in text.value for text in at.markdown)
    assert count_contents(store, filled) == before
    press(at, "Import")
    assert "Imported: 2 run lines" in at.success[0].value
    assert count_contents(store, filled)["runs"] == before["runs"] + 2
    assert not at.file_uploader[0].value


def test_what_is_stored_already_is_counted_apart(open_part, filled):
    at = upload(open_part("Import"), "topics", **{"t.tsv": b"t1\tjaguar\nt3\tnew\n"})
    assert any("would add 1 topic; 1 row is there already" in text.value for text in at.markdown)


@pytest.mark.parametrize(
    ("kind", "content", "fault"),
    [
        ("topics", b"t3\tone\nt3\ttwo\n", "bad.txt:2: "),
        ("documents", b'{"id": "d9", "text": "x"}\n{broken\n', "bad.txt:2: "),
        ("results", b"topic\tengine\tdocument\trank\tsnippet\nt1\te1\td1\tfirst\tx\n", "bad.txt:2"),
        ("runs", b"t1 Q0 d1 1 high s9\n", "bad.txt:1: field 'score'"),
        ("qrels", b"t1 0 d1 1\nt1 0 d1 2\n", "bad.txt:2: "),
        (
            "labels",
            b"assessor\ttopic\tdocument\tlevel\na9\tt1\td1\t7\n",
            "bad.txt:2: field 'level'",
        ),
        ("topics", b"t1\tanother query\n", "already there with other content"),
    ],
)
def test_a_fault_is_shown_word_for_word_and_nothing_is_stored(
    open_part, store, filled, kind, content, fault
):
    before = count_contents(store, filled), store.state(filled)
    at = upload(open_part("Import"), kind, **{"bad.txt": content})
    assert not at.exception
    assert "Nothing was stored" in at.error[0].value
    assert fault in at.code[0].value
    assert "Import" not in [button.label for button in at.button]
    assert (count_contents(store, filled), store.state(filled)[0]) == (before[0], before[1][0])


def test_labels_with_names_of_their_own_and_missing_values(open_part, store, filled):
    at = open_part("Import")
    field(at.selectbox, "What do the files hold?").select("labels").run()
    for name, given in {"assessor": "worker", "level": "grade"}.items():
        field(at.text_input, f"Column of the {name}").set_value(given)
    field(at.text_input, "Values that mean no label").set_value("-2, ''")
    text = b"worker\ttopic\tdocument\tgrade\nw\tt2\td1\t-2\nw\tt2\td2\t1\nw\tt1\td1\t\n"
    at.file_uploader[0].upload("l.tsv", text)
    press(at.run(), "Import")
    assert not at.error
    mine = read_labels(store, filled).query("assessor_id == 'w'")
    assert mine[["topic_id", "document_id", "level"]].values.tolist() == [["t2", "d2", 1]]


def test_a_table_with_a_column_for_each_rater_brings_its_texts(
    open_part, store, filled, shared_data
):
    at = open_part("Import")
    field(at.selectbox, "What do the files hold?").select("labels").run()
    field(
        at.checkbox, "Also take the topics and documents of a table with a column for each rater"
    ).check()
    ratings = (shared_data / "chorus" / "ratings.csv").read_bytes()
    at.file_uploader[0].upload("ratings.csv", ratings)
    at.run()
    assert not at.error
    counts = {one.label: one.value for one in at.metric}
    assert counts["Assessors"] == "3"
    press(at, "Import")
    labels = read_labels(store, filled)
    assert labels["assessor_id"].nunique() == 3 + 2
    rows = ratings.decode().count("\n") - 1
    missing = int(counts["Missing"].replace(",", ""))
    assert len(labels) == 3 * rows - missing + 3


def test_qrels_get_the_name_they_are_given(open_part, store, filled):
    at = upload(open_part("Import"), "qrels", **{"q.txt": b"t1 0 d1 1\n"})
    field(at.text_input, "What are these qrels called?").set_value("official").run()
    press(at, "Import")
    assert list_qrels(store, filled) == ["official"]


def test_texts_are_changed(open_part, store, filled):
    at = open_part("Texts")
    field(at.text_area, "Guidelines").set_value("Be strict.")
    press(at, "Save")
    assert get_collection(store, filled).guidelines == "Be strict."
    assert get_collection(store, filled).name == "Small *one*"


def test_a_collection_keeps_its_name_when_the_new_one_is_empty(open_part, store, filled):
    at = open_part("Texts")
    field(at.text_input, "Name").set_value("  ")
    press(at, "Save")
    assert "needs a name" in at.code[0].value
    assert get_collection(store, filled).name == "Small *one*"


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
        ({"added_rows": [{"name": "No number"}]}, "every level needs a whole number"),
        ({"deleted_rows": [2]}, "level 2"),
    ],
)
def test_an_unfit_scale_is_refused(open_part, store, filled, changes, fault):
    before = get_scales(store, filled)
    at = edit(open_part("Scales"), store, filled, "page", **changes)
    assert at.error[0].value == "The scale stays as it was."
    assert fault in at.code[0].value
    assert get_scales(store, filled) == before


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


def test_practice_offers_the_pages_that_a_topic_has(open_part, filled):
    at = open_part("Practice")
    field(at.selectbox, "Topic").select("t2").run()
    field(at.radio, "What is judged").set_value("page").run()
    assert field(at.selectbox, "Item").options == ["Cars · d2"]


def test_a_practice_item_needs_a_reason(open_part, store, filled):
    at = press(open_part("Practice"), "Add")
    assert at.code[0].value == "say in one line why this level is right"
    assert list_practice_items(store, filled) == []
