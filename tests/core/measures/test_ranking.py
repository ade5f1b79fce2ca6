import numpy as np
import pandas as pd
import pytest

from core.errors import BadInput, TooLittleData
from core.measures import coded_judgements, ranking
from core.measures.catalogue import parse_measure
from core.measures.ranking import ABSENT, UNJUDGED, compile_rankings
from core.versions.judgements import put_on_scale

RUN = ["system", "topic_id", "document_id", "rank"]
QRELS = ["topic_id", "iteration", "document_id", "level"]


@pytest.fixture
def runs():
    rows = [("a", "t1", "x", 1), ("a", "t1", "new", 2), ("a", "t1", "y", 3)]
    rows += [("a", "t9", "x", 1), ("b", "t2", "z", 1)]
    return pd.DataFrame(rows, columns=RUN)


@pytest.fixture
def qrels():
    rows = [("t1", "0", "x", 0), ("t1", "0", "y", 2), ("t1", "0", "far", 3), ("t2", "0", "z", 1)]
    return pd.DataFrame(rows, columns=QRELS)


def test_levels_tell_unjudged_from_absent(runs, qrels):
    compiled = compile_rankings(runs, put_on_scale(qrels))
    assert (compiled.systems, compiled.topics) == (("a", "b"), ("t1", "t2"))
    assert compiled.levels(4).tolist() == [
        [0, UNJUDGED, 2, ABSENT],
        [ABSENT] * 4,
        [ABSENT] * 4,
        [1, ABSENT, ABSENT, ABSENT],
    ]
    assert compiled.levels(1)[0].tolist() == [0]


def test_unknown_topics_and_missing_answers_are_named(runs, qrels):
    compiled = compile_rankings(runs, put_on_scale(qrels))
    assert compiled.unknown_topics == ("t9",)
    assert compiled.missing().values.tolist() == [["a", "t2"], ["b", "t1"]]


def test_the_ideal_holds_every_judged_document_best_first(runs, qrels):
    ideal = compile_rankings(runs, put_on_scale(qrels)).ideal
    assert ideal.row.tolist() == [0, 0, 0, 1]
    assert ideal.rank.tolist() == [1, 2, 3, 1]
    assert ideal.level.tolist() == [3, 2, 0, 1]


def test_a_depth_cuts_the_rankings_not_the_ideal(runs, qrels):
    compiled = compile_rankings(runs, put_on_scale(qrels), depth=2)
    assert compiled.length.tolist() == [2, 0, 0, 1]
    assert compiled.levels(3)[0].tolist() == [0, UNJUDGED, ABSENT]
    assert compiled.relevant(1).tolist() == [2, 1]


def test_the_highest_level_of_several_iterations_counts(runs, qrels):
    more = pd.DataFrame([("t1", "1", "x", 3), ("t1", "2", "x", 1)], columns=QRELS)
    compiled = compile_rankings(runs, put_on_scale(pd.concat([qrels, more])))
    assert compiled.levels(1)[0].tolist() == [3]
    assert compiled.relevant(0).tolist() == [3, 1]


def test_a_negative_level_is_no_judgement(runs, qrels):
    qrels.loc[1, "level"] = -2
    assert compile_rankings(runs, put_on_scale(qrels)).levels(3)[0].tolist() == [
        0,
        UNJUDGED,
        UNJUDGED,
    ]


def test_real_valued_levels_stay_as_they_are(runs, qrels):
    compiled = compile_rankings(runs, put_on_scale(qrels.assign(level=[0.25, 1.5, 3, 1])))
    assert compiled.levels(3)[0].tolist() == [0.25, UNJUDGED, 1.5]
    assert (
        compile_rankings(runs, put_on_scale(qrels.astype({"level": float}))).levels(1).dtype.kind
        == "i"
    )


def test_categories_give_the_same_as_texts(runs, qrels):
    columns = {"system": "category", "topic_id": "category", "document_id": "category"}
    coded = compile_rankings(runs.astype(columns), put_on_scale(qrels))
    assert np.array_equal(coded.levels(4), compile_rankings(runs, put_on_scale(qrels)).levels(4))


