"""The figures of Dissent for notebooks: each takes what the API returns."""

import pandas as pd

from core.agreement.base import name_coefficient
from core.figures.agreement import draw_intervals
from core.figures.disagreement import draw_top_probability
from core.figures.effectiveness import draw_precision_recall
from core.figures.estimates import draw_estimates, draw_widths
from core.figures.machines import draw_level_shift, draw_machine_agreement, draw_machine_levels
from core.figures.style import Figure
from core.reports.agreement import Agreement
from core.reports.curves import CurvesQuestion, RankingCurves
from core.reports.estimate import Estimation
from core.reports.machines import MachineAudit
from core.reports.scores import Scores


def plot_agreement(found: Agreement) -> Figure:
    """Draw every coefficient over all assessors with its 95 % interval."""
    rows = found.overall.assign(name=found.overall["coefficient"], counted=True)
    return draw_intervals(rows, x="agreement")


def plot_means(scores: Scores, measure: str = "") -> Figure:
    """Draw the mean of each system with its 95 % interval, by one measure or the first."""
    means = scores.means
    measure = measure or str(means["measure"].iloc[0])
    rows = means[means["measure"] == measure].sort_values("rank", kind="stable")
    rows = rows.assign(name=rows["system"], n=rows["topics"], counted=True)
    return draw_intervals(rows, x=measure)


def plot_chances(table: pd.DataFrame, top: str | int) -> Figure:
    """Draw p(top | level) with its 95 % interval, from what ``weights`` returns."""
    known = table["p"].notna()
    written = table["p"].map("{:.2f}".format).where(known, "–")
    rows = table.assign(name=table["level"].astype("str"), p_shown=written)
    return draw_top_probability(rows, str(top))


def plot_precision_recall(scores: Scores, rel: float = 1) -> Figure:
    """Draw interpolated precision at the eleven standard levels of recall."""
    return draw_precision_recall(
        RankingCurves(scores.judged, CurvesQuestion(rel=rel)).eleven_points
    )


def plot_machines(found: MachineAudit, coefficient: str = "kappa(linear)") -> Figure:
    """Draw a coefficient of each machine with each person, beside that of people themselves."""
    both = (rows[rows["coefficient"] == coefficient] for rows in (found.pairs, found.people))
    return draw_machine_agreement(*both, x=name_coefficient(coefficient))


def plot_machine_levels(found: MachineAudit, machine: str) -> Figure:
    """Draw which levels a machine gives, for each level of people."""
    rows = found.distributions
    return draw_machine_levels(rows[rows["machine"] == machine])


def plot_level_shift(found: MachineAudit) -> Figure:
    """Draw how much higher machines judge than each person, with 95 % intervals."""
    return draw_level_shift(found.shifts)


def plot_estimates(found: Estimation, measure: str = "") -> Figure:
    """Draw each system's mean in three ways with 95 % intervals, by one measure or the first."""
    systems = found.systems
    measure = measure or str(systems["measure"].iloc[0])
    return draw_estimates(systems[systems["measure"] == measure], measure)


def plot_widths(found: Estimation, measure: str = "", of: str = "mean") -> Figure:
    """Draw the mean width of intervals of means, or of differences, by topics people judge."""
    measure = measure or str(found.systems["measure"].iloc[0])
    rows = found.widths[(found.widths["measure"] == measure) & (found.widths["of"] == of)]
    (now,) = found.systems.loc[found.systems["measure"] == measure, "n_human"].unique()
    return draw_widths(rows, int(now), f"{measure}, {of}s")
