"""The model step by step: the terms add up to its weights, and figure 4 comes to four."""

import numpy as np
import pytest
from scipy.stats import binom

from core.agreement.ratings import Ratings, ratings_from_labels
from core.collection.files.source import Source
from core.collection.formats import read_import
from core.collection.records import default_scales
from core.disagreement.top_results import effective_top_results
from core.disagreement.user_disagreement import relevance_weight
from core.disagreement.worked import list_binomial_terms, observe_weights, weight_curve
from core.errors import BadInput
from core.settings import ROOT
from tests.each import each


def read_users(only: str = "") -> Ratings:
    source = Source.at(ROOT / "sample_data" / "textbook" / "four_users.tsv")
    labels = read_import("labels", source, scales=default_scales()).frames["labels"]
    labels = labels[labels["assessor_id"] == only] if only else labels
    return ratings_from_labels(labels, "page", [0, 1, 2, 3])


@each("is_top", [False, True])
@each(("users", "at_least"), [(2, 1), (3, 1), (3, 2), (5, 2), (5, 5), (70, 3)])
def test_the_terms_that_count_add_up_to_the_weight(is_top: bool, users: int, at_least: int):
    terms = list_binomial_terms(0.3, is_top, users, at_least)
    assert terms["chance"].sum() == pytest.approx(1)
    counted = terms.loc[terms["counts"], "chance"].sum()
    assert counted == pytest.approx(relevance_weight(0.3, is_top, users, at_least))


def test_the_terms_are_those_of_the_binomial_distribution():
    terms = list_binomial_terms(0.3, False, 5, 2)
    assert terms["chance"].tolist() == pytest.approx(binom.pmf(range(5), 4, 0.3).tolist())
    assert terms["ways"].tolist() == [1, 4, 6, 4, 1]
    assert terms["counts"].tolist() == [False, False, True, True, True]


def test_all_users_and_a_label_below_top_leave_nothing_that_counts():
    assert not list_binomial_terms(0.3, False, 4, 4)["counts"].any()


@each(("p", "users", "at_least"), [(1.5, 3, 1), (0.3, 3, 4), (0.3, 0, 1)])
def test_what_makes_no_sense_is_refused(p: float, users: int, at_least: int):
    with pytest.raises(BadInput):
        list_binomial_terms(p, False, users, at_least)


def test_the_curve_runs_from_never_to_always():
    curve = weight_curve(False, 3, 1, points=11)
    assert curve["weight"].tolist() == sorted(curve["weight"])
    assert (curve["weight"].iloc[0], curve["weight"].iloc[-1]) == (0, 1)
    assert curve["weight"].iloc[3] == pytest.approx(0.51)


def test_the_assessor_of_figure_4_has_its_weights_and_four_effective_top_results():
    weights = observe_weights(read_users(), "user 3", 3)
    assert weights["items"].tolist() == [0, 3, 4, 1]
    assert weights["weight"].tolist()[1:] == pytest.approx([1 / 3, 1 / 2, 1])
    assert np.isnan(weights["weight"].iloc[0])
    worth = weights.set_index("level")["weight"].fillna(0).to_dict()
    assert effective_top_results(read_users("user 3"), worth, 3)["effective"].tolist() == [4.0]


def test_nobody_finds_top_what_somebody_finds_of_no_use():
    ratings = read_users()
    lowest, top = (set(ratings.item[ratings.level == level].tolist()) for level in (0, 3))
    assert lowest
    assert not lowest & top
    assert len(top) == 4


def test_more_users_have_to_agree():
    weights = observe_weights(read_users(), "user 3", 3, at_least=2)
    assert weights["top_items"].tolist() == [0, 0, 0, 1]


def test_an_unknown_assessor_or_top_is_refused():
    with pytest.raises(BadInput, match="user 9"):
        observe_weights(read_users(), "user 9", 3)
    with pytest.raises(BadInput, match="top"):
        observe_weights(read_users(), "user 3", 7)
