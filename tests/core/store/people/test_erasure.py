"""Somebody is erased: what goes, what stays, and that no byte of the name is left in the file."""

import uuid
import zipfile
from contextlib import closing

import duckdb
import pytest

from core.analysis.base.study import Study, labels_of
from core.collection.aspects import Aspect
from core.collection.records import numeric_scale
from core.command.check import check_store
from core.errors import BadInput, NotFound
from core.store.audit.audit import AuditFilter, read_audit
from core.store.backup.backup import restore_backup, save_backup
from core.store.check.check_attachments import AFTERWARDS
from core.store.content.aspects import add_aspect, list_aspects
from core.store.content.collections import create_collection, get_collection
from core.store.content.guidelines import list_versions
from core.store.content.saved_rules import list_rules, save_rule
from core.store.events.afterwards import (
    count_marked,
    list_topics_seen,
    note_item_seen,
    note_topic_seen,
    read_items_seen,
)
from core.store.events.answered import Paradata
from core.store.events.frames import read_labels
from core.store.events.labels import Key, LabelEvent
from core.store.events.marked import Marked, hash_text
from core.store.events.paradata import read_paradata
from core.store.events.passages import read_passages
from core.store.events.questions import (
    Question,
    answer_question,
    append_question,
    count_open,
    note_read,
    read_words,
)
from core.store.file import fresh_file
from core.store.file.write_ahead_log import logs_of
from core.store.people.accounts import list_emails, set_email
from core.store.people.erasure import erase_person, trace_person
from core.store.people.members import (
    add_member,
    add_viewer,
    drop_member,
    list_members,
    list_viewers,
)
from core.store.people.passwords import has_password, set_password
from core.store.people.people import add_person, begin_session, find_person, find_session, invite
from core.store.people.roster import RosterEntry, edit_roster
from core.store.people.sessions import enable_person
from core.store.people.token_scopes import SCOPES
from core.store.people.tokens import find_token, make_token
from core.store.store import Store
from core.versions.rules import QrelsRule
from tests.short import long

pytestmark = pytest.mark.contract

NAME, GROUP = "Zebedee Quux", "Wombatologists"
QUESTION = "Do zithers count?"
COMMENT, EMAIL = "Xylophones everywhere", "zebedee@quux.example"


def judge(store, collection, who, document, level=1, comment=""):
    key = Key("t1", document, "page", "", who, 0)
    event = LabelEvent(str(uuid.uuid4()), None, key, "level", level, 0, comment)
    store.labels.append(collection, [event])


def talk(store, collection, who):
    """Ask and answer; somebody else's question and its answer name the person."""
    add_member(store, collection, "olga", "Olga")
    for author, text in ((who, QUESTION), ("olga", f"Shall I ask {NAME}?")):
        key = Key("t1", "d1", "page", "", author, 0)
        question = Question(str(uuid.uuid4()), key, text)
        append_question(store, collection, question)
    answer_question(store, collection, question.question_id, f"{NAME} knows.", to_all=False)
    note_read(store, collection, who, ["guidelines 1"])


@pytest.fixture
def organiser(store) -> str:
    return add_person(store, "Olga", "organiser")


@pytest.fixture
def collection(store, organiser) -> str:
    return create_collection(store, "One", guidelines=f"Ask {NAME}, not Zebedee Quuxes.")


@pytest.fixture
def zebedee(store, organiser, collection) -> str:
    made = add_person(store, NAME, "assessor", by=organiser)
    add_member(store, collection, made, NAME, group=GROUP, by=organiser)
    set_email(store, made, EMAIL)
    set_password(store, made, "a cat, a hat and a bat")
    invite(store, made)
    make_token(store, made, f"of {NAME}", SCOPES["assessor"])
    add_viewer(store, collection, made)
    judge(store, collection, made, "d1", 2, COMMENT)
    judge(store, collection, "olga", "d1", 0, f"see what {NAME} says")
    talk(store, collection, made)
    rule = QrelsRule(f"only {NAME}", "page", "first", assessors=(made,))
    save_rule(store, collection, rule.name, rule.to_json(), by=organiser)
    return made


