"""Weights of levels and of pairs of levels: tables, answers in all their forms, and notes."""

from collections.abc import Sequence

import numpy as np
import pandas as pd
import pytest
from scipy.stats import betabinom

from core.agreement.ratings import ratings_from_labels
from core.collection.labels.label_options import JUDGED
from core.disagreement.combined import combined_ratings
from core.disagreement.strata import strata_by_topic
from core.errors import BadInput, TooLittleData
from core.numerals import write_number
from core.reports.level_weights import (
    CombinedWeights,
    LevelLabels,
    LevelWeights,
    PairLabels,
    WeightsQuestion,
    read_levels,
)
from core.reports.user_model import UserModel, usual_model
from core.wording import drop_marks, plain_with_facts
from tests.calibration.user_models import TRUE, VARIED, CrowdModel

WEIGHTS = ["weight", "weight_low", "weight_high"]
NAMES = {0: "No", 1: "May*be", 2: "Sure"}


def judged(pairs: Sequence[str], topics: int = 6, facet: str = "page") -> pd.DataFrame:
    """Return labels of two people: each topic has an item for each of the two levels in a pair."""
    rows = [
        (who, f"t{topic}", f"d{item}", int(level))
        for topic in range(topics)
        for item, pair in enumerate(pairs)
        for who, level in zip("ab", pair, strict=False)
    ]
    labels = pd.DataFrame(rows, columns=["assessor_id", "topic_id", "document_id", "level"])
    engine = "e" if facet == "snippet" else ""
    return labels.assign(facet=facet, state=JUDGED, engine=engine, occasion=0)


MANY = ["02", "12", "11", "12", "22", "00"] * 5


def weigh(labels: pd.DataFrame, **model: object) -> LevelWeights:
    question = WeightsQuestion(UserModel(**{"top": 2, **model}))
    return LevelWeights(read_levels(labels, "page", [0, 1, 2], NAMES), question)


@pytest.mark.parametrize("at_least", [1, 2])
def test_the_limits_of_a_weight_are_the_weights_of_the_limits_of_p(at_least: int):
    found = weigh(judged(MANY, 7), at_least=at_least).levels.set_index("level")
    assert found.loc[0, WEIGHTS].tolist() == [0, 0, 0]
    row = found.loc[1]
    for weight, p in zip(WEIGHTS, ("p", "low", "high"), strict=True):
        expected = 1 - (1 - row[p]) ** 2 if at_least == 1 else row[p] ** 2
        assert row[weight] == pytest.approx(expected)
    assert row["weight_low"] <= row["weight"] <= row["weight_high"]
    assert row[["interval", "unit", "units"]].tolist() == ["jackknife", "topic", 7]


def test_the_usual_top_is_the_highest_level():
    assert usual_model([0, 2, 1]) == UserModel(2, 3, 1)


def test_a_weight_has_no_limits_where_p_has_none():
    row = weigh(judged(MANY, 1)).levels.set_index("level").loc[1]
    assert row[WEIGHTS].isna().tolist() == [False, True, True]


def test_the_usual_gains_stand_beside_with_the_highest_as_one():
    levels = weigh(judged(MANY)).levels
    assert levels["name"].tolist() == [*NAMES.values()]
    assert levels["linear"].tolist() == [0, 0.5, 1]
    assert levels["exp"].tolist() == pytest.approx([0, 1 / 3, 1])


def test_the_level_below_the_top_is_told_with_its_weight():
    found = weigh(judged(MANY))
    row = found.levels.iloc[1]
    low, high = (write_number(row[f"weight_{end}"]) for end in ("low", "high"))
    assert drop_marks(found.answer) == (
        "A page that one assessor calls May*be would be called Sure by at least 1 of 3 users with "
        f"probability {write_number(row['weight'])} (95 % interval over topics [{low}, {high}]), "
        "that assessor being one of them. This takes it that people are independent, given a "
        "level, which these labels do not put to the test."
    )
    assert "varied" not in found.levels
    assert "**May\\*be** would" in plain_with_facts(found.answer)
    assert (found.is_known, found.lacks_labels, found.notes) == (True, False, ())


def of_model(model: CrowdModel, **asked: object) -> LevelWeights:
    """Return the weights of simulated labels of six people on 210 items of 21 topics."""
    drawn = model.draw(21, np.random.default_rng(1))
    ids = [f"t{unit:02}" for unit in drawn.unit]
    items = pd.DataFrame({"topic_id": ids, "document_id": [f"d{at}" for at in drawn.item]})
    labels = items.assign(facet="page", engine="", occasion=0, state="level", level=drawn.level)
    labels["assessor_id"] = [f"a{at % 6}" for at in range(len(labels))]
    question = WeightsQuestion(UserModel(2, **{"users": 6, "at_least": 4, **asked}))
    return LevelWeights(read_levels(labels, "page", [0, 1, 2], NAMES), question)


