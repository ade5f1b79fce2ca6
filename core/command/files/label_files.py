"""Label files on the command line: their options, and reading them as counted.

Levels as they are named on the command line.
"""

from argparse import Namespace
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from pandas import DataFrame

from core.collection.labels.label_options import JUDGED
from core.collection.labels.label_values import find_level
from core.collection.records import FACETS, Scale, counted_levels
from core.command.arguments.shared import merge_pairs
from core.command.files.reading import open_source, read_files
from core.command.printing.output import print_notes
from core.errors import BadInput


@dataclass(frozen=True)
class LabelFile:
    """Labels with levels as their scales count them; ``scales`` is empty where none was given."""

    frame: DataFrame
    scales: Mapping[str, Scale]

    @property
    def facets(self) -> list[str]:
        """The facets in which something was judged."""
        judged = set(self.frame.loc[self.frame["state"] == JUDGED, "facet"])
        return [facet for facet in FACETS if facet in judged]

    def levels(self, facet: str) -> list[int] | None:
        """Return the levels of a facet's scale; None where no scale was given."""
        scale = self.scales.get(facet)
        return sorted({level.counts_as for level in scale}) if scale else None

    def names(self, facet: str) -> dict[int, str]:
        """Return what the levels of a facet are called; nothing where no scale was given."""
        return counted_levels(self.scales.get(facet, ()))

    def level(self, text: str, facet: str) -> int:
        """Return the level that a text names or writes; raises BadInput."""
        return resolve_level(text, self.scales.get(facet, ()))


def label_options(arguments: Namespace) -> dict[str, Any]:
    """Return what was chosen, as ``read_import`` takes it; what was not is left out."""
    options = {
        "columns": merge_pairs(arguments.columns),
        "missing": arguments.missing,
        "gold": arguments.gold,
        "raters": arguments.raters,
        "scales": dict(arguments.scale),
        "aspect": getattr(arguments, "aspect", ""),
    }
    return {name: value for name, value in options.items() if value}


def read_label_files(arguments: Namespace) -> LabelFile:
    """Read the label files of a command; notes go to stderr."""
    sources = [open_source(path) for path in arguments.labels]
    imported = read_files("labels", sources, **label_options(arguments))
    if missing := imported.counts.get("missing"):
        print_notes([f"cells without a label, left out: {missing:,}"])
    scales = dict(arguments.scale)
    return LabelFile(count_levels(imported.frames["labels"], scales), scales)


def count_levels(labels: DataFrame, scales: Mapping[str, Scale]) -> DataFrame:
    """Return labels with levels as their scales count them; those on no scale stay as they are."""
    level = labels["level"]
    for facet, scale in scales.items():
        counted = {one.level: float(one.counts_as) for one in scale}
        level = level.mask(labels["facet"] == facet, level.map(counted).fillna(level))
    return labels.assign(level=level)


def resolve_level(text: str, scale: Scale) -> int:
    """Return the level, as counted, that a text names or writes.

    Raises
    ------
    BadInput
        There is no such level, or a name is given without a scale.
    """
    found = find_level(text, scale)
    if found != found or found != int(found):
        listed = ", ".join(f"{level.level} {level.name}" for level in scale)
        hint = f"it has {listed}" if scale else "names need a scale: --scale FACET=NAME,NAME,…"
        raise BadInput(f"'{text}' is not a level; {hint}")
    counted = {level.level: level.counts_as for level in scale}
    return counted.get(int(found), int(found))