@long
def test_what_somebody_said_of_aspects_stays_and_questions_do_without_the_name(
    store, zebedee, collection, organiser
):
    asked = Aspect("trust", ("page",), f"Would {NAME} trust it?", numeric_scale(range(3)))
    add_aspect(store, collection, asked)
    key = Key("t1", "d2", "page", "", zebedee, 0)
    event = LabelEvent(str(uuid.uuid4()), None, key, "level", 1, aspects=(("trust", 2),))
    store.labels.append(collection, [event])
    erase_person(store, zebedee, by=organiser)
    (aspect,) = list_aspects(store, collection)
    assert aspect.question == f"Would {zebedee} trust it?"
    assert store.labels.current(collection, zebedee)[key].aspects == (("trust", 2),)


def count_rows(store, table, person_id):
    sql = f"SELECT count(*) FROM {table} WHERE person_id = ?"
    return store.cursor().execute(sql, [person_id]).fetchone()[0]


@long
def test_what_there_is_of_somebody_is_told_before(store, zebedee, collection):
    trace = trace_person(store, zebedee)
    assert (trace.code, trace.names, trace.collections) == (zebedee, (NAME,), (collection,))
    # the guidelines and their version, another's comment, question and answer, a rule and its name
    assert (trace.events, trace.comments, trace.questions, trace.mentions) == (1, 1, 1, 7)


def test_the_person_goes_and_the_levels_stay(store, zebedee, collection, organiser):
    token = begin_session(store, zebedee)
    program = make_token(store, zebedee, f"{NAME}'s program", SCOPES["assessor"])
    assert find_token(store, program)
    assert labels_of(Study(store, collection, False))["comment"].str.contains(COMMENT).any()
    assert store.labels.current(collection, zebedee)
    erase_person(store, zebedee, by=organiser)
    assert find_session(store, token) is None
    assert find_token(store, program) is None
    for table in (
        *("accounts", "passwords", "sessions", "invitations", "viewers", "notices_read"),
        "tokens",
    ):
        assert count_rows(store, table, zebedee) == 0
    assert not has_password(store, zebedee)
    assert list_emails(store) == list_viewers(store, collection) == {}
    person = find_person(store, zebedee)
    assert (person.name, bool(person.disabled_at), bool(person.erased_at)) == (zebedee, True, True)
    member = list_members(store, collection).set_index("assessor_id").loc[zebedee]
    assert member[["name", "group", "origin"]].tolist() == [zebedee, "", "erased"]
    labels = labels_of(Study(store, collection, False)).set_index("assessor_id")
    assert labels.loc[zebedee, ["sequence", "level", "comment"]].tolist() == [1, 2, ""]
    assert labels.loc["olga", "comment"] == f"see what {zebedee} says"
    (current,) = store.labels.current(collection, zebedee).values()
    assert (current.level, current.comment) == (2, "")
    assert get_collection(store, collection).guidelines == f"Ask {zebedee}, not Zebedee Quuxes."
    words = read_words(store, collection)
    assert words[["assessor_id", "question", "answer"]].to_numpy().tolist() == [
        [zebedee, "", ""],
        ["olga", f"Shall I ask {zebedee}?", f"{zebedee} knows."],
    ]
    assert count_open(store, collection) == 0
    assert list_versions(store, collection)[0].text.startswith(f"Ask {zebedee}, not")
    (rule,) = list_rules(store, collection).values()
    assert QrelsRule.from_json(rule).assessors == (zebedee,)
    assert list(list_rules(store, collection)) == [f"only {zebedee}"]


@long
def test_no_table_has_a_name_or_a_comment_of_theirs(store, zebedee):
    columns = (
        store.cursor()
        .execute(
            "SELECT table_name, column_name FROM duckdb_columns() JOIN duckdb_tables() "
            "USING (table_name) WHERE data_type = 'VARCHAR'"
        )
        .fetchall()
    )
    gone = f"{EMAIL}|{COMMENT}|{QUESTION[:-1]}|{GROUP}|{NAME}($|[^e])"
    erase_person(store, zebedee)
    found = []
    for table, column in columns:
        sql = f'SELECT count(*) FROM {table} WHERE regexp_matches("{column}", ?)'
        if store.cursor().execute(sql, [gone]).fetchone()[0]:
            found.append((table, column))
    assert found == []


