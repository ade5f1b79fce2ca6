"""Judging orders: what is missing, what came out, what it rests on, and what takes long."""

import pandas as pd
import pytest

from core.collection.files.source import Source
from core.collection.formats import read_import
from core.collection.qrels_and_runs.trec import write_qrels, write_run
from core.reports.judging_orders import simulate_judging
from core.store.content.collections import create_collection
from core.store.content.imports import write_import
from core.store.people.members import add_viewer
from core.store.people.people import add_person
from core.versions.judgements import put_on_scale
from pages.judging.orders import judging_orders
from tests.core.reports.test_judging_orders import ask, make_study
from tests.short import long


def fill(store, name: str, judged_from: str = "") -> str:
    """Make a collection of runs and of qrels for documents from an id on; return its id."""
    collection_id = create_collection(store, name)
    runs, qrels = make_study()
    run = write_run(runs.assign(score=-runs["rank"]))
    judged = write_qrels(qrels[qrels["document_id"] >= judged_from])
    for kind, text in (("runs", run), ("qrels", judged)):
        write_import(store, collection_id, read_import(kind, Source("all.txt", text)))
    return collection_id


@pytest.fixture
def judged(store) -> str:
    """A collection whose whole pool is judged, by imported qrels."""
    return fill(store, "Judged")


def said(at) -> str:
    return "\n".join(one.value for one in (*at.markdown, *at.caption, *at.info))


@long
def test_too_few_judgements_say_what_is_missing(open_page, organiser, filled, store):
    at = open_page("judging-orders", organiser)
    assert not at.exception
    assert "two systems and two topics" in said(at)
    assert not at.get("plotly_chart")


@long
def test_a_pool_that_is_hardly_judged_is_not_tried(open_page, organiser, store):
    fill(store, "Hardly judged", "d40")
    at = open_page("judging-orders", organiser)
    assert not at.exception
    assert "at least 90%" in said(at)


def test_a_collection_without_runs_asks_for_them(open_page, organiser, store):
    create_collection(store, "Empty")
    at = open_page("judging-orders", organiser)
    assert not at.exception
    assert "There are no runs yet" in said(at)


def test_it_answers_first_and_says_what_it_rests_on(open_page, organiser, judged):
    at = open_page("judging-orders", organiser)
    assert not at.exception
    words = said(at)
    assert "of the pool" in words
    assert "imported" in words
    assert "5 runs" in words
    assert "one outside it may be at a disadvantage" in words
    assert len(at.get("plotly_chart")) == 1
    rows = at.dataframe[0].value
    runs, qrels = make_study()
    orders = rows["order"].unique().tolist()
    shares = tuple(rows["share"].unique())
    question = ask(*orders, measure="nDCG@10", depth=20, seeds=10, shares=shares)
    wanted = simulate_judging(runs, put_on_scale(qrels), question)
    columns = ["order", "share", "judged", "tau", "low", "best_same"]
    pd.testing.assert_frame_equal(
        rows[columns].reset_index(drop=True), wanted.orders[columns], check_dtype=False
    )


@long
def test_other_choices_have_other_figures_and_no_order_asks_for_one(open_page, organiser, judged):
    at = open_page("judging-orders", organiser)
    at.selectbox(key="judging-orders-measure").set_value("P@5").run()
    assert not at.exception
    assert set(at.dataframe[0].value["measure"]) == {"P@5"}
    at.multiselect(key="judging-orders-chosen").set_value(["depth-first"]).run()
    assert set(at.dataframe[0].value["order"]) == {"depth-first"}
    at.multiselect(key="judging-orders-chosen").set_value([]).run()
    assert "Choose at least one order" in said(at)


@long
def test_a_measure_that_cannot_rank_says_why(open_page, organiser, judged):
    at = open_page("judging-orders", organiser, **{"judging-orders-measure": "GMAP"})
    assert not at.exception
    assert "Orders cannot be tried here" in said(at)
    at = open_page("judging-orders", organiser, **{"judging-orders-measure": "nonsense"})
    assert not at.exception
    assert "nonsense" in at.error[0].value.replace("\\", "")


@long
def test_what_takes_long_waits_to_be_asked_and_can_be_stopped(
    open_page, organiser, judged, monkeypatch
):
    monkeypatch.setattr(judging_orders, "QUICK", 10)
    at = open_page("judging-orders", organiser)
    assert "can be judged again" in said(at)
    assert not at.get("plotly_chart")
    at.button(key="judging-orders-start").click().run()
    assert not at.exception
    assert len(at.get("plotly_chart")) == 1
    at.number_input(key="judging-orders-seeds").set_value(2).run()
    assert not at.get("plotly_chart")
    judging_orders._forget()


@long
def test_a_viewer_sees_it_too(open_page, store, judged):
    viewer = add_person(store, "Vera", "viewer")
    add_viewer(store, judged, viewer)
    at = open_page("judging-orders", viewer)
    assert not at.exception
    assert "of the pool" in said(at)
