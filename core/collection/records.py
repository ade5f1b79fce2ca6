"""What a collection is made of: the levels of its scales, and what was read from files."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from core.errors import BadInput
from core.language.translate import t

if TYPE_CHECKING:
    from pandas import DataFrame

SNIPPET, PAGE = "snippet", "page"
FACETS = (SNIPPET, PAGE)
PANEL = "panel"
DOCUMENTS, SYSTEMS = "documents", "systems"
FACETS_OF = {DOCUMENTS: FACETS, SYSTEMS: (PANEL,)}
"""What can be looked at, by what is compared."""

PERSON, MACHINE, GOLD_KIND = MEMBER_KINDS = ("person", "machine", "gold")
"""What a member of a collection is: labels of others than persons count only where named."""

PAIR = " pair"
"""Ends the facet of a label on two things side by side: snippets, pages or panels."""


@dataclass(frozen=True)
class Level:
    """One level of a scale.

    Parameters
    ----------
    level : int
        The level itself; scales are ordered by it.
    name : str
        A short name for buttons and tables.
    meaning : str
        One line that tells an assessor when to choose it.
    key : str
        The key that gives it.
    counts_as : int
        The level that analyses use in its place; usually the same.
    """

    level: int
    name: str
    meaning: str
    key: str
    counts_as: int


Scale = tuple[Level, ...]


def counted_levels(scale: Scale) -> dict[int, str]:
    """Return the names of the levels that analyses use, lowest first.

    A level that counts as another shows beside it: ``{…, 3: "Key or Nav"}``.
    """
    names: dict[int, list[str]] = {level.counts_as: [] for level in scale}
    for level in sorted(scale, key=lambda one: one.level != one.counts_as):
        names[level.counts_as].append(level.name)
    return {level: t(" or ").join(names[level]) for level in sorted(names)}


def default_scales() -> dict[str, Scale]:
    """Return the scales of a new collection, by facet, in the language spoken here."""
    snippet = (
        (t("No"), t("Nothing here makes me expect a useful page.")),
        (t("Unlikely"), t("The page might help, but I would look elsewhere first.")),
        (t("Maybe"), t("The page could well help; I might open it.")),
        (t("Sure"), t("I would open this page.")),
    )
    page = (
        (t("Non"), t("The page is of no use for this information need.")),
        (t("Rel"), t("The page helps a little, or only in passing.")),
        (t("HRel"), t("The page answers a good part of the need.")),
        (t("Key"), t("The page is as good an answer as I could wish for.")),
        (t("Nav"), t("The page is the very place that the query asks for.")),
    )
    return {SNIPPET: _scale(snippet, {}), PAGE: _scale(page, {4: 3})}


def _scale(levels: tuple[tuple[str, str], ...], counts_as: dict[int, int]) -> Scale:
    return tuple(
        Level(number, name, meaning, str(number + 1), counts_as.get(number, number))
        for number, (name, meaning) in enumerate(levels)
    )


def preference_scale() -> Scale:
    """Return what an assessor can say of two things side by side, from left to right.

    The words are in the language spoken here.
    """
    levels = (
        (-2, t("Left, clearly"), t("The left is clearly better.")),
        (-1, t("Left, slightly"), t("The left is a little better.")),
        (0, t("Tie"), t("Neither is better.")),
        (1, t("Right, slightly"), t("The right is a little better.")),
        (2, t("Right, clearly"), t("The right is clearly better.")),
    )
    return tuple(
        Level(level, name, meaning, str(level + 3), level) for level, name, meaning in levels
    )


_KEYS = "123456789abdefghijklmnopqstuvwxyz"
"""Keys for levels that are no digits; c and r are taken by the browser frame."""


def numeric_scale(levels: Iterable[int]) -> Scale:
    """Return a scale of plain numbers, for collections whose levels have no names.

    A level's key is its own digit where all levels are digits, otherwise its position.

    Raises
    ------
    BadInput
        Fewer than two levels, or more than there are keys for.
    """
    ordered = sorted(set(levels))
    if not 2 <= len(ordered) <= len(_KEYS):
        raise BadInput(f"a scale has 2 to {len(_KEYS)} levels, not {len(ordered)}", field="levels")
    digits = all(0 <= level <= 9 for level in ordered)
    return tuple(
        Level(level, str(level), "", str(level) if digits else _KEYS[position], level)
        for position, level in enumerate(ordered)
    )


@dataclass(frozen=True)
class Import:
    """Everything that was read from one or more files of a kind, checked and ready to store.

    Parameters
    ----------
    kind : str
        What was read: one of ``core.collection.formats.KINDS``.
    source : str
        The names of the files, separated by commas.
    frames : dict
        Canonical frames by name ("topics", "runs", …).
    counts : dict
        What there is, for a preview: {"systems": 37, …}.
    notes : tuple of str
        What the reader should know: what was ignored, numbered or left out.
    sha256 : str
        Of the file as supplied; of several files, of the list of their digests.
    formats : tuple of str
        The names of the formats that the files were read as, each once.
    """

    kind: str
    source: str
    frames: dict[str, DataFrame]
    counts: dict[str, int]
    notes: tuple[str, ...]
    sha256: str
    formats: tuple[str, ...] = ()
