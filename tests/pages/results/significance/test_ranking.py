"""The page of orders, drawn on a small collection without a browser."""

import json

from core.collection.files.source import Source
from core.collection.formats import read_import
from core.store.content.collections import create_collection
from core.store.content.imports import write_import
from core.store.content.saved_rules import save_rule
from core.store.people.people import add_person
from core.versions.rules import QrelsRule
from tests.short import long

PAGE = "ranking"


def texts(at) -> str:
    return "\n".join(part.value for part in [*at.markdown, *at.caption, *at.info])


def test_an_assessor_never_sees_it(store, filled, open_page):
    at = open_page(PAGE, add_person(store, "Ann", "assessor"))
    assert not at.dataframe


def test_it_orders_the_systems_under_every_version(store, filled, organiser, open_page):
    at = open_page(PAGE, organiser)
    assert not at.exception
    assert [title.value for title in at.title] == ["Robustness"]
    table, facts, pairs = (frame.value for frame in at.dataframe)
    assert set(table["system"]) == {"s1", "e1", "e2"}
    declared = "all, median, in whole levels"
    assert table[f"{declared}: rank"].tolist() == sorted(table[f"{declared}: rank"])
    assert facts["version"].tolist()[:3] == [declared, "all, maximum", "all, median"]
    assert facts["content"].str.len().unique().tolist() == [12]
    assert facts["labels"].tolist()[:3] == [3, 3, 3]
    assert len(pairs) == len(facts) * (len(facts) - 1) // 2


@long
def test_the_table_of_pairs_names_its_columns(store, filled, organiser, open_page):
    proto = open_page(PAGE, organiser).dataframe[2].proto
    labels = {name: one.get("label") for name, one in json.loads(proto.columns).items()}
    shown = {"tau": "Kendall's τ-b", "low": "from", "high": "to", "tau_ap": "τ_AP"}
    shown["spearman"] = "Spearman's ρ"
    assert {name: labels[name] for name in shown} == shown
    assert {labels["rbo"], labels["far"]} == {"RBO", "moves > 2 ranks"}
    assert list(proto.column_order)[:3] == ["first", "second", "systems"]


@long
def test_a_version_that_cannot_be_made_is_left_out_with_the_reason(
    store, filled, organiser, open_page
):
    rule = QrelsRule("too far", slots=(7,))
    save_rule(store, filled, rule.name, rule.to_json())
    at = open_page(PAGE, organiser)
    assert not at.exception
    assert "too far is left out" in texts(at)
    assert "too far" not in at.dataframe[1].value["version"].tolist()


def test_a_measure_that_cannot_be_read_is_named(store, filled, organiser, open_page):
    at = open_page(PAGE, organiser, **{"ranking-measure": "nonsense"})
    assert not at.exception
    assert "'nonsense' is not a measure" in at.code[0].value
    assert "Choose a measure, and versions" in texts(at)


def test_a_geometric_mean_is_not_compared(store, filled, organiser, open_page):
    at = open_page(PAGE, organiser, **{"ranking-measure": "GMAP"})
    assert not at.exception
    assert "geometric mean over all topics" in at.error[0].value
    assert "Choose a measure, and versions" in texts(at)


@long
def test_one_version_alone_has_an_order_and_no_pairs(store, filled, organiser, open_page):
    at = open_page(PAGE, organiser, **{"ranking-versions-page": ["all, maximum"]})
    assert not at.exception
    assert len(at.dataframe) == 2


@long
def test_a_version_without_anything_relevant_is_left_out(store, filled, organiser, open_page):
    qrels = Source("none.qrels", b"t1 0 d1 0\n")
    write_import(store, filled, read_import("qrels", qrels), name="none")
    at = open_page(PAGE, organiser)
    assert not at.exception
    assert "none is left out: nothing is relevant in it" in texts(at)


@long
def test_versions_are_compared_on_the_topics_that_all_count_when_asked(
    store, filled, organiser, open_page
):
    qrels = Source("two.qrels", b"t1 0 d1 1\nt2 0 d2 1\n")
    write_import(store, filled, read_import("qrels", qrels), name="two")
    at = open_page(PAGE, organiser, **{"ranking-versions-page": ["all, maximum", "imported: two"]})
    assert not at.exception
    assert (
        at.toggle(key="ranking-common").label == "Only the 1 of 2 topics that every version counts"
    )
    every = at.dataframe[0].value.set_index("system")
    assert "Not every topic counts under every condition" in texts(at)
    at.toggle(key="ranking-common").set_value(True).run()
    common = at.dataframe[0].value.set_index("system")
    assert "Not every topic counts under every condition" not in texts(at)
    column = "imported: two: nDCG@10"
    assert common.loc["e1", column] == 1
    assert every.loc["e1", column] == 1
    assert every.loc["e2", column] == common.loc["e2", column] / 2


def test_without_labels_it_waits(store, organiser, open_page):
    collection_id = create_collection(store, "New")
    runs = Source("a.run", b"t1 Q0 d1 1 2.5 s1\n")
    write_import(store, collection_id, read_import("runs", runs))
    at = open_page(PAGE, organiser)
    assert not at.exception
    assert "No page is judged yet" in texts(at)


def test_without_a_collection_it_says_so(store, organiser, open_page):
    assert "no collection yet" in texts(open_page(PAGE, organiser))
