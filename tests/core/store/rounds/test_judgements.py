"""What places of a round are asked for: the same as is handed out, in every flow."""

import shutil
import uuid
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pandas as pd
import pytest

from core.assessment.handing_out.next_assignment import left_to_judge
from core.assessment.handing_out.queue import Assignment, finish_assignment, take_assignment
from core.assessment.handing_out.steps import lay_out
from core.assessment.rounds.pair_rounds import open_pair_round
from core.assessment.rounds.rounds import Plan, close_round, open_round
from core.demo import load_demo
from core.store.events.labels import Key, LabelEvent
from core.store.people.members import add_member
from core.store.people.people import add_person
from core.store.rounds.judgements import read_items_at_k, read_missing, read_places
from core.store.rounds.rounds import FLOWS, SIDE_BY_SIDE, Round, get_round, list_rounds
from core.store.store import Store
from tests.short import few, long


@pytest.fixture(scope="module")
def demo_store(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """The demo with its round closed, to be copied, and the id of its collection."""
    path = tmp_path_factory.mktemp("demo") / "store.duckdb"
    with closing(Store(path)) as made:
        collection_id = load_demo(made)
        for graded in list_rounds(made, collection_id):
            close_round(made, graded.round_id, closed=True)
    return path, collection_id


@pytest.fixture
def store(tmp_path: Path, demo_store: tuple[Path, str]) -> Iterator[Store]:
    opened = Store(Path(shutil.copy(demo_store[0], tmp_path)))
    yield opened
    opened.close()


@pytest.fixture
def demo(demo_store: tuple[Path, str]) -> str:
    return demo_store[1]


@pytest.fixture
def anna(store: Store, demo: str) -> str:
    person = add_person(store, "Anna", "assessor")
    add_member(store, demo, person, "Anna")
    return person


def open_flow(store: Store, demo: str, flow: str, **more: object) -> Round:
    plan = Plan(flow=flow, judges=2, depth=3, batch_size=5, repeat_share=0.5, **more)  # type: ignore[arg-type]
    if flow in FLOWS:
        return get_round(store, open_round(store, demo, plan))
    kind = "systems" if flow.startswith("systems") else "documents"
    names = {
        "systems": ["lantern", "quarry", "almanac", "nobody"],
        "documents": [
            row[0]
            for row in store.cursor()
            .execute(
                "SELECT DISTINCT document_id FROM results "
                "WHERE topic_id = 't01' ORDER BY document_id LIMIT 7"
            )
            .fetchall()
        ],
    }[kind]
    pairs = pd.DataFrame(
        [("t01", kind, one, other) for at, one in enumerate(names) for other in names[at + 1 :]],
        columns=["topic_id", "kind", "first", "second"],
    )
    return get_round(store, open_pair_round(store, demo, plan, pairs))


def hand_out(rules: Round, row: object, who: str) -> Assignment:
    return Assignment(rules, row.topic_id, row.batch, row.slot, who)  # type: ignore[attr-defined]


def answer(store: Store, demo: str, step, who: str, level: int | None, **more: object) -> None:
    state = str(more.pop("state", "cannot judge" if level is None else "level"))
    event = LabelEvent(str(uuid.uuid4()), None, step.key(who), state, level, **more)  # type: ignore[arg-type]
    store.labels.append(demo, [event])


def place_of(store: Store, rules: Round, assignment: Assignment) -> pd.Series:
    places = read_places(store, rules).set_index(["topic_id", "batch", "slot"])
    return places.loc[(assignment.topic_id, assignment.batch, assignment.slot)]


@long
@pytest.mark.parametrize("flow", few([*FLOWS, *SIDE_BY_SIDE]))
def test_a_place_is_asked_for_what_is_handed_out_without_repeats(store, demo, anna, flow):
    rules = open_flow(store, demo, flow)
    places = read_places(store, rules)
    assert len(places) > 0
    for row in places.itertuples():
        steps = lay_out(store, hand_out(rules, row, anna)).steps
        assert row.items == sum(step.occasion == 0 for step in steps)
    assert places[["judged", "earlier", "passed", "cannot_judge"]].eq(0).all(axis=None)
    assert places["times"].isna().all()


@long
def test_documents_and_panels_that_cannot_be_shown_are_asked_for_nowhere(store, demo):
    rules = open_flow(store, demo, "systems side by side")
    items = read_places(store, rules).groupby("slot")["items"].sum()
    assert items.tolist() == [3, 3]  # of six pairs three are with a system that has no run


@pytest.mark.parametrize("flow", few([FLOWS[0], "snippets, then pages, side by side"]))
def test_answers_of_the_holder_are_counted_once_and_repeats_not_at_all(store, demo, anna, flow):
    rules = open_flow(store, demo, flow)
    mine = take_assignment(store, demo, anna)
    assert mine is not None
    steps = lay_out(store, mine).steps
    first = [step for step in steps if step.occasion == 0]
    answer(store, demo, first[0], anna, 1)
    answer(store, demo, first[1], anna, None)
    answer(store, demo, first[2], anna, None, state="later")
    answer(store, demo, next(step for step in steps if step.occasion), anna, 1)
    place = place_of(store, rules, mine)
    assert (place["judged"], place["cannot_judge"], place["earlier"]) == (2, 1, 0)
    assert len(place["times"]) == 2
    assert place["times"][0] <= place["times"][1]
    assert place["assessor_id"] == anna


@long
def test_what_was_said_before_the_round_or_by_import_is_not_of_the_round(store, demo, anna):
    rules = open_flow(store, demo, "page only")
    mine = take_assignment(store, demo, anna)
    assert mine is not None
    first, second, *_ = lay_out(store, mine).steps
    answer(store, demo, first, anna, 1, source="import")
    answer(store, demo, second, anna, 2)
    place = place_of(store, rules, mine)
    assert (place["judged"], place["earlier"]) == (1, 1)
    later = replace(rules, created_at=rules.created_at + timedelta(days=1))
    place = place_of(store, later, mine)
    assert (place["judged"], place["earlier"]) == (0, 2)


@long
def test_a_label_taken_back_is_asked_for_again(store, demo, anna):
    rules = open_flow(store, demo, "page only")
    mine = take_assignment(store, demo, anna)
    assert mine is not None
    step = lay_out(store, mine).steps[0]
    given = LabelEvent(str(uuid.uuid4()), None, step.key(anna), "level", 1)
    taken = LabelEvent(str(uuid.uuid4()), given.event_id, step.key(anna), "unjudged", None)
    store.labels.append(demo, [given])
    assert place_of(store, rules, mine)["judged"] == 1
    store.labels.append(demo, [taken])
    assert place_of(store, rules, mine)["judged"] == 0


@long
def test_pages_that_no_snippet_calls_for_are_passed_over_as_in_judging(store, demo, anna):
    rules = open_flow(store, demo, FLOWS[0], page_from=2)
    mine = take_assignment(store, demo, anna)
    assert mine is not None
    content = lay_out(store, mine)
    steps = [step for step in content.steps if step.occasion == 0]
    snippets = [step for step in steps if step.facet == "snippet"]
    by_document: dict[str, list] = {}
    for step in snippets:
        by_document.setdefault(step.document_id, []).append(step)
    low, high, *_ = sorted(by_document.values(), key=len, reverse=True)
    for step in low[:-1]:
        answer(store, demo, step, anna, 1)
    assert place_of(store, rules, mine)["passed"] == 0
    answer(store, demo, low[-1], anna, None)
    for step in high:
        answer(store, demo, step, anna, 2)
    place = place_of(store, rules, mine)
    assert place["passed"] == 1
    current = store.labels.current(demo, anna)
    left = {
        step
        for step in left_to_judge(content, current, anna)
        if step.occasion == 0
        and (step.facet == "snippet" or step.document_id == high[0].document_id)
    }
    uncertain = set(by_document) - {low[0].document_id, high[0].document_id}
    waiting = sum(step.facet == "page" and step.document_id in uncertain for step in steps)
    assert place["items"] - place["judged"] - place["passed"] == len(left) + waiting


def test_items_are_at_k_by_the_levels_of_the_holders_alone(store, demo, anna):
    rules = open_flow(store, demo, "page only")
    bob = add_person(store, "Bob", "assessor")
    add_member(store, demo, bob, "Bob")
    mine = take_assignment(store, demo, anna)
    his = take_assignment(store, demo, bob)
    assert mine is not None
    assert his is not None
    assert (mine.topic_id, mine.batch) == (his.topic_id, his.batch)
    topics = read_items_at_k(store, rules).set_index("topic_id")
    assert topics["at_k"].sum() == 0  # though simulated assessors gave labels to all of them
    steps = [step for step in lay_out(store, mine).steps if step.occasion == 0]
    for step in steps:
        answer(store, demo, step, anna, 1)
        answer(store, demo, step, bob, 2 if step != steps[0] else None)
    topic = read_items_at_k(store, rules).set_index("topic_id").loc[mine.topic_id]
    assert (topic["at_k"], topic["lacking"]) == (len(steps) - 1, 0)
    assert topic["complete"] == len(steps)  # that there is no level to give is an answer
    finish_assignment(store, mine)
    finish_assignment(store, his)
    topic = read_items_at_k(store, rules).set_index("topic_id").loc[mine.topic_id]
    assert (topic["at_k"], topic["lacking"]) == (len(steps) - 1, 1)


def test_missing_is_what_the_places_have_not_answered(store, demo, anna):
    rules = open_flow(store, demo, FLOWS[0], page_from=2)
    places, before = read_places(store, rules), read_missing(store, rules)
    assert before["missing"].sum() == places["items"].sum()
    mine = take_assignment(store, demo, anna)
    assert mine is not None
    steps = [step for step in lay_out(store, mine).steps if step.occasion == 0]
    document = steps[0].document_id
    snippets = [one for one in steps if (one.document_id, one.facet) == (document, "snippet")]
    for at, step in enumerate(snippets):
        answer(store, demo, step, anna, None if at else 1)  # so that nothing calls for the page
    now = read_missing(store, rules)
    places = read_places(store, rules)
    open_ones = places["items"] - places["judged"] - places["earlier"] - places["passed"]
    assert now["missing"].sum() == open_ones.sum()
    keys = ["topic_id", "document_id", "facet", "engine"]
    fewer = before.merge(now, on=keys, suffixes=("", "_now"))
    fewer = fewer[fewer["missing"] != fewer["missing_now"]]
    assert set(fewer["document_id"]) == {document}
    lost = (fewer["missing"] - fewer["missing_now"]).groupby(fewer["facet"]).sum()
    assert lost.to_dict() == {"page": 1, "snippet": len(snippets)}
    topics = read_items_at_k(store, rules)
    answered = places["judged"].sum() + places["passed"].sum()
    assert answered == len(snippets) + 1
    assert topics["complete"].sum() == (answered if rules.judges == 1 else 0)


@long
def test_adjudications_are_no_answers(store, demo, anna):
    rules = open_flow(store, demo, "page only")
    mine = take_assignment(store, demo, anna)
    assert mine is not None
    step = lay_out(store, mine).steps[0]
    key = Key(*step.key(anna)[:5], 0)
    event = LabelEvent(str(uuid.uuid4()), None, key, "level", 1, source="adjudicated")
    store.labels.append(demo, [event])
    assert place_of(store, rules, mine)["judged"] == 0
