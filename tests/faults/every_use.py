"""Every kind of read and write on what a store already holds, and on what is added to it."""

import uuid
from collections.abc import Callable, Iterator
from pathlib import Path

from core.assessment.handing_out.matrix import read_slot_states
from core.assessment.rounds.growth import top_up
from core.assessment.rounds.rounds import close_round
from core.command.checks.everyday import use_store
from core.store.audit.audit import AuditFilter, list_actors, read_audit, span_audit
from core.store.backup.backup import restore_backup, verify_backup, write_backup
from core.store.content.collections import close_collection, describe_collection, list_collections
from core.store.content.documents import get_document
from core.store.content.gold import list_gold, mark_gold, take_over_gold, unmark_gold
from core.store.content.practice import (
    add_practice_item,
    list_practice_items,
    read_candidates,
    remove_practice_item,
)
from core.store.content.saved_rules import delete_rule, list_rules, save_rule
from core.store.content.scales import get_scales, replace_scale
from core.store.events.frames import (
    count_contents,
    list_qrels,
    read_document_index,
    read_labels,
    read_qrels,
    read_results,
    read_runs,
    read_subtopics,
    read_topics,
)
from core.store.events.labels import LabelEvent
from core.store.people.members import (
    add_member,
    add_viewer,
    drop_member,
    list_members,
    list_viewers,
    remove_viewer,
)
from core.store.people.passwords import (
    find_by_password,
    has_password,
    remove_password,
    set_password,
)
from core.store.people.people import accept_invitation, find_session, invite, list_people
from core.store.people.sessions import disable_person, enable_person, end_sessions, list_sessions
from core.store.rounds.lessons import current_lesson, list_lessons, stop_joining
from core.store.rounds.rounds import list_rounds, read_pool, read_slots
from core.store.store import Store

PASSWORD = "a cat, a hat and a bat"


def read_everything(store: Store) -> None:
    """Read a store as its pages do."""
    for reading in (list_people, list_sessions, list_lessons, current_lesson, list_actors):
        reading(store)
    read_audit(store, AuditFilter(), span_audit(store, AuditFilter()).entries)
    for one in list_collections(store):
        collection_id = one.collection_id
        for listing in (
            *(count_contents, get_scales, list_gold, list_practice_items, list_members),
            *(list_viewers, list_rules, list_qrels, read_labels, read_runs, read_results),
            *(read_topics, read_subtopics, read_document_index, read_slot_states),
        ):
            listing(store, collection_id)
        for name in list_qrels(store, collection_id):
            read_qrels(store, collection_id, name)
        for topic in read_topics(store, collection_id)["topic_id"]:
            for facet in ("snippet", "page"):
                read_candidates(store, collection_id, topic, facet)
        for document in read_document_index(store, collection_id)["document_id"]:
            get_document(store, collection_id, document)
        for rules in list_rounds(store, collection_id):
            read_pool(store, rules.round_id)
        read_slots(store.cursor(), collection_id)
        store.current_labels.get(collection_id, store.labels.sequence(collection_id))


def let_everybody_in(store: Store) -> None:
    """Sign in everybody who may, by a link and by a password, and let them go again."""
    for person in list_people(store):
        token = accept_invitation(store, invite(store, person.person_id))
        assert find_session(store, token) == person
        set_password(store, person.person_id, PASSWORD, keep_session=token)
        assert has_password(store, person.person_id)
    assert find_by_password(store, list_people(store)[0].name, PASSWORD)
    for person in list_people(store):
        remove_password(store, person.person_id)
        end_sessions(store, person.person_id)
        if person.role != "organiser":
            disable_person(store, person.person_id)
            enable_person(store, person.person_id)


def revise_every_label(store: Store) -> None:
    """Replace every label that stands by one that says the same."""
    for one in list_collections(store):
        authors = {
            author
            for (author,) in store.cursor()
            .execute("SELECT DISTINCT assessor_id FROM labels WHERE collection_id = ?",
                     [one.collection_id]).fetchall()
        }  # fmt: skip
        for author in authors:
            events = [
                LabelEvent(str(uuid.uuid4()), held.event_id, key, held.state, held.level)
                for key, held in store.labels.current(one.collection_id, author).items()
            ]
            receipts = store.labels.append(one.collection_id, events)
            assert not any(receipt.stale for receipt in receipts)


def change_every_collection(store: Store) -> None:
    """Change whatever an organiser can change in what is there, and back again."""
    for one in list_collections(store):
        collection_id = one.collection_id
        texts = {"description": "Looked at again.", "guidelines": one.guidelines}
        describe_collection(store, collection_id, name=one.name, **texts)
        for facet, levels in get_scales(store, collection_id).items():
            replace_scale(store, collection_id, facet, levels)
        for item in list_gold(store, collection_id):
            unmark_gold(store, collection_id, item)
            mark_gold(store, collection_id, item)
        take_over_gold(store, collection_id)
        for item in list_practice_items(store, collection_id):
            remove_practice_item(store, collection_id, item)
            add_practice_item(store, collection_id, item)
        for name, rule in list_rules(store, collection_id).items():
            delete_rule(store, collection_id, name)
            save_rule(store, collection_id, name, rule)
        for rules in list_rounds(store, collection_id):
            close_round(store, rules.round_id, closed=True)
            close_round(store, rules.round_id, closed=False)
            if rules.flow != "pages side by side":
                top_up(store, rules.round_id)
        people = {person.person_id for person in list_people(store)}
        for member in list_members(store, collection_id)["assessor_id"]:
            drop_member(store, collection_id, member)
            if member in people:
                add_member(store, collection_id, member, member)
        for person in people:
            add_viewer(store, collection_id, person)
            remove_viewer(store, collection_id, person)
        close_collection(store, collection_id, closed=True)
        close_collection(store, collection_id, closed=False)
    for lesson in list_lessons(store):
        stop_joining(store, lesson, stopped=True)


def back_up(store: Store) -> None:
    """Write a backup, read it back, restore it."""
    archive = store.path.with_name("backup.zip")
    rows = write_backup(store, archive)
    assert verify_backup(archive) == rows
    restore_backup(archive, store.path.with_name("restored.duckdb"))


def do_it_all_anew(store: Store) -> None:
    """Do all that ``dissent check`` does in a copy."""
    for _ in use_store(store):
        pass


def merge(store: Store) -> None:
    """Merge the log into the file."""
    store.cursor().execute("FORCE CHECKPOINT")


def delete_everything(store: Store) -> None:
    """Take every row out through its table's index."""
    tables = store.cursor().execute("SELECT table_name FROM duckdb_tables()").fetchall()
    with store.database.write() as cursor:
        for (table,) in tables:
            cursor.execute(f"DELETE FROM {table}")
    merge(store)


USES: tuple[Callable[[Store], None], ...] = (
    read_everything,
    let_everybody_in,
    revise_every_label,
    change_every_collection,
    do_it_all_anew,
    merge,
    read_everything,
    back_up,
    delete_everything,
)


def use_all(path: Path) -> Iterator[str]:
    """Do all of it; yields what was done."""
    store = Store(path)
    try:
        for use in USES:
            use(store)
            yield use.__name__
    finally:
        store.close()
