"""``dissent plan``: how many topics, items judged twice and hours, before anything is judged."""

from argparse import Namespace
from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd

from core.agreement.base import COEFFICIENTS
from core.agreement.coefficients import Kappa
from core.agreement.intervals import Floats
from core.agreement.ratings import ratings_from_labels
from core.command.files.pilot_files import read_pilot_labels, read_pilot_scores
from core.command.files.score_files import (
    read_judgements,
    read_measures,
    read_runs,
    read_score_weights,
)
from core.command.printing.output import print_json, with_reason
from core.command.printing.recording import print_data
from core.command.printing.report_tables import format_report_table
from core.errors import BadInput
from core.measures.base import Measure
from core.orders.candidates import build_candidates
from core.planning.choices import METHODS, USUAL_TOPICS
from core.planning.cost import CostRates
from core.planning.designs import Requirement, parse_design
from core.planning.item_spread import (
    ItemSpread,
    assume_kappa,
    assume_share,
    spread_of_kappa,
    spread_of_share,
)
from core.planning.judged_twice import PER_TOPIC
from core.planning.pool_size import assume_pools, measure_pools
from core.planning.variance import ScoreVariance, given_variance
from core.reports.planning import (
    DEPTHS,
    AgreementPlan,
    CostPlan,
    TopicPlan,
    choose_variances,
    plan_agreement,
    plan_cost,
    plan_topics,
    variance_by_depth,
    variance_of_scores,
)
from core.reports.report import Report, stack_tables
from core.wording import drop_marks

_ONLY_DATA = ("curve", "variances")
"""Tables that people do not read at a terminal."""


def run(arguments: Namespace) -> int:
    """Print the plan."""
    _check(arguments)
    topics = _plan_topics(arguments)
    agreement, cost = _plan_agreement(arguments), _plan_cost(arguments, topics)
    plans: list[Report] = [one for one in (topics, agreement, cost) if one]
    if arguments.format == "json":
        print_json(_make_content(plans, topics, agreement, cost))
    elif arguments.format == "csv":
        print_data(pd.concat(map(_stack, plans), ignore_index=True))
    else:
        print("\n\n".join(map(_write, plans)))
    return 0


def _write(plan: Report) -> str:
    """Return the answer of a plan, and below it its tables."""
    parts = [drop_marks(plan.answer)]
    for name, table in plan.tables.items():
        if name not in _ONLY_DATA and (text := format_report_table(plan, name)):
            parts.append(f"{table.title}\n{text}")
    return "\n\n".join(parts)


def _stack(plan: Report) -> pd.DataFrame:
    table = stack_tables({name: plan.table(name) for name in plan.tables})
    table.insert(0, "plan", plan.name)
    return table


def _make_content(
    plans: Sequence[Report],
    topics: TopicPlan | None,
    agreement: AgreementPlan | None,
    cost: CostPlan | None,
) -> dict[str, Any]:
    answers = [{"plan": one.name, "answer": drop_marks(one.answer)} for one in plans]
    content: dict[str, Any] = {"answers": answers, "designs": []}
    if topics:
        content["variance"] = {
            row["of"]: _list_estimate(topics, "variances", row)
            for row in topics.variances.to_dict("records")
        }
        content["designs"] = [_list_design(topics, row) for row in _rows(topics, "designs")]
        content["curve"] = _drop_empty(topics.curve)
        content["reached"] = _drop_empty(topics.reached.drop(columns="title"))
    if agreement:
        spread = agreement.spread
        content["agreement"] = {
            "figure": agreement.figure, "value": spread.value, "width": agreement.width,
            "alike": spread.alike, "pilot_topics": spread.topics, "pilot_items": spread.items,
            "pilot_width": agreement.now,
            "items": list(map(_list_row, _rows(agreement, "items"))),
        }  # fmt: skip
    if cost:
        content["cost"] = _rows(cost, "cost")
        content["same_cost"] = {
            "hours": cost.hours,
            "depths": list(map(_list_row, _rows(cost, "same"))),
        }
    return content


