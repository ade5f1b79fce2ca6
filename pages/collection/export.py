"""The organiser's page for taking data out.

The paper pack: tables, figures, methods and BibTeX in one ZIP. Labels and preferences for other
tools.

A backup of the whole store. A study bundle: what others need to compute a study anew, as one file.
"""

import time
from datetime import UTC, datetime
from functools import partial

import streamlit as st

from core.analysis.base.declared import declared_first, declared_of, model_of
from core.analysis.base.study import Study, labels_of, runs_of, scales_of
from core.analysis.results.declared import declared_choice, declared_measures, offer_versions
from core.analysis.results.qrels_choices import IMPORTED, list_choices
from core.analysis.results.scores import SUGGESTED
from core.bundle.choices import HASHES, WHOLE, Choices
from core.bundle.consented import find_consenting
from core.bundle.making import make_bundle, usual_versions
from core.collection.annotation_tools.writers import LABEL_WRITERS, PREFERENCE_WRITERS
from core.collection.records import FACETS
from core.paper.choices import MEASURES
from core.paper.pack import make_pack
from core.store.backup.backup import save_backup
from core.store.file.scratch import scratch_folder
from core.store.store import Store
from core.wording import count
from pages.collection.data_files import (
    ANSWERS,
    ASPECTS,
    CLICKS,
    LABELS,
    PARADATA,
    PASSAGES,
    PREFERENCES,
    WORDS,
    Download,
    FilesPart,
    file_name,
    offer_files,
)
from pages.collection.public_form import offer_public_page
from pages.collection.trec_files import offer_qrels, offer_runs
from pages.collection.webhooks_form import offer_webhooks
from pages.server.log import log
from pages.shared.figure import NAMES_IN_DATA
from pages.shared.notice import begin
from pages.shared.page import page
from pages.shared.session import PageContext, while_signed_in
from pages.shared.sheet import show_parts
from pages.shared.wording import needs_collection

TOOLS = FilesPart(
    "tool",
    "Labels for other tools",
    "The levels of all labels that stand, with the query, title and text of each item, as these "
    "tools read them. Each file can be imported here again. A book for Quepid has a row for each "
    "query and document and a column for each assessor; it holds no snippets and no repeats.",
    tuple(
        Download(one.title, "labels", one.ending, one.media_type, tool)
        for tool, one in LABEL_WRITERS.items()
    ),
    "Ids instead of codes.",
    "There are no labels yet.",
)
TOOL_PAIRS = FilesPart(
    "tool-pair",
    "Preferences for other tools",
    "Pairs as tasks of Label Studio's *Pairwise*, with what was chosen.",
    tuple(
        Download(one.title, "preferences", one.ending, one.media_type, tool)
        for tool, one in PREFERENCE_WRITERS.items()
    ),
    "Ids instead of codes.",
)

ANSWER = (
    "Qrels, labels, preferences, runs and what else was collected, as files, as a public page or "
    "as a bundle that others compute anew; and a backup of the whole store."
)
PURPOSE = (
    "Files to download. Each is created when you press its button. To download scores, or the "
    "numbers behind any figure or table, press *Data* below it on its own page."
)


@page("export", "Collection", "Export", "organiser")
def draw(context: PageContext) -> None:
    """Offer files, a public page, a bundle, webhooks and a backup."""
    begin(context, PURPOSE)
    context.sheet.answer(ANSWER)
    if needs_collection(context):
        _ask_for_names()
        _show_backup(context)
        return
    show_parts("export-part", {title: partial(part, context) for title, part in PARTS.items()})


def _show_files(context: PageContext) -> None:
    offer_qrels(context)
    for part in (LABELS, ASPECTS, PREFERENCES):
        offer_files(context, part)
    offer_runs(context)
    for part in (PASSAGES, PARADATA, ANSWERS, CLICKS, WORDS):
        offer_files(context, part)
    _ask_for_names()


def _show_other_tools(context: PageContext) -> None:
    for part in (TOOLS, TOOL_PAIRS):
        offer_files(context, part)


def _show_bundle_and_paper(context: PageContext) -> None:
    offer_bundle(context)
    offer_paper(context)


def _show_backup(context: PageContext) -> None:
    st.header("The whole store", anchor=False)
    offer_backup(context)


PARTS = {
    "Files": _show_files,
    "Other tools": _show_other_tools,
    "Public page": offer_public_page,
    "Bundle and paper": _show_bundle_and_paper,
    "Webhooks": offer_webhooks,
    "Backup": _show_backup,
}


def _ask_for_names() -> None:
    """Let the organiser have names in the data behind figures and tables, until they sign out."""
    st.header("Data behind figures and tables", anchor=False)
    st.markdown(
        "What *Data* gives on the other pages. Assessors appear there as the same codes as in the "
        "files above. In texts that people wrote, a name is replaced by its code only where it is "
        "a whole word."
    )
    asked = st.checkbox(
        "With names",
        value=st.session_state.get(NAMES_IN_DATA, False),
        help="In this browser tab, until you reload it or untick this.",
    )
    st.session_state[NAMES_IN_DATA] = asked


