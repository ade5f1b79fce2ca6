"""Pairs of rankings that several tests look at."""

from core.interleaving.pairs import RankingPair, pair_documents

SMALL = {
    "in another order": pair_documents("t", list("abcd"), list("bdca")),
    "partly others": pair_documents("t", list("abcd"), list("bxcay")),
    "nothing in common": pair_documents("t", list("abc"), list("xyz")),
    "alike": pair_documents("t", list("abc"), list("abc")),
    "one is short": pair_documents("t", list("ab"), list("bcde")),
    "one is empty": pair_documents("t", [], list("ab")),
}

ROTATED = pair_documents("t", list("abc"), list("bca"))
"""The example of Radlinski, Kurup and Joachims (2008) that balanced interleaving does not treat
alike."""


def spell(pair: RankingPair, documents: list[int]) -> str:
    """Return a list by its documents, a letter each."""
    return "".join(pair.documents[one] for one in documents if one >= 0)
