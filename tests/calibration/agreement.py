"""The intervals of agreement and of the User Disagreement Model, as the product computes them."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pandas as pd

from core.agreement.assessor_bias import leniency
from core.agreement.base import COEFFICIENTS, PairCoefficient
from core.agreement.confusion import confusion_matrices
from core.agreement.groups import agreement_differences, between_assessors
from core.agreement.overall import measure_agreement
from core.agreement.pairs import agreement_by_pair
from core.agreement.passages import code_passages, passage_agreement
from core.agreement.pooled import agreement_on_items
from core.agreement.topics import agreement_by_topic
from core.comparison.robustness import (
    RobustnessMeasure,
    evaluate_mutually,
    summarise_robustness,
    table_2,
)
from core.disagreement.combined import missed_pages_by_engine
from core.disagreement.repeated_labels import code_repeated_labels
from core.disagreement.user_disagreement import estimate_top_probability
from core.disagreement.verification import draw_labels, verify_probability, verify_weights
from core.measures.gain import GainTable
from core.measures.graded import GAP
from tests.calibration.coverage import (
    FREQUENT,
    SOME_SIZES,
    Coverage,
    Estimates,
    Family,
    Simulate,
    Study,
    add_models,
    cover,
    gather,
)
from tests.calibration.label_models import (
    LARGER,
    LEVELS,
    MISREAD,
    MODELS,
    REAL,
    UNEQUAL,
    Levels,
    label_rows,
    rate,
)

EVERY = [COEFFICIENTS.parse(text) for entry in COEFFICIENTS for text in entry.examples]
BY_RANK = [COEFFICIENTS.parse(text) for entry in COEFFICIENTS for text in entry.by_rank]
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
    """Here a run shows the items of a topic in their order."""
    ratings = rate(levels)
    ranked = ratings.items.assign(rank=ratings.items.groupby("topic_id").cumcount() + 1.0)
    table = measure_agreement(replace(ratings, items=ranked), [*EVERY, *BY_RANK])
    return _read(table, "all assessors")


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
    levels[:, ::2, 0] += (levels[:, ::2, 0] >= 0) & (levels[:, ::2, 0] < LEVELS[-1])
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
    known = GAP(gain=GainTable.of({1: 0.01, 2: 0.2, 3: 1}))
    measures = [*table_2(LEVELS[-1])[:3], RobustnessMeasure(known)]
    table = summarise_robustness(evaluate_mutually(rate(levels), LEVELS[-1], measures))
    columns = table[["measure", "mean", "low", "high"]].itertuples(index=False)
    return {f"{measure}, one by another": (at, low, high) for measure, at, low, high in columns}


def _missed(levels: Levels) -> Estimates:
    """The first assessor's levels are those of snippets, the second's those of pages."""
    topic, item = np.nonzero(levels[:, :, 1] >= 2)
    found = pd.DataFrame(
        {
            "topic_id": [f"t{at:05}" for at in topic],
            "engine": np.where(item % 2, "odd", "even"),
            "lost": levels[topic, item, 0] < 2,
        }
    )
    rows = missed_pages_by_engine(found)[["engine", "share", "low", "high"]]
    return {f"missed by {engine}": tuple(at) for engine, *at in rows.to_numpy()}


def _passages(levels: Levels) -> Estimates:
    """A label's level is where its passage begins, in tens of characters; it has twenty."""
    start = 10 * levels.ravel()
    marked = label_rows(levels).assign(start=start, end=start + 20, characters=60)
    return _read(passage_agreement(code_passages(marked, "page")), "passages")


STUDIES: Sequence[Study] = (
    Study("Coefficients of a pair", 2, _of_pair),
    Study("Coefficients of all assessors", 4, _of_all),
    Study("Difference of two pairs' κ", 4, _difference),
    Study("Leniency", 4, _leniency),
    Study("Passages", 3, _passages, sizes=SOME_SIZES),
    Study("p(top given level)", 2, _of_levels, is_rare=True, compared=FREQUENT),
    Study("Missed pages", 2, _missed, is_rare=True, compared=FREQUENT),
    Study("Redrawn p and weights", 4, _verified, is_rare=True, compared=FREQUENT, sizes=SOME_SIZES),
    Study(
        "Measures of one assessor by another",
        2,
        _mutual,
        is_rare=True,
        compared=FREQUENT,
        sizes=SOME_SIZES,
    ),
)


OF_SIZE = replace(STUDIES[1], of_size=True)
"""Pairs that share few topics take chance agreement from these: κ of all is of that size."""

PANELS = "Leniency, panels of two"
"""Each assessor judges one topic in four."""

MET_BY_REAL = {
    STUDIES[0].name: REAL,
    STUDIES[2].name: REAL[1:2],
    STUDIES[3].name: REAL[1:],
    STUDIES[5].name: [model for model in REAL if len(model.shares) == len(LEVELS)],
    STUDIES[6].name: REAL,
}


def _of_one_topic(levels: Levels) -> Estimates:
    return _read(agreement_by_topic(confusion_matrices(rate(levels))), "items")


def _of_items(levels: Levels) -> Estimates:
    return _read(agreement_on_items(rate(levels), SIMPLE), "items")


def _pooled(levels: Levels) -> Estimates:
    return _read(measure_agreement(rate(levels), SIMPLE), "items")


ITEMS_OF_TOPIC = "items of one topic"
ONE_TOPIC = (
    Study("κ of one topic", 2, _of_one_topic, _pooled, sampled=ITEMS_OF_TOPIC),
    Study("κ and raw agreement in a lesson", 5, _of_items, _pooled, sampled=ITEMS_OF_TOPIC),
)


def _simulate_topic(study: Study) -> Simulate:
    def simulate(items: int, studies: int) -> list[Coverage]:
        model = replace(MODELS[0], items=items)
        found = cover(study, model, 1, studies, np.random.default_rng([items, studies]))
        return [replace(one, size=items) for one in found]

    return simulate


FAMILIES = (
    *(
        add_models(family, STUDIES[at], MET_BY_REAL.get(family.title, ()))
        for at, family in enumerate(gather(STUDIES, MODELS))
    ),
    *gather([replace(OF_SIZE, name="Coefficients of all, real shapes")], REAL),
    *gather([replace(STUDIES[3], name=PANELS, is_rare=True, sizes=(50,))], REAL[:1]),
    *(
        replace(one, title="Coefficients of a pair, unequal topics", is_default=False)
        for one in gather(STUDIES[:1], UNEQUAL)
    ),
    *(
        replace(
            one,
            title=f"Coefficients of a pair, {one_model.name}",
            is_default=False,
            is_doubted=True,
        )
        for one_model in (*LARGER, *MISREAD)
        for one in gather(STUDIES[:1], [one_model])
    ),
    *(
        Family(study.name, study.sampled, {MODELS[0].name: _simulate_topic(study)}, (21, 50))
        for study in ONE_TOPIC
    ),
)
