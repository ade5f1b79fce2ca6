"""The qrels versions that a study may choose from, and making them."""

import re
from collections.abc import Callable
from dataclasses import astuple, dataclass
from math import isnan
from typing import Any

import numpy as np
import pandas as pd

from core.agreement.ratings import Ratings, ratings_from_labels
from core.analysis.labels import counted_levels, name_assessors, ratings_of
from core.analysis.masking import mask_people, mask_rule
from core.analysis.pair_weights import Triples, pair_weights_of
from core.analysis.preferences import order_version, preference_rules
from core.analysis.study import (
    Result,
    Study,
    cached,
    cached_apart_from_labels,
    labels_of,
    scales_of,
)
from core.analysis.user_model import USERS, UserModel, usual_model
from core.collection.counted import counted_labels
from core.collection.records import PAGE, SNIPPET
from core.disagreement.user_disagreement import estimate_top_probability, relevance_weights
from core.errors import NotFound
from core.store.content.saved_rules import list_rules
from core.store.events.adjudications import last_label_event, read_adjudications
from core.store.events.current_labels import LATEST
from core.store.events.frames import list_qrels, read_qrels
from core.store.rounds.pairs import read_preferences
from core.versions.combine import ADJUDICATED, PAIR, PREFERENCE
from core.versions.imported import version_from_qrels
from core.versions.rules import QrelsRule
from core.versions.versions import QrelsVersion, qrels_from_labels, round_levels, standard_rules

UDM = "UDM"
"""The key of the version of expected relevance, whatever its users."""

BOTH_FACETS = "snippet and page"
"""The key of the version of combined relevance, whatever its users."""

IMPORTED = "imported: "

EXPORTED_PARTS = 1000
"""TREC has whole levels, so a chance is exported in thousandths."""

Pairs = tuple[tuple[int, float], ...]


@dataclass(frozen=True)
class Offer:
    """A version that can be had: its name and its rule; imported qrels have none."""

    name: str
    rule: QrelsRule | None

    @property
    def choice(self) -> tuple[str, str]:
        """What tells this offer from others: its name and the text of its rule."""
        return self.name, self.rule.to_json() if self.rule else ""


def list_offers(study: Study, facet: str, model: UserModel) -> dict[str, Offer]:
    """Return the versions on offer by key: made from the labels of a facet, or imported."""
    weights = weights_of(study, facet, model), pair_weights_of(study, facet, model)
    return arrange_offers(study, facet, model, cached(study, _rules_now, facet), *weights)


def arrange_offers(
    study: Study,
    facet: str,
    model: UserModel,
    rules: list[QrelsRule],
    weights: Pairs,
    pair_weights: Triples,
) -> dict[str, Offer]:
    """Return these rules and the UDM of these weights, with what is saved or imported."""
    offers = {rule.name: Offer(rule.name, rule) for rule in rules}
    users = f"{model.at_least} of {model.users}"
    if weights:
        name = f"{UDM}, {users}"
        rule = QrelsRule(name, facet, "udm", weights=weights, factor=EXPORTED_PARTS)
        offers[UDM] = Offer(name, rule)
    if pair_weights:
        name = f"{BOTH_FACETS}, {users}"
        rule = QrelsRule(name, combine=PAIR, pair_weights=pair_weights, factor=EXPORTED_PARTS)
        offers[BOTH_FACETS] = Offer(name, rule)
    for rule in preference_rules(study, facet):
        offers[rule.name] = Offer(rule.name, rule)
    for rule in saved_rules(study):
        if rule.facet == facet or rule.combine == PAIR:
            offers[rule.name] = Offer(rule.name, rule)
    for name in cached_apart_from_labels(study, imported_qrels):
        offers[f"{IMPORTED}{name}"] = Offer(f"{IMPORTED}{name}", None)
    return offers


def find_choice(study: Study, name: str, facet: str = "") -> Offer:
    """Return the version of this name, as pages offer it.

    Parameters
    ----------
    study : Study
        The collection.
    name : str
        As pages show it: of a standard, group, single-assessor, adjudicated, preference or saved
        rule, or of imported qrels, these also without ``imported:``. ``UDM`` and ``snippet and
        page`` stand for at least 1 of 3 users who find the highest level; ``UDM, 2 of 5`` for
        others.
    facet : str, default ''
        Of whose labels; without it pages go before snippets, and imported qrels before both.

    Raises
    ------
    NotFound
        There is none; the message names those there are.
    """
    if not facet and name in imported_qrels(study):
        return Offer(f"{IMPORTED}{name}", None)
    stated = re.fullmatch(rf"({UDM}|{BOTH_FACETS})(?:, (\d+) of (\d+))?", name)
    at_least, users = (int(number or 0) for number in stated.group(2, 3)) if stated else (0, 0)
    known: dict[str, Offer] = {}
    for one in [facet] if facet else [one for one in (PAGE, SNIPPET) if one in scales_of(study)]:
        levels = counted_levels(scales_of(study)[one])
        model = usual_model(levels, users or USERS, at_least or 1)
        known = list_offers(study, one, model) | known
    wanted = stated.group(1) if stated else name
    if wanted not in known:
        raise NotFound(f"There are no qrels '{name}'; there are {'; '.join(known)}.")
    return known[wanted]


