"""Mean scores of systems and their differences from few human and many machine topics."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from core.comparison.ties import order_best
from core.errors import BadInput, TooLittleData
from core.machines.judged_scores import LEAST_HUMAN, JudgedScores
from core.machines.mean_limits import Limits, bound_differences, bound_means
from core.machines.prediction_powered import (
    MeanEstimates,
    estimate_means,
    estimate_normally,
    expect_widths,
)
from core.measures.base import Measure, Weights
from core.numerals import write_number
from core.reports.judged_topics import ScoredTopics, score_judged_topics
from core.reports.report import Column, Estimated, Report
from core.reports.scores import ALIKE, GEOMETRIC
from core.versions.judgements import Judgements
from core.wording import count, mark_fact

CLASSICAL, POWERED, MACHINE_ONLY = "classical", "ppi", "machine_only"
ESTIMATES = {
    CLASSICAL: "from the topics that people judged alone",
    POWERED: "prediction-powered, from both",
    MACHINE_ONLY: "from the machine's labels of all topics; takes no notice of its bias",
}
"""What is estimated in three ways."""

LOG_ODDS = "t on log odds, s/√n"
STUDENT = "t"
NORMAL = "normal"
BIASED = (
    "limits of the machine's means, where it has any, take no notice of its bias, which is unknown"
)
ALIKE_APART = (
    "the two differ by the same on all topics, so nothing tells how far they would on another"
)
OTHER_FORM = (
    "widths by how many of the topics people judge are those of limits by t, not of normal ones"
)
NO_SAMPLE = "over the topics there are the machine's mean is exact; what is wrong with it is bias"

Names = NDArray[np.object_]


_WAYS = {CLASSICAL: "people alone", POWERED: "prediction-powered", MACHINE_ONLY: "machine alone"}
_MEASURE = {"measure": Column("measure", names="nobody")}
_ESTIMATE = {
    "estimate": Column("estimate", write=_WAYS.__getitem__, names="nobody"),
    "value": Column("value"),
}


@dataclass(frozen=True)
class EstimateQuestion:
    """What is asked of means from few topics of people and many of a machine.

    Parameters
    ----------
    finite : bool
        Whether the topics are all there are, rather than a sample of more.
    normal : bool
        Estimate as the package ppi-python does; see `estimate_normally`.
    empty_topics : bool
        Whether topics with nothing to find count as 0.

    Raises
    ------
    BadInput
        ``finite`` and ``normal`` are asked for together.
    """

    finite: bool = False
    normal: bool = False
    empty_topics: bool = False

    def __post_init__(self) -> None:
        if self.finite and self.normal:
            text = "the form of ppi-python takes the topics for a sample; choose one of both"
            raise BadInput(text)


USUAL = EstimateQuestion()
"""What is asked where nothing is chosen."""


@dataclass(frozen=True, eq=False)
class Estimation(Report):
    """Three estimates of each mean and each difference, and what more human topics would buy.

    `estimate_scores` makes it. Its tables are ``systems``, ``differences`` and ``widths``.

    Parameters
    ----------
    systems, differences : DataFrame
        A row for each measure, system (or ``first, second``) and ``estimate``: ``classical``,
        ``ppi`` or ``machine_only``; with ``n_human, n_machine, value, low, high, power, interval,
        unit, units, reason``. Limits of 95 % hold for each difference alone. ``power`` is λ, NaN
        but for ``ppi``; ``units`` is how many topics the limits rest on. ``reason`` says why limits
        are NaN. Systems stand from the best to the worst by ``ppi``.
    widths : DataFrame
        ``measure, of, n_human, n_machine, classical, powered``: mean widths of the limits of means
        and of differences, if people had judged other numbers of the topics; in the t-form.
    left_out : sequence of str
        What was left out, in sentences.
    """

    systems: pd.DataFrame
    differences: pd.DataFrame
    widths: pd.DataFrame
    left_out: Sequence[str] = ()

    name: ClassVar[str] = "estimate"
    tables: ClassVar[Mapping[str, Estimated]] = {
        "systems": Estimated(
            "Mean scores",
            "mean score of this system, alone",
            _MEASURE | {"system": Column("system")} | _ESTIMATE,
            across="estimate",
        ),
        "differences": Estimated(
            "Differences of means",
            "difference between the means of the two systems, alone",
            _MEASURE
            | {name: Column(name, names="nobody") for name in ("first", "second")}
            | _ESTIMATE,
            across="estimate",
        ),
        "widths": Estimated(
            "Mean width of limits, by how many of the topics people judge",
            "",
            {
                **_MEASURE,
                "of": Column("of"),
                "n_human": Column("by people"),
                "n_machine": Column("by the machine alone"),
                "classical": Column("people alone"),
                "powered": Column("prediction-powered"),
            },
        ),
    }

    @property
    def notes(self) -> Sequence[str]:
        """What was left out, and what limits of the machine's means do not tell."""
        return (*self.left_out, BIASED)

    @property
    def answer(self) -> str:
        """What `tell` says of the first measure."""
        return self.tell(str(self.systems["measure"].iloc[0]))

    def tell(self, measure: str) -> str:
        """Return how wide intervals of means are, with and without the machine's labels."""
        rows = self.systems[self.systems["measure"] == measure]
        powered, classical = (rows[rows["estimate"] == one] for one in (POWERED, CLASSICAL))
        row = powered.iloc[0]
        begun = (
            f"People judged {mark_fact(count(row['n_human'], 'topic'))}, only the machine "
            f"{mark_fact(format(row['n_machine'], ','))} more."
        )
        wide = [(one["high"] - one["low"]).mean() for one in (powered, classical)]
        if np.isnan(wide).all():
            return f"{begun} Means by {measure} have no interval: {row['reason']}."
        with_machine, alone = (mark_fact(write_number(one)) for one in wide)
        least, most = (write_number(end) for end in powered["power"].agg(["min", "max"]))
        trusted = f"λ = {most}" if least == most else f"λ from {least} to {most}, by system"
        return (
            f"{begun} 95 % intervals of means by {measure}, topics being what is sampled, are on "
            f"average {with_machine} wide with the machine's labels and {alone} with people's "
            f"alone. The machine's scores are trusted by {trusted}; 0 is not at all."
        )

    def _repr_html_(self) -> str:
        return str(self.systems.to_html(index=False))


