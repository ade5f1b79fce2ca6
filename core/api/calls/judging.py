"""What orders of judging would have cost, on a pool whose judgements are all known."""

from collections.abc import Iterable, Sequence

import pandas as pd

from core.api.calls.judged import judgements_from
from core.api.calls.named import as_list
from core.measures.catalogue import parse_measure
from core.orders.base import ORDERS, parse_order
from core.orders.choices import DEPTH, SEEDS, SHARES, SIMULATED_BATCH
from core.reports import judging_orders
from core.reports.judging_orders import JudgingQuestion, JudgingSimulation, Progress


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
    texts = as_list(orders) or ORDERS.suggested()
    question = JudgingQuestion(
        tuple(map(parse_order, texts)),
        parse_measure(measure, rel=level),
        depth,
        tuple(shares),
        seeds,
        batch,
        level,
        seed,
        shown,
    )
    judgements = judgements_from(qrels, scale)
    return judging_orders.simulate_judging(runs, judgements, question, progress=progress)
