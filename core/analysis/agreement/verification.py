"""Whether the User Disagreement Model holds for a collection."""

from dataclasses import dataclass

import pandas as pd

from core.analysis.agreement.repeated_labels import repeated_labels_of
from core.analysis.base.study import Study, follows_labels, labels_of
from core.disagreement.consistency import Consistency, estimate_consistency
from core.disagreement.model_fit import ModelFit, assess_fit
from core.disagreement.verification import Draws, draw_labels, verify_probability, verify_weights
from core.reports.sampling import new_rng

WANTED = 6


@follows_labels
def consistency_of(study: Study, facet: str, group_by: str, top: int) -> Consistency:
    """Return how far assessors agree with themselves and with others on the same item."""
    labels = repeated_labels_of(study, facet, group_by)
    return estimate_consistency(labels, top, rng=new_rng())


@dataclass(frozen=True)
class DrawSettings:
    """What is tested: labels of a facet by item, which level is top, and which items count."""

    facet: str
    group_by: str
    top: int
    min_labels: int


@follows_labels
def share_documents(study: Study, facet: str) -> bool:
    """Tell whether some document was judged for several topics."""
    labels = labels_of(study)
    rows = labels[labels["facet"] == facet]
    pairs = rows[["topic_id", "document_id"]].drop_duplicates()
    return bool(pairs["document_id"].duplicated().any())


@follows_labels
def draws_of(study: Study, settings: DrawSettings) -> Draws:
    """Return random draws of labels for the items with enough of them."""
    return draw_labels(
        repeated_labels_of(study, settings.facet, settings.group_by),
        settings.top,
        min_labels=settings.min_labels,
        others=WANTED - 1,
        rng=new_rng(),
    )


@follows_labels
def chances_of(study: Study, settings: DrawSettings) -> pd.DataFrame:
    """Return p(top | level) from one, two and more others of each item drawn."""
    return verify_probability(draws_of(study, settings))


@follows_labels
def predicted_weights(study: Study, settings: DrawSettings) -> pd.DataFrame:
    """Return how often M of N users find an item top, beside what the model predicts."""
    return verify_weights(draws_of(study, settings))


@follows_labels
def model_fit_of(study: Study, settings: DrawSettings) -> ModelFit | None:
    """Return whether the model holds; None where too few users judged the same item."""
    weights = predicted_weights(study, settings)
    return assess_fit(weights, settings.top, draws_of(study, settings).items)
