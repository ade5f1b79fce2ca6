"""Computing a bundle anew: every table, version and figure that its own content allows."""

import csv
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

import numpy as np
import pandas as pd

from core.bundle.archive import read_archive
from core.bundle.content import Content, read_content, write_runs
from core.bundle.crate import METADATA, write_metadata
from core.bundle.description import (
    FILE,
    LABELS,
    Description,
    Version,
    list_software,
    read_description,
)
from core.bundle.figures import DRAWS, draw_figures, print_figures, print_tables, why_not_compared
from core.bundle.hashes import MANIFEST, find_changes
from core.bundle.methods import METHODS, REFERENCES, why_no_methods, write_methods
from core.bundle.preferences import FROM_PREFERENCES, PREFERENCES
from core.bundle.printed import Cell, compare_printed
from core.bundle.tables import FROM_LABELS, make_tables
from core.bundle.texts import tell_entries
from core.collection.files.source import Source
from core.collection.formats import read_import
from core.collection.qrels_and_runs.trec import write_qrels
from core.errors import BadInput, DissentError
from core.measures.catalogue import parse_measure
from core.store.content.saved_rules import is_marked
from core.versions.combine import ADJUDICATED, PREFERENCE
from core.versions.rules import QrelsRule
from core.versions.versions import qrels_from_labels, round_levels

EQUAL, DIFFERENT, UNCHECKED = "equal", "different", "not checked"

_FOUND_OTHERWISE = {
    "agreement": ("low", "high"),
    "agreement_pairs": ("low", "high"),
    "significance": ("low", "high", "reason"),
    "rank_correlation": ("p",),
    "weights": ("low", "high", "weight_low", "weight_high"),
    "means": ("low", "high", "interval"),
}
"""Columns that earlier releases, which did not name the test of differences, found otherwise.

Of means, those by measures without a highest score.
"""

_LIMITS = re.compile(rb"\(95 % interval \[[^]]*\]")
"""What the methods tell of limits, which such releases found otherwise, too."""

_OTHERWISE = "not compared, as found otherwise since"

_COMPUTED = ("tables/", "qrels/")
"""What figures and texts follow from: these alone reproduce nothing."""


_UNFIT = (LookupError, ValueError, TypeError, AttributeError, csv.Error)
"""What a published table of another form makes of a figure or a text."""


@dataclass(frozen=True)
class ReproducedEntry:
    """One entry that was computed anew, or why it could not be.

    Parameters
    ----------
    entry : str
        Its name in the bundle.
    status : {'equal', 'different', 'not checked'}
        Equal means byte by byte, but for columns that the reason names.
    reason : str
        Why it differs or was not checked; of what is equal, which columns were not compared.
    cells : tuple of Cell
        Of a table that differs, the first cells that do; ``number`` is how many there are.
    """

    entry: str
    status: str
    reason: str = ""
    cells: tuple[Cell, ...] = ()
    number: int = 0


@dataclass(frozen=True)
class Discrepancy:
    """An entry that is not as it was published, and what is wrong with it."""

    entry: str
    reason: str


@dataclass(frozen=True)
class Renewal:
    """A piece of software of which another version was used then; '' where there is none."""

    name: str
    then: str
    now: str


@dataclass(frozen=True)
class Reproduction:
    """What became of a bundle that was computed anew.

    ``changes`` are entries that are not as published: their hashes say so. ``parts`` were computed
    anew. ``software`` is what differs between then and now.
    """

    changes: tuple[Discrepancy, ...]
    parts: tuple[ReproducedEntry, ...]
    software: tuple[Renewal, ...]

    @property
    def is_reproduced(self) -> bool:
        """Whether nothing was changed, nothing differs, and a table or qrels came out equal."""
        computed = [one for one in self.parts if one.entry.startswith(_COMPUTED)]
        is_equal = any(one.status == EQUAL for one in computed)
        return is_equal and not self.changes and not self.count(DIFFERENT)

    def count(self, status: str) -> int:
        """Return how many parts came out so."""
        return sum(one.status == status for one in self.parts)


def reproduce(archive: Path | bytes, runs: Sequence[Source] = (), name: str = "") -> Reproduction:
    """Compute the tables, qrels, figures and methods of a bundle anew and compare them.

    Parameters
    ----------
    archive : Path or bytes
        The bundle.
    runs : sequence of Source
        Runs that are in the bundle by their hashes only.
    name : str
        What the bundle is called in messages.

    Raises
    ------
    BadInput
        It is no bundle, or would lead elsewhere or unpack without end; or a run that was given
        is not the one that was scored.
    """
    called = name or (archive.name if isinstance(archive, Path) else "bundle")
    entries = read_archive(archive, called)
    if FILE not in entries:
        raise BadInput(f"holds no '{FILE}', as a study bundle does", file=called)
    changes = find_changes(entries)
    if FILE in changes:
        return Reproduction(_list_changes(changes), (), ())
    about = read_description(entries[FILE], f"{called}/{FILE}")
    changes = find_changes(entries, _expected_metadata(about, entries))
    held = {**entries, **_take_runs(about, entries, runs)}
    readable = {one: own for one, own in held.items() if one not in changes}
    parts = _Examination(about, entries, readable, called).parts()
    return Reproduction(_list_changes(changes), parts, _compare_software(about.software))


