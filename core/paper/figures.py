"""The figures of a paper, by their captions."""

from core.agreement.base import name_coefficient
from core.analysis.agreement.between_assessors import agreement_of, pairs_of_assessors
from core.analysis.agreement.level_weights import declared_weights
from core.analysis.base.study import Study
from core.analysis.results.curves import ask_curves
from core.analysis.results.qrels_choices import QrelsChoice
from core.analysis.results.scores import ask_scores
from core.errors import TooLittleData
from core.figures.agreement import draw_intervals, draw_pair_matrix
from core.figures.disagreement import draw_top_probability
from core.figures.effectiveness import draw_precision_recall
from core.figures.style import COLOURS, Figure
from core.numerals import write_number
from core.reports.curves import USUAL

MOST_ASSESSORS = 20
"""Up to how many a matrix of every two can be read in a column's width."""


def draw_agreement(study: Study, facet: str) -> dict[str, Figure]:
    """Return coefficients, the matrix of assessors and p(top | level); none without a pair."""
    try:
        overall, pairs = agreement_of(study, facet).overall, pairs_of_assessors(study, facet)
    except TooLittleData:
        return {}
    named = overall.assign(name=overall["coefficient"].map(name_coefficient), counted=True)
    found = {f"Agreement on {facet}s": draw_intervals(named[named["value"].notna()], x="agreement")}
    if 2 < len({*pairs["first"], *pairs["second"]}) <= MOST_ASSESSORS:
        matrix = draw_pair_matrix(pairs.rename(columns={"linear": "value"}))
        found[f"Agreement of every two assessors on {facet}s"] = matrix
    weighed = declared_weights(study, facet)
    rows = weighed.levels
    if rows["p"].notna().any():
        written = [
            f"({write_number(p, 2)})" if few else write_number(p, 2)
            for p, few in zip(rows["p"], rows["few"], strict=True)
        ]
        found[f"Top probability by level on {facet}s"] = draw_top_probability(
            rows.assign(p_shown=written), weighed.labels.name(weighed.model.top)
        )
    return found


def draw_scores(study: Study, choice: QrelsChoice, measure: str) -> dict[str, Figure]:
    """Return means with their intervals, and precision by recall; none without scores."""
    try:
        scores = ask_scores(study, choice, (measure,))
        means = scores.sort(scores.means)
    except TooLittleData:
        return {}
    if means["value"].isna().all():
        return {}
    rows = means.assign(name=means["system"], n=means["topics"], counted=True)
    found = {f"Scores by {measure}, {choice.name}": draw_intervals(rows, x=measure)}
    systems = rows["system"].tolist()
    if len(systems) <= len(COLOURS):
        curve = ask_curves(study, choice, USUAL, ()).eleven_points
        curve = curve[curve["system"].isin(systems)]
        if not curve.empty:
            found[f"Precision by recall, {choice.name}"] = draw_precision_recall(curve)
    return found
