"""Whether a machine judge changes what is concluded about systems: all of it in labelled frames."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
import pandas as pd

from core.comparison.choices import SYSTEMS, TOPICS
from core.comparison.conditions import Condition
from core.comparison.score_matrix import ScoreMatrix
from core.comparison.significance_test import SignificanceTest
from core.errors import BadInput, TooLittleData
from core.machines.circularity import COLUMNS, check_circularity
from core.machines.conclusions import (
    APPEARED,
    BESTS,
    CHANGES,
    KEPT,
    TAU,
    TAU_AP,
    TURNED,
    VANISHED,
    compare_differences,
    correlate_orders,
    count_changes,
    try_orders,
)
from core.machines.gain import GAIN_COLUMNS, compare_lineage, mean_gains
from core.machines.mixed_qrels import PEOPLE, keep_common_documents, mix_qrels
from core.measures.base import Measure, Weights
from core.numerals import say_p, write_limits, write_number, write_p
from core.reports.conditions import (
    Progress,
    ScoredCondition,
    describe_condition,
    examine_conditions,
    keep_common_topics,
)
from core.reports.report import JUDGED, Column, Estimated, Report
from core.reports.scores import average_topics, judge_runs
from core.versions.judgements import Judgements
from core.wording import count, mark_fact

SCORE_COLUMNS = [
    "source", "system", "value", "low", "high",
    "interval", "unit", "topics", "judged", "reason",
]  # fmt: skip
_SOURCE = {"source": Column("judgements", names="nobody")}
_SYSTEM = {"system": Column("system", names="nobody")}
_P = Column("p", write=write_p)
LINEAGE_COLUMNS = [
    "machine", "unit", "members", "others", "value", "low", "high", "interval", "units",
    "shown_from", "verdict", "sentence", "reason",
]  # fmt: skip


@dataclass(frozen=True, eq=False)
class Conclusions(Report):
    """What is concluded about systems under people's judgements, machines' and mixed ones.

    Parameters
    ----------
    measure : str
        What systems are scored by.
    significance : SignificanceTest
        How differences were tested.
    sources : DataFrame
        ``source, machine, mixed`` (people have no machine) and what each is based on: ``systems,
        topics, left_out, judged, unanswered``, as ``tabulate_conditions`` has them.
    scores : DataFrame
        ``source, system, value, low, high, interval, unit, topics, judged, reason``: means over
        the topics that all sources count, as ``average_topics`` has them.
    rankings : DataFrame
        As ``correlate_orders`` returns it, of each source beside people.
    orders : DataFrame
        As ``try_orders`` returns it.
    differences : DataFrame
        As ``compare_differences`` returns it.
    significant : DataFrame
        As ``count_changes`` returns it.
    gains : DataFrame
        ``machine`` and the columns of ``mean_gains``.
    lineage : DataFrame
        ``machine, unit, members, others, value, low, high, interval, units, shown_from, verdict,
        sentence, reason``: see ``LineageAdvantage``; a row for each unit.
    circularity : DataFrame
        ``machine`` and the columns of ``check_circularity``.
    """

    measure: str
    significance: SignificanceTest
    sources: pd.DataFrame
    scores: pd.DataFrame
    rankings: pd.DataFrame
    orders: pd.DataFrame
    differences: pd.DataFrame
    significant: pd.DataFrame
    gains: pd.DataFrame
    lineage: pd.DataFrame
    circularity: pd.DataFrame

    name: ClassVar[str] = "conclusions"
    tables: ClassVar[Mapping[str, Estimated]] = {
        "sources": Estimated(
            "What systems are scored by",
            "",
            {
                **_SOURCE,
                "systems": Column("systems"),
                "topics": Column("topics"),
                "left_out": Column("topics left out"),
                "judged": JUDGED,
                "unanswered": Column("unanswered"),
            },
        ),
        "scores": Estimated("Means", "mean score of this system under this source"),
        "rankings": Estimated(
            "Orders of systems beside people's (limits: what studies of this size find on average)",
            "the rank correlation with people's order that studies of this size find on average",
            {
                **_SOURCE,
                "coefficient": Column("coefficient"),
                "value": Column("value"),
            },
            across="coefficient",
        ),
        "orders": Estimated(
            "Whether orders are shown to differ",
            "",
            {
                **_SOURCE,
                "p": Column("p", "corrected for all sources (Holm)", write=write_p),
                "differ": Column("shown to differ"),
                "shown_below": Column("τ shown below"),
            },
        ),
        "differences": Estimated(
            "Which significant differences change",
            "",
            {
                **_SOURCE,
                "first": Column("first", names="nobody"),
                "second": Column("second", names="nobody"),
                "difference_people": Column("by people"),
                "p_people": Column("p by people", write=write_p),
                "difference": Column("by these"),
                "p": _P,
                "change": Column("change", names="nobody"),
            },
        ),
        "significant": Estimated(
            "Significant differences beside people's",
            "",
            {
                **_SOURCE,
                **{one: Column(one) for one in CHANGES},
                "share": Column("kept of either", percent=True),
            },
        ),
        "gains": Estimated(
            "What systems gain from a machine's judgements",
            "mean score by the machine less that by people",
            {
                **_SYSTEM,
                "people_mean": Column("by people"),
                "machine_mean": Column("by machine"),
                "gain": Column("gain"),
                "relative": Column("beside the others"),
            },
            estimate="gain",
        ),
        "lineage": Estimated(
            "What a lineage gains beside others", "gain of the lineage's runs less that of others"
        ),
        "circularity": Estimated(
            "Agreement beyond people and the other runs",
            "",
            {
                **_SYSTEM,
                "flagged": Column("stands out"),
                "statistic": Column("statistic"),
                "others": Column("of the others", "their mean statistic"),
                "p_corrected": _P,
                "pairs": Column("pairs"),
                "agreement": Column("agrees", percent=True),
                "agreement_others": Column("others agree", percent=True),
            },
        ),
    }

    @property
    def beside(self) -> pd.DataFrame:
        """The rankings, coefficients by what people call them."""
        rows = self.rankings
        return rows.assign(coefficient=[*map(_name_order, rows["coefficient"], rows["best"])])

    @property
    def answer(self) -> str:
        """What `tell` says of each machine's judgements."""
        alone = self.sources[(self.sources["machine"] != "") & ~self.sources["mixed"]]
        return " ".join(self.tell(str(one)) for one in alone["source"])

    def tell(self, source: str) -> str:
        """Return whether the order of systems and significance change under a source."""
        order, counts = (
            rows[rows["source"] == source].iloc[0] for rows in (self.orders, self.significant)
        )
        return f"By {self.measure}, {self._tell_order(order)}; {_tell_counts(counts)}."

    def _tell_order(self, order: Any) -> str:
        rows = self.rankings[self.rankings["source"] == order["source"]]
        tau = rows[rows["coefficient"] == TAU].iloc[0]
        systems = count(tau["systems"], "system")
        begun = f"the order of {systems} under the labels of {order['source']}"
        if pd.isna(order["differ"]):
            return f"{begun} was not tested against people's: {order['reason']}"
        known = pd.notna(tau["low"])
        limits = write_limits(tau["low"], tau["high"]) if known else f"({tau['reason']})"
        begun += f" (Kendall's τ-b {write_number(tau['value'])} {limits}, {say_p(order['p'])})"
        if order["differ"]:
            return f"{begun} {mark_fact('is shown to differ')} from people's"
        could = "so few topics or systems could not have shown it"
        if pd.notna(order["shown_below"]):
            could = f"a τ below {write_number(order['shown_below'])} would have been"
        return f"{begun} {mark_fact('is not shown to differ')} from people's ({could})"


