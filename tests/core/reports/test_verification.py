"""The report of the model's verification: its answers in all their forms, and notes."""

from collections.abc import Iterable

import numpy as np
import pandas as pd
import pytest

from core.collection.labels.label_options import JUDGED
from core.disagreement.repeated_labels import RepeatedLabels
from core.errors import TooLittleData
from core.reports.verification import (
    ModelVerification,
    VerificationQuestion,
    count_most,
    read_verification,
    suggest_least,
)
from core.wording import drop_marks, plain_with_facts
from tests.each import each

NAMES = {0: "No", 1: "May", 2: "Sure"}


def items_with(*sizes: int) -> RepeatedLabels:
    """Return items with so many labels each."""
    item = np.repeat(np.arange(len(sizes)), sizes)
    return RepeatedLabels(
        item, np.arange(len(item)), np.zeros(len(item), dtype=int), (0, 1), item, "item"
    )


@each(
    ("sizes", "least"),
    [
        ([6] * 50, 6),
        ([6] * 3 + [4] * 47, 4),
        ([6] * 12, 6),
        ([6] * 2 + [3] * 9, 3),
        ([2] * 60 + [5], 2),
        ([2] * 60, 2),
    ],
)
def test_as_many_as_keep_enough_items(sizes, least):
    labels = items_with(*sizes)
    assert suggest_least(labels, min(6, count_most(labels)), 50) == least


def verify(
    rows: Iterable[tuple[str, int, int]], topics: int = 2, **asked: object
) -> ModelVerification:
    """Verify labels of (assessor, document, level) on some topics; a second one is a repeat."""
    labels = pd.DataFrame(rows, columns=["assessor_id", "document_id", "level"])
    labels["topic_id"] = "t" + (labels["document_id"] % topics).astype(str)
    labels["occasion"] = labels.groupby(["assessor_id", "document_id"]).cumcount()
    labels = labels.assign(facet="page", state=JUDGED, engine="")
    labels["document_id"] = "d" + labels["document_id"].astype(str)
    question = VerificationQuestion(**{"top": 2, **asked})
    return read_verification(labels, "page", question, [0, 1, 2], NAMES)


def alike(people: int, items: int, seed: int = 0) -> list[tuple[str, int, int]]:
    drawn = np.random.default_rng(seed).integers(0, 3, (people, items))
    return [(f"a{p}", n, int(drawn[p, n])) for p in range(people) for n in range(items)]


DIVIDED = [(f"a{p}", n, 1 if n % 2 or p == 0 else 2) for p in range(7) for n in range(120)]
"""Level 1 meets only 2 on half of the items and only 1 on the others."""


@each(
    ("rows", "topics", "begins"),
    [
        (alike(7, 120), 20, "**The model of users is not shown to fail here**: "),
        (alike(7, 120), 2, "There are too few topics to tell whether the model of users holds, 2"),
        (
            DIVIDED,
            20,
            "**The model of users does not hold here**: **11 of 28 predictions** lie out",
        ),
        (alike(6, 12), 12, "There are too few items to tell whether the model of users holds, 12"),
        (alike(2, 60), 2, "With two labels an item the prediction is what it was estimated from"),
    ],
)
def test_the_verdict_is_told(rows, topics, begins):
    answer = plain_with_facts(verify(rows, topics, repeats=20).answer).replace("\\", "")
    assert answer.startswith(begins)
    assert ("What seems to depart is" in answer) == ("does not hold" in begins)


def test_the_largest_ratio_is_named_with_its_level_and_what_departs():
    found = verify(DIVIDED, 20)
    worst = found.fit.worst
    times = "" if np.isnan(worst["ratio"]) else f", a ratio of {worst['ratio']:,.1f}"
    assert drop_marks(found.answer).endswith(
        f"The mean error is {found.fit.difference:.3f}; the largest ratio is for "
        f"{NAMES[int(worst['level'])]} at {worst['at_least']:.0f} of {worst['users']:.0f}: "
        f"{worst['observed']:.3f} observed, {worst['predicted']:.3f} predicted{times}. What "
        "seems to depart is that people are independent, given a level: some items of a level "
        "please more of them than others do, so that people find an item top together more often "
        "than predicted. With a chance that varies between items (beta-binomial), "
        f"{found.fit.varied.outside} of "
        f"{found.fit.varied.tested} predictions of four users or more lie outside."
    )
    table = found.weights
    of = found.describe_interval("weights", table.iloc[0])["of"]
    assert of == (
        "share of items that at least so many of so many users find top, over topics like these"
    )


