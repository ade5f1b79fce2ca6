"""Laws that every measure obeys, run over the registry."""

import numpy as np
import pandas as pd
import pytest

from core.errors import BadInput
from core.measures.base import MEASURES
from core.measures.catalogue import parse_measure
from core.measures.evaluate import evaluate
from core.measures.ranking import compile_rankings
from core.versions.judgements import put_on_scale
from tests.each import each

VARIANTS = {entry.name: entry.examples for entry in MEASURES}
TEXTS = [text for texts in VARIANTS.values() for text in texts]
WEIGHTS = {0: 0.0, 1: 0.3, 2: 0.5, 3: 1.0}


@each("entry", list(MEASURES), ids=lambda entry: entry.name)
def test_every_measure_describes_itself(entry):
    assert entry.description
    assert entry.reference
    assert {type(parse_measure(text)) for text in entry.examples} == {entry}
    assert {type(parse_measure(text)) for text in entry.suggested} <= {entry}


@pytest.fixture(scope="module")
def qrels():
    rng = np.random.default_rng(7)
    rows = [
        (topic, "0", f"d{number}", rng.integers(0, 4))
        for topic in ("t1", "t2", "t3")
        for number in range(20)
    ]
    rows += [("t1", "0", "top", 3), ("t2", "0", "top", 3), ("t3", "0", "top", 3)]
    return pd.DataFrame(rows, columns=["topic_id", "iteration", "document_id", "level"])


@pytest.fixture(scope="module")
def runs():
    rng = np.random.default_rng(8)
    rows = [
        (system, topic, f"d{document}", rank)
        for system in ("s1", "s2", "s3")
        for topic in ("t1", "t2", "t3")
        for rank, document in enumerate(rng.permutation(30)[: rng.integers(1, 30)], start=1)
    ]
    return pd.DataFrame(rows, columns=["system", "topic_id", "document_id", "rank"])


@pytest.fixture(scope="module")
def rankings(runs, qrels):
    """What is judged is known to be the whole pool, so that estimates can be made, too."""
    return compile_rankings(runs, put_on_scale(qrels.assign(stratum="all")))


@pytest.fixture(scope="module")
def renamed(runs, qrels):
    """The same rankings under other names of documents, and in other rows."""
    runs, qrels = (
        frame.assign(document_id="x" + frame["document_id"].str[::-1]).sample(
            frac=1, random_state=3
        )
        for frame in (runs, qrels.assign(stratum="all"))
    )
    return compile_rankings(runs, put_on_scale(qrels))


@pytest.fixture(scope="module")
def improved(runs, qrels):
    """All rankings again and again, each with two neighbours swapped, the lower judged higher.

    The first has the first such pair of each ranking swapped, and so on; those that have no more
    stay as they are.
    """
    rankings, uppers = [], []
    for _, ranking in runs.merge(qrels, how="left").groupby(["system", "topic_id"]):
        ranking = ranking.sort_values("rank")
        rankings.append(ranking[list(runs)])
        uppers.append(np.flatnonzero(np.diff(ranking["level"].fillna(0)) > 0) + 1)
    found = []
    for turn in range(max(map(len, uppers))):
        swapped = [
            swap(own, pairs[turn]) if turn < len(pairs) else own
            for own, pairs in zip(rankings, uppers, strict=True)
        ]
        found.append(compile_rankings(pd.concat(swapped), put_on_scale(qrels)))
    return found


def swap(ranking, upper):
    return ranking.assign(rank=ranking["rank"].replace({upper: upper + 1, upper + 1: upper}))


@each("text", TEXTS)
def test_the_text_of_a_measure_parses_back(text):
    measure = parse_measure(text)
    assert str(measure) == text
    assert parse_measure(str(measure)) == measure
    assert len({measure, parse_measure(text)}) == 1


@each("text", TEXTS)
def test_scores_stay_within_bounds(rankings, text):
    measure = parse_measure(text)
    scores = evaluate([measure], rankings, WEIGHTS)
    assert len(scores) == 9
    assert scores["value"].between(0, measure.upper_bound).all()
    assert scores["judged"].between(0, 1).all()
    assert scores["value"].nunique() > 1


@each("text", [texts[0] for name, texts in VARIANTS.items() if parse_measure(texts[0]).normalised])
def test_the_ideal_ranking_scores_1_when_normalised(qrels, text):
    assert perfect(qrels, text) == pytest.approx([1, 1, 1], abs=1e-15)


