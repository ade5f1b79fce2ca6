"""What runs would lose that had not contributed to the pool."""

from collections.abc import Iterable, Mapping, Sequence

import pandas as pd

from core.analysis.results.unpooled import examine_unpooled
from core.api.calls.judged import judgements_from
from core.api.calls.named import as_list
from core.comparison.left_out_runs import LeftOutRuns
from core.measures.base import Weights
from core.measures.catalogue import parse_measure


def unpooled(
    runs: pd.DataFrame,
    qrels: pd.DataFrame,
    measures: str | Sequence[str],
    *,
    scale: Iterable[float] | None = None,
    depth: int | None = None,
    teams: Mapping[str, str] | None = None,
    level: float | None = None,
    weights: Weights | None = None,
) -> LeftOutRuns:
    """Score every run as if it, or its team, had not contributed to the pool.

    Parameters
    ----------
    runs, qrels, measures, scale, level, weights
        As for `evaluate`.
    depth : int, optional
        How far down the runs were pooled; when absent, the last rank up to which, at every rank,
        nine in ten of the documents shown are judged.
    teams : mapping of system to team, optional
        Whose runs are left out together; a system that it does not name is a team of its own.

    Returns
    -------
    LeftOutRuns
        ``falls, shares, depth`` and ``summarise()``.

    Raises
    ------
    BadInput
        The depth cannot be told, there is one team only, or a measure cannot be used.

    Examples
    --------
    >>> import pandas as pd
    >>> runs = pd.DataFrame({
    ...     "system": ["s1", "s2"], "topic_id": "t1", "document_id": ["a", "b"], "rank": 1,
    ... })
    >>> qrels = pd.DataFrame({"topic_id": "t1", "document_id": ["a", "b", "c"], "level": 1})
    >>> unpooled(runs, qrels, "R").falls[["system", "value", "without", "rank_fall"]]
      system     value  without  rank_fall
    0     s1  0.333333      0.0          1
    1     s2  0.333333      0.0          1
    """
    texts = as_list(measures)
    given = {} if level is None else {"rel": level}
    return examine_unpooled(
        runs,
        judgements_from(qrels, scale),
        [parse_measure(text, **given) for text in texts],
        weights,
        depth=depth,
        teams=teams,
    )
