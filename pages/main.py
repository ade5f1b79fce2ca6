"""The script that Streamlit runs for every visitor: who are you, which pages, run."""

import streamlit as st

from pages.shared.figure import hide_raw_downloads
from pages.shared.navigation import pages_for
from pages.shared.session import choose_collection, current_context
from pages.shared.welcome import say_goodbye, show_banner, show_sign_out

st.set_page_config(page_icon="⚖️", layout="wide")
context = current_context()
if context.person is None:
    st.set_page_config(page_title="Dissent")
    say_goodbye()
    st.stop()
hide_raw_downloads()
choose_collection(context)
chosen = st.navigation(pages_for(context), expanded=True)
show_sign_out(context)
show_banner(context)
chosen.run()
