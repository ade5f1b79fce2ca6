"""What is told of each assessor, by hand where it can be."""

import numpy as np
import pandas as pd
import pytest

from core.agreement.assessor_null import compare_with_dealt, deal
from core.errors import BadInput
from core.reports.assessor_chance import join_p
from core.reports.assessors import NOBODY_ELSE, AssessorQuality, read_assessors
from core.wording import drop_marks
from tests.calibration.label_models import LEVELS, MODELS, READING, label_rows
from tests.core.agreement.test_assessor_null import pair_up

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
        f"weighted) goes from {lowest:.3f} to {highest:.3f}. This alone is no verdict on anybody."
    )
    assert drop_marks(found.leniency_answer) == (
        "3 of 3 assessors are shown to judge more leniently or more strictly than the others "
        "(p < 0.05 after Holm's correction for all of them, over topics and beside labels dealt "
        "anew within items); most so ann (−0.458 steps) and cy (+0.917 steps)."
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
    told = drop_marks(found.leniency_answer)
    assert told.endswith("; their differences are not shown to be more than chance.")
    assert not any(f"a{n:02}" in told for n in range(40))
    told = drop_marks(judge(*alike, lenient).leniency_answer)
    assert told.startswith("1 of 41 assessors is shown to judge")
    assert "; most so z (+1." in told


def test_what_nearly_every_topic_gives_alike_may_be_no_more_than_chance():
    """A third of a step, more or less, in each of six topics, though labels go both ways."""
    ann, bob = label("ann", [1] * 24), label("bob", [2, 2, 0, 1, 2, 2, 0, 2] * 3)
    found = judge(ann, bob)
    assert found.assessors["p"].max() < 0.05
    rows = found.chance[found.chance["finding"] == "leniency"]
    assert rows["value"].tolist() == [-0.375, 0.375]
    assert rows["within_items_high"].round(3).tolist() == [0.374] * 2  # 1.96 √21 / 24
    assert rows["p"].round(3).tolist() == [0.099] * 2  # of two, by Holm's method
    assert not rows["beyond"].any()
    told = "None of 2 assessors is shown to judge more leniently"
    assert drop_marks(found.leniency_answer).startswith(told)
    found = judge(ann, label("bob", [2, 2, 2, 1, 2, 2, 0, 2] * 3))
    assert drop_marks(found.leniency_answer).startswith("2 of 2 assessors are shown to judge")


def test_equals_have_one_value():
    two = judge(label("ann", STEADY), label("bob", STEADY))
    assert "(linear weighted) is 1.000. This alone" in drop_marks(two.answer)


def test_too_little_is_said_as_such():
    alone = judge(label("ann", STEADY))
    assert alone.assessors["pairs"].tolist() == [0]
    assert NOBODY_ELSE in alone.assessors["reason"][0]
    assert "Among 1 assessor nobody" in alone.answer
    assert alone.leniency_answer == ""
    assert alone.chance_answer == ""
    assert alone.leaving_out.empty
    assert alone.careless_answer == ""
    few = judge(label("ann", [0, 1, 2]), label("bob", [0, 1, 3]))
    assert "Among 2 assessors nobody" in few.answer
    assert "cannot be said" in few.leniency_answer
    nobody = judge(label("ann", STEADY, state="later"))
    assert nobody.answer == "Nobody has judged a page yet."
    assert nobody.chance_answer == ""
    assert nobody.chance.empty


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
    assert "−2.000 steps" not in drop_marks(here.tell_drift("ann"))
    assert "more than chance gives" in drop_marks(here.tell_drift("bob"))
    assert "not shown" not in drop_marks(here.tell_drift("bob"))
    moves = here.chance[here.chance["finding"] == "drift"].set_index("assessor_id")
    assert moves["beyond"].to_dict() == {"ann": True, "bob": True}
    assert moves.loc["bob", "value"] > moves.loc["bob", "within_people_high"]
    steady = judge(*(one.assign(level=STEADY) for one in parts))
    assert "not shown to be more than chance gives" in drop_marks(steady.tell_drift("bob"))
    assert steady.tell_drift("nobody") == ""
    bare = judge(*(one.drop(columns=[*given]) for one in parts))
    assert bare.active_time.empty
    pd.testing.assert_series_equal(bare.drift["leniency"], unknown.drift["leniency"])


def test_signs_of_careless_responding_are_there_where_something_is_known():
    ann = label("ann", STEADY)
    assert judge(ann).careless.empty
    known = {"sequence": range(24), "dwell_ms": 200, "shown_ms": 300.0}
    known |= {"place": 1, "x": 5.0, "y": 5.0}
    found = judge(ann, paradata=label("ann", STEADY, **known))
    told = found.careless
    assert told[["fast", "longest_run", "same_spot"]].to_numpy().tolist() == [[1, 24, 1]]
    assert drop_marks(found.careless_answer) == (
        "None of 1 assessor shows more signs of careless responding than chance gives: what was "
        "noted of the labels of each item, dealt anew among those who judged it."
    )
    slow = known | {"shown_ms": 9_000.0, "dwell_ms": 9_000}
    others = [
        label(
            who,
            STEADY,
            **slow,
        )
        for who in "bcd"
    ]
    paradata = pd.concat([label("ann", STEADY, **known), *others], ignore_index=True)
    found = judge(ann, *others, paradata=paradata)
    assert drop_marks(found.careless_answer) == (
        "1 of 4 assessors shows more signs of careless responding (under 1 s) than others on the "
        "same items (p < 0.05, corrected): ann."
    )


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


def study(*careless: int, people: int = 6) -> pd.DataFrame:
    """Return labels of a study in which some people answer at random."""
    rng = np.random.default_rng(11)
    levels = MODELS[1].draw(6, people, rng)
    for one in careless:
        levels[..., one] = rng.choice(LEVELS, levels.shape[:2])
    return label_rows(levels)


def deal_rows(rows: pd.DataFrame) -> pd.DataFrame:
    """Return labels dealt anew among those who judged the item."""
    item = rows.groupby(["topic_id", "document_id"]).ngroup().to_numpy()
    (at,) = deal(item, 1, np.random.default_rng(12))
    return rows.assign(level=rows["level"].to_numpy()[at])


def test_who_answers_at_random_is_named_and_not_where_labels_are_dealt_anew():
    rows = study(2)
    gold = rows[rows["assessor_id"] == "a0"].assign(assessor_id="gold")
    rows = rows[rows["assessor_id"] != "a0"]
    found = judge(rows, gold)
    told = drop_marks(found.chance_answer)
    assert told.startswith(
        "What chance gives is taken from labels dealt anew in two ways: those of each item among "
        "those who judged it, and, so that everybody may read a topic in a way of their own, all "
        "of a person's in a topic among those who judged there; 199 times each. 1 of "
        "5 assessors agrees less with the others than chance gives (p < 0.05, corrected for all "
        "of them): a2 (mean κ "
    )
    assert "1 of 5 assessors agrees less with gold than chance gives" in told
    beyond = found.chance[found.chance["beyond"] & found.chance["finding"].str.contains("kappa")]
    assert sorted(beyond["finding"]) == ["gold_kappa", "kappa_mean"]
    assert set(beyond["assessor_id"]) == {"a2"}
    low = beyond.set_index("finding").loc["kappa_mean"]
    assert low["value"] < low["within_items_low"]
    assert low["within_people_low"] < 0.05 < low["within_items_low"]
    assert low["value"] < low["within_topics_low"] < low["within_items_low"]
    told = drop_marks(judge(deal_rows(rows), gold).chance_answer)
    assert "None of 5 assessors is shown to agree less with the others than chance gives" in told
    assert "None of 5 assessors is shown to agree less with gold than chance gives" in told
    assert "a2" not in told


def test_leaving_out_is_told_beside_what_the_same_choice_makes_of_nothing():
    found = judge(study(0, 1, 2, people=8))
    row = found.leaving_out.set_index("left_out").loc[4]
    assert row["before"] < row["within_items"] < row["within_items_high"] < row["after"]
    assert row["within_items"] < row["within_topics"] < row["within_topics_high"] < row["after"]
    assert abs(row["within_people_before"]) < 0.1
    assert row["beyond"]
    told = drop_marks(found.chance_answer)
    assert "3 of 8 assessors agree less with the others than chance gives" in told
    assert " assessors who agree least with the others takes α(ordinal) from " in told
    assert ", more than this choice gives by chance: " in told
    nothing = judge(deal_rows(study(*range(8), people=8)))
    row = nothing.leaving_out.set_index("left_out").loc[4]
    assert row["after"] > row["before"] + 0.02
    assert row["within_people"] > row["within_people_before"] + 0.02
    assert not nothing.leaving_out["beyond"].any()
    told = drop_marks(nothing.chance_answer)
    assert ", not shown to be more than this choice gives by chance: " in told
    three = drop_marks(judge(study(people=3)).chance_answer)
    assert "Leaving out the assessor who agrees least" in three


def test_of_many_there_is_the_number():
    rows = study(*range(4), people=16)
    told = drop_marks(judge(rows).chance_answer)
    assert "4 of 16 assessors agree less with the others than chance gives" in told
    assert "a0" not in told


def test_who_reads_topics_in_a_way_of_their_own_is_not_said_to_agree_less_on_the_whole():
    """Beyond labels dealt within items, and not beyond what readings of topics give by chance."""
    levels = READING[1].draw(6, 6, np.random.default_rng(15))
    found = judge(label_rows(levels))
    items = compare_with_dealt(found.dealt.found.kappa, found.dealt.within_items.kappa, -1)
    alpha = [one.alpha[..., -1:] for one in (found.dealt.found, found.dealt.within_items)]
    assert items.p.min() < 0.05
    assert compare_with_dealt(*alpha, 1).p < 0.05
    assert not found.chance["beyond"].any()
    assert not found.leaving_out["beyond"].any()
    told = drop_marks(found.chance_answer)
    assert "None of 6 assessors is shown to agree less with the others than chance gives" in told
    assert ", not shown to be more than this choice gives by chance: " in told
    assert "agree less with the others than chance gives (p" not in told


def test_with_few_topics_it_cannot_be_said():
    rows = study(2)
    gold = rows[rows["assessor_id"] == "a0"].assign(assessor_id="gold")
    four = rows[(rows["assessor_id"] != "a0") & (rows["topic_id"] < "t00004")]
    found = judge(four, gold)
    for finding in ("kappa_mean", "gold_kappa"):
        own = found.chance[found.chance["finding"] == finding]
        assert own["p"].isna().all()
        assert not own["beyond"].any()
        assert own["within_items"].notna().all()
        assert own["within_topics"].isna().all()
    assert found.leaving_out["p"].isna().all()
    told = drop_marks(found.chance_answer)
    why = (
        "how topics are read may differ by chance, which shows in no fewer than 5 topics with "
        "items that two people judged, the same two in several"
    )
    who = "Whether any of 5 assessors agrees less with"
    assert f"{who} the others than chance gives cannot be said: {why}. " in told
    assert (
        f"{who} gold than chance gives cannot be said: {why}, of items with a gold level." in told
    )
    assert (
        f"; whether that is more than this choice gives by chance cannot be said, as {why}" in told
    )
    assert "a2" not in told
    all_six = judge(rows[rows["assessor_id"] != "a0"], gold[gold["topic_id"] < "t00004"])
    told = drop_marks(all_six.chance_answer)
    assert "1 of 5 assessors agrees less with the others than chance gives" in told
    assert f"{who} gold than chance gives cannot be said" in told


def test_where_an_exchange_parts_who_shares_items_only_dealing_within_items_is_told():
    found = judge(label_rows(pair_up()))
    rows = found.chance[found.chance["finding"] == "kappa_mean"].set_index("assessor_id")
    assert rows["within_topics"].notna().sum() == 2
    assert rows["p"].notna().all()
    assert not rows["beyond"].any()
    assert found.leaving_out["within_topics"].isna().all()
    told = drop_marks(found.chance_answer)
    assert "None of 12 assessors is shown to agree less with the others than chance gives" in told
    assert ", not shown to be more than this choice gives by chance: where labels" in told
    assert "within topics to" not in told


def test_where_one_test_shows_nothing_the_other_need_not_be_known():
    items, topics = np.array([0.01, 0.01, 0.2, 0.2]), np.array([0.03, np.nan, np.nan, 0.1])
    assert join_p(items, topics, True).tolist()[2:] == [0.2, 0.2]
    assert join_p(items, topics, True)[0] == 0.03
    assert np.isnan(join_p(items, topics, True)[1])
    assert np.isnan(join_p(items, topics, False)).tolist() == [False, True, True, False]
