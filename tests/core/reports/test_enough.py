"""Whether enough of a pool is judged: tables, verdicts and words."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from core.errors import BadInput
from core.measures.catalogue import parse_measure
from core.planning.cost import Price
from core.reports.enough import (
    ASSUMED,
    FREE,
    MOMENTS,
    NOT_ASKED,
    PEOPLE,
    PROBABLE,
    UNJUDGED,
    USUAL,
    Enough,
    EnoughQuestion,
    Spent,
    _write_chance,
    ask_of_runs,
    choose_moments,
    depth_of_runs,
)
from core.reports.sampling import new_rng
from core.stopping.expected import expected_tau
from core.stopping.stop_rule import StopRule
from core.versions.judgements import Judgements, put_on_scale
from core.wording import drop_marks
from tests.core.stopping.made_pools import hide, make_pool

EASY, HARD = StopRule(0, -0.99), StopRule(1.0, 1.0)
SPENT = Spent(90, 1.5, 2.0, 36.0)


def make(share: float = 0.4, **given) -> Enough:
    """Return the report of a pool of which a random share is not judged."""
    candidates, level = make_pool()
    level = hide(level, share) if share else level
    known = ~np.isnan(level)
    frame = pd.DataFrame(
        {
            "topic_id": np.array(candidates.topics)[candidates.topic[known]],
            "document_id": candidates.document[known].astype("str"),
            "level": level[known].astype(int),
        }
    )
    outside = pd.DataFrame({"topic_id": ["t0", "t9"], "document_id": "nowhere", "level": 2})
    nothing = pd.DataFrame(
        {"topic_id": "t0", "document_id": candidates.document[~known], "level": -1}
    )
    judgements = put_on_scale(pd.concat([frame, outside, nothing[:1]], ignore_index=True))
    given = {"missing": name_items(candidates, {}), "spending": lambda: SPENT} | given
    if isinstance(given["missing"], dict):
        given["missing"] = name_items(candidates, given["missing"])
    return Enough(candidates, judgements, **given)


def name_items(candidates, missing: dict[int, int]) -> pd.DataFrame:
    places = [*missing]
    return pd.DataFrame(
        {
            "topic_id": [candidates.topics[candidates.topic[one]] for one in places],
            "document_id": [candidates.document[one] for one in places],
            "missing": [*missing.values()],
        }
    )


def say(report: Enough) -> str:
    return drop_marks(report.answer)


def test_it_is_what_the_prediction_says():
    report = make()
    found = expected_tau(report.candidates, report.level, parse_measure("AP"), rng=new_rng())
    (row,) = report.expected.to_dict("records")
    assert (row["tau"], row["low"], row["high"]) == (found.tau, found.low, found.high)
    assert (row["best"], row["best_stays"]) == (found.best, found.best_stays)
    assert row["units"] == report.items - row["judged"]
    told = report.describe_interval("expected", row)
    assert told["n"] == row["units"]
    assert told["of"].endswith("that of the full pool, over unjudged items like these")
    assert report.outside == 2
    assert report.share == report.judged / report.items


def test_topics_add_up():
    report = make(missing={3: 1, 4: 2})
    assert report.topics["part"].sum() == pytest.approx(1)
    assert report.topics["part"].is_monotonic_decreasing
    assert report.topics["judged"].sum() == report.judged
    assert report.topics["items"].sum() == report.items
    assert report.topics["lacking"].sum() == report.lacking == 2


def test_an_item_that_lacks_an_opinion_is_not_judged_and_nothing_is_proposed():
    """All have a level: without what is asked for besides, it would be enough."""
    whole, lacking = make(0), make(0, missing={0: 2, 7: 1})
    assert whole.proposes
    assert say(whole).startswith(
        "Enough, by the usual rule (P(best stays) ≥ 0.95 and lower limit of τ ≥ 0.9). By AP"
    )
    assert not lacking.proposes
    assert lacking.judged == whole.judged - 2
    told = say(lacking)
    assert told.startswith(
        f"Not yet: 2 of {lacking.items} items of the pool lack opinions that open rounds ask for, "
        "3 opinions in all, which can change what follows."
    )
    assert (lacking.judged, told.endswith("; 83 of 83 items with a level.")) == (81, True)
    one = say(make(0, missing={0: 1}))
    assert one.startswith(f"Not yet: 1 of {lacking.items} items of the pool lacks opinions")


def test_opinions_on_what_is_not_in_the_pool_hold_nothing_up():
    elsewhere = pd.DataFrame({"topic_id": ["t0"], "document_id": ["nowhere"], "missing": [3]})
    assert make(0, missing=elsewhere).proposes


@pytest.mark.parametrize(
    ("rule", "begins"), [(EASY, "Enough, by the rule (lower"), (HARD, "Not yet, by the rule (P")]
)
def test_the_verdict_is_by_the_rule(rule: StopRule, begins: str):
    report = make(question=replace(USUAL, rule=rule))
    assert say(report).startswith(begins)
    assert report.proposes == begins.startswith("Enough")
    stays = report.expected["best_stays"].iloc[0]
    assert f"stays best with P = {stays:.3f}, and τ to the full pool is" in say(report)
    assert "in this pool of depth 100, on these topics and by these assessors" in say(report)


def test_a_rule_is_changed_in_what_is_given():
    assert USUAL.at_least(None, None) is USUAL
    assert USUAL.at_least(0.5, None).rule == StopRule(0.5, 0.9)
    asked = replace(USUAL, rule=StopRule(0.7, 0.6, "P@5", 3, "v"), measure="AP", depth=9)
    assert asked.at_least(None, 0.1).rule == StopRule(0.7, 0.1, "AP", 9, "v")
    with pytest.raises(BadInput, match="asks for nothing"):
        USUAL.at_least(0, -1)


def test_without_a_ranking_there_is_nothing_to_tell():
    report = make()
    frame = report.judgements.frame
    none = replace(report, judgements=put_on_scale(frame.assign(level=0)))
    assert not none.proposes
    assert "There is nothing to tell by AP: nothing relevant is judged yet" in say(none)
    assert none.expected["reason"].iloc[0].startswith("nothing relevant")


def test_history_ends_today():
    alone = make()
    assert len(alone.history) == 1
    arrived = alone.judgements.frame[["topic_id", "document_id"]]
    report = replace(alone, arrived=arrived)
    rows = report.history
    assert 2 <= len(rows) <= MOMENTS + 1
    assert rows["judged"].is_monotonic_increasing
    assert rows["tau"].iloc[-1] == report.expected["tau"].iloc[0]
    assert (rows["units"] == report.items - rows["judged"]).all()
    assert "of 200 draws" in rows["interval"].iloc[0]
    assert "of 400 draws" in rows["interval"].iloc[-1]
    kept = {}

    def keep(judged, then, look):
        assert (~np.isnan(then)).sum() == judged
        return kept.setdefault(judged, look())

    pd.testing.assert_frame_equal(replace(report, keep=keep).history, rows)
    assert [*kept] == rows["judged"].tolist()[:-1]


def test_moments_are_round_shares():
    assert choose_moments(3, 1000) == []
    assert choose_moments(40, 1000) == [5, 10, 15, 20, 25, 30, 35]
    assert choose_moments(1000, 1000) == [125, 250, 375, 500, 625, 750, 875]


def test_bounds_hold_the_scores_of_today():
    report = make()
    rows = report.bounds
    assert (rows["lowest"] <= rows["today"] + 1e-9).all()
    assert (rows["today"] <= rows["highest"] + 1e-9).all()
    assert rows["today"].is_monotonic_decreasing
    told = drop_marks(report.tell_bounds())
    assert told.startswith(f"The order of {report.bounded.decided} of 10 pairs of systems cannot")
    graded = make(question=replace(USUAL, measure="nDCG@5"))
    assert graded.bounds["lowest"].isna().all()
    assert "For nDCG@5 there are the two scenarios only" in graded.tell_bounds()


def test_the_order_of_pairs_is_told():
    told = drop_marks(make(0).tell_order())
    assert told == "In 95% of the draws or more, 10 of 10 pairs of systems keep today's order."
    assert not drop_marks(make(0.9).tell_order()).startswith(
        "In 95% of the draws or more, 10 of 10"
    )


def test_what_is_left_is_what_is_missing_and_what_nobody_is_asked_for():
    report = make(missing={0: 2, 1: 1})
    first, rest = report.cost.to_dict("records")
    assert (first["what"], first["labels"], first["hours"]) == ("so far", 90, 1.5)
    unasked = np.isnan(report.level[2:]).sum()
    assert unasked
    assert rest["labels"] == 3 + 2.0 * unasked
    assert rest["hours"] == pytest.approx(rest["labels"] * 36 / 3600)
    assert rest["money"] == 0
    paid = report.cost_at(Price(hour=10, label=0.5)).iloc[-1]
    assert paid["money"] == pytest.approx(rest["hours"] * 10 + rest["labels"] * 0.5)
    asked = replace(report, question=replace(USUAL, price=Price(hour=10, label=0.5)))
    assert asked.cost.iloc[-1]["money"] == paid["money"]
    told = drop_marks(report.tell_cost(FREE))
    assert told.startswith(
        f"Stopping now would save about {rest['labels']:.0f} labels (3 of them opinions that open "
        "rounds ask for): "
    )
    assert "in any currency" not in told
    assert f"{paid['money']:.2f} in any currency" in drop_marks(report.tell_cost(Price(10, 0.5)))


def test_where_nothing_is_left_nothing_is_saved():
    assert make(0).tell_cost(FREE).startswith("Nothing of the pool is left to judge")


def test_notes_say_what_is_not_allowed_for():
    report = make()
    assert report.notes[:3] == [UNJUDGED, PROBABLE, PEOPLE]
    assert report.notes[3] == "2 judged documents that no run has among its first 100 left out"
    assert len(report.notes) == 4
    bare = replace(report, missing=None, spending=None)
    assert bare.notes[4:] == [NOT_ASKED, ASSUMED]
    (row,) = bare.cost.to_dict("records")
    assert row["labels"] == np.isnan(report.level).sum()


def test_of_runs_and_judgements_alone():
    runs = pd.DataFrame(
        {"system": ["a", "a", "b"], "topic_id": "t", "document_id": ["x", "y", "y"],
         "rank": [1, 2, 1]}
    )  # fmt: skip
    assert depth_of_runs(runs) == 2
    assert depth_of_runs(runs.assign(rank=1000)) == depth_of_runs(runs[:0]) == 100
    qrels = put_on_scale(pd.DataFrame({"topic_id": ["t"], "document_id": ["x"], "level": [1]}))
    found = ask_of_runs(runs, qrels, EnoughQuestion("P@1", 1))
    assert (found.items, found.judged, found.lacking) == (2, 1, 0)
    with pytest.raises(BadInput, match="two runs"):
        _ = ask_of_runs(runs[:2], qrels, USUAL).expected


def test_all_draws_are_no_certainty_while_something_is_not_judged():
    """P of 400 draws that agree is above all but one of them; it is 1 where all is judged."""
    assert _write_chance(1.0, is_exact=True) == ("=", "1.000")
    assert _write_chance(1.0, is_exact=False) == (">", "0.9925")
    assert _write_chance(0.0, is_exact=False) == ("<", "0.0075")
    assert _write_chance(0.5, is_exact=False) == ("=", "0.500")
    assert "stays best with P = 1.000" in say(make(0))
    write = Enough.tables["expected"].columns["best_stays"].write
    assert write is not None
    assert [write(one) for one in (0.0, 0.5, 1.0, np.nan)] == ["no draw", "0.500", "all draws", "–"]
    assert Enough.tables["history"].columns["best_stays"].write == write


def test_limits_of_tau_say_what_they_are_of_and_draws_that_agree_give_none():
    def make_runs(*first: str) -> pd.DataFrame:
        rows = [
            (f"s{at}", "t", document, rank)
            for at, one in enumerate(first)
            for rank, document in enumerate((one, *(d for d in "xyz" if d != one)), 1)
        ]
        return pd.DataFrame(rows, columns=["system", "topic_id", "document_id", "rank"])

    def judge(**level: int) -> pd.DataFrame:
        return pd.DataFrame({"topic_id": "t", "document_id": [*level], "level": [*level.values()]})

    question = EnoughQuestion("P@1", 3)
    some = make()
    figures = some.figures
    limits = f"(95 % limits over the rest of the pool [{figures.low:.3f}, {figures.high:.3f}])"
    assert f"τ to the full pool is {figures.tau:.3f} {limits}; " in say(some)
    settled = ask_of_runs(make_runs("x", "y"), put_on_scale(judge(x=1, y=0)), question)
    assert "τ to the full pool is 1.000 in each of 400 draws of the rest; 2 of 3" in say(settled)
    order = drop_marks(settled.tell_order())
    assert order == "In 95% of the draws or more, 1 of 1 pair of systems keeps today's order."
    assert "τ to the full pool is 1.000; 83 of 83 items judged" in say(make(0))
    level = put_on_scale(judge(x=1, y=0))
    tied = ask_of_runs(make_runs("x", "x", "x", "y"), level, question)
    assert "s0, as 2 others the best today, stays best with P" in say(tied)


def test_without_a_ranking_no_order_is_kept_and_nothing_is_awaited_where_all_is_judged():
    runs = pd.DataFrame(
        {"system": [*"aabb"], "topic_id": "t", "document_id": [*"xyyx"], "rank": [1, 2, 1, 2]}
    )
    none = pd.DataFrame({"topic_id": "t", "document_id": [*"xy"], "level": 0})
    reason = "nothing relevant is judged yet, so that there is no ranking"
    for rows, begun in ((none, "Nothing of the pool is left to judge."), (none[:1], "Not yet, by")):
        found = ask_of_runs(
            runs, Judgements(rows.assign(iteration="0"), 1), EnoughQuestion("AP", 2)
        )
        assert say(found).startswith(begun)
        assert drop_marks(found.tell_order()) == f"There is no order to keep: {reason}."
        assert not found.proposes
    whole = ask_of_runs(runs, Judgements(none.assign(iteration="0"), 1), EnoughQuestion("AP", 2))
    assert whole.tell_bounds() == f"No score by AP is defined: {reason}."


@pytest.mark.parametrize("depth", [0, -1])
def test_a_pool_without_depth_is_refused_as_that(depth):
    with pytest.raises(BadInput, match="at least 1 document deep"):
        EnoughQuestion(depth=depth)
