"""The qrels versions that a study may choose from, and making them."""

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import wraps

import pandas as pd

from core.analysis.agreement.preferences import (
    order_version,
    preference_rules,
    preferences_at,
)
from core.analysis.agreement.user_disagreement import ask_weights, pair_weights_of
from core.analysis.base.declared import declared_first, model_of
from core.analysis.base.labels import labels_for, name_assessors, round_names, with_rounds
from core.analysis.base.study import (
    Choices,
    Result,
    Study,
    coded_labels_of,
    follows_labels,
    labels_of_all,
    leave_out,
    left_out_of,
    mask_people,
    mask_rule,
    scales_of,
    stands_apart_from_labels,
)
from core.collection.labels.counted_labels import counted_labels
from core.collection.records import MACHINE, PAGE, SNIPPET, counted_levels
from core.errors import BadInput, NotFound
from core.reports.level_weights import PairWeights, Weights, WeightsQuestion
from core.reports.user_model import UserModel
from core.store.content.saved_rules import is_marked, list_rules
from core.store.events.adjudications import last_label_event, read_adjudications
from core.store.events.frames import list_qrels, read_qrels
from core.versions import rules
from core.versions.combine import ADJUDICATED, PAIR, PREFERENCE
from core.versions.imported import version_from_qrels
from core.versions.rules import WHOLE, QrelsRule
from core.versions.versions import (
    COMBINED,
    QrelsVersion,
    combine_all,
    qrels_from_labels,
    standard_rules,
)

UDM = "UDM"
"""The key of the version of expected relevance, whatever its users."""

BOTH_FACETS = "snippet and page"
"""The key of the version of combined relevance, whatever its users."""

IMPORTED = "imported: "

MEANS = ("mean", "sum")
"""What comparisons offer besides: their levels are on scales of their own."""

EXPORTED_PARTS = 1000
"""Files of qrels have whole levels, so a chance is filed in thousandths."""

Pairs = Weights


@dataclass(frozen=True)
class QrelsChoice:
    """A version that can be had: its name and its rule; imported qrels have none."""

    name: str
    rule: QrelsRule | None

    @property
    def rule_text(self) -> str:
        """The rule as it is stored; empty without one."""
        return self.rule.to_json() if self.rule else ""


def list_choices(study: Study, facet: str, model: UserModel) -> dict[str, QrelsChoice]:
    """Return the versions on offer by key: made from the labels of a facet, or imported."""
    weights = weights_of(study, facet, model), pair_weights_of(study, facet, model)
    return arrange_choices(study, facet, model, _rules_now(study, facet), *weights)


def arrange_choices(
    study: Study,
    facet: str,
    model: UserModel,
    rules: list[QrelsRule],
    weights: Pairs,
    pair_weights: PairWeights,
) -> dict[str, QrelsChoice]:
    """Return these rules and the UDM of these weights, with what is saved or imported.

    Where an aspect is in view all are of that aspect, and named for it; preferences and imported
    qrels are of none.
    """
    choices = {rule.name: QrelsChoice(rule.name, rule) for rule in rules}
    users = f"{model.at_least} of {model.users}"
    if weights:
        name = f"{UDM}, {users}"
        rule = QrelsRule(name, facet, "udm", weights=weights, factor=EXPORTED_PARTS)
        choices[UDM] = QrelsChoice(name, rule)
    if pair_weights:
        name = f"{BOTH_FACETS}, {users}"
        rule = QrelsRule(name, combine=PAIR, pair_weights=pair_weights, factor=EXPORTED_PARTS)
        choices[BOTH_FACETS] = QrelsChoice(name, rule)
    choices = {name: of_aspect(study.aspect, one) for name, one in choices.items()}
    if not study.aspect:
        choices |= {one.name: QrelsChoice(one.name, one) for one in preference_rules(study, facet)}
    for rule in saved_rules(study):
        if rule.aspect == study.aspect and (rule.facet == facet or rule.combine == PAIR):
            choices[rule.name] = QrelsChoice(rule.name, rule)
    choices = {name: mark_choice(study, one) for name, one in choices.items()}
    if study.aspect:
        return choices
    for name in imported_qrels(study):
        choices[f"{IMPORTED}{name}"] = QrelsChoice(f"{IMPORTED}{name}", None)
    return choices


