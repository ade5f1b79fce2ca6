"""The User Disagreement Model: probabilities of the top level, and weights of levels.

Its parts: weights of pairs of a snippet level and a page level; good pages that users would not
open, engine by engine; parts of a collection to estimate chances from; how many results are top to
users as a group, and how many topics would tell more exactly.
"""

from collections.abc import Hashable, Mapping
from typing import Any

import pandas as pd
import streamlit as st

from core.analysis.agreement.user_disagreement import (
    ask_combined_weights,
    ask_weights,
    has_both_scales,
    missed_by_engine,
    missed_pages_of,
    missed_snippets,
    strata_names,
)
from core.analysis.base.declared import model_of
from core.analysis.base.study import scales_of, topics_of
from core.collection.records import PAGE, SNIPPET, counted_levels
from core.figures.disagreement import (
    draw_combined,
    draw_missed_pages,
    draw_top_probability,
    draw_weights,
)
from core.reports.level_weights import CombinedWeights, LevelWeights, WeightsQuestion
from core.reports.user_model import UserModel
from core.wording import count, plain, plain_with_facts
from pages.shared.facet_widgets import TWO_ASSESSORS, choose_facet, tell_labels
from pages.shared.figure import show_figure, show_report, show_table
from pages.shared.live import keep_fresh
from pages.shared.page import page
from pages.shared.scoring_widgets import choose_model, write_estimates
from pages.shared.session import PageContext
from pages.shared.wording import needs_collection, show_notes, tell_given, tell_left_out

PURPOSE = (
    "How much an assessor's level should count when users differ as assessors do: how likely it is "
    "that others find the same item top. These probabilities become weights of levels and replace "
    "arbitrary gains. They hold for users who are like your assessors, and do not say who is right."
)


@page("disagreement", "Agreement", "Level weights", "organiser", "viewer")
def draw(context: PageContext) -> None:
    """Show the chances and weights of one facet's levels, then those of both facets together."""
    keep_fresh(context)
    context.sheet.explain(PURPOSE)
    if needs_collection(context):
        return
    facet = choose_facet(context, "disagreement-facet")
    tell_left_out(context)
    tell_given(context)
    levels = counted_levels(scales_of(context.study)[facet])
    with context.sheet.options:
        model = choose_model(levels, facet, model_of(context.study, facet))
        stratum = choose_stratum(context, facet, model.top)
    found = ask_weights(context.study, facet, WeightsQuestion(model, stratum))
    _say_weights(context, found)
    tell_labels(context, facet, model)
    if not found.has_pairs:
        return
    rows = write_estimates(found.levels)
    left, right = st.columns(2)
    with left:
        _show_chances(rows, levels[model.top])
    with right:
        _show_weights(rows, model)
    _show_table(found)
    show_top_results(context, found)
    show_strata(found)
    show_further(found)
    show_combined(context, facet, found.question)
    show_missed_pages(context, facet, model)


def _say_weights(context: PageContext, found: LevelWeights) -> None:
    """Say what the weight of the level below the top means, or why there is none."""
    answer = plain_with_facts(found.answer)
    if found.is_known:
        context.sheet.answer(answer)
    else:
        context.sheet.tell(f"{answer} {TWO_ASSESSORS}" if found.lacks_labels else answer)
    if found.has_pairs:
        show_notes(found.notes)


def _show_chances(rows: pd.DataFrame, top: str) -> None:
    st.header(f"p({plain(top)} | level)")
    show_figure(
        draw_top_probability(rows, top),
        rows,
        "top-probability",
        "Of the items to which one assessor gave the level below, the share to which another gave "
        f"**{plain(top)}**, counted in both directions, with a 95 % interval; topics are "
        "what is sampled. Hollow dots and brackets mark values based on fewer than 50 cases or 5 "
        "topics. If all assessors agreed, the dot of the top level would be at 1 and all others at "
        "0.",
        nobody=("name",),
    )


def _show_weights(rows: pd.DataFrame, model: UserModel) -> None:
    st.header("Weights of the levels")
    show_figure(
        draw_weights(rows),
        rows,
        "level-weights",
        f"**UDM weight**: the probability that at least {model.at_least} of {model.users} "
        "users find an item top, given the level of one of them (Demeester et al. 2014). Beside "
        "it, linear gains (the level) and exponential gains (2^level − 1), scaled so that the "
        "highest level is 1. Where the lines differ, the usual gains give a level more, or less, "
        "than your assessors' disagreement supports.",
        nobody=("name",),
    )


