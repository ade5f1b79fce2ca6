"""Importing on the page: kinds are told, columns and levels are settled, then all is stored."""

import gzip

import pytest
from streamlit.testing.v1 import AppTest

from core.collection.aspects import Aspect
from core.collection.records import Level, numeric_scale
from core.store.content.aspects import add_aspect
from core.store.content.collections import create_collection
from core.store.content.scales import get_scales
from core.store.events.aspect_labels import read_aspect_labels
from core.store.events.frames import count_contents, list_qrels, read_labels
from tests.short import long

LABELS = b"assessor\ttopic\tdocument\tlevel\n"
EVERY_LEVEL = "".join(f"a9\tt2\tx{n}\t{n}\n" for n in range(5)).encode()


@pytest.fixture
def open_import(open_page, organiser):
    def draw() -> AppTest:
        return open_page("collection", organiser, **{"collection-part": "Import"})

    return draw


def press(at: AppTest, label: str) -> AppTest:
    next(button for button in at.button if button.label == label).click()
    return at.run()


def field(elements, label: str):
    return next(one for one in elements if one.label.startswith(label))


def upload(at: AppTest, **files: bytes) -> AppTest:
    for name, content in files.items():
        at.file_uploader[0].upload(name, content)
    return at.run()


def said(at: AppTest) -> str:
    return " ".join(one.value for one in [*at.markdown, *at.info, *at.warning])


def is_offered(at: AppTest) -> bool:
    return "Import" in [button.label for button in at.button]


def test_files_of_several_kinds_are_shown_first_and_stored_together(open_import, store, filled):
    before = count_contents(store, filled)
    line = "{} Q0 d{} 1 1.0 {}\n"
    files = {
        "a.gz": gzip.compress(line.format("t1", 1, "s2").encode()),
        "b": line.format("t2", 2, "s3").encode(),
        "t.tsv": b"t1\tjaguar\nt3\tnew\n",
        "l.tsv": LABELS + EVERY_LEVEL,
    }
    at = upload(open_import(), **files)
    assert not at.exception
    assert "**2** systems" in said(at)
    assert "would add 5 labels, 2 run lines and 1 topic; 1 row is there already" in said(at)
    assert "**Runs** (TREC run): a.gz, b" in [one.value.replace("\\", "") for one in at.markdown]
    assert count_contents(store, filled) == before
    press(at, "Import")
    assert "Imported: 5 labels, 2 run lines and 1 topic" in at.success[0].value
    after = count_contents(store, filled)
    assert (after["runs"], after["topics"]) == (before["runs"] + 2, before["topics"] + 1)
    assert not at.file_uploader[0].value


@pytest.mark.parametrize(
    ("content", "fault"),
    [
        (b"t3\tone\nt3\ttwo\n", "looks"),
        pytest.param(
            b'{"id": "d9", "text": "x"}\n{"id": "d9", "text": "y"}\n', "bad.txt:2: ", marks=long
        ),
        pytest.param(
            b"topic\tengine\tdocument\trank\nt1\te1\td1\tfirst\n", "bad.txt:2", marks=long
        ),
        pytest.param(b"t1 0 d1 1\nt1 0 d1 2\n", "bad.txt:2: ", marks=long),
        pytest.param(LABELS + b"a9\tt1\td1\t-\n", "bad.txt:2: field 'level'", marks=long),
        pytest.param(b"t1\tanother query\n", "already there with other content", marks=long),
        pytest.param(b"\xff\xfe", "UTF-16", marks=long),
    ],
)
def test_a_fault_is_shown_word_for_word_and_nothing_is_stored(
    open_import, store, filled, content, fault
):
    before = count_contents(store, filled), store.state(filled)
    at = upload(open_import(), **{"bad.txt": content, "good.run": b"t9 Q0 d1 1 1 s9\n"})
    assert not at.exception
    if fault == "looks":
        field(at.selectbox, "bad").select("topics").run()
        fault = "bad.txt:2: "
    assert "Nothing was stored" in at.error[0].value
    assert fault in at.code[0].value
    assert not is_offered(at)
    assert (count_contents(store, filled), store.state(filled)) == before


def test_what_a_file_holds_is_asked_where_that_is_not_clear(open_import, store, filled):
    at = upload(
        open_import(), **{"x.jsonl": b'{"id": "t7", "title": "what"}\n', "n.txt": b"Words.\n"}
    )
    assert "Say what 2 files hold" in said(at)
    assert not is_offered(at)
    unclear, unknown = field(at.selectbox, "x"), field(at.selectbox, "n")
    assert unclear.options[:2] == ["topics", "documents"]
    assert (unclear.value, unclear.placeholder) == (None, "Not clear: topics or documents?")
    assert unknown.placeholder == "Not known: choose"
    unknown.select("nothing to import").run()
    assert "Say what 1 file holds" in said(at)
    field(at.selectbox, "x").select("topics").run()
    press(at, "Import")
    assert "Imported: 1 topic." in at.success[0].value


