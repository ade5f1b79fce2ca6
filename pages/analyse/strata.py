"""Parts of a collection to estimate chances from; part of the disagreement page."""

from collections.abc import Mapping

import numpy as np
import pandas as pd
import streamlit as st

from core.agreement.ratings import Ratings
from core.disagreement.strata import (
    cross_strata,
    estimate_by_stratum,
    select_stratum,
    strata_by_quality,
    strata_by_rank,
    strata_by_topic,
)
from pages.analyse.facets import ratings_of
from pages.analyse.user_model import UserModel, write_number
from pages.shared.figure import show_table
from pages.shared.live import kept, results_of, topics_of
from pages.shared.session import Visit
from pages.shared.wording import plain

EVERYTHING = ""
RANKS = (5, 10)
SEED = 1


def choose_stratum(visit: Visit, facet: str, top: int) -> str:
    """Let the organiser choose a part of the collection, where there are several."""
    names = strata_names(visit, facet, top)
    if not names:
        return EVERYTHING
    place, _ = st.columns([1, 2])
    chosen = place.selectbox(
        "Estimate from the labels of",
        [EVERYTHING, *names],
        format_func=lambda name: name or "the whole collection",
        key=f"udm-stratum-{facet}",
        help="Chances differ between parts of a collection. A result list, what one engine "
        "returned for one topic, is of high quality when somebody found one of its results top; "
        "the paper estimates from such lists only.",
    )
    return str(chosen)


def strata_names(visit: Visit, facet: str, top: int) -> list[str]:
    """Return the names of the parts to estimate from."""
    return [name for part in kept(visit, _strata, facet, top) for name in part["stratum"].unique()]


def ratings_in(visit: Visit, facet: str, top: int, stratum: str) -> Ratings:
    """Return the labels of a facet in one part of the collection, or all of them."""
    return kept(visit, _select, facet, top, stratum) if stratum else ratings_of(visit, facet)


def show_strata(visit: Visit, facet: str, model: UserModel, levels: Mapping[int, str]) -> None:
    """Show the chance of the top level in each part of the collection."""
    if not kept(visit, _strata, facet, model.top):
        return
    with st.expander("The same chances in parts of the collection"):
        found = kept(visit, _estimate, facet, model.top, model.weighting)
        table = _spread(found, levels)
        show_table(
            table,
            "chances-by-part",
            f"The chance that another assessor says **{plain(levels[model.top])}**, by the level "
            "of one, in each part of the collection; in brackets under 50 cases, a dash without "
            "any. Something may belong to several parts. The *high quality* lists have at least "
            "one top result; *top 5* are the first five of each list. Where the rows differ much, "
            "choose above from which part the weights come.",
            column_config={
                "stratum": "part",
                "items": "judged items",
                **{
                    name: st.column_config.TextColumn(alignment="right") for name in levels.values()
                },
            },
        )


def _spread(found: pd.DataFrame, levels: Mapping[int, str]) -> pd.DataFrame:
    """Return a row for each part and a column for each level, as written."""
    shown = [write_number(*pair) for pair in zip(found["p"], found["few"], strict=True)]
    rows = found.assign(shown=shown, level=found["level"].map(levels))
    table = rows.pivot(index=["stratum", "items"], columns="level", values="shown")
    order = found[["stratum", "items"]].drop_duplicates()
    table = table.reindex(columns=list(levels.values())).reset_index()
    return order.merge(table, on=["stratum", "items"])


def _strata(visit: Visit, facet: str, top: int) -> list[pd.DataFrame]:
    """Return the parts that differ from the whole: by kind of topic, quality of list and rank.

    They stay apart, since topics are told by other columns than results.
    """
    topics, results = topics_of(visit), results_of(visit)
    kinds = topics[topics["type"].fillna("") != ""]
    named = zip(kinds["topic_id"], kinds["type"] + " topics", strict=True)
    parts = [strata_by_topic(dict(named))]
    if len(results):
        quality = strata_by_quality(results, ratings_of(visit, facet), top)
        cuts = [cut for cut in RANKS if cut < results["rank"].max()]
        parts.append(quality)
        if cuts:
            by_rank = strata_by_rank(results, cuts)
            parts += [by_rank, cross_strata(by_rank, quality)]
    return [part for part in parts if len(part)]


def select_part(visit: Visit, facet: str, top: int, stratum: str, ratings: Ratings) -> Ratings:
    """Return what of any ratings of the collection belongs to one part of it, or all."""
    if not stratum:
        return ratings
    parts = kept(visit, _strata, facet, top)
    (own,) = [part for part in parts if (part["stratum"] == stratum).any()]
    return select_stratum(ratings, own, stratum)


def _select(visit: Visit, facet: str, top: int, stratum: str) -> Ratings:
    return select_part(visit, facet, top, stratum, ratings_of(visit, facet))


def _estimate(visit: Visit, facet: str, top: int, weighting: str) -> pd.DataFrame:
    ratings, rng = ratings_of(visit, facet), np.random.default_rng(SEED)
    parts = kept(visit, _strata, facet, top)
    found = [estimate_by_stratum(ratings, part, top, weighting, rng=rng) for part in parts]
    return pd.concat(found, ignore_index=True)
