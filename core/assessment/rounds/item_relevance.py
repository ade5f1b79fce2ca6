"""How relevant items are by the labels that have come in so far, kept up as more come."""

from collections import defaultdict
from collections.abc import Iterable, Mapping

from core.collection.records import PAGE, SNIPPET
from core.store.rounds.orders import LabelRow
from core.store.rounds.rounds import Round

Item = tuple[str, str]
"""Topic and document."""

_Given = dict[tuple[str, str, str], tuple[str, int | None]]
"""State and level that somebody gives now, by assessor, facet and engine."""


class ItemRelevance:
    """The share of an item's labels that say relevant.

    Labels of pages count where pages are judged, else those of snippets. A page that its snippets
    do not call for is not relevant to whoever judged them so. *Cannot judge* is no label.

    Parameters
    ----------
    rules : Round
        What is judged, and from which level on a label says relevant.
    counts_as : mapping
        What each level counts as, by facet and level.
    left_out : collection of str
        Assessors whose labels do not count.
    """

    def __init__(
        self, rules: Round, counts_as: Mapping[tuple[str, int], int], left_out: Iterable[str]
    ) -> None:
        self._relevant_from = rules.relevant_from or 0
        self._facet = PAGE if rules.judges_pages else SNIPPET
        is_chained = rules.judges_pages and rules.judges_snippets
        self._page_from = rules.page_from if is_chained else None
        self._counts_as, self._left_out = counts_as, frozenset(left_out)
        self._given: defaultdict[Item, _Given] = defaultdict(dict)

    def add(self, events: Iterable[LabelRow]) -> set[Item]:
        """Take in label events, in their order; return the items that they are about."""
        touched = set()
        for topic, document, assessor, facet, engine, state, level in events:
            if assessor not in self._left_out:
                self._given[topic, document][assessor, facet, engine] = state, level
                touched.add((topic, document))
        return touched

    def share(self, item: Item) -> float:
        """Return the share of an item's labels that say relevant, in [0, 1]; NaN without any."""
        votes = [*self._own_votes(item), *self._passed_over(item)]
        return sum(votes) / len(votes) if votes else float("nan")

    def _own_votes(self, item: Item) -> list[bool]:
        return [
            self._count(facet, level) >= self._relevant_from
            for (_, facet, _), (state, level) in self._given.get(item, {}).items()
            if facet == self._facet and state == "level" and level is not None
        ]

    def _passed_over(self, item: Item) -> list[bool]:
        """Return a vote against for each whose snippets did not call for the page."""
        if self._page_from is None:
            return []
        given = self._given.get(item, {})
        opened = {assessor for assessor, facet, _ in given if facet == PAGE}
        highest: dict[str, int] = {}
        for (assessor, facet, _), (state, level) in given.items():
            if facet == SNIPPET and state == "level" and level is not None:
                highest[assessor] = max(level, highest.get(assessor, level))
        return [
            False
            for assessor, level in highest.items()
            if assessor not in opened and level < self._page_from
        ]

    def _count(self, facet: str, level: int) -> int:
        return self._counts_as.get((facet, level), level)
