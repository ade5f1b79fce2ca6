"""Rules of qrels versions in words."""

from collections.abc import Iterable, Mapping

from core.collection.records import SNIPPET
from core.versions.combine import MAJORITY_HIGHEST, MAJORITY_UNTIED, PAIR
from core.versions.rules import QrelsRule
from core.versions.versions import QrelsVersion

COMBINED = {
    "sum": "The sum of the levels",
    "mean": "The mean of the levels",
    "median": "The median of the levels",
    "majority": "The most frequent level; the lowest if several are equally frequent",
    "majority-highest": "The most frequent level; the highest if several are equally frequent",
    "majority-untied": "The most frequent level, for items that have one",
    "minimum": "The lowest level",
    "maximum": "The highest level",
    "first": "The level that was given first",
    "adjudicated": "The shared level where assessors agree, the adjudicated one where they do not",
    "udm": "The mean UDM weight of the levels",
    "preference": "The position in the order of preferences",
    "combined": "The mean weight of the assessors' levels (snippet, page)",
}
"""What each way to combine makes of the labels of one item."""

_ROUNDED = {"nearest": "to the nearest, halves up", "down": "down", "up": "up"}

ORDINALS = {1: "first", 2: "second", 3: "third"}


def describe_rule(
    rule: QrelsRule,
    names: Mapping[str, str] | None = None,
    rounds: Mapping[str, str] | None = None,
) -> str:
    """Return what a rule says, as sentences.

    Parameters
    ----------
    rule : QrelsRule
        What to describe.
    names : mapping of str to str, optional
        Assessors' names by id; an id stands for itself where it has none.
    rounds : mapping of str to str, optional
        The same for rounds.
    """
    thing = "result of an engine" if rule.combine == PAIR else rule.facet
    words = [f"{COMBINED[rule.combine]} of each {thing}, by {_whose(rule, names or {})}."]
    if rule.aspect:
        words.append(f"Levels are those of the aspect {rule.aspect}.")
    if rule.facet == SNIPPET:
        words.append("The best snippet of a document counts.")
    if rule.judges is not None:
        words.append(f"At most the first {rule.judges} labels of an item.")
    if rule.rounds:
        named = _join((rounds or {}).get(one, one) for one in rule.rounds)
        words.append(f"Only labels given in {named}.")
    if rule.discussed:
        words.append("Labels after discussion.")
    if rule.topics:
        named = f", {rule.topic_set}" if rule.topic_set else ""
        noun = "topic" if len(rule.topics) == 1 else "topics"
        words.append(f"Only {len(rule.topics)} {noun}{named}.")
    if rule.whole:
        words.append(f"Levels are made whole: {describe_rounding(rule)}.")
    if weights := _list_weights(rule):
        origin = f", estimated from {rule.weights_from}" if rule.weights_from else ""
        words.append(f"Weights {weights}{origin}.")
    return " ".join(words)


def describe_rounding(rule: QrelsRule) -> str:
    """Return how a rule makes levels whole: ``times 1,000, to the nearest, halves up``."""
    times = f"times {rule.factor:,}, " if rule.factor > 1 else ""
    return f"{times}{_ROUNDED[rule.rounding]}"


def describe_ties(version: QrelsVersion) -> list[str]:
    """Return what became of items without a level on which assessors agree, as sentences."""
    combine, tied, undecided = version.rule.combine, version.tied, version.undecided
    if combine == MAJORITY_UNTIED and undecided:
        return [f"Left out because several levels are equally frequent: {_count_items(undecided)}."]
    if undecided:
        return [
            "Left out because assessors disagree and nobody has adjudicated: "
            f"{_count_items(undecided)}."
        ]
    if tied:
        end = "highest" if combine == MAJORITY_HIGHEST else "lowest"
        return [f"Several levels are equally frequent, and the {end} counts: {_count_items(tied)}."]
    return []


def _count_items(number: int) -> str:
    return f"{number:,} item{'' if number == 1 else 's'}"


def _list_weights(rule: QrelsRule) -> str:
    """Return the weights of a rule; of pairs first the heaviest, and those of 0 together."""
    heaviest = sorted(rule.pair_weights, key=lambda pair: -pair[2])
    weights = [(f"({snippet}, {page})", weight) for snippet, page, weight in heaviest if weight]
    if len(weights) < len(heaviest):
        weights.append(("every other pair listed", 0.0))
    weights += [(str(level), weight) for level, weight in rule.weights]
    return ", ".join(f"{what} → {weight:.3g}" for what, weight in weights)


def _whose(rule: QrelsRule, names: Mapping[str, str]) -> str:
    parts = []
    if rule.slots:
        slots = _join(ORDINALS.get(slot, f"{slot}th") for slot in rule.slots)
        parts.append(f"the {slots} assessor of each topic")
    if rule.assessors:
        parts.append(f"only {_join(names.get(one, one) for one in rule.assessors)}")
    if rule.groups:
        parts.append(f"only group {_join(rule.groups)}")
    return ", ".join(parts) or "all assessors"


def _join(words: Iterable[str]) -> str:
    *most, last = words
    return f"{', '.join(most)} and {last}" if most else last
