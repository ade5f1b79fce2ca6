"""Rank correlation step by step: the steps lead to the coefficients."""

import numpy as np
import pandas as pd
import pytest
from scipy.stats import kendalltau, spearmanr

from core.comparison.worked import document_pairs, rank_differences
from core.settings import ROOT


@pytest.fixture
def ranks() -> pd.DataFrame:
    return pd.read_csv(ROOT / "sample_data" / "textbook" / "rankings.tsv", sep="\t")


def test_the_differences_are_the_textbooks(ranks: pd.DataFrame):
    steps = rank_differences(ranks)
    assert steps["difference"].tolist() == [-1, -1, 2, -1, 1, -1, -1, -2, 3, 1]
    assert steps["squared"].sum() == 24
    value = 1 - 6 * steps["squared"].sum() / (10 * 99)
    assert value == pytest.approx(spearmanr(ranks["first"], ranks["second"]).statistic)


def test_the_pairs_of_the_first_five_are_the_textbooks(ranks: pd.DataFrame):
    pairs = document_pairs(ranks.head(5))
    assert "".join("C" if one else "D" for one in pairs["concordant"]) == "CDCCDCCCCD"
    assert (pairs.loc[1, "ahead"], pairs.loc[1, "behind"]) == ("d123", "d56")
    assert (pairs.loc[1, "first"], pairs.loc[1, "second"]) == (2, -1)


def test_the_pairs_lead_to_tau_in_whatever_order_the_documents_come():
    rng = np.random.default_rng(5)
    for _ in range(20):
        ranks = pd.DataFrame(
            {
                "document": [f"d{place}" for place in range(8)],
                "first": rng.permutation(8) + 1,
                "second": rng.permutation(8) + 1,
            }
        )
        share = document_pairs(ranks)["concordant"].mean()
        expected = kendalltau(ranks["first"], ranks["second"]).statistic
        assert 2 * share - 1 == pytest.approx(expected)