def estimate_scores(
    runs: pd.DataFrame,
    human: Judgements,
    machine: pd.DataFrame,
    measures: Sequence[Measure],
    question: EstimateQuestion = USUAL,
    weights: Weights | None = None,
) -> Estimation:
    """Estimate the mean score of every system and the difference of every two.

    The topics that people judged are those of ``human``; those of ``machine`` that people did not
    judge have machine labels only. Topics that only people judged are left out, as are topics
    without anything to find by the labels that count there.

    Parameters
    ----------
    runs, human, machine, measures, weights
        As for `score_judged_topics`.
    question : EstimateQuestion
        What is asked.

    Raises
    ------
    BadInput
        No topic is judged by both, a run answers none of those, or a measure's mean is geometric.
    TooLittleData
        Fewer than two topics that both judged count, or none that only the machine did.
    """
    measures = list(dict.fromkeys(measures))
    if any(one.geometric for one in measures):
        raise BadInput(f"{GEOMETRIC}; choose AP, say", field="measure")
    empty = question.empty_topics
    scored = score_judged_topics(runs, human, machine, measures, weights, empty_topics=empty)
    parts = [_estimate_measure(scored, one, question) for one in measures]
    systems, differences, widths = (
        pd.concat(each, ignore_index=True) for each in zip(*parts, strict=True)
    )
    notes = scored.notes + _describe_counts(scored, measures)
    notes += [OTHER_FORM] if question.normal else []
    return Estimation(systems, differences, widths, notes)