def add_means(study: Study, facet: str, choices: dict[str, QrelsChoice]) -> dict[str, QrelsChoice]:
    """Return the versions after two more: the mean and the sum of all labels of an item.

    A sum is the finer scale of Sakai (2017); it takes the same number of labels everywhere.
    """
    if all(choice.rule is None for choice in choices.values()):
        return choices
    rules = {f"all, {how}": combine_all(how, facet) for how in MEANS}
    means = {key: of_aspect(study.aspect, QrelsChoice(key, one)) for key, one in rules.items()}
    return {**means, **choices}


def mark_choice(study: Study, choice: QrelsChoice) -> QrelsChoice:
    """Return a version whose name says so where its rule takes labels of a machine."""
    machines = {one for one, kind in left_out_of(study).items() if kind == MACHINE}
    rule = choice.rule
    if rule is None or machines.isdisjoint(rule.assessors) or is_marked(choice.name):
        return choice
    name = f"{choice.name} ({MACHINE})"
    return QrelsChoice(name, replace(rule, name=name))


def of_aspect(aspect: str, choice: QrelsChoice) -> QrelsChoice:
    """Return a version on offer as that of an aspect, named for it; without one, as it is."""
    if not aspect:
        return choice
    name = f"{aspect}: {choice.name}"
    rule = None if choice.rule is None else replace(choice.rule, name=name, aspect=aspect)
    return QrelsChoice(name, rule)


def find_choice(study: Study, name: str, facet: str = "") -> QrelsChoice:
    """Return the version of this name, as pages offer it.

    Parameters
    ----------
    study : Study
        The collection.
    name : str
        As pages show it: of a standard, group, single-assessor, adjudicated, preference or saved
        rule, or of imported qrels, these also without ``imported:``. ``UDM`` and ``snippet and
        page`` stand for the users whom the study declares (at least 1 of 3 who find the highest
        level, without); ``UDM, 2 of 5`` for others. *all, mean* and *all, sum* are known, too.
        With ``, in whole levels`` at its end it is the version that a file can hold.
    facet : str, default ''
        Of whose labels; without it those of the declared facet go before others, and imported qrels
        before both.
        With it, imported qrels come last.

    In the study of an aspect, these names stand for versions of that aspect.

    Raises
    ------
    NotFound
        There is none; the message names those there are.
    """
    if name.endswith(f", {WHOLE}"):
        return in_whole_levels(find_choice(study, name.removesuffix(f", {WHOLE}"), facet))
    is_imported = not study.aspect and name in imported_qrels(study)
    imported = QrelsChoice(f"{IMPORTED}{name}", None) if is_imported else None
    name = name.removeprefix(f"{study.aspect}: ") if study.aspect else name
    if imported and not facet:
        return imported
    stated = re.fullmatch(rf"({UDM}|{BOTH_FACETS})(?:, (\d+) of (\d+))?", name)
    at_least, users = (int(number or 0) for number in stated.group(2, 3)) if stated else (0, 0)
    known: dict[str, QrelsChoice] = {}
    there = [one for one in (PAGE, SNIPPET) if one in scales_of(study)]
    facets = [facet] if facet else declared_first(study, there)
    if usual := _find_combined(study, name, facets):
        return usual
    for one in facets:
        model = model_of(study, one)
        if users:
            model = replace(model, users=users, at_least=at_least)
        known = add_means(study, one, list_choices(study, one, model)) | known
    called = {one.name: key for key, one in known.items()}
    wanted = stated.group(1) if stated else called.get(name, name)
    if wanted not in known and imported:
        return imported
    if wanted not in known:
        raise NotFound(f"There are no qrels '{name}'; there are {'; '.join(known)}.")
    return known[wanted]


def _find_combined(study: Study, name: str, facets: list[str]) -> QrelsChoice | None:
    """Return the version of all labels that a name stands for, if it stands for such a one.

    Nothing else has to be known for it, which takes a while where there are many labels.
    """
    how = name.removeprefix("all, ")
    is_saved = any(rule.name == name for rule in saved_rules(study))
    if how == name or how not in (*COMBINED, *MEANS) or is_saved:
        return None
    judged = set(counted_labels(coded_labels_of(study))["facet"].unique())
    found = (combine_all(how, one) for one in facets if one in judged)
    return next((of_aspect(study.aspect, QrelsChoice(one.name, one)) for one in found), None)


