"""Topic by topic: the forest of pairs, the items by disagreement, and marking gold."""

import json
import uuid

import pytest

import pages.agreement.coefficients.agreement_topics as agreement_topics
from core.analysis.base import labels
from core.collection.files.source import Source
from core.collection.formats import read_import
from core.store.content.collections import create_collection
from core.store.content.gold import GoldItem, list_gold
from core.store.content.imports import write_import
from core.store.content.scales import get_scales
from core.store.events.labels import Key, LabelEvent
from tests.short import long

LEVELS = {
    "t1": {"anna": [0, 1, 2, 3] * 3, "bob": [0, 1, 2, 3] * 3, "carla": [3, 2, 1, 0] * 3},
    "t2": {"anna": [0, 1, 4], "bob": [3, 1, 3]},
}

TOPICS = {"agreement-part": "Topics"}


def add(store, collection_id, kind, text):
    options = {"scales": get_scales(store, collection_id)} if kind == "labels" else {}
    write_import(store, collection_id, read_import(kind, Source("f.tsv", text.encode()), **options))


@pytest.fixture
def rated(store) -> str:
    """Pages of two topics: on the first, one of three assessors turns the scale round."""
    collection_id = create_collection(store, "Rated")
    add(store, collection_id, "topics", "id\tquery\nt1\tfirst *query*\nt2\tsecond\nt3\tthird\n")
    documents = "".join(f"d{n}\tTitle {n}\tText *{n}*\n" for n in range(12))
    add(store, collection_id, "documents", f"id\ttitle\ttext\n{documents}")
    rows = "".join(
        f"{name}\t{topic}\td{n}\t{level}\n"
        for topic, given in LEVELS.items()
        for name, levels in given.items()
        for n, level in enumerate(levels)
    )
    add(store, collection_id, "labels", f"assessor\ttopic\tdocument\tlevel\n{rows}")
    return collection_id


def judge(store, collection_id, document, who, state="level", level=None, comment=""):
    key = Key("t2", document, "page", "", who, 0)
    event = LabelEvent(str(uuid.uuid4()), None, key, state, level, 0, comment)
    store.labels.append(collection_id, [event])


def forest(at) -> list[str]:
    """Return the names of the rows of the last figure, from the top."""
    layout = json.loads(at.get("plotly_chart")[-1].proto.spec)["layout"]
    return layout["yaxis"]["categoryarray"]


def choose(at, topic):
    return at.selectbox(key="agreement-topic").set_value(topic).run()


def button(at, label):
    (found,) = [one for one in at.button if one.label == label]
    return found


@long
def test_it_starts_with_the_topic_of_least_agreement(open_page, organiser, rated):
    at = open_page("agreement", organiser, **TOPICS)
    assert not at.exception
    assert at.selectbox(key="agreement-topic").value == "t1"
    assert forest(at) == ["anna – carla", "bob – carla", "anna – bob"]
    items = at.dataframe[1].value
    assert len(items) == 12
    assert items["spread"].is_monotonic_decreasing
    assert items["spread"].iloc[0] == pytest.approx((3 + 3 + 0) / 3)
    assert items["document_id"].tolist()[:2] == ["d0", "d11"]
    assert items.loc[0, ["by anna", "by bob", "by carla"]].tolist() == ["Non", "Non", "Key"]
    assert items.loc[0, ["title", "shown"]].tolist() == ["Title 0", "Text *0*"]


@long
def test_all_topics_stand_in_one_forest_without_items(open_page, organiser, rated, monkeypatch):
    at = choose(open_page("agreement", organiser, **TOPICS), "")
    names = forest(at)
    assert len(names) == 4
    assert "second: anna – bob" in names
    assert len(at.dataframe) == 1
    monkeypatch.setattr(agreement_topics, "MOST_ROWS", 2)
    assert forest(at.run()) == names[:2]


def test_labels_stand_as_given_with_comments(open_page, organiser, store, rated):
    judge(store, rated, "d0", "dora", state="cannot judge", comment="It *never* loads.")
    judge(store, rated, "d2", "dora", level=4, comment="Fine")
    judge(store, rated, "d5", "dora", level=1)
    at = choose(open_page("agreement", organiser, **TOPICS), "t2")
    items = at.dataframe[1].value.set_index("document_id")
    assert items.index.tolist() == ["d0", "d1", "d2", "d5"]
    assert items["by dora"].to_dict() == {"d0": "cannot judge", "d1": "", "d2": "Nav", "d5": "Rel"}
    assert items["by anna"].to_dict() == {"d0": "Non", "d1": "Rel", "d2": "Nav", "d5": ""}
    # Nav counts as Key, so that d2 has no spread.
    assert items["spread"].tolist()[:3] == [3, 0, 0]
    assert items["spread"].isna().tolist()[3]
    assert items["comments"]["d0"] == "dora: It *never* loads."
    assert items["labels"].tolist() == [2, 2, 3, 1]
    assert "dora: It *never* loads." in [one.value for one in at.text]