def test_long_runs_are_read_in_slices(runs, qrels, monkeypatch):
    whole = compile_rankings(runs, put_on_scale(qrels))
    monkeypatch.setattr(ranking, "SLICE", 2)
    sliced = compile_rankings(runs.iloc[::-1], put_on_scale(qrels))
    assert (sliced.systems, sliced.unknown_topics) == (("b", "a"), ("t9",))
    assert np.array_equal(sliced.levels(4)[[2, 3, 0, 1]], whole.levels(4))


def test_categories_are_read_in_slices(runs, qrels, monkeypatch):
    whole = compile_rankings(runs, put_on_scale(qrels))
    monkeypatch.setattr(ranking, "SLICE", 2)
    ids = dict.fromkeys(("system", "topic_id", "document_id"), "category")
    sliced = compile_rankings(runs.astype(ids), put_on_scale(qrels))
    assert np.array_equal(sliced.levels(4), whole.levels(4))


def test_very_many_possible_judgements_are_searched(runs, qrels, monkeypatch):
    laid_out = compile_rankings(runs, put_on_scale(qrels))
    monkeypatch.setattr(coded_judgements, "_LAID_OUT", 0)
    searched = compile_rankings(runs, put_on_scale(qrels))
    assert np.array_equal(searched.levels(4), laid_out.levels(4))


def test_rankings_that_share_no_document_with_the_judgements(runs, qrels):
    compiled = compile_rankings(
        runs.assign(document_id="other" + runs["document_id"]), put_on_scale(qrels)
    )
    assert compiled.levels(1).ravel().tolist() == [UNJUDGED, ABSENT, ABSENT, UNJUDGED]


def test_nothing_judged_and_no_run_are_refused(runs, qrels):
    with pytest.raises(TooLittleData, match="nothing is judged"):
        compile_rankings(runs, put_on_scale(qrels.iloc[:0]))
    with pytest.raises(TooLittleData, match="nothing is judged"):
        compile_rankings(runs, put_on_scale(qrels.assign(level=-1)))
    with pytest.raises(BadInput, match="no run"):
        compile_rankings(runs.iloc[:0], put_on_scale(qrels))


def test_the_wrong_judgements_are_refused(runs, qrels):
    with pytest.raises(BadInput, match="belong to these qrels"):
        compile_rankings(runs, put_on_scale(qrels.assign(topic_id="elsewhere")))


@pytest.mark.parametrize("ranks", [[0, 1, 2], [1, 2, 4], [2, 2, 2], [-1, 2, 3]])
def test_ranks_that_do_not_run_from_1_are_refused(runs, qrels, ranks):
    runs.loc[:2, "rank"] = ranks
    with pytest.raises(BadInput, match="field 'rank'"):
        compile_rankings(runs, put_on_scale(qrels))


@pytest.mark.parametrize("dense", [0, 20])
def test_repeated_documents_are_refused(runs, qrels, monkeypatch, dense):
    """Also where few of the places are taken, which is another way."""
    monkeypatch.setattr(ranking, "_DENSE", dense)
    assert compile_rankings(runs, put_on_scale(qrels)).length.tolist() == [3, 0, 0, 1]
    with pytest.raises(BadInput, match="twice in one topic"):
        compile_rankings(runs.replace("new", "y"), put_on_scale(qrels))
    with pytest.raises(BadInput, match="document y is judged twice for topic t1, iteration 0"):
        compile_rankings(runs, put_on_scale(qrels.replace("far", "y")))


