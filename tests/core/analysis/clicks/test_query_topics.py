"""Queries of a log are topics by id, or by a text that one topic has."""

import pandas as pd

from core.analysis.clicks.query_topics import fold, match_topics

TOPICS = pd.DataFrame(
    {"topic_id": ["1", "2", "3", "cats"], "query": ["Cats", "STRASSE", "two  words", "dogs"]}
)


def test_an_id_goes_before_a_text():
    told = match_topics(["cats", "Cats", "1", "straße", "Two Words", "x", ""], TOPICS)
    assert told["topic_id"].tolist() == ["cats", "1", "1", "2", "3", "", ""]
    assert told["how"].tolist() == ["id", "text", "id", "text", "text", "unknown", "unknown"]


def test_no_query_is_no_topic():
    assert match_topics([], TOPICS).columns.tolist() == ["query", "topic_id", "how"]
    assert match_topics(["x"], TOPICS.iloc[:0])["how"].tolist() == ["unknown"]


def test_unicode_forms_of_a_text_are_one():
    assert fold("ＣＡＦÉ") == fold("cafe\u0301")
