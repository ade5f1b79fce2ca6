"""The page that puts the model to the test: verdicts, and what is missing for one."""

from collections.abc import Iterable

import numpy as np
import pytest

from core.collection.files.source import Source
from core.collection.formats import read_import
from core.collection.records import numeric_scale
from core.store.content.collections import create_collection
from core.store.content.imports import write_import
from core.store.content.scales import get_scales
from tests.short import few, long

Row = tuple[str, int, int]


def add(store, collection_id, kind, text, **options):
    write_import(store, collection_id, read_import(kind, Source("f.tsv", text.encode()), **options))


def collection(store, rows: Iterable[Row], levels: Iterable[int] = range(3), topics=2) -> str:
    """Pages d0 … d119, spread over topics, with labels of (assessor, document, level)."""
    made = create_collection(store, "Judged", scales={"page": numeric_scale(levels)})
    add(store, made, "topics", "id\tquery\n" + "".join(f"t{n}\tq{n}\n" for n in range(topics)))
    add(store, made, "documents", "id\ttext\n" + "".join(f"d{n}\tText\n" for n in range(120)))
    lines = "".join(f"{who}\tt{n % topics}\td{n}\t{level}\n" for who, n, level in rows)
    head = "assessor\ttopic\tdocument\tlevel\n"
    if lines:
        add(store, made, "labels", head + lines, scales=get_scales(store, made))
    return made


def alike(people: int, items: int, seed: int = 0) -> list[Row]:
    """Everybody draws 0, 1 or 2 on every item with the same chances: the model holds."""
    drawn = np.random.default_rng(seed).integers(0, 3, (people, items))
    return [(f"a{p}", n, int(drawn[p, n])) for p in range(people) for n in range(items)]


def said(at) -> str:
    return " ".join(one.value for one in at.markdown).replace("\\", "")


def told(at) -> str:
    return " ".join(one.value for one in [*at.info, *at.warning]).replace("\\", "")


def table_with(at, column: str):
    (found,) = [one.value for one in at.dataframe if column in one.value]
    return found


@long
def test_people_alike_on_all_items_bear_the_model_out(open_page, organiser, store):
    collection(store, alike(7, 120), topics=20)
    at = open_page("verification", organiser)
    assert not at.exception
    assert "**The model of users is not shown to fail here**" in said(at)
    assert "120 items with 6 labels or more." in [one.value for one in at.caption]
    rows = table_with(at, "observed").set_index(["level", "at_least", "users"])
    assert rows.loc[("1", 1, 3), "observed"] == pytest.approx(5 / 9, abs=0.06)
    assert rows.loc[("1", 1, 3), "predicted"] == pytest.approx(5 / 9, abs=0.06)
    assert ("1", 6, 6) not in rows.index


def test_items_that_differ_refute_the_model(open_page, organiser, store):
    """Level 1 meets only 2 on half of the items and only 1 on the others."""
    rows = [
        (f"a{person}", n, 1 if n % 2 or person == 0 else 2)
        for person in range(7)
        for n in range(120)
    ]
    collection(store, rows, topics=20)
    at = open_page("verification", organiser)
    assert "**The model of users does not hold here**" in said(at)


@long
def test_m_can_be_chosen(open_page, organiser, store):
    collection(store, alike(6, 60))
    at = open_page("verification", organiser)
    at.slider(key="verify-m-6").set_value(3).run()
    assert not at.exception


@long
def test_the_number_of_labels_is_lowered_and_this_is_said(open_page, organiser, store):
    collection(store, alike(4, 60))
    at = open_page("verification", organiser)
    assert "No item has 6 labels; the most is 4" in told(at)
    assert at.number_input[0].value == 4
    assert "60 items with 4 labels or more." in [one.value for one in at.caption]
    at.number_input[0].set_value(2).run()
    assert not at.exception
    assert "Items with three labels or more would put it to the test." in told(at)


@long
def test_few_items_allow_no_verdict(open_page, organiser, store):
    collection(store, alike(6, 12))
    at = open_page("verification", organiser)
    assert "Only 12 items with 6 labels or more: too few for a verdict" in told(at)
    assert "There are too few items to tell whether the model of users holds" in said(at)


