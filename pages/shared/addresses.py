"""Addresses: of one document in a session, signed by the server, and of the server itself.

The server's is as the organiser reaches it, for links that are given to others.
"""

from urllib.parse import urlsplit

import streamlit as st
from streamlit import config

from core.settings import local_address
from pages.server.running import server

_PURPOSE = "page in a session"


_TEXT_ONLY = "text only"


def page_address(
    collection_id: str, document_id: str, query: str, session_id: str, *, text_only: bool = False
) -> str:
    """Return the address under which the browser of a session may show one document.

    With ``text_only`` it shows of an HTML page what the server reads of it as text.
    """
    content = [collection_id, document_id, query, session_id, *([_TEXT_ONLY] if text_only else [])]
    return "/api/page/" + server().sign(_PURPOSE, content)


def read_page_address(token: str) -> tuple[str, str, str, str, bool]:
    """Return what stands in the last part of an address.

    That is collection, document, query and session, and whether text only is to be shown.

    Raises
    ------
    NotAllowed
        It is forged or expired.
    """
    collection_id, document_id, query, session_id, *form = server().read_signed(_PURPOSE, token)
    return collection_id, document_id, query, session_id, form == [_TEXT_ONLY]


def server_address() -> str:
    """Return where this server is reached: as the organiser's browser reaches it."""
    seen = urlsplit(st.context.url or "")
    if seen.netloc:
        return f"{seen.scheme}://{seen.netloc}"
    return local_address(config.get_option("server.address"), config.get_option("server.port"))
