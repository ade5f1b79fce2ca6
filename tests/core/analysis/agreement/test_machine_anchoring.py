"""Anchoring in a round as a study sees it: which half, what became of it, and how it is told."""

import uuid

import numpy as np
import pandas as pd
import pytest

from core.analysis.agreement.afterwards import describe_given
from core.analysis.agreement.machine_anchoring import (
    answer_anchoring,
    drift_of,
    halves_by_assessor,
    halves_of,
    require_showing,
    showing_rounds_of,
    shown_labels_of,
)
from core.analysis.base.study import Study
from core.assessment.intake.judging import Intake
from core.assessment.rounds.rounds import Plan, close_round, open_round
from core.errors import NotFound, TooLittleData
from core.machines.anchoring import FIRST, ONE_SIDE, QUESTIONS, REVISED
from core.store.machines.machines import Machine, describe_machine
from tests.core.assessment.conftest import Small, small, small_store
from tests.core.assessment.test_showing import MACHINE, PAGES, Desk, let_machine_judge
from tests.each import each
from tests.short import long

__all__ = ["small", "small_store"]


@pytest.fixture
def opened(small: Small) -> str:
    describe_machine(small.store, small.collection_id, MACHINE, Machine("LLM", "model_7"))
    let_machine_judge(small)
    return open_round(small.store, small.collection_id, PAGES)


@pytest.fixture
def judged(small: Small, opened: str) -> str:
    """Anna judges a topic; what she is told at its end she takes over."""
    desk = Desk(small, opened, Intake(small.store))
    given = {step.key(desk.who): desk.event(step, 1) for step in desk.steps}
    desk.send(*given.values())
    for key, level in desk.tell_keys().items():
        own = given[key]
        again = {"event_id": str(uuid.uuid4()), "supersedes": own["event_id"], "level": level}
        desk.send(own | again)
    return opened


def study_of(small: Small, *, is_masked: bool = False) -> Study:
    return Study(small.store, small.collection_id, is_masked)


@long
def test_the_round_is_listed_and_others_are_not(small: Small, opened: str):
    open_round(small.store, small.collection_id, Plan(name="Plain"))
    assert showing_rounds_of(study_of(small)) == {opened: "Round 1"}
    with pytest.raises(NotFound):
        require_showing(study_of(small), "r-0")


def test_before_anybody_judged_there_is_nothing_to_tell(small: Small, opened: str):
    with pytest.raises(TooLittleData):
        halves_of(study_of(small), opened)


@long
def test_the_half_that_was_drawn_is_the_one_that_was_told(small: Small, judged: str):
    labels = shown_labels_of(study_of(small), judged)
    last = labels[labels["topic_id"] == labels["topic_id"].iloc[-1]]
    assert last["shown"].tolist() == last["told"].tolist()
    assert (labels.loc[labels["told"], "last"] == 3).all()
    assert (labels.loc[~labels["told"], "last"] == 1).all()
    assert (labels[["first", "machine"]].to_numpy() == [1, 3]).all()
    assert set(labels["assessor_id"]) == {"anna"}


@long
def test_a_viewer_sees_codes_and_the_same_halves(small: Small, judged: str):
    own, masked = (shown_labels_of(study_of(small, is_masked=one), judged) for one in (False, True))
    assert "anna" not in set(masked["assessor_id"])
    assert own["shown"].tolist() == masked["shown"].tolist()
    assert len(halves_by_assessor(study_of(small), judged)) == len(QUESTIONS)
    assert drift_of(study_of(small), judged)["shown_items"].iloc[0] == own["shown"].sum()


@long
def test_what_was_judged_late_is_in_its_half_though_nothing_was_told(small: Small, opened: str):
    desk = Desk(small, opened, Intake(small.store))
    drawn = desk.drawn()
    desk.send(desk.event(desk.drawn(False)))
    close_round(small.store, opened, closed=True)
    desk.send(desk.event(drawn))
    rows = shown_labels_of(study_of(small), opened)
    # Given after the round was closed, a label is still of the only round that asked for it.
    late = rows.set_index("document_id").loc[drawn.document_id]
    assert late[["shown", "told"]].tolist() == [True, False]


@long
def test_what_was_changed_is_said_to_be_left_out(small: Small, judged: str):
    said = describe_given(study_of(small))
    assert said.endswith("that assessors made after seeing a machine's labels are left out")


def rows(low: float, high: float, reason: str = "", difference: float = 0.1) -> pd.DataFrame:
    table = pd.DataFrame({"question": QUESTIONS})
    return table.assign(
        shown=0.12, shown_items=100, other=0.02, other_items=90, difference=difference,
        low=low, high=high, topics=10, reason=reason,
    )  # fmt: skip


@each(
    ("halves", "said"),
    [
        (
            rows(0.04, 0.16),
            ["revised **12%**", "+10 percentage points, 95 % limits [4, 16]", "revise more"],
        ),
        (rows(-0.2, -0.1, difference=-0.1), ["revise less", "these differ"]),
        (rows(-0.04, 0.16), ["no difference is shown, nor that there is none", "are not shown to"]),
        (rows(np.nan, np.nan, "there is one topic"), ["without limits, as there is one topic"]),
        (rows(np.nan, np.nan, "no items", np.nan), ["cannot be told: no items"]),
    ],
)
def test_the_answer_says_no_more_than_the_limits_bear_out(halves: pd.DataFrame, said: list[str]):
    answer = answer_anchoring(halves, "model_7")
    assert all(one in answer for one in said), answer
    assert "model\\_7" in answer


@long
def test_the_question_of_the_answer_is_among_those_asked(small: Small, judged: str):
    table = halves_of(study_of(small), judged).set_index("question")
    assert table.loc[REVISED, "shown"] == 1
    assert table.loc[REVISED, "other"] == 0


def test_a_share_that_is_not_none_or_all_is_not_told_as_that():
    halves = rows(-0.1, 0.1, difference=0.01).assign(shown=0.004, other=0.997)
    answer = answer_anchoring(halves, "m")
    assert "revised **under 1%**, under 1% towards it" in answer
    assert "without, **over 99%**: +1 percentage point, 95 % limits" in answer
    none = answer_anchoring(rows(-0.1, 0.1, difference=0).assign(shown=0.0, other=1.0), "m")
    assert "revised **0%**, 0% towards it" in none
    assert "without, **100%**: 0 percentage points" in none


def test_no_first_label_is_not_told_as_no_agreement():
    halves = rows(0.04, 0.16)
    is_first = halves["question"] == FIRST
    halves.loc[is_first, ["shown", "difference", "low", "high"]] = np.nan
    halves.loc[is_first, "reason"] = ONE_SIDE
    answer = answer_anchoring(halves, "m")
    assert answer.endswith(f"agree with it is not known of both: {ONE_SIDE}.")
    assert "in no case" not in answer
