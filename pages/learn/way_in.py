"""Where students join a class, and what to do while they cannot get there."""

from urllib.parse import urlsplit

import streamlit as st
from streamlit import config

from core.command.serve import network_host, write_command
from core.language.translate import t
from core.settings import local_address
from core.store.rounds.lessons import Lesson, lesson_code
from pages.shared.server_address import server_address
from pages.shared.session import PageContext

LOOPBACK = ("127.0.0.1", "localhost", "::1")
_EVERYWHERE = "0.0.0.0"


def join_address(room: PageContext, lesson: Lesson) -> str:
    """Return the address at which students join."""
    code = lesson_code(room.store, lesson)
    return f"{server_address()}/join/{code[:4]}-{code[4:]}"


def is_loopback() -> bool:
    """Tell whether this server is seen under an address that is this machine's alone."""
    return urlsplit(server_address()).hostname in LOOPBACK


def warn_of_loopback(room: PageContext) -> None:
    """Say how to let other machines in, where this address is for this one only."""
    if not is_loopback():
        return
    listens, port = _find_socket()
    host = network_host()
    there = f"`{local_address(host, port)}`" if host else t("the name of this machine")
    told = f":material/warning: {t('This address works on this computer only.')}"
    if listens not in LOOPBACK:
        how = t("Open this page at {name}: students then see that address.", name=there)
        st.caption(f"{told} {how}")
        return
    how = t(
        "Put a proxy in front of the server or, in a network that you trust, stop it and start it "
        "with this command; then open this page at {name}, so that students see that address.",
        name=there,
    )
    st.caption(f"{told} {how}")
    store = None if room.demo else room.store.place
    st.code(write_command(store, _EVERYWHERE, port), language=None, wrap_lines=True)


def _find_socket() -> tuple[str, int]:
    """Return where this server listens."""
    return str(config.get_option("server.address")), int(config.get_option("server.port"))
