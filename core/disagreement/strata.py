"""The chance of the top level in parts of a collection: kinds of topics, good lists, first ranks.

Strata are a frame: ``stratum`` (its name) beside the columns that say what belongs to it, some of
``topic_id, document_id, engine``. Something may belong to several strata, or to none.

References
----------
Demeester et al. (2014), WSDM, section 6.2, doi:10.1145/2556195.2556268.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

import numpy as np
import pandas as pd

from core.agreement.ratings import Ratings
from core.disagreement.repeated_labels import mark_top
from core.disagreement.user_disagreement import estimate_top_probability
from core.errors import BadInput

HIGH, LOW = "high quality", "low quality"
RANKS = (5, 10)
"""The strata of first ranks end here."""
_KEYS = ("topic_id", "document_id", "engine")


def estimate_by_stratum(
    ratings: Ratings,
    strata: pd.DataFrame,
    top: int,
    weighting: str = "item",
) -> pd.DataFrame:
    """Estimate p(top | level) in each stratum (Table 3).

    Parameters
    ----------
    ratings : Ratings
        Levels by item and assessor. A page counts once in a stratum, in however many of its lists
        it stands.
    strata : DataFrame
        ``stratum`` and some of ``topic_id, document_id, engine``.
    top, weighting
        See ``estimate_top_probability``.

    Returns
    -------
    DataFrame
        ``stratum`` in order of appearance, ``items`` in it that were judged, and the columns of
        ``estimate_top_probability``.

    Raises
    ------
    BadInput
        The strata do not say what belongs to them; or as ``estimate_top_probability``.
    TooLittleData
        No labels and no scale.
    """
    parts = []
    for name, chosen in _part(ratings, strata):
        table = estimate_top_probability(chosen, top, weighting)
        table.insert(0, "stratum", name)
        table.insert(1, "items", len(np.unique(chosen.item)))
        parts.append(table)
    if not parts:
        raise BadInput("there is no stratum to estimate in", field="stratum")
    return pd.concat(parts, ignore_index=True)


def select_stratum(ratings: Ratings, strata: pd.DataFrame, name: str) -> Ratings:
    """Return the labels of one stratum's items, to estimate weights from.

    Raises
    ------
    BadInput
        There is no such stratum, or the strata do not say what belongs to them.
    """
    own = strata[strata["stratum"] == name]
    if own.empty:
        raise BadInput(f"there is no stratum '{name}'", field="stratum")
    ((_, chosen),) = _part(ratings, own)
    return chosen


def _part(ratings: Ratings, strata: pd.DataFrame) -> Iterator[tuple[str, Ratings]]:
    """Yield each stratum, in order of appearance, and the labels of its items."""
    # A page belongs to no engine: it is in a stratum when some engine's list brings it there.
    has_engines = bool((ratings.items["engine"] != "").any())
    keys = [key for key in _KEYS if key in strata and (key != "engine" or has_engines)]
    if not keys and len(strata):
        raise BadInput(f"strata need one of the columns {', '.join(_KEYS)}")
    if strata.empty:
        return
    item, known = pd.factorize(pd.MultiIndex.from_frame(ratings.items[keys]))
    member = known.get_indexer(pd.MultiIndex.from_frame(strata[keys]))
    stratum, names = pd.factorize(strata["stratum"])
    for number, name in enumerate(names):
        belongs = np.zeros(len(known) + 1, dtype=bool)
        belongs[member[stratum == number]] = True  # what no label has goes to the last place
        belongs[-1] = False
        inside = belongs[item][ratings.item]
        yield (
            str(name),
            replace(
                ratings,
                item=ratings.item[inside],
                assessor=ratings.assessor[inside],
                topic=ratings.topic[inside],
                level=ratings.level[inside],
            ),
        )


def strata_by_topic(kinds: Mapping[str, str]) -> pd.DataFrame:
    """Return strata of topics from the kind of each; a topic with an empty kind is in none."""
    known = [(topic, kind) for topic, kind in kinds.items() if kind]
    return pd.DataFrame(known, columns=["topic_id", "stratum"], dtype="str")


def strata_by_rank(results: pd.DataFrame, cuts: Sequence[int] = (5, 10)) -> pd.DataFrame:
    """Return the strata 'top 5', 'top 10' … of the results up to each rank.

    Parameters
    ----------
    results : DataFrame
        ``topic_id, engine, document_id, rank``.
    cuts : sequence of int
        Ranks from 1.
    """
    if not cuts or min(cuts) < 1:
        raise BadInput("a cut is a rank from 1", field="rank")
    parts = [
        results.loc[results["rank"] <= cut, list(_KEYS)].assign(stratum=f"top {cut}")
        for cut in cuts
    ]
    return pd.concat(parts, ignore_index=True)


def strata_by_quality(results: pd.DataFrame, ratings: Ratings, top: int) -> pd.DataFrame:
    """Return the strata 'high quality' and 'low quality' of result lists.

    A list is what one engine returned for one topic. It is of high quality when somebody gave one
    of its results the top level.

    Parameters
    ----------
    results : DataFrame
        ``topic_id, engine, document_id``.
    ratings : Ratings
        Labels of the pages, or of the snippets, which belong to one engine each.
    top : int
        The top level; higher levels count as top, too.
    """
    found = np.unique(ratings.item[mark_top(ratings.levels, top)[ratings.level]])
    has_engines = bool((ratings.items["engine"] != "").any())
    keys = list(_KEYS) if has_engines else ["topic_id", "document_id"]
    best = pd.MultiIndex.from_frame(ratings.items.iloc[found][keys])
    is_best = pd.Series(
        pd.MultiIndex.from_frame(results[keys]).isin(best), index=results.index, dtype="bool"
    )
    is_high = is_best.groupby([results["topic_id"], results["engine"]]).transform("any")
    return results[list(_KEYS)].assign(stratum=np.where(is_high, HIGH, LOW)).reset_index(drop=True)


def list_strata(
    topics: pd.DataFrame, results: pd.DataFrame, ratings: Ratings, top: int
) -> list[pd.DataFrame]:
    """Return the parts that differ from the whole: by kind of topic, quality of list and rank.

    They stay apart, since topics are told by other columns than results.

    Parameters
    ----------
    topics : DataFrame
        ``topic_id, type``; a missing or empty type is none.
    results : DataFrame
        ``topic_id, engine, document_id, rank``; perhaps empty.
    ratings, top
        As for ``strata_by_quality``.
    """
    kinds = topics[topics["type"].fillna("") != ""]
    named = zip(kinds["topic_id"], kinds["type"] + " topics", strict=True)
    parts = [strata_by_topic(dict(named))]
    if len(results):
        quality = strata_by_quality(results, ratings, top)
        cuts = [cut for cut in RANKS if cut < results["rank"].max()]
        parts.append(quality)
        if cuts:
            by_rank = strata_by_rank(results, cuts)
            parts += [by_rank, cross_strata(by_rank, quality)]
    return [part for part in parts if len(part)]


def cross_strata(first: pd.DataFrame, second: pd.DataFrame) -> pd.DataFrame:
    """Return the strata of what belongs to one of each: 'top 5, high quality' and so on."""
    keys = [key for key in _KEYS if key in first and key in second]
    if not keys:
        raise BadInput(f"strata to be crossed share one of the columns {', '.join(_KEYS)}")
    both = first.merge(second, on=keys, suffixes=("", "_second"))
    both["stratum"] = both["stratum"] + ", " + both.pop("stratum_second")
    return both
