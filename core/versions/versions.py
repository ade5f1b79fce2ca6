"""Qrels versions: judgements made from labels by a rule, with what they rest on."""

from dataclasses import dataclass
from hashlib import sha256

import numpy as np
import pandas as pd

from core.collection.records import PAGE, SNIPPET
from core.errors import BadInput, TooLittleData
from core.versions.combine import ADJUDICATED, COMBINATIONS
from core.versions.rules import ROUNDINGS, QrelsRule

ITEM = ["topic_id", "document_id", "facet", "engine"]
"""The columns that tell one judged thing from another."""


@dataclass(frozen=True, eq=False)
class QrelsVersion:
    """Judgements made by a rule, and what they rest on.

    Parameters
    ----------
    rule : QrelsRule
        How they were made.
    frame : DataFrame
        ``topic_id, iteration, document_id, level`` in order of topic and document; levels are
        whole numbers (int64) or, where any is not, real-valued.
    gmax : float
        The highest level possible on the version's own scale.
    last_sequence : int
        The last label event taken into account; 0 when labels carry no sequence.
    n_labels : int
        How many labels were combined.
    content_hash : str
        SHA-256 of the rows: the same judgements have the same hash, however they came about.
    assessors : tuple of str
        Whose labels were combined.
    undecided : int
        Items left out because assessors disagree and nobody has adjudicated.
    """

    rule: QrelsRule
    frame: pd.DataFrame
    gmax: float
    last_sequence: int
    n_labels: int
    content_hash: str
    assessors: tuple[str, ...] = ()
    undecided: int = 0


def qrels_from_labels(
    labels: pd.DataFrame,
    rule: QrelsRule,
    until_sequence: int | None = None,
    top_level: float | None = None,
    adjudications: pd.DataFrame | None = None,
) -> QrelsVersion:
    """Return the judgements that a rule makes of labels.

    Only rows of state 'level' and occasion 0 count: a hidden repeat is no second opinion.

    Parameters
    ----------
    labels : DataFrame
        ``topic_id, document_id, facet, assessor_id, level, state``; optional ``engine, occasion,
        group, sequence``. ``sequence`` is that of the first event of a label; without it the
        order of the rows stands in.
    rule : QrelsRule
        What to select and how to combine.
    until_sequence : int, optional
        The last event to consider. Labels first given later are dropped; a label revised later
        must be handed in as it was.
    top_level : float, optional
        The highest level of the facet's scale; the highest one observed when absent.
    adjudications : DataFrame, optional
        ``topic_id, document_id, facet, engine, level, sequence``, one row for each decided item.
        Only the combination 'adjudicated' looks at them, and it needs them.

    Returns
    -------
    QrelsVersion
        With a level for every document that has at least one selected label; 'adjudicated' leaves
        out, and counts, items on which assessors disagree and nobody has decided.

    Raises
    ------
    TooLittleData
        The rule selects no label.
    BadInput
        A column that the rule needs is absent, a sum over unequal numbers of labels, a level
        without a weight, or no adjudications where the rule asks for them.
    """
    ordered = _order(labels, until_sequence)
    chosen = _select(ordered, rule)
    if chosen.empty:
        raise TooLittleData(f"the version '{rule.name}' finds no label that it may use")
    items = ["topic_id", "document_id", *(["engine"] if rule.facet == SNIPPET else [])]
    if rule.judges is not None:
        chosen = chosen.groupby(items).head(rule.judges)
    decided = _known_decisions(rule, adjudications, until_sequence)
    if decided is not None:
        chosen = chosen.merge(decided[[*ITEM, ADJUDICATED]], on=ITEM, how="left")
    levels = COMBINATIONS[rule.combine](chosen, items, dict(rule.weights))
    undecided = int(levels.isna().sum())
    if undecided:
        levels = levels.dropna()
        chosen = chosen[pd.MultiIndex.from_frame(chosen[items]).isin(levels.index)]
    if chosen.empty:
        raise TooLittleData(
            f"the version '{rule.name}' is empty: assessors disagree on every item "
            "and nobody has adjudicated"
        )
    best = levels.groupby(["topic_id", "document_id"]).max()
    frame = _qrels_frame(best)
    seen = max(_last_sequence(ordered), _last_sequence(decided))
    return QrelsVersion(
        rule,
        frame,
        _highest(rule, chosen, len(levels), top_level),
        seen if until_sequence is None else int(until_sequence),
        len(chosen),
        hash_rows(frame),
        tuple(sorted(set(chosen["assessor_id"]))),
        undecided,
    )


