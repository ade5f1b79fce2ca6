"""The history names nobody once people are hidden, and loses nothing else by it."""

import re
import uuid
from dataclasses import replace

import pandas as pd
import pytest

from core.assessment.handing_out.queue import take_assignment
from core.assessment.rounds.rounds import Plan, open_round
from core.collection.files.source import Source
from core.collection.formats import read_import
from core.store.audit.audit import AuditFilter, read_audit
from core.store.audit.audit_codes import hide_people
from core.store.content.collections import create_collection, describe_collection
from core.store.content.gold import GoldItem, mark_gold
from core.store.content.imports import write_import
from core.store.content.saved_rules import save_rule
from core.store.content.scales import get_scales, replace_scale
from core.store.events.labels import Key, LabelEvent
from core.store.people.accounts import find_by_claims, set_email
from core.store.people.members import add_member, add_viewer, drop_member
from core.store.people.people import accept_invitation, add_person, invite
from core.store.people.pseudonyms import assessor_codes
from core.store.store import Store
from core.versions.rules import QrelsRule
from tests.short import long

NAMES = ("Wilhelmina", 'Bartholomew "Bart" O\'Hara', "Ermintrude", "Vera-Viewer")
MAIL, SUBJECT = "ermintrude@example.org", "subject-0815"
FILES = {
    "topics": "id\tquery\n1\tjaguar\n2\tpuma\n",
    "documents": '{"id": "d1", "text": "A cat."}\n{"id": "d2", "text": "A car."}\n',
    "runs": "1 Q0 d1 1 2.5 s1\n2 Q0 d2 1 3.5 s1\n",
    "labels": "assessor\ttopic\tdocument\tlevel\n1\t1\td1\t1\nlancer-one\t1\td1\t3\n",
}


def tell(store: Store) -> pd.DataFrame:
    return hide_people(store, read_audit(store, AuditFilter(), 9_999))


@pytest.fixture
def collection(store: Store) -> str:
    collection_id = create_collection(store, "Small")
    for kind, text in FILES.items():
        options = {"scales": get_scales(store, collection_id)} if kind == "labels" else {}
        source = Source(f"{kind}-Ermintrude.tsv", text.encode())
        write_import(store, collection_id, read_import(kind, source, **options))
    return collection_id


@pytest.fixture
def people(store: Store, collection: str) -> list[str]:
    """Everybody with a name; they have done all that the history tells about people."""
    olga, bart, erna, vera = (
        add_person(store, name, role, "")
        for name, role in zip(NAMES, ("organiser", "assessor", "assessor", "viewer"), strict=True)
    )
    for one in (bart, erna):
        accept_invitation(store, invite(store, one, olga))
        add_member(store, collection, one, NAMES[1] if one == bart else NAMES[2], by=olga)
    open_round(store, collection, Plan(judges=1, name="For Wilhelmina", assessors=(bart,)), olga)
    take_assignment(store, collection, bart)
    drop_member(store, collection, bart, erna, olga)
    add_viewer(store, collection, vera, olga)
    set_email(store, erna, MAIL, olga)
    claims = {"iss": "https://id", "sub": SUBJECT, "email": MAIL, "email_verified": True}
    find_by_claims(store, claims)
    rule = QrelsRule("of three", assessors=("1", "lancer-one", erna), topics=("1",))
    save_rule(store, collection, rule.name, rule.to_json(), olga)
    texts = {"name": "Small", "description": f"Ask {MAIL}.", "guidelines": "By Ermintrude!"}
    describe_collection(store, collection, **texts, by=olga)
    mark_gold(store, collection, GoldItem("1", "d1", "page", "", 1), olga)
    return [olga, bart, erna, vera]


def test_nobody_is_named_anywhere(store: Store, collection: str, people: list[str]):
    open_table = read_audit(store, AuditFilter(), 9_999).to_csv()
    for word in (*people, "Wilhelmina", "Bartholomew", "Ermintrude", "Vera", SUBJECT, MAIL):
        assert word in open_table
    table = tell(store).to_csv()
    for word in (*people, "Wilhelmina", "Bart", "Hara", "Ermintrude", "Vera", SUBJECT, MAIL):
        assert word not in table
    assert "lancer-one" not in table


