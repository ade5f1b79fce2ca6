"""What an organiser may choose before scores are shown: version, gain, users, measures."""

import streamlit as st

from core.collection.records import FACETS
from core.store.frames import list_qrels
from core.versions.versions import QrelsVersion
from pages.analyse.scores import SUGGESTED, Scoring
from pages.analyse.versions import Users, judged_facets, level_names, weights_of
from pages.shared.live import labels_of, runs_of
from pages.shared.session import Visit

GAINS = {"linear": "linear", "exp": "exponential", "udm": "UDM"}
FEW_LEVELS = 12


def needs_runs(visit: Visit) -> bool:
    """Say what is missing when there is nothing to score yet."""
    if not visit.collection_id:
        st.info("There is no collection yet. Create one under *Manage*.")
        return True
    if runs_of(visit).empty:
        st.info("There are no runs yet. Import runs or result lists under *Manage*.")
        return True
    if not judged_facets(labels_of(visit)) and not list_qrels(visit.store, visit.collection_id):
        st.info("Nothing is judged yet. This page fills by itself with the first label.")
        return True
    return False


def choose_facet(visit: Visit) -> str:
    """Return whose labels count; ask only where there are labels of both kinds."""
    facets = judged_facets(labels_of(visit)) or list(reversed(FACETS))
    if len(facets) == 1 or not judged_facets(labels_of(visit)):
        return facets[0]
    chosen = st.segmented_control(
        "Labels of",
        facets,
        default=facets[0],
        format_func=lambda facet: f"{facet}s",
        required=True,
        key="scores-facet",
    )
    return str(chosen)


def choose_gain() -> str:
    """Return the gain of a level."""
    chosen = st.segmented_control(
        "Gain of a level",
        list(GAINS),
        default="linear",
        format_func=GAINS.__getitem__,
        required=True,
        key="scores-gain",
        help="For nDCG and DCG. Linear: the level. Exponential: 2^level − 1. UDM: the chance that "
        "M of N users would find the document top, estimated from where assessors disagree.",
    )
    return str(chosen)


def choose_users(visit: Visit, facet: str) -> Users:
    """Return the top level and the users M of N that UDM weights stand for."""
    names = level_names(visit, facet)
    with st.popover("Users of the UDM", icon=":material/groups:"):
        st.markdown(
            "The UDM asks how likely it is that at least M of N users find a document top, "
            "when one assessor gave it a certain level."
        )
        top = st.selectbox(
            "Top level",
            list(names)[1:],
            index=len(names) - 2,
            format_func=lambda level: names[level],
            key=f"scores-top-{facet}",
        )
        users = st.number_input("N, users", 1, 1000, 3, key="scores-users")
        at_least = st.number_input("M, how many of them", 1, 1000, 1, key="scores-at-least")
        if at_least > users:
            st.error("M is at most N; all N are counted.")
        model = Users(int(top), int(users), int(min(at_least, users)))
        _show_weights(visit, facet, model, names)
    return model


def choose_cut(visit: Visit, facet: str, version: QrelsVersion) -> float:
    """Return the level from which a document counts as relevant."""
    levels = sorted(level for level in version.frame["level"].unique() if level > 0)
    if not levels or len(levels) > FEW_LEVELS:
        highest = max(version.gmax, 0.01)
        return float(
            st.number_input(
                "Relevant from", 0.01, highest, min(highest / 2, 1.0), key="scores-cut-number"
            )
        )
    names = level_names(visit, facet) if version.gmax == max(level_names(visit, facet)) else {}
    return float(
        st.selectbox(
            "Relevant from",
            levels,
            format_func=lambda level: names.get(level, f"{level:g}"),
            key=f"scores-cut-{facet}",
            help="For P, AP and other measures that only tell relevant from not relevant.",
        )
    )


def choose_measures(defaults: tuple[str, ...], scoring: Scoring) -> tuple[str, ...]:
    """Return the measures as texts; say what is wrong with those that cannot be read."""
    texts = st.multiselect(
        "Measures",
        SUGGESTED,
        default=list(defaults),
        accept_new_options=True,
        key="scores-measures",
        help="Type any other: `P@20`, `nDCG(gain='exp')@5`, `AP(rel=2)`. The first sorts the "
        "table. What a text says itself goes before the choices of gain and cut level.",
    )
    return read_measures(texts or defaults[-1:], scoring)


def read_measures(texts: list[str] | tuple[str, ...], scoring: Scoring) -> tuple[str, ...]:
    """Return texts as measures under the choices, and show what is wrong with the others."""
    measures, wrong = scoring.read(texts)
    for reason in wrong:
        st.error("This measure cannot be read and is left out.", icon=":material/block:")
        st.code(reason, language=None, wrap_lines=True)
    return measures


def _show_weights(visit: Visit, facet: str, users: Users, names: dict[int, str]) -> None:
    weights = weights_of(visit, facet, users)
    if not weights:
        st.caption("No weights yet: no two assessors have judged the same item.")
        return
    shown = " · ".join(f"{names[level]} {weight:.3f}" for level, weight in weights)
    st.caption(f"Weights now: {shown}")
