"""``dissent plan``: how many topics, items judged twice, opinions, votes and hours it takes."""

from argparse import Namespace
from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd

from core.agreement.base import COEFFICIENTS
from core.agreement.coefficients import Kappa
from core.agreement.intervals import Floats
from core.agreement.ratings import ratings_from_labels
from core.command.files.pilot_files import read_pilot_labels, read_pilot_scores, read_votes
from core.command.files.score_files import (
    read_judgements,
    read_measures,
    read_runs,
    read_score_weights,
)
from core.command.printing.output import print_json, print_notes, with_reason
from core.command.printing.reports import list_answers, list_rows, print_csv, print_tables
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
from core.reports.opinions import OpinionPlan, OpinionQuestion
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
from core.reports.report import Report
from core.reports.votes import VotePlan, VoteQuestion
from core.wording import drop_marks

SHOWN = 20
"""Rows of a table for people; JSON has them all."""

_ONLY_DATA = ("curve", "variances")
"""Tables that people do not read at a terminal."""


def run(arguments: Namespace) -> int:
    """Print the plan."""
    _check(arguments)
    topics = _plan_topics(arguments)
    agreement, cost = _plan_agreement(arguments), _plan_cost(arguments, topics)
    opinions, votes = _plan_opinions(arguments), _plan_votes(arguments)
    plans: list[Report] = [one for one in (topics, agreement, opinions, votes, cost) if one]
    for one in plans:
        print_notes(f"{one.name}: {note}" for note in one.notes)
    if arguments.format == "json":
        content = _make_content(plans, topics, agreement, cost)
        content |= {"opinions": _list_tables(opinions)} if opinions else {}
        content |= {"votes": _list_tables(votes)} if votes else {}
        print_json(content)
    elif arguments.format == "csv":
        print_csv(({"plan": one.name}, one, [*one.tables]) for one in plans)
    else:
        for one in plans:
            print(drop_marks(one.answer))
            shown = [name for name in one.tables if name not in _ONLY_DATA]
            print_tables(one, shown, most=SHOWN)
            print()
    return 0


def _make_content(
    plans: Sequence[Report],
    topics: TopicPlan | None,
    agreement: AgreementPlan | None,
    cost: CostPlan | None,
) -> dict[str, Any]:
    answers = list_answers(({"plan": one.name}, one) for one in plans)
    content: dict[str, Any] = {"answers": answers, "designs": []}
    if topics:
        content["variance"] = {
            row["of"]: {name: row[name] for name in _ESTIMATE if name in row}
            if row["interval"]["n"]
            else {"value": row["value"]}
            for row in list_rows(topics, "variances")
        }
        content["designs"] = list(map(_list_design, list_rows(topics, "designs")))
        content["curve"] = _drop_empty(topics.curve)
        content["reached"] = _drop_empty(topics.reached.drop(columns="title"))
    if agreement:
        spread = agreement.spread
        content["agreement"] = {
            "figure": agreement.figure, "value": spread.value, "width": agreement.width,
            "alike": spread.alike, "pilot_topics": spread.topics, "pilot_items": spread.items,
            "pilot_width": agreement.now,
            "items": list_rows(agreement, "items"),
        }  # fmt: skip
    if cost:
        content["cost"] = list_rows(cost, "cost")
        content["same_cost"] = {
            "hours": cost.hours,
            "depths": list_rows(cost, "same"),
        }
    return content


_ESTIMATE = ("value", "low", "high", "interval", "reason")
_DESIGN = ("method", "alpha", "power", "effect", "width", "systems", "variance", "topics")


def _list_design(row: dict[str, Any]) -> dict[str, Any]:
    """Return a design; what plays no part in it is null, and limits are of an estimate."""
    entry = {name: row[name] for name in _DESIGN}
    is_known = not np.isnan(row["topics"])
    entry["topics"] = int(row["topics"]) if is_known else None
    if row["interval"]["n"]:
        entry |= {name: row[name] for name in ("low", "high", "interval")}
    reason = row.get("reason", "") if row["interval"]["n"] or not is_known else ""
    return with_reason(entry, reason)


def _list_tables(plan: Report) -> dict[str, Any]:
    """Return the tables of a plan as JSON has them."""
    return {name: list_rows(plan, name, {"topic_id": "topic"}) for name in plan.tables}


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
    if arguments.later and not arguments.votes:
        refuse("--later goes with --votes")
    asked = (scored, given, arguments.labels, arguments.votes, arguments.kappa, arguments.p)
    others = arguments.runs, arguments.overlap
    if not any(one not in (None, False, []) for one in (*asked, *others)):
        refuse(
            "give --scores, or --qrels with --run and --measure, or --variance; or --labels, or "
            "--votes"
        )


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


def _plan_opinions(arguments: Namespace) -> OpinionPlan | None:
    """Return what more opinions than the labels would buy; None without labels."""
    pilot = read_pilot_labels(arguments)
    if pilot is None:
        return None
    labels, facet = pilot
    ratings = ratings_from_labels(labels.frame, facet, labels.levels(facet))
    usual = OpinionQuestion()
    question = OpinionQuestion(
        arguments.items or usual.items,
        arguments.budget or usual.budget,
        arguments.draws or usual.draws,
        usual.seed if arguments.seed is None else arguments.seed,
    )
    return OpinionPlan(ratings, question)


def _plan_votes(arguments: Namespace) -> VotePlan | None:
    """Return how near few votes come to all; None without votes."""
    if not arguments.votes:
        return None
    usual = VoteQuestion()
    question = VoteQuestion(
        arguments.budget or usual.budget,
        arguments.draws or usual.draws,
        usual.seed if arguments.seed is None else arguments.seed,
    )
    later = read_votes(arguments.later) if arguments.later else None
    return VotePlan(read_votes(arguments.votes), question, later)


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
