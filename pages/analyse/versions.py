"""The qrels versions that a visit may choose from, and making them."""

from dataclasses import dataclass
from math import isnan

import numpy as np
import pandas as pd

from core.agreement.ratings import ratings_from_labels
from core.collection.records import FACETS
from core.disagreement.user_disagreement import estimate_top_probability, relevance_weights
from core.errors import TooLittleData
from core.store.frames import list_qrels, read_qrels
from core.store.versions import list_rules
from core.versions.imported import version_from_qrels
from core.versions.rules import QrelsRule
from core.versions.versions import QrelsVersion, qrels_from_labels, standard_rules
from pages.shared.live import kept, labels_of, scales_of, settled
from pages.shared.session import Visit

UDM = "UDM"
"""The key of the version of expected relevance, whatever its users."""

IMPORTED = "imported: "

Pairs = tuple[tuple[int, float], ...]


@dataclass(frozen=True)
class Users:
    """Whom UDM weights stand for: ``at_least`` of ``users`` are to find an item top."""

    top: int
    users: int
    at_least: int

    def __str__(self) -> str:
        return f"{UDM}, {self.at_least} of {self.users}"


@dataclass(frozen=True)
class Offer:
    """A version that can be had: its name and its rule; imported qrels have none."""

    name: str
    rule: QrelsRule | None

    @property
    def choice(self) -> tuple[str, str]:
        """What tells this offer from others: its name and the text of its rule."""
        return self.name, self.rule.to_json() if self.rule else ""


def judged_facets(labels: pd.DataFrame) -> list[str]:
    """Return the facets in which there is a level, pages first."""
    present = set(labels.loc[labels["state"] == "level", "facet"])
    return [facet for facet in reversed(FACETS) if facet in present]


def list_offers(visit: Visit, facet: str, users: Users) -> dict[str, Offer]:
    """Return the versions on offer by key: made from the labels of a facet, or imported."""
    offers = {rule.name: Offer(rule.name, rule) for rule in kept(visit, _rules_of_labels, facet)}
    if weights := weights_of(visit, facet, users):
        rule = QrelsRule(f"{users}", facet, "udm", weights=weights)
        offers[UDM] = Offer(rule.name, rule)
    for rule in saved_rules(visit):
        if rule.facet == facet:
            offers[rule.name] = Offer(rule.name, rule)
    for name in settled(visit, _imported):
        offers[f"{IMPORTED}{name}"] = Offer(f"{IMPORTED}{name}", None)
    return offers


def version_of(visit: Visit, offer: Offer) -> QrelsVersion:
    """Return the judgements on offer; raises TooLittleData where no label fits the rule."""
    return kept(visit, make_version, *offer.choice)


def make_version(visit: Visit, name: str, rule_text: str) -> QrelsVersion:
    """Make a version from the current labels, or read the qrels of that name."""
    if not rule_text:
        name = name.removeprefix(IMPORTED)
        return version_from_qrels(read_qrels(visit.store, visit.collection_id, name), name)
    rule = QrelsRule.from_json(rule_text)
    return qrels_from_labels(labels_of(visit), rule, top_level=top_level(visit, rule.facet))


def saved_rules(visit: Visit) -> list[QrelsRule]:
    """Return the rules that were saved, oldest first."""
    return settled(visit, _read_rules)


def weights_of(visit: Visit, facet: str, users: Users) -> Pairs:
    """Return the UDM weight of each level that has one; none without double judgements."""
    return kept(visit, _estimate_weights, facet, users.top, users.users, users.at_least)


def level_names(visit: Visit, facet: str) -> dict[int, str]:
    """Return the names of the levels that analyses count, ascending."""
    scale = scales_of(visit).get(facet, ())
    counted = {level.counts_as for level in scale}
    return {level.level: level.name for level in scale if level.level in counted}


def top_level(visit: Visit, facet: str) -> int:
    """Return the highest level that analyses count."""
    return max(level_names(visit, facet))


def _rules_of_labels(visit: Visit, facet: str) -> list[QrelsRule]:
    labels = labels_of(visit)
    chosen = labels[(labels["facet"] == facet) & (labels["state"] == "level")]
    if chosen.empty:
        return []
    groups = sorted(set(chosen["group"]) - {""})
    by_group = [QrelsRule(f"group {one}, maximum", facet, groups=(one,)) for one in groups]
    return [*standard_rules(labels, facet), *by_group, *_single_assessors(chosen, facet)]


def _single_assessors(labels: pd.DataFrame, facet: str) -> list[QrelsRule]:
    """Return a rule for each assessor who judged something of every topic, if there are two."""
    topics = labels["topic_id"].nunique()
    judged = labels.groupby(["assessor_id", "assessor"])["topic_id"].nunique()
    whole = judged[judged == topics].index
    if labels["assessor_id"].nunique() < 2:
        return []
    return [
        QrelsRule(f"only {name or known}", facet, "first", assessors=(known,))
        for known, name in whole
    ]


def _read_rules(visit: Visit) -> list[QrelsRule]:
    texts = list_rules(visit.store, visit.collection_id).values()
    return list(map(QrelsRule.from_json, texts))


def _imported(visit: Visit) -> list[str]:
    return list_qrels(visit.store, visit.collection_id)


def _estimate_weights(visit: Visit, facet: str, top: int, users: int, at_least: int) -> Pairs:
    try:
        ratings = ratings_from_labels(labels_of(visit), facet, tuple(level_names(visit, facet)))
        table = estimate_top_probability(ratings, top, samples=1, rng=np.random.default_rng(0))
    except TooLittleData:
        return ()
    p = dict(zip(table["level"], table["p"], strict=True))
    weights = relevance_weights(p, top, users=users, at_least=at_least)
    return tuple((level, weight) for level, weight in weights.items() if not isnan(weight))
