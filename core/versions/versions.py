"""Qrels versions: judgements made from labels by a rule, with what they are based on."""

from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt
import pandas as pd

from core.collection.labels.counted_labels import counted_labels
from core.collection.records import FACETS, PAGE, SNIPPET
from core.errors import BadInput, TooLittleData
from core.versions.combine import (
    ADJUDICATED,
    COMBINATIONS,
    MAJORITIES,
    MAJORITY_UNTIED,
    PAIR,
    most_frequent,
)
from core.versions.judgements import Judgements
from core.versions.rules import (
    ROUNDINGS,
    QrelsRule,
    in_whole_levels,
    last_sequence,
    order_labels,
    select_labels,
)

Floats = npt.NDArray[np.float64]

ITEM = ["topic_id", "document_id", "facet", "engine"]
"""The columns that tell one judged thing from another."""

COMBINED = ("maximum", "median", "minimum")
"""How all labels of an item are combined in the versions to start from."""

MOST_SLOTS = 5
"""How many slots are offered as versions; a rule of one's own may take any."""


@dataclass(frozen=True, eq=False, kw_only=True)
class QrelsVersion(Judgements):
    """Judgements made by a rule, and what they are based on.

    Parameters
    ----------
    frame : DataFrame
        ``topic_id, iteration, document_id, level`` in order of topic and document; levels are
        whole numbers (int64) or, where any is not, real-valued. A version of pairs of levels has
        a column ``engine`` before the level: a row holds for what that engine shows.
    gmax : float
        The highest level possible on the version's own scale.
    is_gmax_taken : bool
        Whether nobody said what the scale is.
    rule : QrelsRule
        How they were made.
    last_sequence : int
        The last label event taken into account; 0 when labels carry no sequence.
    n_labels : int
        How many labels were combined; pairs of labels in a version of pairs.
    assessors : tuple of str
        Whose labels were combined.
    undecided : int
        Items left out because assessors disagree and nobody has adjudicated, or because several
        levels are equally frequent.
    tied : int
        Items of which the rule took one of several equally frequent levels.
    unpaired : int
        Snippet labels left out because their assessor gave the page no level.
    unweighed : int
        Pairs of levels left out because the rule has no weight for them.
    """

    rule: QrelsRule
    last_sequence: int
    n_labels: int
    assessors: tuple[str, ...] = ()
    undecided: int = 0
    tied: int = 0
    unpaired: int = 0
    unweighed: int = 0

    @property
    def is_whole(self) -> bool:
        """Whether a file of qrels can hold it as it is: whole levels, the same for all engines."""
        is_plain = self.frame["level"].dtype == "int64" and "engine" not in self.frame
        return is_plain and (self.rule.whole or self.rule.factor == 1)

    @property
    def n_documents(self) -> int:
        """How many documents are judged, whatever the number of engines and iterations."""
        return len(self.frame.drop_duplicates(["topic_id", "document_id"]))

    def levels_for(self, system: str, topic_id: str) -> "pd.Series[float]":
        """Return the highest level of each document of a topic, as it holds for a system."""
        rows = self.frame[self.frame["topic_id"] == topic_id]
        if "engine" in rows:
            rows = rows[rows["engine"].isin([system, ""])].sort_values("engine")
            rows = rows.drop_duplicates(["iteration", "document_id"], keep="last")
        return rows.groupby("document_id")["level"].max()


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
        group, round_id, sequence``. ``sequence`` is that of the first event of a label; without
        it the order of the rows stands in.
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
        out, and counts, items on which assessors disagree and nobody has decided, and
        'majority-untied' those with several equally frequent levels. 'combined' has
        one for every document and engine with a pair of labels by one assessor that has a weight.

    Raises
    ------
    TooLittleData
        The rule selects no label.
    BadInput
        A column that the rule needs is absent, a sum over unequal numbers of labels, a level
        without a weight, or no adjudications where the rule asks for them.
    """
    if rule.combine not in (*COMBINATIONS, PAIR):
        raise BadInput("this version is made of preferences, not of levels", field="combine")
    version = _combine(labels, rule, until_sequence, top_level, adjudications)
    return _round(version) if rule.whole else version


def _combine(
    labels: pd.DataFrame,
    rule: QrelsRule,
    until_sequence: int | None,
    top_level: float | None,
    adjudications: pd.DataFrame | None,
) -> QrelsVersion:
    ordered = order_labels(labels, until_sequence)
    if rule.combine == PAIR:
        return _version_of_pairs(ordered, rule, until_sequence)
    chosen = select_labels(ordered, rule, [rule.facet])
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
        raise TooLittleData(f"the version '{rule.name}' is empty: {_WHY_EMPTY[rule.combine]}")
    best = levels.groupby(["topic_id", "document_id"]).max()
    frame = _qrels_frame(best)
    seen = max(last_sequence(ordered), last_sequence(decided))
    return QrelsVersion(
        frame,
        _highest(rule, chosen, len(levels), top_level),
        rule.combine != "udm" and top_level is None,
        rule=rule,
        last_sequence=seen if until_sequence is None else int(until_sequence),
        n_labels=len(chosen),
        assessors=tuple(sorted(chosen["assessor_id"].unique())),
        undecided=undecided,
        tied=_count_ties(rule, chosen, items),
    )


_WHY_EMPTY = {
    ADJUDICATED: "assessors disagree on every item and nobody has adjudicated",
    MAJORITY_UNTIED: "several levels are equally frequent on every item",
}


def _count_ties(rule: QrelsRule, chosen: pd.DataFrame, items: list[str]) -> int:
    """Return on how many items a majority is one of several levels."""
    if rule.combine not in MAJORITIES:
        return 0
    found = most_frequent(chosen, items)
    return int((found["lowest"] != found["highest"]).sum())


def standard_rules(labels: pd.DataFrame, facet: str = PAGE) -> list[QrelsRule]:
    """Return the rules to start from: the best, median and lowest level, and the slots.

    A slot is offered when every topic with labels of this facet has an assessor in it; there is
    none when there is but one, and none beyond ``MOST_SLOTS``: a crowd has dozens.
    """
    counted = counted_labels(labels)
    counted = counted[counted["facet"] == facet]
    assessors = counted.groupby("topic_id")["assessor_id"].nunique()
    last = 0 if assessors.empty else int(assessors.min())
    combined = [combine_all(how, facet) for how in COMBINED]
    slots = range(1, min(last, MOST_SLOTS) + 1) if last > 1 else ()
    return combined + [QrelsRule(f"slot {n}", facet, "first", slots=(n,)) for n in slots]


def combine_all(how: str, facet: str) -> QrelsRule:
    """Return the rule that combines all labels of an item in one way."""
    return QrelsRule(f"all, {how}", facet, how)


def make_whole(version: QrelsVersion) -> QrelsVersion:
    """Return a version as a file of qrels can hold it: itself, or another one in whole levels."""
    if version.is_whole:
        return version
    return _round(replace(version, rule=in_whole_levels(version.rule)))


def _round(version: QrelsVersion) -> QrelsVersion:
    """Return the version with whole levels, up to the highest of its scale, rounded like them."""
    highest = round_to_rule(version.rule, np.array([version.gmax]))
    return replace(version, frame=round_levels(version), gmax=float(highest[0]))


def round_levels(version: QrelsVersion) -> pd.DataFrame:
    """Return the qrels with whole levels, rounded as the version's rule says.

    Returns
    -------
    DataFrame
        ``topic_id, iteration, document_id, level`` with level int64 =
        round(level × factor); binary noise beyond the ninth decimal plays no part. TREC knows no
        engine: of several a document has the highest level.
    """
    frame = version.frame
    if "engine" in frame:
        best = frame.groupby(["topic_id", "iteration", "document_id"])["level"].max()
        frame = best.reset_index()
    rounded = round_to_rule(version.rule, frame["level"].to_numpy(np.float64))
    return frame.assign(level=rounded.astype(np.int64))


def round_to_rule(rule: QrelsRule, levels: Floats) -> Floats:
    """Return levels multiplied and made whole, as a rule says."""
    rounded: Floats = ROUNDINGS[rule.rounding](np.round(levels * rule.factor, 9))
    return rounded


def _version_of_pairs(
    ordered: pd.DataFrame, rule: QrelsRule, until_sequence: int | None
) -> QrelsVersion:
    """Return the mean weight of each result's pairs of levels (Demeester et al. 2014)."""
    pairs = weigh_pairs(select_labels(ordered, rule, FACETS), rule)
    if pairs.frame.empty:
        raise TooLittleData(
            f"the version '{rule.name}' finds no assessor who gave a snippet and its page levels "
            "that have a weight together"
        )
    frame = _qrels_frame(pairs.frame.groupby(RESULT)["level"].mean())
    frame = frame[["topic_id", "iteration", "document_id", "engine", "level"]]
    return QrelsVersion(
        frame,
        max(weight for *_, weight in rule.pair_weights),
        rule=rule,
        last_sequence=last_sequence(ordered) if until_sequence is None else int(until_sequence),
        n_labels=len(pairs.frame),
        assessors=tuple(sorted(pairs.frame["assessor_id"].unique())),
        unpaired=pairs.unpaired,
        unweighed=pairs.unweighed,
    )


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


