"""Inviting a list of people: pasted or uploaded as CSV, with links that are shown once.

What an organiser writes to somebody who is invited: a text to copy, and a link to a mail.
"""

from dataclasses import dataclass
from urllib.parse import quote

import pandas as pd
import streamlit as st

from core.collection.export.delimited import write_table
from core.collection.files.source import Source
from core.collection.people_list import read_people
from core.errors import BadInput
from core.store.people.invited_list import Invited, invite_people
from core.store.people.people import INVITATION_LASTS
from core.wording import count, plain
from pages.shared.addresses import server_address
from pages.shared.notice import finish
from pages.shared.session import PageContext, while_signed_in
from pages.shared.wording import refuse


@dataclass(frozen=True)
class Mail:
    """A mail as it may be sent; ``address`` may be empty."""

    address: str
    subject: str
    body: str

    @property
    def link(self) -> str:
        """Return what opens it in a mail program; empty without an address."""
        if not self.address:
            return ""
        address = quote(self.address, safe="@")
        return f"mailto:{address}?subject={quote(self.subject)}&body={quote(self.body)}"


def write_mail(name: str, address: str, link: str, collection: str, sender: str, days: int) -> Mail:
    """Return the mail that invites somebody to judge in a collection."""
    body = (
        f"Dear {name},\n\n"
        f"you are invited to judge search results for {collection}. Open this link to begin:\n\n"
        f"{link}\n\n"
        f"It works once, within {days} days. Whoever opens it first is signed in by your name, so "
        "please do not pass it on. You can then set a password, under Account, for other "
        f"browsers.\n\n{sender}\n"
    )
    return Mail(address, f"Invitation to judge: {collection}", body)


_LINKS = "people-invited-list"
_PASTED = "pasted list"


def invite_list(context: PageContext) -> None:
    """Ask for a list of people; make assessors of them all, or refuse it with line and field."""
    with st.expander("Invite many assessors"), st.form("invite-list", border=False):
        pasted = st.text_area(
            "One person a line: name, group, e-mail",
            placeholder="name,group,e-mail\nAnna,experts,anna@example.org",
            help="Group and e-mail may be left out. Addresses are used for the mails that are "
            "prepared here, and are not stored.",
        )
        file = st.file_uploader("Or a CSV file", type=["csv", "tsv", "txt"])
        pressed = st.form_submit_button("Invite all")
    if not pressed:
        return
    source = Source(file.name, file.getvalue()) if file else _read_pasted(pasted)
    try:
        people = read_people(source)
        invited = invite_people(
            context.store, context.collection_id, people, file=source.name, by=context.person_id
        )
    except BadInput as error:
        refuse(error, "Nobody was invited.")
        return
    st.session_state[_LINKS] = context.collection_id, _tabulate(context, invited)
    finish(f"{count(len(invited), 'person', 'people')} invited. Their links are below, once.")


def _read_pasted(text: str) -> Source:
    return Source(_PASTED, text.encode("utf-8", "surrogatepass"))


def _tabulate(context: PageContext, invited: list[Invited]) -> pd.DataFrame:
    """Return name, group, e-mail, link, subject, text and mail link of everybody in a list."""
    address, sender = server_address(), context.person.name if context.person else ""
    rows = []
    for one in invited:
        person, link = one.newcomer, f"{address}/enter/{one.token}"
        mail = write_mail(
            person.name,
            person.email,
            link,
            context.collection.name,
            sender,
            INVITATION_LASTS.days,
        )
        rows.append((person.name, person.group, person.email, link, *_lay_out(mail)))
    columns = ["name", "group", "e-mail", "link", "subject", "text", "mail"]
    return pd.DataFrame(rows, columns=columns)


def _lay_out(mail: Mail) -> tuple[str, str, str]:
    return mail.subject, mail.body, mail.link


def show_links(context: PageContext) -> None:
    """Show the links that were just made, until they are put away."""
    collection_id, table = st.session_state.get(_LINKS, ("", None))
    if table is None or collection_id != context.collection_id:
        return
    with st.container(border=True):
        st.markdown(
            f"**Links for {count(len(table), 'person', 'people')}.** Download them now: each works "
            "once, for seven days, and none can be shown again. Whoever opens a link first is "
            "signed in by that name."
        )
        st.dataframe(table[["name", "group", "link"]], hide_index=True)
        st.download_button(
            "Links and mails, CSV",
            data=while_signed_in(lambda: write_table(table.drop(columns="mail"))),
            file_name="invitations.csv",
            mime="text/csv",
            on_click="ignore",
        )
        _show_mail(table)
        if st.button("I have the links"):
            del st.session_state[_LINKS]
            st.rerun()


def _show_mail(table: pd.DataFrame) -> None:
    place = st.selectbox(
        "Mail for",
        range(len(table)),
        format_func=table["name"].tolist().__getitem__,
        width=300,
        key="invited-mail",
    )
    row = table.iloc[place]
    st.code(row["text"], language=None, wrap_lines=True)
    if row["mail"]:
        st.link_button(f"Write to {plain(row['e-mail'])}", row["mail"], icon=":material/mail:")
