"""Two copies of a store, judged apart and merged, beside the store that was judged by both."""

import shutil
import uuid
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest

from core.assessment.afterwards import open_topic
from core.assessment.handing_out.next_assignment import next_assignment
from core.command.check import check_store
from core.errors import BadInput
from core.store.audit.audit import AuditFilter, read_audit
from core.store.content.collections import describe_collection
from core.store.content.saved_rules import save_rule
from core.store.content.webhooks import make_webhook
from core.store.events.afterwards import note_item_seen
from core.store.events.answered import Paradata
from core.store.events.labels import Key, LabelEvent
from core.store.events.marked import Marked, hash_text
from core.store.events.questions import Question, announce, answer_question, append_question
from core.store.file.database import Cursor
from core.store.machines.machine_answer import MachineAnswer
from core.store.merge import contents
from core.store.merge.desk import CONTENT, IN_ORDER, KEYED, OF_COLLECTIONS, OF_FIRST, list_tables
from core.store.merge.merge import MergeReport, merge_stores
from core.store.people.accounts import set_email
from core.store.people.erasure import erase_person
from core.store.people.members import add_member, add_viewer
from core.store.people.passwords import set_password
from core.store.people.people import (
    add_person,
    begin_session,
    find_person,
    invite,
    list_people,
)
from core.store.people.token_scopes import SCOPES
from core.store.people.tokens import make_token
from core.store.rounds.showing import record_revealed
from core.store.store import Store, utc_now
from core.versions.rules import QrelsRule
from tests.core.command.whole_store import build_study, judge_all
from tests.short import few, long

TIMES = "('TIMESTAMP', 'TIMESTAMP WITH TIME ZONE')"


@dataclass(frozen=True)
class Base:
    """A store that two sites begin with."""

    path: Path
    collection_id: str
    anna: str
    bob: str
    cara: str
    olga: str

    def copy(self, folder: Path, name: str) -> Path:
        """Return a copy, with the key that pairs and engines are called by."""
        target = folder / f"{name}.duckdb"
        for suffix in ("", ".key"):
            shutil.copyfile(f"{self.path}{suffix}", f"{target}{suffix}")
        return target


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> Base:
    path = tmp_path_factory.mktemp("base") / "base.duckdb"
    collection_id, anna = build_study(path)
    with closing(Store(path)) as store:
        cara = add_person(store, "Cara", "assessor")
        add_member(store, collection_id, cara, "Cara")
        ids = {person.name: person.person_id for person in list_people(store)}
    return Base(path, collection_id, anna, ids["Bob"], cara, ids["Olga"])


Site = Callable[[Store], object]


@contextmanager
def opened(path: Path) -> Iterator[Store]:
    with closing(Store(path)) as store:
        yield store


def event(base: Base, store: Store, key: Key, **said: Any) -> LabelEvent:
    before = store.labels.current(base.collection_id, key.assessor_id).get(key)
    told = {"state": "level", "level": 1, "time": utc_now()} | said
    return LabelEvent(str(uuid.uuid4()), before.event_id if before else None, key, **told)


def page(assessor_id: str, document_id: str = "d1", topic_id: str = "t1") -> Key:
    return Key(topic_id, document_id, "page", "", assessor_id, 0)


def judge(base: Base, stores: list[Store], key: Key, **said: Any) -> None:
    """Say one thing in all of some stores: one site's, and the one that is judged by both."""
    made = event(base, stores[0], key, **said)
    for store in stores:
        store.labels.append(base.collection_id, [made])


