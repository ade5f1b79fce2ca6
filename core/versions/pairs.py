"""Pairs of a snippet level and a page level by one assessor, and what they weigh."""

from dataclasses import dataclass

import pandas as pd

from core.collection.records import PAGE, SNIPPET
from core.errors import BadInput
from core.versions.rules import QrelsRule

RESULT = ["topic_id", "document_id", "engine"]
"""The columns that tell one result of an engine from another."""

_PAGE_OF_ASSESSOR = ["topic_id", "document_id", "assessor_id"]


@dataclass(frozen=True, eq=False)
class WeighedPairs:
    """The pairs that a rule takes, with their weights as levels.

    Parameters
    ----------
    frame : DataFrame
        ``topic_id, document_id, engine, assessor_id, level`` with level = the pair's weight.
    unpaired : int
        Snippet labels whose assessor gave the page no level.
    unweighed : int
        Pairs of two levels for which the rule lists no weight.
    """

    frame: pd.DataFrame
    unpaired: int
    unweighed: int


def weigh_pairs(labels: pd.DataFrame, rule: QrelsRule) -> WeighedPairs:
    """Join each assessor's snippet labels with the same assessor's page labels, and weigh them.

    Parameters
    ----------
    labels : DataFrame
        ``topic_id, document_id, facet, engine, assessor_id, level``, those of both facets that a
        rule admits, in the order in which they were given.
    rule : QrelsRule
        Its ``pair_weights`` say what a pair is worth; with ``judges`` only the first so many
        pairs of each result count.

    Returns
    -------
    WeighedPairs
        The page's label goes with the snippets of all engines that returned it.

    Raises
    ------
    BadInput
        An assessor has several labels on one page or snippet, or a page label names an engine.
    """
    snippets, pages = (labels[labels["facet"] == facet] for facet in (SNIPPET, PAGE))
    _check(snippets, pages)
    page_level = pages[[*_PAGE_OF_ASSESSOR, "level"]].rename(columns={"level": "page"})
    joined = snippets[[*RESULT, "assessor_id", "level"]].merge(
        page_level, how="left", on=_PAGE_OF_ASSESSOR
    )
    pairs = joined.dropna(subset="page")
    unpaired = len(joined) - len(pairs)
    if rule.judges is not None:
        pairs = pairs.groupby(RESULT).head(rule.judges)
    weights = {(snippet, page): weight for snippet, page, weight in rule.pair_weights}
    given = zip(pairs["level"], pairs["page"], strict=True)
    level = pd.Series([weights.get(pair) for pair in given], index=pairs.index, dtype="float64")
    weighed = pairs.drop(columns="page").assign(level=level).dropna(subset="level")
    return WeighedPairs(weighed, unpaired, len(pairs) - len(weighed))


def _check(snippets: pd.DataFrame, pages: pd.DataFrame) -> None:
    """Refuse what would pair one label with several."""
    if (pages["engine"].fillna("") != "").any():
        raise BadInput("engines share a page, so its label has no engine", field="engine")
    for rows, thing in ((snippets, [*RESULT, "assessor_id"]), (pages, _PAGE_OF_ASSESSOR)):
        twice = rows[rows.duplicated(thing)]
        if len(twice):
            first = twice.iloc[0]
            raise BadInput(
                f"{first['assessor_id']} has more than one {first['facet']} label on topic "
                f"{first['topic_id']}, document {first['document_id']}; number repeated "
                "judgements as occasions 0, 1, …",
                field="occasion",
            )
