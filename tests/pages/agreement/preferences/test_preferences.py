"""The preferences page: outcomes, strengths, sides, agreement, what levels predict, rankings."""

import pytest
from scipy.stats import binomtest

from core.collection.files.source import Source
from core.collection.formats import read_import
from core.store.content.collections import create_collection
from core.store.content.imports import write_import
from core.store.content.scales import get_scales
from tests.short import long

HEAD = "topic\tleft\tright\tchoice\tstrength\tassessor\tkind\toccasion\n"


def add(store, collection_id: str, kind: str, text: str) -> None:
    options = {"scales": get_scales(store, collection_id)} if kind == "labels" else {}
    write_import(store, collection_id, read_import(kind, Source("f.tsv", text.encode()), **options))


def said(topic: str, left: str, right: str, choice: str, who: str, kind="documents", occasion=0):
    strength = "" if choice == "tie" else "slightly"
    return f"{topic}\t{left}\t{right}\t{choice}\t{strength}\t{who}\t{kind}\t{occasion}\n"


@pytest.fixture
def made(store) -> str:
    collection_id = create_collection(store, "Pairs")
    add(store, collection_id, "topics", "id\tquery\nt1\tone\nt2\ttwo\n")
    add(store, collection_id, "documents", "id\ttext\n" + "".join(f"d{n}\tT\n" for n in range(6)))
    runs = "".join(
        f"t{t} Q0 d{n} 1 {score} {system}\n"
        for t in (1, 2)
        for system, order in (("alpha", range(6)), ("beta", range(5, -1, -1)))
        for score, n in enumerate(order, start=1)
    )
    add(store, collection_id, "runs", runs)
    return collection_id


def table_with(at, column: str):
    (found,) = [one.value for one in at.dataframe if column in one.value]
    return found


def test_without_a_preference_it_says_what_to_do(open_page, organiser, made):
    at = open_page("preferences", organiser)
    assert not at.exception
    assert "open a round of pairs" in at.info[0].value


@long
def test_documents_topic_by_topic(open_page, store, organiser, made):
    """d1 beats d2 three times of four, d3 loses to both; the right side is chosen throughout."""
    rows = [said("t1", "d2", "d1", "right", f"a{n}") for n in range(3)]
    rows += [said("t1", "d1", "d2", "right", "a3")]
    rows += [said("t1", "d3", good, "right", f"a{n}") for n in range(4) for good in ("d1", "d2")]
    rows += [said("t2", "d4", "d5", "tie", "a0"), said("t2", "d4", "d5", "tie", "a1")]
    add(store, made, "preferences", HEAD + "".join(rows))
    at = open_page("preferences", organiser)
    assert not at.exception
    assert [one.value for one in at.metric] == ["14", "4", "4", "14%", "0%"]
    outcomes = table_with(at, "wins").set_index(["first", "second"])
    assert outcomes.loc[("d1", "d2"), ["wins", "losses", "share"]].tolist() == [3, 1, 0.75]
    sides = table_with(at, "left").set_index("assessor_id")
    row = sides.loc["all together"]
    assert (row["left"], row["n"]) == (0, 12)
    captions = " ".join(one.value for one in at.caption)
    assert "3 items: the data set no bound to strengths in this group." in captions
    assert binomtest(0, 12).pvalue < 0.001
    assert row["p"] == "< 0.001"
    at.selectbox(key="preference-topic").set_value("t2").run()
    assert table_with(at, "wins")["ties"].tolist() == [2]
    at.segmented_control(key="preference-model").set_value("davidson").run()
    assert not at.exception


@long
def test_levels_foretell_preferences(open_page, store, organiser, made):
    """Both call d1 3 and d2 1, and four of five prefer d1."""
    labels = "".join(
        f"{who}\tt1\td{n}\t{level}\n" for who in ("x", "y") for n, level in ((1, 3), (2, 1))
    )
    add(store, made, "labels", "assessor\ttopic\tdocument\tlevel\n" + labels)
    choices = ["left", "left", "left", "left", "right"]
    rows = [said("t1", "d1", "d2", choice, f"a{n}") for n, choice in enumerate(choices)]
    add(store, made, "preferences", HEAD + "".join(rows))
    at = open_page("preferences", organiser)
    assert not at.exception
    captions = " ".join(one.value for one in at.caption)
    assert "for a unit of mean level, is **0\\.693**" in captions  # log(4) over two levels
    assert at.selectbox(key="udm-weighting").value == "item"


def test_systems_stand_beside_their_scores(open_page, store, organiser, made):
    """beta shows d5 first, which is judged best, yet people prefer alpha."""
    add(store, made, "labels", "assessor\ttopic\tdocument\tlevel\nx\tt1\td0\t3\nx\tt2\td0\t3\n")
    rows = [
        said(f"t{n % 2 + 1}", "alpha", "beta", "right" if n < 5 else "left", f"a{n}", "systems")
        for n in range(6)
    ]
    add(store, made, "preferences", HEAD + "".join(rows))
    at = open_page("preferences", organiser)
    assert not at.exception
    ranked = table_with(at, "rank_by_score").set_index("system")
    assert ranked["rank"].to_dict() == {"beta": 1, "alpha": 2}
    assert ranked["rank_by_score"].to_dict() == {"beta": 1, "alpha": 2}
    assert any(r"is **1\.000** over 2 systems" in one.value for one in at.markdown)


@long
def test_swapped_repeats_are_told_apart(open_page, store, organiser, made):
    rows = [said("t1", "d1", "d2", "left", "a0"), said("t1", "d2", "d1", "left", "a0", occasion=1)]
    rows += [
        said("t1", "d1", "d3", "left", "a0"),
        said("t1", "d3", "d1", "right", "a0", occasion=1),
    ]
    add(store, made, "preferences", HEAD + "".join(rows))
    at = open_page("preferences", organiser)
    repeats = table_with(at, "same").set_index("assessor_id")
    assert repeats.loc["all together", ["n", "same", "left", "right"]].tolist() == [2, 1, 1, 0]
    assert any("two assessors" in one.value for one in at.info)


@long
def test_the_order_is_a_qrels_version(open_page, store, organiser, made):
    rows = [
        said("t1", one, other, "left", "a0")
        for one, other in (("d5", "d4"), ("d4", "d3"), ("d3", "d2"))
    ]
    add(store, made, "preferences", HEAD + "".join(rows))
    add(store, made, "labels", "assessor\ttopic\tdocument\tlevel\nx\tt1\td0\t3\n")
    at = open_page("effectiveness", organiser)
    at.selectbox(key="version-page").set_value("preferences, pages").run()
    assert not at.exception
    scores = table_with(at, "nDCG@10").set_index("system")["nDCG@10"]
    assert scores["alpha"] == 1  # scores rise with the document's number: d5 first
    assert scores["beta"] < 1
    at = open_page("qrels", organiser)
    assert not at.exception
