"""What a bundle says of itself: what was computed from what, with which seed and software."""

import json
import platform
import re
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from importlib.metadata import version
from typing import Any, TypeVar

from core.bundle.figures import list_printers
from core.collection.records import FACETS
from core.comparison.significance_test import MOST_SAMPLES, SignificanceTest
from core.errors import BadInput
from core.measures.catalogue import parse_measure
from core.store.content.declarations import Declaration
from core.version import __version__

FORMAT = 1
FILE = "study.json"
LABELS = "labels/labels.csv"

COMPUTES = ("numpy", "scipy", "pandas", "pyarrow", "plotly", "duckdb")
"""The libraries that numbers, texts and figures go through."""


_MOST = 1_000
"""Versions, measures, levels and users that a description may name."""

_MOST_TOPICS = 1_000_000

_SHA256 = re.compile(r"[0-9a-f]{64}")
_FILE = re.compile(r"(?:qrels/[a-z0-9-]{1,80}\.qrels|runs/[a-z0-9-]{1,80}\.run)")
_UNFIT = (LookupError, ValueError, TypeError, AttributeError, OverflowError, RecursionError)
"""What JSON of another form, or nested deeply, makes of itself."""

Item = TypeVar("Item")


@dataclass(frozen=True)
class Version:
    """A qrels version: its name, its entry, and its rule as JSON; '' for imported qrels.

    ``labels`` is how many it was made from; ``gmax`` the highest level of its scale, as its entry
    has levels, None where the highest that occurs is taken for it;
    ``weights`` are of its levels by the User Disagreement Model, where a measure takes them.
    """

    name: str
    file: str
    rule: str
    judgements: int
    labels: int = 0
    gmax: float | None = None
    weights: tuple[tuple[int, float], ...] = ()


@dataclass(frozen=True)
class Run:
    """A run: its entry, and the hash of what Dissent writes of it.

    ``published`` tells whether the entry is in the bundle.
    """

    system: str
    file: str
    sha256: str
    lines: int
    published: bool


@dataclass(frozen=True)
class PublishedLabels:
    """Whose labels are published, and how many assessors' are not.

    With ``published`` false the tables of agreement rest on everybody's labels, which are not in
    the bundle; nor are these tables where ``agreement`` is false. ``uncounted`` says of whom no
    label counts, as of machine members.
    """

    published: bool
    assessors: int
    left_out: int
    agreement: bool = True
    uncounted: str = ""


@dataclass(frozen=True)
class Description:
    """What a bundle holds and how its tables were computed.

    ``levels`` are the levels of each facet as they count, ``level_names`` their names, ``date`` is
    the day of the last label,
    ``users`` and ``at_least`` are those of the User Disagreement Model; ``declared`` is what the
    study declares, None in bundles of earlier releases. Systems are scored on its topics.
    ``reports`` are those of which the tables are; in earlier releases items were not ranked by runs
    in that of agreement, so that it is computed as it was where it is not named. ``tested_by`` is
    the test of differences, '' in earlier releases: step-down, beside limits of another test.
    ``corrected_by`` is the correction of p for pairs, '' in earlier releases: by Holm's method.
    ``over_conditions`` says whether p counts the qrels versions too; in earlier releases it does
    not.
    """

    collection: str
    date: str
    licence: str
    levels: dict[str, tuple[int, ...]]
    labels: PublishedLabels
    versions: tuple[Version, ...]
    runs: tuple[Run, ...]
    measures: tuple[str, ...]
    samples: int
    seed: int
    alpha: float
    users: int
    at_least: int
    simulated: str
    software: dict[str, str]
    level_names: dict[str, tuple[str, ...]] = field(default_factory=dict)
    declared: Declaration | None = None
    reports: tuple[str, ...] = ()
    tested_by: str = ""
    corrected_by: str = ""
    over_conditions: bool = False

    @property
    def test(self) -> SignificanceTest:
        """How differences between systems are tested."""
        test, correction = self.tested_by or "max-t", self.corrected_by or "holm"
        asked = test, correction, self.samples, self.alpha, self.seed
        return SignificanceTest(*asked, over_conditions=self.over_conditions)

    def to_json(self) -> bytes:
        """Return the description as JSON with sorted keys."""
        stated = {"format": FORMAT, **asdict(self)}
        return (json.dumps(stated, indent=1, sort_keys=True, ensure_ascii=False) + "\n").encode()


def list_software() -> dict[str, str]:
    """Return the versions of Dissent, of Python, of what computes, and the platform."""
    return {
        "dissent": __version__,
        "python": f"{platform.python_implementation()} {platform.python_version()}",
        **{name: version(name) for name in COMPUTES},
        **list_printers(),
        "platform": " ".join(filter(None, (platform.system(), platform.machine()))),
    }


