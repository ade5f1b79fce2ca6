"""Rules that say how labels become judgements: stored, named, compared by hash; what they take."""

import json
import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, fields, replace
from hashlib import sha256
from typing import TYPE_CHECKING, Any, TypeAlias

from core.collection.labels.counted_labels import counted_labels
from core.collection.records import FACETS, PAGE
from core.errors import BadInput
from core.versions.combine import COMBINATIONS, PAIR, PREFERENCE

if TYPE_CHECKING:
    import numpy as np
    import pandas as pd
    from numpy.typing import NDArray

Floats: TypeAlias = "NDArray[np.float64]"


def _round_nearest(levels: Floats) -> Floats:
    import numpy as np

    return np.floor(levels + 0.5)


def _round_down(levels: Floats) -> Floats:
    import numpy as np

    return np.floor(levels)


def _round_up(levels: Floats) -> Floats:
    import numpy as np

    return np.ceil(levels)


ROUNDINGS: dict[str, Callable[[Floats], Floats]] = {
    "nearest": _round_nearest,
    "down": _round_down,
    "up": _round_up,
}


WHOLE = "in whole levels"
"""Ends the name of a version whose levels are made whole, as files of qrels hold them."""

_UNFIT = (ValueError, TypeError, AttributeError, OverflowError, RecursionError)
"""What JSON of another form, or nested deeply, makes of itself."""


@dataclass(frozen=True)
class QrelsRule:
    """How the labels of several assessors become one level per document.

    Parameters
    ----------
    name : str
        What people call the version.
    facet : {'page', 'snippet'}, default 'page'
        Which labels. A document's snippets are combined for each engine; the best of them is
        the document's level.
    combine : str, default 'maximum'
        One of ``COMBINATIONS``: sum, mean, median, minimum, maximum, first, adjudicated, udm;
        majority, majority-highest and majority-untied, the most frequent level, where the lowest
        or highest of several equally frequent ones counts, or none; preference, the order that
        preferences make; or combined, the mean weight of pairs of a snippet level and a page level,
        which takes both facets and has a level for each engine that shows the document.
    assessors, groups, topics : tuple of str
        Only these; empty means all.
    slots : tuple of int
        Only the first (1), second (2) … assessor of each topic, in the order of their first label
        there; counted among the selected assessors and groups. Empty means all.
    judges : int, optional
        Only the first so many labels of each item; later ones are surplus.
    weights : mapping of level to weight, or pairs
        For ``udm``: the weight of each observed level.
    pair_weights : tuple of (int, int, float)
        For ``combined``: (snippet level, page level, weight) of each pair that has a weight, with
        levels as counted. Labels of a pair that is not listed are left out and counted.
    factor : int, default 1
        What a level is multiplied with before it is made whole.
    rounding : {'nearest', 'down', 'up'}, default 'nearest'
        How a level becomes a whole number; halves go up with ``nearest``.
    topic_set : str
        What the topics are called together, where they are a set.
    weights_from : str
        In words, the labels from which the weights were estimated.
    rounds : tuple of str
        Only labels that were given in these rounds, by id; empty means all, imported ones too.
    aspect : str
        Of which aspect the levels are; empty for relevance.
    discussed : bool, default False
        Take labels after discussion: as they stand after assessors have seen what others said.
        Otherwise they are as given, before that.
    whole : bool, default False
        Make levels whole, by factor and rounding, and one for all engines, as files of qrels hold
        them: this is another version than the one with the levels as they are combined.
    """

    name: str
    facet: str = PAGE
    combine: str = "maximum"
    assessors: tuple[str, ...] = ()
    groups: tuple[str, ...] = ()
    slots: tuple[int, ...] = ()
    topics: tuple[str, ...] = ()
    judges: int | None = None
    weights: tuple[tuple[int, float], ...] = ()
    factor: int = 1
    rounding: str = "nearest"
    topic_set: str = ""
    weights_from: str = ""
    pair_weights: tuple[tuple[int, int, float], ...] = ()
    rounds: tuple[str, ...] = ()
    aspect: str = ""
    discussed: bool = False
    whole: bool = False

    def __post_init__(self) -> None:
        for field in ("assessors", "groups", "slots", "topics", "rounds"):
            object.__setattr__(self, field, tuple(sorted(set(getattr(self, field)))))
        object.__setattr__(self, "weights", _pairs(self.weights))
        object.__setattr__(self, "pair_weights", _triples(self.pair_weights))
        self._check("facet", FACETS)
        self._check("combine", (*COMBINATIONS, PREFERENCE, PAIR))
        self._check("rounding", ROUNDINGS)
        if not isinstance(self.discussed, bool):
            raise BadInput("labels are discussed, true, or not, false", field="discussed")
        if not isinstance(self.whole, bool):
            raise BadInput("levels are made whole, true, or not, false", field="whole")
        judges = 1 if self.judges is None else self.judges
        if min(*self.slots, judges, self.factor) < 1:
            raise BadInput("slots, judges and factor are whole numbers from 1", field="rule")
        if (self.combine == "udm") != bool(self.weights):
            raise BadInput("weights belong to 'udm', and 'udm' needs them", field="weights")
        if (self.combine == PAIR) != bool(self.pair_weights):
            reason = f"weights of pairs belong to '{PAIR}', and '{PAIR}' needs them"
            raise BadInput(reason, field="pair_weights")
        if self.combine == PAIR and self.facet != PAGE:
            raise BadInput(f"'{PAIR}' takes both facets; name none", field="facet")

    def _check(self, field: str, known: Iterable[str]) -> None:
        if getattr(self, field) not in known:
            raise BadInput(f"'{getattr(self, field)}' is none of {', '.join(known)}", field=field)

    def to_json(self) -> str:
        """Return the rule as JSON with sorted keys; what equals its default is left out."""
        stated = {
            field.name: getattr(self, field.name)
            for field in fields(self)
            if getattr(self, field.name) != field.default
        }
        return json.dumps(stated, sort_keys=True, ensure_ascii=False)

    @classmethod
    def from_json(cls, text: str) -> "QrelsRule":
        """Return the rule that `to_json` wrote.

        Raises
        ------
        BadInput
            The text is no JSON object of a rule, or a field does not fit.
        """
        try:
            stated: dict[str, Any] = json.loads(text)
            return cls(**{key: _tuples(value) for key, value in stated.items()})
        except _UNFIT as error:
            raise BadInput(f"this is not a qrels rule: {error}") from error

    @property
    def rule_hash(self) -> str:
        """SHA-256 of all but names and origins: two rules that do the same have the same hash."""
        stated = json.loads(self.to_json())
        for unhashed in ("name", "topic_set", "weights_from"):
            stated.pop(unhashed, None)
        return sha256(json.dumps(stated, sort_keys=True).encode()).hexdigest()


