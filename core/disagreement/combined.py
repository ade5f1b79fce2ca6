"""Combined relevance: a level is the pair (snippet level, page level); what snippets hide."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd

from core.agreement.intervals import divide, share_interval
from core.agreement.ratings import Codes, Ratings, ratings_from_labels
from core.disagreement.user_disagreement import (
    check_users,
    estimate_top_probability,
    estimate_top_shares,
    relevance_weight,
    relevance_weights,
)
from core.errors import BadInput, TooLittleData


@dataclass(frozen=True)
class CombinedRatings:
    """Pairs of levels as ratings, and how many labels they leave out.

    Attributes
    ----------
    ratings : Ratings
        An item is a (topic, document, engine); all engines share the page's label. Level code =
        position of the snippet level × number of page levels + position of the page level.
    page_ratings : Ratings
        The page labels alone.
    snippet_levels, page_levels : tuple of int
        The levels of both scales, ascending.
    unpaired : int
        Snippet labels left out because their assessor gave the page no level. With many of them,
        as where only pages behind promising snippets were judged, estimates are conditional on
        that choice.
    """

    ratings: Ratings
    page_ratings: Ratings
    snippet_levels: tuple[int, ...]
    page_levels: tuple[int, ...]
    unpaired: int


def combined_ratings(
    labels: pd.DataFrame,
    snippet_levels: Sequence[int] | None = None,
    page_levels: Sequence[int] | None = None,
) -> CombinedRatings:
    """Join each assessor's snippet labels with the same assessor's page labels.

    Parameters
    ----------
    labels : DataFrame
        Labels of both facets, as for ``ratings_from_labels``; ``engine`` is empty for pages.
    snippet_levels, page_levels : sequence of int, optional
        All levels of the scales. Without them, the levels that occur.

    Returns
    -------
    CombinedRatings
        Empty when nobody judged a snippet and its page.

    Raises
    ------
    BadInput
        As for ``ratings_from_labels``, or a page label names an engine.
    """
    snippets = ratings_from_labels(labels, "snippet", snippet_levels)
    pages = ratings_from_labels(labels, "page", page_levels)
    if (pages.items["engine"] != "").any():
        raise BadInput("engines share a page, so its label has no engine", field="engine")
    at = _find_pages(snippets, pages)
    found = at >= 0
    paired = replace(
        snippets,
        item=snippets.item[found],
        assessor=snippets.assessor[found],
        topic=snippets.topic[found],
        level=snippets.level[found] * len(pages.levels) + pages.level[at[found]],
        levels=tuple(range(len(snippets.levels) * len(pages.levels))),
    )
    unpaired = int(np.count_nonzero(~found))
    return CombinedRatings(paired, pages, snippets.levels, pages.levels, unpaired)


def combined_weights(
    combined: CombinedRatings,
    *,
    users: int,
    at_least: int,
    top: tuple[int, int] | None = None,
    weighting: str = "item",
    keep_lowest: bool = False,
) -> pd.DataFrame:
    """Weigh the pairs of levels by the chance that M of N users find snippet and page top.

    Parameters
    ----------
    combined : CombinedRatings
        From ``combined_ratings``.
    users, at_least : int
        N and M, see ``relevance_weights``.
    top : (int, int), optional
        The top snippet and page level; the highest ones without. Higher levels are top, too.
    weighting
        See ``estimate_top_probability``.
    keep_lowest : bool
        Whether pairs with the lowest page level keep their p. They weigh 0 otherwise.

    Returns
    -------
    DataFrame
        ``snippet, page, cases, top_cases, pairs, p, low, high, topics, few, reason`` as estimated,
        ``weight``, with ``weight_low, weight_high``, the weights of p's limits, and
        ``page_weight``, that of the page level alone. A row for each pair, by falling weight,
        unknown ones last.

    Raises
    ------
    BadInput
        M and N do not fit, or a top level is not on its scale.
    TooLittleData
        No snippet or no page has labels or a scale.

    References
    ----------
    Demeester et al. (2014), WSDM, section 7, doi:10.1145/2556195.2556268.
    """
    check_users(users, at_least)
    top_snippet, top_page = _check_top(combined, top)
    page_levels = combined.page_levels
    snippet = np.repeat(combined.snippet_levels, len(page_levels))
    page = np.tile(page_levels, len(combined.snippet_levels))
    is_top = (snippet >= top_snippet) & (page >= top_page)
    table = estimate_top_shares(combined.ratings, is_top, weighting)
    table.insert(0, "snippet", snippet)
    table.insert(1, "page", page)
    is_slip = (page == page_levels[0]) & ~is_top & (not keep_lowest)
    for name, chance in {"weight": "p", "weight_low": "low", "weight_high": "high"}.items():
        table[name] = [
            relevance_weight(p, is_top_pair, users, at_least)
            for p, is_top_pair in zip(np.where(is_slip, 0.0, table[chance]), is_top, strict=True)
        ]
    alone = estimate_top_probability(combined.page_ratings, top_page, weighting)
    by_page = relevance_weights(
        dict(zip(alone["level"], alone["p"], strict=True)),
        top_page,
        users=users,
        at_least=at_least,
        keep_lowest=keep_lowest,
    )
    table["page_weight"] = table["page"].map(by_page)
    order = ["weight", "page", "snippet"]
    return table.sort_values(order, ascending=False, ignore_index=True)


def _find_pages(snippets: Ratings, pages: Ratings) -> Codes:
    """Return the position of the page label that belongs to each snippet label, −1 for none."""
    keys = ["topic_id", "document_id"]
    page_of = pd.MultiIndex.from_frame(pages.items[keys]).get_indexer(
        pd.MultiIndex.from_frame(snippets.items[keys])
    )
    same_assessor = pd.Index(pages.assessors, dtype="str").get_indexer(
        pd.Index(snippets.assessors, dtype="str")
    )
    page, assessor = page_of[snippets.item], same_assessor[snippets.assessor]
    people = max(len(pages.assessors), 1)
    wanted = np.where((page < 0) | (assessor < 0), -1, page * people + assessor)
    present = pages.item * people + pages.assessor
    at = np.searchsorted(present, wanted)
    return np.where(np.isin(wanted, present), at, -1).astype(np.int64)


def _check_top(combined: CombinedRatings, top: tuple[int, int] | None) -> tuple[int, int]:
    """Return the top pair, after making sure that both levels exist."""
    scales = (combined.snippet_levels, combined.page_levels)
    for facet, levels in zip(("snippet", "page"), scales, strict=True):
        if not levels:
            raise TooLittleData(f"combined weights need {facet} labels; none were given so far")
    if top is None:
        return scales[0][-1], scales[1][-1]
    for facet, level, levels in zip(("snippet", "page"), top, scales, strict=True):
        if level not in levels:
            raise BadInput(f"{level} is not a level of the {facet} scale", field="top")
    return top


def find_missed_pages(
    combined: CombinedRatings, top: int | None = None, below: int | None = None
) -> pd.DataFrame:
    """List the labels that find a page top, with the level the same assessor gave its snippet.

    Parameters
    ----------
    combined : CombinedRatings
        From ``combined_ratings``.
    top : int, optional
        The top page level; the highest one without. Higher levels are top, too.
    below : int, optional
        A page is lost when its snippet's level is below this one; the highest one without.

    Returns
    -------
    DataFrame
        ``topic_id, document_id, engine, assessor_id, snippet, page, lost``.

    Raises
    ------
    BadInput
        A level is not on its scale.
    """
    top = _check_level(top, combined.page_levels, "top")
    below = _check_level(below, combined.snippet_levels, "below")
    ratings = combined.ratings
    snippet, page = np.divmod(ratings.level, max(len(combined.page_levels), 1))
    found = np.asarray(combined.page_levels, dtype=np.int64)[page] >= top
    rows = ratings.items.iloc[ratings.item[found]].reset_index(drop=True)
    rows["assessor_id"] = pd.array(ratings.assessors, dtype="str").take(ratings.assessor[found])
    rows["snippet"] = np.asarray(combined.snippet_levels, dtype=np.int64)[snippet[found]]
    rows["page"] = np.asarray(combined.page_levels, dtype=np.int64)[page[found]]
    return rows.assign(lost=rows["snippet"] < below)


def missed_pages_by_engine(found: pd.DataFrame) -> pd.DataFrame:
    """Return the share of each engine's top pages that are missed because of their snippets.

    Parameters
    ----------
    found : DataFrame
        From ``find_missed_pages``.

    Returns
    -------
    DataFrame
        ``engine, top_pages`` (labels), ``lost``, ``share`` with ``low, high``, its 95 % limits by
        `share_interval`, ``topics``, how many are sampled, and ``reason``, why there are none;
        largest share first.
    """
    engine, engines = pd.factorize(found["engine"], sort=True)
    topic, topics = pd.factorize(found["topic_id"], sort=True)
    shape = (len(topics), len(engines))
    cell, size = topic * len(engines) + engine, len(topics) * len(engines)
    pages = np.bincount(cell, minlength=size).reshape(shape).astype(np.float64)
    missed = np.bincount(cell, weights=found["lost"], minlength=size)
    lost = missed.reshape(shape).astype(np.float64)
    table = pd.DataFrame({"engine": pd.Series(engines, dtype="str")})
    table["top_pages"] = pages.sum(axis=0).astype(np.int64)
    table["lost"] = lost.sum(axis=0).astype(np.int64)
    table["share"] = divide(lost.sum(axis=0), pages.sum(axis=0))
    table["low"], table["high"], table["topics"] = share_interval(lost, pages)
    table["reason"] = np.where(table["low"].isna(), "all top pages belong to one topic", "")
    return table.sort_values(["share", "engine"], ascending=[False, True], ignore_index=True)


def _check_level(level: int | None, levels: tuple[int, ...], field: str) -> int:
    if level is None:
        return levels[-1] if levels else 0
    if level not in levels:
        shown = ", ".join(map(str, levels))
        raise BadInput(f"{level} is not a level of the scale {shown}", field=field)
    return level