@long
def test_everything_else_is_as_it_was(store: Store, collection: str, people: list[str]):
    given, hidden = read_audit(store, AuditFilter(), 9_999), tell(store)
    untouched = given.columns.difference(["person", "person_id", "subject", "change"])
    pd.testing.assert_frame_equal(given[untouched], hidden[untouched])
    assert list(given.columns) == list(hidden.columns)
    linked = hidden["what"] == "link identity"
    assert hidden.loc[linked, "change"].tolist() == ["identity: none → changed"]
    coded = hidden["change"].str.contains("a-[0-9a-f]{10}") | linked
    pd.testing.assert_series_equal(given["change"][~coded], hidden["change"][~coded])
    assert set(hidden["kind"][coded]) == {"people", "assignments", "qrels versions", "collections"}


@long
def test_an_assessor_called_by_a_number_is_hidden_and_numbers_are_not(
    store: Store, collection: str, people: list[str]
):
    hidden = tell(store)
    one, erna = assessor_codes(store, collection, ["1", people[2]]).values()
    (rule,) = hidden.loc[hidden["kind"] == "qrels versions", "change"]
    assert f'"{one}"' in rule
    assert f'"{erna}"' in rule
    assert rule.endswith('"topics": ["1"]}')
    assert f"assessor {one}" in set(hidden["subject"])
    labels = hidden[(hidden["kind"] == "labels") & (hidden["person_id"] == one)]
    assert labels["subject"].tolist() == ["topic 1, document d1, page"]
    assert labels["change"].tolist() == ["none → 1 Rel"]
    assert labels["person"].tolist() == [one]
    imports = set(hidden.loc[hidden["kind"] == "imports", "change"])
    assert "read 2 topics; added 2 topics" in imports


@long
def test_codes_are_those_of_the_other_files_of_the_collection(
    store: Store, collection: str, people: list[str]
):
    hidden = tell(store)
    bart, erna = people[1:3]
    here, everywhere = (assessor_codes(store, place, people) for place in (collection, ""))
    inside = hidden[hidden["collection_id"] == collection]
    assert set(inside["person_id"]) - {""} > {here[people[0]], here[bart]}
    (dropped,) = inside[inside["what"] == "drop"].itertuples()
    assert (dropped.subject, dropped.change) == (
        f"assessor {here[bart]}",
        f"replaced by {here[erna]}",
    )
    handed = inside[inside["what"] == "hand on"]
    assert set(handed["change"]) == {f'assessor: "{here[bart]}" → "{here[erna]}"'}
    assert f"viewer {here[people[3]]}" in set(inside["subject"])
    outside = hidden[(hidden["collection_id"] == "") & (hidden["what"] == "add")]
    assert f"person {everywhere[bart]}" in set(outside["subject"])
    added = f'name: none → "{everywhere[bart]}"; role: none → "assessor"'
    assert added in set(outside["change"])
    assert set(hidden.loc[hidden["person_id"] == "", "person"]) == {"command line"}


@long
def test_names_go_before_parts_of_them_and_in_whole_words_only(store: Store, collection: str):
    ann, both = (add_person(store, name, "assessor") for name in ("Ann", "Ann Bell"))
    texts = {"name": "Small", "description": "", "guidelines": "Ann Bell asks Ann; Annual."}
    describe_collection(store, collection, **texts)
    hidden = tell(store)
    codes = assessor_codes(store, collection, [ann, both])
    told = f"{codes[both]} asks {codes[ann]}; Annual."
    assert any(told in change for change in hidden["change"])


@long
def test_a_name_that_two_have_stands_for_the_one_in_this_collection(store: Store, collection: str):
    there, here = create_collection(store, "Other"), collection
    for place, one in ((there, "id-there"), (here, "id-here"), (there, "id-last")):
        add_member(store, place, one, "Student one")
    hidden = tell(store)
    code = assessor_codes(store, here, ["id-here"])["id-here"]
    (added,) = hidden.loc[hidden["subject"] == f"assessor {code}", "change"]
    assert added.startswith(f'name: none → "{code}"')