def test_what_departs_is_told_without_the_other_model_where_that_is_not_tested():
    drawn = np.random.default_rng(2).random((3, 120))
    three = [
        (f"a{p}", n, 2 if drawn[p, n] < 0.1 + 0.8 * (n // 20 % 2) else 1)
        for p in range(3)
        for n in range(120)
    ]
    said = drop_marks(verify(three, 20).answer)
    assert said.endswith("people find an item top together more often than predicted.")
    # Two of six each time: whoever finds an item top leaves fewer who may.
    order = np.argsort(np.random.default_rng(3).random((6, 120)), axis=0)
    two = [(f"a{p}", n, 2 if order[p, n] < 2 else 1) for p in range(6) for n in range(120)]
    said = drop_marks(verify(two, 20).answer)
    assert said.endswith("they find an item top together less often than predicted.")


def test_what_is_little_is_noted():
    assert verify(alike(7, 60)).notes == []
    few = verify(alike(4, 12))
    assert few.min_labels == 4
    assert few.notes[0].startswith("no item has 6 labels; the most is 4, so that items with 4 are")
    assert few.notes[1].startswith("only 12 items with 4 labels or more: too few for a verdict")
    alone = verify(alike(1, 5))
    assert (alone.min_labels, alone.notes) == (2, [])
    with pytest.raises(TooLittleData, match="no item has 2 labels; the most is 1"):
        _ = alone.draws
    assert verify(alike(4, 12), min_labels=3).min_labels == 3


def test_one_other_is_told_beside_several():
    found = verify(alike(7, 60))
    said = drop_marks(found.tell_chances())
    rows = found.chances[found.chances["level"] == 1].set_index("n")
    one, five = rows.loc[1], rows.loc[5]
    assert said == (
        f"Where one person says May, one other says Sure with probability {one['mean']:.3f} (95 % "
        f"interval over topics [{one['low']:.3f}, {one['high']:.3f}]); of 5 others, "
        f"{five['mean']:.3f} do (redrawing their labels changes it by {five['sd']:.3f})."
    )
    two = verify([(who, 2 * n, n % 3) for who in "ab" for n in range(9)])
    assert drop_marks(two.tell_chances()) == (
        "Where one person says May, one other says Sure with probability 0.000."
    )
    assert verify([(who, n, 2) for who in "ab" for n in range(9)]).tell_chances() == ""


STEADY = [("anna", n, 2) for n in range(40)] * 2 + [("bob", n, 1) for n in range(40)] * 2


@each(
    ("rows", "said", "known"),
    [
        (STEADY, "**Assessors disagree with each other more than with themselves**: an as", True),
        (alike(2, 120, 1) + alike(2, 120, 2), "**Disagreement cannot be told apart from", True),
        ([("ann", n, 2) for n in range(5)] * 2 + [("bo", n, 2) for n in range(5)] * 2,
         "Too few repeats for a verdict: an assessor who says Sure says so again with", True),
        ([("ann", n, 1) for n in range(5)] * 2 + [("bo", n, 1) for n in range(5)] * 2,
         "None of 10 repeats on 5 items has the level Sure, so nothing is known yet.", False),
    ],
)  # fmt: skip
def test_repeats_tell_opinions_from_wavering(rows, said, known):
    found = verify(rows)
    assert plain_with_facts(found.consistency_answer).replace("\\", "").startswith(said)
    assert found.knows_repeats == known


def test_further_tables_are_asked_for_by_name():
    found = verify(STEADY)
    assert set(found.table("repeats")["within"]) == {"self", "cross"}
    assert found.table("mutual")["topics"].max() == 2
    best = found.mutual["mean"].max()
    assert f"to **{best:.3f}** (" in plain_with_facts(found.mutual_answer).replace("\\", "")
    assert found.mutual_answer.endswith(
        "on average over 2 topics: about what a system can be expected to reach for "
        "users whose labels it has not seen. Few topics: treat this as a rough indication."
    )
    object.__setattr__(found, "mutual", found.mutual.assign(mean=float("nan")))
    assert found.mutual_answer == ""
    with pytest.raises(TooLittleData, match="there are no parts"):
        found.table("parts")
    topics = pd.DataFrame({"topic_id": ["t0", "t1"], "type": ["broad", "narrow"]})
    assert found.strata(None, topics)["stratum"].unique().tolist() == [
        "broad topics",
        "narrow topics",
    ]
    with pytest.raises(TooLittleData):
        found.strata()
