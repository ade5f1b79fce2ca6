"""A lecture page: a whole ranking in one number, and what each such number leaves out.

Its part about F and E: precision weighed against recall.
"""

from functools import cache

import pandas as pd
import streamlit as st

from core.figures.learn import draw_lines
from core.figures.two_systems import draw_differences
from core.language.translate import t
from core.measures.catalogue import parse_measure
from core.measures.evaluate import evaluate, mean_scores
from core.reports.scores import judge_runs
from core.versions.judgements import put_on_scale
from pages.learn.worked_examples import (
    DEPTH,
    ROLES,
    SOURCE,
    choose_query,
    choose_rank,
    list_points,
    number,
    rankings_of,
    read_qrels,
    read_run,
    say,
    score,
)
from pages.shared.figure import show_figure, show_table
from pages.shared.page import page
from pages.shared.session import PageContext

PURPOSE = (
    "Curves are hard to compare; single numbers are easy. Each of these numbers measures something "
    "different."
)
MEASURES = ("P@5", "P@10", "Rprec", "AP", "RR")


@page("one-number", "Learn", "One number per query", *ROLES)
def draw(context: PageContext) -> None:
    """Work out average precision, R-precision, reciprocal rank, and F and E."""
    context.sheet.answer(t(PURPOSE))
    context.sheet.explain(t(SOURCE))
    _show_all()
    topic = choose_query("one-number")
    _show_average_precision(topic)
    _show_r_precision(topic)
    _show_reciprocal_rank(topic)
    show_balance(topic)


def _show_all() -> None:
    show_table(
        _scores(),
        "one-number",
        t(
            "The two queries and their mean. **P@k**: precision of the first k. **Rprec**: "
            "precision at as many ranks as there are relevant documents. **AP**: mean precision "
            "at the relevant documents; its mean over queries is known as MAP. **RR**: one over "
            "the rank of the first relevant document; its mean is MRR."
        ),
        column_config={name: number(t(name), 3) for name in ("q1", "q2", "mean")},
    )
    st.caption(
        t(
            "P@5 and P@10 of q1 are the same: the second five documents are as good as the first "
            "five, on average, and precision at a cut-off does not ask where in the first k they "
            "are."
        )
    )


def _show_average_precision(topic: str) -> None:
    st.header(t("Average precision"), anchor=False)
    points = list_points(topic)
    relevant = _relevant(topic)
    terms = [f"{value:.2f}".removeprefix("0") for value in points["value"]]
    missing = relevant - len(points)
    if missing:
        terms.append(rf"{missing} \cdot 0")
    st.markdown(
        t(
            "Take the precision at each of the {n} relevant documents found, and 0 for each of the "
            "{missing} never found; divide by all {total}.",
            n=len(points),
            missing=missing,
            total=relevant,
        )
    )
    st.latex(
        rf"\begin{{aligned}} \text{{AP}} &= \frac{{{' + '.join(terms)}}}{{{relevant}}} \\ "
        rf"&= {score('AP')[topic]:.2f} \end{{aligned}}"
    )
    if topic == "q1":
        st.caption(t("The textbook's slides print .28: they cut every term and the result short."))
    say(
        t(
            "whether relevant documents come early *and* whether they come at all. Its mean over "
            "queries, MAP, has been the usual number in research for decades."
        ),
        t(
            "what a real reader experiences: AP assumes that readers stop at a relevant "
            "document, each with the same probability. A relevant document that was never judged "
            "counts as not relevant."
        ),
    )


def _show_r_precision(topic: str) -> None:
    st.header(t("R-precision and the precision histogram"), anchor=False)
    relevant = _relevant(topic)
    found = int((list_points(topic)["rank"] <= relevant).sum())
    st.markdown(
        t(
            "R = {n} documents are relevant to {query}, so the list is cut there.",
            n=relevant,
            query=topic,
        )
    )
    st.latex(
        rf"\text{{R-precision}} = P@{relevant} = "
        rf"\frac{{{found}}}{{{relevant}}} = {score('Rprec')[topic]:.3f}"
    )
    pairs = _histogram()
    show_figure(
        draw_differences(pairs, "A", "B", "R-precision"),
        pairs,
        "precision-histogram",
        t(
            "**A** is the textbook's system; **B**, made up for this figure, returns the same "
            "documents in the opposite order. A bar above 0: A is better on this query."
        ),
        nobody=("name",),
    )
    say(
        t(
            "at which queries one system beats another. At rank R precision and recall are the "
            "same number."
        ),
        t("which system is better in general: a difference on a few queries may be chance."),
    )


def _show_reciprocal_rank(topic: str) -> None:
    st.header(t("Reciprocal rank"), anchor=False)
    limit = st.slider(t("Give up after rank S"), 1, DEPTH, 10, key="rr-threshold")
    first = int(list_points(topic)["rank"].iloc[0])
    value = score(f"RR@{limit}")[topic]
    compared = r"\le" if first <= limit else ">"
    st.latex(
        rf"S_\text{{correct}} = {first} {compared} {limit}: \qquad \text{{RR}} = "
        + (rf"\frac{{1}}{{{first}}} = {value:.3f}" if first <= limit else f"{value:g}")
    )
    say(
        t(
            "how soon the first relevant document comes: right where one answer is enough, such as "
            "a home page or a fact."
        ),
        t("anything about the second relevant document, or about how good the first one is."),
    )


