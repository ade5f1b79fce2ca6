"""A lecture page: precision and recall, rank by rank, and the resulting curve."""

from functools import cache

import pandas as pd
import streamlit as st

from core.figures.effectiveness import draw_precision_points
from core.figures.learn import draw_lines
from core.language.translate import t
from pages.learn.worked_examples import (
    RELEVANT,
    ROLES,
    SOURCE,
    choose_query,
    choose_rank,
    curves_of,
    list_points,
    list_shown,
    number,
    rankings_of,
    say,
    show_list,
)
from pages.shared.figure import show_figure, show_table
from pages.shared.page import page
from pages.shared.session import PageContext

PURPOSE = (
    "How much of what is shown is relevant, and how much of what is relevant is shown: go down "
    "the list and watch both."
)


@page("precision-recall", "Learn", "Precision and recall", *ROLES)
def draw(context: PageContext) -> None:
    """Walk down the list, then draw the curve, then average it."""
    context.sheet.answer(t(PURPOSE))
    context.sheet.explain(t(SOURCE))
    topic = choose_query("precision")
    _walk(topic, choose_rank("precision"))
    _show_points(topic)
    _show_average()


def _walk(topic: str, rank: int) -> None:
    st.header(t("Rank by rank"), anchor=False)
    steps = _steps(topic)
    here = steps[steps["rank"] == rank].iloc[0]
    relevant = int(rankings_of("binary").relevant(1)[rankings_of("binary").topics.index(topic)])
    found = int((list_points(topic)["rank"] <= rank).sum())
    left, right = st.columns(2)
    with left:
        show_list(
            steps,
            rank,
            f"precision-steps-{topic}",
            t(
                "The documents as the system ranked them. {name} marks a relevant one. Precision "
                "and recall are those of the list cut after this rank.",
                name=RELEVANT,
            ),
            relevant=st.column_config.TextColumn(t("relevant"), width=70, alignment="center"),
            precision=number(t("precision"), 3),
            recall=number(t("recall"), 3),
        )
    with right:
        st.markdown(
            t(
                "Of the **{n}** documents read so far, **{found}** are relevant; **{total}** "
                "documents are relevant to {query} in all.",
                n=rank,
                found=found,
                total=relevant,
                query=topic,
            )
        )
        st.latex(
            r"\text{precision} = \frac{|R \cap A|}{|A|} = "
            rf"\frac{{{found}}}{{{rank}}} = {here['precision']:.3f}"
        )
        st.latex(
            r"\text{recall} = \frac{|R \cap A|}{|R|} = "
            rf"\frac{{{found}}}{{{relevant}}} = {here['recall']:.3f}"
        )
        say(
            t(
                "how large the relevant share of the list is so far (precision) and how complete "
                "the list is (recall). With each document read, recall stays or rises. Once "
                "something relevant is found, precision falls at every document that is not "
                "relevant."
            ),
            t(
                "whether the reader is satisfied: two documents with the same content count "
                "twice, and a slightly relevant document counts like a fully relevant one. For "
                "recall, all relevant documents must be known, including those never shown."
            ),
        )


def _show_points(topic: str) -> None:
    st.header(t("From points to a staircase"), anchor=False)
    points = list_points(topic)
    left, right = st.columns(2)
    with left:
        show_figure(
            draw_precision_points(points.assign(system=topic)),
            points.drop(columns="system"),
            f"precision-points-{topic}",
            t(
                "A marker for each relevant document found: exact recall and precision there. "
                "The staircase is interpolated precision: the best precision at this recall or "
                "any higher."
            ),
        )
    with right:
        st.markdown(
            t(
                "Each query has its exact points at different recall levels, so queries cannot "
                "be averaged directly. Therefore precision is read off at the eleven levels 0, "
                ".1 … 1, by the rule"
            )
        )
        st.latex(r"P(r_j) = \max_{r \ge r_j} P(r)")
        st.markdown(
            t(
                "in words: the best precision available to somebody who wants at least that much "
                "recall. Beyond the last relevant document found it is 0."
            )
        )
        show_table(
            points[["rank", "recall", "value"]],
            f"exact-points-{topic}",
            t("The exact points: recall and precision at each relevant document found."),
            column_config={"recall": number(t("recall"), 3), "value": number(t("precision"), 3)},
        )


def _show_average() -> None:
    st.header(t("Eleven levels, averaged over queries"), anchor=False)
    curves = _eleven()
    left, right = st.columns(2)
    with left:
        lines = curves.rename(columns={"mean": t("mean")}).melt("recall", var_name="series")
        show_figure(
            draw_lines(lines, "recall", x=t("recall"), y=t("interpolated precision"), step=0.1),
            lines,
            "eleven-levels-figure",
            t("Interpolated precision of both queries and their mean, level by level."),
        )
    with right:
        show_table(
            curves,
            "eleven-levels",
            t(
                "Interpolated precision at the eleven standard recall levels, and the mean of "
                "the two queries."
            ),
            height="content",
            column_config={
                "recall": number(t("recall"), 1),
                "q1": number("q1", 3),
                "q2": number("q2", 3),
                "mean": number(t("mean"), 3),
            },
        )
    st.latex(r"\bar P(r_j) = \frac{1}{N_q} \sum_{i=1}^{N_q} P_i(r_j)")
    say(
        t("how precision falls, on average, the more of the relevant documents somebody wants."),
        t(
            "how a single query performs: q1 and q2 differ a lot, and a mean of two queries is too "
            "little outside a textbook. The value at recall 0 is not observed: it is the best "
            "precision of the whole list."
        ),
    )


@cache
def _steps(topic: str) -> pd.DataFrame:
    shown = list_shown(topic)
    curve = curves_of().ranks_by_topic
    curve = curve[curve["topic_id"] == topic].reset_index(drop=True)
    return pd.DataFrame(
        {
            "rank": shown["rank"],
            "document_id": shown["document_id"],
            "relevant": [RELEVANT if level else "" for level in shown["level"]],
            "precision": curve["value"],
            "recall": curve["recall"],
        }
    )


@cache
def _eleven() -> pd.DataFrame:
    """Return ``recall, q1, q2, mean``."""
    each = curves_of().eleven_points_by_topic
    table = each.pivot(index="recall", columns="topic_id", values="value")
    mean = curves_of().eleven_points.set_index("recall")["value"]
    return table.assign(mean=mean).reset_index().rename_axis(columns=None)
