"""Arguments that several commands share, and what their texts mean."""

from argparse import ArgumentParser, ArgumentTypeError, Namespace
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Protocol

from core.collection.export.table_formats import TABLE_FORMATS
from core.collection.files.numbers import parse_number
from core.errors import BadInput
from core.place import read_place

if TYPE_CHECKING:
    from core.collection.records import Scale

WEIGHTS_HELP = "what levels weigh: the JSON of 'dissent weights', or 0=0,1=0.28,2=0.41,3=1"


class TakesArguments(Protocol):
    """A parser, or a group of options of which one excludes the others."""

    def add_argument(self, *names: str, **settings: Any) -> Any:
        """Add one argument."""


def add_format(parser: ArgumentParser, *others: str) -> None:
    """Add ``--format``: a table for people, JSON for programs, and perhaps others."""
    parser.add_argument(
        "--format",
        choices=("table", "json", *others),
        default="table",
        help="a table for people (default) or JSON with unrounded numbers for programs"
        + ("; the tables as CSV, LaTeX or Markdown" if "csv" in others else ""),
    )


def add_table_format(parser: ArgumentParser, *others: str) -> None:
    """Add ``--format`` for a command that prints tables: also as CSV, LaTeX and Markdown."""
    add_format(parser, *TABLE_FORMATS, *others)


def add_seed(parser: ArgumentParser) -> None:
    """Add ``--seed``, where random samples are drawn."""
    parser.add_argument(
        "--seed",
        type=parse_count(0),
        default=1,
        metavar="S",
        help="of the random samples (default 1)",
    )


RUN_READING = {"system_from": "tag", "duplicates": "refuse"}
QRELS_READING = {"iterations": "highest"}
"""How files are read unless something else is chosen."""


def add_run_reading(parser: TakesArguments) -> None:
    """Add how run files are read: ``--system-from`` and ``--duplicates``."""
    parser.add_argument(
        "--system-from",
        choices=("tag", "file"),
        default="tag",
        help="call a system what its run's last column says (default), or its file",
    )
    parser.add_argument(
        "--duplicates",
        choices=("refuse", "first"),
        default="refuse",
        help="of a run that has a document twice in a ranking: refuse the file (default), or take "
        "the higher line",
    )


def add_qrels_reading(parser: TakesArguments) -> None:
    """Add how qrels files are read: ``--iterations``."""
    parser.add_argument(
        "--iterations",
        choices=("highest", "latest", "refuse"),
        default="highest",
        help="of a pair of topic and document in several iterations: keep all, of which measures "
        "without intents take the highest level (default); take the last; or refuse the file",
    )


def chosen_reading(arguments: Namespace, usual: Mapping[str, str]) -> dict[str, str]:
    """Return how files are read where that is not as usual, as ``read_import`` takes it."""
    given = {name: getattr(arguments, name, one) for name, one in usual.items()}
    return {name: value for name, value in given.items() if value != usual[name]}


def add_store(parser: TakesArguments) -> None:
    """Add ``--store``."""
    parser.add_argument(
        "--store",
        type=read_place,
        metavar="PLACE",
        help="the store: a file, or a database at postgresql://user@host/name (default: "
        "DISSENT_STORE, or dissent.duckdb in this folder)",
    )


def add_collection(parser: ArgumentParser) -> None:
    """Add ``--store`` and ``--collection``."""
    add_store(parser)
    parser.add_argument(
        "--collection", required=True, metavar="NAME", help="the collection's name or id"
    )


def parse_count(least: int) -> Callable[[str], int]:
    """Return a parser of whole numbers from ``least``."""

    def parse(text: str) -> int:
        try:
            number = int(text)
        except ValueError:
            number = least - 1
        if number < least:
            raise ArgumentTypeError(f"'{text}' is not a whole number from {least}")
        return number

    return parse


def parse_share(text: str) -> float:
    """Return a number between 0 and 1."""
    number = parse_number(text)
    if not 0 < number < 1:
        raise ArgumentTypeError(f"'{text}' is not between 0 and 1")
    return number


def parse_named(form: str) -> Callable[[str], tuple[str, str]]:
    """Return a parser of what is written in a form such as ``NAME=FILE``, by its last ``=``."""

    def parse(text: str) -> tuple[str, str]:
        name, mark, value = text.rpartition("=")
        if not (name.strip() and mark and value):
            raise ArgumentTypeError(f"'{text}' is not written {form}")
        return name, value

    return parse


def parse_list(text: str) -> list[str]:
    """Return words that are separated by commas."""
    return [word.strip() for word in text.split(",") if word.strip()]


def parse_pairs(text: str) -> dict[str, str]:
    """Return ``a=x,b=y`` as a mapping."""
    pairs = {}
    for word in parse_list(text):
        name, mark, value = word.partition("=")
        if not (name and mark and value):
            raise ArgumentTypeError(f"'{word}' is not written name=value")
        pairs[name.strip()] = value.strip()
    return pairs


def merge_pairs(given: Iterable[dict[str, str]]) -> dict[str, str]:
    """Return the pairs of an option that may be repeated as one mapping."""
    return {name: value for pairs in given for name, value in pairs.items()}


SCALE_HELP = (
    "levels of a facet, lowest first: page=0,1,2,3 or page=Non,Rel,HRel,Key,Nav=Key "
    "(numbered from 0; Nav counts as Key), or page=default; repeatable"
)


def parse_scale(text: str) -> "tuple[str, Scale]":
    """Return the facet and the levels that an option writes down."""
    from core.collection.records import FACETS, default_scales, numeric_scale

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


def parse_qrels_scale(text: str) -> "tuple[str, Scale]":
    """Return the same of an option that may leave out the facet: qrels are of one."""
    from core.collection.records import FACETS, PAGE

    is_named = text.partition("=")[0] in FACETS
    return parse_scale(text if is_named else f"{PAGE}={text}")


def _name_levels(words: Sequence[str]) -> "Scale":
    from core.collection.records import numeric_scale

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


def add_alpha(parser: TakesArguments, *, declared: bool = False) -> None:
    """Add ``--alpha``; without it what a collection declares holds, where one may be asked."""
    from core.comparison.significance_test import SignificanceTest

    parser.add_argument(
        "--alpha",
        type=_alpha,
        default=None if declared else SignificanceTest.alpha,
        metavar="A",
        help="a difference is significant when p is below A (default"
        + (": that which the study declares, of files " if declared else " ")
        + f"{SignificanceTest.alpha:g})",
    )


def _alpha(text: str) -> float:
    try:
        alpha = float(text)
    except ValueError:
        alpha = 0.0
    if not 0 < alpha < 1:
        raise ArgumentTypeError(f"'{text}' is not a level of significance between 0 and 1")
    return alpha
