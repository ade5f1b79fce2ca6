"""Whether the pool of a collection is fair to runs that did not contribute."""

from core.analysis.base.study import Study, runs_of
from core.analysis.results.qrels_choices import Pairs, QrelsChoice, follows_version, version_of
from core.comparison.left_out_runs import teams_by_prefix
from core.reports.unpooled import Unpooled, UnpooledQuestion


@follows_version
def ask_unpooled(
    study: Study,
    choice: QrelsChoice,
    measures: tuple[str, ...],
    weights: Pairs,
    depth: int,
    letters: int,
    teams: tuple[tuple[str, str], ...],
) -> Unpooled:
    """Return what a collection's runs would lose under a version.

    Parameters
    ----------
    depth : int
        0 to tell it from how much is judged.
    letters : int
        By how many characters at its beginning a system tells its team; 0 where each is its own.
    teams : pairs of system and team
        Go before the letters.
    """
    runs = runs_of(study)
    systems = [str(one) for one in runs["system"].unique()]
    named = teams_by_prefix(systems, letters) if letters else {}
    question = UnpooledQuestion(measures, depth or None, tuple((named | dict(teams)).items()))
    return Unpooled(runs, version_of(study, choice), question, dict(weights) or None)
