"""The qrels versions that a visit may choose from, and making them."""

from collections.abc import Callable
from dataclasses import astuple, dataclass
from math import isnan
from typing import Any

import numpy as np
import pandas as pd

from core.disagreement.user_disagreement import estimate_top_probability, relevance_weights
from core.store.frames import list_qrels, read_qrels
from core.store.versions import list_rules
from core.versions.imported import version_from_qrels
from core.versions.rules import QrelsRule
from core.versions.versions import QrelsVersion, qrels_from_labels, standard_rules
from pages.analyse.facets import counted_levels, names_of, ratings_of
from pages.analyse.user_model import UserModel
from pages.shared.live import Result, kept, labels_of, scales_of, settled
from pages.shared.session import Visit

UDM = "UDM"
"""The key of the version of expected relevance, whatever its users."""

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
    offers = {rule.name: Offer(rule.name, rule) for rule in kept(visit, _rules_of_labels, facet)}
    if weights := weights_of(visit, facet, model):
        name = f"{UDM}, {model.at_least} of {model.users}"
        rule = QrelsRule(name, facet, "udm", weights=weights, factor=EXPORTED_PARTS)
        offers[UDM] = Offer(name, rule)
    for rule in saved_rules(visit):
        if rule.facet == facet:
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
    rule = QrelsRule.from_json(rule_text)
    top = max(counted_levels(scales_of(visit)[rule.facet]))
    return qrels_from_labels(labels_of(visit), rule, top_level=top)


def saved_rules(visit: Visit) -> list[QrelsRule]:
    """Return the rules that were saved, oldest first."""
    return settled(visit, _read_rules)


def weights_of(visit: Visit, facet: str, model: UserModel) -> Pairs:
    """Return the UDM weight of each level that has one; none without double judgements."""
    return kept(visit, _estimate_weights, facet, *astuple(model))


def imported_qrels(visit: Visit) -> list[str]:
    """Return the names of the imported qrels."""
    return list_qrels(visit.store, visit.collection_id)


def _rules_of_labels(visit: Visit, facet: str) -> list[QrelsRule]:
    labels = labels_of(visit)
    chosen = labels[(labels["facet"] == facet) & (labels["state"] == "level")]
    if chosen.empty:
        return []
    groups = sorted(set(chosen["group"]) - {""})
    by_group = [QrelsRule(f"group {one}, maximum", facet, groups=(one,)) for one in groups]
    return [*standard_rules(labels, facet), *by_group, *_single_assessors(visit, chosen, facet)]


def _single_assessors(visit: Visit, labels: pd.DataFrame, facet: str) -> list[QrelsRule]:
    """Return a rule for each of several assessors who judged something of every topic."""
    judged = labels.groupby("assessor_id")["topic_id"].nunique()
    if len(judged) < 2:
        return []
    whole = judged.index[judged == labels["topic_id"].nunique()]
    return [
        QrelsRule(f"only {names_of(visit)[one]}", facet, "first", assessors=(one,)) for one in whole
    ]


def _read_rules(visit: Visit) -> list[QrelsRule]:
    texts = list_rules(visit.store, visit.collection_id).values()
    return list(map(QrelsRule.from_json, texts))


def _estimate_weights(visit: Visit, facet: str, *chosen: Any) -> Pairs:
    model, ratings = UserModel(*chosen), ratings_of(visit, facet)
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