@long
def test_the_audit_says_that_somebody_was_erased_not_who(store, zebedee, organiser):
    erase_person(store, zebedee, by=organiser)
    told = read_audit(store, AuditFilter(), 100)
    assert (
        not told.drop(columns="time")
        .astype("str")
        .apply(lambda column: column.str.contains(f"{NAME}$|{NAME}[^e]|{COMMENT}|{EMAIL}"))
        .any(axis=None)
    )
    (erased,) = told[told["what"] == "erase"].to_dict("records")
    assert (erased["subject"], erased["kind"], erased["person_id"]) == (
        *("somebody", "people", organiser),
    )
    assert zebedee not in erased["change"]
    added = told[(told["what"] == "add") & (told["subject"] == f"person {zebedee}")]
    assert f'name: none → "{zebedee}"' in added["change"].iloc[0]


@pytest.mark.file_only
def test_no_byte_is_left_once_the_store_was_opened_again(store, zebedee, organiser, long_form):
    gone = [text.encode() for text in (EMAIL, COMMENT, QUESTION, GROUP, f"only {NAME}")]
    store.cursor().execute("CHECKPOINT")
    before = store.path.read_bytes()
    assert all(text in before for text in gone)
    erase_person(store, zebedee, by=organiser)
    store.close()
    with closing(Store(store.path)) as again:
        assert not fresh_file.is_asked(again.cursor())
        assert read_labels(again, find_one(again))["level"].tolist() == [2, 0]
        files = [again.path, *logs_of(again.path)]
        held = b"".join(file.read_bytes() for file in files)
        assert not any(text in held for text in gone)
        assert held.count(NAME.encode()) == held.count(b"Zebedee Quuxes") > 0
        judge(again, find_one(again), "olga", "d2")
    findings = check_store(store.path, by_use=long_form)
    assert [
        one
        for one in findings
        if one.holds is False and one.proof not in ("keys", "owners", "words")
    ] == []


def find_one(store) -> str:
    return store.cursor().execute("SELECT collection_id FROM collections").fetchone()[0]


@long
def test_backups_made_afterwards_are_without_and_restore_whole(store, zebedee, organiser, tmp_path):
    erase_person(store, zebedee, by=organiser)
    archive = tmp_path / "after.zip"
    save_backup(store, archive)
    with zipfile.ZipFile(archive) as parts:
        held = b"".join(parts.read(name) for name in parts.namelist())
    assert EMAIL.encode() not in held
    restore_backup(archive, tmp_path / "restored.duckdb")
    with closing(Store(tmp_path / "restored.duckdb")) as restored:
        assert find_person(restored, zebedee).name == zebedee
        assert COMMENT.encode() not in restored.path.read_bytes()


