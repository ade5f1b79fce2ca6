"""Questions and what is said: appended once, kept through a restart and a backup."""

import uuid
from contextlib import closing

import pytest

from core.errors import BadInput, NotFound
from core.store.audit.audit import AuditFilter, read_audit
from core.store.backup.backup import restore_backup, save_backup
from core.store.content.collections import create_collection
from core.store.events.labels import Key
from core.store.events.questions import (
    LONGEST_TEXT,
    Question,
    announce,
    answer_question,
    append_question,
    count_open,
    list_notices,
    list_read,
    note_read,
    read_questions,
    read_words,
)
from core.store.people.members import add_member
from core.store.store import Store
from tests.short import long


@pytest.fixture
def collection(store) -> str:
    made = create_collection(store, "One")
    for who in ("anna", "bob"):
        add_member(store, made, who, who.title())
    return made


def ask(store, collection, text="Is it old?", who="anna", document="d1") -> Question:
    key = Key("t1", document, "page", "", who, 0)
    question = Question(str(uuid.uuid4()), key, text)
    append_question(store, collection, question)
    return question


def test_a_question_is_there_when_the_store_is_opened_again(store, collection):
    question = ask(store, collection)
    store.close()
    with closing(Store(store.place)) as opened:
        (row,) = read_questions(opened, collection).to_dict("records")
        assert (row["question_id"], row["text"]) == (question.question_id, "Is it old?")
        assert (row["assessor_id"], row["assessor"]) == ("anna", "Anna")
        assert row["is_open"]


def test_sent_twice_it_is_there_once(store, collection):
    question = ask(store, collection)
    assert not append_question(store, collection, question)
    assert len(read_questions(store, collection)) == 1


def test_an_id_of_another_question_is_refused(store, collection):
    question = ask(store, collection)
    other = Question(question.question_id, question.key._replace(assessor_id="bob"), "Mine.")
    with pytest.raises(BadInput, match="another question"):
        append_question(store, collection, other)
    assert read_questions(store, collection)["text"].tolist() == ["Is it old?"]


def test_the_open_ones_come_first(store, collection):
    first, second = ask(store, collection), ask(store, collection, "And this?", "bob")
    assert (count_open(store, collection), count_open(store, collection, "bob")) == (2, 1)
    answer_question(store, collection, first.question_id, "Yes.", to_all=False, by="olga")
    assert (count_open(store, collection), count_open(store, collection, "anna")) == (1, 0)
    found = read_questions(store, collection)
    assert found["question_id"].tolist() == [second.question_id, first.question_id]
    assert found["is_open"].tolist() == [True, False]


def test_an_answer_is_for_its_author_or_for_everybody_and_none_is_lost(store, collection):
    question = ask(store, collection)
    for text, to_all in (("Yes.", False), ("  Old pages count.  ", True)):
        answer_question(store, collection, question.question_id, text, to_all=to_all, by="olga")
    announce(store, collection, "Hello.", "olga")
    told = [(one.text, one.assessor_id, one.question_id) for one in list_notices(store, collection)]
    one = question.question_id
    assert told == [("Yes.", "anna", one), ("Old pages count.", "", one), ("Hello.", "", None)]


def test_what_cannot_be_said(store, collection):
    other = create_collection(store, "Two")
    question = ask(store, collection)
    with pytest.raises(NotFound):
        answer_question(store, other, question.question_id, "Yes.", to_all=False)
    for text in (" \n", "x" * (LONGEST_TEXT + 1)):
        with pytest.raises(BadInput):
            announce(store, collection, text)
    assert list_notices(store, collection) == []


@long
def test_what_was_read_is_noted_once_and_for_one_person(store, collection):
    note_read(store, collection, "anna", ["n1"])
    note_read(store, collection, "anna", ["n1", "n2"])
    assert list_read(store, collection, "anna") == {"n1", "n2"}
    assert list_read(store, collection, "bob") == set()
    count = store.cursor().execute("SELECT count(*) FROM notices_read").fetchone()
    assert count == (2,)


@long
def test_the_table_has_questions_with_their_answers_and_announcements(store, collection):
    question = ask(store, collection)
    answer_question(store, collection, question.question_id, "Yes.", to_all=False, by="olga")
    ask(store, collection, "And this?", "bob", "d2")
    announce(store, collection, "Hello.", "olga")
    columns = ["name", "document_id", "question", "answer", "said_to"]
    assert read_words(store, collection)[columns].to_numpy().tolist() == [
        ["Anna", "d1", "Is it old?", "Yes.", "author"],
        ["Bob", "d2", "And this?", "", ""],
        ["", "", "", "Hello.", "everybody"],
    ]


def test_the_record_of_changes_tells_that_it_was_asked_and_answered_not_what(store, collection):
    question = ask(store, collection, "Xylophones?")
    answer_question(store, collection, question.question_id, "Zithers!", to_all=True, by="olga")
    found = read_audit(store, AuditFilter(kind="questions"), 9)
    assert found[["what", "subject", "person_id"]].to_numpy().tolist() == [
        ["answer", "question", "olga"],
        ["ask", "question", "anna"],
    ]
    assert not found["change"].str.contains("Xylo|Zith").any()


@long
def test_a_backup_holds_everything(store, collection, tmp_path):
    question = ask(store, collection)
    said = answer_question(store, collection, question.question_id, "Yes.", to_all=False)
    note_read(store, collection, "anna", [said])
    archive = tmp_path / "backup.zip"
    save_backup(store, archive)
    restore_backup(archive, tmp_path / "restored.duckdb")
    with closing(Store(tmp_path / "restored.duckdb")) as restored:
        assert read_words(restored, collection).equals(read_words(store, collection))
        assert list_read(restored, collection, "anna") == {said}
