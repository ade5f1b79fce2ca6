"""What is known of each assessor of a collection."""

import pandas as pd

from core.analysis.agreement.user_disagreement import declared_weights
from core.analysis.base.declared import declared_of
from core.analysis.base.labels import gold_of, names_of, ratings_of
from core.analysis.base.study import (
    Study,
    coded_labels_of,
    follows_labels,
    labels_of,
    leave_out,
    mask_people,
    runs_of,
)
from core.analysis.results.declared import declared_choice
from core.reports.agreement import FacetLabels
from core.reports.assessors import AssessorQuality
from core.reports.left_out_rankings import RankingQuestion
from core.store.content.gold import count_gold_labels
from core.store.events.current_labels import write_out
from core.store.events.paradata import read_paradata

_GIVEN = ("topic_id", "document_id", "engine", "facet", "assessor_id", "occasion", "state",
          "sequence", "dwell_ms")  # fmt: skip


@follows_labels
def gold_labels_of(study: Study) -> int:
    """Return how many labels of the assessor called 'gold' are no gold items yet."""
    return count_gold_labels(study.store, study.collection_id)


@follows_labels
def ask_assessors(study: Study, facet: str) -> AssessorQuality:
    """Return what is known of how each assessor judges a facet.

    What it has of careless responding is for organisers only.
    """

    def read() -> pd.DataFrame:
        known = read_paradata(study.store, study.collection_id)
        return leave_out(study, mask_people(study, known))

    def judged() -> pd.DataFrame:
        labels = coded_labels_of(study)
        return write_out(labels.loc[labels["source"] == "judged", [*_GIVEN]])

    return AssessorQuality(
        FacetLabels(facet, ratings_of(study, facet), names=names_of(study)),
        lambda: labels_of(study),
        gold_of(study, facet),
        judged,
        read,
        ranking=lambda: _rank_as_declared(study, facet),
    )


def _rank_as_declared(study: Study, facet: str) -> RankingQuestion:
    """Return the systems of the collection, by the declared measure and version.

    Where that version is not made from labels of the facet, by the usual one.
    """
    declared, choice = declared_of(study), declared_choice(study, facet)
    runs, gains = runs_of(study), dict(declared_weights(study, facet).weights) or None
    rule = choice.rule if choice else None
    return RankingQuestion(runs, declared.measure, rule, gains, declared.topics)
