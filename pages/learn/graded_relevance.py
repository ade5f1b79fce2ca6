"""A lecture page: from gains to nDCG, rank by rank, with the textbook's averages."""

from functools import cache

import numpy as np
import pandas as pd
import streamlit as st

from core.figures.learn import draw_lines
from core.language.translate import t
from core.measures.cumulated_gain import DISCOUNTS
from pages.learn.worked_examples import (
    DEPTH,
    ROLES,
    SOURCE,
    choose_query,
    choose_rank,
    curves_of,
    list_shown,
    number,
    say,
    show_list,
)
from pages.shared.figure import show_figure, show_table
from pages.shared.page import page
from pages.shared.session import PageContext
from pages.shared.table import WHOLE

PURPOSE = (
    "Some documents are more relevant than others, on levels from 0 to 3. Add up what the reader "
    "gains, let late gains count less, and compare with the best list possible."
)
DCG, NDCG = "DCG(discount='jarvelin')", "nDCG(discount='jarvelin')"
SHOWN = {"CG": "CG", "nCG": "nCG", "DCG": DCG, "nDCG": NDCG}


@page("graded-relevance", "Learn", "Graded relevance", *ROLES)
def draw(context: PageContext) -> None:
    """Cumulate, discount, compare with the ideal, average."""
    context.sheet.answer(t(PURPOSE))
    context.sheet.explain(t(SOURCE))
    topic = choose_query("gain")
    rank = choose_rank("gain", 6)
    _walk(topic, rank)
    _show_ideal(topic, rank)
    _show_averages()


def _walk(topic: str, rank: int) -> None:
    st.header(t("CG and DCG"), anchor=False)
    steps = _steps(topic)
    here = steps.set_index("rank").loc[rank]
    sums = steps.set_index("rank")[["CG", "DCG"]]
    before = sums.reindex(range(DEPTH + 1), fill_value=0).loc[rank - 1]
    left, right = st.columns(2)
    with left:
        show_list(
            steps[["rank", "document_id", "G", "CG", "discount", "DCG"]],
            rank,
            f"gain-steps-{topic}",
            t(
                "**G**, the gain: the level of the document. **CG**: the gains so far, added up. "
                "**discount**: what the gain is divided by, 1 at the first rank and log₂ of the "
                "rank from the second on. **DCG**: the discounted gains, added up."
            ),
            G=number("G", 0),
            CG=number("CG", 0),
            discount=number(t("discount"), 2),
            DCG=number("DCG", 1),
        )
    with right:
        st.latex(
            rf"CG[{rank}] = CG[{rank - 1}] + G[{rank}] = "
            rf"{before['CG']:.0f} + {here['G']:.0f} = {here['CG']:.0f}"
            if rank > 1
            else rf"CG[1] = G[1] = {here['CG']:.0f}"
        )
        st.latex(
            rf"\begin{{aligned}} DCG[{rank}] &= DCG[{rank - 1}] + "
            rf"\frac{{G[{rank}]}}{{\log_2 {rank}}} \\ &= {before['DCG']:.2f} + "
            rf"\frac{{{here['G']:.0f}}}{{{here['discount']:.2f}}} = {here['DCG']:.2f}"
            r"\end{aligned}"
            if rank > 1
            else rf"DCG[1] = G[1] = {here['DCG']:.2f}"
        )
        say(
            t(
                "how much a reader who reads down to this rank has gained. DCG reduces each gain "
                "according to its rank: a gain of 3 at rank 8 counts as much as a gain of 1 at the "
                "top."
            ),
            t(
                "how good that is: the sum grows with the number of relevant documents that "
                "exist. And log₂ is a convention, not a measurement of readers."
            ),
        )
        st.caption(
            t(
                "Here the second rank is not discounted at all, since log₂ 2 = 1 (Järvelin & "
                "Kekäläinen's form, as in the textbook). The usual nDCG of evaluation tools "
                "divides by log₂ (rank + 1) from the first rank on; both are on the page "
                "*Leaderboard*."
            )
        )


