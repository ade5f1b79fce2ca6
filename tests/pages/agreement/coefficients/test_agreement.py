"""The agreement page: all pairs, one pair, topics; and what it says without data."""

import json
import uuid

import numpy as np
import pytest
from statsmodels.stats.inter_rater import cohens_kappa

import pages.agreement.coefficients.agreement as agreement
from core.assessment.rounds.rounds import Plan, open_round
from core.collection.files.source import Source
from core.collection.formats import read_import
from core.store.content.collections import create_collection
from core.store.content.imports import write_import
from core.store.content.scales import get_scales
from core.store.events.labels import Key, LabelEvent
from core.store.people.members import add_member
from core.store.people.people import add_person
from pages.agreement.coefficients.agreement import PART
from tests.short import few, long

ONE_PAIR = {PART: "One pair"}
LEVELS = {
    "anna": [0, 1, 2, 3, 3, 2, 1, 0, 0, 1, 2, 3],
    "bob": [0, 1, 2, 3, 2, 2, 0, 0, 1, 1, 3, 3],
    "carla": [3, 3, 3, 3],
}


def add(store, collection_id, kind, text):
    options = {"scales": get_scales(store, collection_id)} if kind == "labels" else {}
    write_import(store, collection_id, read_import(kind, Source("f.tsv", text.encode()), **options))


@pytest.fixture
def rated(store) -> str:
    """Twelve pages of one topic, judged by two assessors, four of them by a third."""
    collection_id = create_collection(store, "Rated")
    add(store, collection_id, "topics", "id\tquery\nt1\tfirst *query*\nt2\tsecond\n")
    documents = "".join(f"d{n}\tText\n" for n in range(12))
    add(store, collection_id, "documents", f"id\ttext\n{documents}")
    rows = "".join(
        f"{name}\tt1\td{n}\t{level}\n"
        for name, levels in LEVELS.items()
        for n, level in enumerate(levels)
    )
    add(store, collection_id, "labels", f"assessor\ttopic\tdocument\tlevel\n{rows}")
    return collection_id


def traces(at, place: int) -> list[dict]:
    return json.loads(at.get("plotly_chart")[place].proto.spec)["data"]


def test_every_pair_has_a_row_and_the_value_of_an_oracle(open_page, organiser, rated):
    at = open_page("agreement", organiser)
    assert not at.exception
    pairs = at.dataframe[0].value
    assert pairs["n"].tolist() == [12, 4, 4]
    table = np.zeros((4, 4))
    np.add.at(table, (LEVELS["anna"], LEVELS["bob"]), 1)
    oracle = cohens_kappa(table, weights=np.arange(4), wt="linear")
    assert pairs["linear"].iloc[0] == pytest.approx(oracle.kappa, abs=1e-12)
    assert pairs["raw"].iloc[0] == pytest.approx(8 / 12)
    titles = [one.label for one in at.metric]
    names = ("Linear weighted κ", "Unweighted κ", "Raw agreement")
    assert titles == [f"{name}, all pairs" for name in names]
    assert at.metric[0].value == f"{oracle.kappa:.3f}"


@long
def test_the_pair_with_most_common_items_is_shown_first(open_page, organiser, rated):
    at = open_page("agreement", organiser, **ONE_PAIR)
    said = " ".join(one.value for one in at.markdown)
    assert "**anna** and **bob** both judged **12** items" in said
    confusion = traces(at, 2)[0]
    assert confusion["x"] == ["Non", "Rel", "HRel", "Key or Nav"]
    assert confusion["text"][0][0] == "2<br>67%"
    at.selectbox(key="agreement-pair-page").set_value(("anna", "carla")).run()
    said = " ".join(one.value for one in at.markdown)
    assert "**anna** and **carla** both judged **4** items" in said


@long
def test_a_pair_without_kappa_on_any_topic_says_so(open_page, organiser, store, rated):
    add(
        store,
        rated,
        "labels",
        "assessor\ttopic\tdocument\tlevel\ndora\tt1\td3\t3\ndora\tt2\td0\t3\n",
    )
    at = open_page("agreement", organiser, **ONE_PAIR)
    at.selectbox(key="agreement-pair-page").set_value(("carla", "dora")).run()
    assert "κ is not defined: both assessors used one level only" in " ".join(
        one.value for one in at.markdown
    )
    assert any("not defined on any single topic" in one.value for one in at.info)
    at = open_page("agreement", organiser, **{"agreement-whose": "dora"})
    assert at.dataframe[0].value["reason"].str.contains("one level only").any()
    assert any("the table below says why" in one.value for one in at.info)


@long
def test_the_forest_can_be_narrowed_to_one_assessor(open_page, organiser, store, rated):
    add(store, rated, "labels", "assessor\ttopic\tdocument\tlevel\ndora\tt1\td0\t3\n")
    at = open_page("agreement", organiser)
    assert len(traces(at, 0)) == 2
    at.selectbox(key="agreement-whose").set_value("bob").run()
    assert all("bob" in name for trace in traces(at, 0) for name in trace["y"])


