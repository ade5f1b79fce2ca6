"""The curves of the page of scores, against the same numbers computed anew."""

import uuid

import pytest

from core.measures.cumulated_gain import CG, DCG, NDCG
from core.measures.curves import gain_curve, precision_recall_by_rank, precision_recall_curve
from core.store.events.labels import Key, LabelEvent
from core.wording import plain
from tests.pages.drawn_figures import draw, figure_of, lines, numbers, of_system, said
from tests.short import long

CURVES = {"closer": "Curves"}


def test_mean_precision_by_recall_is_the_eleven_point_curve(rankings, organiser, open_page):
    at = draw(open_page, organiser, **CURVES)
    drawn = lines(figure_of(at, "Precision (interpolated)"))
    wanted = of_system(precision_recall_curve(rankings))
    assert drawn == {name: pytest.approx(values) for name, values in wanted.items()}
    assert "interpolated P \\(rel=1\\)" in said(at)


@long
def test_exact_precision_is_against_exact_recall(rankings, organiser, open_page):
    at = draw(open_page, organiser, **CURVES, **{"curve-precision": "exact"})
    figure = figure_of(at, "Precision at each rank")
    curve = precision_recall_by_rank(rankings, 2)
    assert lines(figure) == {name: pytest.approx(y) for name, y in of_system(curve).items()}
    drawn = {trace["name"]: numbers(trace["x"]) for trace in figure["data"]}
    recall = of_system(curve, "recall")
    assert drawn == {name: pytest.approx(values) for name, values in recall.items()}


@long
def test_one_topic_has_its_own_eleven_points(rankings, organiser, open_page):
    at = draw(open_page, organiser, **CURVES, **{"curve-topic": "t1"})
    curve = precision_recall_curve(rankings, per_topic=True)
    wanted = of_system(curve[curve["topic_id"] == "t1"])
    assert lines(figure_of(at, "Precision (interpolated)")) == wanted
    assert "1 of 2 topics" in said(at)


@long
def test_one_topic_exactly_has_points_and_a_staircase(judged, organiser, open_page):
    at = draw(open_page, organiser, **CURVES, **{"curve-topic": "t2", "curve-precision": "exact"})
    figure = figure_of(at, "Precision")
    points = {one["name"]: numbers(one["y"]) for one in figure["data"] if one["mode"] == "markers"}
    assert points == {"s1": [1.0], "e1": [1.0]}
    steps = [one for one in figure["data"] if one["mode"] == "lines"]
    assert numbers(steps[0]["x"]) == [0.0, 1.0, 1.0]
    assert numbers(steps[0]["y"]) == [1.0, 1.0, 1.0]


@long
def test_systems_that_find_nothing_on_a_topic_have_no_points(judged, organiser, open_page):
    state = {**CURVES, "curve-topic": "t2", "curve-precision": "exact", "curve-systems": ["e2"]}
    at = draw(open_page, organiser, **state)
    assert "None of these systems finds anything relevant on this topic" in said(at)


@pytest.mark.parametrize(
    ("kind", "measure", "column"),
    [
        ("nDCG", NDCG(), "value"),
        pytest.param("DCG", DCG(), "dcg", marks=long),
        pytest.param("CG", CG(), "dcg", marks=long),
    ],
)
def test_gain_by_rank_stands_beside_the_ideal(
    rankings, organiser, open_page, kind, measure, column
):
    at = draw(open_page, organiser, **CURVES, **{"curve-gain": kind})
    drawn = lines(figure_of(at, f"{kind} up to the rank"))
    curve = gain_curve(rankings, 2, measure)
    wanted = of_system(curve, column)
    ideal = of_system(curve, "ideal")["s1"] if column == "dcg" else [1.0, 1.0]
    wanted["ideal"] = ideal
    assert drawn == {name: pytest.approx(values) for name, values in wanted.items()}
    assert ("Mean height" in said(at)) == (column == "value")


@long
def test_the_textbook_divides_means(rankings, organiser, open_page):
    state = {**CURVES, "curve-discount": "jarvelin", "curve-average": "ratio"}
    at = draw(open_page, organiser, **state)
    drawn = lines(figure_of(at, "nDCG up to the rank"))
    measure = NDCG(discount="jarvelin")
    wanted = of_system(gain_curve(rankings, 2, measure, average="ratio"))
    assert drawn.pop("ideal") == [1.0, 1.0]
    assert drawn == {name: pytest.approx(values) for name, values in wanted.items()}
    assert "nDCG\\(discount='jarvelin'\\), ratio of averages" in said(at)


@long
def test_the_gain_of_one_topic(rankings, organiser, open_page):
    at = draw(open_page, organiser, **CURVES, **{"curve-topic": "t1", "curve-gain": "DCG"})
    drawn = lines(figure_of(at, "DCG up to the rank"))
    curve = gain_curve(rankings, 2, DCG(), per_topic=True)
    curve = curve[curve["topic_id"] == "t1"]
    assert drawn["s1"] == pytest.approx(of_system(curve, "dcg")["s1"])
    assert drawn["ideal"] == pytest.approx(of_system(curve, "ideal")["s1"])


@long
def test_a_topic_without_anything_relevant_has_no_curves(store, judged, organiser, open_page):
    key = Key("t3", "d1", "page", "", "a1", 0)
    store.labels.append(judged, [LabelEvent(str(uuid.uuid4()), None, key, "level", 0)])
    at = draw(open_page, organiser, **CURVES, **{"curve-topic": "t3"})
    assert "Nothing that was judged on this topic is relevant" in said(at)
    assert "No judged document of this topic has a gain" in said(at)
    chosen = {"closer": "Topic by topic", "drill-topic": "t3", "drill-by": "one topic"}
    at = draw(open_page, organiser, **chosen)
    assert f"Nothing to find for {plain('nDCG@10')} on this topic" in said(at)