def offer_paper(context: PageContext) -> None:
    """Offer the pack, with a choice of qrels versions and measures."""
    st.header("For a paper", anchor=False)
    st.markdown(
        "Every table as CSV, LaTeX and Markdown, figures as SVG and PDF, a paragraph on methods "
        "with its numbers filled in, and BibTeX of what it rests on. Begin with *paper.tex*. "
        "Assessors appear by codes."
    )
    study = Study(context.store, context.study.collection_id, is_masked=True)
    facet = declared_of(study).facet
    model = model_of(study, facet)
    choices = offer_versions(study, facet, model)
    usual = declared_measures(study, MEASURES)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        versions = st.multiselect(
            "Versions",
            list(choices),
            default=list(choices)[:1],
            format_func=lambda one: choices[one].name,
            key="paper-versions",
            width=360,
        )
        measures = st.multiselect(
            "Measures",
            list(dict.fromkeys([*usual, *SUGGESTED])),
            default=usual,
            key="paper-measures",
            width=360,
        )
        chosen = [choices[one] for one in versions]
        st.download_button(
            "Paper pack",
            data=while_signed_in(lambda: make_pack(study, chosen, measures).zip()),
            file_name=file_name(context, "paper.zip"),
            mime="application/zip",
            on_click="ignore",
        )


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


_TEXT = (
    "One ZIP archive, an RO-Crate, with which somebody else can compute this study anew: qrels "
    "with the rules they were made by, runs, tables, figures, methods, seeds and versions. Nobody "
    "is named in it, and comments and times stay here."
)


def offer_bundle(context: PageContext) -> None:
    """Offer the bundle of the collection, where there is anything to publish."""
    study = Study(context.store, context.collection_id, is_masked=True)
    labels, known = labels_of(study), _list_versions(study)
    if not known:
        return
    st.header("Study bundle", anchor=False)
    st.markdown(_TEXT)
    usual = [one for one in usual_versions(study, labels) if one in known]
    versions = st.multiselect(
        "Qrels versions",
        list(known),
        default=usual,
        format_func=known.__getitem__,
        key="export-bundle-versions",
    )
    runs = WHOLE
    if not runs_of(study).empty:
        runs = st.radio(
            "Runs",
            [WHOLE, HASHES],
            format_func={WHOLE: "in the bundle", HASHES: "only their hashes"}.__getitem__,
            horizontal=True,
            key="export-bundle-runs",
            help="With hashes alone, whoever computes the scores anew needs the runs as files.",
        )
    chosen = _ask_for_labels(study) if len(labels) else Choices()
    licence = st.text_input(
        "Licence",
        key="export-bundle-licence",
        placeholder="https://creativecommons.org/licenses/by/4.0/",
        help="What others may do with the bundle: an address or a text.",
        width=420,
    )
    choices = Choices(
        versions=tuple(versions),
        labels=chosen.labels,
        imported_labels=chosen.imported_labels,
        runs=runs,
        licence=licence,
    )
    st.download_button(
        "Study bundle",
        data=while_signed_in(lambda: make_bundle(study, choices).content),
        file_name=file_name(context, "study.zip"),
        mime="application/zip",
        on_click="ignore",
        disabled=not versions,
        help="It takes a moment: all tables are computed." if versions else "Choose a version.",
    )
    st.markdown("To compute it anew and compare every number:")
    name = file_name(context, "study.zip")
    st.code(f"dissent reproduce {name}", language=None, wrap_lines=True)


def _list_versions(study: Study) -> dict[str, str]:
    """Return the versions that can be published, with what they are called."""
    known: dict[str, str] = {}
    scales = scales_of(study)
    for facet in declared_first(study, [one for one in reversed(FACETS) if one in scales]):
        model = model_of(study, facet)
        for key, one in list_choices(study, facet, model).items():
            known.setdefault(key, one.name)
    version = declared_of(study).version
    if declared := declared_choice(study):
        known = {version: known.pop(f"{IMPORTED}{version}", declared.name)} | known
    return known


def _ask_for_labels(study: Study) -> Choices:
    """Let the organiser publish labels, and say whose can be."""
    everybody = labels_of(study)["assessor_id"].nunique()
    agreed = len(find_consenting(study, labels_of(study), imported=False))
    vouched = len(find_consenting(study, labels_of(study), imported=True)) - agreed
    labels = st.checkbox(
        "With labels of those who agreed",
        key="export-bundle-labels",
        help="Assessors appear as the same codes as in the files above. What they are asked to "
        "agree to stands under *People*, *Consent*.",
    )
    if not labels:
        return Choices()
    imported = bool(vouched) and st.checkbox(
        f"Also of {count(vouched, 'assessor')} who were imported or simulated",
        key="export-bundle-imported",
        help="Nobody can ask them here: tick this if they agreed elsewhere, or are simulated.",
    )
    published = agreed + vouched * imported
    sentence = f"Labels of {published:,} of {count(everybody, 'assessor')} go into the bundle."
    is_part = 0 < published < everybody
    st.caption(f"{sentence} Agreement in it is theirs alone." if is_part else sentence)
    return Choices(labels=True, imported_labels=imported)
