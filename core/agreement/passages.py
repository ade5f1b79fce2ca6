"""Agreement of assessors on passages: how far they marked the same stretches of the same text.

What is compared are characters, Unicode code points: each is marked by an assessor or not. Only
assessors who marked something in an item take part in it.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from core.agreement.coefficients import Alpha
from core.agreement.intervals import Floats, divide, share_interval
from core.agreement.multi_rater import krippendorff_alpha
from core.agreement.multi_rater_counts import PanelSums, sum_by_topic
from core.agreement.pairs import say_why
from core.agreement.pooled import limit
from core.agreement.ratings import Codes

if TYPE_CHECKING:
    import pandas as pd

ITEM = ["topic_id", "document_id", "engine"]
F1, ALPHA = "f1", "alpha(nominal)"
NO_TWO_MARKED = "no item has passages of two assessors"
MARKED_WHOLE = "every text is marked whole by everybody who marked it"

_LEVELS = (0, 1)


@dataclass(frozen=True)
class MarkedTexts:
    """Items with passages of two assessors or more, cut where any passage begins or ends.

    Attributes
    ----------
    items : DataFrame
        ``topic_id, document_id, engine``, in that order, with ``assessors``, how many marked the
        item, ``characters``, how many its text has, and ``f1``, in [0, 1].
    topic : array of int, shape (n_items,)
        Positions in ``topics``.
    topics : tuple of str
    item : array of int, shape (n_pieces,)
        The item that a piece of text belongs to.
    length, marked : array of float, shape (n_pieces,)
        How many characters a piece has, and how many assessors marked it.
    """

    items: pd.DataFrame
    topic: Codes
    topics: tuple[str, ...]
    item: Codes
    length: Floats
    marked: Floats

    def by_topic(self) -> PanelSums:
        """Return the sums over characters that α needs, of each topic: not marked, and marked."""
        several = self.items["assessors"].to_numpy(np.float64)[self.item]
        counts = np.column_stack([several - self.marked, self.marked])
        topic = self.topic[self.item]
        return sum_by_topic(counts, _LEVELS, topic, len(self.topics), self.length)


def code_passages(passages: pd.DataFrame, facet: str) -> MarkedTexts:
    """Return the passages of one facet as pieces of text.

    Parameters
    ----------
    passages : DataFrame
        ``topic_id, document_id, engine, facet, assessor_id, occasion, state, start, end,
        characters``, a row for each passage: ``start`` and ``end`` in code points, ``end`` not
        included, and how many the text has. First occasions of labels with a level count; what is
        of another version of the text (``characters`` 0) is left out.
    facet : str
        'snippet' or 'page'.

    Returns
    -------
    MarkedTexts
        Without items that a single assessor marked.
    """
    import pandas as pd

    rows = counted_passages(passages, facet)
    rows = rows[rows["characters"] > 0]
    several = rows.groupby(ITEM)["assessor_id"].transform("nunique")
    rows = rows[several > 1].sort_values(ITEM, kind="stable", ignore_index=True)
    begun = np.flatnonzero(~rows.duplicated(ITEM))
    who = pd.factorize(rows["assessor_id"])[0]
    spans = rows[["start", "end", "characters"]].to_numpy(np.int64)
    found, pieces = [], []
    for number, (first, last) in enumerate(pairwise([*begun, len(rows)])):
        length, is_marked = _cut(spans[first:last], who[first:last])
        found.append((len(is_marked), spans[first, 2], _pairwise_f1(length, is_marked)))
        pieces.append((np.full(len(length), number), length, is_marked.sum(axis=0)))
    measured = pd.DataFrame(found, columns=["assessors", "characters", F1])
    items = pd.concat([rows.loc[begun, ITEM].reset_index(drop=True), measured], axis=1)
    topic, topics = pd.factorize(items["topic_id"], sort=True)
    item, length, marked = (
        np.concatenate([np.zeros(0), *column])
        for column in (zip(*pieces, strict=True) if pieces else ((), (), ()))
    )
    return MarkedTexts(
        items,
        topic.astype(np.int64),
        tuple(map(str, topics)),
        item.astype(np.int64),
        length.astype(np.float64),
        marked.astype(np.float64),
    )


def counted_passages(passages: pd.DataFrame, facet: str) -> pd.DataFrame:
    """Return the passages of a facet that count: of first occasions, with a level."""
    counts = (
        (passages["facet"] == facet) & (passages["occasion"] == 0) & (passages["state"] == "level")
    )
    return passages[counts]


def passage_agreement(texts: MarkedTexts) -> pd.DataFrame:
    """Tabulate how far assessors marked the same, over all items.

    Parameters
    ----------
    texts : MarkedTexts
        From ``code_passages``.

    Returns
    -------
    DataFrame
        ``coefficient, n, value, low, high, interval, unit, units, reason``, two rows: ``f1``, in
        [0, 1], the mean over items of the mean over pairs of assessors of F1, which is twice the
        characters both marked over the sum of what each did; and ``alpha(nominal)``, at most 1
        and 0 by chance, Krippendorff's α in which each character of each text is a unit, so that
        long texts count more. ``n`` counts items. 95 % limits leave out topics in turn
        (`share_interval` and `jackknife_interval`); ``reason`` says why something is NaN.

    References
    ----------
    Hripcsak and Rothschild (2005), Journal of the American Medical Informatics Association
    12(3), doi:10.1197/jamia.M1733; Krippendorff (2004), Human Communication Research 30(3),
    doi:10.1111/j.1468-2958.2004.tb00738.x.
    """
    import pandas as pd

    items, topics = len(texts.items), len(texts.topics)
    f1 = texts.items[F1].to_numpy(np.float64)
    ones = np.ones(items)
    hits, cases = (
        np.bincount(texts.topic, weights, topics)[:, np.newaxis].astype(np.float64)
        for weights in (f1, ones)
    )
    mean = float(divide(hits.sum(), cases.sum()))
    low, high, _ = share_interval(hits, cases)
    sums = texts.by_topic()
    total = sums.total()
    alpha = float(krippendorff_alpha(total))
    without = krippendorff_alpha(PanelSums(_LEVELS, total.flat - sums.flat))
    alpha_low, alpha_high = limit(alpha, without, Alpha("nominal"), cases[:, 0], _LEVELS)
    missing = MARKED_WHOLE if items else NO_TWO_MARKED
    rows = [
        (F1, mean, float(low[0]), float(high[0]), say_why(mean, low[0], topics, NO_TWO_MARKED)),
        (ALPHA, alpha, alpha_low, alpha_high, say_why(alpha, alpha_low, topics, missing)),
    ]
    table = pd.DataFrame(rows, columns=["coefficient", "value", "low", "high", "reason"])
    about: dict[str, Any] = {"n": items, "interval": "jackknife", "unit": "topic", "units": topics}
    order = ["coefficient", "n", "value", "low", "high", "interval", "unit", "units", "reason"]
    return table.assign(**about)[order]


def _cut(spans: npt.NDArray[np.int64], who: Codes) -> tuple[Floats, npt.NDArray[np.bool_]]:
    """Return how long the pieces of a text are, and which of them each assessor marked."""
    edges = np.unique(np.append(spans, 0))
    people, row = np.unique(who, return_inverse=True)
    is_marked = np.zeros((len(people), len(edges) - 1), dtype=np.bool_)
    places = np.searchsorted(edges, spans[:, :2])
    for one, (first, last) in zip(row, places, strict=True):
        is_marked[one, first:last] = True
    return np.diff(edges).astype(np.float64), is_marked


def _pairwise_f1(length: Floats, is_marked: npt.NDArray[np.bool_]) -> float:
    """Return the mean of F1 over all pairs of assessors, each of whom marked something."""
    common = (is_marked * length) @ is_marked.T
    own = np.diag(common)
    first, second = np.triu_indices(len(own), k=1)
    return float(np.mean(2 * common[first, second] / (own[first] + own[second])))