def test_the_sentence_carries_the_doubt_of_a_model_that_fails():
    found = of_model(VARIED)
    row = found.levels.set_index("level").loc[1]
    said = drop_marks(found.answer)
    assert "The model of users does not hold here: " in said
    assert said.endswith(
        "If the chance varies between items of the level as it does there, the probability is "
        f"{row['varied']:.3f} instead."
    )
    cases = 1 / found.fit.spread[1] - 1
    by_scipy = betabinom(5, row["p"] * cases, (1 - row["p"]) * cases).sf(3)
    assert row["varied"] == pytest.approx(by_scipy)
    top = found.levels.set_index("level").loc[2]
    cases = 1 / found.fit.spread[2] - 1
    by_scipy = betabinom(5, top["p"] * cases, (1 - top["p"]) * cases).sf(2)
    assert top["varied"] == pytest.approx(by_scipy)
    assert found.levels["varied"].tolist()[0] == 0
    assert of_model(VARIED, keep_lowest=True).levels["varied"].tolist()[0] > 0
    one = of_model(VARIED, at_least=1).levels
    assert one["varied"].tolist()[2] == 1
    assert one["varied"].tolist()[1] < one["weight"].tolist()[1]


def test_the_sentence_says_that_the_model_holds_where_it_does():
    said = drop_marks(of_model(TRUE[0]).answer)
    assert "The model of users is not shown to fail here: " in said
    assert "instead" not in said


def test_a_weight_of_few_cases_or_without_limits_says_so():
    few = weigh(judged(MANY, 2))
    assert "; few cases: a rough indication)" in few.answer
    said = "fewer than 50 cases or 5 topics behind No, May*be, Sure: a rough indication"
    assert few.notes == (said,)
    alone = weigh(judged(MANY, 1))
    assert "(no interval: all cases belong to one topic; few cases" in alone.answer
    kept = weigh(judged(["02"]), keep_lowest=True)
    assert kept.answer.startswith("A page that one assessor calls ")
    assert "No" in kept.answer


@pytest.mark.parametrize(
    ("labels", "model", "said", "lacks"),
    [
        (judged(["0", "1"]), {}, "No two assessors have judged the same page yet.", True),
        (judged(["22", "00"]), {}, "No level between the lowest and the top one occurs", True),
        (judged(MANY), {"top": 1}, "there is only the lowest one, which weighs 0.", False),
    ],
)
def test_what_no_weight_is_known_of_says_why(
    labels: pd.DataFrame, model: dict[str, int], said: str, lacks: bool
):
    found = weigh(labels, **model)
    assert said in found.answer
    assert (found.is_known, found.lacks_labels) == (False, lacks)


def test_known_weights_are_told_as_pairs():
    found = weigh(judged(["22", "00"]))
    assert found.weights == ((0, 0.0), (2, 1.0))
    assert weigh(judged(["0", "1"])).weights == ()
    assert not weigh(judged(["0", "1"])).has_pairs


def test_without_a_scale_a_gap_is_noted_and_levels_go_by_their_numbers():
    labels = judged(["33", "13"])
    found = LevelWeights(read_levels(labels, "page"), WeightsQuestion(UserModel(3)))
    assert "2" in found.notes[0]
    assert found.levels["name"].tolist() == ["1", "3"]
    assert read_levels(labels, "page", [1, 2, 3]).notes == ()


PARTS = [strata_by_topic({"t0": "broad", "t1": "broad", "t2": "narrow"})]


def ask_part(labels: pd.DataFrame, **asked: object) -> LevelWeights:
    own = LevelLabels(
        "page", ratings_from_labels(labels, "page", [0, 1, 2]), NAMES, lambda top: PARTS
    )
    return LevelWeights(own, WeightsQuestion(UserModel(2), **asked))


def test_a_part_has_weights_of_its_own():
    labels = judged(MANY)
    labels.loc[(labels["topic_id"] == "t2") & (labels["level"] == 1), "level"] = 0
    whole, narrow = ask_part(labels), ask_part(labels, part="narrow")
    assert narrow.levels["topics"].max() == 1
    assert narrow.levels["weight"].isna()[1]
    by_part = whole.parts.set_index(["stratum", "level"])
    assert by_part.loc[("broad", 1), "units"] == 2
    assert np.isnan(by_part.loc[("narrow", 1), "p"])
    broad, chosen = ask_part(labels, part="broad"), ask_part(labels, topics=("t0", "t1"))
    pd.testing.assert_frame_equal(broad.levels, chosen.levels)
    own = labels[labels["topic_id"].isin(["t0", "t1"])]
    assert chosen.weights == weigh(own).weights
    assert by_part.loc[("broad", 1), "p"] == broad.levels["p"][1]
    assert weigh(labels).parts.empty
    with pytest.raises(BadInput, match="there is no part 'wide'"):
        _ = ask_part(labels, part="wide").levels
    alone = ask_part(labels[labels["topic_id"] != "t2"], part="narrow")
    assert alone.answer == (
        "No two assessors have judged the same page in this part of the collection yet."
    )


