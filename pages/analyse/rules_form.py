"""Saving a rule of one's own: which labels, and how they are combined."""

from typing import Any

import pandas as pd
import streamlit as st

from core.errors import DissentError
from core.store.versions import delete_rule, save_rule
from core.versions.combine import COMBINATIONS
from core.versions.rules import QrelsRule
from pages.analyse.facets import names_of
from pages.analyse.versions import Offer, saved_rules, version_of
from pages.shared.live import labels_of
from pages.shared.session import Visit
from pages.shared.wording import count, plain, refuse


def edit_rules(visit: Visit, facet: str, taken: dict[str, Offer]) -> None:
    """Offer to save a rule under a name, and list those that are saved."""
    with st.expander("Versions of your own", icon=":material/rule:"):
        st.markdown(
            "A version is a rule: whose labels, and how several of them become one level. The "
            "rule is saved, not its result: it takes in new labels as they come."
        )
        _list_saved(visit)
        _ask_rule(visit, facet, taken)


def _list_saved(visit: Visit) -> None:
    for rule in saved_rules(visit):
        with st.container(horizontal=True, vertical_alignment="center"):
            st.markdown(f"**{plain(rule.name)}**  {plain(rule.to_json())}")
            if st.button("Delete", key=f"delete-rule-{rule.name}", icon=":material/delete:"):
                delete_rule(visit.store, visit.collection_id, rule.name, by=visit.person_id)
                st.rerun()


def _ask_rule(visit: Visit, facet: str, taken: dict[str, Offer]) -> None:
    labels = labels_of(visit)
    labels = labels[(labels["facet"] == facet) & (labels["state"] == "level")]
    names = names_of(visit)
    with st.form(f"rule-{facet}", border=False, clear_on_submit=True):
        name = st.text_input("Name")
        combine = st.selectbox("Combine labels by", [how for how in COMBINATIONS if how != "udm"])
        assessors = st.multiselect(
            "Only these assessors",
            sorted(set(labels["assessor_id"]), key=names.__getitem__),
            format_func=names.__getitem__,
            placeholder="all",
        )
        groups = st.multiselect(
            "Only these groups", sorted(set(labels["group"]) - {""}), placeholder="all"
        )
        slots = st.multiselect(
            "Only these slots (the first, second … assessor of a topic)",
            range(1, 1 + _most_assessors(labels)),
            placeholder="all",
        )
        judges = st.number_input(
            "At most so many labels of an item", min_value=1, value=None, placeholder="all"
        )
        pressed = st.form_submit_button(f"Save this rule for {facet}s")
    if pressed:
        chosen = dict(assessors=tuple(assessors), groups=tuple(groups), slots=tuple(slots))
        _save(visit, taken, name.strip(), facet, combine, judges=judges, **chosen)


def _most_assessors(labels: pd.DataFrame) -> int:
    numbers = labels.groupby("topic_id")["assessor_id"].nunique()
    return 0 if numbers.empty else int(numbers.max())


def _save(
    visit: Visit, taken: dict[str, Offer], name: str, facet: str, combine: str, **chosen: Any
) -> None:
    if name in taken:
        st.error("A version of this name is there already. Choose another name.")
        return
    try:
        rule = QrelsRule(name, facet, combine, **chosen)
        made = version_of(visit, Offer(name, rule))
        save_rule(visit.store, visit.collection_id, name, rule.to_json(), by=visit.person_id)
    except DissentError as error:
        refuse(error, "The version was not saved.")
        return
    st.toast(f"Saved: {count(len(made.frame), 'judged document')}.")
    st.rerun()