def _show_ideal(topic: str, rank: int) -> None:
    st.header(t("Compared with the best list possible"), anchor=False)
    steps = _steps(topic)
    here = steps.set_index("rank").loc[rank]
    left, right = st.columns(2)
    with left:
        show_list(
            steps[["rank", "document_id", "IG", "ICG", "IDCG", "nDCG"]].assign(document_id=""),
            rank,
            f"ideal-steps-{topic}",
            t(
                "**IG**: the gains of the ideal list, which shows all judged documents with the "
                "highest level first. **ICG**, **IDCG**: the same sums for it. **nDCG**: DCG as a "
                "share of IDCG."
            ),
            document_id=None,
            IG=number("IG", 0),
            ICG=number("ICG", 0),
            IDCG=number("IDCG", 1),
            nDCG=number("nDCG", 2),
        )
    with right:
        st.latex(
            rf"nDCG[{rank}] = \frac{{DCG[{rank}]}}{{IDCG[{rank}]}} = "
            rf"\frac{{{here['DCG']:.2f}}}{{{here['IDCG']:.2f}}} = {here['nDCG']:.3f}"
        )
        lines = steps.melt("rank", ["DCG", "IDCG"], var_name="series")
        show_figure(
            draw_lines(lines, "rank", x=t("rank"), y=t("cumulated gain, discounted"), at=rank),
            lines,
            f"ideal-figure-{topic}",
            t("DCG of the list, and of the best list that the judged documents allow."),
        )


def _show_averages() -> None:
    st.header(t("Averaged over q1 and q2"), anchor=False)
    table = _averages()
    left, right = st.columns([3, 2])
    with left:
        show_table(
            table,
            "gain-averages",
            t(
                "Means of the two queries' sums, and their quotients: nCG = CG / ICG, nDCG = DCG / "
                "IDCG, each of the *means*."
            ),
            height="content",
            column_config={
                "rank": st.column_config.NumberColumn(t("rank"), width=50, format=WHOLE),
                **{name: number(name, 1) for name in ("CG", "ICG")},
                **{name: number(name, 2) for name in ("nCG", "DCG", "IDCG", "nDCG")},
            },
            column_order=["rank", "CG", "ICG", "nCG", "DCG", "IDCG", "nDCG"],
        )
    with right:
        lines = table.melt("rank", ["nCG", "nDCG"], var_name="series")
        show_figure(
            draw_lines(lines, "rank", x=t("rank"), y=t("share of the ideal")),
            lines,
            "gain-averages-figure",
            t(
                "The normalised curves of the average. A better system has the higher curve; the "
                "area below it sums that up."
            ),
        )
        areas = _areas()
        st.markdown(
            t(
                "Area under the curve, per rank: nCG **{n}**, nDCG **{share}**.",
                n=f"{areas['nCG']:.2f}",
                share=f"{areas['nDCG']:.2f}",
            )
        )
        st.latex(
            r"nDCG[i] = \frac{\overline{DCG}[i]}{\overline{IDCG}[i]} \ne "
            r"\overline{\left(\frac{DCG[i]}{IDCG[i]}\right)}"
        )
    last = table.iloc[-1]
    st.caption(
        t(
            "The textbook divides the averages; so does this table. Tools, and *Leaderboard*, "
            "average each query's own nDCG: {n} instead of {share} at rank {place}. The textbook "
            "prints .38 there, from averages that were rounded before.",
            n=f"{_mean_last():.2f}",
            share=f"{last['nDCG']:.2f}",
            place=DEPTH,
        )
    )
    say(
        t(
            "which share of the possible gain a system delivers, so that queries and systems can "
            "be compared."
        ),
        t(
            "what a level should *count*. That level 3 is three times level 1 is an assumption; "
            "the page *Users who disagree* derives weights from disagreement instead."
        ),
    )


@cache
def _steps(topic: str) -> pd.DataFrame:
    """Return ``rank, document_id`` and every vector of one query."""
    curves = (curves_of("graded", one).gain_by_topic for one in ("CG", DCG, NDCG))
    plain, discounted, share = (
        curve[curve["topic_id"] == topic].reset_index(drop=True) for curve in curves
    )
    shown = list_shown(topic, "graded")
    return pd.DataFrame(
        {
            "rank": shown["rank"],
            "document_id": shown["document_id"],
            "G": shown["level"],
            "CG": plain["value"],
            "discount": 1 / DISCOUNTS["jarvelin"](np.arange(1, DEPTH + 1)),
            "DCG": discounted["value"],
            "IG": plain["ideal"].diff().fillna(plain["ideal"]),
            "ICG": plain["ideal"],
            "IDCG": discounted["ideal"],
            "nDCG": share["value"],
        }
    )


@cache
def _averages() -> pd.DataFrame:
    curves = {name: curves_of("graded", one).gain for name, one in SHOWN.items()}
    sums = {f"I{name}": curves[name]["ideal"] for name in ("CG", "DCG")}
    values = {name: curve["value"] for name, curve in curves.items()}
    return pd.DataFrame({"rank": curves["CG"]["rank"], **values, **sums})


def _areas() -> dict[str, float]:
    shares = {name: curves_of("graded", SHOWN[name]) for name in ("nCG", "nDCG")}
    return {name: float(found.areas["area"].iloc[0]) for name, found in shares.items()}


def _mean_last() -> float:
    return float(curves_of("graded", NDCG, "topics").gain["value"].iloc[-1])
