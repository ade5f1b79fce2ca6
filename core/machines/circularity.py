"""Runs that agree with a machine judge beyond what people's labels and the other runs explain.

A run that was made with the machine's labels, or by a model much like the machine, is praised for
agreeing with it. Better runs, too, agree more with any good judge; so each run is first compared
with what people say and with how all other runs rank the same documents, and then with what is
left of the others.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import pandas as pd

from core.agreement.corrections import correct
from core.agreement.intervals import Floats
from core.errors import TooLittleData
from core.measures.coded_judgements import CodedJudgements, code_judgements, find_codes
from core.wording import count

FEWEST_RUNS = 3
"""One run is compared with the spread of the others, which takes two of them."""

RIDGE = 0.03
"""How far runs that much resemble each other are held back, of the mean variance of a run."""

COLUMNS = [
    "system", "statistic", "others", "t", "p", "p_corrected", "flagged",
    "pairs", "documents", "agreement", "agreement_others", "unit", "units", "reason",
]  # fmt: skip

JUDGEMENT = ["topic_id", "iteration", "document_id", "level"]

NO_PAIR = (
    "it retrieves no two documents to which people give the same level and the machine does not"
)
NO_SPREAD = "it ranks these documents just as the other runs, or people's levels, have them"
FEW_COMPARED = "it has fewer than two other runs beside it, or these are all alike"

PAIRS_AT_ONCE = 50_000
"""So many pairs are counted at a time, to keep memory low."""

Codes = npt.NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class JudgedTwice:
    """The documents that people and the machine have judged, and where runs have them.

    Parameters
    ----------
    systems : tuple of str
        The runs.
    ranks : array, shape (n_documents, n_systems)
        From 1; what a run does not retrieve comes after all that it retrieves.
    retrieved : array of bool, shape (n_documents, n_systems)
    stratum : array of int, shape (n_documents,)
        Documents of one topic that people gave one level have the same, ascending.
    machine : array, shape (n_documents,)
        The machine's level.
    """

    systems: tuple[str, ...]
    ranks: Floats
    retrieved: npt.NDArray[np.bool_]
    stratum: Codes
    machine: Floats


def check_circularity(
    runs: pd.DataFrame,
    people: pd.DataFrame,
    machine: pd.DataFrame,
    alpha: float = 0.05,
) -> pd.DataFrame:
    """Return for each run how far it agrees with the machine beyond people and the other runs.

    Parameters
    ----------
    runs : DataFrame
        ``system, topic_id, document_id, rank``.
    people, machine : DataFrame
        ``topic_id, iteration, document_id, level``; a level below 0 is no judgement.
    alpha : float, default 0.05
        The chance that any run is flagged where none differs from the others in kind.

    Returns
    -------
    DataFrame
        From the largest statistic: ``system``; ``statistic`` in [-1, 1], the run's partial rank
        correlation with the machine's levels; ``others``, the mean of theirs; ``t``, how
        far it stands out, in standard deviations of the other runs; ``p``, one-sided, and
        ``p_corrected`` over runs by Holm's method; ``flagged``: below α; ``pairs`` of documents of
        one topic that the run retrieves, to which people give the same level and the machine does
        not; ``documents``, how many it retrieves that both have judged; ``agreement``, the share
        of the pairs in which it puts first what the machine prefers, and ``agreement_others``, the
        same of the other runs on the same pairs; ``unit, units``: runs are compared, so many;
        ``reason``, why something is missing, else ''.

    Raises
    ------
    TooLittleData
        No document is judged by both, or none of one level by people has several by the machine.

    Notes
    -----
    Of the documents that a run retrieves, the square root of their ranks and the machine's levels
    are both taken within topic and people's level, and less what a ridge regression on the other
    runs' ranks predicts; the statistic is the correlation of what is left. Honest runs vary about
    a mean that need not be 0; each is compared with the others by Student's t for a value that is
    not among those its mean and standard deviation come from, with two degrees of freedom less
    than there are runs. A flag says that a run stands out, not why. Where many runs were made with
    the machine's labels none stands out; a declared lineage (``core.machines.gain``) is compared as
    one.

    References
    ----------
    Clarke and Dietz (2024), LLM-based relevance assessment still can't replace human relevance
    assessment, arXiv:2412.17156.
    Cook and Weisberg (1982), Residuals and Influence in Regression, section 2.2.2 (deletion).
    """
    judged = lay_out(runs, people, machine)
    statistic = np.array([find_excess(judged, one) for one in range(len(judged.systems))])
    mean, t, p = compare_with_others(statistic)
    pairs, agreement, others = count_agreement(judged)
    known = ~np.isnan(p)
    corrected = np.full(len(p), np.nan)
    corrected[known] = correct(p[known], "holm")
    without = np.where(pairs == 0, NO_PAIR, NO_SPREAD)
    reason = np.where(np.isnan(statistic), without, np.where(known, "", FEW_COMPARED))
    frame = pd.DataFrame(
        {
            "system": pd.array(list(judged.systems), dtype="str"),
            "statistic": statistic,
            "others": mean,
            "t": t,
            "p": p,
            "p_corrected": corrected,
            "flagged": pd.array(corrected < alpha, dtype="boolean"),
            "pairs": pairs,
            "documents": judged.retrieved.sum(axis=0),
            "agreement": agreement,
            "agreement_others": others,
            "unit": "system",
            "units": int((~np.isnan(statistic)).sum()),
            "reason": pd.array(reason, dtype="str"),
        }
    )
    frame["flagged"] = frame["flagged"].mask(~known)
    return frame.sort_values("statistic", ascending=False, kind="stable", ignore_index=True)


def lay_out(runs: pd.DataFrame, people: pd.DataFrame, machine: pd.DataFrame) -> JudgedTwice:
    """Return the documents that both have judged, in order of topic and people's level.

    Raises
    ------
    TooLittleData
        As ``check_circularity``.
    """
    judged = code_judgements(people[JUDGEMENT])
    level = np.full(len(judged.keys), -np.inf)
    own = machine.loc[machine["level"] >= 0, JUDGEMENT]
    rows, place = _find(judged, own)
    np.maximum.at(level, place, own["level"].to_numpy(np.float64)[rows])
    topic = judged.keys // len(judged.documents)
    _, stratum = np.unique(np.column_stack([topic, judged.levels]), axis=0, return_inverse=True)
    order = np.lexsort((judged.keys, stratum))
    order = order[np.isfinite(level[order])]
    _check_levels(stratum[order], level[order])
    systems = pd.Index(runs["system"].astype("str").unique())
    ranks, last = _lay_out_ranks(runs, systems, judged)
    ranks, last = ranks[order], last[topic[order]]
    retrieved = ~np.isnan(ranks)
    laid = np.where(retrieved, ranks, last + 1)
    return JudgedTwice(tuple(systems), laid, retrieved, stratum[order], level[order])


def _find(judged: CodedJudgements, lines: pd.DataFrame) -> tuple[Codes, Codes]:
    """Return which lines are of topics and documents judged, and the places of these."""
    topic = find_codes(judged.topics, lines["topic_id"]).astype(np.int64)
    known = np.flatnonzero(topic >= 0)
    found, place = judged.find(topic[known], lines.iloc[known])
    return known[found], place


def _lay_out_ranks(
    runs: pd.DataFrame, systems: "pd.Index[str]", judged: CodedJudgements
) -> tuple[Floats, Floats]:
    """Return the rank of each judged document, NaN for none, and each topic's last, by system."""
    system = find_codes(systems, runs["system"].astype("str"))
    topic = find_codes(judged.topics, runs["topic_id"])
    rank = runs["rank"].to_numpy(np.float64)
    known = topic >= 0
    last = np.zeros((len(judged.topics), len(systems)))
    np.maximum.at(last, (topic[known], system[known]), rank[known])
    ranks = np.full((len(judged.keys), len(systems)), np.nan)
    rows, place = _find(judged, runs)
    ranks[place, system[rows]] = rank[rows]
    return ranks, last


