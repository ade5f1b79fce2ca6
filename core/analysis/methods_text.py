"""The paragraph on methods of a paper, with its numbers: who judged what, and how it is counted."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from core.agreement.base import COEFFICIENTS
from core.analysis.agreement.between_assessors import agreement_of
from core.analysis.base.declared import judged_facets
from core.analysis.base.labels import (
    describe_left_out,
    names_of,
    people_of,
    ratings_of,
    round_names,
)
from core.analysis.base.study import Study, runs_of, scales_of
from core.analysis.bibliography import list_works, write_bibtex
from core.analysis.methods_sentences import (
    COEFFICIENTS_IN_TEXT,
    VersionFacts,
    count_judged,
    tell_coefficient,
    tell_judged,
    tell_scores,
    tell_software,
    tell_version,
)
from core.analysis.results.qrels_choices import QrelsChoice, holds_weights, version_of
from core.collection.records import counted_levels
from core.comparison.significance_test import SignificanceTest
from core.errors import TooLittleData
from core.versions.wording import describe_rule

_CITATION = re.compile(r" \[(@[\w; @]+)\]")


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
    return keys if all(key in list_works() for key in keys) else ()


def _tell(found: re.Match[str]) -> str:
    keys = _known_keys(found)
    return f" ({'; '.join(list_works()[key].citation for key in keys)})" if keys else found[0]


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
        What computed it, as in ``Dissent 0.9.0``.

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
    facet = facet or judged_facets(study)[0]
    systems = len(runs_of(study)["system"].unique())
    sentences = [
        *_tell_labels(study, facet),
        *_tell_agreement(study, facet),
        *_tell_versions(study, versions),
        *tell_scores(systems, measures, len(versions), significance),
    ]
    if software:
        sentences.append(tell_software(software))
    return write_paragraph(sentences)


def write_paragraph(sentences: Sequence[str]) -> MethodsText:
    """Return sentences as a paragraph, with the works that they cite."""
    markdown = " ".join(sentences)
    cited = [key for found in _CITATION.finditer(markdown) for key in _known_keys(found)]
    return MethodsText(markdown, tuple(dict.fromkeys(cited)))


def _tell_labels(study: Study, facet: str) -> list[str]:
    ratings, people = ratings_of(study, facet), people_of(study)
    groups = people.loc[people["assessor_id"].isin(ratings.assessors), "group"]
    judged = count_judged(ratings, facet, [*groups])
    sentences = tell_judged(judged, counted_levels(scales_of(study)[facet]))
    left_out = describe_left_out(study) if judged.labels else ""
    return [*sentences, f"Labels of {left_out}."] if left_out else sentences


def _tell_agreement(study: Study, facet: str) -> list[str]:
    try:
        found = agreement_of(study, facet).measure(
            [COEFFICIENTS.parse(text) for text in COEFFICIENTS_IN_TEXT]
        )
    except TooLittleData as error:
        return [f"Agreement cannot be told: {str(error).rstrip('.')}."]
    return [tell_coefficient(row) for row in found.to_dict("records")]


def _tell_versions(study: Study, versions: Sequence[QrelsChoice]) -> list[str]:
    sentences = []
    for choice in versions:
        try:
            version = version_of(study, choice)
        except TooLittleData as error:
            sentences.append(f"The qrels version “{choice.name}” is empty: {error}.")
            continue
        rule = None
        if choice.rule is not None:
            rule = describe_rule(choice.rule, names_of(study), round_names(study))
        facts = VersionFacts(
            choice.name,
            version.n_documents,
            int(version.frame["topic_id"].nunique()),
            version.n_labels,
            rule,
            holds_weights(choice),
        )
        sentences.append(tell_version(facts))
    return sentences