ODD = ("a1", "a1, a2", "Li", "李明", "7", "12345", "–", "A B")


def tells(text: str) -> bool:
    """Tell whether a text names one of these, as a part of a list, in quotes or as a word."""
    told = re.sub("a-[0-9a-f]{10}", "", text)
    parts = re.split(r"""[,;:] | – | and |["'\n()]|↵""", told)
    words = re.compile(rf"(?<![^\W_])({'|'.join(one for one in ODD if one != '–')})(?![^\W_])")
    return any(part in ODD for part in parts) or bool(words.search(told))


def test_nobody_is_named_whatever_they_are_called(store: Store, collection: str):
    """Free words are in quotes, or the name of a file or of a version."""
    olga = add_person(store, "–", "organiser")
    ids = [add_person(store, f"{name} ", "assessor", olga) for name in ODD if name != "–"]
    for one, name in zip(ids, ODD, strict=False):
        add_member(store, collection, one, name, by=olga)
    lines = [f"{name}\t1\td1\t1" for name in ODD]
    source = Source("of 7.tsv", "\n".join(["assessor\ttopic\tdocument\tlevel", *lines]).encode())
    options = {"scales": get_scales(store, collection)}
    write_import(store, collection, read_import("labels", source, **options), name="by Li", by=olga)
    open_round(store, collection, Plan(judges=1, name="For 7 and 'Li'", assessors=(ids[0],)), olga)
    texts = {"name": "Small", "description": "Ask A B.", "guidelines": 'Ask "Li"\n– or 李明!'}
    describe_collection(store, collection, **texts, by=olga)
    rule = QrelsRule("Li against 7", assessors=("7", "12345", "a1, a2"), topics=("1", "2"))
    save_rule(store, collection, rule.name, rule.to_json(), olga)
    given, hidden = read_audit(store, AuditFilter(), 9_999), tell(store)
    changes = hidden["sequence"].isna()
    for column in ("person", "subject", "change"):
        assert sum(map(tells, given.loc[changes, column])) > 2, "without the guard it does"
        assert [text for text in hidden.loc[changes, column] if tells(text)] == []
    (told,) = hidden.loc[hidden["kind"] == "qrels versions", "change"]
    assert QrelsRule.from_json(told.partition(": ")[2]).topics == ("1", "2")
    imports = set(hidden.loc[hidden["kind"] == "imports", "change"])
    assert any(text.startswith("read 8 labels, 8 assessors") for text in imports), imports
    labels = hidden[hidden["kind"] == "labels"]
    assert set(labels["subject"]) == {"topic 1, document d1, page"}


@long
def test_levels_and_numbers_stay_whoever_is_called_like_them(store: Store, collection: str):
    for name in ("1", "2", "Rel", "page only", "Key"):
        add_member(store, collection, f"id-{name}", name)
    scale = [replace(one, meaning="1 or 2") for one in get_scales(store, collection)["page"]]
    replace_scale(store, collection, "page", tuple(scale))
    mark_gold(store, collection, GoldItem("1", "d1", "page", "", 1), "")
    given, hidden = read_audit(store, AuditFilter(), 9_999), tell(store)
    for kind in ("scales", "gold", "imports"):
        assert (given["kind"] == kind).any()
        chosen = given["kind"] == kind
        assert given.loc[chosen, "change"].tolist() == hidden.loc[chosen, "change"].tolist()


@long
def test_comments_stay(store: Store, collection: str, people: list[str]):
    key = Key("1", "d1", "page", "", people[2], 0)
    event = LabelEvent(str(uuid.uuid4()), None, key, "level", 1, comment="So says Wilhelmina.")
    store.labels.append(collection, [event])
    assert '"So says Wilhelmina."' in tell(store)["change"].iloc[0]


def test_nothing_stays_nothing(tmp_path):
    store = Store(tmp_path / "empty.duckdb")
    assert tell(store).empty
    store.close()
