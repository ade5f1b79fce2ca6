"""How precision falls with recall and gain adds up with rank, under a qrels version."""

from core.analysis.base.study import Study
from core.analysis.results.qrels_choices import Pairs, QrelsChoice, follows_version
from core.analysis.results.scores import judged_runs_of
from core.reports.curves import CurvesQuestion, RankingCurves


@follows_version
def ask_curves(
    study: Study, choice: QrelsChoice, question: CurvesQuestion, weights: Pairs
) -> RankingCurves:
    """Return the curves of all runs under a version; ``weights`` are of the UDM."""
    return RankingCurves(judged_runs_of(study, choice, weights), question)
