"""How many topics to judge, by how many people, in what order, and whether enough is judged."""

from collections.abc import Iterable, Sequence
from dataclasses import replace

import pandas as pd

from core.agreement.ratings import ratings_from_labels
from core.api.calls.agreement import choose_facet
from core.api.calls.arguments import as_list, as_scale, judgements_from
from core.errors import BadInput
from core.measures.base import Weights
from core.measures.catalogue import parse_measure
from core.orders.base import ORDERS, parse_order
from core.orders.choices import DEPTH, SEEDS, SHARES, SIMULATED_BATCH
from core.planning.choices import METHODS
from core.planning.cost import Price
from core.planning.designs import Requirement
from core.planning.variance import given_variance
from core.reports import judging_orders
from core.reports.enough import USUAL, Enough, ask_of_runs, depth_of_runs
from core.reports.judging_orders import JudgingQuestion, JudgingSimulation, Progress
from core.reports.opinions import OpinionPlan, OpinionQuestion
from core.reports.planning import TopicPlan, plan_topics, variance_of_scores
from core.reports.votes import VotePlan, VoteQuestion


def simulate_judging(
    runs: pd.DataFrame,
    qrels: pd.DataFrame,
    measure: str = "AP",
    orders: str | Sequence[str] = (),
    *,
    scale: Iterable[float] | None = None,
    level: float = 1,
    depth: int = DEPTH,
    shares: Sequence[float] = SHARES,
    seeds: int = SEEDS,
    batch: int = SIMULATED_BATCH,
    seed: int = 1,
    shown: bool = True,
    progress: Progress | None = None,
    weights: Weights | None = None,
) -> JudgingSimulation:
    """Judge a pool again in several orders, and compare the rankings of systems on the way.

    Parameters
    ----------
    runs, qrels : DataFrame
        As for `evaluate`; the judgements are those of the whole pool.
    measure : str, default 'AP'
        What systems are ranked by.
    orders : str or sequence of str, optional
        Such as ``max-mean(topics='shared')``; those that are suggested, without it.
    scale : iterable of numbers, optional
        As for `evaluate`.
    level : float, default 1
        From which a label says relevant, to the order and in measures such as AP.
    depth : int, default 100
        The pool is the first so many documents of every run.
    shares : sequence of float
        Of the pool, above 0 and up to 1, at which rankings are compared.
    seeds, batch, seed : int
        How often an order that draws is tried; how many documents are chosen at a time; the first
        seed.
    shown : bool, default True
        Whether to tell the limits of τ that *Is it enough?* would have shown at each share; they
        take most of the time.
    progress : callable, optional
        Is told what share is done, and of which order.
    weights : mapping of level to weight, optional
        What ``gain='udm'`` stands for.

    Returns
    -------
    JudgingSimulation
        ``orders`` has a row for each order and share, with Kendall's τ to the ranking under all
        judgements and its 95 % limits over topics.

    Raises
    ------
    BadInput
        An order, measure or share cannot be used.
    TooLittleData
        Fewer than two systems or two topics with something to find in the pool.
    """
    texts = dict.fromkeys(as_list(orders) or ORDERS.suggested())
    question = JudgingQuestion(
        tuple(map(parse_order, texts)),
        parse_measure(measure, rel=level),
        depth,
        tuple(sorted(set(shares))),
        seeds,
        batch,
        level,
        seed,
        shown,
    )
    judgements = judgements_from(qrels, scale)
    return judging_orders.simulate_judging(
        runs, judgements, question, weights=weights, progress=progress
    )


