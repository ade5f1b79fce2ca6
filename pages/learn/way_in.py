"""Where students join a class, and what to do while they cannot get there."""

from urllib.parse import urlsplit

import streamlit as st

from core.command.serve import write_command
from core.settings import network_host
from core.store.rounds.lessons import Lesson, lesson_code
from pages.shared.server_address import server_address
from pages.shared.session import PageContext

LOOPBACK = ("127.0.0.1", "localhost", "::1")
_EVERYWHERE = "0.0.0.0"


def join_address(room: PageContext, lesson: Lesson) -> str:
    """Return the address at which students join."""
    code = lesson_code(room.store, lesson)
    return f"{server_address()}/join/{code[:4]}-{code[4:]}"


def warn_of_loopback(room: PageContext) -> None:
    """Say how to let other machines in, where this address is for this one only."""
    seen = urlsplit(server_address())
    if seen.hostname not in LOOPBACK:
        return
    command = write_command(None if room.demo else room.store.path, _EVERYWHERE, seen.port or 80)
    host = network_host() or "the name of this machine"
    st.caption(
        ":material/warning: This address works on this computer only. Put a proxy in front of the "
        "server or, in a network that you trust, stop it and start it with this command; then open "
        f"this page at `http://{host}:{seen.port or 80}`, as students are to see that address."
    )
    st.code(command, language="bash", wrap_lines=True)