def _tell_counts(counts: Any) -> str:
    if pd.isna(counts[KEPT]):
        return f"significant differences cannot be compared: {counts['reason']}"
    held = counts[KEPT] + counts[VANISHED] + counts[TURNED]
    lost, turned, new = (mark_fact(f"{counts[one]:,}") for one in (VANISHED, TURNED, APPEARED))
    vanish = "vanishes" if counts[VANISHED] == 1 else "vanish"
    turn = "turns" if counts[TURNED] == 1 else "turn"
    appear = "appears" if counts[APPEARED] == 1 else "appear"
    if not held:
        return f"no difference is significant by people's labels, and {new} {appear}"
    return (
        f"of {count(held, 'significant difference')} by people's labels {lost} {vanish} and "
        f"{turned} {turn} round, and {new} {appear}"
    )


def draw_conclusions(
    runs: pd.DataFrame,
    people: Judgements,
    machines: Mapping[str, pd.DataFrame],
    measure: Measure,
    *,
    lineages: Mapping[str, Collection[str]] | None = None,
    bests: Sequence[int] = BESTS,
    significance: SignificanceTest | None = None,
    weights: Weights | None = None,
    mixed: bool = True,
    same_documents: bool = False,
    progress: Progress | None = None,
) -> Conclusions:
    """Score systems under people's and machines' judgements and compare what follows.

    Parameters
    ----------
    runs : DataFrame
        ``system, topic_id, document_id, rank``.
    people : Judgements
        However people's labels were combined.
    machines : mapping of name to DataFrame
        ``topic_id, iteration, document_id, level`` of each machine, on people's scale: levels that
        are not on it are to be taken out before.
    measure : Measure
        What systems are scored by.
    lineages : mapping of machine to systems, optional
        The runs that use the machine's model, or are otherwise of its kind.
    bests : sequence of int, default (5, 10, 20)
        Within how many of the best systems τ is told.
    significance : SignificanceTest, optional
        How differences are tested, with α; the default test without.
    weights : mapping of level to weight, optional
        What ``gain='udm'`` stands for.
    mixed : bool, default True
        Whether people's judgements, filled up with each machine's, are a source of their own.
    same_documents : bool, default False
        Whether only documents count that people and every machine have judged. Without, a gain is
        also of documents that only one of them has judged: see ``judged`` of the sources.
    progress : callable, optional
        Told the share of the tests done and the source at work.

    Returns
    -------
    Conclusions
        On the topics that count under every source.

    Raises
    ------
    BadInput
        There is no machine, one is called as another source, a lineage is of an unknown machine or
        names an unknown run, or systems are not compared by this measure.
    TooLittleData
        Fewer than two systems, or than two topics that count under every source.
    """
    chosen, known = significance or SignificanceTest(), lineages or {}
    if measure.obstacle:
        raise BadInput(measure.obstacle, field="measure")
    own = people.frame
    if same_documents:
        own, machines = keep_common_documents(own, machines)
    sources = _list_sources(own, machines, mixed)
    if strangers := sorted(set(known) - set(machines)):
        raise BadInput(f"a lineage is given for '{strangers[0]}', which is no machine here")
    scored = keep_common_topics(
        [
            _score(name, runs, people.on_same_scale(one), measure, weights)
            for name, one in sources.items()
        ]
    )
    if len(scored[0].topics) < 2 or runs["system"].nunique() < 2:
        number = len(scored[0].topics)
        topics = f"{count(number, 'topic')} {'counts' if number == 1 else 'count'}"
        systems = count(runs["system"].nunique(), "system")
        raise TooLittleData(
            f"{topics} under all judgements, and runs are of {systems}; comparing conclusions "
            "needs two of each"
        )
    reference, *others = examine_conditions(scored, chosen, progress)
    by_machine = {one.name: one for one in others if one.name in machines}
    return Conclusions(
        str(measure),
        chosen,
        _describe_sources(scored, machines),
        _average(scored),
        correlate_orders(reference, others, bests),
        try_orders(reference, others, chosen.alpha),
        compare_differences(reference, others, chosen.alpha),
        count_changes(reference, others, chosen.alpha),
        _tell_gains(reference, by_machine, measure.upper_bound),
        _compare_lineages(reference, by_machine, known, measure.upper_bound),
        _check_machines(runs, own, machines, chosen.alpha),
    )


