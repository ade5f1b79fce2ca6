"""The precision–recall curve that probabilities of relevance predict, beside the actual one."""

from dataclasses import dataclass

import numpy as np
import pandas as pd

from core.informativeness.problem import RankedRelevance
from core.measures.base import divide
from core.measures.ranked import Floats

VIEWS = {
    "mean": "mean over the intents",
    "union": "relevance to any intent",
    "intent": "each intent by itself",
}
"""How curves of several intents are seen; only the first favours measures by intent."""


@dataclass(frozen=True, eq=False)
class Curve:
    """Relevance at each rank, inferred and actual.

    Parameters
    ----------
    inferred, actual : array of float, shape (N, n)
        Expected and actual relevance at each rank, in [0, 1].
    matched : array of bool, shape (N, n)
        The ranks of relevant documents, where the actual recall changes.
    """

    inferred: Floats
    actual: Floats
    matched: "np.ndarray[tuple[int, int], np.dtype[np.bool_]]"

    def errors(self) -> tuple[Floats, Floats]:
        """Return RMS and MAE of the inferred precision at the matched ranks, each of shape (n,).

        NaN where no rank is matched or nothing is inferred.
        """
        gap = precision(self.inferred) - precision(self.actual)
        points = self.matched.sum(axis=0)
        square = divide(np.where(self.matched, gap**2, 0.0).sum(axis=0), points)
        return np.sqrt(square), divide(np.where(self.matched, np.abs(gap), 0.0).sum(axis=0), points)


def precision(relevance: Floats) -> Floats:
    """Return the mean relevance up to each rank, shape (N, n)."""
    return relevance.cumsum(axis=0) / np.arange(1, len(relevance) + 1)[:, None]


def unite(labels: RankedRelevance, p: Floats) -> Floats:
    """Return the probability of relevance to any intent, shape (N, n_rankings).

    Parameters
    ----------
    labels : RankedRelevance
        Whose rows they are.
    p : array of float, shape (N, n_rows)
        Probability of relevance to each intent, independent of each other.
    """
    return 1 - np.multiply.reduceat(1 - p, labels.starts, axis=1)


def view_curves(labels: RankedRelevance, p: Floats) -> dict[str, Curve]:
    """Return inferred and actual relevance as each of the ``VIEWS`` sees them.

    Parameters
    ----------
    labels : RankedRelevance
        What is actually relevant.
    p : array of float, shape (N, n_rows)
        What was inferred.

    Returns
    -------
    dict of str to Curve
        A column per ranking in ``mean`` and ``union``, per row of the labels in ``intent``. Where
        intents are not told apart there is only ``union``.
    """
    any_ = unite(labels, labels.actual)
    union = Curve(unite(labels, p), any_, any_ > 0)
    if labels.intents == ("any",):
        return {"union": union}
    expected, actual = (
        np.add.reduceat(labels.probability * each, labels.starts, axis=1)
        for each in (p, labels.actual)
    )
    return {
        "mean": Curve(expected, actual, any_ > 0),
        "union": union,
        "intent": Curve(p, labels.actual, labels.actual > 0),
    }


def measure_curve_errors(labels: RankedRelevance, p: Floats) -> pd.DataFrame:
    """Return how far the inferred curves are from the actual ones, on average over rankings.

    Parameters
    ----------
    labels : RankedRelevance
        What is actually relevant.
    p : array of float, shape (N, n_rows)
        What was inferred; NaN where nothing was.

    Returns
    -------
    DataFrame
        A row per view: ``curve``, a name of ``VIEWS``; ``rms, mae`` of precision at the ranks of
        relevant documents, in [0, 1], each ranking's own and then their mean (single intents:
        their mean first); ``uniform_rms, uniform_mae``, the same of p = Rret / N; ``problems``,
        the rankings this is based on; ``left_out``, those that show nothing relevant or have no
        inferred probabilities. NaN when all are left out.

    References
    ----------
    Aslam, Yilmaz & Pavlu (2005), SIGIR, doi:10.1145/1076034.1076042, after Ashkan & Clarke
    (2011), WWW, pp. 407–416, Table 1.
    """
    even = np.broadcast_to(labels.rret / len(p), p.shape)
    baseline = view_curves(labels, even)
    rows = []
    for view, curve in view_curves(labels, p).items():
        columns = [*curve.errors(), *baseline[view].errors()]
        if view == "intent":
            columns = [_mean_of_intents(labels, column) for column in columns]
        errors = np.stack(columns)
        kept = ~np.isnan(errors).any(axis=0)
        mean = errors[:, kept].mean(axis=1) if kept.any() else np.full(4, np.nan)
        rows.append((view, *mean, int(kept.sum()), int((~kept).sum())))
    return pd.DataFrame(
        rows,
        columns=["curve", "rms", "mae", "uniform_rms", "uniform_mae", "problems", "left_out"],
    )


def _mean_of_intents(labels: RankedRelevance, errors: Floats) -> Floats:
    """Return each ranking's mean over the intents it shows; NaN where none or not inferred."""
    shown = labels.rret > 0
    total = np.add.reduceat(np.where(shown, errors, 0.0), labels.starts)
    return divide(total, np.add.reduceat(shown.astype(np.int64), labels.starts))


def draw_curves(labels: RankedRelevance, p: Floats) -> pd.DataFrame:
    """Return precision and recall by rank, inferred and actual, of a single ranking.

    Parameters
    ----------
    labels : RankedRelevance
        Of one ranking.
    p : array of float, shape (N, n_intents)
        What was inferred; NaN where nothing was.

    Returns
    -------
    DataFrame
        ``curve, intent, rank, matched, recall, precision, actual_recall, actual_precision``; see
        ``VIEWS`` for ``curve``. ``intent`` is '' but for single intents, ``matched`` says that
        the document is relevant. Recall is a share of all relevant documents, retrieved or not.
    """
    parts = (p, labels.actual)
    recall = {
        "mean": [(each / labels.relevant) @ labels.probability[:, None] for each in parts],
        "union": [unite(labels, each) / labels.united for each in parts],
        "intent": [each / labels.relevant for each in parts],
    }
    names = [labels.intents[at] for at in labels.intent]
    frames = []
    for view, curve in view_curves(labels, p).items():
        found, actual = (each.cumsum(axis=0) for each in recall[view])
        columns = {
            "matched": curve.matched,
            "recall": found,
            "precision": precision(curve.inferred),
            "actual_recall": actual,
            "actual_precision": precision(curve.actual),
        }
        intents = names if view == "intent" else [""]
        heads: dict[str, object] = {
            "curve": pd.array([view] * len(p) * len(intents), dtype="str"),
            "intent": pd.array(np.repeat(intents, len(p)), dtype="str"),
            "rank": np.tile(np.arange(1, len(p) + 1), len(intents)),
        }
        body = {name: column.T.ravel() for name, column in columns.items()}
        frames.append(pd.DataFrame({**heads, **body}))
    return pd.concat(frames, ignore_index=True)
