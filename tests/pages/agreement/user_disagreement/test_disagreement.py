"""The disagreement page: chances, weights for chosen users, and combined weights."""

import numpy as np
import pytest

from core.assessment.rounds.rounds import Plan, open_round
from core.collection.files.source import Source
from core.collection.formats import read_import
from core.collection.records import numeric_scale
from core.store.content.collections import create_collection
from core.store.content.imports import write_import
from core.store.content.scales import get_scales
from tests.short import long

HEAD = "assessor\ttopic\tdocument\tlevel\tfacet\tengine\n"


def add(store, collection_id, kind, text):
    options = {"scales": get_scales(store, collection_id)} if kind == "labels" else {}
    write_import(store, collection_id, read_import(kind, Source("f.tsv", text.encode()), **options))


def label(who: str, document: int, level: int, facet: str = "page") -> str:
    engine = "e1" if facet == "snippet" else ""
    return f"{who}\tt{document % 2}\td{document}\t{level}\t{facet}\t{engine}\n"


def collection(store, labels: str, results: bool = True) -> str:
    collection_id = create_collection(store, "Judged")
    add(store, collection_id, "topics", "id\tquery\nt0\tone\nt1\ttwo\n")
    documents = range(130)
    rows = "".join(f"d{n}\tText\n" for n in documents)
    add(store, collection_id, "documents", f"id\ttext\n{rows}")
    if results:
        rows = "".join(f"t{n % 2}\te1\td{n}\t{n // 2 + 1}\tWords\n" for n in documents)
        add(store, collection_id, "results", f"topic\tengine\tdocument\trank\tsnippet\n{rows}")
    if labels:
        add(store, collection_id, "labels", HEAD + labels)
    return collection_id


@pytest.fixture
def split(store) -> str:
    """Of 100 pages that Anna calls HRel, Bob calls 30 Key or Nav; 8 are Rel or Non to both."""
    rows = [label("anna", n, 2) + label("bob", n, 3 + n % 2 if n < 30 else 1) for n in range(100)]
    rows += [label(who, n, n % 2) for n in range(100, 108) for who in ("anna", "bob")]
    return collection(store, "".join(rows))


def said(at) -> str:
    return " ".join(one.value for one in at.markdown).replace("\\", "")


def table_with(at, column: str):
    (found,) = [one.value for one in at.dataframe if column in one.value]
    return found


@long
def test_it_says_in_words_what_the_level_below_the_top_is_worth(open_page, organiser, split):
    at = open_page("disagreement", organiser)
    assert not at.exception
    assert (
        "A page that one assessor calls **HRel** would be called **Key or Nav** by at least 1 of 3 "
        "users with probability **0.510**"
    ) in said(at)


@long
def test_the_sliders_follow_the_paper(open_page, organiser, split):
    at = open_page("disagreement", organiser)
    at.slider(key="udm-at-least").set_value(2).run()
    assert "by at least 2 of 3 users with probability **0.090**" in said(at)
    at.slider(key="udm-users").set_value(5).run()
    assert "by at least 2 of 5 users with probability **0.348**" in said(at)
    at.slider(key="udm-at-least").set_value(5).run()
    at.slider(key="udm-users").set_value(2).run()
    assert "by at least 2 of 2 users with probability **0.000**" in said(at)


@long
def test_few_cases_are_marked(open_page, organiser, split):
    rows = open_page("disagreement", organiser).dataframe[0].value.set_index("name")
    assert rows.loc["HRel", "p"] == pytest.approx(0.3)
    assert rows.loc[["Key or Nav", "Non"], "p"].tolist() == [0, 0]
    assert rows["few"].all()  # of two topics
    assert rows["linear"].tolist() == pytest.approx([0, 1 / 3, 2 / 3, 1])
    assert rows["exp"].tolist() == pytest.approx([0, 1 / 7, 3 / 7, 1])


@long
def test_the_top_level_and_the_lowest_can_be_chosen(open_page, organiser, split):
    at = open_page("disagreement", organiser)
    at.selectbox(key="udm-top-page").set_value(1).run()
    rows = at.dataframe[0].value.set_index("name")
    assert rows["weight"].tolist()[0] == 0
    assert rows["weight"].tolist()[1:] == [1, 1, 1]
    assert "Below the top level there is only the lowest one" in at.info[0].value
    at.toggle(key="udm-keep-lowest").set_value(True).run()
    assert "A page that one assessor calls **Non** would be called **Rel**" in said(at)
    at.selectbox(key="udm-weighting").set_value("pairs").run()
    assert not at.exception


