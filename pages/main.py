"""The script that Streamlit runs for every visitor: who are you, which pages, run."""

import streamlit as st

from core.language.translate import speak
from pages.shared.figure import style_figures
from pages.shared.frame import MARK, style_frame
from pages.shared.live import say_how_old
from pages.shared.navigation import Navigation
from pages.shared.session import current_context
from pages.shared.tour import show_tour
from pages.shared.welcome import say_goodbye, show_banner

st.set_page_config(page_icon=MARK, layout="wide", initial_sidebar_state="collapsed")
context = current_context()
if context.person is None:
    st.set_page_config(page_title="Dissent")
    say_goodbye()
    st.stop()
speak(context.language)
style_figures()
style_frame()
navigation = Navigation(context)
chosen = navigation.choose()
show_banner(context)
show_tour(context, chosen.url_path)
navigation.show_frame(chosen)
say_how_old(context.store)
chosen.run()