def _list_changes(changes: Mapping[str, str]) -> tuple[Discrepancy, ...]:
    return tuple(Discrepancy(entry, reason) for entry, reason in sorted(changes.items()))


def _expected_metadata(about: Description, entries: Mapping[str, bytes]) -> bytes:
    """Return the crate's metadata as this Dissent writes it; empty where it cannot."""
    kept = {name: own for name, own in entries.items() if name not in (METADATA, MANIFEST)}
    try:
        return write_metadata(about, kept, tell_entries(about, list(kept)))
    except KeyError:
        return b""


def _take_runs(
    about: Description, entries: Mapping[str, bytes], given: Sequence[Source]
) -> dict[str, bytes]:
    """Return the runs that were given as entries, each of which has to have its hash."""
    if not given:
        return {}
    known = {one.system: one for one in about.runs}
    found = {}
    for system, content in write_runs(read_import("runs", given).frames["runs"]).items():
        if system not in known:
            listed = ", ".join(known)[:300] or "none"
            raise BadInput(f"'{system}' is no run of this study; there are {listed}", field="run")
        if sha256(content).hexdigest() != known[system].sha256:
            raise BadInput(f"'{system}' is not the run that was scored in this study", field="run")
        if known[system].file not in entries:
            found[known[system].file] = content
    return found


@dataclass(frozen=True)
class _Examination:
    """One bundle, looked at part by part; ``readable`` leaves out what was changed."""

    about: Description
    entries: Mapping[str, bytes]
    readable: Mapping[str, bytes]
    name: str

    def parts(self) -> tuple[ReproducedEntry, ...]:
        content = read_content(self.about, self.readable)
        try:
            found = print_tables(make_tables(content))
        except DissentError as error:
            raise BadInput(f"its tables cannot be computed: {error}", file=self.name) from error
        published = {
            name.removeprefix("tables/").removesuffix(".csv"): own
            for name, own in self.entries.items()
            if name.startswith("tables/")
        }
        return (
            *self._qrels(content.labels),
            *self._tables(published, found, content),
            *self._drawn({**published, **found, **self._found_otherwise(published)}),
            *self._methods(content),
        )

    def _found_otherwise(self, published: Mapping[str, bytes]) -> dict[str, bytes]:
        """Return tables of which some columns cannot be found as they were: as they are."""
        return {name: own for name, own in published.items() if self._left_out(name)}

    def _left_out(self, name: str) -> tuple[str, ...]:
        """Return the columns of a table that cannot be found as they were."""
        bounds = [parse_measure(one).upper_bound for one in self.about.measures]
        if self.about.tested_by or (name == "means" and np.isfinite(bounds).all()):
            return ()
        return _FOUND_OTHERWISE.get(name, ())

    def _qrels(self, labels: pd.DataFrame | None) -> Iterator[ReproducedEntry]:
        for one in self.about.versions:
            status, reason = UNCHECKED, self._why_not_qrels(one, labels)
            if not reason and labels is not None:
                status, reason = self._derive(one, labels)
            yield ReproducedEntry(one.file, status, reason)

    def _why_not_qrels(self, one: Version, labels: pd.DataFrame | None) -> str:
        if one.file not in self.entries:
            return "it is not in the bundle"
        if reason := why_not_derived(one):
            return reason
        if labels is None:
            return self._why_no_labels()
        if self.about.labels.left_out:
            return "it rests on labels that are not published, too"
        return ""

    def _derive(self, one: Version, labels: pd.DataFrame) -> tuple[str, str]:
        try:
            is_equal = derive_qrels(one, labels) == self.entries[one.file]
        except DissentError as error:
            return UNCHECKED, str(error)
        if is_equal:
            return EQUAL, ""
        return DIFFERENT, f"the rule makes other qrels of the labels{self._blame()}"

    def _tables(
        self, published: Mapping[str, bytes], found: Mapping[str, bytes], content: Content
    ) -> Iterator[ReproducedEntry]:
        for name in sorted({*published, *found}):
            entry = f"tables/{name}.csv"
            if name not in published:
                yield ReproducedEntry(entry, DIFFERENT, "it is found, but not in the bundle")
            elif name not in found:
                yield self._missing(entry, name, content)
            else:
                left_out = self._left_out(name)
                compared = compare_printed(
                    published[name], found[name], f"{self.name}/{entry}", left_out
                )
                if not compared.number:
                    why = f"{_OTHERWISE}: {', '.join(left_out)}"
                    yield ReproducedEntry(entry, EQUAL, why if left_out else "")
                    continue
                reason = (compared.reason or "cells differ") + self._blame()
                yield ReproducedEntry(entry, DIFFERENT, reason, compared.cells, compared.number)

    def _missing(self, entry: str, name: str, content: Content) -> ReproducedEntry:
        """Return a published table that nothing was found for."""
        if name in FROM_PREFERENCES and content.preferences is None:
            is_there = PREFERENCES in self.entries
            why = "were changed" if is_there else "are not in the bundle"
            return ReproducedEntry(entry, UNCHECKED, f"preferences {why}")
        if name in FROM_LABELS and content.labels is None:
            return ReproducedEntry(entry, UNCHECKED, self._why_no_labels())
        absent = [one.system for one in self.about.runs if one.file not in self.readable]
        if name not in FROM_LABELS and absent:
            listed = ", ".join(absent[:5]) + (" …" if len(absent) > 5 else "")
            return ReproducedEntry(
                entry, UNCHECKED, f"runs are not in the bundle, give them by --run: {listed}"
            )
        return ReproducedEntry(
            entry, DIFFERENT, f"nothing is found that it could rest on{self._blame()}"
        )

    def _drawn(self, tables: dict[str, bytes]) -> Iterator[ReproducedEntry]:
        """Compare figures with those of the tables found."""
        try:
            drawn = draw_figures(tables)
            drawn |= print_figures(drawn) if self._is_printed() else {}
        except _UNFIT as error:
            raise self._refuse(error) from error
        figures = {one for one in self.entries if one.startswith("figures/")}
        for entry in sorted({*drawn, *figures}):
            is_paper = not entry.endswith(".json")
            why = why_not_compared(entry, self.about.software) if is_paper else ""
            if drawn.get(entry) == self.entries.get(entry):
                yield ReproducedEntry(entry, EQUAL)
            elif why and entry in self.entries:
                yield ReproducedEntry(entry, UNCHECKED, why)
            elif not why:
                yield ReproducedEntry(
                    entry, DIFFERENT, f"another one follows from the tables{self._blame()}"
                )

    def _is_printed(self) -> bool:
        return bool(self.about.software.get(DRAWS))

    def _methods(self, content: Content) -> Iterator[ReproducedEntry]:
        """Compare the methods with those of what is in the bundle."""
        if reason := why_no_methods(content):
            for entry in (one for one in (METHODS, REFERENCES) if one in self.entries):
                yield ReproducedEntry(entry, UNCHECKED, reason)
            return
        try:
            found = write_methods(content)
        except _UNFIT as error:
            raise self._refuse(error) from error
        for entry in sorted({*found, *({METHODS, REFERENCES} & self.entries.keys())}):
            published, own = found.get(entry), self.entries.get(entry)
            if published == own:
                yield ReproducedEntry(entry, EQUAL)
            elif published and own and self._equal_but_limits(published, own):
                yield ReproducedEntry(entry, EQUAL, f"{_OTHERWISE}: limits")
            else:
                yield ReproducedEntry(
                    entry, DIFFERENT, f"another one follows from the study{self._blame()}"
                )

    def _equal_but_limits(self, published: bytes, own: bytes) -> bool:
        """Whether texts differ in limits alone, which are found otherwise since."""
        return not self.about.tested_by and _LIMITS.sub(b"", published) == _LIMITS.sub(b"", own)

    def _refuse(self, error: Exception) -> BadInput:
        return BadInput(f"a table has not the form of its kind: {error!r}", file=self.name)

    def _why_no_labels(self) -> str:
        if LABELS in self.entries:
            return "the labels were changed"
        return "labels are not in the bundle"

    def _blame(self) -> str:
        """Return what may be why something differs."""
        others = _compare_software(self.about.software)
        if not others:
            return "; the software is the same"
        listed = ", ".join(f"{one.name} {one.then or 'none'}" for one in others)
        return f"; it was made with {listed}"


