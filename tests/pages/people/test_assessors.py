"""The page of assessors: leniency, agreement, gold items, one assessor; and without data."""

import json
import uuid

import numpy as np
import pytest

from core.agreement.assessor_null import DealtScores
from core.collection.files.source import Source
from core.collection.formats import read_import
from core.store.content.collections import create_collection
from core.store.content.gold import GoldItem, list_gold, mark_gold
from core.store.content.imports import write_import
from core.store.content.scales import get_scales
from core.store.events.answered import Paradata
from core.store.events.labels import Key, LabelEvent
from core.store.people.members import add_viewer
from core.store.people.people import add_person
from tests.short import long

LEVELS = {
    "anna": [0, 1, 2, 3, 3, 2, 1, 0, 0, 1, 2, 3] * 2,
    "bob": [0, 1, 2, 2, 2, 2, 0, 0, 1, 1, 1, 3] * 2,
    "gold": [3, 3],
}


def add(store, collection_id, kind, text):
    options = {"scales": get_scales(store, collection_id)} if kind == "labels" else {}
    write_import(store, collection_id, read_import(kind, Source("f.tsv", text.encode()), **options))


@pytest.fixture
def rated(store) -> str:
    """Pages of two topics, judged by two assessors; two of them have gold labels."""
    collection_id = create_collection(store, "Rated")
    add(store, collection_id, "topics", "id\tquery\nt1\tfirst\nt2\tsecond\n")
    documents = "".join(f"d{n}\tText\n" for n in range(12))
    add(store, collection_id, "documents", f"id\ttext\n{documents}")
    rows = "".join(
        f"{name}\tt{n // 12 + 1}\td{n % 12}\t{level}\n"
        for name, levels in LEVELS.items()
        for n, level in enumerate(levels)
    )
    add(store, collection_id, "labels", f"assessor\ttopic\tdocument\tlevel\n{rows}")
    return collection_id


def traces(at, place: int) -> list[dict]:
    return json.loads(at.get("plotly_chart")[place].proto.spec)["data"]


FEW = "assessor\ttopic\tdocument\tlevel\ncara\tt1\td0\t3\ncara\tt1\td1\t3\n"
ONE = {"assessors-part": "One assessor"}
GOLD = {"assessors-part": "Gold items"}
CHANCE = {"assessors-part": "Beside chance"}


def said(at) -> str:
    return " ".join(one.value for one in at.markdown)


def test_every_assessor_has_a_row(open_page, organiser, store, rated):
    add(store, rated, "labels", FEW)
    at = open_page("assessors", organiser)
    assert not at.exception
    table = at.dataframe[0].value.set_index("assessor")
    assert table["labels"].to_dict() == {"anna": 24, "bob": 24, "cara": 2}
    steps = {name: np.array(levels) for name, levels in LEVELS.items()}
    others = steps["bob"].astype(float)
    others[:2] = (others[:2] + 3) / 2
    assert table.loc["anna", "leniency"] == pytest.approx((steps["anna"] - others).mean())
    assert table.loc["anna", "low"] < table.loc["anna", "leniency"] < table.loc["anna", "high"]
    assert table.loc["anna", "pairs"] == 1
    assert table.loc["cara", "pairs"] == 0
    assert "one topic" in table.loc["cara", "reason"]
    assert "choose the assessors whose labels count" in said(at)
    at = open_page("assessors", organiser, **ONE)
    assert at.selectbox(key="assessor-page").value == "anna"