def after_discussion(choice: QrelsChoice) -> QrelsChoice:
    """Return a version from labels as they stand after assessors have seen what others said.

    Raises
    ------
    BadInput
        It is of imported qrels, which are made from no labels.
    """
    if choice.rule is None:
        raise BadInput(f"'{choice.name}' is not made from labels", field="after discussion")
    rule = replace(choice.rule, discussed=True)
    return QrelsChoice(f"{choice.name}, after discussion", rule)


def follows_version(
    compute: Callable[[Study, QrelsChoice, *Choices], Result],
) -> Callable[[Study, QrelsChoice, *Choices], Result]:
    """Keep what a function of a version and of hashable choices returns, as the version stands.

    Labels move a version that has a rule; imported qrels stay as they are.
    """
    with_labels, apart_from_labels = follows_labels(compute), stands_apart_from_labels(compute)

    @wraps(compute)
    def look_up(study: Study, choice: QrelsChoice, *choices: *Choices) -> Result:
        keep = with_labels if choice.rule else apart_from_labels
        return keep(study, choice, *choices)

    return look_up


@follows_version
def version_of(study: Study, choice: QrelsChoice) -> QrelsVersion:
    """Return the judgements on offer; raises TooLittleData where no label fits the rule."""
    if choice.rule is None:
        name = choice.name.removeprefix(IMPORTED)
        return version_from_qrels(read_qrels(study.store, study.collection_id, name), name)
    study = study.of_aspect(choice.rule.aspect)
    return combine_labels(study, labels_for(study, choice.rule), study.moment, choice.rule)


def combine_labels(study: Study, labels: pd.DataFrame, until: int, rule: QrelsRule) -> QrelsVersion:
    """Return what a rule makes of labels, those up to an event; it names the last that counts."""
    here = study.store, study.collection_id
    if study.aspect and rule.combine in (ADJUDICATED, PREFERENCE):
        reason = f"'{rule.combine}' is of relevance; labels of an aspect have to be combined"
        raise BadInput(f"{reason} in another way", field="combine")
    if rule.combine == PREFERENCE:
        preferences = preferences_at(replace(study, discussed=rule.discussed), until)
        return order_version(preferences, rule)
    if rule.rounds:
        labels = with_rounds(study, labels)
    last = last_label_event(*here, until, adjudications=rule.combine == ADJUDICATED)
    return qrels_from_labels(
        labels,
        rule,
        last,
        max(counted_levels(scales_of(study)[rule.facet])),
        mask_people(study, read_adjudications(*here, until))
        if rule.combine == ADJUDICATED
        else None,
    )


@stands_apart_from_labels
def saved_rules(study: Study) -> list[QrelsRule]:
    """Return the rules that were saved, oldest first."""
    texts = list_rules(study.store, study.collection_id).values()
    return [mask_rule(study, QrelsRule.from_json(text)) for text in texts]


def weights_of(study: Study, facet: str, model: UserModel, topics: tuple[str, ...] = ()) -> Pairs:
    """Return the UDM weight of each level that has one; none without double judgements.

    They are estimated from the labels of some topics, or of all where none is named.
    """
    return ask_weights(study, facet, WeightsQuestion(model, topics=topics)).weights


@stands_apart_from_labels
def imported_qrels(study: Study) -> list[str]:
    """Return the names of the imported qrels."""
    return list_qrels(study.store, study.collection_id)


@follows_labels
def _rules_now(study: Study, facet: str) -> list[QrelsRule]:
    return rules_of(study, labels_of_all(study), facet, study.moment)


def rules_of(study: Study, labels: pd.DataFrame, facet: str, until: int) -> list[QrelsRule]:
    """Return the rules that suggest themselves for everybody's labels, those up to an event."""
    chosen = counted_labels(labels, facet)
    if chosen.empty:
        return []
    singles = [] if study.is_masked else _single_assessors(name_assessors(labels), chosen, facet)
    return [*_joint_rules(study, leave_out(study, labels, until), facet, until), *singles]


