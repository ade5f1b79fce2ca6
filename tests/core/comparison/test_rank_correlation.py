import math
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import kendalltau

from core.collection.source import Source
from core.collection.trec import RunOptions, rank_runs, read_run
from core.comparison.rank_correlation import compare_rankings, kendall_tau
from core.comparison.scores import largest_moves, rank_systems
from core.measures.catalogue import parse_measure
from core.measures.evaluate import evaluate, mean_scores
from core.measures.ranking import compile_rankings
from core.versions.versions import qrels_from_labels, standard_rules

TEXTBOOK = Path(__file__).parents[3] / "sample_data" / "textbook"


@pytest.mark.parametrize("kind", ["a", "b"])
def test_the_textbook_kendall_of_the_top_five(kind):
    """Baeza-Yates & Ribeiro-Neto, ch. 4, p. 91."""
    top = pd.read_csv(TEXTBOOK / "rankings.tsv", sep="\t").head(5)
    assert kendall_tau(top["first"], top["second"], kind) == 0.4


def test_the_textbook_rankings_have_its_sum_of_squares():
    """Ch. 4, p. 79: the differences of place that Spearman's .8545 comes from."""
    places = pd.read_csv(TEXTBOOK / "rankings.tsv", sep="\t")
    squares = ((places["first"] - places["second"]) ** 2).sum()
    assert squares == 24
    assert round(1 - 6 * squares / (10 * 99), 4) == 0.8545


pairs = st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4)), min_size=2, max_size=30)


@settings(deadline=None)
@given(pairs)
def test_tau_b_against_scipy(rows):
    first, second = zip(*rows, strict=True)
    ours = kendall_tau(first, second)
    if len(set(first)) == 1 or len(set(second)) == 1:
        assert math.isnan(ours)
    else:
        assert ours == pytest.approx(kendalltau(first, second).statistic, abs=1e-12)


@settings(deadline=None)
@given(pairs)
def test_laws_of_tau(rows):
    first, second = (np.array(column) for column in zip(*rows, strict=True))
    tau = kendall_tau(first, second, "a")
    assert -1 <= tau <= 1
    assert kendall_tau(second, first, "a") == tau
    assert kendall_tau(-first, second, "a") == -tau
    assert abs(tau) <= abs(kendall_tau(first, second)) + 1e-12 or len(set(first)) == 1 or tau == 0


def test_ties_count_against_tau_a_only():
    assert kendall_tau([1, 1, 2], [1, 1, 2], "a") == pytest.approx(2 / 3)
    assert kendall_tau([1, 1, 2], [1, 1, 2], "b") == 1


@pytest.mark.parametrize("kind", ["a", "b"])
def test_tau_of_fewer_than_two_is_undefined(kind):
    assert math.isnan(kendall_tau([1], [1], kind))
    assert math.isnan(kendall_tau([], [], kind))


def test_rankings_are_compared_over_the_systems_they_share():
    rows = [("v1", "a", 0.9), ("v1", "b", 0.8), ("v1", "c", 0.7), ("v1", "d", 0.6)]
    rows += [("v2", "a", 0.1), ("v2", "b", 0.2), ("v2", "c", 0.3), ("v3", "a", 0.5)]
    ranked = rank_systems(pd.DataFrame(rows, columns=["version", "system", "value"]))
    compared = compare_rankings(ranked)
    assert list(compared) == ["first", "second", "systems", "tau"]
    assert compared.iloc[0].tolist() == ["v1", "v2", 3, -1.0]
    assert compared["systems"].tolist() == [3, 1, 1]
    assert compared["tau"].isna().tolist() == [False, True, True]


def test_dl19_systems_under_the_first_and_the_second_assessor(shared_data):
    """The whole path: labels to versions to scores to orders, 37 systems, against scipy."""
    folder = shared_data / "dl19"
    labels = pd.read_csv(folder / "labels.tsv", sep="\t", dtype="str")
    labels.columns = pd.Index(["assessor_id", "topic_id", "document_id", "level"])
    labels = labels.astype({"level": "float64"}).assign(facet="page", state="level")
    files = sorted((folder / "runs").glob("*.run.gz"))
    read = [read_run(Source.at(file), RunOptions("file")).frames["runs"] for file in files]
    runs = rank_runs(pd.concat(read))
    versions = [qrels_from_labels(labels, rule) for rule in standard_rules(labels)]
    means = [
        mean_scores(
            evaluate([parse_measure("nDCG@10")], compile_rankings(runs, version.frame))
        ).assign(version=version.rule.name)
        for version in versions
    ]
    ranked = rank_systems(pd.concat(means))
    assert ranked.groupby("version", sort=False)["system"].nunique().tolist() == [37] * 5
    compared = compare_rankings(ranked).set_index(["first", "second"])["tau"]
    wide = ranked.pivot(index="system", columns="version", values="value")
    expected = kendalltau(wide["slot 1"], wide["slot 2"]).statistic
    assert compared["slot 1", "slot 2"] == pytest.approx(expected, abs=1e-12)
    assert 0.5 < expected < 1
    assert largest_moves(ranked)["move"].iloc[0] > 0
