"""The whole study in one call: which measure tells most about these rankings."""

from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass

import numpy as np
import pandas as pd

from core.errors import BadInput
from core.informativeness.inference import Inferred, compare_inferences, infer_means
from core.informativeness.inferred_curves import draw_curves, measure_curve_errors
from core.informativeness.problem import label_rankings
from core.informativeness.solve import STATUS, solve
from core.informativeness.targets import Target, read_target
from core.measures.base import Measure
from core.measures.ranking import Rankings

Progress = Callable[[float], None]


@dataclass(frozen=True, eq=False)
class InformativenessStudy:
    """Several measures' informativeness about the same rankings.

    Parameters
    ----------
    inferred : tuple of Inferred
        What each measure's values came to.
    problems : DataFrame
        ``measure, system, topic_id, value, status, reason, entropy, p``: every problem with the
        observed value, what became of it (a name of ``STATUS``), why there are no probabilities
        (else ''), their entropy in nats, and one list of N probabilities per intent (none where
        there is no solution).
    curve_errors : DataFrame
        ``measure`` and the columns of `measure_curve_errors`.
    means : DataFrame
        As `infer_means` returns it: the points of the scatter plots.
    inference : DataFrame
        As `compare_inferences` returns it.
    level : float
        The level from which a document counts as relevant.
    binarised : tuple of str
        The measures that tell levels apart of which these judgements have several: they are taken
        in their binary form.
    """

    inferred: tuple[Inferred, ...]
    problems: pd.DataFrame
    curve_errors: pd.DataFrame
    means: pd.DataFrame
    inference: pd.DataFrame
    level: float
    binarised: tuple[str, ...]

    def statuses(self) -> pd.DataFrame:
        """Return how many problems of each measure ended how: ``measure`` and each status."""
        counts = pd.crosstab(self.problems["measure"], self.problems["status"])
        order = [str(each.target) for each in self.inferred]
        counts = counts.reindex(index=order, columns=list(STATUS), fill_value=0)
        return counts.rename_axis(index="measure", columns=None).reset_index()

    def curves(self, system: str, topic_id: str) -> pd.DataFrame:
        """Return precision and recall by rank, inferred from each measure, and actual.

        Parameters
        ----------
        system, topic_id : str
            A ranking of the study.

        Returns
        -------
        DataFrame
            ``measure, curve, intent, rank, matched, recall, precision, actual_recall,
            actual_precision``; ``curve`` is a name of ``VIEWS``, ``intent`` is '' but for single
            intents, ``matched`` the ranks that the errors are based on. Recall is a share of all
            relevant documents, retrieved or not; over intents it is the mean.

        Raises
        ------
        BadInput
            The ranking is not part of the study.
        """
        return pd.concat(
            [_draw_curves(each, system, topic_id) for each in self.inferred], ignore_index=True
        )