def _rows(plan: Report, table: str) -> list[dict[Any, Any]]:
    return plan.table(table).to_dict("records")


def _list_estimate(plan: Report, table: str, row: dict[Any, Any]) -> dict[str, Any]:
    """Return an estimate with its limits; alone where it was given."""
    if not row["units"]:
        return {"value": row["value"]}
    entry = {name: row[name] for name in ("value", "low", "high")}
    return with_reason({**entry, "interval": plan.describe_interval(table, row)}, row["reason"])


def _list_design(plan: TopicPlan, row: dict[Any, Any]) -> dict[str, Any]:
    """Return a design; what plays no part in it is null."""
    names = ("method", "alpha", "power", "effect", "width", "systems", "variance", "topics")
    entry = {name: row[name] for name in names}
    entry["topics"] = None if np.isnan(row["topics"]) else int(row["topics"])
    if row["units"]:
        interval = plan.describe_interval("designs", row)
        entry |= {"low": row["low"], "high": row["high"], "interval": interval}
    told = row["reason"] if np.isnan(row["topics"]) or row["units"] else ""
    return with_reason(entry, told)


def _list_row(row: dict[Any, Any]) -> dict[str, Any]:
    return with_reason({name: one for name, one in row.items() if name != "reason"}, row["reason"])


def _drop_empty(table: pd.DataFrame) -> list[dict[str, Any]]:
    """Return rows without what plays no part in them."""
    return [
        {str(name): value for name, value in row.items() if not pd.isna(value)}
        for row in table.to_dict("records")
    ]


def _check(arguments: Namespace) -> None:
    """Refuse what does not go together, or is not enough."""
    refuse = arguments.parser.error
    given = arguments.variance is not None or arguments.difference_variance is not None
    scored = bool(arguments.scores or arguments.qrels)
    if scored and given:
        refuse("--variance and --difference-variance go without a pilot's scores")
    if arguments.scores and arguments.qrels:
        refuse("--scores goes without --qrels")
    if arguments.qrels and not (arguments.runs and arguments.measures):
        refuse("--qrels goes with --run and --measure")
    if arguments.overlap is not None and arguments.runs:
        refuse("--overlap goes without --run")
    if arguments.p_top is not None and not (arguments.labels or arguments.p is not None):
        refuse("--p-top goes with --labels or --p")
    if arguments.labels and (arguments.kappa is not None or arguments.p is not None):
        refuse("--kappa and --p go without --labels")
    asked = (scored, given, arguments.labels, arguments.kappa, arguments.p, arguments.runs)
    if not any(one not in (None, False, []) for one in (*asked, arguments.overlap)):
        refuse("give --scores, or --qrels with --run and --measure, or --variance; or --labels")


def _plan_topics(arguments: Namespace) -> TopicPlan | None:
    variance = _find_variance(arguments)
    if variance is None:
        return None
    wanted = _read_wanted(arguments, variance)
    methods = tuple(dict.fromkeys(arguments.method or METHODS))
    measure = _find_measure(arguments)
    return plan_topics(
        variance, wanted, methods, arguments.topics, measure=str(measure) if measure else ""
    )


def _find_measure(arguments: Namespace) -> Measure | None:
    """Return the measure of the pilot's scores; None where it is not named."""
    return read_measures(arguments)[0] if arguments.measures else None


def _read_wanted(arguments: Namespace, variance: ScoreVariance | None) -> Requirement:
    systems = arguments.systems or max(2, variance.systems if variance else 2)
    return Requirement(arguments.effect, arguments.power, arguments.alpha, systems, arguments.width)


def _find_variance(arguments: Namespace) -> ScoreVariance | None:
    scores = read_pilot_scores(arguments)
    if scores is not None:
        return variance_of_scores(scores)[0]
    if arguments.variance is None and arguments.difference_variance is None:
        return None
    return given_variance(arguments.variance, arguments.difference_variance)


