"""Where others differ, as an assessor sees it: nothing before it may be seen, then only that."""

import json
import shutil
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from core.assessment.afterwards import open_topic
from core.assessment.rounds.rounds import Plan, open_round
from core.store.content.collections import get_collection
from core.store.content.gold import GoldItem, mark_gold
from core.store.events.afterwards import (
    Seeing,
    allow_seeing,
    count_marked,
    list_topics_seen,
    read_items_seen,
)
from core.store.events.frames import read_labels
from core.store.store import Store
from pages.judge.assignment import data_without_work
from tests.pages.conftest import OpenPage, serve_copy
from tests.pages.seen_study import REMARK, Pair, judge_in_pairs
from tests.short import long

OTHERS = {"shown": "others"}


@pytest.fixture(scope="module")
def judged(
    filled_store: tuple[Path, str], tmp_path_factory: pytest.TempPathFactory
) -> tuple[Path, Pair]:
    """A store to be copied, in which the small collection has been judged to the end."""
    path, collection_id = filled_store
    copy = Path(shutil.copy(path, tmp_path_factory.mktemp("judged")))
    with closing(Store(copy)) as made:
        return copy, judge_in_pairs(made, collection_id)


@pytest.fixture
def store(judged: tuple[Path, Pair], tmp_path: Path) -> Iterator[Store]:
    with serve_copy(judged[0], tmp_path) as opened:
        yield opened


@pytest.fixture
def pair(store: Store, judged: tuple[Path, Pair]) -> Pair:
    return replace(judged[1], store=store)


@pytest.fixture
def strict(pair: Pair) -> Pair:
    """The same, with nobody allowed to see anything."""
    allow_seeing(pair.store, pair.collection_id, Seeing())
    return pair


def everything(at: AppTest) -> str:
    """Return all that the page sends to the browser, but for the script's own state."""
    return "\n".join(str(one.proto) for one in (*at.main, *at.sidebar))


def press(at: AppTest, label: str) -> AppTest:
    next(one for one in at.button if one.label == label).click()
    return at.run()


def open_others(open_page: OpenPage, pair: Pair) -> AppTest:
    at = open_page("history", pair.anna, address=OTHERS)
    assert not at.exception
    return at


@long
def test_without_leave_the_page_is_as_it_was_and_sends_nothing(open_page, strict: Pair):
    at = open_others(open_page, strict)
    assert len(at.dataframe) == 1
    assert [one.label for one in at.button] == []
    assert "others" not in data_without_work(
        strict.store, get_collection(strict.store, strict.collection_id), strict.anna, "session"
    )
    for told in (REMARK, "Wilhelmina", strict.other, "Assessor A", "Where others differ"):
        assert told not in everything(at)


def test_the_card_leads_there_without_telling_whether_anybody_differs(pair: Pair, open_page):
    here = pair.store, get_collection(pair.store, pair.collection_id)
    sent = data_without_work(*here, pair.anna, "session")
    assert sent["others"] == f"history?collection={pair.collection_id}&shown=others"
    text = json.dumps(sent)
    for told in (REMARK, "Wilhelmina", pair.other, '"d1"'):
        assert told not in text


def test_before_a_query_is_opened_nothing_of_others_is_sent(open_page, pair: Pair):
    at = open_others(open_page, pair)
    for told in (REMARK, "Wilhelmina", pair.other, "Assessor A", "Fair", "differs"):
        assert told not in everything(at)
    assert list_topics_seen(pair.store, pair.collection_id, pair.anna) == {}
    assert at.selectbox(key="afterwards-topic").options == ["jaguar", "עברית"]


def test_opened_it_shows_levels_under_letters_and_nothing_else(open_page, pair: Pair):
    at = press(open_others(open_page, pair), "See what others said")
    (said,) = (one.value for one in at.markdown if "Assessor" in one.value)
    own, *others = said.splitlines()
    assert own == "- You: **Non**"
    assert [one[:16] for one in others] == [f"- Assessor {letter}: **" for letter in "ABC"]
    assert sorted(one[16:] for one in others) == ["HRel**", "Key**", "Key**"]
    assert list(list_topics_seen(pair.store, pair.collection_id, pair.anna)) == ["t1"]
    for told in (REMARK, "Wilhelmina", pair.other):
        assert told not in everything(at)
    (row,) = read_items_seen(pair.store, pair.collection_id).to_dict("records")
    assert (row["assessor_id"], row["document_id"]) == (pair.anna, "d1")


def test_comments_are_sent_only_where_they_may_be(open_page, pair: Pair):
    allow_seeing(pair.store, pair.collection_id, Seeing(True, comments=True))
    at = press(open_others(open_page, pair), "See what others said")
    assert f"“{REMARK}”" in "\n".join(one.value for one in at.markdown)
    assert "Wilhelmina" not in everything(at)


