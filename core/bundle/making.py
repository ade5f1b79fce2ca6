"""Making a study bundle of a collection."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from hashlib import sha256

import pandas as pd

from core.analysis.base.declared import declared_first, declared_of, model_of
from core.analysis.base.labels import describe_left_out, labels_by_round
from core.analysis.base.study import Study, runs_of, scales_of
from core.analysis.results.declared import (
    declared_choice,
    declared_measures,
    declared_test,
)
from core.analysis.results.qrels_choices import (
    IMPORTED,
    as_filed,
    find_choice,
    imported_qrels,
    list_choices,
    version_of,
)
from core.analysis.results.scores import weights_for
from core.bundle.archive import write_archive
from core.bundle.choices import MEASURES, WHOLE, Choices
from core.bundle.consented import find_consenting
from core.bundle.content import Content, read_content, write_runs
from core.bundle.crate import METADATA, write_metadata
from core.bundle.description import (
    FILE,
    LABELS,
    Description,
    PublishedLabels,
    Run,
    Version,
    list_software,
)
from core.bundle.figures import draw_figures, print_figures, print_tables
from core.bundle.hashes import MANIFEST, write_manifest
from core.bundle.methods import write_methods
from core.bundle.preferences import PREFERENCES, pack_preferences
from core.bundle.tables import FROM_LABELS, make_analyses
from core.bundle.texts import README, rule_file, tell_entries, write_readme
from core.collection.export.label_export import write_labels_csv
from core.collection.labels.label_options import CANNOT_JUDGE, JUDGED
from core.collection.qrels_and_runs.trec import write_qrels
from core.collection.records import FACETS, counted_levels
from core.errors import BadInput, TooLittleData
from core.measures.catalogue import parse_measure
from core.reports.agreement import Agreement
from core.reports.compare import SystemComparison

USUAL = ("all, maximum", "all, median", "all, minimum")
"""The versions that are published unless others are named, with the declared and every imported
one."""

_LEFT_OUT = ["given_level", "comment", "time", "dwell_ms", "source"]
"""Columns of labels that no table needs, and that tell more of a person than the levels do."""


@dataclass(frozen=True)
class Bundle:
    """A bundle: its bytes, and what it says of itself."""

    content: bytes
    about: Description
    entries: tuple[str, ...]


def make_bundle(study: Study, choices: Choices | None = None) -> Bundle:
    """Return a collection as a study bundle; the same study, choices and software, the same bytes.

    Raises
    ------
    NotFound
        There is no such version.
    BadInput
        A measure cannot be read.
    TooLittleData
        There are neither qrels nor labels to publish.
    """
    chosen = choices or Choices()
    study = Study(study.store, study.collection_id, is_masked=True)
    labels = _labels_of(study)
    entries: dict[str, bytes] = {}
    measures = tuple(str(parse_measure(one)) for one in chosen.measures or usual_measures(study))
    added = _add_labels(study, chosen, labels, entries)
    weighed = measures if added.agreement else ()
    versions = _add_versions(study, chosen, labels, weighed, entries)
    runs = _add_runs(study, chosen, entries)
    preferences = pack_preferences(
        study, published=added.published, imported=chosen.imported_labels
    )
    if preferences is not None:
        entries[PREFERENCES] = preferences
    if not versions and not (added.published and added.assessors):
        raise TooLittleData("there are neither qrels nor labels to publish")
    named = _levels_of(study, labels)
    declared, test = declared_of(study), chosen.test or declared_test(study)
    about = Description(
        collection=study.collection.name,
        date=_find_date(study, labels),
        licence=chosen.licence.strip(),
        levels={facet: tuple(names) for facet, names in named.items()},
        labels=added,
        versions=versions,
        runs=runs,
        measures=tuple(dict.fromkeys(measures)),
        samples=test.samples,
        seed=test.seed,
        alpha=test.alpha,
        users=declared.users,
        at_least=declared.at_least,
        simulated=study.collection.simulated,
        software=list_software(),
        level_names={facet: tuple(names.values()) for facet, names in named.items()},
        declared=declared,
        reports=(Agreement.name, SystemComparison.name),
        tested_by=test.test,
        corrected_by=test.correction,
        over_conditions=test.over_conditions,
    )
    content = read_content(about, entries)
    lacking = content.lacking
    if lacking and chosen.measures:
        raise BadInput(f"no version here has a weight for each level: {', '.join(lacking)}")
    scored = tuple(one for one in about.measures if one not in lacking)
    return _pack(replace(content, about=replace(about, measures=scored)), entries)


def _pack(content: Content, entries: dict[str, bytes]) -> Bundle:
    """Return the bundle of entries: tables are made of all, withheld ones are then left out."""
    about = content.about
    made = make_analyses(content)
    tables, notes = made.tables, [*made.of_labels, *made.of_runs]
    withheld = {one.file for one in about.runs if not one.published}
    if not about.labels.published:
        withheld |= {LABELS, PREFERENCES}
        hidden = FROM_LABELS if not about.labels.agreement else FROM_LABELS[1:2]
        for name in hidden:  # how two persons agree is theirs, as labels are
            tables.pop(name, None)
        if not about.labels.agreement:
            notes = [*made.of_runs]
    kept = {name: own for name, own in entries.items() if name not in withheld}
    printed = print_tables(tables)
    kept |= {f"tables/{name}.csv": own for name, own in printed.items()}
    drawn = draw_figures(printed)
    kept |= {**drawn, **print_figures(drawn)}
    kept[FILE] = about.to_json()
    kept |= write_methods(content)
    kept[README] = write_readme(about, [*kept, README], notes)
    kept[METADATA] = write_metadata(about, kept, tell_entries(about, list(kept)))
    kept[MANIFEST] = write_manifest(kept)
    return Bundle(write_archive(kept), about, tuple(sorted(kept)))


def _labels_of(study: Study) -> pd.DataFrame:
    """Return the labels that count, with their rounds; hidden repeats are no opinions."""
    labels = labels_by_round(study)
    return labels[labels["state"].isin([JUDGED, CANNOT_JUDGE]) & (labels["occasion"] == 0)]


def _levels_of(study: Study, labels: pd.DataFrame) -> dict[str, dict[int, str]]:
    scales, judged = scales_of(study), set(labels["facet"])
    return {one: counted_levels(scales[one]) for one in FACETS if one in judged}


def _add_versions(
    study: Study,
    chosen: Choices,
    labels: pd.DataFrame,
    weighed: Sequence[str],
    entries: dict[str, bytes],
) -> tuple[Version, ...]:
    found = []
    names = list(dict.fromkeys(chosen.versions)) or usual_versions(study, labels)
    filed = [
        as_filed(
            study, find_choice(study, one.removeprefix(IMPORTED)) if isinstance(one, str) else one
        )
        for one in names
    ]
    apart = {choice.name: choice for choice in filed}  # one may be another in whole levels
    for number, choice in enumerate(apart.values(), start=1):
        version = version_of(study, choice)
        qrels = version.frame
        file = f"qrels/{number:02}-{_slug(choice.name)}.qrels"
        entries[file] = write_qrels(qrels)
        gmax = None if version.is_gmax_taken else version.gmax
        rule, numbers = choice.rule_text, (len(qrels), version.n_labels)
        weights = weights_for(study, choice, weighed)
        found.append(Version(choice.name, file, rule, *numbers, gmax, weights))
        if choice.rule_text:
            entries[rule_file(file)] = f"{choice.rule_text}\n".encode()
    return tuple(found)


def usual_versions(study: Study, labels: pd.DataFrame) -> list[str]:
    """Return the versions that are published where none is named, the declared one first."""
    judged = [one for one in reversed(FACETS) if one in set(labels["facet"])]
    facet = next(iter(declared_first(study, judged)), "")
    known: Sequence[str] = ()
    if facet:
        known = [*list_choices(study, facet, model_of(study, facet))]
    first = [] if declared_choice(study) is None else [declared_of(study).version]
    return list(dict.fromkeys([*first, *(one for one in USUAL if one in known),
                               *imported_qrels(study)]))  # fmt: skip


def usual_measures(study: Study) -> tuple[str, ...]:
    """Return what runs are scored by where nobody chooses: the declared measure is among them."""
    has_it = declared_of(study).measure in MEASURES
    return MEASURES if has_it else declared_measures(study, MEASURES)


def _add_runs(study: Study, chosen: Choices, entries: dict[str, bytes]) -> tuple[Run, ...]:
    runs = runs_of(study)
    if runs.empty:
        return ()
    found = []
    for number, (system, content) in enumerate(write_runs(runs).items(), start=1):
        file = f"runs/{number:03}-{_slug(system)}.run"
        entries[file] = content
        lines = content.count(b"\n")
        digest = sha256(content).hexdigest()
        found.append(Run(system, file, digest, lines, chosen.runs == WHOLE))
    return tuple(found)


def _add_labels(
    study: Study, chosen: Choices, labels: pd.DataFrame, entries: dict[str, bytes]
) -> PublishedLabels:
    """Add the labels that tables rest on; those that are not published are left out later."""
    if labels.empty:
        return PublishedLabels(False, 0, 0)
    everybody = set(labels["assessor_id"].astype("str"))
    kept, shown = everybody, False
    if chosen.labels:
        kept = set(find_consenting(study, labels, imported=chosen.imported_labels))
        kept, shown = (kept, True) if kept else (everybody, False)
    rows = labels[labels["assessor_id"].isin(sorted(kept))]
    entries[LABELS] = write_labels_csv(rows.drop(columns=_LEFT_OUT, errors="ignore"))
    hidden = everybody - kept if shown else everybody
    numbers = len(kept) if shown else 0, len(hidden)
    return PublishedLabels(shown, *numbers, chosen.agreement or shown, describe_left_out(study))


def _find_date(study: Study, labels: pd.DataFrame) -> str:
    """Return the day of the last label, or of the collection's making: a bundle has no clock."""
    last = labels["time"].max() if len(labels) else pd.NaT
    day = study.collection.created_at if pd.isna(last) else last
    return f"{day:%Y-%m-%d}"


def _slug(name: str) -> str:
    """Return what of a name may be in the name of an entry."""
    return re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")[:60] or "unnamed"
