"""The methods of a bundle: what a paper says of them, and what only a bundle knows."""

from collections.abc import Iterator

from core.agreement.base import COEFFICIENTS
from core.agreement.ratings import Ratings, ratings_from_labels
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
from core.analysis.methods_text import write_paragraph
from core.bundle.content import Content
from core.bundle.description import Description, Version
from core.collection.records import FACETS
from core.errors import TooLittleData
from core.reports.agreement import Agreement, FacetLabels
from core.versions.combine import PAIR
from core.versions.rules import QrelsRule
from core.versions.wording import describe_rule
from core.wording import count

METHODS, REFERENCES = "methods.md", "references.bib"


def write_methods(content: Content) -> dict[str, bytes]:
    """Return ``methods.md``, and ``references.bib`` where it cites anything, by their names.

    The sentences are those of `core.analysis.methods_text.describe_methods`, of every facet that
    was judged; a second paragraph says what is left out of the bundle.
    """
    about = content.about
    paragraph = write_paragraph(
        [
            *_tell_labels(content),
            *(tell_version(_facts_of(content, one)) for one in about.versions),
            *tell_scores(len(about.runs), about.measures, len(about.versions), about.test),
            tell_software(f"Dissent {about.software['dissent']}"),
        ]
    )
    paragraphs = ["# Methods", paragraph.markdown, " ".join(_tell_bundle(about))]
    found = {METHODS: ("\n\n".join(filter(None, paragraphs)) + "\n").encode()}
    return {**found, REFERENCES: paragraph.bibtex.encode()} if paragraph.sources else found


def why_no_methods(content: Content) -> str:
    """Return what is missing in a content to write its methods; empty where nothing is."""
    about = content.about
    if about.labels.assessors + about.labels.left_out and content.labels is None:
        return "it tells numbers of labels that are not in the bundle"
    if any(one.name not in content.qrels for one in about.versions):
        return "it tells numbers of qrels that were changed"
    return ""


def _tell_labels(content: Content) -> Iterator[str]:
    if content.labels is None:
        return
    about = content.about
    for facet in (one for one in reversed(FACETS) if one in about.levels):
        levels = about.levels[facet]
        names = about.level_names.get(facet, tuple(map(str, levels)))
        ratings = ratings_from_labels(content.labels, facet, list(levels))
        whose = content.labels["assessor_id"].isin(ratings.assessors)
        known = "group" in content.labels
        groups = {*content.labels.loc[whose, "group"].astype("str")} if known else set[str]()
        judged = count_judged(ratings, facet, [*map(mark_text, groups)])
        yield from tell_judged(judged, dict(zip(levels, map(mark_text, names), strict=False)))
        if about.labels.uncounted:
            yield f"Labels of {about.labels.uncounted}."
        if about.labels.agreement:
            yield from _tell_agreement(facet, ratings)


def _tell_agreement(facet: str, ratings: Ratings) -> Iterator[str]:
    try:
        coefficients = [COEFFICIENTS.parse(text) for text in COEFFICIENTS_IN_TEXT]
        rows = Agreement(FacetLabels(facet, ratings)).measure(coefficients).to_dict("records")
    except TooLittleData as error:
        yield f"Agreement cannot be told: {str(error).rstrip('.')}."
        return
    yield from map(tell_coefficient, rows)


def _facts_of(content: Content, one: Version) -> VersionFacts:
    rule = QrelsRule.from_json(one.rule) if one.rule else None
    return VersionFacts(
        mark_text(one.name),
        one.judgements,
        int(content.qrels[one.name]["topic_id"].nunique()),
        one.labels,
        None if rule is None else mark_text(describe_rule(rule)),
        rule is not None and rule.combine in ("udm", PAIR),
    )


def _tell_bundle(about: Description) -> Iterator[str]:
    """Say what a reader of the bundle has to know of what is not in it."""
    labels = about.labels
    if about.simulated:
        yield "The labels are simulated."
    if labels.published and labels.left_out:
        yield (
            f"Agreement is that of the {labels.assessors:,} whose labels are published; the qrels "
            f"rest on those of {count(labels.left_out, 'assessor')} more."
        )
    if about.runs and about.versions:
        yield "Runs were scored with the whole levels of the qrels in this bundle."


def mark_text(text: str) -> str:
    """Return a text without what Markdown or a page would take for more than text."""
    plain = " ".join(text.split())
    return plain.replace("&", "&amp;").replace("<", "&lt;").replace("[", "\\[").replace("`", "'")
