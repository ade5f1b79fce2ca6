"""``dissent plan``: how many topics, items judged twice and hours, before anything is judged."""

from argparse import ArgumentParser, ArgumentTypeError, Namespace

import numpy as np

from core.agreement.base import COEFFICIENTS
from core.agreement.coefficients import Kappa
from core.agreement.intervals import Floats
from core.agreement.ratings import ratings_from_labels
from core.analysis.frames.planning import (
    DEPTHS,
    METHODS,
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
from core.collection.files.numbers import parse_number
from core.command.arguments import add_table_format, parse_count, parse_list
from core.command.files.pilot_files import add_pilot_files, read_pilot_labels, read_pilot_scores
from core.command.files.score_files import read_measures, read_qrels, read_runs, read_score_weights
from core.command.printing.plan_tables import Planned, print_plan_json, print_plan_tables
from core.errors import BadInput
from core.orders.candidates import build_candidates
from core.planning.cost import Rates
from core.planning.designs import DESIGNS, Requirement, parse_design
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

LINEAR = "kappa(linear)"
USUAL_TOPICS = 50


def add_arguments(parser: ArgumentParser) -> None:
    """Describe the command."""
    parser.description = (
        "How many topics tell systems apart that differ by --effect with the power that is wanted "
        "(topic set size design), from a pilot's scores or a given variance; what a number of "
        "topics tells; how many items two assessors judge for a narrow interval of agreement; and "
        "what judging costs, by the depth of pools."
    )
    designs = "; ".join(f"{one.name}, {one.description}" for one in DESIGNS)
    parser.epilog = (
        f"Methods: {designs}. Limits of numbers of topics are at the 95 %% limits of the variance, "
        "in which topics are what is sampled. Power is exact for normal scores. A plan takes the "
        "next topics to be like the pilot's."
    ).replace("%%", "%")
    _add_wishes(parser)
    add_pilot_files(parser)
    _add_agreement(parser)
    _add_cost(parser)
    add_table_format(parser)


def _add_wishes(parser: ArgumentParser) -> None:
    wishes = parser.add_argument_group("what is wanted")
    wishes.add_argument(
        "--effect", type=_positive, default=0.05, metavar="D", help="difference to find (.05)"
    )
    wishes.add_argument("--power", type=_share, default=0.8, metavar="P", help="default .8")
    wishes.add_argument("--alpha", type=_share, default=0.05, metavar="A", help="default .05")
    wishes.add_argument(
        "--systems",
        type=parse_count(2),
        metavar="M",
        help="how many are compared (default: those of the pilot, else 2)",
    )
    wishes.add_argument(
        "--width",
        type=_positive,
        metavar="W",
        help="of the confidence interval of a difference (default: twice the effect)",
    )
    wishes.add_argument(
        "--method",
        nargs="+",
        action="extend",
        choices=METHODS,
        metavar="METHOD",
        help=f"{', '.join(METHODS)} (default all); see below",
    )
    wishes.add_argument(
        "--topics", type=parse_count(2), metavar="N", help="also what so many topics tell"
    )
    given = parser.add_argument_group("given in place of a pilot's scores")
    given.add_argument(
        "--variance", type=_positive, metavar="V", help="of a system's scores over topics"
    )
    given.add_argument(
        "--difference-variance",
        type=_positive,
        metavar="V",
        help="of the differences of two systems over topics (default: twice --variance, which is "
        "too much on the same topics)",
    )


def _add_agreement(parser: ArgumentParser) -> None:
    group = parser.add_argument_group("items judged twice (with --labels, or given)")
    group.add_argument(
        "--coefficient",
        default=LINEAR,
        metavar="K",
        help="kappa, kappa(linear), kappa(quadratic) or kappa(binary>=L) (default kappa(linear))",
    )
    group.add_argument("--kappa", type=_share, metavar="K", help="assumed, without labels")
    group.add_argument(
        "--shares",
        type=_parse_shares,
        metavar="A,B,…",
        help="with --kappa: how often each level is given (default 1,1,1,1)",
    )
    group.add_argument(
        "--p-top",
        metavar="LEVEL",
        help="p(top | LEVEL) in place of kappa; with --p without labels",
    )
    group.add_argument("--p", type=_share, metavar="P", help="p(top | level), assumed")
    group.add_argument(
        "--alike",
        type=_number,
        default=0.0,
        metavar="R",
        help="assumed intraclass correlation of items of a topic (default 0)",
    )
    group.add_argument(
        "--agreement-width",
        type=_positive,
        default=0.1,
        metavar="W",
        help="of the 95 %% interval over topics (default .1)",
    )
    group.add_argument(
        "--per-topic",
        type=parse_count(1),
        nargs="+",
        metavar="N",
        help="items of a topic (default 5 10 20 50 100)",
    )


def _add_cost(parser: ArgumentParser) -> None:
    group = parser.add_argument_group("cost (with --run, or --overlap)")
    group.add_argument(
        "--depth", type=parse_count(1), nargs="+", metavar="K", help="default 1 5 10 20 50 100"
    )
    group.add_argument(
        "--overlap",
        type=_number,
        metavar="S",
        help="what part of a further run's documents is in the pool already, where there are no "
        "runs; 0 to 1",
    )
    group.add_argument("--judges", type=parse_count(1), default=1, help="a document (default 1)")
    group.add_argument(
        "--seconds", type=_positive, default=15.0, metavar="S", help="a judgement (default 15)"
    )
    group.add_argument(
        "--overhead", type=_number, default=0.0, metavar="M", help="minutes a topic besides"
    )
    group.add_argument("--wage", type=_number, default=0.0, metavar="W", help="money an hour")
    group.add_argument(
        "--hours", type=_positive, metavar="H", help="what there is, to compare depths by"
    )


def run(arguments: Namespace) -> int:
    """Print the plan."""
    _check(arguments)
    topics = _plan_topics(arguments)
    found = Planned(
        topics=topics,
        present=arguments.topics or 0,
        agreement=_plan_agreement(arguments),
        cost=_plan_cost(arguments, topics),
    )
    if arguments.format == "json":
        print_plan_json(found)
    else:
        print_plan_tables(found)
    return 0


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
    return plan_topics(variance, wanted, methods, arguments.topics or 0)


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
        shares = np.ones(4) if arguments.shares is None else arguments.shares
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
    topics = arguments.topics or _find_needed(plan, method)
    rates = Rates(arguments.judges, arguments.seconds, arguments.wage, arguments.overhead)
    return plan_cost(
        topics, depths, pools, rates, wanted, variances, hours=arguments.hours, method=method
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
        read_qrels(arguments.qrels),
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


def _number(text: str) -> float:
    number = parse_number(text)
    if not number >= 0:
        raise ArgumentTypeError(f"'{text}' is not a number from 0")
    return number


def _positive(text: str) -> float:
    number = parse_number(text)
    if not number > 0:
        raise ArgumentTypeError(f"'{text}' is not a number above 0")
    return number


def _share(text: str) -> float:
    number = parse_number(text)
    if not 0 < number < 1:
        raise ArgumentTypeError(f"'{text}' is not between 0 and 1")
    return number


def _parse_shares(text: str) -> Floats:
    return np.array([_number(word) for word in parse_list(text)])