def _plan_agreement(arguments: Namespace) -> AgreementPlan | None:
    found = _find_spread(arguments)
    if found is None:
        return None
    per_topic = arguments.per_topic or PER_TOPIC
    return plan_agreement(*found, arguments.agreement_width, per_topic)


def _find_spread(arguments: Namespace) -> tuple[str, ItemSpread] | None:
    """Return what the interval is of, and what items add to it."""
    figure = f"p(top | {arguments.p_top})" if arguments.p_top is not None else arguments.coefficient
    if arguments.p is not None:
        name = "p(top | level)" if arguments.p_top is None else figure
        return name, assume_share(arguments.p, 1.0, arguments.alike)
    if arguments.kappa is not None:
        shares = np.ones(4) if arguments.shares is None else np.array(arguments.shares)
        return figure, assume_kappa(
            arguments.kappa, shares, _read_kappa(arguments.coefficient), arguments.alike
        )
    pilot = read_pilot_labels(arguments)
    if pilot is None:
        return None
    labels, facet = pilot
    ratings = ratings_from_labels(labels.frame, facet, labels.levels(facet))
    if arguments.p_top is None:
        return figure, spread_of_kappa(ratings, _read_kappa(arguments.coefficient))
    level = labels.level(arguments.p_top, facet)
    return figure, spread_of_share(ratings, level, max(ratings.levels))


def _read_kappa(text: str) -> Kappa:
    coefficient = COEFFICIENTS.parse(text)
    if not isinstance(coefficient, Kappa):
        raise BadInput(f"items are planned for kappa, not for {coefficient.name}")
    return coefficient


def _plan_cost(arguments: Namespace, plan: TopicPlan | None) -> CostPlan | None:
    """Return what judging costs, where runs or their overlap tell how large pools are."""
    if not arguments.runs and arguments.overlap is None:
        return None
    depths = tuple(sorted(set(arguments.depth or DEPTHS)))
    wanted = plan.wanted if plan else _read_wanted(arguments, None)
    tests = [one for one in arguments.method or METHODS if parse_design(one).has_power]
    method = (tests or METHODS)[0]
    pools, variances = _find_pools(arguments, plan, depths, wanted, method)
    measure = _find_measure(arguments) if arguments.runs and arguments.qrels else None
    least = (measure.cutoff or 1) if measure else None
    topics = arguments.topics or _find_needed(plan, method)
    rates = CostRates(arguments.judges, arguments.seconds, arguments.wage, arguments.overhead)
    return plan_cost(
        topics,
        depths,
        pools,
        rates,
        wanted,
        variances,
        hours=arguments.hours,
        method=method,
        least=least,
    )


def _find_pools(
    arguments: Namespace,
    plan: TopicPlan | None,
    depths: tuple[int, ...],
    wanted: Requirement,
    method: str,
) -> tuple[Floats, Floats | None]:
    """Return documents of a topic, and the variance, by depth."""
    design = parse_design(method)
    same = np.full(len(depths), design.choose(plan.variance).value) if plan else None
    if not arguments.runs:
        return assume_pools(arguments.systems or wanted.systems, arguments.overlap, depths), same
    if not arguments.qrels:
        return measure_pools(build_candidates(read_runs(arguments), max(depths)), depths), same
    known = variance_by_depth(
        read_runs(arguments),
        read_judgements(arguments.qrels, arguments),
        read_measures(arguments)[0],
        depths,
        read_score_weights(arguments),
    )
    residual, within = (known[name].to_numpy() for name in ("residual", "within"))
    return known["pool"].to_numpy(), choose_variances(design, residual, within)


def _find_needed(plan: TopicPlan | None, method: str) -> int:
    """Return how many topics are planned by a design; 50 where that is not known."""
    if plan is None:
        return USUAL_TOPICS
    topics = plan.designs.set_index("method")["topics"].get(method, np.nan)
    return USUAL_TOPICS if np.isnan(topics) else int(topics)