def in_whole_levels(rule: QrelsRule) -> QrelsRule:
    """Return the rule of the same version in whole levels, under a name of its own."""
    return replace(rule, name=f"{rule.name}, {WHOLE}", whole=True)


def _pairs(weights: Any) -> tuple[tuple[int, float], ...]:
    """Return weights, given as a mapping or as pairs, in the order of their levels."""
    pairs = weights.items() if isinstance(weights, Mapping) else weights
    return tuple(sorted((int(level), float(weight)) for level, weight in pairs))


def _triples(weights: Any) -> tuple[tuple[int, int, float], ...]:
    """Return the weights of pairs in the order of their levels, each pair once."""
    triples = sorted((int(snippet), int(page), float(weight)) for snippet, page, weight in weights)
    if len({pair[:2] for pair in triples}) < len(triples):
        raise BadInput("a pair of levels has two weights", field="pair_weights")
    if not all(0 <= weight < math.inf for _, _, weight in triples):
        raise BadInput("the weight of a pair is a number from 0", field="pair_weights")
    return tuple(triples)


def _tuples(value: Any) -> Any:
    return tuple(map(_tuples, value)) if isinstance(value, list) else value


def order_labels(labels: "pd.DataFrame", until_sequence: int | None) -> "pd.DataFrame":
    """Return the labels in the order in which they were first given."""
    if "sequence" not in labels:
        if until_sequence is not None:
            raise BadInput("these labels carry no event sequence to stop at", field="sequence")
        return labels
    ordered = labels.sort_values("sequence", kind="stable")
    return ordered if until_sequence is None else ordered[ordered["sequence"] <= until_sequence]


def select_labels(labels: "pd.DataFrame", rule: QrelsRule, facets: Iterable[str]) -> "pd.DataFrame":
    """Return the labels that a rule admits; slots are counted among those left."""
    counted = counted_labels(labels).astype({"level": "float64"})
    selections = {
        "facet": tuple(facets),
        "topic_id": rule.topics,
        "assessor_id": rule.assessors,
        "group": rule.groups,
        "round_id": rule.rounds,
    }
    for column, wanted in selections.items():
        if wanted and column not in counted:
            raise BadInput(
                f"these labels have no {column.removesuffix('_id')} to select by", field=column
            )
        if wanted:
            counted = counted[counted[column].isin(wanted)]
    if rule.slots:
        counted = counted[_slot(counted).isin(rule.slots)]
    return counted if "engine" in counted else counted.assign(engine="")


def last_sequence(events: "pd.DataFrame | None") -> int:
    """Return the highest event sequence; 0 where events carry none."""
    if events is None or events.empty or "sequence" not in events:
        return 0
    return int(events["sequence"].max())


def _slot(labels: "pd.DataFrame") -> "pd.Series[int]":
    """Return for each label which assessor of its topic gave it, from 1."""
    pair = [labels["topic_id"], labels["assessor_id"]]
    newcomer = ~labels.duplicated(["topic_id", "assessor_id"])
    number = newcomer.groupby(labels["topic_id"]).cumsum().where(newcomer)
    return number.groupby(pair).transform("first").astype("int64")
