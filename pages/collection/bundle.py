"""A study bundle: what others need to compute a study anew, as one file."""

import streamlit as st

from core.analysis.base.declared import declared_of, model_of
from core.analysis.base.study import Study, labels_of, runs_of, scales_of
from core.analysis.results.declared import declared_choice
from core.analysis.results.qrels_choices import IMPORTED, list_choices
from core.bundle.choices import HASHES, WHOLE, Choices
from core.bundle.consented import find_consenting
from core.bundle.making import make_bundle, usual_versions
from core.collection.records import FACETS
from core.wording import count
from pages.collection.data_files import file_name
from pages.shared.session import PageContext, while_signed_in

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
    for facet in (one for one in reversed(FACETS) if one in scales):
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
    said = f"Labels of {published:,} of {count(everybody, 'assessor')} go into the bundle."
    is_part = 0 < published < everybody
    st.caption(f"{said} Agreement in it is theirs alone." if is_part else said)
    return Choices(labels=True, imported_labels=imported)