def judge_apart(base: Base, first: Store, second: Store, joint: Store) -> None:
    """Do everything that assessors do, Anna at one site and Bob at the other, in turn."""
    here, there = [first, joint], [second, joint]
    anna, bob = page(base.anna), page(base.bob)
    judge(base, here, anna, level=0, comment="Not at all.")
    judge(base, there, bob, level=2, marked=Marked(hash_text("Text 1"), ((0, 4),)))
    judge(base, here, page(base.anna, "d2"), state="cannot judge", level=None)
    judge(base, there, page(base.bob, "d2"), aspects=(("trust", 1), ("age", None)))
    judge(base, there, bob, state="unjudged", level=None)
    (pair,) = first.cursor().execute("SELECT pair_id FROM pairs").fetchone() or ("",)
    preferred = Key("t1", pair, "page pair", "left: first", base.bob, 0)
    known = (
        first.cursor()
        .execute("SELECT facet, engine FROM labels WHERE document_id = ? LIMIT 1", [pair])
        .fetchone()
    )
    assert known is not None
    preferred = preferred._replace(facet=known[0], engine=known[1])
    judge(base, there, preferred, reasons=("fresher", "more relevant"))
    question = Question(str(uuid.uuid4()), bob, "Is it about both?")
    for store in there:
        append_question(store, base.collection_id, question)
    asked = Question(str(uuid.uuid4()), anna, "And this?")
    for store in here:
        append_question(store, base.collection_id, asked)
        open_topic(store, base.collection_id, base.anna, "t2")
        note_item_seen(store, base.collection_id, page(base.anna, "d3", "t2"))
    known = Paradata(shown_ms=900, given_by="touch", x=20, y=990, text_only=True)
    judge(base, there, page(base.bob, "d3", "t2"), level=3, paradata=known)
    judge(base, here, page(base.anna, "d3", "t2"), level=3)
    judge(base, there, bob, level=1, comment="After all.")
    judge(base, there, page("llm", "d3"), answer=MachineAnswer("1", "So it is.", 0.25, 70, 1))
    judge(base, there, page(base.bob, "d3"), level=0)
    for store in there:
        assert record_revealed(store, base.collection_id, base.bob, "llm", [page(base.bob, "d3")])
    judge(base, there, page(base.bob, "d3"), level=1)
    stale = replace(event(base, first, anna), supersedes=None)
    for store in here:
        store.labels.append(base.collection_id, [stale])


def read_tables(path: Path, *, times: bool) -> dict[str, list[tuple[Any, ...]]]:
    """Return the rows of every table: label events in their order, others in any."""
    with closing(Store(path, read_only=True)) as store:
        cursor = store.cursor()
        return {table: _read(cursor, table, times) for table in list_tables(cursor)}


def read_table(path: Path, table: str, *, times: bool) -> list[tuple[Any, ...]]:
    with closing(Store(path, read_only=True)) as store:
        return _read(store.cursor(), table, times)


def _read(cursor: Cursor, table: str, times: bool) -> list[tuple[Any, ...]]:
    columns = cursor.execute(
        "SELECT column_name FROM duckdb_columns() WHERE table_name = ? "
        f"AND ({times} OR data_type NOT IN {TIMES}) ORDER BY column_index",
        [table],
    ).fetchall()
    told = ", ".join(f'"{column}"' for (column,) in columns)
    kept = "WHERE what <> 'merge'" if table == "changes" else ""
    rows = cursor.execute(f"SELECT {told} FROM {table} {kept}").fetchall()
    return rows if table == "labels" else sorted(rows, key=repr)


def assert_whole(path: Path) -> None:
    findings = check_store(path, by_use=False)
    assert [one.faults for one in findings if one.faults] == []


@dataclass(frozen=True)
class Apart:
    first: Path
    second: Path
    joint: Path
    merged: Path
    report: MergeReport


@pytest.fixture(scope="module")
def apart(base: Base, tmp_path_factory: pytest.TempPathFactory) -> Apart:
    folder = tmp_path_factory.mktemp("apart")
    paths = [base.copy(folder, name) for name in ("first", "second", "joint")]
    with opened(paths[0]) as first, opened(paths[1]) as second, opened(paths[2]) as joint:
        judge_apart(base, first, second, joint)
    merged = folder / "merged.duckdb"
    return Apart(*paths, merged, merge_stores(paths[0], paths[1], merged))


def test_stores_judged_apart_are_the_store_judged_by_both_event_for_event(apart: Apart):
    labels = read_table(apart.merged, "labels", times=True)
    assert labels == read_table(apart.joint, "labels", times=True)
    events = apart.report.events
    assert events is not None
    assert (events.merged, events.conflicts) == (len(labels), ())
    assert events.first + events.second - events.shared == events.merged > events.shared