@pytest.fixture
def snippets():
    """Two engines show page x: a user of a finds its snippet good, one of b does not."""
    runs = [("a", "t1", "x", 1), ("a", "t1", "y", 2), ("a", "t1", "z", 3)]
    runs += [("b", "t1", "y", 1), ("b", "t1", "x", 2), ("c", "t1", "x", 1), ("c", "t1", "z", 2)]
    rows = [("t1", "0", "x", 3, "a"), ("t1", "0", "x", 1, "b"), ("t1", "0", "y", 2, "")]
    rows += [("t1", "0", "z", 1, ""), ("t1", "0", "z", 0, "a"), ("t1", "0", "far", 2, "b")]
    return pd.DataFrame(runs, columns=RUN), pd.DataFrame(rows, columns=[*QRELS, "engine"])


def test_a_snippet_counts_for_the_engine_that_shows_it(snippets):
    compiled = compile_rankings(snippets[0], put_on_scale(snippets[1]))
    assert compiled.levels(3).tolist() == [[3, 2, 0], [2, 1, ABSENT], [UNJUDGED, 1, ABSENT]]
    assert compiled.intents.retrieved is compiled.retrieved


def test_the_ideal_takes_the_best_snippet_of_each_document(snippets):
    compiled = compile_rankings(snippets[0], put_on_scale(snippets[1]))
    assert compiled.ideal.level.tolist() == [3, 2, 2, 1]
    assert compiled.ideal.rank.tolist() == [1, 2, 3, 4]
    assert compiled.relevant(1).tolist() == [4]
    best = sum(level / np.log2(rank + 1) for rank, level in enumerate([3, 2, 2, 1], start=1))
    scores = parse_measure("nDCG").score(compiled)
    shares = [(3 + 2 / np.log2(3)) / best, (2 + 1 / np.log2(3)) / best, 1 / np.log2(3) / best]
    assert scores.tolist() == pytest.approx(shares, abs=1e-15)


def test_combined_weights_are_levels_like_any_other(snippets):
    runs, qrels = snippets
    compiled = compile_rankings(runs, put_on_scale(qrels.assign(level=qrels["level"] / 4)))
    assert compiled.levels(2)[:2].tolist() == [[0.75, 0.5], [0.5, 0.25]]
    whole = parse_measure("nDCG").score(compile_rankings(runs, put_on_scale(qrels)))
    assert parse_measure("nDCG").score(compiled).tolist() == pytest.approx(whole.tolist())


def test_an_empty_engine_is_written_in_any_way(snippets):
    runs, qrels = snippets
    expected = compile_rankings(runs, put_on_scale(qrels)).levels(3)
    missing = qrels.assign(engine=qrels["engine"].replace("", np.nan))
    none = qrels.assign(engine=qrels["engine"].astype(object).where(qrels["engine"] != "", None))
    coded = qrels.astype({"engine": "category"})
    for way in (missing, none, coded, coded.sample(frac=1, random_state=4)):
        assert np.array_equal(compile_rankings(runs, put_on_scale(way)).levels(3), expected)
    for_all = qrels[qrels["engine"] == ""]
    without = compile_rankings(runs, put_on_scale(for_all.drop(columns="engine"))).levels(3)
    assert np.array_equal(compile_rankings(runs, put_on_scale(for_all)).levels(3), without)


def test_a_judgement_of_no_engine_in_the_runs_is_in_the_ideal_alone(snippets):
    runs, qrels = snippets
    compiled = compile_rankings(runs, put_on_scale(qrels.replace({"engine": {"b": "elsewhere"}})))
    assert compiled.levels(2)[1].tolist() == [2, UNJUDGED]
    assert compiled.ideal.level.tolist() == [3, 2, 2, 1]


def test_two_judgements_for_one_engine_are_refused(snippets):
    runs, qrels = snippets
    with pytest.raises(BadInput, match="document x is judged twice for topic t1"):
        compile_rankings(runs, put_on_scale(qrels.replace({"engine": {"b": "a"}})))


@pytest.mark.parametrize("level", [np.nan, np.inf])
def test_a_level_that_is_no_number_is_refused(runs, qrels, level):
    with pytest.raises(BadInput, match="field 'level'"):
        compile_rankings(runs, put_on_scale(qrels.assign(level=[level, 1, 1, 1])))
