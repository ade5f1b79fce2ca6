"""What an organiser may choose before scores are shown: version, gain, users, measures.

How pages of results begin. What a page says where it shows something else than what the study
declares. Topics as people know them: by their queries.
"""

from collections.abc import Mapping, Sequence

import pandas as pd
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from core.analysis.base.declared import model_of
from core.analysis.base.study import runs_of, scales_of, topics_of
from core.analysis.results.basis import ScoreBasis
from core.analysis.results.declared import (
    declared_measures,
    offer_versions,
    tell_difference,
)
from core.analysis.results.qrels_choices import (
    QrelsChoice,
    holds_weights,
    level_names,
    weights_of,
)
from core.analysis.results.scores import SUGGESTED, Scoring
from core.collection.records import counted_levels
from core.measures.catalogue import parse_measure
from core.measures.evaluate import say_unreachable
from core.numerals import write_number
from core.reports.user_model import UserModel
from core.versions.versions import QrelsVersion
from core.wording import plain
from pages.shared.facet_widgets import RESULTS, choose_aspect, choose_facet, key_for
from pages.shared.live import keep_fresh
from pages.shared.session import PageContext
from pages.shared.wording import needs_collection, tell_left_out

GAINS = {"linear": "linear", "exp": "exponential", "udm": "UDM"}
FEW_LEVELS = 12
USUAL_CUT = 1.0
"""From which level a document is relevant to a measure that does not say."""


def needs_runs(context: PageContext) -> bool:
    """Say what is missing when there is nothing to score yet."""
    if needs_collection(context):
        return True
    if runs_of(context.study).empty:
        context.sheet.tell("There are no runs yet. Import runs or results on the page *Contents*.")
        return True
    return False


def open_results(context: PageContext, purpose: str) -> PageContext | None:
    """Begin a page of results, kept fresh, with what it is for, and let an aspect be chosen.

    None, with a word why, when there is nothing to score yet.
    """
    keep_fresh(context)
    context.sheet.explain(purpose)
    return None if needs_runs(context) else choose_aspect(context, RESULTS)


def choose_version(
    choices: Mapping[str, QrelsChoice],
    key: str,
    help: str | None = None,
    *,
    label: str = "Qrels version",
    width: int | None = None,
) -> QrelsChoice:
    """Let the organiser choose one of some versions.

    Parameters
    ----------
    choices : mapping of str to QrelsChoice
        The versions by the names that the address has for them; the first is chosen at first.
    key : str
        The control's key; the address has the choice under it.
    help : str, optional
        What the version is for.
    label : str, optional
        What is chosen.
    width : int, optional
        In pixels, among the controls beside a title; the label is then not seen.
    """
    chosen = st.selectbox(
        label,
        list(choices),
        format_func=lambda one: choices[one].name,
        label_visibility="collapsed" if width else "visible",
        width=width or "stretch",
        key=key,
        bind="query-params",
        help=help,
    )
    return choices[chosen]


def choose_measure(context: PageContext, key: str, help: str | None = None) -> str:
    """Let the organiser choose a measure, or type any other; empty when the field was emptied."""
    text = st.selectbox(
        "Measure",
        declared_measures(context.study, SUGGESTED),
        accept_new_options=True,
        label_visibility="collapsed",
        width=180,
        key=key,
        bind="query-params",
        help=help,
    )
    return text or ""


def choose_scoring(context: PageContext) -> tuple[str, str, UserModel, dict[str, QrelsChoice]]:
    """Return whose labels count, the gain of a level, the users of the UDM, and the versions.

    The version that the study declares is the first. There is no version as
    long as nothing is judged; then this says so.
    """
    facet = choose_facet(context, "scores-facet")
    with context.sheet.options:
        gain = _choose_gain()
    model = choose_users(context, facet)
    choices = offer_versions(context.study, facet, model)
    tell_left_out(context)
    if not choices:
        context.sheet.tell(tell_unjudged(context, facet))
    return facet, gain, model, choices


def tell_unjudged(context: PageContext, facet: str) -> str:
    """Return in words that nothing is judged yet, of the aspect in view where there is one."""
    judged = f"No {facet} is judged yet"
    if context.aspect:
        judged = f"Nothing was said of {plain(context.aspect)} yet"
    return f"{judged}. Results appear here with the first label."