def standard_rules(labels: pd.DataFrame, facet: str = PAGE) -> list[QrelsRule]:
    """Return the rules to start from: the best, median and lowest level, and the slots.

    A slot is offered when every topic with labels of this facet has an assessor in it; there is
    none when there is but one.
    """
    counted = counted_labels(labels)
    counted = counted[counted["facet"] == facet]
    assessors = counted.groupby("topic_id")["assessor_id"].nunique()
    last = 0 if assessors.empty else int(assessors.min())
    combined = [QrelsRule(f"all, {how}", facet, how) for how in ("maximum", "median", "minimum")]
    slots = range(1, last + 1) if last > 1 else ()
    return combined + [QrelsRule(f"slot {n}", facet, "first", slots=(n,)) for n in slots]


def round_levels(version: QrelsVersion) -> pd.DataFrame:
    """Return the qrels with whole levels, rounded as the version's rule says.

    Returns
    -------
    DataFrame
        ``topic_id, iteration, document_id, level`` with level int64 =
        round(level × factor); binary noise beyond the ninth decimal plays no part.
    """
    scaled = version.frame["level"].to_numpy(np.float64) * version.rule.factor
    rounded = ROUNDINGS[version.rule.rounding](np.round(scaled, 9))
    return version.frame.assign(level=rounded.astype(np.int64))


def _order(labels: pd.DataFrame, until_sequence: int | None) -> pd.DataFrame:
    """Return the labels in the order in which they were first given."""
    if "sequence" not in labels:
        if until_sequence is not None:
            raise BadInput("these labels carry no event sequence to stop at", field="sequence")
        return labels
    ordered = labels.sort_values("sequence", kind="stable")
    return ordered if until_sequence is None else ordered[ordered["sequence"] <= until_sequence]


def counted_labels(labels: pd.DataFrame) -> pd.DataFrame:
    """Return the labels that are an opinion of their own, with levels as floats."""
    opinion = labels["state"] == "level"
    if "occasion" in labels:
        opinion &= labels["occasion"] == 0
    return labels[opinion].astype({"level": "float64"})


def _last_sequence(events: pd.DataFrame | None) -> int:
    if events is None or events.empty or "sequence" not in events:
        return 0
    return int(events["sequence"].max())


def _known_decisions(
    rule: QrelsRule, adjudications: pd.DataFrame | None, until_sequence: int | None
) -> pd.DataFrame | None:
    """Return the decided levels, where a rule asks for them, in a column of their own."""
    if rule.combine != ADJUDICATED:
        return None
    if adjudications is None:
        raise BadInput("this version needs the adjudications beside the labels", field="combine")
    known = adjudications.rename(columns={"level": ADJUDICATED}).astype({ADJUDICATED: "float64"})
    return known if until_sequence is None else known[known["sequence"] <= until_sequence]


def _select(labels: pd.DataFrame, rule: QrelsRule) -> pd.DataFrame:
    """Return the labels that the rule admits; slots are counted among those left."""
    counted = counted_labels(labels)
    selections = {
        "facet": (rule.facet,),
        "topic_id": rule.topics,
        "assessor_id": rule.assessors,
        "group": rule.groups,
    }
    for column, wanted in selections.items():
        if wanted and column not in counted:
            raise BadInput("these labels have no such column to select by", field=column)
        if wanted:
            counted = counted[counted[column].isin(wanted)]
    if rule.slots:
        counted = counted[_slot(counted).isin(rule.slots)]
    return counted if "engine" in counted else counted.assign(engine="")


def _slot(labels: pd.DataFrame) -> "pd.Series[int]":
    """Return for each label which assessor of its topic gave it, from 1."""
    pair = [labels["topic_id"], labels["assessor_id"]]
    newcomer = ~labels.duplicated(["topic_id", "assessor_id"])
    number = newcomer.groupby(labels["topic_id"]).cumsum().where(newcomer)
    return number.groupby(pair).transform("first").astype("int64")


def _qrels_frame(levels: "pd.Series[float]") -> pd.DataFrame:
    frame = levels.rename("level").reset_index()
    frame.insert(1, "iteration", "0")
    whole = (frame["level"] == np.floor(frame["level"])).all()
    frame = frame.astype({"level": "int64"}) if whole else frame
    return frame.sort_values(["topic_id", "document_id"], ignore_index=True)


def _highest(rule: QrelsRule, chosen: pd.DataFrame, items: int, top_level: float | None) -> float:
    """Return the top of the version's own scale."""
    if rule.combine == "udm":
        return max(weight for _, weight in rule.weights)
    top = float(chosen["level"].max()) if top_level is None else float(top_level)
    return top * len(chosen) / items if rule.combine == "sum" else top


def hash_rows(frame: pd.DataFrame) -> str:
    """Return the SHA-256 of the rows, as lines of cells with tabs between them."""
    columns = [map(str, frame[name].tolist()) for name in frame]
    lines = ("\t".join(cells) + "\n" for cells in zip(*columns, strict=True))
    return sha256("".join(lines).encode()).hexdigest()
