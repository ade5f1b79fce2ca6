"""Erasing a person, after saying what goes and asking twice."""

import streamlit as st

from core.errors import BadInput
from core.store.people.erasure import ERASED, Trace, erase_person, trace_person
from core.store.people.members import list_members
from core.store.people.people import list_people
from core.store.people.roster import PERSON
from core.wording import count, plain
from pages.shared.notice import finish
from pages.shared.session import PageContext
from pages.shared.wording import refuse

_ASKED = "erase-asked"


def offer_erasure(context: PageContext) -> None:
    """Offer to erase somebody; nothing happens before the second answer."""
    names = _list_names(context)
    if not names:
        return
    person_id = st.selectbox(
        "Who is erased",
        list(names),
        index=None,
        format_func=lambda one: _call(one, names[one]),
        placeholder="choose a person",
        width=300,
        key="erase-person",
    )
    if person_id is None:
        return
    try:
        trace = trace_person(context.store, person_id)
    except BadInput as error:
        refuse(error)
        return
    st.markdown(_consequences(trace, names[person_id]))
    _ask_twice(context, trace, names[person_id])


def _list_names(context: PageContext) -> dict[str, str]:
    """Return the names of those who can be erased, by id: accounts, and members of this place."""
    members = list_members(context.store, context.collection_id)
    persons = members[(members["kind"] == PERSON) & (members["origin"] != ERASED)]
    known = dict(zip(persons["assessor_id"], persons["name"], strict=True))
    erased = {one.person_id for one in list_people(context.store) if one.erased_at}
    accounts = {one.person_id: one.name for one in list_people(context.store)}
    gone = {context.person_id, *erased}
    return {one: name for one, name in (known | accounts).items() if one not in gone}


def _call(person_id: str, name: str) -> str:
    return name if name == person_id else f"{name} ({person_id})"


def _consequences(trace: Trace, name: str) -> str:
    where = count(len(trace.collections), "collection")
    texts = (
        f" The name stands in {count(trace.mentions, 'text')} that others wrote; the code takes "
        "its place there."
        if trace.mentions
        else ""
    )
    return (
        f"**{plain(name)}** is erased from the whole store: name, group, password, address, "
        f"sessions, invitations, {count(trace.questions, 'question')} and "
        f"{count(trace.comments, 'comment')}, in {where}. "
        f"{count(trace.events, 'label event').capitalize()} keep their number and level, under the "
        f"code {plain(trace.code)}.{texts} Unfinished slots go back to the open queue. Exports and "
        "backups made from now on do not hold the name, and the store's file, or the copy that "
        "each server has of a database, is written anew at the next start. **Backups, downloads "
        "and logs that were kept before, those of a database included, still hold it**: delete "
        "them. The audit says that somebody was erased, not who. This cannot be undone."
    )


def _ask_twice(context: PageContext, trace: Trace, name: str) -> None:
    if st.session_state.get(_ASKED) != trace.person_id:
        if st.button("Erase this person …", icon=":material/person_remove:"):
            st.session_state[_ASKED] = trace.person_id
            st.rerun()
        return
    typed = st.text_input("Type the name to confirm", key="erase-typed", width=300)
    with st.container(horizontal=True):
        if st.button("Erase for good", type="primary", disabled=typed.strip() != name.strip()):
            _erase(context, trace.person_id)
        if st.button("Keep"):
            del st.session_state[_ASKED]
            st.rerun()


def _erase(context: PageContext, person_id: str) -> None:
    try:
        trace = erase_person(context.store, person_id, by=context.person_id)
    except BadInput as error:
        refuse(error, "Nobody was erased.")
        return
    del st.session_state[_ASKED]
    finish(
        f"One person is erased; {count(trace.events, 'label event')} stay. Start the server anew "
        "to have the store's file rewritten, and delete backups made before."
    )
