"""The organiser's page about a collection: what it holds, its files, texts and scales.

Which reasons assessors can give when they say which of two is better.

What the study declares, and declaring something else.
"""

from collections.abc import Sequence
from functools import partial

import streamlit as st

from core.analysis.base.declared import declared_of, model_of
from core.analysis.base.study import Study, facets_of, runs_of, topics_of
from core.analysis.collection.declaring import MOST_USERS, STANDARD, declare, say_declaration
from core.analysis.results.qrels_choices import list_choices
from core.analysis.results.scores import SUGGESTED
from core.errors import BadInput
from core.store.content.collections import close_collection
from core.store.content.declarations import Declaration
from core.store.events.preference_reasons import (
    LONGEST_REASON,
    MOST_REASONS,
    USUAL_REASONS,
    list_reason_choices,
    set_reason_choices,
)
from core.wording import count
from pages.collection.aspects_form import edit_aspects, edit_scales
from pages.collection.contents import answer_contents, show_contents
from pages.collection.import_form import show_import
from pages.collection.practice_form import show_practice
from pages.collection.texts_form import CREATED, create_new, edit_texts
from pages.shared.notice import begin, finish
from pages.shared.page import page
from pages.shared.scoring_widgets import choose_alpha
from pages.shared.session import PageContext
from pages.shared.sheet import show_parts
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
            "alpha": choose_alpha(now.alpha, "declared-alpha", left),
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
            "groups": right.text_input(
                "Groups of assessors are by",
                now.groups,
                placeholder="expertise, employer, …",
                key="declared-groups",
            ).strip(),
            "personal": right.checkbox(
                "A personal attribute",
                now.personal,
                help="Groups below 20 people are then not shown, and groups are in no file and no "
                "bundle. Age, sex, country and the like always are personal.",
                key="declared-personal",
            ),
        }
        if not st.form_submit_button("Declare", type="primary"):
            return None
    return {name: value for name, value in wanted.items() if value != getattr(now, name)}


def _first(*named: "str | Sequence[str]") -> list[str]:
    """Return what there is, what is declared first."""
    *declared, others = named
    return list(dict.fromkeys([*map(str, declared), *others]))


IMPORT = "Import"
PURPOSE = "A collection is what is judged: topics, documents, what systems returned, and labels."


@page("collection", "Collection", "Contents", "organiser")
def draw(context: PageContext) -> None:
    """Show the parts of a collection, or how to make the first one."""
    begin(context, PURPOSE)
    if not context.collection_id:
        st.info("This store is empty. Begin with a name; files come next, then people.")
        create_new(context)
        return
    if st.session_state.pop(CREATED, False):
        st.session_state["collection-part"] = IMPORT
    parts = {title: partial(_draw_part, context, title) for title in PARTS}
    show_parts("collection-part", parts)


def _draw_part(context: PageContext, title: str) -> None:
    if title != IMPORT:  # it has an answer of its own: what the files hold
        answer_contents(context)
    PARTS[title](context)


def _show_contents(context: PageContext) -> None:
    show_contents(context)
    st.divider()
    _offer_closing(context)


def _offer_closing(context: PageContext) -> None:
    closed = context.collection.closed_at is not None
    st.caption(
        "Assessors cannot judge in a closed collection. Everything stays, and you can reopen it."
    )
    if st.button("Reopen this collection" if closed else "Close this collection"):
        close_collection(
            context.store, context.collection_id, closed=not closed, by=context.person_id
        )
        finish("The collection is open again." if closed else "The collection is closed.")


def _edit_scales(context: PageContext) -> None:
    edit_scales(context)
    edit_aspects(context)


def _edit_reasons(context: PageContext) -> None:
    """Show the reasons that are offered, or usual ones, and save what is changed."""
    chosen = list_reason_choices(context.store, context.collection_id)
    st.markdown(
        "Where two things stand side by side, assessors can say why one is better: they choose one "
        "or more reasons below the choices, by click or Shift and a digit. Nobody has to. Reasons "
        "are stored with the preference; *Agreement*, *Preferences* counts them by winner."
    )
    if not chosen:
        st.info("No reasons are offered now. These are usual ones; save them to offer them.")
    with st.form(f"reasons-{context.collection_id}"):
        text = st.text_area(
            "Reasons, one a line",
            "\n".join(chosen or USUAL_REASONS),
            height=240,
            help=f"At most {MOST_REASONS}, of at most {LONGEST_REASON} characters each.",
        )
        pressed = st.form_submit_button("Offer these reasons", type="primary")
    if pressed:
        _save_reasons(context, text.splitlines())
    if chosen and st.button("Offer none"):
        _save_reasons(context, [])


def _save_reasons(context: PageContext, reasons: list[str]) -> None:
    try:
        set_reason_choices(context.store, context.collection_id, reasons, by=context.person_id)
    except BadInput as error:
        refuse(error, "The reasons were not changed.")
        return
    now = list_reason_choices(context.store, context.collection_id)
    finish(f"{count(len(now), 'reason')} can be chosen now." if now else "No reasons are offered.")


PARTS = {
    "Contents": _show_contents,
    IMPORT: show_import,
    "Declared": edit_declaration,
    "Texts": edit_texts,
    "Scales": _edit_scales,
    "Practice": show_practice,
    "Reasons": _edit_reasons,
    "New collection": create_new,
}