@long
def test_of_many_pairs_the_lowest_are_drawn(open_page, organiser, rated, monkeypatch):
    monkeypatch.setattr(agreement, "MOST_ROWS", 1)
    at = open_page("agreement", organiser)
    assert any("The 1 lowest of 3 pairs" in one.value for one in at.caption)
    (shown,) = traces(at, 0)[0]["y"]
    pairs = at.dataframe[0].value
    lowest = pairs[pairs["linear"] == pairs["linear"].min()]
    assert shown in set(lowest["first"] + " – " + lowest["second"])


@long
def test_topics_are_sorted_into_sets(open_page, organiser, rated):
    at = open_page("agreement", organiser, **{PART: "Topics"})
    sets = at.dataframe[0].value.set_index("topic_id")
    assert sets["agreement"].to_dict() == {"t1": "high", "t2": "too little data"}
    assert "**High** on 1 of 2 topics" in " ".join(one.value for one in at.markdown)


@pytest.mark.parametrize(
    "labels", few(["", "solo\tt1\td0\t2\n", "solo\tt1\td0\t2\nduo\tt1\td1\t2\n"])
)
def test_too_few_labels_say_what_to_do(open_page, organiser, store, labels):
    collection_id = create_collection(store, "Bare")
    if labels:
        add(store, collection_id, "topics", "id\tquery\nt1\tquery\n")
        add(store, collection_id, "documents", "id\ttext\nd0\tText\nd1\tText\n")
        add(store, collection_id, "labels", f"assessor\ttopic\tdocument\tlevel\n{labels}")
    at = open_page("agreement", organiser)
    assert not at.exception
    assert not at.error
    assert "open a round in which each topic goes to two assessors" in at.info[0].value


def test_without_a_collection_it_says_where_to_begin(open_page, organiser):
    assert "There is no collection yet" in open_page("agreement", organiser).info[0].value


def crowd(people: int, items: int) -> str:
    """Return labels of a crowd: its first two give the same levels, others what comes."""
    rng = np.random.default_rng(5)
    return "assessor\ttopic\tdocument\tlevel\n" + "".join(
        f"w{who:02}\tt{n % 3}\td{n}\t{n % 4 if who < 2 else rng.integers(4)}\n"
        for who in range(people)
        for n in range(items)
    )


@long
def test_a_crowd_is_drawn_as_a_spread_and_its_lowest_pairs(open_page, organiser, store):
    add(store, create_collection(store, "Crowd"), "labels", crowd(45, 12))
    at = open_page("agreement", organiser)
    assert not at.exception
    bars, forest = traces(at, 0)[0], traces(at, 1)[0]
    assert bars["type"] == "bar"
    assert len(forest["y"]) == agreement.WORST
    assert "the highest 1\\.000 \\(w00 and w01\\)" in at.markdown[2].value
    assert len(at.get("plotly_chart")) == 2
    assert len(at.dataframe[0].value) == 45 * 44 // 2


@long
def test_a_crowd_with_little_in_common_says_so(open_page, organiser, store):
    add(store, create_collection(store, "Crowd"), "labels", crowd(31, 9))
    at = open_page("agreement", organiser)
    assert not at.exception
    assert any("No pair has 10 common items" in one.value for one in at.info)


@long
def test_a_long_table_of_pairs_is_cut_and_says_so(open_page, organiser, store, monkeypatch):
    monkeypatch.setattr(agreement, "MOST_LISTED", 2)
    add(store, create_collection(store, "Small"), "labels", crowd(4, 12))
    at = open_page("agreement", organiser)
    assert len(at.dataframe[0].value) == 2
    assert any("The 2 of 6 pairs" in one.value for one in at.caption)


@long
def test_agreement_within_rounds_is_told(open_page, store, organiser, rated):
    at = open_page("agreement", organiser, **{PART: "Rounds"})
    assert any("No page was judged in a round yet" in one.value for one in at.info)
    judges = [add_person(store, name, "assessor") for name in ("Jo", "Kim")]
    for name, judge in zip(("Jo", "Kim"), judges, strict=True):
        add_member(store, rated, judge, name)
    add(store, rated, "runs", "".join(f"t1 Q0 d{n} {n + 1} {9 - n} s\n" for n in range(2)))
    plan = Plan(name="Both", judges=2, flow="page only", assessors=tuple(judges))
    open_round(store, rated, plan)
    for level, judge in enumerate(judges):
        for document in ("d0", "d1"):
            key = Key("t1", document, "page", "", judge, 0)
            event = LabelEvent(str(uuid.uuid4()), None, key, "level", level)
            store.labels.append(rated, [event])
    at.run()
    assert not at.exception
    rows = at.dataframe[0].value
    assert rows[["round", "n"]].values.tolist() == [["Both", 2]]
    assert rows["value"].tolist() == [0.0]
    assert rows["reason"].iloc[0]
