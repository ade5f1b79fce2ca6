"""Runs and qrels in TREC's notation."""

import gzip

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pandas.testing import assert_frame_equal

from core.collection.files.source import Source
from core.collection.formats import read_import
from core.collection.qrels_and_runs.trec import rank_runs, write_qrels, write_run
from core.errors import BadInput
from tests.each import each
from tests.short import try_often

RUN = "1 Q0 d1 1 2.5 a\n1 Q0 d2 2 1.5 a\n2 Q0 d1 1 .5 a\n"


def documents(read, text: str) -> list[str]:
    return read("runs", text).frames["runs"]["document_id"].tolist()


def test_run(read):
    result = read("runs", RUN)
    assert result.frames["runs"].values.tolist() == [
        ["a", "1", "d1", 2.5, 1],
        ["a", "1", "d2", 1.5, 2],
        ["a", "2", "d1", 0.5, 1],
    ]
    assert result.counts == {"systems": 1, "topics": 2, "documents": 2, "lines": 3}
    assert result.notes == ()


@pytest.mark.parametrize(
    "change",
    [
        lambda text: text.replace(" ", "\t"),
        lambda text: text.replace(" ", " \t "),
        lambda text: text.replace("\n", "  \r\n"),
        lambda text: "\n" + text.replace("\n", "\n\n"),
        lambda text: "\ufeff" + text,
        lambda text: text.replace("2.5", "+2.50e0"),
        lambda text: text.rstrip("\n"),
        lambda text: gzip.compress(text.encode()),
    ],
)
def test_spacing_does_not_matter(read, change):
    expected = read("runs", RUN).frames["runs"]
    assert_frame_equal(read("runs", change(RUN)).frames["runs"], expected)


def test_scores_decide_and_the_rank_column_does_not(read):
    result = read("runs", "1 Q0 low 1 1 a\n1 Q0 high 2 2 a\n")
    assert result.frames["runs"]["document_id"].tolist() == ["high", "low"]
    assert result.frames["runs"]["rank"].tolist() == [1, 2]
    assert result.notes == (
        "the rank column was ignored; lines in which it contradicts the scores: 1",
    )


def test_ties_are_ordered_by_document_id_descending_by_bytes(read):
    ids = ["a", "B", "b", "é", "\uffee", "\U0001f600", "a1", "10", "9"]
    found = documents(read, "".join(f"1 Q0 {name} 1 0 t\n" for name in ids))
    assert found == sorted(ids, key=str.encode, reverse=True)


def test_scores_are_compared_as_32_bit_numbers(read):
    text = "1 Q0 a 1 100000.001 t\n1 Q0 b 2 100000.000 t\n1 Q0 c 3 99999.9 t\n"
    result = read("runs", text)
    assert result.frames["runs"]["document_id"].tolist() == ["b", "a", "c"]
    assert "tie with the one before (scores as 32-bit numbers): 1;" in result.notes[0]


def test_scores_beyond_32_bits_are_allowed(read):
    assert documents(read, "1 Q0 a 1 1e300 t\n1 Q0 b 2 1e200 t\n1 Q0 c 3 -1e300 t\n") == [
        "b",
        "a",
        "c",
    ]


def test_every_tag_is_a_system(read):
    runs = read("runs", "1 Q0 d 1 1 b\n1 Q0 d 1 1 a\n1 Q0 e 1 2 b\n").frames["runs"]
    assert runs[["system", "document_id", "rank"]].values.tolist() == [
        ["b", "e", 1],
        ["b", "d", 2],
        ["a", "d", 1],
    ]


def test_system_may_be_the_files_name(read):
    result = read("runs", RUN, name="x/bm25.run.gz", system_from="file")
    assert result.frames["runs"]["system"].unique().tolist() == ["bm25"]
    with pytest.raises(BadInput, match="called by its 'tag' or by its 'file'"):
        read("runs", RUN, system_from="moon")