def _estimate_measure(
    scored: ScoredTopics, measure: Measure, question: EstimateQuestion
) -> tuple[pd.DataFrame, pd.DataFrame, pd.DataFrame]:
    """Return the tables of one measure: systems, differences and widths."""
    finite, normal = question.finite, question.normal
    scores, systems = _arrange(scored, measure)
    order = order_best(
        _estimate(scores, bound_means(measure.upper_bound), normal, finite).powered.value,
        measure.greater_is_better,
    )
    scores, systems = scores.choose(order), systems[order]
    first, second = np.triu_indices(len(systems), k=1)
    pairs = pd.DataFrame({"first": systems[first], "second": systems[second]})
    tables, widths = [], []
    for names, own, bound in (
        (pd.DataFrame({"system": systems}), scores, bound_means),
        (pairs, scores.subtract_pairs(), bound_differences),
    ):
        limits = bound(measure.upper_bound)
        method = NORMAL if normal else _name_limits(measure, bound)
        found = _estimate(own, limits, normal, finite)
        alike = ALIKE if bound is bound_means else ALIKE_APART
        table = _tabulate(found, own, names, method, alike)
        if finite:
            alone = (table["estimate"] == MACHINE_ONLY) & table["low"].isna()
            table["reason"] = table["reason"].mask(alone, NO_SAMPLE)
        tables.append(table)
        curve = expect_widths(own, limits, finite=finite) if len(names) else pd.DataFrame()
        widths.append(curve.assign(of="mean" if bound is bound_means else "difference"))
    curves = pd.concat([one for one in widths if len(one)], ignore_index=True)
    curves.insert(0, "of", curves.pop("of"))
    for table in (*tables, curves):
        table.insert(0, "measure", str(measure))
    return tables[0], tables[1], curves


def _estimate(scores: JudgedScores, limits: Limits, normal: bool, finite: bool) -> MeanEstimates:
    return estimate_normally(scores) if normal else estimate_means(scores, limits, finite=finite)


def _name_limits(measure: Measure, bound: Callable[[float], Limits]) -> str:
    return LOG_ODDS if bound is bound_means and np.isfinite(measure.upper_bound) else STUDENT


def _arrange(scored: ScoredTopics, measure: Measure) -> tuple[JudgedScores, Names]:
    """Return the scores by topic and system, and the systems, in the order of the runs."""
    human, machine = (
        one[one["measure"] == str(measure)].pivot(
            index="topic_id", columns="system", values="value"
        )
        for one in (scored.human, scored.machine)
    )
    both = human.index.intersection(machine.index)
    alone = machine.index.difference(pd.Index(sorted(scored.judged)))
    if len(both) < LEAST_HUMAN or alone.empty:
        raise TooLittleData(
            f"{measure}: topics with something to find by people's and the machine's labels: "
            f"{len(both)}, of those that only the machine judged: {len(alone)}; two and one are "
            "needed at least"
        )
    systems = human.columns
    parts = (human.loc[both], machine.loc[both, systems], machine.loc[alone, systems])
    scores = JudgedScores(*(one.to_numpy(np.float64) for one in parts))
    return scores, np.array(systems, dtype="object")


def _tabulate(
    found: MeanEstimates, scores: JudgedScores, names: pd.DataFrame, method: str, alike: str
) -> pd.DataFrame:
    """Return a row for each of the names and each way to estimate; ``alike`` is why none varies."""
    every = scores.n_human + scores.n_machine
    parts = [
        names.assign(
            n_human=scores.n_human,
            n_machine=scores.n_machine,
            estimate=name,
            value=means.value,
            low=means.low,
            high=means.high,
            power=found.power if name == POWERED else np.nan,
            interval=method + _MANNER[name],
            unit="topic",
            units=every if name == MACHINE_ONLY else scores.n_human,
        )
        for name, means in (
            (CLASSICAL, found.classical),
            (POWERED, found.powered),
            (MACHINE_ONLY, found.machine_only),
        )
    ]
    table = pd.concat(parts).sort_index(kind="stable").reset_index(drop=True)
    return table.assign(reason=np.where(table["low"].isna(), alike, ""))


_MANNER = {
    CLASSICAL: "",
    POWERED: ", prediction-powered",
    MACHINE_ONLY: ", without the machine's bias",
}


def _describe_counts(scored: ScoredTopics, measures: Sequence[Measure]) -> list[str]:
    """Say where topics are left out that have nothing to find."""
    notes = []
    judged = len(scored.judged)
    for measure in measures:
        human, machine = (
            frozenset(one.loc[one["measure"] == str(measure), "topic_id"])
            for one in (scored.human, scored.machine)
        )
        if lacking := judged - len(human & machine):
            notes.append(
                f"{measure}: topics that both judged, but with nothing to find by the labels of "
                f"one of them, left out: {lacking:,} of {judged:,}"
            )
    return notes
