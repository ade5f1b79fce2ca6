"""The roster of a collection: who judges here, in which group, and as what they count."""

from typing import Any

import pandas as pd
import streamlit as st

from core.analysis.base.wording import count
from core.errors import BadInput
from core.store.people.erasure import ERASED
from core.store.people.members import list_members
from core.store.people.roster import KINDS, RosterEntry, edit_roster
from pages.shared.left_out import tell_left_out
from pages.shared.notice import finish
from pages.shared.session import PageContext
from pages.shared.wording import refuse

_ORIGINS = {
    "invited": "invited: signs in and judges here",
    "imported": "imported: came with a file of labels",
    "simulated": "simulated: labels made by a program",
    ERASED: "erased: only labels are left",
}
_EDITABLE = ("group", "kind")
_KIND = (
    "Labels of a machine, and of gold, stay out of agreement and of qrels versions. A version "
    "whose rule names them still has them, and so has every version as of an earlier event."
)


def show_roster(context: PageContext) -> None:
    """Show the assessors of the collection, with groups and kinds to be changed."""
    members = list_members(context.store, context.collection_id)
    if members.empty:
        st.info("There are no assessors yet.")
        return
    members["origin"] = members["origin"].map(lambda origin: _ORIGINS.get(origin, origin))
    shown = ["name", "group", "kind", "origin", "assessor_id", "dropped_at"]
    before = members[shown]
    after = st.data_editor(
        before,
        hide_index=True,
        placeholder="–",
        disabled=[name for name in shown if name not in _EDITABLE],
        column_config=_columns(),
        key=f"roster-{context.collection_id}-{context.store.state(context.collection_id)[1]}",
    )
    tell_left_out(context)
    entries = changed_entries(before, after)
    if st.button(
        f"Save {count(len(entries), 'change')} to the roster" if entries else "Save the roster",
        disabled=not entries,
    ):
        _save(context, entries)


def _columns() -> dict[str, Any]:
    return {
        "group": st.column_config.TextColumn(help="For example, experts or students."),
        "kind": st.column_config.SelectboxColumn(options=KINDS, required=True, help=_KIND),
        "assessor_id": st.column_config.TextColumn("id", help="Stands for the name in exports."),
        "dropped_at": st.column_config.DatetimeColumn("taken off (UTC)", format="D MMM YYYY"),
    }


def changed_entries(before: pd.DataFrame, after: pd.DataFrame) -> dict[str, RosterEntry]:
    """Return what an editor has changed, by the assessor's id; an emptied group is none."""
    kept = after[[*_EDITABLE]].fillna("").astype("str")
    is_changed = (kept != before[[*_EDITABLE]]).any(axis=1)
    rows = kept.assign(assessor_id=before["assessor_id"])[is_changed]
    columns = [rows[name].tolist() for name in ("assessor_id", *_EDITABLE)]
    return {one: RosterEntry(*entry) for one, *entry in zip(*columns, strict=True)}


def _save(context: PageContext, entries: dict[str, RosterEntry]) -> None:
    try:
        changed = edit_roster(context.store, context.collection_id, entries, by=context.person_id)
    except BadInput as error:
        refuse(error, "The roster was not changed.")
        return
    finish(f"{count(changed, 'member')} of the roster changed.")
