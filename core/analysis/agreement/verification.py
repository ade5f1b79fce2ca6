"""Whether the User Disagreement Model holds for a collection."""

from functools import partial

from core.analysis.agreement.level_weights import level_labels_of
from core.analysis.base.study import Study, follows_labels, labels_of, scales_of
from core.collection.records import counted_levels
from core.disagreement.repeated_labels import RepeatedLabels, code_repeated_labels
from core.reports.verification import ModelVerification, VerificationQuestion


@follows_labels
def ask_verification(study: Study, facet: str, question: VerificationQuestion) -> ModelVerification:
    """Return what is asked of the model."""
    code = partial(_repeated_labels_of, study, facet)
    return ModelVerification(level_labels_of(study, facet), code, question)


@follows_labels
def _repeated_labels_of(study: Study, facet: str, group_by: str) -> RepeatedLabels:
    """Return the labels of a facet by item, repeated ones included."""
    levels = list(counted_levels(scales_of(study)[facet]))
    return code_repeated_labels(labels_of(study), facet, levels, group_by=group_by)


@follows_labels
def share_documents(study: Study, facet: str) -> bool:
    """Tell whether some document was judged for several topics."""
    labels = labels_of(study)
    rows = labels[labels["facet"] == facet]
    pairs = rows[["topic_id", "document_id"]].drop_duplicates()
    return bool(pairs["document_id"].duplicated().any())