@pytest.mark.parametrize("rows", few([[], [("anna", 1, 2), ("bob", 2, 2)]]))
def test_without_items_judged_twice_it_says_what_is_needed(open_page, organiser, store, rows):
    collection(store, rows)
    at = open_page("verification", organiser)
    assert not at.exception
    assert "Let 6 assessors judge the same topics" in told(at)
    assert not at.dataframe


@long
def test_repeats_tell_opinions_from_wavering(open_page, organiser, store):
    """Anna and Bob stand by their levels, and never agree on the top one."""
    rows = [("anna", n, 2) for n in range(40)] * 2 + [("bob", n, 1) for n in range(40)] * 2
    collection(store, rows)
    at = open_page("verification", organiser)
    assert "**Assessors disagree with each other more than with themselves**" in said(at)
    assert "again with probability **1.000**, another person with **0.000**" in said(at)


@long
def test_as_much_wavering_as_disagreement_is_no_disagreement(open_page, organiser, store):
    rows = alike(2, 120, seed=1) + alike(2, 120, seed=2)
    collection(store, rows)
    at = open_page("verification", organiser)
    assert "**Disagreement cannot be told apart from inconsistency**" in said(at)


@long
def test_few_repeats_allow_no_verdict(open_page, organiser, store):
    rows = [(who, n, 2) for who in ("anna", "bob") for n in range(5)]
    collection(store, [*rows, *rows])
    assert "Too few repeats for a verdict" in said(open_page("verification", organiser))


@long
def test_repeats_without_the_top_level_say_so(open_page, organiser, store):
    rows = [(who, n, 1) for who in ("anna", "bob") for n in range(5)]
    collection(store, [*rows, *rows])
    assert "has the level 2, so nothing is known yet" in told(open_page("verification", organiser))


@long
def test_without_repeats_it_says_how_to_get_some(open_page, organiser, store):
    collection(store, alike(3, 20))
    assert "open a round with a share of hidden repeats" in told(
        open_page("verification", organiser)
    )


@long
def test_assessors_are_scored_by_each_other(open_page, organiser, store):
    collection(store, [(who, n, n % 3) for who in ("anna", "bob") for n in range(40)])
    at = open_page("verification", organiser)
    rows = table_with(at, "topics")
    assert rows["mean"].tolist() == pytest.approx([1.0] * 12)
    assert "over 2 topics" in said(at)
    assert "treat this as a rough indication" in said(at)


@long
@pytest.mark.parametrize(
    ("rows", "levels", "reason"),
    [
        ([(who, n, 2) for who in ("a", "b") for n in range(12)], range(3), "the same 10 pages"),
        ([(who, n, 0) for who in ("a", "b") for n in range(40)], range(3), "No topic has a score"),
        ([(who, n, 1) for who in ("a", "b") for n in range(40)], range(-1, 2), "levels below 0"),
    ],
)
def test_what_cannot_be_scored_has_a_reason(open_page, organiser, store, rows, levels, reason):
    collection(store, rows, levels)
    at = open_page("verification", organiser)
    assert not at.exception
    assert reason in told(at)


@long
def test_documents_of_several_topics_may_be_one_item(open_page, organiser, store):
    made = collection(store, alike(3, 60))
    lines = "".join(f"a{p}\tt{(n + 1) % 2}\td{n}\t{n % 3}\n" for p in range(3) for n in range(60))
    head = "assessor\ttopic\tdocument\tlevel\n"
    add(store, made, "labels", head + lines, scales=get_scales(store, made))
    at = open_page("verification", organiser)
    assert "the most is 3" in told(at)
    at.selectbox(key="verify-item-page").set_value("document").run()
    assert not at.exception
    assert "60 items with 6 labels or more." in [one.value for one in at.caption]


def test_without_a_collection_it_says_where_to_begin(open_page, organiser):
    assert "There is no collection yet" in open_page("verification", organiser).info[0].value