def test_top_results_are_expected_by_topic_and_more_topics_narrow_limits():
    found = weigh(judged(["22", "12", "00"]))
    weight = found.levels["weight"][1]
    assert found.topics["effective"].tolist() == pytest.approx([1 + (weight + 1) / 2] * 6)
    rows = found.further(0.1)
    assert rows["topics"].tolist() == [6, 6, 6]
    assert found.describe_interval("levels", found.levels.iloc[1])["of"] == (
        "p(top | level), and by it of the weight, over topics like these"
    )


def pair(snippets: Sequence[str], pages: Sequence[str], **asked: object) -> CombinedWeights:
    labels = pd.concat([judged(snippets, facet="snippet"), judged(pages)], ignore_index=True)
    combined = combined_ratings(labels, [0, 1], [0, 1, 2])
    names = {"snippet": {0: "Poor", 1: "Good"}, "page": NAMES}
    own = PairLabels(combined, names=names, parts=lambda top: PARTS, notes=("only opened pages",))
    return CombinedWeights(own, WeightsQuestion(UserModel(2), **asked))


BOTH = (["11", "11", "01"] * 10, ["22", "12", "22"] * 10)


def test_the_heaviest_pair_below_the_top_is_told_beside_its_page_alone():
    found = pair(*BOTH)
    rows = found.pairs.set_index(["snippet", "page"])
    assert found.top == (1, 2)
    # The page of a level 1 meets a top page always; so does a poor snippet a good one.
    assert rows.loc[(0, 2), "weight"] == rows.loc[(1, 1), "weight"] == 1
    row = found.pairs[(found.pairs["weight"] == 1)].iloc[1]
    assert (row["snippet_name"], row["page_name"]) == ("Poor", "Sure")
    assert drop_marks(found.answer) == (
        "Where one assessor calls a snippet Poor and its page Sure, at least 1 of 3 users would "
        "call the one Good and the other Sure with probability 1.000 (95 % interval over topics "
        f"[{write_number(row['weight_low'])}, {write_number(row['weight_high'])}]), that assessor "
        f"being one of them. By the page alone it is {write_number(row['page_weight'])}."
    )
    assert [one[:2] for one in found.weights] == [(0, 0), (0, 2), (1, 0), (1, 1), (1, 2)]
    assert found.notes == ("only opened pages",)


def test_limits_of_a_pair_are_the_weights_of_its_limits():
    found = pair(["11", "11", "01"] * 10, ["22", "12", "20"] * 10)
    rows = found.pairs[(found.pairs["page"] > 0) & found.pairs["low"].notna()]
    below = rows[(rows["snippet"] < 1) | (rows["page"] < 2)]
    assert len(below)
    for end in ("low", "high"):
        expected = 1 - (1 - below[end]) ** 2
        np.testing.assert_allclose(below[f"weight_{end}"], expected)


def test_few_pairs_and_snippets_without_their_page_are_noted():
    found = pair(["11", "01"], ["22"])
    assert found.notes == (
        "12 snippet labels left out, as the same assessor gave the page no level",
        "only opened pages",
        "fewer than 50 cases or 5 topics behind Good with Sure: a rough indication",
    )


def test_pairs_that_tell_nothing_say_so():
    assert pair(["1"], ["2"]).answer == (
        "No two assessors have each judged the same snippet and its page yet."
    )
    assert pair(["1"], ["2"]).weights == ()
    assert pair(["11"], ["22"]).answer == (
        "No pair of levels below the top has a weight above 0 so far."
    )


def test_the_top_of_the_other_facet_and_a_part_can_be_chosen():
    assert pair(*BOTH, other_top=0).top == (0, 2)
    assert pair(*BOTH, part="narrow").pairs["topics"].max() == 1


def test_pairs_need_a_scale_of_both():
    combined = combined_ratings(judged(MANY), None, None)
    with pytest.raises(TooLittleData, match="need snippet labels"):
        _ = CombinedWeights(PairLabels(combined), WeightsQuestion(UserModel(2))).top