def measure_informativeness(
    rankings: Rankings,
    measures: Iterable[Measure | str],
    *,
    depth: int = 10,
    level: float = 1,
    recursion: str = "exact",
    probabilities: pd.DataFrame | None = None,
    systems: Collection[str] | None = None,
    topics: Collection[str] | None = None,
    progress: Progress | None = None,
) -> InformativenessStudy:
    """Infer rankings from each measure's values, and compare what was inferred with what is.

    Parameters
    ----------
    rankings : Rankings
        Runs and judgements.
    measures : iterable of Measure or str
        Those that `read_target` knows.
    depth : int, default 10
        How many ranks are looked at (N).
    level : float, default 1
        The level from which a document counts as relevant.
    recursion : {'exact', 'paper'}, default 'exact'
        How cascade measures are expected.
    probabilities : DataFrame, optional
        ``topic_id, subtopic_id, probability`` of the intents; equal shares without it.
    systems, topics : collection of str, optional
        Only these; see `choose_systems` and `choose_topics`. Topics without a relevant document
        are left out.
    progress : callable, optional
        Told the share done, from 0 to 1, now and then; what it raises ends the study.

    Returns
    -------
    InformativenessStudy
        Every problem with its status, and the tables.

    Raises
    ------
    BadInput
        No measure is given, or one twice or one that is not known; or a choice is not possible.
    TooLittleData
        No document is judged relevant.

    References
    ----------
    Ashkan & Clarke (2011), WWW, pp. 407–416, doi:10.1145/1963405.1963464.
    """
    targets = [read_target(each, depth, level=level, recursion=recursion) for each in measures]
    _check_targets(targets)
    labels = {
        by_intent: label_rankings(
            rankings,
            depth,
            level,
            by_intent=by_intent,
            probabilities=probabilities,
            systems=systems,
            topics=topics,
        )
        for by_intent in {target.by_intent for target in targets}
    }
    inferred = []
    for done, target in enumerate(targets):
        known = labels[target.by_intent]
        batch = known.pose(target)
        report = None if progress is None else _part_of(progress, done, len(targets))
        inferred.append(Inferred(target, known, batch, solve(batch, report)))
    means = infer_means(inferred)
    return InformativenessStudy(
        tuple(inferred),
        pd.concat([_list_problems(each) for each in inferred], ignore_index=True),
        pd.concat([_list_errors(each) for each in inferred], ignore_index=True),
        means,
        compare_inferences(means),
        level,
        _find_binarised(targets, rankings),
    )


def _check_targets(targets: list[Target]) -> None:
    if not targets:
        raise BadInput("choose at least one measure", field="measure")
    for at, target in enumerate(targets):
        if target in targets[:at]:
            raise BadInput(f"{target} is chosen twice", field="measure")


def _find_binarised(targets: list[Target], rankings: Rankings) -> tuple[str, ...]:
    """Return the graded measures, where a level above 1 would gain more than 1."""
    if not (rankings.ideal.level > 1).any():
        return ()
    return tuple(str(target) for target in targets if target.measure.graded)


def _part_of(progress: Progress, done: int, parts: int) -> Progress:
    """Return the progress of one of several equal parts."""
    return lambda share: progress((done + share) / parts)


def _list_problems(inferred: Inferred) -> pd.DataFrame:
    labels, solution = inferred.labels, inferred.solution
    count, names = len(inferred.batch.value), list(STATUS)
    system, topic = np.divmod(np.arange(count), len(labels.topics))
    lists = solution.p.T.tolist()
    ends = [*labels.starts.tolist(), len(lists)]
    known = ~np.isnan(solution.entropy)
    return pd.DataFrame(
        {
            "measure": pd.array([str(inferred.target)] * count, dtype="str"),
            "system": pd.array(list(labels.systems), dtype="str").take(system),
            "topic_id": pd.array(list(labels.topics), dtype="str").take(topic),
            "value": inferred.batch.value,
            "status": pd.array([names[at] for at in solution.status], dtype="str"),
            "reason": pd.array(solution.reason, dtype="str"),
            "entropy": solution.entropy,
            "p": pd.Series(
                [lists[ends[at] : ends[at + 1]] if known[at] else [] for at in range(count)],
                dtype=object,
            ),
        }
    )


def _list_errors(inferred: Inferred) -> pd.DataFrame:
    errors = measure_curve_errors(inferred.labels, inferred.solution.p)
    errors.insert(0, "measure", str(inferred.target))
    return errors


def _draw_curves(inferred: Inferred, system: str, topic_id: str) -> pd.DataFrame:
    labels = inferred.labels
    if system not in labels.systems or topic_id not in labels.topics:
        raise BadInput(f"{system} on topic {topic_id} is not part of the study")
    ranking = labels.systems.index(system) * len(labels.topics) + labels.topics.index(topic_id)
    own = labels.ranking == ranking
    drawn = draw_curves(labels.only(ranking), inferred.solution.p[:, own])
    drawn.insert(0, "measure", str(inferred.target))
    return drawn