def choose_alpha(usual: float, key: str, where: DeltaGenerator | None = None) -> float:
    """Let the organiser choose α, from .001 to .5 or to what the study declares beyond these."""
    return float(
        (where or st).number_input(
            "α", min(0.001, usual), max(0.5, usual), usual, 0.01, format="%g", key=key
        )
    )


def choose_cut(
    context: PageContext, facet: str, choice: QrelsChoice, version: QrelsVersion
) -> float:
    """Return the level from which a document counts as relevant: at first as measures say."""
    with context.sheet.options:
        return _ask_cut(context, facet, choice, version)


def _ask_cut(context: PageContext, facet: str, choice: QrelsChoice, version: QrelsVersion) -> float:
    wording = "For P, AP and other measures with binary relevance."
    names = level_names(context.study, facet, choice)
    levels = [level for level in names if level > 0] or _seen_levels(version)
    if len(levels) <= FEW_LEVELS and (names or choice.rule is None):
        chosen = st.selectbox(
            "Relevant from",
            levels,
            format_func=lambda level: names.get(level, f"{level:g}"),
            help=wording,
            key=key_for(context, f"cut-{facet}-{bool(names)}"),
        )
        chosen = USUAL_CUT if chosen == levels[0] else chosen
    else:
        highest = max(version.gmax, USUAL_CUT)
        key = f"cut-{highest}"
        chosen = st.number_input("Relevant from", 0.01, highest, USUAL_CUT, help=wording, key=key)
    if st.session_state.get("scores-gain") == "udm" and holds_weights(choice):
        st.caption(
            ":material/info: The levels of this version are already UDM weights: the linear gain "
            "uses them unchanged."
        )
    return float(chosen)


def _seen_levels(version: QrelsVersion) -> list[float]:
    """Return the levels of imported judgements, 1 among them whether or not it was given."""
    seen = version.frame["level"].astype("float64")
    return sorted({USUAL_CUT, *seen[seen > 0]})


def choose_measures(defaults: tuple[str, ...]) -> list[str]:
    """Return the measures as they were typed or chosen."""
    texts = st.multiselect(
        "Measures",
        list(dict.fromkeys([*defaults, *SUGGESTED])),
        default=list(defaults),
        accept_new_options=True,
        key="scores-measures",
        bind="query-params",
        help="Type any other: `P@20`, `nDCG(gain='exp')@5`, `AP(rel=2)`. The first sorts the "
        "table. Options in a measure's own text override the choices of gain and relevance level.",
    )
    return texts or list(defaults[:1])


def read_measures(
    texts: Sequence[str], scoring: Scoring, version: QrelsVersion | None = None
) -> tuple[str, ...]:
    """Return texts as measures under the choices, and show what is wrong with the others.

    Where a version is given, also those that count from a level which it does not have.
    """
    measures, wrong = scoring.read(texts)
    for reason in wrong:
        st.error("This measure cannot be read and is left out.", icon=":material/block:")
        st.code(reason, language=None, wrap_lines=True)
    if version is None:
        return measures
    unreachable = {one: say_unreachable(parse_measure(one), version) for one in measures}
    if reasons := list(filter(None, unreachable.values())):
        st.info(f"Left out: {plain('. '.join(reasons))}: *Options*, *Relevant from*.")
    return tuple(one for one in measures if not unreachable[one])


def _choose_gain() -> str:
    chosen = st.segmented_control(
        "Gain of a level",
        list(GAINS),
        default="linear",
        format_func=GAINS.__getitem__,
        required=True,
        key="scores-gain",
        bind="query-params",
        help="For nDCG and DCG. Linear: the level. Exponential: 2^level − 1. UDM: the probability "
        "that at least M of N users find the document top, estimated from assessors' disagreement.",
    )
    return str(chosen)


def choose_users(context: PageContext, facet: str) -> UserModel:
    """Return whom the UDM stands for, and show the weights that follow."""
    levels = counted_levels(scales_of(context.study)[facet])
    with context.sheet.options:
        st.markdown("**Users of the UDM**")
        model = choose_model(levels, facet, model_of(context.study, facet))
        st.caption("They count wherever a gain, a measure or a version is of the UDM.")
        weights = weights_of(context.study, facet, model)
        shown = " · ".join(f"{plain(levels[level])} {weight:.3f}" for level, weight in weights)
        st.caption(
            f"Weights from the labels so far: {shown}"
            if weights
            else "No weights yet: no two assessors have judged the same item."
        )
    return model