@long
def test_so_is_all_that_was_said_with_them_asked_and_seen(apart: Apart):
    merged, first = (read_tables(one, times=False) for one in (apart.merged, apart.first))
    assert merged == read_tables(apart.joint, times=False)
    for table in (
        *("aspect_labels", "passages", "paradata", "preference_reasons", "questions", "changes"),
        *("machine_answers", "machine_shown", "labels_after_seeing"),
    ):
        assert len(merged[table]) > len(first[table])


@long
def test_the_merged_store_is_whole(apart: Apart):
    assert_whole(apart.merged)


def test_the_history_tells_of_the_merge(base: Base, apart: Apart):
    with closing(Store(apart.merged, read_only=True)) as store:
        found = read_audit(store, AuditFilter(text="second.duckdb"), 9)
    told = found[found["collection_id"] == base.collection_id]
    assert told[["kind", "what", "person"]].to_numpy().tolist() == [
        ["collections", "merge", "command line"]
    ]
    assert "label events more, 0 with two current labels" in told["change"].iloc[0]


@long
def test_which_store_is_the_first_makes_no_difference(apart: Apart, tmp_path: Path):
    other = tmp_path / "other.duckdb"
    merge_stores(apart.second, apart.first, other)
    assert read_tables(other, times=True) == read_tables(apart.merged, times=True)


@long
def test_a_store_merged_with_itself_stays_the_same(apart: Apart, tmp_path: Path):
    same = tmp_path / "same.duckdb"
    report = merge_stores(apart.first, apart.first, same)
    assert read_tables(same, times=True) == read_tables(apart.first, times=True)
    assert (report.settings, report.surplus) == ((), ())


@long
def test_what_is_merged_already_can_be_merged_again(apart: Apart, tmp_path: Path):
    again = tmp_path / "again.duckdb"
    merge_stores(apart.merged, apart.second, again)
    labels = read_table(again, "labels", times=True)
    assert labels == read_table(apart.merged, "labels", times=True)


def test_sessions_and_invitations_are_left_behind(apart: Apart):
    assert read_table(apart.first, "sessions", times=True)
    assert read_table(apart.merged, "sessions", times=True) == []
    assert apart.report.left["sessions"] == 2 * len(read_table(apart.first, "sessions", times=True))


def test_every_table_is_decided_about(apart: Apart):
    decided = [*CONTENT, *KEYED, *OF_COLLECTIONS, *OF_FIRST, *IN_ORDER]
    assert sorted(decided) == sorted(read_tables(apart.merged, times=False))


def merge_after(
    base: Base, folder: Path, first: Site, second: Site, **options: Any
) -> tuple[Path, MergeReport]:
    """Do something at each of two sites, and merge."""
    paths = [base.copy(folder, name) for name in ("first", "second")]
    for path, do in zip(paths, (first, second), strict=True):
        with opened(path) as store:
            do(store)
    merged = folder / "merged.duckdb"
    return merged, merge_stores(*paths, merged, **options)


@long
def test_of_two_current_labels_both_are_kept_and_the_later_is_current(base: Base, tmp_path: Path):
    key = page(base.bob)

    def say(*levels: int) -> Site:
        return lambda store: [judge(base, [store], key, level=level) for level in levels]

    merged, report = merge_after(base, tmp_path, say(0, 1), say(2, 3))
    assert report.events is not None
    (conflict,) = report.events.conflicts
    assert conflict.key[:3] == (base.collection_id, "t1", "d1")
    assert (conflict.first.level, conflict.second.level, conflict.is_same) == (1, 3, False)
    assert conflict.current == conflict.second.event_id
    with opened(merged) as store:
        assert store.labels.current(base.collection_id, base.bob)[key].level == 3
        judge(base, [store], key, level=0)
        assert store.labels.current(base.collection_id, base.bob)[key].level == 0
    assert_whole(merged)


@long
def test_assessors_over_k_keep_their_places_and_are_reported(base: Base, tmp_path: Path):
    merged, report = merge_after(
        base,
        tmp_path,
        lambda store: judge_all(store, base.collection_id, base.bob),
        lambda store: judge_all(store, base.collection_id, base.cara),
    )
    full = [one for one in report.surplus if (one.wanted, one.held) == (2, 3)]
    assert {one.topic_id for one in full} == {"t1", "t2"}
    assert_whole(merged)
    with opened(merged) as store:
        assert next_assignment(store, base.collection_id, base.bob) is None