def plan(
    scores: pd.DataFrame | None = None,
    *,
    effect: float = Requirement.effect,
    power: float = Requirement.power,
    alpha: float = Requirement.alpha,
    systems: int | None = None,
    width: float | None = None,
    variance: float | None = None,
    difference_variance: float | None = None,
    methods: str | Sequence[str] = METHODS,
) -> TopicPlan:
    """Say how many topics tell systems apart that differ by ``effect``.

    Parameters
    ----------
    scores : DataFrame, optional
        A pilot's: ``system, topic_id, value`` by one measure. Rows without a value are left out.
    effect, power, alpha, width
        What is wanted, as for `core.planning.designs.Requirement`.
    systems : int, optional
        How many are compared; those of the pilot, else 2.
    variance, difference_variance : float, optional
        In place of scores: of a system's scores over topics, of the differences of two systems.
        Without the second, twice the first, which is too much on the same topics.
    methods : str or sequence of str
        ``paired-t``, ``tukey``, ``two-way-anova``, ``one-way-anova``, ``interval-width``.

    Returns
    -------
    TopicPlan
        ``answer``, by the first of the designs, and the tables ``designs`` (numbers of topics),
        ``reached`` (what those of the pilot tell), ``curve`` and ``variances``; ``at(n)`` is what n
        topics tell.

    Raises
    ------
    BadInput
        Neither scores nor a variance, or both; a number is out of its range.
    TooLittleData
        Scores of fewer than two systems or two topics.

    Examples
    --------
    >>> found = plan(difference_variance=0.04, effect=0.1, methods=["paired-t"])
    >>> found.designs[["method", "effect", "power", "topics"]]
         method  effect  power  topics
    0  paired-t     0.1    0.8    34.0
    """
    is_given = variance is not None or difference_variance is not None
    if (scores is None) != is_given:
        raise BadInput("give either a pilot's scores, or a variance")
    found, measure = given_variance(variance, difference_variance), ""
    if scores is not None:
        found, _ = variance_of_scores(scores[scores["value"].notna()])
        named = [*scores["measure"].unique()] if "measure" in scores else [""]
        measure = str(named[0]) if len(named) == 1 else ""
    compared = max(2, found.systems) if systems is None else systems
    wanted = Requirement(effect, power, alpha, compared, width)
    return plan_topics(found, wanted, as_list(methods), measure=measure)


def plan_opinions(
    labels: pd.DataFrame,
    *,
    facet: str = "",
    levels: Iterable[int] | None = None,
    items: int = OpinionQuestion.items,
    budget: int = OpinionQuestion.budget,
    draws: int = OpinionQuestion.draws,
    seed: int = OpinionQuestion.seed,
) -> OpinionPlan:
    """Say what more topics, and more opinions on each item, would buy.

    Parameters
    ----------
    labels : DataFrame
        As `read_labels` or a store's ``labels`` gives them.
    facet : {'', 'page', 'snippet'}
        Which labels; needed where there are both.
    levels : iterable of int, optional
        The levels of the scale; those that occur without it.
    items : int
        How many items of a topic a system's score is the mean of; 0 for ten, or as many as a
        topic has.
    budget : int
        Labels that designs are compared at; 0 for as many as there are.
    draws, seed : int
        Of the learning curve.

    Returns
    -------
    OpinionPlan
        ``answer``, ``notes``, and the tables ``components`` (variances by topic, item, assessor),
        ``equal_cost`` (topics and opinions for as many labels), ``gains`` (what one more buys),
        ``learning`` and ``next``.

    Raises
    ------
    BadInput
        The facet is left open where there are two, or a level is not on the scale.
    TooLittleData
        Nothing is judged, no item twice, or one topic only.

    Examples
    --------
    >>> import pandas as pd
    >>> labels = pd.DataFrame({
    ...     "topic_id": [*"1122"] * 2, "document_id": list("abcd") * 2, "facet": "page",
    ...     "engine": "", "assessor_id": ["ann"] * 4 + ["bob"] * 4, "occasion": 0,
    ...     "state": "level", "level": [0, 1, 2, 2, 1, 1, 2, 3],
    ... })
    >>> plan_opinions(labels).components["facet"].tolist()
    ['topic', 'item', 'assessor', 'residual']
    """
    facet = choose_facet(labels, facet)
    ratings = ratings_from_labels(labels, facet, as_scale(levels))
    return OpinionPlan(ratings, OpinionQuestion(items, budget, draws, seed))