@long
@pytest.mark.file_only
def test_a_file_is_not_rewritten_where_there_is_no_room(store, zebedee, monkeypatch):
    erase_person(store, zebedee)
    store.close()

    def fail(cursor, draft):
        cursor.execute(f"ATTACH '{draft}' AS afresh")
        raise duckdb.IOException("No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(fresh_file, "_copy", fail)
        with closing(Store(store.path)) as again:
            assert fresh_file.is_asked(again.cursor())
            assert find_person(again, zebedee).name == zebedee
    with monkeypatch.context() as patch:
        patch.setattr(fresh_file, "_read", lambda cursor, table: table)
        with pytest.raises(fresh_file.StoreUnusable, match="could not be copied"):
            Store(store.path)
    with closing(Store(store.path)) as again:
        assert not fresh_file.is_asked(again.cursor())


@long
def test_an_imported_assessor_gets_a_code_in_place_of_a_name(store, collection, organiser):
    add_member(store, collection, "quentin", "quentin", origin="imported")
    judge(store, collection, "quentin", "d1", 3, "hm")
    rule = QrelsRule("mine", "page", "first", assessors=("quentin",))
    save_rule(store, collection, "mine", rule.to_json())
    add_member(store, collection, "p2", "P2", origin="imported")
    drop_member(store, collection, "p2", "quentin")
    trace = erase_person(store, "quentin")
    assert trace.code.startswith("p-")
    labels = read_labels(store, collection)
    assert labels[["assessor_id", "assessor", "level", "comment"]].to_numpy().tolist() == [
        [trace.code, trace.code, 3, ""]
    ]
    (text,) = list_rules(store, collection).values()
    assert QrelsRule.from_json(text).assessors == (trace.code,)
    told = read_audit(store, AuditFilter(), 100)
    assert not (told["subject"] + told["change"]).str.contains("quentin").any()
    assert f"replaced by {trace.code}" in told["change"].tolist()
    with pytest.raises(BadInput, match="erased already"):
        trace_person(store, trace.code)


@long
def test_passages_stay_with_their_label_under_the_code(store, collection, organiser):
    add_member(store, collection, "quentin", "quentin", origin="imported")
    key = Key("t1", "d1", "page", "", "quentin", 0)
    marked = Marked(hash_text("what it said"), ((0, 4), (5, 7)))
    event = LabelEvent(str(uuid.uuid4()), None, key, "level", 1, marked=marked)
    store.labels.append(collection, [event])
    code = erase_person(store, "quentin", by=organiser).code
    passages = read_passages(store, collection)
    assert passages[["assessor_id", "name", "start", "end"]].to_numpy().tolist() == [
        [code, code, 0, 4],
        [code, code, 5, 7],
    ]


@long
def test_how_a_label_came_about_stays_with_it_under_the_code(store, collection, organiser):
    add_member(store, collection, "quentin", "quentin", origin="imported")
    key = Key("t1", "d1", "page", "", "quentin", 0)
    known = Paradata(shown_ms=700, given_by="key")
    event = LabelEvent(str(uuid.uuid4()), None, key, "level", 1, 700, paradata=known)
    store.labels.append(collection, [event])
    code = erase_person(store, "quentin", by=organiser).code
    (row,) = read_paradata(store, collection).to_dict("records")
    assert (row["assessor_id"], row["name"]) == (code, code)
    assert (row["dwell_ms"], row["shown_ms"], row["given_by"]) == (700, 700, "key")


@long
def test_a_short_name_is_not_looked_for_in_texts(store, collection, organiser):
    made = add_person(store, "Al", "assessor")
    add_member(store, collection, made, "Al")
    judge(store, collection, "olga", "d1", 0, "Al dente")
    judge(store, collection, "olga", "d2", 0, "Al")
    assert trace_person(store, made).mentions == 1
    erase_person(store, made)
    assert read_labels(store, collection)["comment"].tolist() == ["Al dente", made]
    told = read_audit(store, AuditFilter(text=made), 100)
    assert any(f'name: none → "{made}"' in one for one in told["change"])


@long
def test_an_identity_is_forgotten_and_nobody_erased_comes_back(store, zebedee, organiser):
    with store.change("", "link identity", f"person {zebedee}", 'identity: none → "idp 1"'):
        pass
    with store.change("", "import", f"labels from {NAME}.csv (0123ab)", "read 1 labels"):
        pass
    erase_person(store, zebedee)
    told = read_audit(store, AuditFilter(), 100).set_index("what")
    assert told.loc["link identity", "change"] == "identity: none → erased"
    assert told.loc["import", "subject"] == f"labels from {zebedee}.csv (0123ab)"
    with pytest.raises(BadInput, match="were erased"):
        enable_person(store, zebedee)
    with pytest.raises(BadInput, match="erased already"):
        erase_person(store, zebedee)


@long
def test_not_everybody_can_be_erased(store, collection, organiser):
    with pytest.raises(NotFound):
        trace_person(store, "nobody")
    with pytest.raises(BadInput, match="at least one organiser"):
        erase_person(store, organiser)
    assert find_person(store, organiser).name == "Olga"
    add_member(store, collection, "llm", "llm", origin="imported")
    edit_roster(store, collection, {"llm": RosterEntry("", "machine")})
    with pytest.raises(BadInput, match="only persons"):
        trace_person(store, "llm")


@long
def test_what_somebody_saw_afterwards_stays_under_the_code_and_their_marks_hold(
    store, collection, zebedee
):
    add_member(store, collection, "quentin", "quentin", origin="imported")
    judge(store, collection, "quentin", "d1", 3, "hm")
    for who in (zebedee, "quentin"):
        note_topic_seen(store, collection, who, "t1")
        note_item_seen(store, collection, Key("t1", "d1", "page", "", who, 0))
        judge(store, collection, who, "d2", 1, "")
    codes = [erase_person(store, who).code for who in (zebedee, "quentin")]
    assert [list_topics_seen(store, collection, one) for one in codes] == [{"t1": 3}, {"t1": 4}]
    assert set(read_items_seen(store, collection)["assessor_id"]) == set(codes)
    judge(store, collection, codes[1], "d3", 1, "")
    assert count_marked(store, collection) == 3
    assert AFTERWARDS.check(store).faults == ()