def _check_levels(stratum: Codes, level: Floats) -> None:
    if not len(level):
        raise TooLittleData("no document is judged both by people and by the machine")
    starts = np.flatnonzero(np.diff(stratum, prepend=-1))
    if not (np.maximum.reduceat(level, starts) > np.minimum.reduceat(level, starts)).any():
        raise TooLittleData(
            "the machine tells no two documents apart to which people give the same level"
        )


def find_excess(judged: JudgedTwice, system: int) -> float:
    """Return a run's partial rank correlation with the machine's levels.

    Parameters
    ----------
    judged : JudgedTwice
        At least one run beside it.
    system : int
        The run's column.

    Returns
    -------
    float
        In [-1, 1], above 0 where it puts first what the machine prefers; NaN where nothing that
        it retrieves is left to compare.
    """
    own = judged.retrieved[:, system]
    # Ranks near the top are further apart, and a good rank is a high value.
    values = np.column_stack([-np.sqrt(judged.ranks[own]), judged.machine[own]])
    values = _centre(values, judged.stratum[own])
    others = np.delete(values[:, :-1], system, axis=1)
    asked = values[:, [system, -1]]
    spread = (asked**2).sum(axis=0)
    left = asked - others @ _fit_ridge(others, asked)
    squares = (left**2).sum(axis=0)
    if not (squares > _ROUNDING * np.maximum(spread, 1)).all():
        return float("nan")
    return float(left.prod(axis=1).sum() / np.sqrt(squares.prod()))


_ROUNDING = 1e-9


def _centre(values: Floats, stratum: Codes) -> Floats:
    """Return values less their mean in each stratum; strata are ascending."""
    if not len(values):
        return values
    starts = np.flatnonzero(np.diff(stratum, prepend=-1))
    sizes = np.diff(starts, append=len(stratum))
    means = np.add.reduceat(values, starts, axis=0) / sizes[:, np.newaxis]
    centred: Floats = values - np.repeat(means, sizes, axis=0)
    return centred


