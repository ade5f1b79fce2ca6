"""Qrels and runs as TREC writes them."""

import pandas as pd
import streamlit as st

from core.collection.records import FACETS
from core.collection.trec import write_qrels, write_run
from core.store.frames import list_qrels, read_qrels
from core.store.versions import list_rules
from core.versions.rules import QrelsRule
from core.versions.versions import QrelsVersion, make_versions, round_levels, standard_rules
from pages.manage.label_files import file_name
from pages.shared.live import kept, labels_of, runs_of
from pages.shared.session import Visit
from pages.shared.wording import count, plain


def offer_qrels(visit: Visit) -> None:
    """Offer every version of the judgements, imported or made from labels."""
    st.header("Judgements", anchor=False)
    imported = list_qrels(visit.store, visit.collection_id)
    made, refused = kept(visit, _make_versions)
    for name, reason in refused.items():
        st.caption(f":material/info: {plain(name)} is left out: {plain(reason)}")
    choices = [*(("imported", name) for name in imported), *(("made", name) for name in made)]
    if not choices:
        st.info("There are neither labels nor imported qrels yet.")
        return
    st.markdown("A qrels version has one level for each document: imported, or made from labels.")
    with st.container(horizontal=True, vertical_alignment="bottom"):
        kind, name = st.selectbox(
            "Version", choices, format_func=lambda one: f"{one[1]} ({one[0]})", width=360
        )
        if kind == "made":
            qrels = round_levels(made[name])
        else:
            qrels = read_qrels(visit.store, visit.collection_id, name)
        st.download_button(
            "TREC qrels",
            data=lambda: write_qrels(qrels),
            file_name=file_name(visit, f"{name}.qrels"),
            mime="text/plain",
            on_click="ignore",
        )
    st.caption(_describe(made[name]) if kind == "made" else count(len(qrels), "line"))


def offer_runs(visit: Visit) -> None:
    """Offer the runs in one TREC file, or one of them."""
    st.header("Runs", anchor=False)
    runs = runs_of(visit)
    if runs.empty:
        st.info("There are no runs yet.")
        return
    systems = sorted(runs["system"].unique())
    with st.container(horizontal=True, vertical_alignment="bottom"):
        chosen = st.selectbox(
            "System",
            [None, *systems],
            format_func=lambda one: one or f"all {len(systems)} in one file",
            width=360,
        )
        kept = runs if chosen is None else runs[runs["system"] == chosen]
        st.download_button(
            "TREC run",
            data=lambda: write_run(kept),
            file_name=file_name(visit, f"{chosen or 'all'}.run"),
            mime="text/plain",
            on_click="ignore",
        )


def _make_versions(visit: Visit) -> tuple[dict[str, QrelsVersion], dict[str, str]]:
    """Return the versions by name, and by name why others cannot be made."""
    labels = labels_of(visit)
    rules = list_rules(visit.store, visit.collection_id).values()
    saved, refused = make_versions(labels, [QrelsRule.from_json(rule) for rule in rules])
    made = {one.rule.name: one for one in saved}
    for facet in _judged_facets(labels):
        versions, left_out = make_versions(labels, standard_rules(labels, facet))
        made |= {f"{facet}: {one.rule.name}": one for one in versions}
        refused |= {f"{facet}: {name}": reason for name, reason in left_out.items()}
    return made, refused


def _judged_facets(labels: pd.DataFrame) -> list[str]:
    found = set(labels.loc[labels["state"] == "level", "facet"])
    return [facet for facet in FACETS if facet in found]


def _describe(version: QrelsVersion) -> str:
    whole = version.frame["level"].dtype == "int64"
    rounding = "" if whole else f" TREC has whole levels: rounded ({version.rule.rounding})."
    return (
        f"{count(len(version.frame), 'document')} from {count(version.n_labels, 'label')}, up to "
        f"event {version.last_sequence:,}.{rounding} Content {version.content_hash[:12]}."
    )
