"""Judging side by side: sides balanced and recorded, nothing given away, repeats swapped."""

import shutil
from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from uuid import uuid4

import pandas as pd
import pytest

from core.assessment.handing_out.blinding import engine_code
from core.assessment.handing_out.next_assignment import next_assignment
from core.assessment.handing_out.queue import Assignment, take_assignment
from core.assessment.handing_out.side_by_side import opens_first, order_sides
from core.assessment.handing_out.steps import lay_out, scales_for
from core.assessment.intake.judging import Intake, grant_of
from core.assessment.rounds.growth import top_up
from core.assessment.rounds.pair_rounds import open_pair_round
from core.assessment.rounds.rounds import Plan, close_round
from core.collection.records import PAGE, PAIR, preference_scale
from core.demo import load_demo
from core.errors import BadInput
from core.store.events.frames import read_labels
from core.store.people.members import add_member
from core.store.people.people import add_person
from core.store.rounds.pairs import read_preferences
from core.store.rounds.rounds import SIDE_BY_SIDE, list_rounds
from core.store.store import Store
from tests.short import long

RESULTS, SYSTEMS = next(iter(SIDE_BY_SIDE)), "systems side by side"


@pytest.fixture(scope="module")
def demo_store(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """The demo without judged pairs, to be copied, and the id of its collection."""
    path = tmp_path_factory.mktemp("demo") / "store.duckdb"
    with closing(Store(path)) as made:
        collection_id = load_demo(made)
        for graded in list_rounds(made, collection_id):
            close_round(made, graded.round_id, closed=True)
        made.cursor().execute("DELETE FROM labels WHERE facet LIKE '% pair'")
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
def judges(store: Store, demo: str) -> list[str]:
    people = {add_person(store, name, "assessor"): name for name in ("Iris", "Jon")}
    for person, name in people.items():
        add_member(store, demo, person, name)
    return list(people)


def document_pairs(store: Store, demo: str, count: int = 6) -> pd.DataFrame:
    found = store.cursor().execute(
        "SELECT DISTINCT topic_id, document_id FROM results WHERE collection_id = ? "
        "AND topic_id = 't01' ORDER BY document_id",
        [demo],
    )
    names = [name for _, name in found.fetchall()][: count + 1]
    pairs = [("t01", "documents", one, other) for one, other in pairwise(names)]
    return pd.DataFrame(pairs, columns=["topic_id", "kind", "first", "second"])


def system_pairs() -> pd.DataFrame:
    return pd.DataFrame(
        [("t01", "systems", "lantern", other) for other in ("quarry", "lantern")],
        columns=["topic_id", "kind", "first", "second"],
    )


def hand_out(store: Store, demo: str, person: str):
    found = next_assignment(store, demo, person)
    assert found is not None
    return found


def answer(store: Store, assignment: Assignment, step, level: int, **more):
    key = step.key(assignment.assessor_id)
    event = {
        "event_id": str(uuid4()),
        "topic": key.topic_id,
        "document": key.document_id,
        "facet": key.facet,
        "engine": engine_code(store.secret, key),
        "occasion": key.occasion,
        "state": "level",
        "level": level,
        **more,
    }
    return Intake(store).accept(grant_of(assignment), [event])[0]


def test_snippets_come_before_pages_and_sides_are_balanced(store: Store, demo: str, judges):
    open_pair_round(store, demo, Plan(flow=RESULTS), document_pairs(store, demo))
    left: Counter[tuple[str, str]] = Counter()
    for person in judges:
        _, content = hand_out(store, demo, person)
        facets = [step.facet for step in content.steps]
        assert facets == ["snippet pair", "page pair"] * (len(facets) // 2)
        sides = {step.document_id: step.engine for step in content.steps}
        assert abs(list(sides.values()).count("first") - len(sides) / 2) <= 1
        left.update(sides.items())
    assert set(left.values()) == {1}


def test_which_side_opens_first_is_drawn_for_each_item_and_assessor(
    store: Store, demo: str, judges
):
    open_pair_round(store, demo, Plan(flow="pages side by side"), document_pairs(store, demo))
    assignment, content = hand_out(store, demo, judges[0])
    other = replace(assignment, assessor_id=judges[1])
    steps = [
        replace(content.steps[0], document_id=f"p{n}", engine=left)
        for n in range(400)
        for left in ("first", "second")
    ]
    drawn = [(step.engine, opens_first(assignment, step)) for step in steps]
    assert drawn == [(step.engine, opens_first(assignment, step)) for step in steps]
    assert set(Counter(drawn)) == {(x, y) for x in ("first", "second") for y in ("left", "right")}
    assert all(160 < number < 240 for number in Counter(drawn).values())  # 4 deviations
    same = sum(
        opens_first(other, step) == side for step, (_, side) in zip(steps, drawn, strict=True)
    )
    assert 340 < same < 460


def test_a_preference_is_stored_with_what_was_on_the_screen(store: Store, demo: str, judges):
    open_pair_round(store, demo, Plan(flow="pages side by side"), document_pairs(store, demo))
    said = {}
    for person in judges:
        assignment, content = hand_out(store, demo, person)
        for step, level in zip(content.steps, (-2, -1, 0, 1, 2, 2), strict=True):
            left, right = order_sides(
                content.pairs["t01", step.document_id, step.facet], step.engine
            )
            better = {-1: left, 1: right}.get((level > 0) - (level < 0), ({"document_id": "tie"},))
            said[person, step.document_id] = (
                left[0]["document_id"],
                better[0]["document_id"],
                abs(level),
            )
            assert answer(store, assignment, step, level)["status"] == "saved"
    found = read_preferences(store, demo)
    chosen = found["first"].where(found["choice"] == "first", found["second"])
    chosen = chosen.where(found["choice"] != "tie", "tie")
    rows = zip(found["assessor_id"], found["pair_id"], strict=True)
    assert said == dict(
        zip(rows, zip(found["left"], chosen, found["strength"], strict=True), strict=True)
    )
    assert set(found["facet"]) == {"page"}
    assert next_assignment(store, demo, judges[0]) is None
    assert not set(judges) & set(read_labels(store, demo)["assessor_id"])


def test_pairs_are_judged_on_the_scale_of_preferences_only(store: Store, demo: str, judges):
    open_pair_round(store, demo, Plan(flow="pages side by side"), document_pairs(store, demo))
    scales = scales_for(store, take_assignment(store, demo, judges[0]))
    assert scales == {PAGE + PAIR: preference_scale()}


@long
def test_repeats_come_at_the_end_with_their_sides_swapped(store: Store, demo: str, judges):
    plan = Plan(flow="snippets side by side", repeat_share=0.5)
    open_pair_round(store, demo, plan, document_pairs(store, demo))
    _, content = hand_out(store, demo, judges[0])
    once = {step.document_id: step.engine for step in content.steps if step.occasion == 0}
    again = [step for step in content.steps if step.occasion == 1]
    assert [step.occasion for step in content.steps] == [0] * 6 + [1] * 3
    assert all(step.engine != once[step.document_id] for step in again)


def test_panels_mark_what_both_show_and_leave_out_what_is_the_same(store: Store, demo: str, judges):
    open_pair_round(store, demo, Plan(flow=SYSTEMS), system_pairs())
    _, content = hand_out(store, demo, judges[0])
    (step,) = content.steps
    sides = content.pairs["t01", step.document_id, "panel pair"]
    places = {card["document_id"]: place for place, card in enumerate(sides["first"], start=1)}
    assert len(sides["first"]) == len(sides["second"]) == 10
    shared = {card["document_id"]: card["shared"] for card in sides["second"]}
    assert shared == {name: places.get(name) for name in shared}
    assert any(shared.values())
    assert all(card["text"] for card in sides["first"])


def test_no_pair_tells_what_is_in_it(store: Store, demo: str, judges):
    open_pair_round(store, demo, Plan(flow=SYSTEMS), system_pairs())
    _, content = hand_out(store, demo, judges[0])
    assert "lantern" not in repr(content)
    assert "quarry" not in repr(content)


def test_what_was_not_handed_out_is_refused(store: Store, demo: str, judges):
    open_pair_round(store, demo, Plan(flow="pages side by side"), document_pairs(store, demo))
    assignment, content = hand_out(store, demo, judges[0])
    assert answer(store, assignment, content.steps[0], 3)["status"] == "refused"
    other = answer(store, assignment, content.steps[0], 1, document="p-unknown")
    assert "not handed out" in other["reason"]


@long
def test_a_late_answer_counts_whichever_side_it_was_on(store: Store, demo: str, judges):
    open_pair_round(store, demo, Plan(flow="pages side by side"), document_pairs(store, demo))
    assignment = take_assignment(store, demo, judges[0])
    moved = Assignment(assignment.rules, assignment.topic_id, 0, 1, judges[0])
    for held, level in ((assignment, -1), (moved, 2)):
        assert answer(store, held, lay_out(store, held).steps[0], level)["status"] == "saved"
    found = read_preferences(store, demo)
    assert found["strength"].tolist() == [2]


@pytest.mark.parametrize(
    ("plan", "pairs", "match"),
    [
        (Plan(flow="page only"), True, "one thing at a time"),
        (Plan(flow=SYSTEMS), False, "no pair to compare"),
        (Plan(flow="upside down"), True, "the flow is one of"),
    ],
)
def test_a_plan_that_cannot_be_carried_out(store: Store, demo: str, plan, pairs, match):
    chosen = system_pairs()
    with pytest.raises(BadInput, match=match):
        open_pair_round(store, demo, plan, chosen if pairs else chosen.head(0))


def test_a_round_of_pairs_is_not_topped_up(store: Store, demo: str):
    made = open_pair_round(store, demo, Plan(flow=SYSTEMS), system_pairs())
    with pytest.raises(BadInput, match="not topped up"):
        top_up(store, made)
