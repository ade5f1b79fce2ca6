"""What the tables of a bundle are computed from: its own entries, and nothing else."""

from collections.abc import Mapping
from dataclasses import dataclass, field

import pandas as pd

from core.bundle.description import LABELS, Description
from core.bundle.preferences import PREFERENCES, unpack_preferences
from core.collection.files.source import Source
from core.collection.formats import read_import
from core.collection.qrels_and_runs.trec import write_run
from core.collection.records import numeric_scale
from core.measures.catalogue import parse_measure
from core.measures.gain import needs_weights
from core.versions.judgements import Judgements, put_on_scale


@dataclass(frozen=True, eq=False)
class Content:
    """Labels, qrels versions by name, and runs, as they read from a bundle; None where absent."""

    about: Description
    labels: pd.DataFrame | None = None
    qrels: Mapping[str, pd.DataFrame] = field(default_factory=dict)
    runs: pd.DataFrame | None = None
    preferences: pd.DataFrame | None = None

    @property
    def judgements(self) -> dict[str, Judgements]:
        """The qrels versions, each on its scale."""
        highest = {one.name: one.gmax for one in self.about.versions}
        return {name: put_on_scale(one, highest[name]) for name, one in self.qrels.items()}

    @property
    def measures(self) -> dict[str, tuple[str, ...]]:
        """What each version is scored by: not by gains that are weights where a level has none."""
        weights = {one.name: {0, *dict(one.weights)} for one in self.about.versions}
        return {
            name: tuple(
                one
                for one in self.about.measures
                if not needs_weights(parse_measure(one))
                or {*qrels["level"].clip(lower=0).unique()} <= weights[name]
            )
            for name, qrels in self.qrels.items()
        }

    @property
    def lacking(self) -> list[str]:
        """The measures that no version is scored by."""
        scored = {one for own in self.measures.values() for one in own}
        return [one for one in self.about.measures if self.qrels and one not in scored]


def read_content(about: Description, entries: Mapping[str, bytes]) -> Content:
    """Return what a bundle's entries hold, read as any import is.

    Runs are those of all systems or None: a table of some of them would be another one.

    Raises
    ------
    BadInput
        An entry cannot be read; the message names it and the line.
    """
    files = [one.file for one in about.runs]
    has_runs = bool(files) and all(file in entries for file in files)
    return Content(
        about,
        _read_labels(about, entries[LABELS]) if LABELS in entries else None,
        {
            one.name: _read("qrels", one.file, entries[one.file])
            for one in about.versions
            if one.file in entries
        },
        _read_runs({file: entries[file] for file in files}) if has_runs else None,
        unpack_preferences(entries[PREFERENCES]) if PREFERENCES in entries else None,
    )


def write_runs(runs: pd.DataFrame) -> dict[str, bytes]:
    """Return each system's run as TREC writes it, by system in the order of their names."""
    return {
        str(system): write_run(own)
        for system, own in runs.groupby("system", sort=True, observed=True)
    }


def _read_labels(about: Description, content: bytes) -> pd.DataFrame:
    scales = {facet: numeric_scale(levels) for facet, levels in about.levels.items()}
    return read_import("labels", Source(LABELS, content), scales=scales).frames["labels"]


def _read(kind: str, name: str, content: bytes) -> pd.DataFrame:
    return read_import(kind, Source(name, content)).frames[kind]


def _read_runs(files: Mapping[str, bytes]) -> pd.DataFrame:
    sources = [Source(name, content) for name, content in files.items()]
    return read_import("runs", sources).frames["runs"]
