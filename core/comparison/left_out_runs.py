"""Runs that had not contributed to the pool: what each would have lost.

The pool is built anew from the runs of all others, the judgements that only it brought are taken
away, and all runs are scored again. Nothing is drawn: the figures are of these runs, these topics
and this pool, so that they have no limits.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd

from core.agreement.corrections import correct
from core.agreement.intervals import Floats
from core.comparison.paired import paired_t
from core.comparison.ties import tie_close
from core.errors import BadInput
from core.measures.base import Measure, Weights
from core.measures.evaluate import evaluate
from core.measures.intent_measure import IntentMeasure
from core.measures.intents import Intents
from core.measures.ranked import Integers, Levels, Mask, Ranked
from core.measures.ranking import Rankings, compile_rankings
from core.versions.judgements import Judgements

MOSTLY = 0.9
"""The share of what stands at a rank that has to be judged where runs were pooled to it."""

Progress = Callable[[float], None]


@dataclass(frozen=True, eq=False)
class LeftOutRuns:
    """What every run would have lost, had its team not contributed.

    Parameters
    ----------
    falls : DataFrame
        ``team, system, measure, value, without, fall, rank, rank_without, rank_fall, significant,
        lost, topics``: a row for each system and measure. ``value`` is the mean by all judgements,
        ``without`` that without what only its team brought, ``fall`` by how much it is worse;
        ``rank_fall`` how many ranks are lost, below 0 where they are gained. ``significant`` counts
        the other systems that it differs from, ``lost`` those of them that it then does not, or the
        other way round. ``topics`` is how many the means are over.
    shares : DataFrame
        ``team, systems, judged, alone, share, relevant, relevant_alone``: a row for each team.
        ``judged`` counts the judged documents in the pool of its runs, ``alone`` those that are in
        the pool of no other team, ``share`` is the second by the first.
    depth : int
        How far down runs were pooled.
    """

    falls: pd.DataFrame
    shares: pd.DataFrame
    depth: int

    def summarise(self) -> pd.DataFrame:
        """Return the mean and the worst of all runs, a row for each measure.

        ``measure, fall, rank_fall, worst_fall, worst_fall_system, worst_rank_fall,
        worst_rank_system, lost, significant, systems, topics``; of equal ones the first by name.
        ``lost`` and ``significant`` are sums.
        """
        rows = []
        for measure, own in self.falls.groupby("measure", sort=False):
            own = own.sort_values("system", kind="stable")
            row: dict[str, object] = {"measure": measure}
            row |= {name: float(own[name].mean()) for name in ("fall", "rank_fall")}
            for name in ("fall", "rank_fall"):
                worst = own.iloc[int(np.nanargmax(own[name]))]
                row |= {f"worst_{name}": worst[name], f"worst_{name}_system": worst["system"]}
            row |= {name: int(own[name].sum()) for name in ("lost", "significant")}
            rows.append(row | {"systems": len(own), "topics": int(own["topics"].min())})
        return pd.DataFrame(rows)


def teams_by_prefix(systems: Sequence[str], letters: int) -> dict[str, str]:
    """Return the team of each system: the first so many characters of its name.

    Parameters
    ----------
    systems : sequence of str
        Their names.
    letters : int
        How many characters, from 1; upper and lower case are told apart.

    Examples
    --------
    >>> teams_by_prefix(["INQ001", "INQ002", "citri1"], 4)
    {'INQ001': 'INQ0', 'INQ002': 'INQ0', 'citri1': 'citr'}
    """
    if letters < 1:
        raise BadInput("a team is told by at least one letter", field="teams")
    return {system: system[:letters] for system in systems}


def find_depth(runs: pd.DataFrame, judgements: Judgements) -> int:
    """Return how far down the runs seem to have been pooled.

    Parameters
    ----------
    runs : DataFrame
    judgements : Judgements
        As for `compile_rankings`.

    Returns
    -------
    int
        The last rank up to which, at every rank, at least nine in ten of the documents shown for
        judged topics are judged; 0 where the first is not.
    """
    rankings = compile_rankings(runs, judgements)
    deepest = int(rankings.length.max())
    shown = np.bincount(rankings.length, minlength=deepest + 1)[::-1].cumsum()[::-1][1:]
    judged = np.bincount(rankings.retrieved.rank, minlength=deepest + 1)[1:]
    short = np.flatnonzero(judged < MOSTLY * shown)
    return int(short[0]) if short.size else deepest


def leave_out_runs(
    runs: pd.DataFrame,
    judgements: Judgements,
    measures: Sequence[Measure],
    depth: int,
    teams: Mapping[str, str] | None = None,
    weights: Weights | None = None,
    *,
    alpha: float = 0.05,
    progress: Progress | None = None,
) -> LeftOutRuns:
    """Score every run as if its team had not contributed to the pool.

    Judged documents that are in nobody's pool stay judged: they came from elsewhere. All runs are
    scored with what is left. A topic where a measure has then nothing to find is left out of both
    means.

    Parameters
    ----------
    runs : DataFrame
    judgements : Judgements
        As for `compile_rankings`; levels of several iterations count as the highest.
    measures : sequence of Measure
        What runs are scored by.
    depth : int
        How far down runs were pooled, from 1.
    teams : mapping of system to team, optional
        Whose runs are left out together; each system is a team of its own where it is not named.
    weights : mapping of level to weight, optional
        What ``gain='udm'`` stands for.
    alpha : float, default 0.05
        A difference is significant when p is below it.
    progress : callable, optional
        Is told the share done.

    Raises
    ------
    BadInput
        Fewer than two teams, no measure, a measure that cannot be had without documents (by
        intents, from a sample, or a geometric mean), or judgements of single engines.
    """
    measures = list(dict.fromkeys(measures))
    _check(judgements.frame, measures, depth)
    pool = _JudgedRankings.of(runs, judgements, depth)
    team = [(teams or {}).get(system, system) for system in pool.rankings.systems]
    names = list(dict.fromkeys(team))
    if len(names) < 2:
        raise BadInput("with one team nothing is left of the pool without it", field="teams")
    brought = pool.brought(np.array([names.index(one) for one in team]), len(names))
    is_alone = brought & (brought.sum(axis=1) == 1)[:, np.newaxis]
    whole = _score(pool.keep(np.ones(len(pool.level), dtype=np.bool_)), measures, weights)
    falls = []
    for number, name in enumerate(names):
        if progress is not None:
            progress(number / len(names))
        left = _score(pool.keep(~is_alone[:, number]), measures, weights)
        own = [at for at, one in enumerate(team) if one == name]
        for measure, before, after in zip(measures, whole, left, strict=True):
            falls += _compare(pool.rankings.systems, measure, before, after, own, name, alpha)
    shares = [
        _describe_share(name, team, brought[:, number], is_alone[:, number], pool.level)
        for number, name in enumerate(names)
    ]
    return LeftOutRuns(pd.DataFrame(falls), pd.DataFrame(shares), depth)


def _check(qrels: pd.DataFrame, measures: Sequence[Measure], depth: int) -> None:
    if not measures:
        raise BadInput("choose at least one measure", field="measure")
    if depth < 1:
        raise BadInput("runs are pooled to a rank from 1; say which", field="depth")
    if "engine" in qrels and qrels["engine"].astype("str").fillna("").ne("").any():
        raise BadInput(
            "these judgements hold for one engine each, so that no engine judges for another; "
            "choose those of pages"
        )
    several = qrels["iteration"].nunique() > 1
    for one in measures:
        if one.geometric:
            raise BadInput(one.obstacle, field="measure")
        if one.lack or (several and isinstance(one, IntentMeasure)):
            why = one.lack or "it counts a document once for each subtopic"
            raise BadInput(f"{one} cannot be scored without a run: {why}", field="measure")


@dataclass(frozen=True, eq=False)
class _JudgedRankings:
    """Rankings whose levels number the judged documents, and the levels of these.

    So documents can be taken away without bringing runs and judgements together again.
    """

    rankings: Rankings
    level: Levels
    depth: int

    @classmethod
    def of(cls, runs: pd.DataFrame, judgements: Judgements, depth: int) -> "_JudgedRankings":
        qrels = judgements.frame
        known = qrels[qrels["level"] >= 0].groupby(["topic_id", "document_id"], sort=False)
        judged = known["level"].max().reset_index()
        level = judged["level"].to_numpy(np.float64)
        marked = judged.assign(level=np.arange(len(judged)), iteration="0")
        if (level == np.floor(level)).all():
            level = level.astype(np.int32)
        runs = runs.drop(columns="words", errors="ignore")
        rankings = compile_rankings(runs, judgements.on_same_scale(marked))
        return cls(rankings, level, depth)

    def brought(self, team: Integers, teams: int) -> Mask:
        """Return which judged documents are in the pool of each team, (n_judged, n_teams)."""
        cells = self.rankings.retrieved.up_to(self.depth)
        system = cells.row // len(self.rankings.topics)
        found: Mask = np.zeros((len(self.level), teams), dtype=np.bool_)
        found[cells.level, team[system]] = True
        return found

    def keep(self, kept: Mask) -> Rankings:
        """Return the rankings as they are with only these judgements."""
        shown, ideal = self.rankings.retrieved, self.rankings.ideal
        shown = shown.where(kept[shown.level])
        retrieved = Ranked(shown.rows, shown.row, shown.rank, self.level[shown.level])
        judged = ideal.where(kept[ideal.level])
        order = np.lexsort((-self.level[judged.level], judged.row))
        best = Ranked(judged.rows, judged.row, judged.ordinal(), self.level[judged.level][order])
        return replace(
            self.rankings,
            retrieved=retrieved,
            ideal=best,
            intents=Intents.as_one(retrieved, best),
        )


def _score(
    rankings: Rankings, measures: Sequence[Measure], weights: Weights | None
) -> list[Floats]:
    """Return the scores by each measure, shape (n_topics, n_systems), NaN where undefined."""
    scores = evaluate(measures, rankings, weights, undefined=True)["value"].to_numpy(np.float64)
    shape = len(measures), len(rankings.systems), len(rankings.topics)
    return [values.T for values in scores.reshape(shape)]


def _compare(
    systems: Sequence[str],
    measure: Measure,
    before: Floats,
    after: Floats,
    own: Sequence[int],
    team: str,
    alpha: float,
) -> list[dict[str, object]]:
    """Return a row for each of a team's systems."""
    counted = ~(np.isnan(before) | np.isnan(after)).any(axis=1)
    before, after = before[counted], after[counted]
    if not counted.any():
        raise BadInput(f"no topic is left that {measure} has anything to find for", field="measure")
    means = [values.mean(axis=0) for values in (before, after)]
    ranks = [_rank(values, measure.greater_is_better) for values in means]
    signs = [_tell_apart(values, alpha) for values in (before, after)]
    return [
        {
            "team": team,
            "system": systems[at],
            "measure": str(measure),
            "value": means[0][at],
            "without": means[1][at],
            "fall": (means[0][at] - means[1][at]) * (1 if measure.greater_is_better else -1),
            "rank": int(ranks[0][at]),
            "rank_without": int(ranks[1][at]),
            "rank_fall": int(ranks[1][at] - ranks[0][at]),
            "significant": int((signs[0][at] != 0).sum()),
            "lost": int(((signs[0][at] != 0) & (signs[1][at] != signs[0][at])).sum()),
            "topics": int(counted.sum()),
        }
        for at in own
    ]


