"""How much a collection should judge: what its own scores and labels say as a pilot."""

from dataclasses import dataclass

import numpy as np
import pandas as pd

from core.agreement.base import COEFFICIENTS
from core.agreement.coefficients import Kappa
from core.analysis.agreement.preferences import compared
from core.analysis.base.labels import ratings_of
from core.analysis.base.study import (
    Study,
    follows_labels,
    scales_of,
    stands_apart_from_labels,
)
from core.analysis.judging.outlook import seconds_by_facet
from core.analysis.results.declared import judged_of, scored_runs_of
from core.analysis.results.qrels_choices import Pairs, QrelsChoice, follows_version
from core.analysis.results.scores import scores_of, weights_for
from core.collection.labels.label_options import SECONDS
from core.collection.records import PANEL, SYSTEMS, counted_levels
from core.measures.catalogue import parse_measure
from core.orders.candidates import build_candidates
from core.planning.item_spread import ItemSpread, spread_of_kappa, spread_of_share
from core.planning.pool_size import measure_pools
from core.planning.variance import ScoreVariance
from core.reports.opinions import OpinionPlan, OpinionQuestion
from core.reports.planning import (
    DEPTHS,
    AgreementPlan,
    plan_agreement,
    variance_by_depth,
    variance_of_scores,
)
from core.reports.votes import VotePlan


@dataclass(frozen=True)
class Pilot:
    """What a collection's own scores say of their variance.

    Parameters
    ----------
    measure : str
        What they are by.
    variance : ScoreVariance
        Estimated from them.
    topics, systems : int
        How many have scores.
    """

    measure: str
    variance: ScoreVariance
    topics: int
    systems: int


@follows_version
def pilot_of(study: Study, choice: QrelsChoice, measure: str, weights: Pairs) -> Pilot:
    """Return what the scores of a collection's runs say of their variance.

    Raises
    ------
    BadInput
        A run lacks a score on a topic that others have.
    TooLittleData
        Nothing is judged, or there are fewer than two systems or two topics that count.
    """
    scores = scores_of(study, choice, (measure,), weights)
    variance, matrix = variance_of_scores(scores)
    return Pilot(measure, variance, *matrix.values.shape)


@follows_version
def depths_of(study: Study, choice: QrelsChoice, measure: str, weights: Pairs) -> pd.DataFrame:
    """Return pools of the usual depths and how scores vary that rest on them.

    As `core.reports.planning.variance_by_depth` has them.

    Raises
    ------
    BadInput
        There are no runs.
    TooLittleData
        No label makes the version.
    """
    ids = ["system", "topic_id", "document_id"]
    runs = scored_runs_of(study).astype(dict.fromkeys(ids, "str"))
    judgements = judged_of(study, choice)
    weights = weights_for(study, choice, (measure,), weights)
    return variance_by_depth(
        runs, judgements, parse_measure(measure), DEPTHS, dict(weights) or None
    )


@stands_apart_from_labels
def pools_of(study: Study) -> tuple[float, ...]:
    """Return the documents of a declared topic in pools of the usual depths; none without runs."""
    runs = scored_runs_of(study)
    if runs.empty:
        return ()
    return tuple(measure_pools(build_candidates(runs, max(DEPTHS)), DEPTHS).tolist())


@follows_labels
def seconds_of(study: Study) -> float:
    """Return the median active seconds of a judgement, over facets; as assumed without a time."""
    known = seconds_by_facet(study)
    return float(np.mean(list(known.values()))) if known else SECONDS


@follows_labels
def spread_of(study: Study, facet: str, figure: str) -> ItemSpread:
    """Return what the collection's doubly judged items say of a figure of agreement.

    Parameters
    ----------
    study, facet
        Whose labels.
    figure : str
        A coefficient as ``kappa(linear)``, or a level as its number, for p(top | level).

    Raises
    ------
    TooLittleData
        Too few items are judged twice.
    """
    ratings = ratings_of(study, facet)
    if figure.lstrip("-").isdecimal():
        return spread_of_share(ratings, int(figure), max(ratings.levels))
    coefficient = COEFFICIENTS.parse(figure)
    assert isinstance(coefficient, Kappa)
    return spread_of_kappa(ratings, coefficient)


def figures_of(study: Study, facet: str) -> dict[str, str]:
    """Return what an interval can be planned of, by key: κ, and p(top | level) of each level."""
    levels = counted_levels(scales_of(study)[facet])
    names = {f"kappa{how}": Kappa(*weighting).title for how, weighting in _KAPPAS.items()}
    return names | {str(level): f"p(top | {name})" for level, name in levels.items()}


_KAPPAS: dict[str, tuple[str, ...]] = {
    "(linear)": ("linear",),
    "": (),
    "(quadratic)": ("quadratic",),
}


def plan_agreement_of(study: Study, facet: str, figure: str, width: float) -> AgreementPlan:
    """Return how many items make an interval as narrow as wanted; raises as `spread_of`."""
    name = figures_of(study, facet)[figure]
    return plan_agreement(name, spread_of(study, facet, figure), width)


@follows_labels
def plan_opinions_of(study: Study, facet: str, question: OpinionQuestion) -> OpinionPlan:
    """Return what more topics and opinions than the collection's would buy."""
    return OpinionPlan(ratings_of(study, facet), question)


@follows_labels
def plan_votes_of(study: Study) -> VotePlan:
    """Return how near few votes on the collection's systems come to all of them."""
    return VotePlan(compared(study, SYSTEMS, PANEL))
