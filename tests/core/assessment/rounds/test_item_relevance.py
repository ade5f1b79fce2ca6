"""How relevant an item is by the labels that came in so far."""

from math import isnan

from core.assessment.rounds.chosen_batches import ItemRelevance
from core.collection.records import PAGE, SNIPPET
from core.store.rounds.orders import LabelRow
from core.store.rounds.rounds import Round
from core.store.store import utc_now
from tests.each import each

ITEM = "t", "d"


def rules(flow: str = "page only", relevant_from: int = 2, page_from: int | None = None) -> Round:
    return Round(
        *("r", "c", "R", 2, flow, page_from, 10, 5, 60, 0.0, 1, utc_now(), None),
        order="max-mean",
        relevant_from=relevant_from,
    )


def said(
    assessor: str, level: int | None, facet: str = PAGE, engine: str = "", state: str = "level"
) -> LabelRow:
    return *ITEM, assessor, facet, engine, state, level


def share(round_rules: Round, *events: LabelRow, left_out=(), counts_as=None) -> float:
    relevance = ItemRelevance(round_rules, counts_as or {}, left_out)
    relevance.add(events)
    return relevance.share(ITEM)


def test_it_is_the_share_of_labels_from_a_level_on():
    assert share(rules(), said("a", 2), said("b", 1)) == 0.5
    assert share(rules(relevant_from=1), said("a", 2), said("b", 1)) == 1
    assert share(rules(), said("a", 0)) == 0


@each("state", ["unjudged", "later", "cannot judge"])
def test_what_is_no_level_is_no_label(state: str):
    assert isnan(share(rules(), said("a", None, state=state)))
    assert isnan(share(rules(), said("a", 2), said("a", None, state=state)))
    assert share(rules(), said("a", 2), said("b", None, state=state)) == 1


def test_the_last_of_somebody_stands():
    assert share(rules(), said("a", 2), said("a", 0)) == 0


def test_nothing_is_known_of_an_item_nobody_judged():
    assert isnan(share(rules()))


def test_levels_are_what_they_count_as():
    assert share(rules(), said("a", 1), counts_as={(PAGE, 1): 3}) == 1


def test_those_who_do_not_count_are_passed_over():
    relevance = ItemRelevance(rules(), {}, {"llm"})
    assert relevance.add([said("llm", 3)]) == set()
    assert relevance.add([said("a", 0)]) == {ITEM}
    assert relevance.share(ITEM) == 0


def test_where_only_snippets_are_judged_these_count():
    flow = rules("snippet only")
    assert share(flow, said("a", 2, SNIPPET, "x"), said("a", 0, SNIPPET, "y")) == 0.5
    assert isnan(share(flow, said("a", 2)))


def test_where_pages_are_judged_their_snippets_do_not_count():
    flow = rules("snippet then page")
    assert isnan(share(flow, said("a", 3, SNIPPET, "x")))
    assert share(flow, said("a", 3, SNIPPET, "x"), said("a", 0)) == 0


def test_a_page_that_is_not_called_for_is_not_relevant():
    flow = rules("snippet then page", page_from=2)
    assert share(flow, said("a", 1, SNIPPET, "x")) == 0
    assert share(flow, said("a", 1, SNIPPET, "x"), said("b", 3)) == 0.5
    # Another snippet calls for it, so it is waited for.
    assert isnan(share(flow, said("a", 1, SNIPPET, "x"), said("a", 2, SNIPPET, "y")))
    assert share(flow, said("a", 1, SNIPPET, "x"), said("a", 2)) == 1
