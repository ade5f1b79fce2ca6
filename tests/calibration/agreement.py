"""The intervals of agreement and of the User Disagreement Model, as the product computes them."""

from collections.abc import Iterable

import numpy as np
import pandas as pd

from core.agreement.assessor_bias import leniency
from core.agreement.base import COEFFICIENTS, PairCoefficient
from core.agreement.confusion import confusion_matrices
from core.agreement.groups import agreement_differences, between_assessors
from core.agreement.jackknife import agreement_on_items
from core.agreement.overall import measure_agreement
from core.agreement.pairs import agreement_by_pair
from core.agreement.topics import agreement_by_topic
from core.comparison.robustness import evaluate_mutually, summarise_robustness, table_2
from core.disagreement.repeated_labels import code_repeated_labels
from core.disagreement.user_disagreement import estimate_top_probability
from core.disagreement.verification import draw_labels, verify_probability, verify_weights
from tests.calibration.coverage import Estimates, Study
from tests.calibration.label_models import LEVELS, Levels, label_rows, rate

EVERY = [COEFFICIENTS.parse(text) for entry in COEFFICIENTS for text in entry.examples]
OF_TWO = [one for one in EVERY if isinstance(one, PairCoefficient)]
LINEAR = COEFFICIENTS.parse("kappa(linear)")
SIMPLE = [one for one in OF_TWO if str(one) in ("kappa(linear)", "raw")]


def _read(table: pd.DataFrame, what: str, value: str = "value") -> Estimates:
    columns = table[["coefficient", value, "low", "high"]].itertuples(index=False)
    return {f"{name}, {what}": (at, low, high) for name, at, low, high in columns}


def _of_pair(levels: Levels) -> Estimates:
    table = agreement_by_pair(confusion_matrices(rate(levels)), OF_TWO)
    return _read(table, "one pair")


def _of_all(levels: Levels) -> Estimates:
    return _read(measure_agreement(rate(levels), EVERY), "all assessors")


def _difference(levels: Levels) -> Estimates:
    matrices = confusion_matrices(rate(levels))
    pairs = {
        "first": between_assessors(matrices, "a0", "a1"),
        "second": between_assessors(matrices, "a2", "a3"),
    }
    table = agreement_differences(pairs, [one for one in OF_TWO if one == LINEAR])
    return _read(table, "difference of two pairs", "difference")


def _of_levels(levels: Levels) -> Estimates:
    table = estimate_top_probability(rate(levels), LEVELS[-1])
    rows = table[["level", "p", "low", "high"]].itertuples(index=False)
    return {f"p(top given level {level})": (p, low, high) for level, p, low, high in rows}


def _leniency(levels: Levels) -> Estimates:
    """Here the first assessor gives every other item a level more than the model has it."""
    levels = levels.copy()
    levels[:, ::2, 0] = np.minimum(levels[:, ::2, 0] + 1, LEVELS[-1])
    rows = leniency(rate(levels))[["assessor_id", "value", "low", "high"]]
    return {f"leniency of {name}": tuple(found) for name, *found in rows.to_numpy()}


def _verified(levels: Levels) -> Estimates:
    """The chances that are drawn, and how often 2 of 3 users find an item top."""
    labels = label_rows(levels)
    draws = draw_labels(
        code_repeated_labels(labels, "page", LEVELS),
        LEVELS[-1],
        min_labels=4,
        others=3,
        repeats=10,
        rng=np.random.default_rng(1),
    )
    chances, weights = verify_probability(draws), verify_weights(draws)
    chances = chances[chances["n"] == chances["n"].max()].assign(value=lambda rows: rows["mean"])
    weights = weights[(weights["users"] == 3) & (weights["at_least"] == 2)]
    return {
        f"{what} by draws, level {level}": (value, low, high)
        for what, table in (
            ("p(top given level)", chances),
            ("2 of 3 top", weights.assign(value=weights["observed"])),
        )
        for level, value, low, high in table[["level", "value", "low", "high"]].to_numpy()
    }


def _mutual(levels: Levels) -> Estimates:
    measures = table_2(LEVELS[-1])[:4]
    table = summarise_robustness(evaluate_mutually(rate(levels), LEVELS[-1], measures))
    columns = table[["measure", "mean", "low", "high"]].itertuples(index=False)
    return {f"{measure}, one by another": (at, low, high) for measure, at, low, high in columns}


STUDIES: Iterable[Study] = (
    Study("pairs", 2, _of_pair),
    Study("all", 4, _of_all),
    Study("differences", 4, _difference),
    Study("leniency", 4, _leniency),
    Study("verified weights", 4, _verified, is_rare=True),
    Study("assessors by each other", 2, _mutual),
    Study("weights of levels", 2, _of_levels, is_rare=True),
)
"""Topics are what is sampled in each."""


def _of_one_topic(levels: Levels) -> Estimates:
    return _read(agreement_by_topic(confusion_matrices(rate(levels))), "items")


def _of_items(levels: Levels) -> Estimates:
    return _read(agreement_on_items(rate(levels), SIMPLE), "items")


def _pooled(levels: Levels) -> Estimates:
    return _read(measure_agreement(rate(levels), SIMPLE), "items")


ONE_TOPIC = (
    Study("a topic", 2, _of_one_topic, _pooled),
    Study("a lesson", 5, _of_items, _pooled),
)
"""The items of one topic are what is sampled in each."""
