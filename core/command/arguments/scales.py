"""Scales as they are written on the command line."""

from argparse import ArgumentTypeError
from collections.abc import Sequence
from dataclasses import replace

from core.collection.records import FACETS, PAGE, Scale, default_scales, numeric_scale
from core.command.arguments.shared import parse_list
from core.errors import BadInput

SCALE_HELP = (
    "levels of a facet, lowest first: page=0,1,2,3 or page=Non,Rel,HRel,Key,Nav=Key "
    "(numbered from 0; Nav counts as Key), or page=default; repeatable"
)


def parse_scale(text: str) -> tuple[str, Scale]:
    """Return the facet and the levels that an option writes down."""
    facet, _, listed = text.partition("=")
    words = parse_list(listed)
    if facet not in FACETS or not words:
        raise ArgumentTypeError(f"'{text}' is not written {' or '.join(FACETS)}=LEVEL,LEVEL,…")
    if words == ["default"]:
        return facet, default_scales()[facet]
    try:
        if all(word.lstrip("-").isdecimal() for word in words):
            return facet, numeric_scale(map(int, words))
        return facet, _name_levels(words)
    except BadInput as error:
        raise ArgumentTypeError(f"'{text}': {error.reason}") from error
    except ValueError as error:
        raise ArgumentTypeError(f"'{facet}': a level is too long a number") from error


def parse_qrels_scale(text: str) -> tuple[str, Scale]:
    """Return the same of an option that may leave out the facet: qrels are of one."""
    is_named = text.partition("=")[0] in FACETS
    return parse_scale(text if is_named else f"{PAGE}={text}")


def _name_levels(words: Sequence[str]) -> Scale:
    parted = [word.partition("=") for word in words]
    names = [name.strip() for name, _, _ in parted]
    counted = [same.strip() or name.strip() for name, _, same in parted]
    if len(set(names)) < len(names):
        raise BadInput("two levels have the same name")
    if unknown := [name for name in counted if name not in names]:
        raise BadInput(f"there is no level {unknown[0]} to count as")
    return tuple(
        replace(level, name=name, counts_as=names.index(same))
        for level, name, same in zip(numeric_scale(range(len(names))), names, counted, strict=True)
    )