def plan_votes(
    given: pd.DataFrame,
    *,
    later: pd.DataFrame | None = None,
    budget: int = VoteQuestion.budget,
    draws: int = VoteQuestion.draws,
    seed: int = VoteQuestion.seed,
) -> VotePlan:
    """Say how near few votes on pairs of systems come to all, and on which to ask next.

    Parameters
    ----------
    given : DataFrame
        As `read_preferences` or a store's ``preferences`` gives them; those between systems count.
    later : DataFrame, optional
        Those of a second batch, whose pairs of systems followed the table ``next`` of the first.
    budget : int
        Votes that rules are compared at; 0 for two to every three pairs on a topic.
    draws, seed : int
        How often votes are drawn.

    Returns
    -------
    VotePlan
        ``answer``, ``notes``, and the tables ``rules, learning, shares, next``.

    Raises
    ------
    BadInput
        The budget is larger than there are pairs on a topic, or the
        second batch is of other pairs of systems.
    TooLittleData
        There are no votes on systems, or not two on any pair.

    Examples
    --------
    >>> import pandas as pd
    >>> given = pd.DataFrame({
    ...     "topic_id": [*"112233"], "kind": "systems", "facet": "panel", "first": "a",
    ...     "second": "b", "choice": ["first", "first", "tie", "second", "first", "second"],
    ...     "assessor_id": [*"xyxyxy"], "occasion": 0, "state": "level",
    ... })
    >>> plan_votes(given).shares
      system     share  votes
    0      a  0.583333      6
    1      b  0.416667      6
    """
    return VotePlan(given, VoteQuestion(budget, draws, seed), later)


def enough(
    runs: pd.DataFrame,
    qrels: pd.DataFrame,
    measure: str = USUAL.measure,
    *,
    scale: Iterable[float] | None = None,
    level: float | None = None,
    depth: int | None = None,
    best_stays: float | None = None,
    tau_low: float | None = None,
    hour_price: float = 0.0,
    label_price: float = 0.0,
    weights: Weights | None = None,
) -> Enough:
    """Tell how far today's ranking of runs is from the one that judging their pool would give.

    Parameters
    ----------
    runs, qrels, scale, level
        As for `evaluate`.
    measure : str, default 'AP'
        AP, P, RBP without a gain, DCG or nDCG.
    depth : int, optional
        The pool is the first so many documents of every run; as deep as the runs, at most 100,
        without it.
    best_stays, tau_low : float, optional
        From which probability that the best system stays best, and from which lower limit of τ,
        it is enough; as usual, without.
    hour_price, label_price : float, default 0
        What judging costs, in any currency.
    weights : mapping of level to weight, optional
        What ``gain='udm'`` stands for.

    Returns
    -------
    Enough
        ``answer``, ``proposes``, ``notes``, and the tables ``expected`` (τ to the full pool with
        its limits, and P(best stays)), ``topics``, ``bounds``, ``history`` (today alone) and
        ``cost``. What a round still asks for qrels do not tell.

    Raises
    ------
    BadInput
        There are fewer than two runs, or it is another measure.

    Examples
    --------
    >>> import pandas as pd
    >>> runs = pd.DataFrame({
    ...     "system": ["s1", "s1", "s2", "s2"], "topic_id": "t1",
    ...     "document_id": ["a", "b", "b", "a"], "rank": [1, 2, 1, 2],
    ... })
    >>> qrels = pd.DataFrame({"topic_id": "t1", "document_id": ["a", "b"], "level": [1, 0]})
    >>> enough(runs, qrels).expected[["tau", "best", "best_stays", "judged", "items"]]
       tau best  best_stays  judged  items
    0  1.0   s1         1.0       2      2
    """
    given = {} if level is None else {"rel": level}
    question = replace(
        USUAL,
        measure=str(parse_measure(measure, **given)),
        depth=depth_of_runs(runs) if depth is None else depth,
        price=Price(hour_price, label_price),
    ).at_least(best_stays, tau_low)
    report = ask_of_runs(runs, judgements_from(qrels, scale), question, weights)
    _ = report.figures
    return report