def test_a_hostile_comment_stays_text(open_page, pair: Pair):
    allow_seeing(pair.store, pair.collection_id, Seeing(True, comments=True))
    with pair.store.database.write() as cursor:
        cursor.execute(
            "UPDATE labels SET comment = '**bold** ![x](https://evil.example/x)\n\n# big' "
            "WHERE comment <> ''"
        )
    pair.store.forget()
    at = press(open_others(open_page, pair), "See what others said")
    said = "\n".join(one.value for one in at.markdown)
    assert r"\*\*bold\*\*" in said
    assert "](https" not in said
    assert "\n#" not in said


def test_another_level_is_stored_with_a_mark_and_the_given_one_stays(open_page, pair: Pair):
    at = press(open_others(open_page, pair), "See what others said")
    at = press(at, "Key")
    assert at.success[0].value.endswith("You changed 1 label.")
    assert count_marked(pair.store, pair.collection_id) == 1
    for discussed, level in ((False, 0), (True, 3)):
        frame = read_labels(
            pair.store, pair.collection_id, assessor_id=pair.anna, discussed=discussed
        )
        row = frame[(frame["document_id"] == "d1") & (frame["topic_id"] == "t1")].iloc[0]
        assert row["given_level"] == level
    at = press(at, "Look at them again")
    said = "\n".join(one.value for one in at.markdown)
    assert "- You: **Non** → **Key** (after seeing others)" in said


@long
def test_keeping_a_label_stores_nothing(open_page, pair: Pair):
    events = pair.store.labels.sequence(pair.collection_id)
    at = press(open_others(open_page, pair), "See what others said")
    at = press(at, "Keep: Non")
    assert at.success[0].value.endswith("You changed 0 labels.")
    assert pair.store.labels.sequence(pair.collection_id) == events


@long
def test_a_reason_is_stored_with_a_label_that_is_kept(open_page, pair: Pair):
    at = press(open_others(open_page, pair), "See what others said")
    at.text_input[0].set_value("It is about cars.").run()
    press(at, "Keep: Non")
    stands = pair.store.labels.current(pair.collection_id, pair.anna)[pair.key()]
    assert (stands.level, stands.comment) == (0, "It is about cars.")
    assert count_marked(pair.store, pair.collection_id) == 1


def test_a_label_changed_elsewhere_meanwhile_is_not_overwritten(open_page, pair: Pair):
    at = press(open_others(open_page, pair), "See what others said")
    pair.revise(2)
    at = press(at, "Key")
    assert "changed elsewhere" in at.error[0].value
    assert pair.store.labels.current(pair.collection_id, pair.anna)[pair.key()].level == 2


@long
def test_where_nobody_differs_that_is_said(open_page, pair: Pair):
    at = open_others(open_page, pair)
    at.selectbox(key="afterwards-topic").select("t2").run()
    at = press(at, "See what others said")
    assert at.success[0].value == "Nobody differs from you here."


def test_gold_is_not_shown(open_page, pair: Pair):
    mark_gold(pair.store, pair.collection_id, GoldItem("t1", "d1", "page", "", 3))
    at = press(open_others(open_page, pair), "See what others said")
    assert at.success[0].value == "Nobody differs from you here."


@long
def test_a_page_that_was_open_shows_nothing_once_the_topic_is_asked_for_again(
    open_page, pair: Pair
):
    """Also to who had opened it: the server looks each time."""
    at = press(open_others(open_page, pair), "See what others said")
    plan = Plan("Again", 1, 10, "snippet only", assessors=(pair.anna,))
    open_round(pair.store, pair.collection_id, plan)
    at = at.run()
    assert "Assessor A" not in everything(at)
    assert len(at.dataframe) == 1


@long
def test_the_list_of_own_labels_has_what_stands(open_page, pair: Pair):
    open_topic(pair.store, pair.collection_id, pair.anna, "t1")
    pair.revise(3)
    at = open_page("history", pair.anna)
    rows = at.dataframe[0].value
    assert rows.loc[(rows["Query"] == "jaguar") & (rows["Document"] == "d1"), "Label"].tolist() == [
        "Key"
    ]


@long
def test_it_speaks_the_collections_language(open_page, pair: Pair, store, filled):
    with store.change(filled, "describe", "collection") as cursor:
        cursor.execute("UPDATE collections SET language = 'de'")
    at = press(open_others(open_page, pair), "Sehen, was andere gesagt haben")
    said = "\n".join(one.value for one in at.markdown)
    assert "- Sie: **Non**\n- Person A: **" in said
