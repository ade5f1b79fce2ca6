"""The roster of a collection: who judges here, in which group, and as what they count."""

from typing import Any

import pandas as pd
import streamlit as st

from core.assessment.handing_out.qualifying import Standing, read_standings
from core.collection.export.delimited import write_table
from core.errors import BadInput
from core.store.machines.machines import ORIGIN
from core.store.people.consent import NO, read_roster
from core.store.people.erasure import ERASED
from core.store.people.pseudonyms import hide_assessors
from core.store.people.roster import KINDS, PERSON, RosterEntry, edit_roster
from core.wording import count
from pages.shared.notice import finish
from pages.shared.session import PageContext, while_signed_in
from pages.shared.wording import refuse, tell_left_out

_ORIGINS = {
    "invited": "invited: signs in and judges here",
    "imported": "imported: came with a file of labels",
    "simulated": "simulated: labels made by a program",
    ORIGIN: "machine: described, with labels of its own",
    ERASED: "erased: only labels are left",
}
_EDITABLE = ("group", "kind")
_KIND = (
    "Labels of a machine, and of gold, stay out of agreement and of qrels versions. A version "
    "whose rule names them still has them, and so has every version as of an earlier event."
)


def show_roster(context: PageContext) -> None:
    """Say who judges here, and show everybody, with groups and kinds to be changed."""
    members = read_roster(context.store, context.collection_id)
    if members.empty:
        context.sheet.tell("There are no assessors yet. Invite some below, or import labels.")
        return
    standings = read_standings(context.store, context.collection_id)
    context.sheet.answer(answer_roster(members, standings))
    scores = {one: standing.summary for one, standing in standings.items()}
    members["test"] = [scores.get(one, "") for one in members["assessor_id"]]
    members["origin"] = members["origin"].map(lambda origin: _ORIGINS.get(origin, origin))
    shown = ["name", "group", "kind", *(["test"] if standings else [])]
    shown += ["consent", "consent_at"] if members["consent_at"].notna().any() else []
    shown += ["origin", *(["dropped_at"] if members["dropped_at"].notna().any() else [])]
    shown += ["assessor_id"]
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
    _offer_file(context, members)
    entries = changed_entries(before, after)
    if st.button(
        f"Save {count(len(entries), 'change')} to the roster" if entries else "Save the roster",
        disabled=not entries,
    ):
        _save(context, entries)


def answer_roster(members: pd.DataFrame, standings: dict[str, Standing]) -> str:
    """Return in Markdown how many judge here, and what an organiser has to look at."""
    here = members[(members["kind"] == PERSON) & members["dropped_at"].isna()]
    signing = int((here["origin"] != "imported").sum())
    answer = f"**{count(signing, 'person judges', 'people judge')} here**" if signing else ""
    if imported := len(here) - signing:
        known = count(imported, "person", "people")
        answer = f"{answer or '**Nobody judges here yet**'}, and labels of {known} were imported"
    parts = [answer or "**Nobody judges here yet**"]
    if below := sum(one.is_barred for one in standings.values()):
        parts.append(f"{below:,} below the mark of the test {'waits' if below == 1 else 'wait'}")
    if refused := int((here["consent"] == NO).sum()):
        parts.append(f"{refused:,} did not consent to the use of their data")
    return f"{'; '.join(parts)}."


def _columns() -> dict[str, Any]:
    return {
        "group": st.column_config.TextColumn(help="For example, experts or students."),
        "kind": st.column_config.SelectboxColumn(options=KINDS, required=True, help=_KIND),
        "consent_at": st.column_config.DatetimeColumn("answered (UTC)", format="D MMM YYYY"),
        "assessor_id": st.column_config.TextColumn("id", help="Stands for the name in exports."),
        "dropped_at": st.column_config.DatetimeColumn("taken off (UTC)", format="D MMM YYYY"),
    }


def _offer_file(context: PageContext, members: pd.DataFrame) -> None:
    """Offer the roster as a file, with codes in place of names unless they are asked for."""
    with st.container(horizontal=True, vertical_alignment="center"):
        names = st.toggle("Names in the file", key="roster-names")
        st.download_button(
            "Roster, CSV",
            data=while_signed_in(lambda: write_roster(context, members, names=names)),
            file_name="roster.csv",
            mime="text/csv",
            on_click="ignore",
        )


def write_roster(context: PageContext, members: pd.DataFrame, *, names: bool) -> bytes:
    """Return the roster as CSV: who is what, and whether they agreed to the use of their data."""
    if not names:
        members = hide_assessors(context.store, context.collection_id, members)
    return write_table(members)


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