def _joint_rules(study: Study, labels: pd.DataFrame, facet: str, until: int) -> list[QrelsRule]:
    """Return the rules that combine the labels of several persons."""
    chosen = counted_labels(labels, facet)
    if chosen.empty:
        return []
    groups = sorted({*chosen["group"].unique()} - {""})
    by_group = [QrelsRule(f"group {one}, maximum", facet, groups=(one,)) for one in groups]
    by_round = _rules_by_round(study, chosen, facet)
    decided = read_adjudications(study.store, study.collection_id, until)
    is_decided = not study.aspect and (decided["facet"] == facet).any()
    adjudicated = [QrelsRule("all, adjudicated", facet, ADJUDICATED)] if is_decided else []
    return [*standard_rules(labels, facet), *adjudicated, *by_group, *by_round]


def _rules_by_round(study: Study, labels: pd.DataFrame, facet: str) -> list[QrelsRule]:
    """Return a rule for each of several rounds in which labels were given."""
    names = round_names(study)
    if len(names) < 2:
        return []
    given = set(with_rounds(study, labels)["round_id"])
    found = [one for one in names if one in given]
    if len(found) < 2:
        return []
    return [QrelsRule(f"round {names[one]}, maximum", facet, rounds=(one,)) for one in found]


def _single_assessors(names: dict[str, str], labels: pd.DataFrame, facet: str) -> list[QrelsRule]:
    """Return a rule for each of several assessors who judged something of every topic.

    Machine members and gold are among them: such a rule names whose labels it takes.
    """
    judged = labels.groupby("assessor_id")["topic_id"].nunique()
    if len(judged) < 2:
        return []
    whole = judged.index[judged == labels["topic_id"].nunique()]
    return [QrelsRule(f"only {names[one]}", facet, "first", assessors=(one,)) for one in whole]


def as_filed(study: Study, choice: QrelsChoice) -> QrelsChoice:
    """Return the version that a file of qrels can hold: this one, or its own in whole levels.

    Raises
    ------
    TooLittleData
        No label fits the rule.
    """
    if choice.rule is None or choice.rule.whole or version_of(study, choice).is_whole:
        return choice
    return in_whole_levels(choice)


def in_whole_levels(choice: QrelsChoice) -> QrelsChoice:
    """Return the version whose levels are made whole, which is another one with another name.

    Raises
    ------
    BadInput
        It is of imported qrels, whose levels are as they came.
    """
    if choice.rule is None:
        raise BadInput(f"'{choice.name}' is not made from labels", field="version")
    rule = rules.in_whole_levels(choice.rule)
    return QrelsChoice(f"{choice.name}, {WHOLE}", rule)


def refuse_unfiled(choice: QrelsChoice, version: QrelsVersion, remedy: str = "") -> None:
    """Refuse to write a version to a file that cannot hold it.

    Raises
    ------
    BadInput
        It has levels that are not whole, or several for a document; the message names the version
        that can be had.
    """
    if choice.rule is None or version.is_whole:
        return
    parts = int((version.frame["level"] % 1 != 0).sum())
    why = f"{parts:,} of its {len(version.frame):,} levels are not whole numbers"
    if not parts:
        why = f"a file has its levels times {version.rule.factor:g}"
    if "engine" in version.frame:
        why = "it has a level for each engine"
    ask = remedy or f"ask for '{choice.name}, {WHOLE}', which is another version"
    raise BadInput(f"a file of qrels cannot hold '{choice.name}': {why}; {ask}", field="version")


def holds_weights(choice: QrelsChoice) -> bool:
    """Tell whether the levels of a version are weights by the UDM, not levels of a scale."""
    rule = choice.rule
    return rule is not None and rule.combine in ("udm", PAIR) and not rule.whole


def level_names(study: Study, facet: str, choice: QrelsChoice) -> dict[float, str]:
    """Return the names of a version's levels; none where they are not those of the scale."""
    if choice.rule is None or choice.rule.combine in ("sum", PREFERENCE, "udm", PAIR):
        return {}
    scale = scales_of(study.of_aspect(choice.rule.aspect))[facet]
    return {float(level): name for level, name in counted_levels(scale).items()}