def _rank(means: Floats, greater_is_better: bool) -> Integers:
    """Return the rank of each system, equal ones sharing the best."""
    tied = pd.Series(tie_close(means))
    rank = tied.rank(method="min", ascending=not greater_is_better)
    found: Integers = rank.to_numpy().astype(np.int64)
    return found


def _tell_apart(values: Floats, alpha: float) -> Integers:
    """Return for every two systems 1 or -1 where they differ significantly, else 0."""
    systems = values.shape[1]
    signs = np.zeros((systems, systems), dtype=np.int64)
    if len(values) < 2:
        return signs
    first, second = np.triu_indices(systems, k=1)
    differs = correct(paired_t(values).p, "holm") < alpha
    means = values.mean(axis=0)
    signs[first, second] = np.sign(means[first] - means[second]) * differs
    return signs - signs.T


def _describe_share(
    name: str, team: Sequence[str], brought: Mask, alone: Mask, level: Levels
) -> dict[str, object]:
    judged, only = int(brought.sum()), int(alone.sum())
    return {
        "team": name,
        "systems": team.count(name),
        "judged": judged,
        "alone": only,
        "share": only / judged if judged else np.nan,
        "relevant": int((brought & (level > 0)).sum()),
        "relevant_alone": int((alone & (level > 0)).sum()),
    }