def test_a_kind_that_was_told_wrongly_can_be_changed(open_import, filled):
    at = upload(open_import(), **{"p.txt": b"t1 0 d1 1\nt1 0 d2 1\n"})
    assert field(at.selectbox, "p").value == "qrels"
    field(at.selectbox, "p").select("runs").run()
    assert "has 4 words; expected 6" in at.code[0].value


@long
def test_columns_of_other_names_are_guessed_and_can_be_changed(open_import, store, filled):
    text = b"workerID\ttopicID\tdocID\tsecond\tlabel\nw\tt2\td1\t9\t-2\n"
    text += b"".join(b"w\tt2\tx%d\t9\t%d\n" % (n, n) for n in range(5)) + b"w\tt1\td1\t9\t\n"
    at = upload(open_import(), **{"l.tsv": text})
    chosen = {one.label: one.value for one in at.selectbox}
    assert chosen["Assessor"] == "workerID"
    assert chosen["Document"] == "docID"
    assert chosen["Group"] == ""
    missing = field(at.multiselect, "Values that mean no label")
    assert missing.value == ["-2"]
    assert "is empty; if that means" in at.code[0].value
    missing.set_value(["-2", ""]).run()
    assert not at.error
    field(at.selectbox, "Document").select("").run()
    assert "Say which column holds: document." in said(at)
    assert not is_offered(at)
    field(at.selectbox, "Document").select("docID").run()
    field(at.selectbox, "Group").select("second").run()
    press(at, "Import")
    mine = read_labels(store, filled).query("assessor_id == 'w'")
    assert mine["document_id"].tolist() == [f"x{n}" for n in range(5)]


@long
def test_a_gold_column_becomes_an_assessor(open_import, store, filled):
    rows = b"".join(b"a9\tt2\tx%d\t%d\t%d\n" % (n, n, n) for n in range(5))
    at = upload(open_import(), **{"l.tsv": LABELS.replace(b"level", b"level\tgold") + rows})
    assert field(at.selectbox, "Column of a gold label").value == "gold"
    press(at, "Import")
    assert (read_labels(store, filled)["assessor_id"] == "gold").sum() == 5


@long
def test_a_table_with_a_column_for_each_rater_brings_its_texts(
    open_import, store, filled, shared_data
):
    ratings = (shared_data / "chorus" / "ratings.csv").read_bytes()
    at = upload(open_import(), **{"ratings.csv": ratings})
    field(at.checkbox, "Also take its topics and documents").check().run()
    assert not at.error
    assert "**3** assessors" not in said(at), "the levels are to be confirmed first"
    at.radio(key=at.radio[0].key).set_value("keep").run()
    assert "**3** assessors" in said(at)
    press(at, "Import")
    labels = read_labels(store, filled)
    assert labels["assessor_id"].nunique() == 3 + 2
    assert count_contents(store, filled)["topics"] > 2


@long
def test_qrels_get_the_name_they_are_given(open_import, store, filled):
    at = upload(open_import(), **{"q.txt": b"t1 0 d1 1\n"})
    field(at.text_input, "What are these qrels called?").set_value("official").run()
    press(at, "Import")
    assert list_qrels(store, filled) == ["official"]


@long
def test_runs_can_be_called_by_their_file(open_import, store, filled):
    at = upload(open_import(), **{"mine.run": b"t1 Q0 d1 1 1 tag\n"})
    field(at.radio, "A system is called by").set_value("file").run()
    assert at.dataframe[0].value["system"].tolist() == ["mine"]


def test_levels_that_do_not_fill_the_scale_are_confirmed_or_replaced(open_import, store, organiser):
    collection_id = create_collection(store, "New")
    rows = b"".join(b"a\tt1\td%d\t%d\n" % (n, n % 4) for n in range(6))
    at = upload(open_import(), **{"l.tsv": LABELS + rows})
    shown = next(one.value for one in at.dataframe if "labels" in one.value)
    assert shown.to_numpy().tolist() == [
        [0.0, "Non", 2],
        [1.0, "Rel", 2],
        [2.0, "HRel", 1],
        [3.0, "Key", 1],
        [4.0, "Nav", 0],
    ]
    assert "on the scale but in no label: Nav" in said(at)
    assert not is_offered(at)
    choice = field(at.radio, "What do these levels mean?")
    assert choice.value is None
    choice.set_value("replace").run()
    assert get_scales(store, collection_id)["page"][4].name == "Nav"
    press(at, "Import")
    assert "Imported: 6 labels" in at.success[0].value
    assert get_scales(store, collection_id)["page"] == numeric_scale(range(4))


