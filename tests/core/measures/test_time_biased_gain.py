"""Time-biased gain against the authors' equations, document by document."""

from math import exp, log

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.collection.topics_and_documents.words import add_words
from core.errors import BadInput
from core.measures.catalogue import parse_measure
from core.measures.ranking import compile_rankings
from core.versions.judgements import put_on_scale
from tests.core.measures.test_cascade import LEVELS, score
from tests.short import long


def save_slowly(relevant, half_life, words):
    """Walk down the ranking with a watch; words is one length for all, or one for each."""
    time, saved = 0.0, 0.0
    lengths = words if isinstance(words, list) else [words] * len(relevant)
    for is_relevant, words in zip(relevant, lengths, strict=True):
        opens = 0.64 if is_relevant else 0.39
        if is_relevant:
            saved += opens * 0.77 * exp(-time * log(2) / half_life)
        time += 4.4 + (0.018 * words + 7.8) * opens
    return saved


@long
@given(LEVELS, st.sampled_from([30, 224]), st.sampled_from([0, 500, 1200]))
def test_tbg_equals_its_definition(levels, half_life, words):
    options = f"half_life={half_life}, words={words}"
    for text, rel, depth in (
        (f"TBG({options})", 1, None),
        (f"TBG(rel=2, {options})@5", 2, 5),
    ):
        expected = save_slowly([level >= rel for level in levels[:depth]], half_life, words)
        assert score(text, levels) == pytest.approx(expected, abs=1e-12)


def test_constants_are_the_authors():
    """One relevant document on top: .64 · .77; after one that is not, 4.4 + .39 · 16.8 s later."""
    assert score("TBG", [1]) == pytest.approx(0.4928, abs=1e-15)
    assert score("TBG", [0, 1]) == pytest.approx(0.4928 * 2 ** (-10.952 / 224), abs=1e-15)
    assert score("TBG(half_life=10.952)", [0, 1]) == pytest.approx(0.2464, abs=1e-15)


LINES = st.lists(
    st.tuples(st.sampled_from([None, 0, 1, 2]), st.sampled_from([np.nan, 0.0, 40.0, 900.0])),
    min_size=1,
    max_size=12,
)


@given(st.lists(LINES, min_size=1, max_size=3), st.sampled_from([None, 4]))
def test_known_lengths_go_before_the_one_for_all(lists, cutoff):
    """Also those of documents without a judgement, in runs whose lines are in any order."""
    runs = pd.DataFrame(
        [
            (f"s{number % 2}", f"t{number}", f"d{rank}", rank, words, level)
            for number, lines in enumerate(lists)
            for rank, (level, words) in enumerate(lines, start=1)
        ],
        columns=["system", "topic_id", "document_id", "rank", "words", "level"],
    )
    qrels = runs.dropna(subset="level").astype({"level": "int64"}).assign(iteration="0")
    others = [(topic, "unseen", 1, "0") for topic in runs["topic_id"].unique()]
    named = ["topic_id", "document_id", "level", "iteration"]
    qrels = pd.concat([qrels[named], pd.DataFrame(others, columns=named)])
    shuffled = runs.drop(columns="level").sample(frac=1, random_state=len(lists))
    rankings = compile_rankings(shuffled, put_on_scale(qrels))
    measure = parse_measure("TBG(words=300)" + (f"@{cutoff}" if cutoff else ""))
    found = measure.score(rankings).reshape(len(rankings.systems), -1)
    for number, lines in enumerate(lists):
        place = rankings.systems.index(f"s{number % 2}"), rankings.topics.index(f"t{number}")
        known = [300 if np.isnan(words) else words for _, words in lines[:cutoff]]
        relevant = [bool(level) for level, _ in lines[:cutoff]]
        assert found[place] == pytest.approx(save_slowly(relevant, 224, known), abs=1e-12)


def test_words_are_those_of_the_text_or_else_of_the_page():
    documents = pd.DataFrame(
        {
            "document_id": ["a", "b", "c"],
            "text": ["three plain words", "", ""],
            "html": ["<p>no", "<p>two<br>words</p><script>var x = 1</script>", ""],
        }
    )
    runs = pd.DataFrame({"document_id": ["b", "x", "a", "c"]})
    words = add_words(runs, documents)["words"].tolist()
    assert words[0::2] == [2, 3]
    assert np.isnan(words[1::2]).all()


def test_a_length_is_a_number_of_words():
    runs = pd.DataFrame({"system": "s", "topic_id": "t", "document_id": ["a"], "rank": 1})
    qrels = pd.DataFrame({"topic_id": "t", "iteration": "0", "document_id": ["a"], "level": 1})
    for wrong in (-1, np.inf):
        with pytest.raises(BadInput, match=r"number of words from 0"):
            compile_rankings(runs.assign(words=wrong), put_on_scale(qrels))
