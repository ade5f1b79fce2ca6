"""Passages as pages, the command and programs show them: one analysis, the same numbers."""

import pytest

from core.agreement.passages import F1
from core.analysis.agreement.passages import (
    Piece,
    ask_passages,
    cut_text,
    has_passages,
    passages_by_item,
    passages_of,
)
from core.analysis.base.study import Study
from core.store.content.collections import create_collection
from core.store.events.labels import Key
from core.store.people.pseudonyms import assessor_codes
from core.store.people.roster import RosterEntry, edit_roster
from tests.core.marked_study import CATS, DOGS, SNIPPET, TEXT, WHY, build_marked
from tests.short import long

OF_T1 = (1.0 + 0 + 0) / 3
SIZES = {one: one[1] - one[0] for one in (CATS, DOGS, WHY)}
OF_T2 = 2 * SIZES[CATS] / (2 * SIZES[CATS] + SIZES[DOGS])
OF_T5 = 2 * SIZES[CATS] / (2 * SIZES[CATS] + SIZES[WHY])
MEAN = (OF_T1 + OF_T2 + 0 + 1 + OF_T5) / 5


@pytest.fixture
def marked(store) -> str:
    return build_marked(store)


def test_items_with_two_people_and_how_far_they_agree(store, marked):
    study = Study(store, marked, is_masked=False)
    items = passages_by_item(study, "page").set_index("topic_id")
    assert items[F1].to_dict() == pytest.approx(
        {"t3": 0, "t1": OF_T1, "t5": OF_T5, "t2": OF_T2, "t4": 1}
    )
    assert items[F1].is_monotonic_increasing
    assert items.loc["t1", ["query", "title", "assessors", "characters"]].tolist() == [
        *("query t1", "Title t1", 3, len(TEXT)),
    ]
    found = ask_passages(study, "page")
    assert found.overall["value"].iloc[0] == pytest.approx(MEAN)
    assert found.overall["units"].tolist() == [5, 5]
    assert found.unlike == 1
    assert ask_passages(study, "snippet").unlike == 0


def test_whether_there_are_any_is_known_of_each_facet(store, marked):
    study = Study(store, marked, is_masked=False)
    assert has_passages(study, "page")
    edit_roster(
        store,
        marked,
        {one: RosterEntry("", "machine") for one in passages_of(study)["assessor_id"]},
    )
    only_machines = Study(store, marked, is_masked=False)
    assert not has_passages(only_machines, "page")
    assert not has_passages(Study(store, create_collection(store, "none"), is_masked=False), "page")


@long
def test_a_machine_takes_no_part_and_who_is_hidden_has_a_code(store, marked):
    edit_roster(store, marked, {"bob": RosterEntry("", "machine")})
    study = Study(store, marked, is_masked=True)
    codes = assessor_codes(store, marked, ["anna", "carla"])
    assert set(passages_of(study)["name"]) == set(codes.values())
    assert passages_by_item(study, "page")["topic_id"].tolist() == ["t1"]


@long
def test_a_text_is_cut_where_any_passage_begins_or_ends(store, marked):
    study = Study(store, marked, is_masked=False)
    assert cut_text(study, Key("t2", "t2d", "page", "", "", 0)) == [
        Piece(TEXT[:18], ("Anna", "Bob")),
        Piece(" ", ()),
        Piece(TEXT[19:35], ("Bob",)),
        Piece(TEXT[35:], ()),
    ]
    assert cut_text(study, Key("t1", "t1d", "snippet", "e1", "", 0)) == [
        Piece(SNIPPET[:4], ("Anna",)),
        Piece(SNIPPET[4:], ()),
    ]
    assert cut_text(study, Key("t1", "elsewhere", "page", "", "", 0)) == []
