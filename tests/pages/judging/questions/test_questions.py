"""The page of questions: an organiser answers, a viewer sees codes and no words."""

import uuid

import pytest

from core.collection.files.source import Source
from core.collection.formats import read_import
from core.store.content.collections import describe_collection
from core.store.content.documents import get_document
from core.store.content.imports import write_import
from core.store.events.labels import Key
from core.store.events.questions import (
    Question,
    announce,
    answer_question,
    append_question,
    list_notices,
    read_questions,
)
from core.store.people.members import add_member, add_viewer
from core.store.people.people import add_person
from core.store.rounds.pairs import read_preferences
from core.store.store import Store
from tests.pages.test_viewer import everything
from tests.short import long


@pytest.fixture
def ask(store: Store, filled: str):
    anna = add_person(store, "Anna *Bold*", "assessor")
    add_member(store, filled, anna, "Anna *Bold*")

    def one(text: str, document: str = "d1", facet: str = "page", engine: str = "") -> str:
        key = Key("t1", document, facet, engine, anna, 0)
        question = Question(str(uuid.uuid4()), key, text)
        append_question(store, filled, question)
        return question.question_id

    return one


def texts(at) -> str:
    return "\n".join(one.value for one in (*at.markdown, *at.text, *at.caption))


def press(at, label: str):
    return next(one for one in at.button if one.label == label).click().run()


def test_while_nobody_asks_there_is_only_the_announcement(open_page, organiser, filled):
    at = open_page("questions", organiser)
    assert not at.exception
    assert "Nobody has asked anything." in texts(at)
    assert [one.label for one in at.text_area] == ["Announcement"]
    at.text_area[0].set_value("Begin on Monday.")
    at = press(at, "Announce")
    assert at.success[0].value == "Everybody is told."
    assert at.dataframe[0].value["text"].tolist() == ["Begin on Monday."]


def test_an_organiser_answers_who_asked(open_page, organiser, store, filled, ask):
    first = ask("Is this *old*?")
    second = ask("And this?", "d2")
    at = open_page("questions", organiser)
    assert "2 of 2 questions wait for an answer." in texts(at)
    assert at.selectbox(key="question").value == first
    assert "Is this *old*?" in [one.value for one in at.text]
    assert any("A cat." in one.proto.body for one in at.get("html")), "the item can be read"
    assert r"Anna \*Bold\*" in texts(at)
    at.text_area[0].set_value("Yes.")
    at = press(at, "Answer")
    (notice,) = list_notices(store, filled)
    assert (notice.question_id, notice.text, notice.written_by) == (first, "Yes.", organiser)
    assert notice.assessor_id == read_questions(store, filled)["assessor_id"].iloc[0]
    assert "1 of 2 questions waits for an answer." in texts(at)
    assert at.selectbox(key="question").value == second


@long
def test_an_answer_can_go_to_everybody(open_page, organiser, store, filled, ask):
    ask("Is it old?")
    at = open_page("questions", organiser)
    at.text_area[0].set_value("Old counts.")
    at.toggle[0].set_value(True)
    at = press(at, "Answer")
    (notice,) = list_notices(store, filled)
    assert (notice.assessor_id, notice.text) == ("", "Old counts.")
    assert "The one question is answered." in texts(at)
    table = at.dataframe[0].value
    assert table[["state", "text", "answers"]].to_numpy().tolist() == [
        ["answered", "Is it old?", "Old counts."]
    ]


@long
def test_an_empty_answer_is_refused(open_page, organiser, store, filled, ask):
    ask("Is it old?")
    at = press(open_page("questions", organiser), "Answer")
    assert at.error[0].value == "Nothing was said."
    assert list_notices(store, filled) == []


@pytest.mark.parametrize(
    ("document", "facet", "engine"),
    [
        ("d1", "snippet", "e2"),
        pytest.param("d9", "page", "", marks=long),
        pytest.param("p-1", "page pair", "first", marks=long),
    ],
)
def test_whatever_is_asked_about_can_be_answered(
    open_page, organiser, store, filled, ask, document, facet, engine
):
    ask("What is this?", document, facet, engine)
    at = open_page("questions", organiser)
    assert not at.exception
    assert "What is this?" in [one.value for one in at.text]


@long
@pytest.mark.parametrize("left", ["first", "second"])
def test_a_question_on_a_pair_shows_both_results_as_they_stood(
    open_page, organiser, store, filled, ask, left
):
    text = b"topic\tleft\tright\tchoice\tassessor\nt1\td1\td2\tleft\tx\n"
    write_import(store, filled, read_import("preferences", Source("p.tsv", text)))
    (pair_id,) = read_preferences(store, filled)["pair_id"]
    ask("Are they the same?", pair_id, "page pair", left)
    at = open_page("questions", organiser)
    assert not at.exception
    links = at.get("link_button")
    titles = [get_document(store, filled, one)["title"] or one for one in ("d1", "d2")]
    expected = titles if left == "first" else titles[::-1]
    assert [one.proto.label for one in links] == expected
    assert all(one.proto.url.startswith("/api/page/") for one in links)
    assert [one.value for one in at.caption if one.value in ("Left", "Right")] == ["Left", "Right"]


def test_a_viewer_sees_codes_and_nobodys_words_and_cannot_answer(open_page, store, filled, ask):
    question = ask("Xylophones?")
    answer_question(store, filled, question, "Zithers.", to_all=False)
    announce(store, filled, "Anna knows.")
    ask("Yodels?")
    viewer = add_person(store, "Vera", "viewer")
    add_viewer(store, filled, viewer)
    at = open_page("questions", viewer, filled)
    assert not at.exception
    assert (len(at.text_area), len(at.selectbox)) == (0, 0)
    table = at.dataframe[0].value
    assert table["state"].tolist() == ["open", "answered"]
    assert table["assessor"].str.match(r"a-[0-9a-f]+$").all()
    sent = everything(at)
    for word in (b"Xylophones", b"Zithers", b"Yodels", b"Anna"):
        assert word not in sent


@long
def test_open_questions_need_attention(open_page, organiser, filled, ask):
    ask("Is it old?")
    at = open_page("monitor", organiser)
    assert "**Questions**: 1 question not answered" in texts(at)


@long
def test_texts_are_saved_with_what_changed_and_old_versions_can_be_read(
    open_page, organiser, store, filled
):
    at = open_page("collection", organiser, **{"collection-part": "Texts"})
    assert at.dataframe[0].value["version"].tolist() == [1]
    area = next(one for one in at.text_area if one.label == "Guidelines")
    area.set_value("Be fair.")
    note = next(one for one in at.text_input if one.label.startswith("What changed"))
    note.set_value("Fair, not kind.")
    at = press(at, "Save")
    table = at.dataframe[0].value
    assert table[["version", "written_by", "note"]].to_numpy().tolist() == [
        [2, "Olga", "Fair, not kind."],
        [1, "command line", ""],
    ]
    for number, said in ((2, "Be fair."), (1, "Be kind.")):
        at = at.selectbox(key="guidelines-version").select(number).run()
        assert said in [one.value for one in at.text]


@long
def test_the_files_are_offered_where_there_is_something(open_page, organiser, store, filled, ask):
    def offered() -> set[str]:
        at = open_page("export", organiser)
        assert not at.exception
        return {one.proto.label for one in at.get("download_button")}

    assert "Guidelines" in offered()
    assert "Questions" not in offered()
    ask("Is it old?")
    assert {"Guidelines", "Questions"} <= offered()
    texts = {"name": "Small", "description": ""}
    describe_collection(store, filled, **texts, guidelines="", note="None now.")
    assert "Guidelines" in offered()