def test_labels_are_dealt_anew_when_that_is_asked_for(open_page, organiser, store, rated):
    """Nobody is named who is not beyond chance; live pages deal nothing."""
    opened: list[str] = []

    def open_counted(**choices):
        with pytest.MonkeyPatch.context() as patch:
            noted = "core.reports.assessors.DealtScores"
            patch.setattr(noted, lambda *given: opened.append("dealt") or DealtScores(*given))
            return open_page("assessors", organiser, **choices)

    at = open_counted()
    assert not opened
    assert "**None of 2 assessors** is shown to judge more leniently" in said(at)
    assert not any(name in said(at).split("*Qrels versions*")[0] for name in ("anna", "bob"))
    at = open_counted(**CHANCE)
    assert not at.exception
    assert opened == ["dealt"]
    told = "Whether any of 2 assessors agrees less with the others than chance gives"
    assert f"{told} **cannot be said**" in said(at)
    table = at.dataframe[0].value
    assert set(table["finding"]) == {"mean κ", "leniency", "drift"}
    assert table["assessor_id"].isin(["anna", "bob"]).all()
    assert not table["beyond"].any()
    open_counted(**CHANCE)
    assert opened == ["dealt"]
    for at, level in enumerate([0, 2] * 11):
        key = Key("t1" if at < 12 else "t2", f"d{at % 12}", "page", "", "dora", 0)
        noted = Paradata(shown_ms=200, place=1)
        event = LabelEvent(str(uuid.uuid4()), None, key, "level", level, 200, paradata=noted)
        store.labels.append(rated, [event])
    at = open_page("assessors", organiser, **CHANCE)
    assert "shows more signs of careless responding than chance gives" in said(at)
    assert len(at.dataframe) == 3


@long
def test_gold_labels_are_taken_over_by_a_button(open_page, organiser, store, rated):
    at = open_page("assessors", organiser)
    assert at.dataframe[0].value["gold_n"].tolist() == [0, 0]
    assert not at.dataframe[0].value["reason"].str.contains("gold").any()
    at = open_page("assessors", organiser, **GOLD)
    assert "Gold left out." in [one.value for one in at.caption]
    (button,) = [one for one in at.button if "Take over 2 labels" in one.label]
    button.click().run()
    assert len(list_gold(store, rated)) == 2
    table = open_page("assessors", organiser).dataframe[0].value.set_index("assessor")
    assert table["gold_n"].to_dict() == {"anna": 2, "bob": 2}
    assert table["gold_raw"].to_dict() == {"anna": 0, "bob": 0}
    assert not [one for one in at.button if "Take over" in one.label]
    assert "2 pages are marked as gold" in said(at)


@long
def test_one_assessor_is_shown_beside_the_others(open_page, organiser, store, rated):
    add(store, rated, "labels", FEW)
    at = open_page("assessors", organiser, **ONE)
    at.selectbox(key="assessor-page").set_value("bob").run()
    own, others = traces(at, 1)
    assert (own["name"], own["x"]) == ("bob", ["Non", "Rel", "HRel", "Key or Nav"])
    assert (own["text"][0], others["text"][3]) == ("25%", "31%")
    assert any("No active time was measured for this assessor" in one.value for one in at.info)
    drift = traces(at, 2)[0]
    assert drift["customdata"] is not None
    assert len(at.get("plotly_chart")) == 3
    assert "**bob** gave 24 page labels" in said(at)
    at.selectbox(key="assessor-page").set_value("cara").run()
    assert any("from 20 labels on" in one.value for one in at.info)
    assert "one topic gives no interval" in said(at)


@long
def test_active_time_is_drawn_where_it_was_measured(open_page, organiser, store, rated):
    for at, level in enumerate([0, 2] * 11):
        key = Key("t1" if at < 12 else "t2", f"d{at % 12}", "page", "", "dora", 0)
        event = LabelEvent(str(uuid.uuid4()), None, key, "level", level, 1000 * (at + 1))
        store.labels.append(rated, [event])
    at = open_page("assessors", organiser, **ONE)
    at.selectbox(key="assessor-page").set_value("dora").run()
    (times,) = traces(at, 2)
    assert times["x"] == ["Non", "HRel"]
    assert times["text"] == ["11.0", "12.0"]
    assert len(at.get("plotly_chart")) == 5


@long
def test_one_assessor_alone_has_levels_and_reasons(open_page, organiser, store):
    collection_id = create_collection(store, "Bare")
    add(store, collection_id, "topics", "id\tquery\nt1\tquery\n")
    add(store, collection_id, "documents", "id\ttext\nd0\tText\n")
    add(store, collection_id, "labels", "assessor\ttopic\tdocument\tlevel\nsolo\tt1\td0\t2\n")
    at = open_page("assessors", organiser)
    assert not at.exception
    assert any("No two assessors have judged the same items" in one.value for one in at.info)
    assert "κ: nobody else judged the same items" in at.dataframe[0].value["reason"][0]
    at = open_page("assessors", organiser, **ONE)
    assert "leniency is not defined" in said(at)


