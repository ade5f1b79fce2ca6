"""What is told of each assessor, by hand where it can be."""

import numpy as np
import pandas as pd
import pytest

from core.errors import BadInput
from core.reports.assessors import NOBODY_ELSE, AssessorQuality, read_assessors
from core.wording import drop_marks

STEADY = [0, 1, 2, 3, 0, 1, 2, 2, 1, 1, 2, 2] * 2


def label(who: str, levels: list[int], **more: object) -> pd.DataFrame:
    """Return one label of each item: four in each topic."""
    items = range(len(levels))
    return pd.DataFrame(
        {
            "topic_id": [f"t{n // 4}" for n in items],
            "document_id": [f"d{n % 4}" for n in items],
            "facet": "page",
            "engine": "",
            "assessor_id": who,
            "occasion": 0,
            "state": "level",
            "level": levels,
            **more,
        }
    )


def judge(*parts: pd.DataFrame, **more: object) -> AssessorQuality:
    return read_assessors(pd.concat(parts, ignore_index=True), "page", [0, 1, 2, 3], **more)


def test_who_differs_is_told_with_numbers_and_no_verdict():
    higher = [min(level + 1, 3) for level in STEADY]
    found = judge(label("ann", STEADY), label("bob", STEADY), label("cy", higher))
    table = found.assessors.set_index("assessor_id")
    assert table["labels"].tolist() == [24] * 3
    assert table.loc["cy", "leniency"] == pytest.approx(11 / 12)
    assert table.loc["cy", "kappa_highest"] == pytest.approx(table.loc["cy", "kappa_mean"])
    assert table.loc["ann", "kappa_highest"] == pytest.approx(1)
    assert table["reason"].tolist() == [""] * 3
    assert "gold_n" not in table
    lowest, highest = table["kappa_mean"].agg(["min", "max"])
    assert drop_marks(found.answer) == (
        "Of 3 assessors, 3 share 10 items or more with another; mean κ with the others (linear "
        f"weighted) is lowest for cy, {lowest:.3f}, and at most {highest:.3f}. "
        "This alone is no verdict on anybody."
    )
    assert drop_marks(found.leniency_answer) == (
        "3 of 3 assessors are shown to judge more leniently or more strictly than the others "
        "(p < 0.05 after Holm's correction for all of them). From ann (−0.458 steps) to cy "
        "(+0.917)."
    )
    shares = found.level_shares.set_index(["assessor_id", "level"])["share"]
    assert shares[("cy", 0)] == 0
    assert shares[("cy", 3)] == 0.5


def test_an_interval_without_0_among_many_is_not_enough():
    """Of forty who judge alike some have one; nobody is said to differ."""
    rng = np.random.default_rng(5)
    alike = [label(f"a{n:02}", rng.integers(0, 4, 48).tolist()) for n in range(40)]
    found = judge(*alike)
    table = found.assessors
    assert ((table["low"] > 0) | (table["high"] < 0)).sum() >= 1
    assert (table["p"] >= 0.05).all()
    assert drop_marks(found.leniency_answer).startswith("None of 40 assessors is shown to judge")
    lenient = label("z", [3] * 48)
    found = judge(*alike, lenient)
    assert drop_marks(found.leniency_answer).startswith("1 of 41 assessors is shown to judge")


def test_equals_are_told_together_and_many_by_their_number():
    two = judge(label("ann", STEADY), label("bob", STEADY))
    assert "lowest for ann and bob, 1.000. This alone" in drop_marks(two.answer)
    four = judge(*(label(who, STEADY) for who in "abcd"))
    assert "lowest for 4 of them, 1.000. This alone" in drop_marks(four.answer)


def test_too_little_is_said_as_such():
    alone = judge(label("ann", STEADY))
    assert alone.assessors["pairs"].tolist() == [0]
    assert NOBODY_ELSE in alone.assessors["reason"][0]
    assert "Among 1 assessor nobody" in alone.answer
    assert alone.leniency_answer == ""
    few = judge(label("ann", [0, 1, 2]), label("bob", [0, 1, 3]))
    assert "Among 2 assessors nobody" in few.answer
    assert "cannot be said" in few.leniency_answer
    assert judge(label("ann", STEADY, state="later")).answer == "Nobody has judged a page yet."


def test_labels_of_gold_are_no_assessors():
    found = judge(label("ann", STEADY), label("bob", STEADY), label("gold", STEADY[:12]))
    table = found.assessors.set_index("assessor_id")
    assert [*table.index] == ["ann", "bob"]
    assert table[["gold_n", "gold_raw"]].to_numpy().tolist() == [[12, 1]] * 2
    few = judge(label("ann", STEADY), label("bob", STEADY), label("gold", STEADY[:2]))
    assert few.assessors["reason"].str.startswith("gold: ").all()


def test_gold_counts_as_the_scale_does():
    ann = label("ann", [3] * 12, given_level=4)
    gold = label("", [4] * 12)[["topic_id", "document_id", "facet", "engine", "level"]]
    found = judge(ann, label("bob", [2] * 12, given_level=2), gold=gold)
    assert found.assessors.set_index("assessor_id")["gold_raw"].to_dict() == {"ann": 1, "bob": 0}
    nothing = judge(ann, gold=gold[:0]).assessors
    assert nothing["gold_n"].tolist() == [0]
    assert "gold" not in nothing["reason"][0]


def test_whose_judging_moves_is_found_among_what_was_judged_here():
    rising = [1] * 12 + [2] * 12
    given = {"sequence": range(24), "dwell_ms": 2_000}
    parts = label("ann", [1] * 24, **given), label("bob", rising, **given)
    here = judge(*(one.assign(source="judged") for one in parts))
    assert here.drifting["assessor_id"].tolist() == ["ann", "bob"]
    assert here.drifting["change"].round(6).tolist()[0] == -here.drifting["change"].round(6)[1]
    assert here.active_time["median"].tolist() == [2.0] * 3
    imported = judge(*(one.assign(source="import") for one in parts))
    assert imported.drifting.empty
    unknown = judge(*parts)
    assert unknown.drifting.empty
    assert len(unknown.drift) == 20
    bare = judge(*(one.drop(columns=[*given]) for one in parts))
    assert bare.active_time.empty
    pd.testing.assert_series_equal(bare.drift["leniency"], unknown.drift["leniency"])


def test_signs_of_careless_responding_are_there_where_something_is_known():
    ann = label("ann", STEADY)
    assert judge(ann).careless.empty
    known = {"sequence": range(24), "dwell_ms": 200, "shown_ms": 300.0}
    known |= {"place": 1, "x": 5.0, "y": 5.0}
    told = judge(ann, paradata=label("ann", STEADY, **known)).careless
    assert told[["fast", "longest_run", "same_spot"]].to_numpy().tolist() == [[1, 24, 1]]


def test_an_unknown_table_is_refused():
    with pytest.raises(BadInput, match="known are assessors"):
        judge(label("ann", STEADY)).table("verdicts")


def test_a_gap_in_the_levels_is_noted_and_changes_have_a_sign():
    labels = pd.concat([label("ann", [0, 3] * 6), label("bob", [0, 3] * 6)], ignore_index=True)
    gold = labels[labels["assessor_id"] == "ann"]
    found = read_assessors(labels, "page", None, gold)
    assert any("scale" in note for note in found.notes)
    assert found.assessors["gold_raw"].tolist() == [1, 1]
    write = found.tables["drift"].columns["leniency"].write
    assert write is not None
    assert [write(one) for one in (0.25, -0.25, float("nan"))] == ["+0.250", "−0.250", ""]