@long
def test_a_free_place_is_filled_by_who_took_it_elsewhere(base: Base, tmp_path: Path):
    merged, report = merge_after(
        base, tmp_path, lambda store: judge_all(store, base.collection_id, base.bob), lambda _: None
    )
    assert report.surplus == ()
    first = tmp_path / "first.duckdb"
    assert read_table(merged, "slots", times=True) == read_table(first, "slots", times=True)


@long
def test_what_was_seen_at_one_site_marks_what_was_said_at_the_other(base: Base, tmp_path: Path):
    merged, _ = merge_after(
        base,
        tmp_path,
        lambda store: open_topic(store, base.collection_id, base.anna, "t2"),
        lambda store: judge(base, [store], page(base.anna, "d3", "t2"), level=3),
    )
    before = len(read_table(base.path, "labels_after_seeing", times=True))
    assert len(read_table(merged, "labels_after_seeing", times=True)) == before + 1
    assert_whole(merged)


@long
def test_guidelines_of_both_sites_are_versions_and_the_latest_holds(base: Base, tmp_path: Path):
    def write(text: str) -> Site:
        texts = {"name": "Study", "description": "", "guidelines": text, "by": base.olga}
        return lambda store: describe_collection(store, base.collection_id, **texts)

    merged, report = merge_after(base, tmp_path, write("Be quick."), write("Be slow."))
    versions = read_table(merged, "guidelines_versions", times=False)
    told = [row[2] for row in versions if row[0] == base.collection_id]
    assert told[-2:] == ["Be quick.", "Be slow."]
    assert not report.settings
    assert_whole(merged)


@long
def test_settings_that_differ_are_those_of_the_first_and_reported(base: Base, tmp_path: Path):
    def save(combine: str) -> Site:
        rule = QrelsRule("own", combine=combine)
        return lambda store: save_rule(store, base.collection_id, "own", rule.to_json(), base.olga)

    merged, report = merge_after(base, tmp_path, save("median"), save("mean"))
    told = {one.column: (one.first, one.second) for one in report.settings}
    assert "median" in told["rule"][0]
    assert "mean" in told["rule"][1]
    (own,) = [row for row in read_table(merged, "qrels_rules", times=False) if row[1] == "own"]
    assert "median" in own[2]


@long
def test_content_that_differs_is_refused_whole_with_what_and_where(base: Base, tmp_path: Path):
    def change(store: Store) -> None:
        with store.database.write() as cursor:
            cursor.execute("UPDATE documents SET text = 'Else' WHERE document_id IN ('d2', 'd5')")

    with pytest.raises(BadInput, match=r"2 × document not the same in both: '\w+, d2', '\w+, d5'"):
        merge_after(base, tmp_path, lambda _: None, change)
    assert not (tmp_path / "merged.duckdb").exists()


@long
def test_people_of_one_name_added_at_both_sites_are_asked_about(base: Base, tmp_path: Path):
    def invite(store: Store) -> None:
        person = add_person(store, "Dora", "assessor")
        add_member(store, base.collection_id, person, "Dora")
        judge(base, [store], page(person))

    with pytest.raises(BadInput, match=r"Dora.*the same name.*say in the mapping"):
        merge_after(base, tmp_path, invite, invite)
    paths = [tmp_path / "first.duckdb", tmp_path / "second.duckdb"]
    one, two = (tmp_path / f"{name}.duckdb" for name in ("one", "two"))
    report = merge_stores(*paths, one, people={"Dora": "Dora"})
    assert report.events is not None
    assert len(report.events.conflicts) == 1
    merge_stores(*paths, two, people={"Dora": "new"})
    for path, expected in ((one, 1), (two, 2)):
        assert_whole(path)
        with closing(Store(path, read_only=True)) as store:
            doras = [person for person in list_people(store) if person.name == "Dora"]
        assert len(doras) == expected


