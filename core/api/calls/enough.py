"""Whether enough of a pool is judged."""

from collections.abc import Iterable
from dataclasses import replace

import pandas as pd

from core.api.calls.judged import judgements_from
from core.measures.catalogue import parse_measure
from core.reports.enough import USUAL, Enough, ask_of_runs, depth_of_runs
from core.stopping.costs import Price


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
    report = ask_of_runs(runs, judgements_from(qrels, scale), question)
    _ = report.told
    return report
