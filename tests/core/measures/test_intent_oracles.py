"""Measures by intent against ndeval, the TREC Web track's own program, through pyndeval."""

import numpy as np
import pandas as pd
import pyndeval
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.collection.files.source import Source
from core.collection.qrels_and_runs.trec import rank_runs, read_qrels
from core.measures.catalogue import parse_measure
from core.measures.ranking import compile_rankings
from core.versions.judgements import put_on_scale
from tests.core.measures.conftest import read_runs
from tests.each import each
from tests.short import long

CUT = (2, 5, 10, 20)
NDEVAL = {
    **{f"{name}@{k}": f"{name}@{k}" for name in ("P-IA", "strec") for k in (1, *CUT)},
    **{f"{name}(alpha)@{k}": f"{name}@{k}" for name in ("ERR-IA", "alpha-DCG") for k in CUT},
    **{
        f"{name}(alpha)@{k}": f"{name}@{k}" for name in ("nERR-IA", "alpha-nDCG") for k in (1, *CUT)
    },
    "NRBP(alpha, beta)": "NRBP",
    "nNRBP(alpha, beta)": "nNRBP",
    "AP-IA": "MAP-IA",
}


def fill(text, alpha, beta, rel):
    text = text.replace("alpha,", f"alpha={alpha},").replace("(alpha)", f"(alpha={alpha})")
    text = text.replace("beta)", f"beta={beta})")
    return parse_measure(text, rel=rel)


def ndeval(runs, qrels, alpha=0.5, beta=0.5, rel=1, names=None):
    """Return ndeval's values: (system, topic) -> measure -> value; ranks are handed over."""
    order = qrels.sort_values("iteration", kind="stable")  # ndeval adds up intents by number
    columns = ["topic_id", "iteration", "document_id", "level"]
    rows = list(order[columns].itertuples(index=False, name=None))
    oracle = pyndeval.RelevanceEvaluator(
        rows, names or NDEVAL.values(), rel, alpha=alpha, beta=beta
    )
    values = {}
    for system, own in runs.groupby("system"):
        given = zip(own["topic_id"], own["document_id"], -own["rank"].astype(float), strict=True)
        for topic, scores in oracle.evaluate(list(given)).items():
            values[system, topic] = scores
    return values


def check_against_ndeval(runs, qrels, alpha, beta, rel=1):
    """Compare all scores of all rankings; undefined and missing ones must be 0."""
    expected = ndeval(runs, qrels, alpha, beta, rel)
    rankings = compile_rankings(runs, put_on_scale(qrels))
    pairs = [(system, topic) for system in rankings.systems for topic in rankings.topics]
    for text, theirs in NDEVAL.items():
        measure = fill(text, alpha, beta, rel)
        values = [expected.get(pair, {}).get(theirs, 0.0) for pair in pairs]
        ours = np.nan_to_num(measure.score(rankings)).tolist()
        assert ours == pytest.approx(np.nan_to_num(values).tolist(), abs=1e-12), measure
    return expected


@pytest.fixture(scope="module")
def web09(shared_data):
    runs = read_runs([shared_data / "web09" / "indri-baseline.run.gz"])
    file = Source.at(shared_data / "web09" / "diversity.qrels.gz")
    return runs, read_qrels(file, None).frames["qrels"]


@each(("alpha", "beta"), [(0.5, 0.5), (0.3, 0.8), (1, 0.2), (0, 0.9)])
def test_web09_against_ndeval(web09, alpha, beta):
    expected = check_against_ndeval(*web09, alpha, beta)
    assert len(expected) == 50
    assert np.mean([scores["alpha-nDCG@10"] for scores in expected.values()]) > 0.1


@long
def test_web09_without_cut_offs_is_the_limit_of_deep_ones(web09):
    rankings = compile_rankings(web09[0], put_on_scale(web09[1]))
    for name in ("ERR-IA", "alpha-DCG", "alpha-nDCG", "nERR-IA", "NRBP"):
        deep, whole = (parse_measure(text).score(rankings) for text in (f"{name}@1000", name))
        assert deep.tolist() == pytest.approx(whole.tolist(), abs=1e-12)


def test_web09_tied_scores_stand_in_trec_evals_order_not_in_pyndevals(web09):
    """We and ndeval -traditional put the greater of tied documents first, pyndeval the lesser."""
    _, qrels = web09
    topic = qrels["topic_id"].eq("1") & qrels["level"].eq(1)
    documents = sorted(qrels.loc[topic, "document_id"].unique())[:2]
    rows = [("s", "1", document, 1.0) for document in [*documents, "unjudged"]]
    tied = rank_runs(pd.DataFrame(rows, columns=["system", "topic_id", "document_id", "score"]))
    ours = parse_measure("strec@1").score(compile_rankings(tied, put_on_scale(qrels)))[0]
    assert tied["document_id"].tolist() == ["unjudged", *documents[::-1]]
    assert ours == 0
    oracle = pyndeval.RelevanceEvaluator([("1", "1", documents[0], 1)], ["strec@1"])
    theirs = oracle.evaluate([("1", document, 1.0) for document in [*documents, "unjudged"]])
    assert theirs["1"]["strec@1"] == 1


@long
@each("name", ["ERR-IA", "alpha-DCG"])
def test_web09_cut_off_1_is_normalised_which_ndeval_forgets(web09, name):
    """Ndeval starts to divide at cut-off 2; at 1 it gives the number of intents found."""
    runs, qrels = web09
    expected = ndeval(runs, qrels, names=[f"{name}@1"])
    rankings = compile_rankings(runs, put_on_scale(qrels))
    theirs = [expected["indri-baseline", topic][f"{name}@1"] for topic in rankings.topics]
    intents = (rankings.intents.relevant(1) > 0).sum(axis=1)
    ours = parse_measure(f"{name}@1").score(rankings)
    assert (ours * intents).tolist() == pytest.approx(theirs, abs=1e-12)
    assert max(theirs) > 1 >= ours.max()


DOCUMENTS = [f"d{number}" for number in range(12)]


@st.composite
def worlds(draw):
    """Runs with unjudged documents and missing topics; qrels with several and with no intents."""
    topics = ["t1", "t2", "t3"]
    levels = st.dictionaries(
        st.tuples(st.sampled_from("01234"), st.sampled_from(DOCUMENTS)), st.integers(0, 2)
    )
    qrels = [(topic, *key, level) for topic in topics for key, level in draw(levels).items()]
    qrels.append(("t3", "1", "d1", 1))
    ranking = st.lists(st.sampled_from([*DOCUMENTS, "new1", "new2"]), unique=True)
    runs = [
        (system, topic, document, rank)
        for system in ("s1", "s2")
        for topic in topics
        for rank, document in enumerate(draw(ranking), start=1)
    ]
    runs.append(("s3", "t3", "new1", 1))
    return (
        pd.DataFrame(runs, columns=["system", "topic_id", "document_id", "rank"]),
        pd.DataFrame(qrels, columns=["topic_id", "iteration", "document_id", "level"])
        .drop_duplicates(["topic_id", "iteration", "document_id"])
        .reset_index(drop=True),
    )


@long
@given(
    worlds(),
    st.sampled_from([0, 0.3, 0.5, 1]),
    st.sampled_from([0.2, 0.5, 0.8]),
    st.sampled_from([1, 2]),
)
def test_any_run_against_ndeval(world, alpha, beta, rel):
    check_against_ndeval(*world, alpha, beta, rel)