def _fit_ridge(predictors: Floats, asked: Floats) -> Floats:
    """Return the coefficients of each column asked for, shape (n_predictors, n_asked)."""
    products = predictors.T @ predictors
    number = len(products)
    held = RIDGE * np.trace(products) / max(number, 1) or 1.0
    found = np.linalg.solve(products + held * np.eye(number), predictors.T @ asked)
    return np.asarray(found, dtype=np.float64)


def compare_with_others(statistic: Floats) -> tuple[Floats, Floats, Floats]:
    """Return the mean of the others of each value, how far it stands out, and p, one-sided.

    Parameters
    ----------
    statistic : array, shape (n_systems,)
        NaN counts for nothing.

    Returns
    -------
    mean, t, p : array, shape (n_systems,)
        NaN where the value is, and t and p for fewer than three values or where the others are
        all alike.
    """
    from scipy.special import stdtr

    known = ~np.isnan(statistic)
    number = int(known.sum())
    if number < FEWEST_RUNS:
        nothing = np.full(len(statistic), np.nan)
        return nothing, nothing, nothing
    values = np.where(known, statistic, 0.0)
    others = number - 1
    mean = (values.sum() - statistic) / others
    squares = ((values - values[known].mean()) ** 2)[known].sum()
    apart = statistic - mean
    # What a value adds to the squares of all, taken away again.
    rest = np.maximum(squares - apart**2 * others / number, 0)
    spread = np.sqrt(rest / (others - 1) * number / others)
    t = np.divide(apart, spread, out=np.full(len(apart), np.nan), where=spread > _ROUNDING)
    return mean, t, stdtr(others - 1, -t)


def count_agreement(judged: JudgedTwice) -> tuple[Codes, Floats, Floats]:
    """Return the pairs of each run, and how often it and the others agree with the machine on them.

    Returns
    -------
    pairs, agreement, others : array, shape (n_systems,)
        Documents that a run has at the same place, as those it does not retrieve, count half.
        Shares are NaN without a pair.
    """
    systems = len(judged.systems)
    pairs, own, rest = (np.zeros(systems, dtype=np.float64) for _ in range(3))
    for better, worse in _list_pairs(judged):
        first, second = judged.ranks[better], judged.ranks[worse]
        agrees = (1 + np.sign(second - first)) / 2
        both = judged.retrieved[better] & judged.retrieved[worse]
        pairs += both.sum(axis=0)
        own += (agrees * both).sum(axis=0)
        rest += ((agrees.sum(axis=1, keepdims=True) - agrees) * both).sum(axis=0)
    is_known = pairs > 0
    shares = (
        np.divide(part, pairs * times, out=np.full(systems, np.nan), where=is_known & (times > 0))
        for part, times in ((own, 1), (rest, systems - 1))
    )
    return (pairs.astype(np.int64), *shares)


def _list_pairs(judged: JudgedTwice) -> Iterator[tuple[Codes, Codes]]:
    """Yield pairs of documents of one stratum, the one that the machine prefers first."""
    shown = np.flatnonzero(judged.retrieved.any(axis=1))
    stratum = judged.stratum[shown]
    for rows in np.split(shown, np.flatnonzero(np.diff(stratum)) + 1):
        machine = judged.machine[rows]
        better, worse = np.nonzero(machine[:, np.newaxis] > machine)
        for start in range(0, len(better), PAIRS_AT_ONCE):
            part = slice(start, start + PAIRS_AT_ONCE)
            yield rows[better[part]], rows[worse[part]]


def explain_circularity(row: pd.Series) -> str:
    """Return what came of a run in words.

    Parameters
    ----------
    row : Series
        A row of ``check_circularity``.
    """
    if row["reason"]:
        return f"{row['system']} cannot be compared: {row['reason']}."
    sentence = (
        f"Of {count(row['pairs'], 'pair')} that only the machine tells apart, {row['system']} puts "
        f"its choice first in {row['agreement']:.0%}, the other runs in "
        f"{row['agreement_others']:.0%}"
    )
    if row["flagged"]:
        return (
            f"{sentence}; beyond what people and the other runs explain it stands out: it may have "
            "been made with the machine's labels, or by a model like it."
        )
    return f"{sentence}; that it agrees beyond what people and the other runs explain is not shown."


def explain_none_flagged(runs: pd.DataFrame) -> str:
    """Return in words that no run stands out, or that none was compared with the others.

    Parameters
    ----------
    runs : DataFrame
        As ``check_circularity`` returns them, of one machine, none of them flagged.
    """
    missing = runs[runs["p_corrected"].isna()]
    if len(missing) == len(runs):
        reasons = "; ".join(dict.fromkeys(missing["reason"]))
        return f"Whether a run agrees with the machine more than others was not tested: {reasons}."
    left = f" {count(len(missing), 'run')} could not be compared." if len(missing) else ""
    return (
        "No run is shown to agree with the machine beyond what people and the other runs explain; "
        f"of a kind that many runs share, none would stand out.{left}"
    )
