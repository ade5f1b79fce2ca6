"""How many judgements a planned round asks for, and how long they take."""

import uuid
from pathlib import Path

import pytest

from core.analysis.base.study import Study
from core.analysis.judging.outlook import SECONDS, outlook_of, tell_pairs
from core.assessment.handing_out.queue import take_assignment
from core.assessment.handing_out.steps import lay_out
from core.assessment.rounds.rounds import Plan, open_round
from core.store.content.collections import create_collection
from core.store.events.labels import Key, LabelEvent
from core.store.people.members import add_member
from core.wording import tell_hours
from tests.core.assessment.conftest import Small, small, small_store  # noqa: F401
from tests.each import each
from tests.short import few, long

PAGES = Plan(judges=2, flow="page only")


def study(small: Small) -> Study:  # noqa: F811
    return Study(small.store, small.collection_id, False)


def label(small: Small, assessor: str, document: str, facet: str, dwell: int) -> None:  # noqa: F811
    key = Key(document[:2], document, facet, "one" if facet == "snippet" else "", assessor, 0)
    event = LabelEvent(str(uuid.uuid4()), None, key, "level", 1, dwell_ms=dwell)
    small.store.labels.append(small.collection_id, [event])


def test_without_times_one_is_assumed_and_said(small: Small):  # noqa: F811
    found = outlook_of(study(small), PAGES)
    assert (found.documents, found.topics, found.judgements) == (12, 3, 24)
    assert found.hours == pytest.approx(24 * SECONDS / 3600)
    assert found.is_assumed
    assert found.tell() == (
        "24 judgements, about 6 minutes (assumed 15 s each), of 12 documents in 3 topics"
    )


def test_times_are_medians_by_facet(small: Small):  # noqa: F811
    for number, dwell in ((1, 10_000), (2, 20_000), (3, 90_000)):
        label(small, "anna", f"t1d{number}", "page", dwell)
    label(small, "anna", "t1d1", "snippet", 4_000)
    found = outlook_of(study(small), Plan(judges=1, repeat_share=0.5))
    assert found.judgements == round(18 * 1.5) + round(12 * 1.5)
    assert found.hours == pytest.approx((27 * 4 + 18 * 20) / 3600)
    assert "at the median time so far" in found.tell()
    assert found.labelled == 3


def test_a_facet_without_times_takes_the_mean_of_the_others(small: Small):  # noqa: F811
    label(small, "anna", "t1d1", "page", 30_000)
    found = outlook_of(study(small), Plan(judges=1, flow="snippet only"))
    assert found.hours == pytest.approx(18 * 30 / 3600)


@pytest.mark.parametrize("flow", few(["snippet then page", "page only", "snippet only"]))
def test_it_is_what_the_slots_of_the_round_ask_for(small: Small, flow):  # noqa: F811
    label(small, "anna", "t1d1", "page", 0)
    label(small, "bob", "t1d1", "snippet", 0)
    plan = Plan(judges=2, flow=flow, share=0.7, lacking=2)
    told = outlook_of(study(small), plan)
    add_member(small.store, small.collection_id, "fay", "Fay")
    open_round(small.store, small.collection_id, plan)
    asked = 0
    for number in range(6):
        name = f"p{number}"
        add_member(small.store, small.collection_id, name, name)
        while given := take_assignment(small.store, small.collection_id, name):
            asked += len(lay_out(small.store, given).steps)
            with small.store.database.write() as cursor:
                cursor.execute("UPDATE slots SET finished_at = now() WHERE assessor_id = ?", [name])
    assert asked == told.judgements


@long
def test_other_rounds_over_the_same_documents_are_named(small: Small):  # noqa: F811
    assert outlook_of(study(small), PAGES).shared == {}
    open_round(small.store, small.collection_id, Plan(name="First", depth=1))
    open_round(small.store, small.collection_id, Plan(name="Second", share=0.3))
    assert outlook_of(study(small), PAGES).shared == {"First": 6, "Second": 4}


def test_an_empty_collection_asks_for_nothing(tmp_path: Path, small: Small):  # noqa: F811
    empty = create_collection(small.store, "Empty")
    found = outlook_of(Study(small.store, empty, False), PAGES)
    assert (found.documents, found.judgements, found.shared) == (0, 0, {})


@each(
    ("hours", "said"),
    [(0.001, "1 minute"), (1.99, "119 minutes"), (2, "2 h"), (5.9, "6 h"), (1234, "1,234 h")],
)
def test_times_are_rounded_as_people_say_them(hours, said):
    assert tell_hours(hours) == said


def test_pairs_have_no_known_time():
    assert tell_pairs(10, 2, 3) == "60 judgements, of 10 pairs by 3 assessors each"