@each("text", [texts[0] for texts in VARIANTS.values() if not parse_measure(texts[0]).normalised])
def test_the_ideal_ranking_does_not_score_1_otherwise(qrels, text):
    """With two intents, for otherwise the order by level is best for each of them."""
    assert not parse_measure(text).normalised
    iteration = (np.arange(len(qrels)) % 3 == 0).astype(int).astype("str")
    assert perfect(qrels.assign(iteration=iteration), text) != pytest.approx([1, 1, 1])


def perfect(qrels, text):
    ideal = qrels.sort_values(["topic_id", "level"], ascending=[True, False])
    ideal = ideal.assign(system="ideal", rank=ideal.groupby("topic_id").cumcount() + 1)
    scores = evaluate([parse_measure(text)], compile_rankings(ideal, put_on_scale(qrels)), WEIGHTS)
    return scores["value"].tolist()


@each("text", TEXTS)
def test_names_of_documents_and_order_of_rows_do_not_matter(rankings, renamed, text):
    before = evaluate([parse_measure(text)], rankings, WEIGHTS)
    after = evaluate([parse_measure(text)], renamed, WEIGHTS)
    key = ["system", "topic_id"]
    pd.testing.assert_frame_equal(
        before.sort_values(key, ignore_index=True), after.sort_values(key, ignore_index=True)
    )


RISING = [text for text in TEXTS if parse_measure(text).monotone and "0: 0.3" not in text]


@each("text", RISING)
def test_a_better_document_further_up_never_lowers_a_score(rankings, improved, text):
    """Swap two neighbours of which the lower one is judged higher; E may only fall."""
    measure = parse_measure(text)
    before = evaluate([measure], rankings, WEIGHTS)
    assert len(improved) > 3
    for better in improved:
        after = evaluate([measure], better, WEIGHTS)
        gained = (after["value"] - before["value"]) * (1 if measure.greater_is_better else -1)
        assert (gained >= -1e-15).all()


@each(
    "text",
    [
        "nope@5",
        "P@0",
        "P(rel=0)",
        "P(rel=often)",
        "P(judged_only=1)",
        "bpref(judged_only=True)",
        "P(gain='exp')",
        "Rprec@10",
        "nDCG(gain='fast')",
        "nDCG(discount='none')",
        "CG(discount='log')",
        "F(b=-1)",
        "E(b=1e999)",
        "Q(beta=-1)",
        "Q(gain='fast')",
        "ERR(gmax=0)",
        "nERR(gain={1: -1})",
        "RBP(p=1)",
        "RBP(gain='fast')",
        "INST(T=0.4)",
        "INST(gain='fast')",
        "Compat(p=1)",
        "Compat(norm='best')",
        "RBA(p=0)",
        "TBG(half_life=0)",
        "TBG(words=-1)",
        "GAP(gain='fast')",
        "GAP(gain={1: -1})",
        "GAP(divisor='everything')",
        "nDCG(gain={1: -1})",
        "nDCG(gain={'high': 1})",
        "nDCG(10)",
        "P@",
    ],
)
def test_an_unfit_text_says_what_is_wrong(text):
    with pytest.raises(BadInput, match=text.split("(")[0].split("@")[0]):
        parse_measure(text)


def test_equal_measures_have_one_text():
    assert str(parse_measure("P(rel=2.0)@5")) == "P(rel=2)@5"
    assert str(parse_measure("P(rel=0.5)")) == "P(rel=0.5)"
    assert str(parse_measure("F(b=2.0)")) == "F(b=2)"
    assert str(parse_measure("Q(beta=1.0)")) == "Q"
    assert str(parse_measure("Q(beta=0.5)")) == "Q(beta=0.5)"
    assert str(parse_measure("INST(T=2.0)")) == "INST(T=2)"
    assert str(parse_measure("TBG(half_life=224.0, words=90.0)")) == "TBG(words=90)"
    assert str(parse_measure("ERR(gmax=3.0)")) == "ERR(gmax=3)"
    assert str(parse_measure("nERR(gmax=2.5)")) == "nERR(gmax=2.5)"
    table = parse_measure("nDCG(gain={2: 1, 1: 0.5})")
    assert str(table) == "nDCG(gain={1: 0.5, 2: 1.0})"
    assert parse_measure(str(table)) == table
