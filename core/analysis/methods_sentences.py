"""The sentences of a paragraph on methods, from plain facts: of a store, or of a study bundle."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from core.agreement.base import name_coefficient
from core.agreement.ratings import Ratings
from core.analysis.bibliography import cite_measure, cite_test
from core.comparison.significance_test import SignificanceTest
from core.measures.catalogue import parse_measure
from core.numerals import write_limits, write_number
from core.wording import count

COEFFICIENTS_IN_TEXT = ("kappa(linear)", "alpha(ordinal)")
"""What a paper tells of agreement: of two assessors, and of all."""

_METHODS = {"jackknife": "the jackknife"}


@dataclass(frozen=True)
class Judged:
    """How much was judged of one facet; ``several`` counts items with two or more labels."""

    facet: str
    assessors: int
    items: int
    topics: int
    labels: int
    several: int
    groups: tuple[str, ...] = ()


@dataclass(frozen=True)
class VersionFacts:
    """A qrels version: its name, how much it holds, and its rule in words; None if imported.

    ``weighted`` says that its levels are weights by the User Disagreement Model.
    """

    name: str
    judgements: int
    topics: int
    labels: int = 0
    rule: str | None = None
    weighted: bool = False


def count_judged(ratings: Ratings, facet: str, groups: Sequence[str] = ()) -> Judged:
    """Return how much was judged; ``groups`` are those of the assessors, '' for none."""
    by_item = np.bincount(ratings.item, minlength=len(ratings.items))
    return Judged(
        facet,
        len(np.unique(ratings.assessor)),
        int((by_item > 0).sum()),
        len(np.unique(ratings.topic)),
        len(ratings.item),
        int((by_item > 1).sum()),
        tuple(sorted({*groups} - {""})),
    )


def tell_judged(judged: Judged, levels: Mapping[int, str]) -> list[str]:
    """Say how many assessors gave how many labels to how many items, and how many overlap."""
    facet, items, groups = judged.facet, judged.items, judged.groups
    if not judged.labels:
        return [f"No {facet} has been judged yet."]
    whose = f" in {len(groups)} groups ({', '.join(groups)})" if len(groups) > 1 else ""
    scale = ", ".join(f"{name} ({level})" for level, name in levels.items())
    return [
        f"{count(judged.assessors, 'assessor')}{whose} judged {count(items, facet)} for "
        f"{count(judged.topics, 'topic')} and gave {count(judged.labels, 'label')} on "
        f"{count(len(levels), 'level')}: {scale}.",
        f"Of these {facet}s, {judged.several:,} ({judged.several / items:.1%}) were judged by two "
        f"or more assessors; {facet}s have {write_number(judged.labels / items, 2)} labels on "
        "average.",
    ]


def tell_coefficient(row: Mapping[Any, Any]) -> str:
    """Say a coefficient of `measure_agreement` with its interval, its unit and its method."""
    coefficient = str(row["coefficient"])
    name = name_coefficient(coefficient)
    named = f"{name[:1].upper()}{name[1:]}{cite(cite_measure(coefficient.partition('(')[0]))}"
    value, low, high = (row[one] for one in ("value", "low", "high"))
    if np.isnan(value):
        return f"{named} is undefined: {row['reason']}."
    pairs = row["pairs"]
    is_pooled = pairs is not None and not np.isnan(pairs)
    over = f", pooled over {count(int(pairs), 'pair')} of assessors," if is_pooled else ""
    begun = f"{named}{over} is {write_number(value)}"
    if np.isnan(low):
        return f"{begun} (no interval: {row['reason']})."
    method = _METHODS.get(str(row["interval"]), str(row["interval"]))
    units = count(int(row["units"]), str(row["unit"]))
    return f"{begun} (95 % interval {write_limits(low, high)}, by {method} over {units})."


def tell_version(version: VersionFacts) -> str:
    """Say what a qrels version holds, and by which rule it was made."""
    size = f"{count(version.judgements, 'judgement')} for {count(version.topics, 'topic')}"
    if version.rule is None:
        name = version.name.partition(": ")[2] or version.name
        return f"The qrels “{name}” were imported; they hold {size}."
    source = cite("demeester2014") if version.weighted else ""
    rests = f"from {count(version.labels, 'label')}"
    return f"The qrels version “{version.name}”{source} holds {size}, {rests}: {version.rule}"


def tell_scores(
    systems: int, measures: Sequence[str], versions: int, significance: SignificanceTest | None
) -> list[str]:
    """Say by what systems are scored, and how their differences are tested.

    Raises
    ------
    BadInput
        A measure cannot be read.
    """
    parsed = [parse_measure(text) for text in measures]
    if not systems:
        return []
    sentences = []
    if parsed:
        named = _join([f"{one}{cite(cite_measure(one.name))}" for one in parsed])
        sentences.append(
            f"{count(systems, 'run')} {'was' if systems == 1 else 'were'} scored by {named}; "
            "unjudged documents count as not relevant, a topic that a run does not answer scores "
            "0, and a topic with nothing to find is left out."
        )
    if significance is not None and systems > 1:
        correction = significance.correction if significance.kind.is_paired else "none"
        works = "; ".join(f"@{key}" for key in cite_test(significance.test, correction))
        sentences.append(
            f"Differences between systems were tested by the {significance.kind.title} [{works}] "
            f"({str(significance).partition(', ')[2]}). "
            + significance.explain(systems, max(1, versions))
        )
    return sentences


def tell_software(software: str) -> str:
    """Say what computed the numbers."""
    return f"All numbers were computed with {software}."


def cite(key: str) -> str:
    """Return a citation as Pandoc reads it; nothing without a key."""
    return f" [@{key}]" if key else ""


def _join(words: Sequence[str]) -> str:
    *most, last = words
    return f"{', '.join(most)} and {last}" if most else last