def _relevant(topic: str) -> int:
    rankings = rankings_of("binary")
    return int(rankings.relevant(1)[rankings.topics.index(topic)])


@cache
def _scores() -> pd.DataFrame:
    """Return ``measure, q1, q2, mean``."""
    scores = evaluate([parse_measure(name) for name in MEASURES], rankings_of("binary"))
    table = scores.pivot(index="measure", columns="topic_id", values="value").loc[list(MEASURES)]
    mean = mean_scores(scores).set_index("measure")["value"]
    return table.assign(mean=mean).reset_index().rename_axis(columns=None)


@cache
def _histogram() -> pd.DataFrame:
    """Return R-precision of the system and of its list turned round, with their difference."""
    run = read_run()
    last = run.groupby("topic_id")["rank"].transform("max")
    turned = run.assign(system="B", rank=last - run["rank"] + 1)
    both = pd.concat([run.assign(system="A"), turned], ignore_index=True)
    judged = judge_runs(both, put_on_scale(read_qrels("binary")))
    scores = judged.score([parse_measure("Rprec")])
    table = scores.pivot(index="topic_id", columns="system", values="value").reset_index()
    table = table.rename(columns={"A": "first", "B": "second"}).rename_axis(columns=None)
    return table.assign(name=table["topic_id"], difference=table["first"] - table["second"])


def show_balance(topic: str) -> None:
    """Weigh precision against recall with a slider, at a rank and along the list."""
    st.header(t("Precision against recall: F and E"), anchor=False)
    left, right = st.columns(2)
    with left:
        rank = choose_rank("balance", 10)
        b = st.slider(
            t("b: how much more recall matters than precision"),
            0.0,
            5.0,
            1.0,
            0.25,
            key="balance-b",
        )
        precision, recall = score(f"P@{rank}")[topic], score(f"R@{rank}")[topic]
        harmonic = score(f"F@{rank}")[topic]
        error = score(f"E(b={b:g})@{rank}")[topic]
        _show_formula(b, precision, recall, error)
        st.markdown(_word_b(b))
        st.latex(rf"F = \frac{{2}}{{\frac{{1}}{{r}} + \frac{{1}}{{P}}}} = {harmonic:.3f}")
    with right:
        lines = _lines(topic, b)
        named = {"precision": t("precision"), "recall": t("recall")}
        lines = lines.assign(series=lines["series"].replace(named))
        show_figure(
            draw_lines(lines, "rank", x=t("rank"), y=t("value"), at=rank),
            lines,
            "balance-figure",
            t(
                "Precision, recall, F (b = 1) and E (with your b) of the list cut at each rank. "
                "E is an error: the lower, the better."
            ),
        )
    say(
        t(
            "at which cut-off the list is the best compromise for somebody who gives recall b² "
            "times the weight of precision: there E is lowest. F = 1 − E for b = 1 only; with "
            "another b it may be highest elsewhere. F is high only where *both* precision and "
            "recall are high."
        ),
        t("which b is right. That depends on the reader and cannot be learned from the data."),
    )


def _show_formula(b: float, precision: float, recall: float, error: float) -> None:
    st.latex(r"E = 1 - \frac{1 + b^2}{\frac{b^2}{r} + \frac{1}{P}}")
    if precision == 0:
        st.latex(r"P = r = 0: \qquad E = 1")
        return
    st.latex(
        rf"= 1 - \frac{{1 + {b:g}^2}}{{\frac{{{b:g}^2}}{{{recall:.3f}}} + "
        rf"\frac{{1}}{{{precision:.3f}}}}} = {error:.3f}"
    )


def _word_b(b: float) -> str:
    """Say what this b asks for."""
    if b == 0:
        return t("With b = 0, E is 1 − precision: recall plays no part.")
    if b == 1:
        return t("With b = 1, both matter equally, and E is 1 − F.")
    if b > 1:
        return t(
            "With b = {n}, recall matters more; as b grows, E comes near 1 − recall.", n=f"{b:g}"
        )
    return t(
        "With b = {n}, precision matters more; as b grows, E comes near 1 − recall.", n=f"{b:g}"
    )


@cache
def _lines(topic: str, b: float) -> pd.DataFrame:
    """Return ``series, rank, value``."""
    texts = {"precision": "P@{}", "recall": "R@{}", "F": "F@{}", "E": f"E(b={b:g})@{{}}"}
    return pd.DataFrame(
        [
            (series, rank, score(text.format(rank))[topic])
            for series, text in texts.items()
            for rank in range(1, DEPTH + 1)
        ],
        columns=["series", "rank", "value"],
    )
