"""Qrels and runs as TREC writes them.

A qrels version as NTCIR and BEIR have it, and as a sample, beside the one for TREC.
"""

from functools import partial

import pandas as pd
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from core.analysis.base.moments import describe_moment
from core.analysis.base.study import Study, runs_of
from core.analysis.collection.qrels_files import write_qrels_as, write_sample_as
from core.analysis.results.basis import count_judged, count_labels, describe_export
from core.analysis.results.declared import offer_versions
from core.analysis.results.qrels_choices import (
    QrelsChoice,
    after_discussion,
    version_of,
)
from core.analysis.results.sampled_qrels import describe_left_out, sampled_qrels_of
from core.collection.qrels_and_runs.trec import write_qrels, write_run
from core.errors import DissentError
from core.versions.versions import QrelsVersion, make_whole
from core.versions.wording import describe_ties
from core.wording import count, plain
from pages.collection.data_files import file_name
from pages.shared.facet_widgets import choose_aspect, choose_facet
from pages.shared.figure import hide_in_name
from pages.shared.scoring_widgets import choose_users
from pages.shared.session import PageContext, while_signed_in
from pages.shared.wording import ask_discussed, say_why_not

_OTHERS = {
    "ntcir": ("NTCIR qrels", "ntcir.qrels", "text/plain", "Levels are written L0, L1 and so on."),
    "beir": (
        "BEIR",
        "beir.zip",
        "application/zip",
        "Queries, corpus and qrels as Parquet, as the Hugging Face hub has them.",
    ),
}
_SAMPLED = {
    "strata": ("Sample, strata", "strata.qrels", "text/plain", "As NIST's sample_eval reads it."),
    "prels": ("Sample, prels", "prels", "text/plain", "With probabilities, for statAP."),
    "sample": (
        "Sample, TSV",
        "sample.tsv",
        "text/tab-separated-values",
        "With strata and probabilities, and what was pooled and not drawn (level -1).",
    ),
}


def offer_qrels(context: PageContext) -> None:
    """Offer every version of the judgements, made from labels or imported."""
    st.header("Judgements", anchor=False)
    st.markdown(
        "A qrels version has one level for each judged pair of topic and document: made "
        "from labels, or imported."
    )
    context = choose_aspect(context, "export-aspect")
    facet = choose_facet(context, "export-facet")
    choices = offer_versions(context.study, facet, choose_users(context, facet))
    if not choices:
        nothing = f"There are neither labels of {facet}s nor imported qrels yet."
        st.info(f"Nothing was said of {context.aspect} yet." if context.aspect else nothing)
        return
    place = st.container(horizontal=True, vertical_alignment="bottom")
    key = place.selectbox(
        "Version",
        list(choices),
        format_func=lambda one: choices[one].name,
        key=" ".join(filter(None, (f"export-version-{facet}", context.aspect))),
        width=360,
    )
    choice = choices[key]
    is_asked = choice.rule is not None and not choice.rule.discussed
    if is_asked and ask_discussed(context, f"export-discussed-{facet}"):
        choice = after_discussion(choice)
    _offer_version(context, choice, place)


def _offer_version(context: PageContext, choice: QrelsChoice, place: DeltaGenerator) -> None:
    try:
        version = version_of(context.study, choice)
    except DissentError as error:
        say_why_not(error, "This version cannot be made yet:")
        return
    filed = make_whole(version)
    name = hide_in_name(filed.rule.name if filed.rule.whole else choice.name)
    qrels = filed.frame
    place.download_button(
        "TREC qrels",
        data=while_signed_in(lambda: write_qrels(qrels)),
        file_name=file_name(context, f"{name}.qrels"),
        mime="text/plain",
        on_click="ignore",
    )
    offer_other_qrels(context, name, qrels, place)
    left_out = offer_samples(context, choice, hide_in_name(choice.name), place)
    st.caption(_describe(context.study, choice, version) + left_out)


def offer_runs(context: PageContext) -> None:
    """Offer the runs in one TREC file, or one of them."""
    st.header("Runs", anchor=False)
    runs = runs_of(context.study)
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
            data=while_signed_in(lambda: write_run(kept)),
            file_name=file_name(context, f"{chosen or 'all'}.run"),
            mime="text/plain",
            on_click="ignore",
        )


def _describe(study: Study, choice: QrelsChoice, version: QrelsVersion) -> str:
    if choice.rule is None:
        return f"{count(version.n_labels, 'line')}. Content {version.content_hash[:12]}."
    made = (
        f"{count_judged(version)} from {count_labels(version)}, up to "
        f"{describe_moment(study, version.last_sequence)}."
    )
    made = " ".join([made, *describe_ties(version)])
    return f"{made}{describe_export(version)} Content {version.content_hash[:12]}."


def offer_other_qrels(
    context: PageContext, name: str, qrels: pd.DataFrame, place: DeltaGenerator
) -> None:
    """Offer a version in the other formats, each of which is made when its button is pressed."""
    for key, (label, ending, mime, explained) in _OTHERS.items():
        place.download_button(
            label,
            data=while_signed_in(
                partial(write_qrels_as, context.store, context.collection_id, key, qrels, name)
            ),
            file_name=file_name(context, f"{name}.{ending}"),
            mime=mime,
            help=explained,
            on_click="ignore",
        )


def offer_samples(
    context: PageContext, choice: QrelsChoice, name: str, place: DeltaGenerator
) -> str:
    """Offer the topics of a version of which a sample was judged; returns what is left out."""
    qrels = sampled_qrels_of(context.study, choice)
    if qrels.sampled.empty:
        return ""
    for key, (label, ending, mime, explained) in _SAMPLED.items():
        place.download_button(
            label,
            data=while_signed_in(partial(write_sample_as, context.study, choice, key)),
            file_name=file_name(context, f"{name}.{ending}"),
            mime=mime,
            help=explained,
            on_click="ignore",
        )
    return "".join(f" Not in samples: {plain(one)}." for one in describe_left_out(qrels))