@pytest.mark.parametrize(
    ("line", "match", "field"),
    [
        ("1 Q0 d9 1 2.5", "has 5 words; expected 6: topic Q0 document rank score tag", ""),
        ("1 Q0 the d9 1 2.5 a", "has 7 words", ""),
        ("1 Q0  d9 1 2.5", "has 5 words", ""),
        ("1 Q0 d9 1 nan a", "'nan' is not a finite number", "score"),
        ("1 Q0 d9 1 inf a", "'inf' is not a finite number", "score"),
        ("1 Q0 d9 1 1e999 a", "'1e999' is not a finite number", "score"),
        ("1 Q0 d9 1 1_0 a", "'1_0' is not a finite number", "score"),
        ("1 Q0 d9 1 high a", "'high' is not a finite number", "score"),
        ("1 Q0 d2 1 9 a", "system a, topic 1, document d2 is already there, on line 2", None),
    ],
)
def test_faults_of_runs_are_named(refuse, line, match, field):
    error = refuse("runs", RUN + line + "\n" + "3 Q0 d9 1 2.5 a\n", match)
    assert error.line == 4
    assert field is None or error.field == field


def test_an_empty_document_id_does_not_shift_the_columns(refuse):
    assert refuse("runs", "1 Q0  1 2 a\n", "has 5 words").line == 1


@each(
    "line",
    [
        "q1 Q0 LA 0001 1 9.5 r",
        "q1 Q0 LA 5 1 9.5 r more",
        "q1 Q0 Apollo 11 1 12.5 bm25",
        "q1 Q0 d1 1 2.5 7 8 r",
        "q1\tQ0 Apollo 11 1 12.5 bm25",
        "q1 Q0 Apollo Eleven 1 12.5 bm25",
    ],
)
def test_ids_with_a_space_are_not_cut(read, line):
    """Words could be left out after the tag, or one could belong to the id: nobody can tell."""
    with pytest.raises(
        BadInput, match=r"has [78] words; expected 6.*part the columns by tabs"
    ) as told:
        read("runs", f"q1 Q0 d0 1 13 bm25\n{line}\n")
    assert told.value.line == 2


@each("mark", ["\t", " \t", "\t  "])
def test_tabs_part_columns_where_every_line_has_them(read, mark):
    lines = [
        ["q 1", "Q0", "Apollo 11", "1", "12.5", "m 5"],
        ["q 1", "Q0", "b", "2", "1", "m 5"],
    ]
    runs = read("runs", "".join(mark.join(line) + "\n" for line in lines)).frames["runs"]
    assert runs["document_id"].tolist() == ["Apollo 11", "b"]
    assert (runs["topic_id"].unique().tolist(), runs["system"].unique().tolist()) == (
        *(["q 1"], ["m 5"]),
    )
    qrels = read("qrels", mark.join(["q 1", "0", "Apollo 11", "2"]) + "\n").frames["qrels"]
    assert qrels[["topic_id", "document_id", "level"]].values.tolist() == [["q 1", "Apollo 11", 2]]


def test_words_after_the_tag_are_left_out(read):
    parsed = read("runs", "1 Q0 d1 1 2.5 a Exp extra\n1 Q0 d2 2 1.5 a\n")
    assert parsed.frames["runs"][["system", "document_id", "score"]].values.tolist() == [
        ["a", "d1", 2.5],
        ["a", "d2", 1.5],
    ]
    assert parsed.notes == ("lines with words after the tag, which were left out: 1",)


def test_comments_in_qrels_are_left_out(read, refuse):
    parsed = read("qrels", "# judged in May\n1 0 d1 2\n  # 0 d2 1\n#1 0 d3 1\n1 0 d4 0\n")
    assert parsed.frames["qrels"]["document_id"].tolist() == ["d1", "d4"]
    assert parsed.notes == ("lines that begin with #, left out as comments: 3",)
    assert refuse("qrels", "# 0 d 1\n1 0 d1 2\n1 0 d2 x\n", "is not a whole number").line == 3
    assert refuse("qrels", "# 0 d 1\n", "holds nothing but comments").line == 1
    with pytest.raises(BadInput, match="begins with #"):
        write_qrels(parsed.frames["qrels"].assign(topic_id="#1"))


def test_comments_in_runs_are_left_out(read):
    parsed = read("runs", "# trec_eval 10 has them\n1 Q0 d1 1 2.5 a\n")
    assert parsed.frames["runs"]["document_id"].tolist() == ["d1"]
    assert parsed.notes == ("lines that begin with #, left out as comments: 1",)


def test_lines_are_counted_past_blank_ones(refuse):
    assert refuse("runs", "\n1 Q0 d 1 1 a\n\n1 Q0 d 1 1 a\n", "on line 2").line == 4


def test_qrels(read):
    result = read("qrels", "1 0 d1 2\n1 0 d2 0\n1 sub d1 1\n2 Q0 d1 +1\n")
    assert result.frames["qrels"].values.tolist() == [
        ["1", "0", "d1", 2],
        ["1", "0", "d2", 0],
        ["1", "sub", "d1", 1],
        ["2", "0", "d1", 1],
    ]
    assert result.frames["qrels"]["level"].dtype == np.int64
    assert result.counts == {"topics": 2, "documents": 2, "lines": 4, "negative": 0}


