"""A lecture page: weights of levels for users who want top results and disagree on them.

Its part about the model's weights: sliders, terms and curve.
"""

from functools import cache

import pandas as pd
import streamlit as st

from core.disagreement.top_results import effective_top_results
from core.disagreement.user_disagreement import relevance_weight
from core.disagreement.worked import list_binomial_terms, observe_weights, weight_curve
from core.figures.learn import draw_lines, draw_terms
from core.language.translate import t
from pages.learn.worked_examples import ROLES, level_names, number, read_users, say
from pages.shared.figure import show_figure, show_table
from pages.shared.page import page
from pages.shared.session import PageContext

PURPOSE = (
    "Users who want only the best results do not agree on what the best results are. The **User "
    "Disagreement Model** (Demeester et al., WSDM 2014) asks how likely it is that other users "
    "find a result top, given the label of one assessor, and uses this probability as the weight "
    "of the label."
)
ASSESSOR, TOP = "user 3", 3


@page("disagreeing-users", "Learn", "Users who disagree", *ROLES)
def draw(context: PageContext) -> None:
    """Show the intuition on eight documents, then the model with its parameters."""
    context.sheet.answer(t(PURPOSE))
    _show_users()
    _show_effective()
    show_weights()


def _show_users() -> None:
    st.header(t("Eight documents, four users"), anchor=False)
    labels = _labels()
    labels = labels.assign(user=labels["user"].map(_word_user))
    show_table(
        labels,
        "four-users",
        t(
            "The level that each user gives each document; ★ marks the top level. The labels are "
            "made up in the manner of figure 4 of the paper, with the assessor's one Key, four "
            "HRel and three Rel."
        ),
        height="content",
        nobody=list(labels.columns),
    )
    st.caption(
        t(
            "Only user 3, the assessor, can be asked. The others are the users of the search "
            "engine, whose labels nobody has; they are shown here so that the model can be checked."
        )
    )


def _show_effective() -> None:
    names = level_names()
    weights = observe_weights(read_users(), ASSESSOR, TOP)
    table = weights.assign(level=weights["level"].map(names))
    left, right = st.columns(2)
    with left:
        show_table(
            table,
            "observed-weights",
            t(
                "For each level of the assessor: the documents with it, those of them that at "
                "least one of the four users finds top, and the share."
            ),
            column_config={
                "level": t("user 3 says"),
                "items": t("documents"),
                "top_items": t("top to somebody"),
                "weight": number(t("share = weight"), 3),
            },
        )
    with right:
        used = weights[weights["items"] > 0].iloc[::-1]
        terms = " + ".join(
            rf"{items} \cdot {_fraction(top_items, items)}"
            for items, top_items in zip(used["items"], used["top_items"], strict=True)
        )
        st.markdown(
            t(
                "Replace each label by its weight and add up: the **effective number of top "
                "results**, for the group instead of the one assessor, who found only {n}.",
                n=int(_effective()["top_results"].iloc[0]),
            )
        )
        st.latex(rf"{terms} = {_effective()['effective'].iloc[0]:g}")
    say(
        t(
            "how many of these documents somebody in the group would find top, though only one "
            "person was asked."
        ),
        t(
            "*which* documents they are, and nothing about documents without a label. A weight "
            "is a mean over many documents with the same label."
        ),
    )