def _show_table(found: LevelWeights) -> None:
    top = plain(found.labels.name(found.model.top))
    show_report(
        found,
        "levels",
        "level-weights-table",
        "A **case** is an ordered pair of two assessors' labels for an item; where an item has "
        "more labels, its pairs share the weight of one double judgement, so numbers of cases may "
        f"be fractions. **p(top | level)** is the probability that another assessor says {top}, "
        "with its 95 % interval over topics; **few**: under 50 cases or 5 topics. The **UDM "
        "weight** follows from p, and so do its limits; *linear* and *exponential* are the usual "
        "gains, scaled to 1.",
    )


def show_combined(context: PageContext, facet: str, question: WeightsQuestion) -> None:
    """Show the weights of (snippet level, page level) pairs, where both are judged."""
    if not has_both_scales(context.study):
        return
    st.divider()
    st.header("Snippet and page together")
    st.markdown(
        "A user sees the snippet first: a good page behind a poor snippet is not opened. So the "
        "two levels that one assessor gave get one weight together, and top means that both are "
        "top."
    )
    found = ask_combined_weights(context.study, facet, question)
    answer = plain_with_facts(found.answer)
    if not found.has_pairs:
        st.info(f"{answer} {TWO_ASSESSORS}")
        return
    st.markdown(answer)
    show_notes(found.notes)
    rows = write_estimates(found.pairs).assign(
        snippet=found.pairs["snippet_name"], page=found.pairs["page_name"]
    )
    left, right = st.columns([2, 3])
    with left:
        _show_matrix(rows, found)
    with right:
        _show_combined(found)


def _show_matrix(rows: pd.DataFrame, found: CombinedWeights) -> None:
    names, model = found.labels.names, found.model
    show_figure(
        draw_combined(rows, [*names[SNIPPET].values()], [*names[PAGE].values()]),
        rows,
        "combined-weights",
        f"The probability that at least {model.at_least} of {model.users} users find both snippet "
        "and page top, given both levels of one of them. Darker is more; in brackets under 50 "
        "cases or 5 topics; a dash where no such pair occurs on an item that two assessors judged. "
        "Along a row you see the effect of the snippet at the same page level.",
    )


def _show_combined(found: CombinedWeights) -> None:
    show_report(
        found,
        "pairs",
        "combined-weights-table",
        "Pairs of levels, highest **UDM weight** first. **page alone** is that of the page level "
        "when the snippet is ignored: where it is much higher, users miss the page because of its "
        "snippet. **cases** are counted as above; **few**: fewer than 50, or 5 topics.",
    )


def show_missed_pages(context: PageContext, facet: str, model: UserModel) -> None:
    """Show which engines' snippets lose top pages, and which snippets these are."""
    scales = scales_of(context.study)
    if set(scales) != {SNIPPET, PAGE}:
        return
    top = ask_combined_weights(context.study, facet, WeightsQuestion(model)).top[1]
    if missed_pages_of(context.study, top, None).empty:
        return
    st.header("Relevant pages missed because of their snippets")
    below = _choose_level(counted_levels(scales[SNIPPET]))
    rows = missed_by_engine(context.study, top, below)
    worst = rows.iloc[0]
    name = plain(counted_levels(scales[PAGE])[top])
    st.markdown(
        f"Of the pages that an assessor found **{name}**, {rows['lost'].sum():,} of "
        f"{rows['top_pages'].sum():,} have a snippet that would not have made the same assessor "
        f"open them. The largest share is that of **{plain(worst['engine'])}**: "
        f"{worst['lost']:,} of {worst['top_pages']:,}."
    )
    left, right = st.columns([2, 3])
    with left:
        show_figure(
            draw_missed_pages(rows),
            rows,
            "lost-pages",
            "The share of each engine's top pages, as one assessor judged them, whose snippet the "
            "same assessor put below the chosen level; with a 95 % interval; topics are "
            "what is sampled. Engines judged on few topics have wide intervals or none. This "
            "describes the snippets, not the quality of the pages.",
        )
    with right:
        _show_snippets(context, top, below)


def _choose_level(levels: dict[int, str]) -> int:
    """Let the organiser choose from which snippet level on a user opens the page."""
    place, _ = st.columns([1, 2])
    chosen = place.selectbox(
        "Users open a page from the snippet level",
        list(levels)[:0:-1],
        format_func=levels.__getitem__,
        key="lost-below",
    )
    return int(chosen)


def _show_snippets(context: PageContext, top: int, below: int) -> None:
    rows = missed_snippets(context.study, top, below)
    show_table(
        rows,
        "lost-snippets",
        "Snippets because of which a top page is missed, most often missed first: of the "
        "**judged** labels that find the page top, **missed** is the number whose snippet is below "
        "the chosen level.",
        height=300,
        column_config={
            "lost": "missed",
            "top_labels": "judged",
            "snippet": st.column_config.TextColumn("snippet", width="large"),
        },
        column_order=["engine", "lost", "top_labels", "snippet", "topic_id", "document_id"],
    )


