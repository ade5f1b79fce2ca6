"""One's own labels are found again by query, by label and by words."""

import uuid

import pandas as pd
import pytest

from core.store.events.labels import Key, LabelEvent
from core.store.store import Store
from tests.browser.filled import documents, fill, invite_to, say, topics
from tests.short import long

DOCUMENTS = 8


@pytest.fixture
def judged(store: Store) -> str:
    """Somebody who judged eight pages for each of two queries, and commented on one."""
    collection_id = fill(store, "Own", topics=topics(2), documents=documents(DOCUMENTS))
    who = invite_to(store, collection_id, "Ada")
    for topic in (1, 2):
        for document in range(1, DOCUMENTS + 1):
            say(store, collection_id, who, topic, document, document % 3)
    key = Key("t1", "d9", "page", "", who, 0)
    event = LabelEvent(str(uuid.uuid4()), None, key, "level", 1, comment="Nearly Right")
    store.labels.append(collection_id, [event])
    return who


def listed(at) -> pd.DataFrame:
    assert not at.exception
    return at.dataframe[0].value


@long
def test_a_query_and_a_label_narrow_the_list(judged: str, open_page):
    at = open_page("history", judged)
    whole = listed(at)
    assert len(whole) == 2 * DOCUMENTS + 1
    assert "**17 items** of 2 queries" in " ".join(one.value for one in at.markdown)
    at.selectbox(key="history-filter-Query").set_value("query 1").run()
    assert set(listed(at)["Query"]) == {"query 1"}
    at.selectbox(key="history-filter-Label").set_value("HRel").run()
    assert listed(at)["Document"].tolist() == ["d8", "d5", "d2"]
    at.selectbox(key="history-filter-Query").set_value(None).run()
    assert len(listed(at)) == 6


@long
def test_words_and_comments_narrow_the_list(judged: str, open_page):
    at = open_page("history", judged)
    at.toggle(key="history-commented").set_value(True).run()
    assert listed(at)["Comment"].tolist() == ["Nearly Right"]
    at.toggle(key="history-commented").set_value(False).run()
    for words, found in (("nearly", 1), ("title 3", 2), ("d9", 1), ("a.*b", 0)):
        at.text_input(key="history-words").set_value(words).run()
        assert len(listed(at)) == found, words


def test_few_labels_are_listed_without_filters(store: Store, open_page):
    collection_id = fill(store, "Few", topics=topics(1), documents=documents(1))
    who = invite_to(store, collection_id, "Ada")
    say(store, collection_id, who, 1, 1, 2)
    at = open_page("history", who)
    assert len(listed(at)) == 1
    assert not at.selectbox
    assert "**1 item** of one query" in " ".join(one.value for one in at.markdown)