def _fraction(numerator: int, denominator: int) -> str:
    if numerator in (0, denominator):
        return str(numerator // denominator)
    return rf"\tfrac{{{numerator}}}{{{denominator}}}"


def _word_user(user: str) -> str:
    name = t("user {n}", n=user.rpartition(" ")[2])
    return t("{name} (assessor)", name=name) if user == ASSESSOR else name


@cache
def _labels() -> pd.DataFrame:
    """Return a row for each user and a column for each document."""
    ratings, names = read_users(), level_names()
    level = [names[ratings.levels[code]] for code in ratings.level]
    rows = pd.DataFrame(
        {
            "user": [ratings.assessors[code] for code in ratings.assessor],
            "document": ratings.items["document_id"].take(ratings.item).tolist(),
            "level": [f"★ {name}" if name == names[TOP] else name for name in level],
        }
    )
    table = rows.pivot(index="user", columns="document", values="level").reset_index()
    return table.rename_axis(columns=None)


@cache
def _effective() -> pd.DataFrame:
    """Return the effective number of top results for the assessor alone."""
    observed = observe_weights(read_users(), ASSESSOR, TOP)
    weights = dict(zip(observed["level"], observed["weight"].fillna(0), strict=True))
    return effective_top_results(read_users(ASSESSOR), weights, TOP)


MOST_USERS = 10
EXAMPLES = ((0.30, 3, 1), (0.30, 3, 2), (0.30, 5, 2), (0.23, 3, 1), (0.15, 3, 1))
"""p, N and M whose weights the paper works out (its Table 1 and section 6)."""


def show_weights() -> None:
    """Let the reader choose p, M, N, and show the sum that makes the weight."""
    st.header(t("The model: p, M and N"), anchor=False)
    st.markdown(
        t(
            "With two assessors one can count **p**, the chance that one says top where the "
            "other said a certain level. If all users disagree equally and independently, that "
            "is enough: of N users, the assessor among them, how likely do at least M find it "
            "top?"
        )
    )
    left, right = st.columns([2, 3])
    with left:
        p = st.slider(
            t("p, the probability that another user says top"), 0.0, 1.0, 0.30, 0.01, key="udm-p"
        )
        users = st.slider(t("N, the users"), 2, MOST_USERS, 3, key="learn-users")
        wanted = min(st.session_state.get("learn-at-least", 1), users)
        st.session_state["learn-at-least"] = wanted
        at_least = st.slider(t("M, at least so many"), 1, users, key="learn-at-least")
        is_top = st.toggle(t("The assessor also says top"), key="learn-is-top")
        weight = relevance_weight(p, is_top, users, at_least)
        st.metric(
            t("Weight for at least {lowest} of {n}", lowest=at_least, n=users),
            f"{weight:.3f}",
            border=True,
        )
    with right:
        terms = list_binomial_terms(p, is_top, users, at_least)
        show_figure(
            draw_terms(terms),
            terms,
            "binomial-terms",
            t(
                "The probability that exactly m of the N − 1 other users find the document top. "
                "The filled bars are the cases in which at least M users do; their sum is the "
                "weight."
            ),
        )
    _show_sum(terms, p, users, weight)
    _show_curve(p, is_top, users, at_least)
    _show_examples()


def _show_sum(terms: pd.DataFrame, p: float, users: int, weight: float) -> None:
    others = users - 1
    counted = terms[terms["counts"]]
    first = int(counted["others"].iloc[0]) if len(counted) else users
    st.latex(
        rf"\sum_{{m={first}}}^{{{others}}} \binom{{{others}}}{{m}} p^m (1-p)^{{{others}-m}}"
        rf" = {weight:.3f}"
    )
    lines = [
        rf"\binom{{{others}}}{{{m}}} \cdot {p:.2f}^{{{m}}} \cdot {1 - p:.2f}^{{{others - m}}} &= "
        rf"{ways} \cdot {chance / ways:.4f} &&= {chance:.4f}"
        for m, ways, chance in counted[["others", "ways", "chance"]].itertuples(index=False)
    ]
    if lines:
        st.latex(r"\begin{aligned}" + r" \\ ".join(lines) + r"\end{aligned}")
    else:
        st.caption(t("No number of other users suffices: the assessor would have to say top, too."))
    if first == 0:
        st.caption(t("With a top label observed and M = 1 nobody else is needed: the weight is 1."))


def _show_curve(p: float, is_top: bool, users: int, at_least: int) -> None:
    curves = pd.concat(
        [
            weight_curve(top, users, at_least).assign(series=series)
            for top, series in ((False, t("label below top")), (True, t("top label")))
        ]
    ).rename(columns={"weight": "value"})
    show_figure(
        draw_lines(curves, "p", x="p", y=t("weight"), at=p, step=0.1),
        curves,
        "weight-curve",
        t(
            "The weight for at least {lowest} of {n} users by p: for a label below the top, and "
            "for the top label, whose p is the probability that another user says top *as well*.",
            lowest=at_least,
            n=users,
        ),
    )
    say(
        t(
            "how likely it is, given one label, that the group finds a result top. More users "
            "(N) give lower levels more weight, a stricter group (M) less."
        ),
        t(
            "that users are independent: that is assumed. Where some items divide people more "
            "than others, measured weights are lower than these for M = 1, and for larger M "
            "higher where p is small."
        )
        + " "
        + (
            t("With M above 1 even a top label weighs less than 1, as here.")
            if is_top and at_least > 1
            else t("With M above 1 even a top label weighs less than 1.")
        ),
    )


def _show_examples() -> None:
    st.subheader(t("Numbers to compare with the paper"), anchor=False)
    rows = pd.DataFrame(EXAMPLES, columns=["p", "N", "M"])
    rows["weight"] = [relevance_weight(p, False, users, least) for p, users, least in EXAMPLES]
    show_table(
        rows,
        "weight-examples",
        t(
            "Weights of a label below the top. The first three are predictions in the paper's "
            "Table 1 (p = .30 on RelFeedback10), the last two the weights of HRel and Rel on "
            "FedWeb12."
        ),
        column_config={"p": number("p", 2), "weight": number(t("weight"), 3)},
    )
