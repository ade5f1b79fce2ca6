"""The paragraph on methods of a paper, with its numbers: who judged what, and how it is counted."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from core.agreement.base import COEFFICIENTS, name_coefficient
from core.analysis.agreement.between_assessors import agreement_of
from core.analysis.base.facets import facets_of
from core.analysis.base.labels import (
    counted_levels,
    describe_left_out,
    names_of,
    people_of,
    ratings_of,
)
from core.analysis.base.rounds import round_names
from core.analysis.base.study import Study, runs_of, scales_of
from core.analysis.base.wording import count
from core.analysis.bibliography import WORKS, cite_measure, cite_test, write_bibtex
from core.analysis.results.qrels_choices import QrelsChoice, holds_weights, version_of
from core.comparison.significance_test import SignificanceTest
from core.errors import TooLittleData
from core.measures.catalogue import parse_measure
from core.numerals import write_limits, write_number
from core.versions.wording import describe_rule

COEFFICIENTS_TOLD = ("kappa(linear)", "alpha(ordinal)")
"""What a paper tells of agreement: of two assessors, and of all."""

_CITATION = re.compile(r" \[(@[\w; @]+)\]")
_METHODS = {"jackknife": "the jackknife"}


@dataclass(frozen=True)
class MethodsText:
    """What a paper says of its methods.

    Parameters
    ----------
    markdown : str
        The paragraph, with citations as Pandoc reads them: ``[@cohen1968]``.
    sources : tuple of str
        Keys of the works that are cited, each once, in the order of their first mention.
    """

    markdown: str
    sources: tuple[str, ...]

    @property
    def text(self) -> str:
        """The paragraph with authors and years in brackets."""
        return _CITATION.sub(_tell, self.markdown)

    @property
    def parts(self) -> list[tuple[str, tuple[str, ...]]]:
        """The paragraph cut behind each citation: a text, and the keys cited after it."""
        cut, begin = [], 0
        for found in _CITATION.finditer(self.markdown):
            if keys := _known_keys(found):
                cut.append((self.markdown[begin : found.start()], keys))
                begin = found.end()
        return [*cut, (self.markdown[begin:], ())]

    @property
    def bibtex(self) -> str:
        """The works that are cited, as BibTeX; empty without any."""
        return write_bibtex(self.sources)


def _known_keys(found: re.Match[str]) -> tuple[str, ...]:
    """Return the keys of a citation; none where it is no citation but what somebody wrote."""
    keys = tuple(key.strip(" @") for key in found[1].split(";"))
    return keys if all(key in WORKS for key in keys) else ()


def _tell(found: re.Match[str]) -> str:
    keys = _known_keys(found)
    return f" ({'; '.join(WORKS[key].told for key in keys)})" if keys else found[0]


def describe_methods(
    study: Study,
    *,
    facet: str = "",
    versions: Sequence[QrelsChoice] = (),
    measures: Sequence[str] = (),
    significance: SignificanceTest | None = None,
    software: str = "",
) -> MethodsText:
    """Return the paragraph on methods, for what has been judged so far.

    Parameters
    ----------
    study : Study
        The collection. Masked, it shows no name of an assessor, also in rules of versions.
    facet : {'', 'page', 'snippet'}
        Whose labels; pages where there are any, without it.
    versions : sequence of QrelsChoice
        The qrels versions that are used, each told by its rule; versions without any judgement
        are told as such.
    measures : sequence of str
        The measures by which runs are scored.
    significance : SignificanceTest, optional
        How differences of systems are tested. Only told where there are two systems.
    software : str
        What computed it, as in ``Dissent 0.1.0``.

    Returns
    -------
    MethodsText
        Numbers as pages and commands have them. Agreement that cannot be computed is left out
        with its reason.

    Raises
    ------
    BadInput
        A measure cannot be read.
    """
    facet = facet or facets_of(study)[0]
    sentences = [
        *_tell_labels(study, facet),
        *_tell_agreement(study, facet),
        *_tell_versions(study, versions),
        *_tell_scores(study, measures, len(versions), significance),
    ]
    if software:
        sentences.append(f"All numbers were computed with {software}.")
    markdown = " ".join(sentences)
    cited = [key for found in _CITATION.finditer(markdown) for key in _known_keys(found)]
    return MethodsText(markdown, tuple(dict.fromkeys(cited)))


def _tell_labels(study: Study, facet: str) -> list[str]:
    """Say how many assessors gave how many labels to how many items, and how many overlap."""
    ratings = ratings_of(study, facet)
    if not len(ratings.item):
        return [f"No {facet} has been judged yet."]
    assessors, topics = (len(np.unique(one)) for one in (ratings.assessor, ratings.topic))
    by_item = np.bincount(ratings.item, minlength=len(ratings.items))
    items, several = int((by_item > 0).sum()), int((by_item > 1).sum())
    people = people_of(study)
    judged = people[people["assessor_id"].isin(ratings.assessors)]
    groups = sorted({*judged["group"]} - {""})
    whose = f" in {len(groups)} groups ({', '.join(groups)})" if len(groups) > 1 else ""
    labels = count(len(ratings.item), "label")
    levels = counted_levels(scales_of(study)[facet])
    scale = ", ".join(f"{name} ({level})" for level, name in levels.items())
    sentences = [
        f"{count(assessors, 'assessor')}{whose} judged {count(items, facet)} for "
        f"{count(topics, 'topic')} and gave {labels} on {count(len(levels), 'level')}: {scale}.",
        f"Of these {facet}s, {several:,} ({several / items:.1%}) were judged by two or more "
        f"assessors; {facet}s have {write_number(by_item.sum() / items, 2)} labels on average.",
    ]
    left_out = describe_left_out(study)
    return [*sentences, f"Labels of {left_out}."] if left_out else sentences


def _tell_agreement(study: Study, facet: str) -> list[str]:
    """Say κ and α with their intervals, what was sampled, and by which method."""
    try:
        found = agreement_of(study, facet).overall(
            [COEFFICIENTS.parse(text) for text in COEFFICIENTS_TOLD]
        )
    except TooLittleData as error:
        return [f"Agreement cannot be told: {str(error).rstrip('.')}."]
    return [_tell_coefficient(row) for row in found.to_dict("records")]


def _tell_coefficient(row: dict[Any, Any]) -> str:
    coefficient = str(row["coefficient"])
    name = name_coefficient(coefficient)
    named = f"{name[:1].upper()}{name[1:]}{_cite(cite_measure(coefficient.partition('(')[0]))}"
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


def _tell_versions(study: Study, versions: Sequence[QrelsChoice]) -> list[str]:
    sentences = []
    for choice in versions:
        try:
            version = version_of(study, choice)
        except TooLittleData as error:
            sentences.append(f"The qrels version “{choice.name}” is empty: {error}.")
            continue
        size = (
            f"{count(version.n_documents, 'judgement')} for "
            f"{count(int(version.frame['topic_id'].nunique()), 'topic')}"
        )
        if choice.rule is None:
            name = choice.name.partition(": ")[2] or choice.name
            sentences.append(f"The qrels “{name}” were imported; they hold {size}.")
            continue
        rule = describe_rule(choice.rule, names_of(study), round_names(study))
        source = _cite("demeester2014") if holds_weights(choice) else ""
        rests = f"from {count(version.n_labels, 'label')}"
        sentences.append(f"The qrels version “{choice.name}”{source} holds {size}, {rests}: {rule}")
    return sentences


def _tell_scores(
    study: Study, measures: Sequence[str], versions: int, significance: SignificanceTest | None
) -> list[str]:
    parsed = [parse_measure(text) for text in measures]
    systems = len(runs_of(study)["system"].unique())
    if not systems:
        return []
    sentences = []
    if parsed:
        named = _join([f"{one}{_cite(cite_measure(one.name))}" for one in parsed])
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


def _cite(key: str) -> str:
    return f" [@{key}]" if key else ""


def _join(words: Sequence[str]) -> str:
    *most, last = words
    return f"{', '.join(most)} and {last}" if most else last