@long
def test_levels_that_are_kept_leave_the_scale_as_it_is(open_import, store, filled):
    before = get_scales(store, filled)
    at = upload(open_import(), **{"l.tsv": LABELS + b"a9\tt2\td1\t3\n"})
    choice = field(at.radio, "What do these levels mean?")
    assert len(choice.options) == 1, "labels of this scale are stored already"
    choice.set_value("keep").run()
    press(at, "Import")
    assert get_scales(store, filled) == before
    assert read_labels(store, filled)["level"].tolist()[-1] == 3


@long
def test_a_level_beyond_a_scale_in_use_cannot_be_taken(open_import, store, filled):
    at = upload(open_import(), **{"l.tsv": LABELS + b"a9\tt2\td1\t7\n"})
    assert "not on the scale: 7" in said(at)
    assert "cannot be replaced here" in at.error[0].value
    assert not is_offered(at)
    field(at.multiselect, "Values that mean no label").set_value(["7"]).run()
    assert "no row has a label" in at.code[0].value


ASPECTS = b"assessor\ttopic\tdocument\taspect\tlevel\n"


@long
def test_levels_of_aspects_are_looked_at_and_stored_with_their_labels(open_import, store, filled):
    scale = (Level(0, "No", "", "1", 0), Level(1, "Yes", "", "2", 1))
    add_aspect(store, filled, Aspect("trust", ("page",), "?", scale))
    rows = b"a9\tt2\tx1\ttrust\t1\na9\tt2\tx2\ttrust\tYes\n"
    labels = {"l.tsv": LABELS + EVERY_LEVEL}
    at = upload(open_import(), **labels, **{"a.tsv": ASPECTS + rows})
    assert not at.exception
    assert "Levels of trust" in [one.value for one in at.header]
    assert "on the scale but in no label: No" in said(at)
    assert not is_offered(at)
    field(at.radio, "What do these levels mean?").set_value("keep").run()
    assert "would add 2 aspect labels and 5 labels" in said(at)
    press(at, "Import")
    said_of = read_aspect_labels(store, filled)
    assert said_of[["document_id", "given_level"]].to_numpy().tolist() == [["x1", 1], ["x2", 1]]
    at = upload(open_import(), **{"a.tsv": ASPECTS + b"a9\tt2\tx3\ttrust\t4\n"})
    assert "The scale of an aspect cannot be replaced here" in at.error[0].value
    assert not is_offered(at)


@long
def test_levels_that_make_no_scale_are_not_offered_as_one(open_import, store):
    create_collection(store, "New")
    at = upload(open_import(), **{"l.tsv": LABELS + b"a\tt\td\t1.5\na\tt\te\t2\n"})
    assert "These levels make no scale" in at.error[0].value
    assert not at.radio


def test_names_of_files_and_columns_are_shown_as_they_are(open_import, filled):
    name = "*evil* [link](http://e.example).tsv"
    at = upload(open_import(), **{name: b"assessor\ttopic\tdoc\t**bold**\na\tt1\td1\t1\n"})
    field(at.selectbox, "\\*evil").select("labels").run()
    texts = [one.value for one in at.markdown] + [one.label for one in at.selectbox]
    told = [text for text in texts if "evil" in text]
    assert told
    assert not any("*evil*" in text or "](http" in text for text in told)
    assert "Say which column holds: level." in said(at)
    assert "**bold**" in field(at.selectbox, "Level").options


@long
def test_many_files_alike_have_one_question(open_import, filled):
    files = {f"run{n}": f"t1 Q0 d1 1 1 s{n + 5}\n".encode() for n in range(5)}
    at = upload(open_import(), **files)
    asked = [one.label for one in at.selectbox if "hold?" in one.label]
    assert asked == ["run0, run1, run2 and 2 more files: what do they hold?"]
    assert "**5** systems" in said(at)


CLICKS = (
    b"a\t0\tQ\tt1\t0\td1\td2\na\t1\tC\td2\nb\t0\tQ\tships\t0\td1\td9\nc\t0\tC\td1\nd\t0\tC\td1\n"
)


@long
def test_a_click_log_is_imported_shown_and_deleted(
    open_import, open_page, organiser, store, filled
):
    at = upload(open_import(), **{"log.tsv": CLICKS})
    assert field(at.selectbox, "log").value == "clicks"
    assert "log.tsv:4: session 'c': a click before any page of its session" in at.code[0].value
    field(at.checkbox, "Leave malformed sessions out").check().run()
    assert "would add 1 click log." in said(at)
    assert "2 sessions are left out" in " ".join(one.value for one in at.caption)
    field(at.text_input, "What is it called?").input("autumn").run()
    press(at, "Import")
    assert "Imported: 1 click log." in at.success[0].value
    at = open_page("collection", organiser, **{"collection-part": "Contents"})
    assert not at.exception
    assert "**1** click log" in said(at)
    assert "**1** of 2 queries are topics of this collection: 1 by id, 0 by text." in said(at)
    press(at, "Delete this log")
    assert count_contents(store, filled)["click logs"] == 0