def _qrels_frame(levels: "pd.Series[float]") -> pd.DataFrame:
    frame = levels.rename("level").reset_index()
    frame = frame.astype({name: "str" for name in frame if name != "level"})
    frame.insert(1, "iteration", "0")
    whole = (frame["level"] == np.floor(frame["level"])).all()
    frame = frame.astype({"level": "int64"}) if whole else frame
    order = [name for name in RESULT if name in frame]
    return frame.sort_values(order, ignore_index=True)


def _highest(rule: QrelsRule, chosen: pd.DataFrame, items: int, top_level: float | None) -> float:
    """Return the top of the version's own scale."""
    if rule.combine == "udm":
        return max(weight for _, weight in rule.weights)
    top = float(chosen["level"].max()) if top_level is None else float(top_level)
    return top * len(chosen) / items if rule.combine == "sum" else top


RESULT = ["topic_id", "document_id", "engine"]
"""The columns that tell one result of an engine from another."""

_PAGE_OF_ASSESSOR = ["topic_id", "document_id", "assessor_id"]


@dataclass(frozen=True, eq=False)
class WeighedPairs:
    """The pairs that a rule takes, with their weights as levels.

    Parameters
    ----------
    frame : DataFrame
        ``topic_id, document_id, engine, assessor_id, level`` with level = the pair's weight.
    unpaired : int
        Snippet labels whose assessor gave the page no level.
    unweighed : int
        Pairs of two levels for which the rule lists no weight.
    """

    frame: pd.DataFrame
    unpaired: int
    unweighed: int