EVERYTHING = ""


def choose_stratum(context: PageContext, facet: str, top: int) -> str:
    """Let the organiser choose a part of the collection, where there are several."""
    names = strata_names(context.study, facet, top)
    if not names:
        return EVERYTHING
    chosen = st.selectbox(
        "Estimate from the labels of",
        [EVERYTHING, *names],
        format_func=lambda name: name or "the whole collection",
        key=f"udm-stratum-{facet}",
        help="Probabilities differ between parts of a collection. A result list, what one engine "
        "returned for one topic, is of high quality when somebody found one of its results top; "
        "the paper estimates from such lists only.",
    )
    return str(chosen)


def show_strata(found: LevelWeights) -> None:
    """Show the chance of the top level in each part of the collection."""
    if found.parts.empty:
        return
    levels, top = found.labels.names, plain(found.labels.name(found.model.top))
    with st.expander("The same probabilities in parts of the collection"):
        table = _spread(found.parts, levels)
        show_table(
            table,
            "chances-by-part",
            f"The probability that another assessor says **{top}**, given the level of one "
            "assessor, in each part of the collection; in brackets if based on fewer than 50 cases "
            "or 5 topics, a dash if on none. An item may belong to several parts. The *high "
            "quality* lists have at least one top result; *top 5* are the first five of each list. "
            "Where the rows differ a lot, choose above which part the weights are estimated from.",
            column_config={
                "stratum": "part",
                "items": "judged items",
                **{
                    name: st.column_config.TextColumn(alignment="right") for name in levels.values()
                },
            },
            nobody=list(table.columns),
        )


def _spread(found: pd.DataFrame, levels: Mapping[int, str]) -> pd.DataFrame:
    """Return a row for each part and a column for each level, as written."""
    rows = write_estimates(found).assign(level=found["level"].map(levels))
    table = rows.pivot(index=["stratum", "items"], columns="level", values="p_shown")
    order = found[["stratum", "items"]].drop_duplicates()
    table = table.reindex(columns=list(levels.values())).reset_index()
    return order.merge(table, on=["stratum", "items"])


def show_top_results(context: PageContext, found: LevelWeights) -> None:
    """Say how many results a topic has for one assessor, and for M of N users."""
    facet, model, rows = found.labels.facet, found.model, found.topics.copy()
    query = topics_of(context.study).set_index("topic_id")["query"]
    rows.insert(1, "query", rows["topic_id"].map(query))
    known = rows[rows["effective"].notna()]
    if known.empty:
        st.info("The effective number of top results is unknown: a level has no weight yet.")
        return
    st.markdown(
        f"**Effective number of top results**: of {known['items'].mean():.1f} judged {facet}s a "
        f"topic, one assessor finds **{known['top_results'].mean():.1f}** top, and at least "
        f"{model.at_least} of {model.users} users would find "
        f"**{known['effective'].mean():.1f}** top (means over {count(len(known), 'topic')})."
    )
    with st.expander("Top results by topic"):
        show_report(
            found,
            "topics",
            "top-results",
            "**plain** counts the items that an assessor finds top, **effective** adds up the "
            "weights of all labels: how many items at least M of N users are expected to find top. "
            "An item with several labels counts with their mean. Where the second is larger, users "
            "would find more top results than one assessor's labels suggest.",
            rows=rows,
        )


def show_further(found: LevelWeights) -> None:
    """Say how many more doubly judged topics would narrow the chances' intervals."""
    with st.expander("How many more topics would make this more precise?"):
        width = st.number_input(
            "Desired width of the intervals", 0.01, 1.0, 0.1, 0.01, key="udm-width"
        )
        rows, levels = found.further(width), found.labels.names
        st.markdown("\n".join(_say_further(row, levels, width) for row in rows.to_dict("records")))
        st.caption(
            f"Now {count(int(rows['topics'].iloc[0]), 'topic')} have items that two or more judged "
            "here. The estimate assumes that further topics are like these: halving a width takes "
            "four times as many."
        )


def _say_further(row: Mapping[Hashable, Any], levels: Mapping[int, str], width: float) -> str:
    name = f"- **{plain(levels[int(row['level'])])}**"
    if row["reason"]:
        return f"{name}: cannot be estimated, {row['reason']}."
    now = f"{name}: {row['width']:.3f} wide now"
    if not row["further"]:
        return f"{now}, which is narrow enough."
    return f"{now}; about **{count(int(row['further']), 'more topic')}** for {width:.3f}."
