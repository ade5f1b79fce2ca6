"""Labels leave a study only with the consent of who gave them, under codes and without words."""

from uuid import uuid4

import pytest

from core.analysis.base.study import Study
from core.bundle.archive import read_archive
from core.bundle.choices import Choices
from core.bundle.making import make_bundle
from core.bundle.reproduction import reproduce
from core.collection.files.source import Source
from core.collection.formats import read_import
from core.errors import BadInput, NotFound, TooLittleData
from core.store.content.collections import create_collection
from core.store.content.gold import GoldItem, mark_gold
from core.store.content.imports import write_import
from core.store.content.scales import get_scales
from core.store.events.labels import Key, LabelEvent
from core.store.people.consent import answer_consent, set_consent_text
from core.store.people.members import add_member
from core.store.people.people import add_person
from core.store.people.roster import MACHINE, RosterEntry, edit_roster
from core.store.store import Store
from tests.core.bundle.conftest import TEST
from tests.short import long

NAMES = ("Anna Ahrendt", "Bob Berger", "Carla Cohn", "Dora Decker", "Emil Engine")
DOCUMENTS = tuple(f"d{number}" for number in range(8))
SECRET = "what somebody wrote"


@pytest.fixture(scope="module")
def judged(tmp_path_factory):
    """A study of two who agreed, one who did not, one never asked, a machine, and a file."""
    store = Store(tmp_path_factory.mktemp("judged") / "secretplace.duckdb")
    here = create_collection(store, "Judged")
    for kind, text in (
        ("topics", "t1\tfirst\nt2\tsecond\n"),
        ("documents", "id\ttext\n" + "".join(f"{one}\tText\n" for one in DOCUMENTS)),
        ("labels", "assessor\ttopic\tdocument\tlevel\nfiled\tt1\td1\t2\n"),
    ):
        options = {"scales": get_scales(store, here)} if kind == "labels" else {}
        write_import(store, here, read_import(kind, Source("f.tsv", text.encode()), **options))
    set_consent_text(store, here, "May we publish what you judge?")
    people = {name: add_person(store, name, "assessor") for name in NAMES}
    for number, (name, person) in enumerate(people.items()):
        add_member(store, here, person, name)
        keys = [
            Key(topic, one, "page", "", person, 0) for topic in ("t1", "t2") for one in DOCUMENTS
        ]
        store.labels.append(
            here,
            [
                LabelEvent(str(uuid4()), None, key, "level", (at + number // 2) % 4, 900, SECRET)
                for at, key in enumerate(keys)
            ],
        )
        repeat = keys[0]._replace(occasion=1)
        store.labels.append(here, [LabelEvent(str(uuid4()), None, repeat, "level", 3)])
        if number < 3:
            answer_consent(store, here, person, given=number < 2)
    edit_roster(store, here, {people[NAMES[4]]: RosterEntry("", MACHINE)})
    mark_gold(store, here, GoldItem("t1", "d1", "page", "", 2))
    yield Study(store, here, is_masked=False), people
    store.close()


def read_labels(study, **choices):
    made = make_bundle(study, Choices(test=TEST, **choices))
    entries = read_archive(made.content, "b.zip")
    text = entries.get("labels/labels.csv", b"").decode()
    return made, entries, [line.split(",") for line in text.splitlines()]


def test_only_labels_of_those_who_agreed_are_in_it(judged):
    made, entries, lines = read_labels(judged[0], labels=True)
    assert len({line[0] for line in lines[1:]}) == 2
    assert len(lines) == 1 + 2 * 2 * len(DOCUMENTS)
    assert (made.about.labels.assessors, made.about.labels.left_out) == (2, 3)
    assert b"Labels of 3 assessors are not published" in entries["README.md"]
    assert b"Agreement is that of the 2 whose labels are published" in entries["methods.md"]
    found = reproduce(made.content)
    assert found.is_reproduced
    reasons = {one.reason for one in found.parts if one.status == "not checked"}
    assert reasons == {"it rests on labels that are not published, too"}


@long
def test_who_is_known_by_files_only_comes_when_the_organiser_vouches(judged):
    _, _, lines = read_labels(judged[0], labels=True, imported_labels=True)
    assert len({line[0] for line in lines[1:]}) == 3


def test_without_being_asked_for_labels_stay_at_home(judged):
    made, entries, lines = read_labels(judged[0])
    assert lines == []
    assert (made.about.labels.assessors, made.about.labels.left_out) == (0, 5)
    assert "tables/agreement.csv" in entries


def test_nobody_is_named_and_nothing_else_is_told(judged):
    study, people = judged
    _, entries, lines = read_labels(study, labels=True, imported_labels=True)
    whole = b"\n".join(entries.values()).decode("utf-8", "replace")
    for secret in (*NAMES, *people.values(), "filed", SECRET, "secretplace", str(study.store.path)):
        assert secret not in whole
    assert not {"comment", "name", "time", "dwell_ms"} & set(lines[0])
    assert {line[lines[0].index("occasion")] for line in lines[1:]} == {"0"}
    assert all(line[0].startswith("a-") for line in lines[1:])
    assert study.collection_id not in whole


def test_a_version_of_one_assessor_cannot_be_had(judged):
    with pytest.raises(NotFound):
        make_bundle(judged[0], Choices(versions=[f"only {NAMES[0]}"], test=TEST))


def test_a_changed_mind_counts(judged):
    study, people = judged
    here = study.store, study.collection_id
    answer_consent(*here, people[NAMES[0]], given=False)
    try:
        _, _, lines = read_labels(study, labels=True)
        assert len({line[0] for line in lines[1:]}) == 1
    finally:
        answer_consent(*here, people[NAMES[0]], given=True)


def test_what_cannot_be_chosen_is_said(judged):
    with pytest.raises(BadInput, match="'some' is none of whole, hashes"):
        Choices(runs="some")
    with pytest.raises(BadInput, match="with labels only"):
        Choices(imported_labels=True)
    with pytest.raises(BadInput, match="at least one measure"):
        Choices(measures=())
    store = judged[0].store
    empty = Study(store, create_collection(store, "Empty"), is_masked=True)
    with pytest.raises(TooLittleData, match="neither qrels nor labels"):
        make_bundle(empty)
