"""A lecture page: weights of levels for users who want top results and disagree on them."""

from functools import cache

import pandas as pd
import streamlit as st

from core.disagreement.top_results import effective_top_results
from core.disagreement.worked import observe_weights
from core.language.translate import t
from pages.learn.steps import ROLES, number, say
from pages.learn.textbook import level_names, read_users
from pages.learn.weights import show_weights
from pages.shared.figure import show_table
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