def read_description(content: bytes, name: str) -> Description:
    """Return the description that `Description.to_json` wrote.

    Raises
    ------
    BadInput
        It is none, or asks for more than a study does.
    """
    try:
        stated: dict[str, Any] = json.loads(content)
        if stated["format"] != FORMAT:
            raise BadInput("this bundle was made by another Dissent; get a newer one", file=name)
        return _read(stated)
    except _UNFIT as error:
        raise BadInput(f"this does not describe a study: {error!r}", file=name) from error
    except BadInput as error:
        raise BadInput(error.reason, file=name) from error


def _read(stated: dict[str, Any]) -> Description:
    levels = {
        _one_of(FACETS, facet): tuple(_several(_number, own))
        for facet, own in dict(stated["levels"]).items()
    }
    labels = dict(stated["labels"])
    found = Description(
        collection=_text(stated["collection"]),
        date=_text(stated["date"]),
        licence=_text(stated["licence"]),
        levels=levels,
        labels=PublishedLabels(
            labels["published"] is True,
            _number(labels["assessors"]),
            _number(labels["left_out"]),
            labels.get("agreement") is not False,
            _text(labels.get("uncounted", "")),
        ),
        versions=tuple(_several(_read_version, stated["versions"])),
        runs=tuple(_several(_read_run, stated["runs"])),
        measures=tuple(_several(_text, stated["measures"])),
        samples=_number(stated["samples"], MOST_SAMPLES),
        seed=_number(stated["seed"], 2**32),
        alpha=float(stated["alpha"]),
        users=_number(stated["users"]),
        at_least=_number(stated["at_least"]),
        simulated=_text(stated["simulated"]),
        software={_text(what): _text(which) for what, which in dict(stated["software"]).items()},
        level_names={
            _one_of(FACETS, facet): tuple(_several(_text, own))
            for facet, own in dict(stated.get("level_names", {})).items()
        },
        declared=_read_declared(stated.get("declared")),
        reports=tuple(_several(_text, stated.get("reports", []))),
        tested_by=_text(stated.get("tested_by", "")),
        corrected_by=_text(stated.get("corrected_by", "")),
        over_conditions=stated.get("over_conditions") is True,
    )
    for measure in found.measures:
        parse_measure(measure)
    _ = found.test
    return found


def _read_declared(stated: Any) -> Declaration | None:
    if stated is None:
        return None
    return Declaration(
        facet=_one_of(FACETS, stated["facet"]),
        measure=_text(stated["measure"]),
        version=_text(stated["version"]),
        users=_number(stated["users"]),
        at_least=_number(stated["at_least"]),
        alpha=float(stated["alpha"]),
        baseline=_text(stated["baseline"]),
        topics=tuple(_several(_text, stated["topics"], _MOST_TOPICS)),
        groups=_text(stated.get("groups", "")),
        personal=stated.get("personal", False) is True,
    )


def _read_version(stated: dict[str, Any]) -> Version:
    name, rule = _text(stated["name"]), _text(stated["rule"])
    numbers = _number(stated["judgements"], 2**40), _number(stated.get("labels", 0), 2**40)
    gmax = stated.get("gmax")
    highest = None if gmax is None else _highest(gmax)
    weights = tuple(_several(_read_weight, stated.get("weights", [])))
    return Version(name, _file(stated["file"]), rule, *numbers, highest, weights)


def _read_weight(stated: Any) -> tuple[int, float]:
    level, weight = stated
    return _number(level), _highest(weight)


def _read_run(stated: dict[str, Any]) -> Run:
    sha256 = _text(stated["sha256"])
    if not _SHA256.fullmatch(sha256):
        raise ValueError(f"'{sha256[:80]}' is no SHA-256")
    lines = _number(stated["lines"], 2**40)
    names = _text(stated["system"]), _file(stated["file"])
    return Run(*names, sha256, lines, stated["published"] is True)


def _several(read: Callable[[Any], Item], stated: Any, most: int = _MOST) -> list[Item]:
    if not isinstance(stated, list) or len(stated) > most:
        raise ValueError(f"a list of at most {most:,} was expected")
    return [read(one) for one in stated]


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise ValueError(f"{str(value)[:80]!r} is no text")
    return value


def _file(value: Any) -> str:
    if not _FILE.fullmatch(_text(value)):
        raise ValueError(f"{value[:80]!r} is no entry of qrels or of a run")
    return str(value)


def _number(value: Any, most: int = 2**31) -> int:
    if type(value) is not int or not 0 <= value <= most:
        raise ValueError(f"{str(value)[:80]!r} is no number from 0 to {most:,}")
    return value


def _highest(value: Any) -> float:
    if type(value) not in (int, float) or not 0 <= value <= 2**53:
        raise ValueError(f"{str(value)[:80]!r} is no highest level")
    return float(value)


def _one_of(known: tuple[str, ...], value: str) -> str:
    if value not in known:
        raise ValueError(f"{value[:80]!r} is none of {', '.join(known)}")
    return value
