"""Pairs that differ significantly: how many, how clearly, and which system is better."""

import numpy as np
import pandas as pd

from core.comparison.score_matrix import ScoreMatrix
from core.errors import BadInput


def significant(pairs: pd.DataFrame, alpha: float = 0.05) -> pd.DataFrame:
    """Return the pairs whose difference is significant: p < α.

    Parameters
    ----------
    pairs : DataFrame
        As ``compare_systems`` returns it.
    alpha : float, default 0.05
        The chance of a false difference to accept, above 0 and below 1.

    Returns
    -------
    DataFrame
        Those rows, with the same columns, numbered anew.

    Raises
    ------
    BadInput
        α is not between 0 and 1.
    """
    if not 0 < alpha < 1:
        raise BadInput("the significance level is between 0 and 1", field="alpha")
    return pairs[pairs["p"] < alpha].reset_index(drop=True)


def discriminative_power(pairs: pd.DataFrame, alpha: float = 0.05) -> tuple[int, int]:
    """Return the number of significant pairs and of all pairs, as integers.

    Parameters
    ----------
    pairs, alpha
        As for ``significant``.

    References
    ----------
    Sakai (2006), SIGIR, doi:10.1145/1148170.1148261.
    """
    return len(significant(pairs, alpha)), len(pairs)


def asl_curve(pairs: pd.DataFrame) -> pd.DataFrame:
    """Return the pairs by falling p, the achieved significance level: the lower, the clearer.

    Parameters
    ----------
    pairs : DataFrame
        As ``compare_systems`` returns it.

    Returns
    -------
    DataFrame
        ``pair`` (1, 2, …), ``p`` (never rising), ``first, second``; equal p in the order of
        ``pairs``.
    """
    ordered = pairs.sort_values("p", ascending=False, kind="stable", ignore_index=True)
    curve = ordered[["p", "first", "second"]]
    curve.insert(0, "pair", np.arange(1, len(curve) + 1))
    return curve


def superscripts(matrix: ScoreMatrix, pairs: pd.DataFrame, alpha: float = 0.05) -> pd.DataFrame:
    """Return the systems, each with the letters of those that it beats significantly.

    Parameters
    ----------
    matrix : ScoreMatrix
        What was compared.
    pairs, alpha
        As for ``significant``.

    Returns
    -------
    DataFrame
        In the order of the matrix: ``system, mean``; ``letter``: a, b, …, z, aa, ab, …;
        ``better_than``: the letters of the systems it beats, in that order with a space between,
        '' for none.
    """
    letters = [_letters(position) for position in range(len(matrix.systems))]
    letter = dict(zip(matrix.systems, letters, strict=True))
    order = {system: position for position, system in enumerate(matrix.systems)}
    beaten: dict[str, list[str]] = {system: [] for system in matrix.systems}
    for better, worse in wins(pairs, alpha):
        beaten[better].append(worse)
    return pd.DataFrame(
        {
            "system": pd.array(list(matrix.systems), dtype="str"),
            "mean": matrix.values.mean(axis=0),
            "letter": pd.array(letters, dtype="str"),
            "better_than": pd.array(
                [
                    " ".join(
                        letter[worse] for worse in sorted(beaten[system], key=order.__getitem__)
                    )
                    for system in matrix.systems
                ],
                dtype="str",
            ),
        }
    )


def wins(pairs: pd.DataFrame, alpha: float = 0.05) -> list[tuple[str, str]]:
    """Return the better and the worse system of each significant pair.

    Parameters
    ----------
    pairs, alpha
        As for ``significant``.
    """
    found = significant(pairs, alpha)
    ahead = found["difference"] > 0
    better = found["first"].where(ahead, found["second"])
    worse = found["second"].where(ahead, found["first"])
    return list(zip(better, worse, strict=True))


def _letters(position: int) -> str:
    """Return a, b, …, z, aa, ab, … for 0, 1, …."""
    before, last = divmod(position, 26)
    return (_letters(before - 1) if before else "") + chr(ord("a") + last)
