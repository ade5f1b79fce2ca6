"""What somebody who is invited is told: how much waits, and for how long."""

import uuid

import pytest

from core.analysis.judging.waiting import waiting_for
from core.assessment.handing_out.queue import take_assignment
from core.assessment.rounds.rounds import Plan, open_round
from core.language.translate import speaking
from core.store.content.collections import close_collection
from core.store.events.labels import Key, LabelEvent
from tests.core.assessment.conftest import Small, small, small_store  # noqa: F401
from tests.short import long


def label(small: Small, document: str, facet: str, dwell: int) -> None:  # noqa: F811
    key = Key(document[:2], document, facet, "one" if facet == "snippet" else "", "bob", 0)
    event = LabelEvent(str(uuid.uuid4()), None, key, "level", 1, dwell_ms=dwell)
    small.store.labels.append(small.collection_id, [event])


@long
def test_without_a_round_nothing_waits(small: Small):  # noqa: F811
    found = waiting_for(small.store, small.collection_id, "anna")
    assert (found.tasks, found.items) == ((), 0)
    assert found.tell_size() == "nothing waits at the moment"


def test_what_others_may_take_is_an_upper_limit_and_the_time_is_not_made_up(small: Small):  # noqa: F811
    open_round(small.store, small.collection_id, Plan(judges=2, flow="page only"))
    found = waiting_for(small.store, small.collection_id, "anna")
    assert found.items == 12
    assert found.tasks == ("read pages and say how well each answers a query",)
    assert found.tell_size() == "up to 12 judgements; how long they take is not known yet"


def test_the_time_is_the_median_so_far(small: Small):  # noqa: F811
    open_round(small.store, small.collection_id, Plan(judges=2, flow="page only"))
    for number, dwell in ((1, 20_000), (2, 30_000), (3, 90_000)):
        label(small, f"t1d{number}", "page", dwell)
    found = waiting_for(small.store, small.collection_id, "anna")
    assert found.seconds == pytest.approx(12 * 30)
    assert found.tell_size() == "up to 12 judgements, about 6 minutes at the median time so far"
    with speaking("de"):
        told = "bis zu 12 Urteile, etwa 6 Minuten nach der bisherigen mittleren Zeit"
        assert found.tell_size() == told


def test_what_one_holds_counts_once_and_what_is_full_does_not(small: Small):  # noqa: F811
    open_round(small.store, small.collection_id, Plan(judges=1, flow="page only"))
    assert take_assignment(small.store, small.collection_id, "anna") is not None
    assert waiting_for(small.store, small.collection_id, "anna").items == 12
    assert waiting_for(small.store, small.collection_id, "bob").items == 8


def test_in_a_closed_collection_nothing_waits(small: Small):  # noqa: F811
    open_round(small.store, small.collection_id, Plan(judges=2, flow="page only"))
    close_collection(small.store, small.collection_id, closed=True)
    assert waiting_for(small.store, small.collection_id, "anna").items == 0


@pytest.mark.parametrize(
    ("flow", "word"),
    [
        pytest.param("snippet only", "snippets", marks=long),
        ("snippet then page", "then their pages"),
    ],
)
def test_each_flow_is_said_in_words(small: Small, flow: str, word: str):  # noqa: F811
    open_round(small.store, small.collection_id, Plan(judges=1, flow=flow))
    (task,) = waiting_for(small.store, small.collection_id, "anna").tasks
    assert word in task
