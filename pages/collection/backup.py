"""A backup of the whole store."""

import time
from datetime import UTC, datetime

import streamlit as st

from core.store.backup.backup import save_backup
from core.store.file.scratch import scratch_folder
from core.store.store import Store
from pages.server.log import log
from pages.shared.session import PageContext, while_signed_in


def offer_backup(context: PageContext) -> None:
    """Offer a backup, and say how it is restored."""
    st.markdown(
        "A backup holds every collection, every label with its history, and all people with their "
        "names; links and sign-ins are in it as hashes only. It is made while the server runs and "
        "shows the store at a single moment. Keep it safe."
    )
    name = f"{context.store.path.stem}-{datetime.now(UTC):%Y-%m-%d-%H%M}.zip"
    st.download_button(
        "Back up the store",
        data=while_signed_in(lambda: read_backup(context.store)),
        file_name=name,
        mime="application/zip",
        on_click="ignore",
        icon=":material/backup:",
        type="primary",
    )
    st.markdown("To make a new store from it:")
    st.code(f"dissent restore {name} --store NEW.duckdb", language=None, wrap_lines=True)


def read_backup(store: Store) -> bytes:
    """Return a backup of the store as a ZIP archive."""
    begun = time.perf_counter()
    with scratch_folder(store.path.parent) as folder:
        target = folder / "backup.zip"
        counts = save_backup(store, target)
        content = target.read_bytes()
    ms = round((time.perf_counter() - begun) * 1000, 1)
    log("backup", rows=sum(counts.values()), bytes=len(content), ms=ms)
    return content
