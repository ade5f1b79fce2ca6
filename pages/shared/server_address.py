"""The address under which this server is reached, for links that are given to others."""

from urllib.parse import urlsplit

import streamlit as st
from streamlit import config

from core.settings import local_address


def server_address() -> str:
    """Return where this server is reached: as the organiser's browser reaches it."""
    seen = urlsplit(st.context.url or "")
    if seen.netloc:
        return f"{seen.scheme}://{seen.netloc}"
    return local_address(config.get_option("server.address"), config.get_option("server.port"))
