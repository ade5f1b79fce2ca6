"""What the study declares, and declaring something else."""

from collections.abc import Sequence

import streamlit as st

from core.analysis.base.declared import declared_of, model_of
from core.analysis.base.facets import facets_of
from core.analysis.base.study import Study, runs_of, topics_of
from core.analysis.collection.declaring import MOST_USERS, STANDARD, declare, say_declaration
from core.analysis.results.qrels_choices import list_choices
from core.analysis.results.scores import SUGGESTED
from core.errors import BadInput
from core.store.content.declarations import Declaration
from pages.shared.notice import finish
from pages.shared.session import PageContext
from pages.shared.wording import refuse


def edit_declaration(context: PageContext) -> None:
    """Say what is declared, and let the organiser change it."""
    st.markdown(say_declaration(context.study))
    st.caption(
        "Every page, command, bundle, paper pack and answer of the API begins here. What differs "
        "from it says so. Each change is in the audit."
    )
    changes = _ask(context, declared_of(context.study))
    if changes is None:
        return
    try:
        declare(context.study, changes, by=context.person_id)
    except BadInput as error:
        refuse(error, "The declaration was not changed.")
        return
    finish("The study declares this from now on.")


def _ask(context: PageContext, now: Declaration) -> dict[str, object] | None:
    """Return what was changed, once the form is sent."""
    masked = Study(context.store, context.collection_id, is_masked=True)
    offered = list_choices(masked, now.facet, model_of(masked, now.facet))
    with st.form(f"declaration-{context.collection_id}"):
        left, right = st.columns(2)
        wanted = {
            "measure": left.selectbox(
                "Primary measure",
                _first(now.measure, SUGGESTED),
                accept_new_options=True,
                key="declared-measure",
            ),
            "version": right.selectbox(
                "Qrels version",
                _first(now.version, [*STANDARD, *(one.name for one in offered.values())]),
                accept_new_options=True,
                key="declared-version",
            ),
            "facet": left.selectbox(
                "Labels of",
                _first(now.facet, facets_of(context.study)),
                format_func=lambda one: f"{one}s",
                key="declared-facet",
            ),
            "baseline": right.selectbox(
                "Baseline",
                _first(now.baseline, ["", *map(str, runs_of(masked)["system"].unique())]),
                format_func=lambda one: one or "none",
                key="declared-baseline",
            ),
            "alpha": left.number_input(
                "α", 0.001, 0.5, now.alpha, 0.01, format="%.3f", key="declared-alpha"
            ),
            "users": int(
                right.number_input(
                    "N, the users of the UDM", 1, MOST_USERS, now.users, key="declared-users"
                )
            ),
            "at_least": int(
                right.number_input(
                    "M, at least so many find it top",
                    1,
                    MOST_USERS,
                    now.at_least,
                    key="declared-at-least",
                )
            ),
            "topics": tuple(
                left.multiselect(
                    "Topics",
                    _first(*now.topics, list(topics_of(masked)["topic_id"])),
                    default=list(now.topics),
                    placeholder="all",
                    key="declared-topics",
                )
            ),
        }
        if not st.form_submit_button("Declare", type="primary"):
            return None
    return {name: value for name, value in wanted.items() if value != getattr(now, name)}


def _first(*named: "str | Sequence[str]") -> list[str]:
    """Return what there is, what is declared first."""
    *declared, others = named
    return list(dict.fromkeys([*map(str, declared), *others]))