def tell_declared(
    context: PageContext,
    *,
    measure: str = "",
    choice: QrelsChoice | None = None,
    facet: str = "",
    alpha: float | None = None,
    model: UserModel | None = None,
) -> None:
    """Say in a caption what is declared and what is shown, where they differ.

    Parameters
    ----------
    context : PageContext
        Whose page it is; an aspect in view is a difference.
    measure, choice, facet, alpha, model : optional
        What is shown; what is left out is not compared. ``model`` is of the users whose weights
        the scores are by.
    """
    difference = tell_difference(
        context.study, measure=measure, choice=choice, facet=facet, alpha=alpha, model=model
    )
    if difference:
        st.caption(difference)


ALL = ""
"""Stands for all topics where one can be chosen."""


def queries_of(context: PageContext) -> dict[str, str]:
    """Return the query of each topic by its id."""
    topics = topics_of(context.study)
    return dict(zip(topics["topic_id"], topics["query"].fillna(""), strict=True))


def choose_topic(context: PageContext, basis: ScoreBasis, key: str, *, whole: bool = False) -> str:
    """Let the organiser choose a judged topic, or ``ALL`` where that is offered."""
    queries = queries_of(context)
    offered = [ALL, *basis.rankings.topics] if whole else list(basis.rankings.topics)
    names = {one: f"{one}: {queries.get(one, '')}".removesuffix(": ") for one in offered}
    names[ALL] = "all, averaged"
    chosen = st.selectbox(
        "Topic", offered, format_func=names.__getitem__, key=key, persist_state="page"
    )
    return str(chosen)


def name_topics(topic_ids: "pd.Series[str]", queries: dict[str, str]) -> "pd.Series[str]":
    """Return each topic's query after its id, as figures name it."""
    return (topic_ids + " " + topic_ids.map(queries).fillna("")).str.strip()


MOST_USERS = 10
"""Users that can be chosen, unless the study declares more."""

WEIGHTINGS = {
    "item": "every item counts equally",
    "pairs": "every pair of labels counts equally",
}


def choose_model(levels: Mapping[int, str], facet: str, usual: UserModel) -> UserModel:
    """Let the organiser choose the top level, M, N, and how chances are estimated.

    Parameters
    ----------
    levels : mapping of int to str
        The names of the counted levels, lowest first.
    facet : str
        Whose levels these are.
    usual : UserModel
        The users to begin with: those whom the study declares.
    """
    tops = list(levels)[:0:-1]
    top = st.selectbox("Top level", tops, format_func=levels.__getitem__, key=f"udm-top-{facet}")
    most = max(MOST_USERS, usual.users)
    users = st.slider("N, the number of users", 1, most, usual.users, key="udm-users")
    wanted = min(st.session_state.get("udm-at-least", usual.at_least), users)
    at_least = 1
    if users > 1:
        st.session_state["udm-at-least"] = wanted
        at_least = st.slider("M, at least so many find it top", 1, users, key="udm-at-least")
    weighting = st.selectbox(
        "In the estimate",
        list(WEIGHTINGS),
        format_func=WEIGHTINGS.__getitem__,
        key="udm-weighting",
        help="With more than two labels on an item, its pairs share the weight of one double "
        "judgement; otherwise items with many labels count for more.",
    )
    keep_lowest = st.toggle(
        f"Let the lowest level, {plain(levels[min(levels)])}, have a weight above 0",
        key="udm-keep-lowest",
        help="A top label from one assessor and a lowest label from another is usually a "
        "mistake, so the lowest level has weight 0 unless you switch this on.",
    )
    return UserModel(top, users, at_least, weighting, keep_lowest)


def write_estimates(table: pd.DataFrame) -> pd.DataFrame:
    """Add ``p_shown, weight_shown``: as written, in brackets where they are of few cases."""
    named = {name: table[name] for name in ("p", "weight") if name in table}
    return table.assign(
        **{
            f"{name}_shown": [
                f"({write_number(value)})" if few and value == value else write_number(value)
                for value, few in zip(values, table["few"], strict=True)
            ]
            for name, values in named.items()
        }
    )
