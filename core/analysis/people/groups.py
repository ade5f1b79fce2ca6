"""Whether groups of a collection's assessors rank its systems differently."""

from core.analysis.agreement.user_disagreement import declared_weights
from core.analysis.base.declared import declared_of
from core.analysis.base.labels import ratings_of
from core.analysis.base.study import Study, follows_labels, labels_of, runs_of, scales_of
from core.analysis.results.declared import declared_choice
from core.collection.records import counted_levels
from core.errors import TooLittleData
from core.reports.groups import GroupLabels, GroupRankings, GroupsQuestion
from core.store.people.members import list_members
from core.store.people.pseudonyms import hide_assessors


@follows_labels
def ask_groups(study: Study, facet: str) -> GroupRankings:
    """Return whether groups judge a facet differently, by what the study declares.

    Raises
    ------
    TooLittleData
        The declared version is imported, or not there for this facet.
    """
    declared, choice = declared_of(study), declared_choice(study, facet)
    if choice is None or choice.rule is None:
        raise TooLittleData(
            f"the study declares the version '{declared.version}', which is not made from labels "
            f"of {facet}s; declare another to compare groups"
        )
    question = GroupsQuestion(
        declared.groups or "group",
        declared.hides_groups,
        declared.measure,
        choice.rule,
        declared.users,
        declared.at_least,
        declared.alpha,
    )
    labels = labels_of(study)
    given = GroupLabels(
        facet,
        labels[labels["facet"] == facet],
        ratings_of(study, facet),
        _groups_of(study),
        counted_levels(scales_of(study)[facet]),
    )
    weights = dict(declared_weights(study, facet).weights) or None
    return GroupRankings(given, runs_of(study), question, weights, declared.topics)


def _groups_of(study: Study) -> dict[str, str]:
    """Return the group of each member, for the report alone: it hides small personal ones."""
    members = list_members(study.store, study.collection_id)[["assessor_id", "group"]]
    if study.is_masked:
        members = hide_assessors(study.store, study.collection_id, members)
    return dict(zip(members["assessor_id"], members["group"], strict=True))