def weigh_pairs(labels: pd.DataFrame, rule: QrelsRule) -> WeighedPairs:
    """Join each assessor's snippet labels with the same assessor's page labels, and weigh them.

    Parameters
    ----------
    labels : DataFrame
        ``topic_id, document_id, facet, engine, assessor_id, level``, those of both facets that a
        rule admits, in the order in which they were given.
    rule : QrelsRule
        Its ``pair_weights`` say what a pair is worth; with ``judges`` only the first so many
        pairs of each result count.

    Returns
    -------
    WeighedPairs
        The page's label goes with the snippets of all engines that returned it.

    Raises
    ------
    BadInput
        An assessor has several labels on one page or snippet, or a page label names an engine.
    """
    snippets, pages = (labels[labels["facet"] == facet] for facet in (SNIPPET, PAGE))
    _check(snippets, pages)
    page_level = pages[[*_PAGE_OF_ASSESSOR, "level"]].rename(columns={"level": "page"})
    joined = snippets[[*RESULT, "assessor_id", "level"]].merge(
        page_level, how="left", on=_PAGE_OF_ASSESSOR
    )
    pairs = joined.dropna(subset="page")
    unpaired = len(joined) - len(pairs)
    if rule.judges is not None:
        pairs = pairs.groupby(RESULT).head(rule.judges)
    weights = {(snippet, page): weight for snippet, page, weight in rule.pair_weights}
    given = zip(pairs["level"], pairs["page"], strict=True)
    level = pd.Series([weights.get(pair) for pair in given], index=pairs.index, dtype="float64")
    weighed = pairs.drop(columns="page").assign(level=level).dropna(subset="level")
    return WeighedPairs(weighed, unpaired, len(pairs) - len(weighed))


def _check(snippets: pd.DataFrame, pages: pd.DataFrame) -> None:
    """Refuse what would pair one label with several."""
    if (pages["engine"].fillna("") != "").any():
        raise BadInput("engines share a page, so its label has no engine", field="engine")
    for rows, thing in ((snippets, [*RESULT, "assessor_id"]), (pages, _PAGE_OF_ASSESSOR)):
        twice = rows[rows.duplicated(thing)]
        if len(twice):
            first = twice.iloc[0]
            raise BadInput(
                f"{first['assessor_id']} has more than one {first['facet']} label on topic "
                f"{first['topic_id']}, document {first['document_id']}; number repeated "
                "judgements as occasions 0, 1, …",
                field="occasion",
            )
