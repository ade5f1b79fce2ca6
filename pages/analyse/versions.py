"""The qrels versions that a visit may choose from, and making them."""

from collections.abc import Callable
from dataclasses import astuple, dataclass
from math import isnan
from typing import Any

import numpy as np
import pandas as pd

from core.agreement.ratings import Ratings, ratings_from_labels
from core.disagreement.user_disagreement import estimate_top_probability, relevance_weights
from core.store.adjudication import last_label_event, read_adjudications
from core.store.frames import list_qrels, read_qrels
from core.store.pairs import read_preferences
from core.store.standing import LATEST
from core.store.versions import list_rules
from core.versions.combine import ADJUDICATED, PAIR, PREFERENCE
from core.versions.imported import version_from_qrels
from core.versions.rules import QrelsRule
from core.versions.versions import QrelsVersion, qrels_from_labels, standard_rules
from pages.analyse.compared import order_version, preference_rules
from pages.analyse.facets import counted_levels, name_assessors, ratings_of
from pages.analyse.pair_weights import Triples, pair_weights_of
from pages.analyse.user_model import UserModel
from pages.shared.live import Result, kept, labels_of, scales_of, settled
from pages.shared.masking import mask_people, mask_rule
from pages.shared.session import Visit

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


def list_offers(visit: Visit, facet: str, model: UserModel) -> dict[str, Offer]:
    """Return the versions on offer by key: made from the labels of a facet, or imported."""
    weights = weights_of(visit, facet, model), pair_weights_of(visit, facet, model)
    return arrange_offers(visit, facet, model, kept(visit, _rules_now, facet), *weights)


def arrange_offers(
    visit: Visit,
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
    for rule in preference_rules(visit, facet):
        offers[rule.name] = Offer(rule.name, rule)
    for rule in saved_rules(visit):
        if rule.facet == facet or rule.combine == PAIR:
            offers[rule.name] = Offer(rule.name, rule)
    for name in settled(visit, imported_qrels):
        offers[f"{IMPORTED}{name}"] = Offer(f"{IMPORTED}{name}", None)
    return offers


def version_of(visit: Visit, offer: Offer) -> QrelsVersion:
    """Return the judgements on offer; raises TooLittleData where no label fits the rule."""
    return from_version(visit, make_version, *offer.choice)


def from_version(
    visit: Visit, compute: Callable[..., Result], name: str, rule: str, *choices: Any
) -> Result:
    """Return ``compute(visit, name, rule, *choices)``, kept as long as the version stands.

    Labels move a version that has a rule; imported qrels stay as they are.
    """
    keep = kept if rule else settled
    return keep(visit, compute, name, rule, *choices)


def make_version(visit: Visit, name: str, rule_text: str) -> QrelsVersion:
    """Make a version from the current labels, or read the qrels of that name."""
    if not rule_text:
        name = name.removeprefix(IMPORTED)
        return version_from_qrels(read_qrels(visit.store, visit.collection_id, name), name)
    return combine_labels(visit, labels_of(visit), LATEST, QrelsRule.from_json(rule_text))


def combine_labels(visit: Visit, labels: pd.DataFrame, until: int, rule: QrelsRule) -> QrelsVersion:
    """Return what a rule makes of labels, those up to an event; it names the last that counts."""
    here = visit.store, visit.collection_id
    if rule.combine == PREFERENCE:
        return order_version(mask_people(visit, read_preferences(*here, until)), rule)
    last = last_label_event(*here, until, adjudications=rule.combine == ADJUDICATED)
    return qrels_from_labels(
        labels,
        rule,
        last,
        max(counted_levels(scales_of(visit)[rule.facet])),
        mask_people(visit, read_adjudications(*here, until))
        if rule.combine == ADJUDICATED
        else None,
    )


def saved_rules(visit: Visit) -> list[QrelsRule]:
    """Return the rules that were saved, oldest first."""
    return settled(visit, _read_rules)


def weights_of(visit: Visit, facet: str, model: UserModel, topics: tuple[str, ...] = ()) -> Pairs:
    """Return the UDM weight of each level that has one; none without double judgements.

    They are estimated from the labels of some topics, or of all.
    """
    return kept(visit, _weights_now, facet, topics, *astuple(model))


def imported_qrels(visit: Visit) -> list[str]:
    """Return the names of the imported qrels."""
    return list_qrels(visit.store, visit.collection_id)


def _rules_now(visit: Visit, facet: str) -> list[QrelsRule]:
    return rules_of(visit, labels_of(visit), facet, LATEST)


def rules_of(visit: Visit, labels: pd.DataFrame, facet: str, until: int) -> list[QrelsRule]:
    """Return the rules that suggest themselves for labels, those up to an event."""
    chosen = labels[(labels["facet"] == facet) & (labels["state"] == "level")]
    if chosen.empty:
        return []
    groups = sorted(set(chosen["group"]) - {""})
    by_group = [QrelsRule(f"group {one}, maximum", facet, groups=(one,)) for one in groups]
    singles = [] if visit.is_masked else _single_assessors(name_assessors(labels), chosen, facet)
    decided = read_adjudications(visit.store, visit.collection_id, until)
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


def _read_rules(visit: Visit) -> list[QrelsRule]:
    texts = list_rules(visit.store, visit.collection_id).values()
    return [mask_rule(visit, QrelsRule.from_json(text)) for text in texts]


def _weights_now(visit: Visit, facet: str, topics: tuple[str, ...], *chosen: Any) -> Pairs:
    ratings = ratings_of(visit, facet)
    if topics:
        labels = labels_of(visit)
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