def test_negative_levels_count_as_unjudged(read):
    result = read("qrels", "1 0 d1 2\n1 0 d2 -2\n1 0 d3 -1\n")
    assert result.frames["qrels"]["document_id"].tolist() == ["d1"]
    assert result.counts["negative"] == 2
    assert "count as unjudged" in result.notes[0]


def test_trec_eval_treats_negative_levels_as_unjudged():
    """Oracle: pytrec_eval-terrier (trec_eval 9)."""
    pytrec_eval = pytest.importorskip("pytrec_eval", reason="the oracle is not installed")
    whole = {"d1": 2, "d2": -2, "d3": -1, "d4": 0, "d5": 1}
    kept = {name: level for name, level in whole.items() if level >= 0}
    run = {"q": {"d2": 5.0, "d1": 4.0, "d3": 3.0, "d4": 2.0, "d9": 1.0}}
    measures = {"map", "ndcg", "ndcg_cut", "P", "bpref", "recip_rank", "num_rel"}
    first, second = (
        pytrec_eval.RelevanceEvaluator({"q": qrels}, measures).evaluate(run)
        for qrels in (whole, kept)
    )
    assert first == second


@pytest.mark.parametrize(
    ("line", "match"),
    [
        ("1 0 d9", "has 3 words; expected 4"),
        ("1 0 d9 1 x", "has 5 words"),
        ("1 0 d9 x", "'x' is not a whole number"),
        ("1 0 d9 0.5", "'0.5' is not a whole number"),
        ("1 0 d9 nan", "'nan' is not a whole number"),
        ("1 0 d9 1e300", "is not a whole number"),
        ("1 Q0 d1 3", "topic 1, iteration 0, document d1 is already there, on line 1"),
    ],
)
def test_faults_of_qrels_are_named(refuse, line, match):
    assert refuse("qrels", f"1 0 d1 2\n\n{line}\n", match).line == 3


WORD = st.text(st.characters(codec="utf-8", exclude_characters=" \t\n\r\v\f\0"), min_size=1)
NO_COMMENT = WORD.filter(lambda text: not text.startswith(("\ufeff", "#")))


@given(
    st.dictionaries(
        st.tuples(NO_COMMENT, WORD.filter(lambda text: text != "Q0"), WORD),
        st.integers(0, 2**31 - 1),
        min_size=1,
    )
)
def test_qrels_round_trip(levels):
    frame = pd.DataFrame(
        [(*key, level) for key, level in levels.items()],
        columns=["topic_id", "iteration", "document_id", "level"],
    ).astype({"topic_id": "str", "iteration": "str", "document_id": "str"})
    again = read_import("qrels", Source("q", write_qrels(frame))).frames["qrels"]
    assert_frame_equal(again, frame)


PIECE = st.sampled_from([" ", "\t", "\n", "\n\n", "1", "d", "Q0", "nan", "2.0", "+1", "\x0b", '"'])


@try_often(3)
@given(st.lists(PIECE, max_size=8), st.sampled_from([0, 10, 20, 40]))
def test_reading_at_once_and_line_by_line_agree(pieces, place):
    """The last line, of two spaces, makes the reader go line by line."""
    text = RUN[:place] + "".join(pieces) + RUN[place:]
    outcomes = []
    for tail in ("", "  "):
        try:
            frame = read_import("runs", Source("r", (text + tail).encode())).frames["runs"]
            outcomes.append(frame.values.tolist())
        except BadInput as error:
            outcomes.append(str(error))
    assert outcomes[0] == outcomes[1]


SCORE = st.floats(allow_nan=False, allow_infinity=False)


@given(
    st.dictionaries(
        st.tuples(WORD, NO_COMMENT, WORD), SCORE | st.sampled_from([0.0, 1.0]), min_size=1
    )
)
def test_run_round_trip_and_order(scores):
    frame = pd.DataFrame(
        [(*key, score) for key, score in scores.items()],
        columns=["system", "topic_id", "document_id", "score"],
    ).astype({"system": "str", "topic_id": "str", "document_id": "str"})
    ranked = rank_runs(frame)
    again = read_import("runs", Source("r", write_run(ranked))).frames["runs"]
    assert_frame_equal(again, ranked)
    assert_lists_are_in_order(ranked)