@long
def test_a_gold_level_that_left_the_scale_is_told(open_page, organiser, store, rated):
    mark_gold(store, rated, GoldItem("t1", "d0", "page", "", 2))
    with store.change(rated, "test", "levels") as cursor:
        cursor.execute("UPDATE gold SET level = 9")
    at = open_page("assessors", organiser, **GOLD)
    assert any("1 gold item left out" in one.value for one in at.warning)


def test_without_labels_or_collection_it_says_what_to_do(open_page, organiser, store):
    assert "There is no collection yet" in open_page("assessors", organiser).info[0].value
    create_collection(store, "Bare")
    assert "Nobody has judged a page yet" in open_page("assessors", organiser).info[0].value


def click(store, collection_id: str, name: str, known: list[Paradata]) -> None:
    """Have somebody judge the pages in turn, each in the way that is told of it."""
    for n, one in enumerate(known):
        key = Key(f"t{n // 12 + 1}", f"d{n % 12}", "page", "", name, 0)
        event = LabelEvent(
            str(uuid.uuid4()), None, key, "level", one.place, one.shown_ms or 0, paradata=one
        )
        store.labels.append(collection_id, [event])


def test_who_clicks_at_random_stands_out_for_organisers_only(open_page, organiser, store, rated):
    random = np.random.default_rng(7)
    levels = LEVELS["bob"]
    spots = random.integers(0, 1000, (len(levels), 2)).tolist()
    careful = [
        Paradata(int(random.integers(1_500, 9_000)), "mouse", level, *spot)
        for level, spot in zip(levels, spots, strict=True)
    ]
    click(store, rated, "cora", careful)
    click(store, rated, "rudi", [Paradata(250, "mouse", 2, 640, 960) for _ in levels])
    table = open_page("assessors", organiser).dataframe[0].value.set_index("assessor")
    assert table.loc["rudi", ["fast", "longest_run", "same_spot"]].tolist() == [1, 24, 1]
    assert table.loc["cora", ["fast", "longest_run", "same_spot"]].tolist() == [0, 4, 0]
    assert table.loc["anna", ["fast", "longest_run"]].isna().all(), "imported: nothing is known"
    assert table.loc["rudi", "kappa_mean"] < table.loc["cora", "kappa_mean"]
    assert "**longest run**" in said(open_page("assessors", organiser))
    vera = add_person(store, "Vera", "viewer")
    add_viewer(store, rated, vera)
    seen = open_page("assessors", vera).dataframe[0].value
    assert len(seen) == 4
    assert not {"fast", "longest_run", "same_spot", "answers"} & set(seen)
    beside = open_page("assessors", organiser, **CHANCE)
    assert "**1 of 2 assessors** shows more signs of careless responding" in said(beside)
    assert "**rudi**" in said(beside)
    seen = open_page("assessors", vera, **CHANCE)
    assert [set(one.value) & {"beyond"} for one in seen.dataframe] == [{"beyond"}] * 2
    assert "more signs of careless responding" not in said(seen)


@long
def test_assessors_cannot_see_it(open_page, store, rated):
    anna = add_person(store, "Anna", "assessor")
    assert all(one.value != "Assessors" for one in open_page("assessors", anna).title)


@long
def test_a_crowd_is_a_spread_and_those_who_differ_most(open_page, store, organiser, rated):
    rows = "".join(
        f"c{who:02}\tt{n // 12 + 1}\td{n % 12}\t{(n * who) % 4}\n"
        for who in range(35)
        for n in range(24)
    )
    add(store, rated, "labels", f"assessor\ttopic\tdocument\tlevel\n{rows}")
    at = open_page("assessors", organiser)
    assert not at.exception
    assert traces(at, 0)[0]["type"] == "bar"
    assert sum(len(one["y"]) for one in traces(at, 1)) == 20
    assert "The 20 who differ most" in said(at)
    assert "of 37 assessors" in said(at)