@long
def test_a_level_nobody_gave_has_a_dash_and_a_reason(open_page, organiser, store):
    collection(store, label("anna", 1, 3) + label("bob", 1, 3))
    at = open_page("disagreement", organiser)
    assert "No level between the lowest and the top one occurs" in at.info[0].value
    rows = at.dataframe[0].value.set_index("name")
    assert np.isnan(rows.loc["HRel", "weight"])
    assert "no label of this level" in rows.loc["HRel", "reason"]


@long
@pytest.mark.parametrize("labels", ["", label("anna", 1, 3) + label("bob", 2, 3)])
def test_too_few_labels_say_what_to_do(open_page, organiser, store, labels):
    collection(store, labels)
    at = open_page("disagreement", organiser)
    assert not at.exception
    assert not at.error
    assert "each topic goes to two assessors" in at.info[0].value


@pytest.mark.parametrize(
    ("page_from", "alone", "note"),
    [
        (None, (), ""),
        pytest.param(None, ("anna", "bob"), "10 snippet labels left out", marks=long),
        pytest.param(2, ("anna",), "from the snippet level Maybe on only", marks=long),
    ],
)
def test_combined_weights_stand_in_falling_order_beside_the_page_alone(
    open_page, organiser, store, page_from, alone, note
):
    rows = [
        label(who, n, snippet, "snippet") + label(who, n, page)
        for n in range(60)
        for who, snippet, page in (("anna", 3, 2), ("bob", 3, 3 if n < 20 else 1))
    ]
    lonely = [label(who, n, 1, "snippet") for n in range(60, 65) for who in alone]
    made = collection(store, "".join(rows + lonely))
    open_round(store, made, Plan(judges=2, page_from=page_from))
    at = open_page("disagreement", organiser)
    assert not at.exception
    table = table_with(at, "page_weight")
    known = table[table["cases"] > 0]
    assert known["weight"].is_monotonic_decreasing
    assert (known["snippet_name"].iloc[1], known["page_name"].iloc[1]) == ("Sure", "HRel")
    assert known["p"].iloc[1] == pytest.approx(1 / 3)
    assert known["few"].iloc[1]
    assert known["page_weight"].iloc[1] == pytest.approx(1 - (2 / 3) ** 2)
    captions = [one.value for one in at.caption]
    assert any("snippet labels left out, as" in one for one in captions) == bool(note)
    assert any(note in one for one in captions)


@long
def test_combined_weights_need_both_facets_judged(open_page, organiser, split):
    at = open_page("disagreement", organiser)
    assert any("judged the same snippet and its page" in one.value for one in at.info)


@long
def test_snippets_have_weights_of_their_own(open_page, organiser, store):
    rows = [label(who, n, 2 + n % 2, "snippet") for n in range(4) for who in ("anna", "bob")]
    collection(store, "".join(rows))
    at = open_page("disagreement", organiser)
    at.radio(key="disagreement-facet").set_value("snippet").run()
    assert "A snippet that one assessor calls **Maybe** would be called **Sure**" in said(at)


@long
def test_a_single_facet_is_not_asked_for(open_page, organiser, store):
    made = create_collection(store, "Pages only", scales={"page": numeric_scale(range(3))})
    add(store, made, "topics", "id\tquery\nt1\tone\n")
    add(store, made, "documents", "id\ttext\nd1\tText\n")
    add(store, made, "labels", "assessor\ttopic\tdocument\tlevel\na\tt1\td1\t1\nb\tt1\td1\t2\n")
    at = open_page("disagreement", organiser)
    assert not at.radio
    assert not any("page_weight" in one.value for one in at.dataframe)


def test_without_a_collection_it_says_where_to_begin(open_page, organiser):
    assert "There is no collection yet" in open_page("disagreement", organiser).info[0].value


@long
def test_the_effective_number_of_top_results_stands_beside_the_plain_one(
    open_page, organiser, split
):
    at = open_page("disagreement", organiser)
    text = said(at)
    assert "of 54.0 judged pages a topic, one assessor finds **7.5** top" in text
    rows = table_with(at, "effective")
    assert rows["top_results"].tolist() == [7.5, 7.5]
    assert (rows["effective"] > rows["top_results"]).all()


@long
def test_an_unknown_weight_leaves_the_effective_number_open(open_page, organiser, store):
    rows = [label("anna", 1, 3), label("bob", 1, 3), label("anna", 3, 2)]
    collection(store, "".join(rows))
    at = open_page("disagreement", organiser)
    assert any("effective number of top results is unknown" in one.value for one in at.info)


