"""What runs would lose that had not contributed to the pool."""

from collections.abc import Iterable, Mapping, Sequence

import pandas as pd

from core.api.calls.judged import judgements_from
from core.api.calls.named import as_list
from core.measures.base import Weights
from core.measures.catalogue import parse_measure
from core.reports.unpooled import Unpooled, UnpooledQuestion


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
) -> Unpooled:
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
    Unpooled
        ``summary, falls, shares, depth`` and ``answer``.

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
    given = {} if level is None else {"rel": level}
    texts = tuple(str(parse_measure(text, **given)) for text in as_list(measures))
    question = UnpooledQuestion(texts, depth, tuple((teams or {}).items()))
    report = Unpooled(runs, judgements_from(qrels, scale), question, weights)
    _ = report.found
    return report
