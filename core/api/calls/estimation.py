"""Mean scores from few topics that people judged and many that a machine judged."""

from collections.abc import Iterable, Sequence

import pandas as pd

from core.api.calls.arguments import as_list, judgements_by_name
from core.collection.topics_and_documents.words import add_words
from core.measures.base import Weights
from core.measures.catalogue import parse_measure
from core.reports.estimate import EstimateQuestion, Estimation, estimate_scores


def estimate(
    runs: pd.DataFrame,
    human: pd.DataFrame,
    machine: pd.DataFrame,
    measures: str | Sequence[str],
    *,
    scale: Iterable[float] | None = None,
    level: float | None = None,
    weights: Weights | None = None,
    finite: bool = False,
    normal: bool = False,
    empty_topics: bool = False,
    documents: pd.DataFrame | None = None,
) -> Estimation:
    """Estimate means of systems, and their differences, in three ways.

    From the topics that people judged; prediction-powered, from these and those that only a machine
    judged; and from the machine's labels alone, whose limits take no notice of its bias.

    Parameters
    ----------
    runs, measures, scale, level, weights, empty_topics, documents
        As for `evaluate`.
    human, machine : DataFrame
        Qrels, ``topic_id, document_id, level``. The machine judged the topics that people did,
        and more.
    finite : bool, default False
        Whether the topics are all there are, rather than a sample of more.
    normal : bool, default False
        Limits and λ as the package ppi-python has them, for many topics that people judged.

    Returns
    -------
    Estimation
        ``answer``, in a sentence; ``systems, differences, widths, notes``.

    Raises
    ------
    BadInput
        No topic is judged by both, a run answers none of those, or a measure cannot be used.
    TooLittleData
        Fewer than two topics that both judged count, or none that only the machine did.

    Examples
    --------
    >>> import pandas as pd
    >>> topics = ["t1", "t2", "t3"]
    >>> runs = pd.DataFrame({
    ...     "system": "bm25", "topic_id": topics * 2, "document_id": ["a"] * 3 + ["b"] * 3,
    ...     "score": [2.0] * 3 + [1.0] * 3, "rank": [1] * 3 + [2] * 3,
    ... })
    >>> machine = pd.DataFrame(
    ...     {"topic_id": topics, "document_id": ["a", "b", "a"], "level": [1, 1, 1]}
    ... )
    >>> people = machine[:2].assign(document_id=["b", "a"])
    >>> estimate(runs, people, machine, "RR").systems[["estimate", "value", "units"]]
           estimate     value  units
    0     classical  0.750000      2
    1           ppi  0.750000      2
    2  machine_only  0.833333      3
    """
    judged = judgements_by_name({"human": human, "machine": machine}, scale)
    texts = as_list(measures)
    given = {} if level is None else {"rel": level}
    return estimate_scores(
        runs if documents is None else add_words(runs, documents),
        judged["human"],
        judged["machine"].frame,
        [parse_measure(text, **given) for text in texts],
        EstimateQuestion(finite, normal, empty_topics),
        weights,
    )