@long
def test_it_says_how_many_more_topics_a_narrower_interval_needs(open_page, organiser, store):
    """On t0 Bob finds all of Anna's HRel pages Key, on t1 none; Rel and Key belong to one each."""
    rows = [label("anna", n, 2) + label("bob", n, 1 if n % 2 else 3) for n in range(100)]
    collection(store, "".join(rows))
    at = open_page("disagreement", organiser)
    assert "**HRel**: 1.000 wide now; about **198 more topics** for 0.100." in said(at)
    assert "**Non**: cannot be estimated, no label of this level" in said(at)
    at.number_input(key="udm-width").set_value(1.0).run()
    assert "**HRel**: 1.000 wide now, which is narrow enough." in said(at)


@long
def test_chances_of_one_part_of_the_collection(open_page, organiser, store):
    """Bob finds Anna's HRel pages Key on the ambiguous topic, and on the first five ranks."""
    made = create_collection(store, "Judged")
    add(store, made, "topics", "id\tquery\ttype\nt0\tone\tambiguous\nt1\ttwo\tfaceted\n")
    add(store, made, "documents", "id\ttext\n" + "".join(f"d{n}\tText\n" for n in range(20)))
    rows = "".join(f"t{n % 2}\te1\td{n}\t{n // 2 + 1}\tWords\n" for n in range(20))
    add(store, made, "results", f"topic\tengine\tdocument\trank\tsnippet\n{rows}")
    pairs = [
        label("anna", n, 2) + label("bob", n, 3 if n % 2 == 0 and n < 10 else 1) for n in range(20)
    ]
    add(store, made, "labels", HEAD + "".join(pairs))
    at = open_page("disagreement", organiser)
    parts = table_with(at, "stratum").set_index("stratum")
    assert parts["items"].to_dict() == {
        "ambiguous topics": 10, "faceted topics": 10, "high quality": 10, "low quality": 10,
        "top 5": 10, "top 5, high quality": 5, "top 5, low quality": 5,
    }  # fmt: skip
    assert parts.loc["ambiguous topics", "HRel"] == "(0.500)"
    assert parts.loc["faceted topics", "HRel"] == "(0.000)"
    at.selectbox(key="udm-stratum-page").set_value("top 5, high quality").run()
    assert not at.exception
    assert table_with(at, "weight").set_index("name").loc["HRel", "p"] == 1
    at.selectbox(key="udm-top-page").set_value(1).run()
    assert not at.exception


@long
def test_combined_weights_come_from_the_chosen_part(open_page, organiser, store):
    """On the ambiguous topic Bob is sure and finds the page Key, on the other he is not."""
    made = create_collection(store, "Judged")
    add(store, made, "topics", "id\tquery\ttype\nt0\tone\tambiguous\nt1\ttwo\tfaceted\n")
    add(store, made, "documents", "id\ttext\n" + "".join(f"d{n}\tText\n" for n in range(20)))
    rows = [
        label("anna", n, 3, "snippet")
        + label("anna", n, 2)
        + label("bob", n, 3, "snippet")
        + label("bob", n, 1 if n % 2 else 3)
        for n in range(20)
    ]
    add(store, made, "labels", HEAD + "".join(rows))
    at = open_page("disagreement", organiser)
    chances = []
    for part in ("", "ambiguous topics", "faceted topics"):
        at.selectbox(key="udm-stratum-page").set_value(part).run()
        assert not at.exception
        pairs = table_with(at, "page_weight").set_index(["snippet_name", "page_name"])
        chances.append(pairs.loc[("Sure", "HRel"), "p"])
    assert chances == [0.5, 1, 0]


@long
def test_pages_lost_behind_their_snippets_are_counted_by_engine(open_page, organiser, store):
    """Anna and Bob find every page Key, and open every other snippet."""
    rows = [
        label(who, n, 3 if n % 4 < 2 else 2, "snippet") + label(who, n, 3)
        for n in range(60)
        for who in ("anna", "bob")
    ]
    collection(store, "".join(rows))
    at = open_page("disagreement", organiser)
    assert "60 of 120 have a snippet" in said(at)
    snippets = table_with(at, "lost")
    assert (len(snippets), set(snippets["snippet"]), set(snippets["lost"])) == (30, {"Words"}, {2})
    at.selectbox(key="lost-below").set_value(2).run()
    assert "0 of 120 have a snippet" in said(at)