def test_nobody_who_was_erased_comes_back_from_the_other_store(base: Base, tmp_path: Path):
    def erase(store: Store) -> None:
        erase_person(store, base.bob, by=base.olga)

    with pytest.raises(BadInput, match="erase them in the other, too"):
        merge_after(base, tmp_path, erase, lambda _: None)


@long
def test_stores_that_each_imported_the_same_files_are_matched_by_name(tmp_path: Path):
    paths = [tmp_path / f"{name}.duckdb" for name in ("first", "second")]
    built = [build_study(path) for path in paths]
    merged = tmp_path / "merged.duckdb"
    with pytest.raises(BadInput, match="nobody in the first store"):
        merge_stores(*paths, merged, people={"Olga": "nobody"})
    report = merge_stores(*paths, merged)
    assert {one.how for one in report.collections} == {"name"}
    assert {one.name: one.how for one in report.people if one.how == "name"} == {
        "Anna": "name",
        "Bob": "name",
        "Olga": "name",
    }
    assert_whole(merged)
    with closing(Store(merged, read_only=True)) as store:
        assert find_person(store, built[0][1]).name == "Anna"


def test_stores_with_nothing_in_common_are_refused(base: Base, tmp_path: Path):
    Store(tmp_path / "empty.duckdb").close()
    with pytest.raises(BadInput, match="no collection in common"):
        merge_stores(base.path, tmp_path / "empty.duckdb", tmp_path / "merged.duckdb")


def test_a_store_that_exists_is_never_written_over(base: Base, tmp_path: Path):
    copy = base.copy(tmp_path, "copy")
    before = copy.read_bytes()
    with pytest.raises(BadInput, match="into a new file only"):
        merge_stores(base.path, base.path, copy)
    assert copy.read_bytes() == before


@long
def test_answers_and_announcements_of_both_are_kept(base: Base, tmp_path: Path):
    def talk(store: Store) -> None:
        announce(store, base.collection_id, "Lunch.", base.olga)
        for (question,) in (
            store.cursor().execute("SELECT question_id::VARCHAR FROM questions").fetchall()
        ):
            answer_question(store, base.collection_id, question, "Yes.", to_all=False, by=base.olga)

    merged, _ = merge_after(base, tmp_path, talk, talk)
    before = len(read_table(base.path, "notices", times=True))
    assert len(read_table(merged, "notices", times=True)) == before + 6
    assert_whole(merged)


@pytest.mark.parametrize("is_guarded", few([True, False]))
def test_nobody_may_read_results_by_what_the_second_store_says(
    base: Base, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, is_guarded: bool
):
    """Nor sign in, ask, invite or be told: what opens anything is the first store's alone."""

    def open_everything(store: Store) -> None:
        add_viewer(store, base.collection_id, base.cara)
        mallory = add_person(store, "Mallory", "organiser")
        set_password(store, mallory, "a cat, a hat and a bat")
        set_password(store, base.olga, "a cat, a hat and a bat")
        set_email(store, base.cara, "mallory@example.org")
        make_token(store, base.olga, "mine", SCOPES["organiser"])
        begin_session(store, base.olga)
        invite(store, base.olga)
        make_webhook(store, base.collection_id, "https://example.org/hook")

    if not is_guarded:
        monkeypatch.setattr(contents, "_keep_viewers", lambda _: [])
        monkeypatch.setattr(contents, "OF_FIRST", ())
        monkeypatch.setitem(contents.KEYED, "passwords", ("person_id",))
    merged, report = merge_after(base, tmp_path, lambda _: None, open_everything)
    rights = ("viewers", "passwords", "accounts", "tokens", "sessions", "invitations", "webhooks")
    first, found = (
        {name: read_table(path, name, times=False) for name in ("people", *rights)}
        for path in (tmp_path / "first.duckdb", merged)
    )
    gained = {name for name in rights if set(found[name]) - set(first[name])}
    assert gained == (set() if is_guarded else {"viewers", "passwords"})
    told = [(one.table, one.first, one.second) for one in report.settings]
    assert (("viewers", "not set", "set") in told) is is_guarded
    mine = {row for row in found["people"] if row in first["people"]}
    assert mine == set(first["people"])
