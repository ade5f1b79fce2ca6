"""What a method says of two rankings when users click whatever is there."""

from core.interleaving.base import Method
from core.interleaving.choices import LENGTH
from core.interleaving.pairs import RankingPair


def bias_of_random_clicks(method: Method, pair: RankingPair, length: int = LENGTH) -> float:
    """Return Δ where one of the documents shown is clicked, each as probably as any other.

    By enumeration of all lists, unless the method is fair to any two rankings.

    Parameters
    ----------
    method : Method
        Balanced interleaving, say.
    pair : RankingPair
        The two rankings; nothing is lost where they return the same.
    length : int
        How many documents a list shows at most.

    Returns
    -------
    float
        In [-0.5, 0.5]: above 0 the first ranking is favoured. 0 where nothing can be shown.

    References
    ----------
    Radlinski, Kurup and Joachims (2008), CIKM, doi:10.1145/1458082.1458092, section 3.

    Examples
    --------
    >>> from core.interleaving.base import parse_method
    >>> from core.interleaving.pairs import pair_documents
    >>> pair = pair_documents("t", ["a", "b", "c"], ["b", "c", "a"])
    >>> round(bias_of_random_clicks(parse_method("balanced"), pair), 6)
    -0.166667
    """
    if method.is_fair:
        return 0.0
    mixed, chance = method.distribution(pair, length)
    shown = mixed.document >= 0
    share = chance / shown.sum(axis=1).clip(min=1)
    total = 0.0
    for place in range(shown.shape[1]):
        clicked = shown.copy()
        clicked[:, :place] = clicked[:, place + 1 :] = False
        won = method.wins(pair, mixed, clicked)
        total += float((share * (won[:, 0] - won[:, 1])).sum())
    return total / 2