@long
def test_who_begins_while_a_page_is_drawn_goes_by_the_id(open_page, organiser, rated, monkeypatch):
    people = labels.people_of

    def read_before_carla_began(context):
        return people(context).query("assessor_id != 'carla'")

    monkeypatch.setattr(labels, "people_of", read_before_carla_began)
    at = open_page("agreement", organiser, **TOPICS)
    choose(at, "t1")
    assert not at.exception
    assert {"by anna", "by bob", "by carla"} <= set(at.dataframe[1].value)


@long
def test_a_topic_without_labels_says_so(open_page, organiser, rated):
    at = choose(open_page("agreement", organiser, **TOPICS), "t3")
    assert not at.exception
    told = [one.value for one in at.info]
    assert any("κ is not defined here" in one for one in told)
    assert any("Nobody has judged a page of this topic" in one for one in told)


@long
def test_an_item_is_marked_changed_and_unmarked(open_page, organiser, store, rated):
    at = choose(open_page("agreement", organiser, **TOPICS), "t2")
    assert button(at, "Mark as gold").disabled
    at.selectbox(key="gold-level-t2 d0 page -").set_value(2).run()
    button(at, "Mark as gold").click().run()
    assert list_gold(store, rated) == [GoldItem("t2", "d0", "page", "", 2)]
    assert at.dataframe[1].value["gold"].tolist() == ["HRel", "", ""]
    assert button(at, "Mark as gold").disabled
    at.selectbox(key="gold-level-t2 d0 page -2").set_value(4).run()
    button(at, "Mark as gold").click().run()
    assert at.dataframe[1].value["gold"].tolist() == ["Nav", "", ""]
    button(at, "Unmark").click().run()
    assert list_gold(store, rated) == []
    assert at.dataframe[1].value["gold"].tolist() == ["", "", ""]
    people = store.cursor().execute("SELECT person_id FROM changes WHERE subject = 'gold item'")
    assert people.fetchall() == [(organiser,)] * 3


@long
def test_two_organisers_may_unmark_the_same_item(open_page, organiser, store, rated):
    at = choose(open_page("agreement", organiser, **TOPICS), "t2")
    at.selectbox(key="gold-level-t2 d0 page -").set_value(2).run()
    button(at, "Mark as gold").click().run()
    # The row goes behind the page's back, as if the other were quicker by a moment.
    store.cursor().execute("DELETE FROM gold")
    button(at, "Unmark").click().run()
    assert any("Nothing was changed" in one.value for one in at.error)


@long
def test_a_selected_row_chooses_the_topic(open_page, organiser, rated):
    at = open_page("agreement", organiser, **TOPICS)
    topics = at.dataframe[0].value["topic_id"].tolist()
    state = {"agreement-topic": topics[0], "topic-sets-table": {"selection": {"rows": [1]}}}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(agreement_topics.st, "session_state", state)
        agreement_topics._take_row(topics)
    assert state["agreement-topic"] == topics[1]


@long
def test_snippets_show_their_text_and_engine(open_page, organiser, store, rated):
    results = "topic\tengine\tdocument\trank\tsnippet\nt1\te1\td1\t1\tBig cats\n"
    add(store, rated, "results", results)
    head = "assessor\ttopic\tdocument\tfacet\tengine\tlevel\n"
    rows = "".join(f"{name}\tt1\td1\tsnippet\te1\t{n}\n" for n, name in enumerate(("anna", "bob")))
    add(store, rated, "labels", head + rows)
    at = open_page("agreement", organiser, **TOPICS, **{"agreement-facet": "snippet"})
    assert not at.exception
    row = choose(at, "t1").dataframe[1].value.iloc[0]
    assert row[["engine", "shown", "spread"]].tolist() == ["e1", "Big cats", 1]
    assert row[["by anna", "by bob"]].tolist() == ["No", "Unlikely"]


@long
def test_items_that_look_alike_can_be_told_apart(store, organiser, open_page):
    collection_id = create_collection(store, "Alike")
    add(store, collection_id, "topics", "id\tquery\nt1\tcats\n")
    rows = "".join(f"{who}\tt1\td{n}\t{n}\n" for who in ("anna", "bob") for n in range(2))
    add(store, collection_id, "documents", "id\ttitle\nd0\tSame\nd1\tSame\n")
    add(store, collection_id, "labels", f"assessor\ttopic\tdocument\tlevel\n{rows}")
    at = choose(open_page("agreement", organiser, **TOPICS), "t1")
    item = at.selectbox(key="agreement-item-page-t1")
    assert item.options == ["0.000 · Same · d0", "0.000 · Same · d1"]
