"""Judgements by intent: what is an intent, and the greedy ideal ranking."""

import numpy as np
import pandas as pd
import pytest

from core.measures.catalogue import parse_measure
from core.measures.ranking import compile_rankings
from core.versions.judgements import put_on_scale

RUN = ["system", "topic_id", "document_id", "rank"]
QRELS = ["topic_id", "iteration", "document_id", "level"]


@pytest.fixture
def runs():
    rows = [("s", "t1", "a", 1), ("s", "t1", "none", 2), ("s", "t1", "b", 3), ("s", "t2", "a", 1)]
    rows += [("r", "t1", "b", 1), ("r", "t1", "c", 2)]
    return pd.DataFrame(rows, columns=RUN)


@pytest.fixture
def qrels():
    rows = [("t1", "1", "a", 1), ("t1", "2", "a", 3), ("t1", "10", "b", 2), ("t1", "2", "b", 1)]
    rows += [("t1", "1", "c", 1), ("t1", "0", "none", 0), ("t1", "1", "b", 0), ("t1", "3", "b", 0)]
    rows += [("t2", "1", "a", 2), ("t2", "1", "z", 0)]
    return pd.DataFrame(rows, columns=QRELS)


def cells(ranked):
    return list(zip(ranked.row.tolist(), ranked.rank.tolist(), ranked.level.tolist(), strict=True))


def test_an_intent_is_an_iteration_with_something_relevant(runs, qrels):
    intents = compile_rankings(runs, put_on_scale(qrels)).intents
    assert intents.names == ("1", "2", "10")
    assert intents.relevant(1).tolist() == [[2, 2, 1], [1, 0, 0]]
    assert intents.relevant(2).tolist() == [[0, 1, 1], [1, 0, 0]]


def test_a_document_stands_in_the_row_of_each_of_its_intents(runs, qrels):
    retrieved = compile_rankings(runs, put_on_scale(qrels)).intents.retrieved
    assert retrieved.rows == 2 * 2 * 3
    assert cells(retrieved) == [
        *[(0, 1, 1), (1, 1, 3), (1, 3, 1), (2, 3, 2)],
        (3, 1, 2),
        *[(6, 2, 1), (7, 1, 1), (8, 1, 2)],
    ]


def test_judged_documents_are_numbered_by_descending_id(runs, qrels):
    judged = compile_rankings(runs, put_on_scale(qrels)).intents.judged
    assert judged.rows == 2 * 3
    assert cells(judged) == [(0, 1, 1), (0, 3, 1), (1, 2, 1), (1, 3, 3), (2, 2, 2), (3, 1, 2)]


def test_other_measures_see_the_highest_level_of_any_intent(runs, qrels):
    compiled = compile_rankings(runs, put_on_scale(qrels))
    assert compiled.levels(3)[0].tolist() == [3, 0, 2]
    assert compiled.ideal.level.tolist() == [3, 2, 1, 0, 2, 0]


def test_one_iteration_is_one_intent(runs, qrels):
    compiled = compile_rankings(runs, put_on_scale(qrels[qrels["iteration"] == "1"]))
    assert compiled.intents.retrieved is compiled.retrieved
    assert compiled.intents.relevant(1).tolist() == [[2], [1]]
    ap, by_intent = parse_measure("AP").score(compiled), parse_measure("AP-IA").score(compiled)
    assert ap.tolist() == by_intent.tolist()
    share = parse_measure("alpha-nDCG(alpha=0)").score(compiled)
    binary = parse_measure("nDCG(gain={1: 1, 2: 1})").score(compiled)
    assert share.tolist() == pytest.approx(binary.tolist(), abs=1e-15)


def test_without_a_relevant_document_there_is_no_intent(runs, qrels):
    compiled = compile_rankings(runs, put_on_scale(qrels.assign(level=0)))
    assert compiled.intents.relevant(1).tolist() == [[0], [0]]
    for text in ("AP-IA", "P-IA@2", "strec", "ERR-IA", "nNRBP", "cRBP"):
        measure = parse_measure(text)
        assert np.isnan(measure.score(compiled)).all()
        assert not measure.eligible_topics(compiled).any()


def test_a_level_that_only_one_topic_reaches(runs, qrels):
    """No document of t1 is relevant from level 4 on; the greedy ideal copes."""
    qrels.loc[qrels["topic_id"] == "t2", "level"] = 4
    compiled = compile_rankings(runs, put_on_scale(qrels))
    ideal = compiled.intents.ideal(0.5, 4)
    assert cells(ideal) == [(3, 1, 1), (3, 2, 1)]
    assert cells(compiled.intents.ideal(0.5, 5)) == []


def test_the_greedy_ideal_prefers_new_intents_then_greater_ids(runs, qrels):
    intents = compile_rankings(runs, put_on_scale(qrels)).intents
    # b covers 2 and 10, a covers 1 and 2, c covers 1: b before a by its id, then a before c.
    assert cells(intents.ideal(0.5, 1)) == [
        *[(0, 2, 1), (0, 3, 1), (1, 1, 1), (1, 2, 1), (2, 1, 1)],
        (3, 1, 1),
    ]
    assert cells(intents.ideal(0.5, 1, 1)) == [(1, 1, 1), (2, 1, 1), (3, 1, 1)]
    assert intents.ideal(0.5, 1) is intents.ideal(0.5, 1)
    # Where one document exhausts an intent, c adds as much as a; it has the greater id.
    assert cells(intents.ideal(1.0, 1))[:2] == [(0, 2, 1), (0, 3, 1)]
    assert cells(intents.ideal(1.0, 1))[3] == (1, 3, 1)


def test_an_engine_has_its_own_intents_for_a_document(runs, qrels):
    general = qrels.assign(engine="")
    own = pd.DataFrame([("t1", "2", "b", 5, "r"), ("t1", "10", "b", 0, "r")])
    own.columns = [*QRELS, "engine"]
    compiled = compile_rankings(runs, put_on_scale(pd.concat([general, own])))
    assert compiled.levels(1)[[0, 2], 0].tolist() == [3, 5]
    assert [cell for cell in cells(compiled.intents.retrieved) if cell[0] >= 6] == [
        (6, 2, 1),
        (7, 1, 5),
    ]
    assert cells(compiled.intents.judged)[2:4] == [(1, 2, 5), (1, 3, 3)]


def test_categories_in_any_order_give_the_same_as_texts(runs, qrels):
    columns = ["topic_id", "iteration", "document_id"]
    coded = qrels.astype(dict.fromkeys(columns, "category"))
    for column in columns:
        coded[column] = coded[column].cat.reorder_categories(coded[column].cat.categories[::-1])
    plain, other = (compile_rankings(runs, put_on_scale(rows)).intents for rows in (qrels, coded))
    assert other.names == plain.names
    assert cells(other.retrieved) == cells(plain.retrieved)
    assert cells(other.judged) == cells(plain.judged)