def _name_order(coefficient: str, best: int) -> str:
    """Return what a coefficient of two orders is called; ``best`` is how many systems it is of."""
    return {TAU: "Kendall's τ-b", TAU_AP: "τ_AP"}.get(coefficient, f"τ-b of the best {best}")


def name_mixed(machine: str) -> str:
    """Return what people's judgements filled up with a machine's are called."""
    return f"{PEOPLE}, else {machine}"


def _list_sources(
    people: pd.DataFrame, machines: Mapping[str, pd.DataFrame], mixed: bool
) -> dict[str, pd.DataFrame]:
    """Return the judgements of every source, people's first."""
    if not machines:
        raise BadInput("there is no machine to compare with people", field="machine")
    names = [PEOPLE, *machines, *(map(name_mixed, machines) if mixed else ())]
    if len(set(names)) < len(names):
        raise BadInput(
            f"a machine is called as another source; '{PEOPLE}' stands for people's judgements",
            field="machine",
        )
    filled = [mix_qrels(people, one) for one in machines.values()] if mixed else []
    return dict(zip(names, [people, *machines.values(), *filled], strict=True))


def _score(
    name: str,
    runs: pd.DataFrame,
    judgements: Judgements,
    measure: Measure,
    weights: Weights | None,
) -> ScoredCondition:
    judged = judge_runs(runs, judgements, weights=weights)
    rankings = judged.rankings
    return ScoredCondition(
        name, judged.score([measure]), "", len(rankings.topics), rankings.missing(), {}
    )


