"""Two systems side by side, the spread of scores, and what all of it says it rests on."""

import pandas as pd
import pytest

from core.analysis.base.study import Study
from core.analysis.results.basis import ScoreBasis
from core.analysis.results.qrels_choices import QrelsChoice
from core.measures.catalogue import parse_measure
from core.measures.evaluate import evaluate
from core.store.content.collections import get_collection
from core.versions.rules import QrelsRule
from pages.results.leaderboard.effectiveness import order_by_mean
from tests.pages.drawn_figures import draw, figure_of, numbers, said
from tests.short import long


@long
def test_two_systems_are_compared_by_r_precision(rankings, organiser, open_page):
    state = {"closer": "Two systems", "two-first": "e1", "two-second": "e2"}
    at = draw(open_page, organiser, **state)
    scores = evaluate([parse_measure("Rprec")], rankings)
    value = scores.set_index(["system", "topic_id"])["value"]
    bars = figure_of(at, "Difference in Rprec")
    drawn = {
        topic: height
        for trace in bars["data"]
        for topic, height in zip(trace["x"], numbers(trace["y"]), strict=True)
    }
    wanted = {topic: value["e1", topic] - value["e2", topic] for topic in ("t1", "t2")}
    assert drawn == pytest.approx(wanted)
    scatter = figure_of(at, "Rprec of e2")
    drawn_points = {
        point
        for trace in scatter["data"]
        for point in zip(numbers(trace["x"]), numbers(trace["y"]), strict=True)
    }
    assert drawn_points == {(value["e1", topic], value["e2", topic]) for topic in ("t1", "t2")}
    assert "**e1** is higher on 1 of 2 topics, **e2** on 0, and they are equal on 1" in said(at)


@long
def test_topics_of_two_systems_stand_by_difference_or_in_their_order(judged, organiser, open_page):
    state = {"closer": "Two systems", "two-first": "e2", "two-second": "e1"}
    at = draw(open_page, organiser, **state)
    bars = figure_of(at, "Difference in Rprec")
    assert bars["layout"]["xaxis"]["categoryarray"] == ["t1", "t2"]
    at.selectbox(key="two-first").select("e1").run()
    at.selectbox(key="two-second").select("e2").run()
    bars = figure_of(at, "Difference in Rprec")
    assert bars["layout"]["xaxis"]["categoryarray"] == ["t2", "t1"]
    at.selectbox(key="two-order").select("by topic").run()
    bars = figure_of(at, "Difference in Rprec")
    assert bars["layout"]["xaxis"]["categoryarray"] == ["t1", "t2"]


@long
def test_a_system_is_not_compared_with_itself(judged, organiser, open_page):
    state = {"closer": "Two systems", "two-first": "e1", "two-second": "e1"}
    assert "Choose two different systems" in said(draw(open_page, organiser, **state))


@long
def test_scores_spread_by_system_and_by_topic(rankings, organiser, open_page):
    scores = evaluate([parse_measure("nDCG@10")], rankings)
    at = draw(open_page, organiser, closer="Distributions")
    (box,) = figure_of(at, "nDCG@10")["data"]
    assert sorted(numbers(box["x"])) == pytest.approx(sorted(scores["value"]))
    assert sorted(numbers(box["y"])) == [0, 0, 1, 1, 2, 2]
    at = draw(
        open_page, organiser, closer="Distributions", **{"spread-by": "each topic over systems"}
    )
    figure = figure_of(at, "nDCG@10")
    means = scores.groupby("topic_id")["value"].mean().sort_values(ascending=False)
    assert [name.split()[0] for name in figure["layout"]["yaxis"]["ticktext"]] == list(means.index)
    assert f"Easiest: {means.index[0]} " in said(at)


def test_every_export_names_its_basis(store, judged, version, rankings):
    rule = QrelsRule("all, maximum")
    basis = ScoreBasis(QrelsChoice("all, maximum", rule), version, rankings)
    context = Study(store, judged, is_masked=True)
    scores = evaluate([parse_measure("AP")], rankings)
    table = basis.add_columns(scores, context)
    assert set(table["measure"]) == {"AP"}
    assert set(table["content_hash"]) == {version.content_hash}
    assert set(table["collection"]) == {get_collection(store, judged).name}
    assert table.groupby("system")["missing_topics"].first().to_dict() == {
        "e1": 0,
        "e2": 1,
        "s1": 0,
    }
    assert set(table["judged_topics"]) == {2}
    assert set(basis.add_columns(scores[["topic_id"]], context)["missing_topics"]) == {1}
    assert set(table["weights"]) == {""}
    weighted = ScoreBasis(basis.choice, version, rankings, ((1, 0.25), (2, 1.0)))
    assert set(weighted.add_columns(scores, context)["weights"]) == {"{1: 0.25, 2: 1.0}"}
    assert "level 1 0.250 · level 2 1.000" in weighted.describe()


def test_a_note_says_what_a_figure_rests_on(version, rankings):
    basis = ScoreBasis(QrelsChoice("mine", QrelsRule("mine")), version, rankings)
    share = basis.judged_share(1)
    assert share.to_dict() == {"e1": 1.0, "e2": 0.5, "s1": 1.0}
    assert basis.judged_share(None, "t1")["s1"] == 0.5
    assert basis.note("AP", 2, share) == (
        f"AP · **mine** (content `{version.content_hash[:12]}`) · 50 to 100 % judged · "
        "2 of 2 topics · 1 missing answer among all systems"
    )
    assert "· 100 % judged ·" in basis.note("AP", 2, share[["e1"]])


def test_rows_stand_by_their_means_the_best_on_top():
    scores = pd.DataFrame({"system": ["a", "b", "a", "b"], "value": [0.1, 0.9, 0.2, 0.8]})
    assert order_by_mean(scores, "system", "AP")["system"].tolist() == ["b", "b", "a", "a"]
    assert order_by_mean(scores, "system", "E@10")["system"].tolist() == ["a", "a", "b", "b"]