def version_of(study: Study, offer: Offer) -> QrelsVersion:
    """Return the judgements on offer; raises TooLittleData where no label fits the rule."""
    return from_version(study, make_version, *offer.choice)


def from_version(
    study: Study, compute: Callable[..., Result], name: str, rule: str, *choices: Any
) -> Result:
    """Return ``compute(study, name, rule, *choices)``, kept as long as the version stands.

    Labels move a version that has a rule; imported qrels stay as they are.
    """
    keep = cached if rule else cached_apart_from_labels
    return keep(study, compute, name, rule, *choices)


def make_version(study: Study, name: str, rule_text: str) -> QrelsVersion:
    """Make a version from the current labels, or read the qrels of that name."""
    if not rule_text:
        name = name.removeprefix(IMPORTED)
        return version_from_qrels(read_qrels(study.store, study.collection_id, name), name)
    return combine_labels(study, labels_of(study), LATEST, QrelsRule.from_json(rule_text))


def combine_labels(study: Study, labels: pd.DataFrame, until: int, rule: QrelsRule) -> QrelsVersion:
    """Return what a rule makes of labels, those up to an event; it names the last that counts."""
    here = study.store, study.collection_id
    if rule.combine == PREFERENCE:
        return order_version(mask_people(study, read_preferences(*here, until)), rule)
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


def saved_rules(study: Study) -> list[QrelsRule]:
    """Return the rules that were saved, oldest first."""
    return cached_apart_from_labels(study, _read_rules)


def weights_of(study: Study, facet: str, model: UserModel, topics: tuple[str, ...] = ()) -> Pairs:
    """Return the UDM weight of each level that has one; none without double judgements.

    They are estimated from the labels of some topics, or of all.
    """
    return cached(study, _weights_now, facet, topics, *astuple(model))


def imported_qrels(study: Study) -> list[str]:
    """Return the names of the imported qrels."""
    return list_qrels(study.store, study.collection_id)


def _rules_now(study: Study, facet: str) -> list[QrelsRule]:
    return rules_of(study, labels_of(study), facet, LATEST)


def rules_of(study: Study, labels: pd.DataFrame, facet: str, until: int) -> list[QrelsRule]:
    """Return the rules that suggest themselves for labels, those up to an event."""
    chosen = counted_labels(labels, facet)
    if chosen.empty:
        return []
    groups = sorted(set(chosen["group"]) - {""})
    by_group = [QrelsRule(f"group {one}, maximum", facet, groups=(one,)) for one in groups]
    singles = [] if study.is_masked else _single_assessors(name_assessors(labels), chosen, facet)
    decided = read_adjudications(study.store, study.collection_id, until)
    is_decided = (decided["facet"] == facet).any()
    adjudicated = [QrelsRule("all, adjudicated", facet, ADJUDICATED)] if is_decided else []
    return [*standard_rules(labels, facet), *adjudicated, *by_group, *singles]


def _single_assessors(names: dict[str, str], labels: pd.DataFrame, facet: str) -> list[QrelsRule]:
    """Return a rule for each of several assessors who judged something of every topic."""
    judged = labels.groupby("assessor_id")["topic_id"].nunique()
    if len(judged) < 2:
        return []
    whole = judged.index[judged == labels["topic_id"].nunique()]
    return [QrelsRule(f"only {names[one]}", facet, "first", assessors=(one,)) for one in whole]


def _read_rules(study: Study) -> list[QrelsRule]:
    texts = list_rules(study.store, study.collection_id).values()
    return [mask_rule(study, QrelsRule.from_json(text)) for text in texts]


def _weights_now(study: Study, facet: str, topics: tuple[str, ...], *chosen: Any) -> Pairs:
    ratings = ratings_of(study, facet)
    if topics:
        labels = labels_of(study)
        labels = labels[labels["topic_id"].isin(topics)]
        ratings = ratings_from_labels(labels, facet, ratings.levels)
    return estimate_weights(ratings, UserModel(*chosen))


def estimate_weights(ratings: Ratings, model: UserModel) -> Pairs:
    """Return the UDM weight of each level that these labels give one."""
    rng = np.random.default_rng(0)
    table = estimate_top_probability(ratings, model.top, model.weighting, samples=1, rng=rng)
    if not table["pairs"].any():
        return ()
    weights = relevance_weights(
        dict(zip(table["level"], table["p"], strict=True)),
        model.top,
        users=model.users,
        at_least=model.at_least,
        keep_lowest=model.keep_lowest,
    )
    return tuple((level, weight) for level, weight in weights.items() if not isnan(weight))


def whole_levels(offer: Offer, version: QrelsVersion) -> pd.DataFrame:
    """Return ``topic_id, document_id, level`` as TREC takes them; imported qrels as they came."""
    return version.frame if offer.rule is None else round_levels(version)


def holds_weights(offer: Offer) -> bool:
    """Tell whether the levels of a version are weights by the UDM, not levels of a scale."""
    return offer.rule is not None and offer.rule.combine in ("udm", PAIR)


def level_names(study: Study, facet: str, offer: Offer) -> dict[float, str]:
    """Return the names of a version's levels; none where they are not those of the scale."""
    own_scale = offer.rule is None or offer.rule.combine in ("sum", PREFERENCE)
    if own_scale or holds_weights(offer):
        return {}
    return {float(level): name for level, name in counted_levels(scales_of(study)[facet]).items()}
