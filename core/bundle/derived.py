"""Qrels versions made anew from the labels of a bundle by their rules."""

import pandas as pd

from core.bundle.description import Version
from core.collection.qrels_and_runs.trec import write_qrels
from core.errors import BadInput
from core.store.content.saved_rules import is_marked
from core.versions.combine import ADJUDICATED, PREFERENCE
from core.versions.rules import QrelsRule
from core.versions.versions import qrels_from_labels, round_levels

IMPORTED = "it was imported, not made from labels"
_NEEDS = {
    ADJUDICATED: "it needs adjudications, which no bundle holds",
    PREFERENCE: "it is made from preferences, which no bundle holds",
}


def why_not_derived(one: Version) -> str:
    """Return why a version cannot be made from the labels of a bundle; empty where it can.

    Raises
    ------
    BadInput
        Its rule is none.
    """
    if not one.rule:
        return IMPORTED
    rule = QrelsRule.from_json(one.rule)
    if rule.discussed:
        return "it takes labels after discussion, and those as given are in the bundle"
    if rule.aspect:
        return "it takes levels of an aspect, which no bundle holds"
    if rule.assessors and is_marked(one.name):
        return "it takes labels of a machine, which no bundle holds"
    return _NEEDS.get(rule.combine, "")


def derive_qrels(one: Version, labels: pd.DataFrame) -> bytes:
    """Return a version as TREC qrels, made from labels by its rule.

    Raises
    ------
    TooLittleData
        The rule selects no label.
    BadInput
        The labels do not have what the rule needs.
    """
    rule = QrelsRule.from_json(one.rule)
    if rule.rounds and "round_id" not in labels:
        raise BadInput("the labels do not say in which round they were given")
    made = qrels_from_labels(labels, rule)
    # Bundles of earlier releases call a rounded version by the name of the one it was made from.
    return write_qrels(made.frame if made.is_whole else round_levels(made))
