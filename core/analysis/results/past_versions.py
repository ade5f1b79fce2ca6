"""All versions on offer at once, as they are or as they were at an earlier label event."""

from dataclasses import dataclass, replace

import pandas as pd

from core.analysis.agreement.user_disagreement import combine_facets, has_both_scales
from core.analysis.base.study import (
    Study,
    labels_then,
    leave_out,
    scales_of,
    stands_apart_from_labels,
)
from core.analysis.results.declared import declared_choice
from core.analysis.results.qrels_choices import (
    QrelsChoice,
    arrange_choices,
    combine_labels,
    list_choices,
    rules_of,
    version_of,
)
from core.collection.records import counted_levels
from core.errors import DissentError
from core.reports.level_weights import (
    CombinedWeights,
    LevelWeights,
    PairLabels,
    PairWeights,
    WeightsQuestion,
    read_levels,
)
from core.reports.user_model import UserModel
from core.store.events.current_labels import LATEST
from core.versions.rules import QrelsRule
from core.versions.versions import QrelsVersion


@dataclass(frozen=True, eq=False)
class Made:
    """A version on offer: what came of it, or the reason why nothing did."""

    choice: QrelsChoice
    version: QrelsVersion | None
    reason: str = ""


@dataclass(frozen=True, eq=False)
class _Then:
    """Labels as they stood at an event: those that counted, and everybody's."""

    labels: pd.DataFrame
    everybody: pd.DataFrame
    until: int

    def labels_for(self, study: Study, rule: QrelsRule) -> pd.DataFrame:
        """Return the labels from which a rule chooses."""
        if not rule.discussed:
            return self.everybody if rule.assessors else self.labels
        labels = labels_then(replace(study, discussed=True), self.until)
        return labels if rule.assessors else leave_out(study, labels, self.until)


def versions_at(study: Study, facet: str, model: UserModel, until: int = LATEST) -> dict[str, Made]:
    """Return every version by key, as it stood after the event ``until``.

    Labels, adjudications, the UDM's weights and who was marked as machine or gold are those of
    that time; the scale, groups, names, saved rules and imported qrels are those of today.
    """
    if until >= study.store.state(study.collection_id)[0]:
        choices = _add_declared(study, facet, list_choices(study, facet, model))
        return {key: _make(study, choice) for key, choice in choices.items()}
    return _versions_then(study, facet, until, model)


@stands_apart_from_labels
def _versions_then(study: Study, facet: str, until: int, model: UserModel) -> dict[str, Made]:
    everybody = labels_then(study, until)
    labels = leave_out(study, everybody, until)
    levels = list(counted_levels(scales_of(study)[facet]))
    question = WeightsQuestion(model)
    weights = LevelWeights(read_levels(labels, facet, levels), question).weights
    rules = rules_of(study, everybody, facet, until)
    pair_weights: PairWeights = ()
    if has_both_scales(study):
        paired = PairLabels(combine_facets(study, labels), facet)
        pair_weights = CombinedWeights(paired, question).weights
    choices = arrange_choices(study, facet, model, rules, weights, pair_weights)
    choices = _add_declared(study, facet, choices)
    then = _Then(labels, everybody, until)
    return {key: _make(study, choice, then) for key, choice in choices.items()}


def _add_declared(
    study: Study, facet: str, choices: dict[str, QrelsChoice]
) -> dict[str, QrelsChoice]:
    """Return the versions with the declared one, where it is not on the list, as *all, mean*.

    Weights are those of the time that is shown, so that no version with weights is added.
    """
    choice = declared_choice(study, facet) if choices else None
    if choice is None or choice.rule is None or choice.rule.weights or choice.rule.pair_weights:
        return choices
    return choices if choice in choices.values() else {**choices, choice.name: choice}


def _make(study: Study, choice: QrelsChoice, then: "_Then | None" = None) -> Made:
    try:
        if then is None or choice.rule is None:
            return Made(choice, version_of(study, choice))
        labels = then.labels_for(study, choice.rule)
        return Made(choice, combine_labels(study, labels, then.until, choice.rule))
    except DissentError as error:
        return Made(choice, None, str(error))
