"""A lecture page: how alike two rankings are, by Spearman and by Kendall."""

import pandas as pd
import streamlit as st

from core.comparison.rank_correlation import document_pairs, kendall_tau, rank_differences, spearman
from core.figures.learn import draw_rank_pairs
from core.language.translate import t
from pages.learn.worked_examples import ROLES, number, read_ranks, say
from pages.shared.figure import show_figure, show_table
from pages.shared.page import page
from pages.shared.session import PageContext

PURPOSE = (
    "Two systems rank the same documents, or two measures rank the same systems: how similar are "
    "the two orders? The ten documents are those of chapter 4 of Baeza-Yates & Ribeiro-Neto."
)


@page("rank-correlation", "Learn", "Rank correlation", *ROLES)
def draw(context: PageContext) -> None:
    """Work out both coefficients."""
    context.sheet.answer(t(PURPOSE))
    _show_spearman()
    _show_kendall()


def _show_spearman() -> None:
    st.header(t("Spearman: how far do documents move?"), anchor=False)
    ranks = read_ranks()
    steps = rank_differences(ranks)
    squares, size = int(steps["squared"].sum()), len(steps)
    value = spearman(ranks["first"], ranks["second"])
    left, right = st.columns(2)
    with left:
        show_table(
            steps,
            "spearman-steps",
            t(
                "The place of each document in the rankings R1 and R2, the difference, and its "
                "square."
            ),
            height="content",
            column_config={
                "first": number("R1", 0),
                "second": number("R2", 0),
                "difference": number("R1 − R2", 0),
                "squared": number(t("squared"), 0),
            },
        )
        st.markdown(t("Sum of the squares: **{n}**", n=squares))
    with right:
        show_figure(
            draw_rank_pairs(ranks),
            ranks,
            "rank-pairs",
            t("Each document at its places in the two rankings; on the dashed line both agree."),
        )
    st.latex(
        r"\begin{aligned} S &= 1 - \frac{6 \sum_j (s_{1,j} - s_{2,j})^2}{K (K^2 - 1)} \\ "
        rf"&= 1 - \frac{{6 \cdot {squares}}}{{{size} \cdot ({size}^2 - 1)}} = "
        rf"1 - \frac{{{6 * squares}}}{{{size * (size**2 - 1)}}} \\ &= {value:.4f} \end{{aligned}}"
    )
    say(
        t(
            "how far the documents move between the rankings; one long move costs more than "
            "several short ones. 1: the same order, −1: reversed, 0: unrelated."
        ),
        t(
            "where it moves: a swap at the top, which readers see, counts like one at the "
            "bottom. And the number itself is hard to interpret, unlike Kendall's."
        ),
    )


def _show_kendall() -> None:
    st.header(t("Kendall: which pairs are in reverse order?"), anchor=False)
    ranks = read_ranks().sort_values("first")
    size = st.slider(
        t("The first documents of the first ranking"), 2, len(ranks), 5, key="tau-size"
    )
    chosen = ranks.head(size)
    pairs = document_pairs(chosen)
    discordant = int((~pairs["concordant"]).sum())
    total = len(pairs)
    value = kendall_tau(chosen["first"], chosen["second"])
    left, right = st.columns(2)
    with left:
        show_table(
            _word_pairs(pairs),
            "kendall-steps",
            t(
                "Every two documents, the one that R1 has ahead named first, and by how many "
                "ranks it is ahead in each ranking. Signs that differ: a discordant pair."
            ),
            height="content" if total <= 15 else 560,
            column_config={
                "pair": st.column_config.TextColumn(t("pair"), width=120),
                "first": number(t("in R1 by"), 0),
                "second": number(t("in R2 by"), 0),
                "both": t("so it is"),
            },
            nobody=("pair", "both"),
        )
    with right:
        swapped = pairs[~pairs["concordant"]]
        st.markdown(
            t(
                "Of **{total}** pairs, **{n}** are concordant and **{others}** discordant:",
                total=total,
                n=total - discordant,
                others=discordant,
            )
        )
        st.markdown(
            "\n".join(f"- {row.ahead}{t(' and ')}{row.behind}" for row in swapped.itertuples())
            or f"- {t('none')}"
        )
        st.latex(
            rf"\tau = \frac{{{total - discordant}}}{{{total}}} - "
            rf"\frac{{{discordant}}}{{{total}}} = {value:.2f}"
        )
        st.markdown(
            t("The textbook counts every pair once in each ranking, which changes nothing:")
        )
        st.latex(
            r"\tau = 1 - \frac{2 \Delta}{K (K - 1)} = "
            rf"1 - \frac{{2 \cdot {2 * discordant}}}{{{size} \cdot {size - 1}}} = {value:.2f}"
        )
        say(
            t(
                "the share of pairs that both put in the same order minus the share they put in "
                "different orders. Pick two of these documents at random: the rankings agree on "
                "their order with probability {share}.",
                share=f"{(total - discordant) / total:.2f}",
            ),
            t(
                "whether the difference matters: two systems may swap ranks by chance, and all "
                "pairs count equally, at the top of the list as at its end (τ_AP gives more "
                "weight to the top)."
            ),
        )


def _word_pairs(pairs: pd.DataFrame) -> pd.DataFrame:
    """Return the pairs with a sign and a word, so that nobody has to tell colours apart."""
    signs = {True: t("✓ concordant"), False: t("✗ discordant")}
    return pd.DataFrame(
        {
            "pair": [
                t("{first} before {second}", first=ahead, second=behind)
                for ahead, behind in zip(pairs["ahead"], pairs["behind"], strict=True)
            ],
            "first": pairs["first"],
            "second": pairs["second"],
            "both": pairs["concordant"].map(signs),
        }
    )