def _describe_sources(
    scored: Sequence[ScoredCondition], machines: Mapping[str, pd.DataFrame]
) -> pd.DataFrame:
    mixed = {name_mixed(machine): machine for machine in machines}
    rows = [
        {
            "source": one.name,
            "machine": mixed.get(one.name, one.name if one.name in machines else ""),
            "mixed": one.name in mixed,
            **describe_condition(one),
        }
        for one in scored
    ]
    return pd.DataFrame(rows).drop(columns=["condition", "topic_set"])


def _average(scored: Sequence[ScoredCondition]) -> pd.DataFrame:
    parts = [average_topics(one.scores).assign(source=one.name) for one in scored]
    return pd.concat(parts, ignore_index=True)[SCORE_COLUMNS]


def _tell_gains(
    people: Condition, machines: Mapping[str, Condition], highest: float
) -> pd.DataFrame:
    parts = [
        mean_gains(_matrix(people), _matrix(one), highest).assign(machine=name)
        for name, one in machines.items()
    ]
    return pd.concat(parts, ignore_index=True)[["machine", *GAIN_COLUMNS]]


def _compare_lineages(
    people: Condition,
    machines: Mapping[str, Condition],
    lineages: Mapping[str, Collection[str]],
    highest: float,
) -> pd.DataFrame:
    rows = []
    for name, members in lineages.items():
        pair = _matrix(people), _matrix(machines[name])
        for unit in (TOPICS, SYSTEMS):
            found = compare_lineage(*pair, members, highest, unit)
            rows.append({"machine": name, **vars(found), "sentence": found.sentence})
    return pd.DataFrame(rows, columns=LINEAGE_COLUMNS)


def _matrix(one: Condition) -> ScoreMatrix:
    """Return the scores of a condition that has two systems and topics at least."""
    assert one.matrix is not None
    return one.matrix


def _check_machines(
    runs: pd.DataFrame, people: pd.DataFrame, machines: Mapping[str, pd.DataFrame], alpha: float
) -> pd.DataFrame:
    parts = [
        _check_machine(runs, people, one, alpha).assign(machine=name)
        for name, one in machines.items()
    ]
    return pd.concat(parts, ignore_index=True)[["machine", *COLUMNS]]


def _check_machine(
    runs: pd.DataFrame, people: pd.DataFrame, machine: pd.DataFrame, alpha: float
) -> pd.DataFrame:
    """Return the check of one machine; a reason for every run where there is none."""
    try:
        return check_circularity(runs, people, machine, alpha)
    except TooLittleData as error:
        systems = list(map(str, runs["system"].unique()))
        frame = pd.DataFrame({"system": systems, "reason": str(error)})
        nothing = frame.reindex(columns=COLUMNS).assign(
            pairs=0, documents=0, unit="system", units=0
        )
        missing = dict.fromkeys(["statistic", "others", "t", "p", "p_corrected"], np.float64)
        return nothing.astype({**missing, "flagged": "boolean"})
