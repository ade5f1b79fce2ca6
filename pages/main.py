"""The script that Streamlit runs for every visitor: who are you, which pages, run."""

import streamlit as st

from pages.shared.catalogue import pages_for
from pages.shared.figure import hide_raw_downloads
from pages.shared.session import choose_collection, current_visit
from pages.shared.welcome import show_banner, show_sign_out, show_welcome

st.set_page_config(page_icon="⚖️", layout="wide")
visit = current_visit()
if visit.person is None:
    st.set_page_config(page_title="Dissent")
    show_welcome(visit)
    st.stop()
hide_raw_downloads()
choose_collection(visit)
chosen = st.navigation(pages_for(visit), expanded=True)
show_sign_out(visit)
show_banner(visit)
chosen.run()