def assert_lists_are_in_order(ranked: pd.DataFrame) -> None:
    """Compare with the plainest possible sort, list by list."""
    for _, rows in ranked.groupby(["system", "topic_id"], sort=False):
        with np.errstate(over="ignore", under="ignore"):
            keys = [
                (np.float32(score), document.encode())
                for score, document in zip(rows["score"], rows["document_id"], strict=True)
            ]
        assert keys == sorted(keys, reverse=True)
        assert rows["rank"].tolist() == list(range(1, len(rows) + 1))
        assert rows.index.tolist() == list(range(rows.index[0], rows.index[0] + len(rows)))


def test_rank_runs_keeps_other_columns_and_takes_no_rows():
    frame = pd.DataFrame(
        {"system": ["a", "a"], "topic_id": "1", "document_id": ["x", "y"], "score": [1.0, 2.0]}
    ).assign(more=["first", "second"])
    assert rank_runs(frame)["more"].tolist() == ["second", "first"]
    assert rank_runs(frame.iloc[:0]).empty
    assert list(frame) == ["system", "topic_id", "document_id", "score", "more"]


def test_white_space_in_ids_is_escaped():
    frame = pd.DataFrame({"topic_id": ["big cats"], "document_id": ["d 1"], "level": [2.0]})
    assert write_qrels(frame) == b"big%20cats 0 d%201 2\n"
    run = frame.assign(system="my run", score=0.1, rank=1)
    assert write_run(run) == b"big%20cats Q0 d%201 1 0.1 my%20run\n"


def test_what_trec_cannot_hold_is_refused():
    frame = pd.DataFrame({"topic_id": ["1"], "document_id": ["d"], "level": [0.5]})
    with pytest.raises(BadInput, match="whole levels"):
        write_qrels(frame)
    with pytest.raises(BadInput, match="empty id"):
        write_qrels(frame.assign(level=1, document_id=""))


TWICE = "1 Q0 d1 1 9 a\n1 Q0 d2 2 8 a\n1 Q0 d1 3 9.5 a\n2 Q0 d1 1 1 a\n"


def test_a_document_twice_in_a_ranking_is_refused_with_a_way_out(refuse):
    assert refuse("runs", TWICE, r"is already there, on line 1; .*--duplicates first").line == 3


def test_of_a_document_twice_in_a_ranking_the_higher_line_can_be_taken(read):
    found = read("runs", TWICE, duplicates="first")
    assert found.frames["runs"][["topic_id", "document_id", "score"]].values.tolist() == [
        *(["1", "d1", 9.5], ["1", "d2", 8.0], ["2", "d1", 1.0]),
    ]
    assert found.counts["repeated lines left out"] == 1
    assert "lines with a document that their ranking has further up, left out: 1" in found.notes


ITERATED = "1 0 d1 2\n1 0 d2 1\n1 1 d1 0\n1 1 d3 0\n"


def test_a_document_in_several_iterations_is_told(read):
    found = read("qrels", ITERATED)
    assert len(found.frames["qrels"]) == 4
    (note,) = found.notes
    assert note.endswith("take for subtopics and others at the highest level: 1")
    latest = read("qrels", ITERATED, iterations="latest")
    assert latest.frames["qrels"][["document_id", "level"]].values.tolist() == [
        *(["d2", 1], ["d1", 0], ["d3", 0]),
    ]
    assert latest.notes == ("lines left out, as the level of a later iteration was taken: 1",)


def test_iterations_can_be_refused_and_one_line_twice_always_is(refuse):
    told = refuse("qrels", ITERATED, "d1 of topic 1 has a level in another", iterations="refuse")
    assert (told.line, told.field) == (3, "iteration")
    for iterations in ("highest", "latest", "refuse"):
        refuse("qrels", "1 0 d 1\n1 0 d 2\n", "is already there", iterations=iterations)


@each("word", ["1.0", "1E+05", "3-Mar", "03-Mar-2026", "1/2/26"])
def test_ids_as_a_spreadsheet_writes_them_are_told(read, word):
    (note,) = read("qrels", f"1 0 {word} 1\n").notes
    assert note.startswith(f"a document is called {word}, as a spreadsheet writes")


@each("word", ["d1", "31-1", "10", "1.1", "WSJ870311-0010", "10.1145/1390334"])
def test_other_ids_are_not(read, word):
    assert read("qrels", f"1 0 {word} 1\n").notes == ()