def _compare_software(then: Mapping[str, str]) -> tuple[Renewal, ...]:
    now = list_software()
    return tuple(
        Renewal(name, then.get(name, ""), now.get(name, ""))
        for name in sorted({*then, *now})
        if then.get(name) != now.get(name)
    )


IMPORTED = "it was imported, not made from labels"
_NEEDS = {
    ADJUDICATED: "it needs adjudications, which no bundle holds",
    PREFERENCE: "it is made from preferences, which no bundle holds",
}


def why_not_derived(one: Version) -> str:
    """Return why a version cannot be made from the labels of a bundle; empty where it can.

    Raises
    ------
    BadInput
        Its rule is none.
    """
    if not one.rule:
        return IMPORTED
    rule = QrelsRule.from_json(one.rule)
    if rule.discussed:
        return "it takes labels after discussion, and those as given are in the bundle"
    if rule.aspect:
        return "it takes levels of an aspect, which no bundle holds"
    if rule.assessors and is_marked(one.name):
        return "it takes labels of a machine, which no bundle holds"
    return _NEEDS.get(rule.combine, "")


def derive_qrels(one: Version, labels: pd.DataFrame) -> bytes:
    """Return a version as TREC qrels, made from labels by its rule.

    Raises
    ------
    TooLittleData
        The rule selects no label.
    BadInput
        The labels do not have what the rule needs.
    """
    rule = QrelsRule.from_json(one.rule)
    if rule.rounds and "round_id" not in labels:
        raise BadInput("the labels do not say in which round they were given")
    made = qrels_from_labels(labels, rule)
    # Bundles of earlier releases call a rounded version by the name of the one it was made from.
    return write_qrels(made.frame if made.is_whole else round_levels(made))
