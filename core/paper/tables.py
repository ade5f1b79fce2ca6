"""The tables of a paper: what was judged, how far assessors agree, and how systems score."""

from collections.abc import Sequence

import pandas as pd

from core.agreement.base import name_coefficient
from core.analysis.agreement.between_assessors import agreement_of, pairs_of_assessors
from core.analysis.agreement.user_disagreement import declared_weights
from core.analysis.base.labels import names_of, round_names
from core.analysis.base.study import Study
from core.analysis.results.qrels_choices import QrelsChoice, version_of
from core.analysis.results.scores import ask_scores
from core.analysis.results.version_scores import compare_versions
from core.collection.export.table_formats import TextTable, tabulate
from core.comparison.significance_test import SignificanceTest
from core.errors import BadInput, TooLittleData
from core.measures.catalogue import parse_measure
from core.numerals import ABSENT, write_limits, write_number, write_p
from core.reports.compare import CompareQuestion
from core.versions.wording import describe_rule

LIMITS = "95 % limits over topics"


def tabulate_agreement(study: Study, facet: str) -> list[TextTable]:
    """Return the coefficients over all assessors, and κ of every two; none without a pair."""
    try:
        overall, pairs = agreement_of(study, facet).overall, pairs_of_assessors(study, facet)
    except TooLittleData:
        return []
    pairs = pairs[pairs["n"] > 0]
    coefficients = pd.DataFrame(
        {
            "coefficient": overall["coefficient"].map(name_coefficient),
            "common items": overall["n"],
            "topics": overall["units"],
            "value [95 %]": _with_limits(overall, "value"),
        }
    )
    between = pd.DataFrame(
        {
            "first": pairs["first"],
            "second": pairs["second"],
            "items": pairs["n"],
            "topics": pairs["topics"],
            "linear κ [95 %]": _with_limits(pairs, "linear"),
            "κ": pairs["unweighted"],
            "raw": pairs["raw"],
        }
    )
    note = f"{LIMITS}, by the jackknife."
    legend = (
        "Items: judged by both. κ: linear weighted, and unweighted. Raw: share of equal levels."
    )
    return [
        tabulate(coefficients, f"Agreement on {facet}s", [note], overall),
        tabulate(
            between,
            f"Agreement of every two assessors on {facet}s",
            [legend, note],
            pairs.drop(columns=["first_id", "second_id"]),
        ),
    ]


def tabulate_levels(study: Study, facet: str) -> list[TextTable]:
    """Return each level's chance to be top for another, and its UDM weight; none without any."""
    found = declared_weights(study, facet)
    if not found.has_pairs:
        return []
    rows, model = found.levels, found.model
    shown = pd.DataFrame(
        {
            "level": rows["name"],
            "cases": rows["cases"].map(lambda cases: write_number(cases, 1)),
            f"p({found.labels.name(model.top)} | level) [95 %]": _with_limits(rows, "p"),
            "UDM weight": rows["weight"],
        }
    )
    users = f"{model.at_least} of {model.users} users"
    note = f"{LIMITS}, by the jackknife. Weight: at least {users} find it top."
    title = f"Levels of {facet}s under the User Disagreement Model"
    return [tabulate(shown, title, [note], rows)]


def tabulate_versions(study: Study, versions: Sequence[QrelsChoice]) -> list[TextTable]:
    """Return each qrels version with its rule and size; none without any."""
    rows = []
    for choice in versions:
        try:
            version = version_of(study, choice)
        except (TooLittleData, BadInput):
            continue
        rule = "imported"
        if choice.rule is not None:
            rule = describe_rule(choice.rule, names_of(study), round_names(study))
        topics = version.frame["topic_id"].nunique()
        rows.append((choice.name, rule, topics, version.n_documents, version.content_hash[:12]))
    if not rows:
        return []
    columns = ["version", "rule", "topics", "judgements", "content"]
    table = pd.DataFrame(rows, columns=columns)
    return [tabulate(table, "Qrels versions", data=table)]


def tabulate_scores(
    study: Study, choice: QrelsChoice, measures: Sequence[str], test: SignificanceTest
) -> list[TextTable]:
    """Return the means of systems, and every two of them tested by the first measure.

    None without runs, or where the version has no judgement.
    """
    try:
        found = ask_scores(study, choice, measures)
        means = found.sort(found.means)
    except TooLittleData:
        return []
    # What is estimated from a sample has no score where there is none.
    scored = [one for one in measures if (means["topics"] > 0)[means["measure"] == one].any()]
    if not scored:
        return []
    own = {one: means[means["measure"] == one].reset_index(drop=True) for one in scored}
    columns = {f"{one} [95 %]": _with_limits(rows, "value") for one, rows in own.items()}
    first = own[scored[0]]
    table = pd.DataFrame({"system": first["system"], **columns, "topics": first["topics"]})
    note = f"{LIMITS}, by Student's t on log odds."
    tables = [tabulate(table, f"Scores of systems, {choice.name}", [note], means)]
    return [*tables, *_tabulate_differences(study, choice, scored[0], test)]


def _tabulate_differences(
    study: Study, choice: QrelsChoice, measure: str, test: SignificanceTest
) -> list[TextTable]:
    if parse_measure(measure).obstacle:
        return []
    found = compare_versions(study, [choice], [measure], CompareQuestion(test))
    pairs = found.pairs
    if pairs.empty:
        return []
    shown = pd.DataFrame(
        {
            "first": pairs["first"],
            "second": pairs["second"],
            "difference [95 %]": _with_limits(pairs, "difference"),
            "p": pairs["p"].map(write_p),
            "effect size": pairs["effect_size"],
        }
    )
    more = [f"{note[:1].upper()}{note[1:]}." for note in found.notes]
    notes = [f"{found.comparison.made}.", found.comparison.correction, *more]
    return [tabulate(shown, f"Differences of systems by {measure}, {choice.name}", notes, pairs)]


def _with_limits(rows: pd.DataFrame, name: str) -> "pd.Series[str]":
    """Return values with their limits: ``0.410 [0.352, 0.465]``."""
    written = [
        write_number(value) if pd.isna(low) or pd.isna(value)
        else f"{write_number(value)} {write_limits(low, high)}"
        for value, low, high in zip(rows[name], rows["low"], rows["high"], strict=True)
    ]  # fmt: skip
    return pd.Series([one or ABSENT for one in written], index=rows.index, dtype="str")
