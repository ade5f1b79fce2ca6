"""Judging side by side: which side each of two stands on, and what is shown of them."""

from dataclasses import replace

import numpy as np

from core.assessment.handing_out.assignment_content import AssignmentContent, Card, Sides, Step
from core.assessment.handing_out.queue import Assignment
from core.assessment.rounds.rounds import seeded
from core.collection.records import PAIR, SNIPPET, SYSTEMS
from core.store.content.documents import (
    read_page_card,
    read_panel_cards,
    read_snippet_card,
    read_topic_texts,
)
from core.store.file.database import Cursor
from core.store.rounds.pairs import LEFT_FIRST, LEFT_SECOND, Pair, read_pair_batch
from core.store.store import Store

BEGINNING = 240
"""How much of a page a panel shows where the system has no snippet."""


def lay_out_pairs(store: Store, assignment: Assignment) -> AssignmentContent:
    """Return the steps of an assignment of pairs; the same ones every time it is asked for.

    Sides alternate over the places of a pair and over the pairs of a batch, so that every pair
    has each of its two as often on the left as on the right, give or take one. Hidden repeats
    come with their sides swapped.
    """
    rules, topic_id, cursor = assignment.rules, assignment.topic_id, store.cursor()
    pairs = read_pair_batch(cursor, rules.collection_id, rules.round_id, topic_id, assignment.batch)
    shown = {
        (topic_id, pair.pair_id, facet): sides
        for pair in pairs
        for facet in rules.pair_facets
        if (sides := show_sides(cursor, rules.collection_id, pair, facet, rules.depth))
    }
    rng = seeded(rules, assignment.assessor_id, topic_id, str(assignment.batch), "pairs")
    groups = [
        [
            Step(topic_id, pair.pair_id, facet, _left(place + assignment.slot))
            for facet in rules.pair_facets
            if (topic_id, pair.pair_id, facet) in shown
        ]
        for place, pair in enumerate(pairs)
    ]
    order = [groups[place] for place in rng.permutation(len(groups)) if groups[place]]
    steps = [step for group in order for step in group]
    steps += _repeat_swapped(order, rules.repeat_share, rng)
    topics = read_topic_texts(cursor, rules.collection_id, [topic_id])
    left_out = len(pairs) - len(order)
    return AssignmentContent(tuple(steps), (), topics, pairs=shown, left_out=left_out)


def swap_sides(step: Step) -> Step:
    """Return the same step with left and right exchanged."""
    return replace(step, engine=LEFT_FIRST if step.engine == LEFT_SECOND else LEFT_SECOND)


def order_sides(sides: Sides, left: str) -> tuple[tuple[Card, ...], tuple[Card, ...]]:
    """Return the cards of the left and of the right side."""
    right = LEFT_FIRST if left == LEFT_SECOND else LEFT_SECOND
    return sides[left or LEFT_FIRST], sides[right if left else LEFT_SECOND]


def opens_first(assignment: Assignment, step: Step) -> str:
    """Return the side that is shown first where there is room for one: "left" or "right".

    It is drawn for each item and assessor, and is the same every time it is asked for.
    """
    parts = step.topic_id, step.document_id, step.facet, step.engine, str(step.occasion)
    rng = seeded(assignment.rules, assignment.assessor_id, *parts, "opens first")
    return "left" if rng.integers(2) else "right"


def show_sides(
    cursor: Cursor, collection_id: str, pair: Pair, facet: str, depth: int
) -> Sides | None:
    """Return what stands on the two sides; None where one of them has nothing to show.

    For systems also None where both show the same: there is nothing to choose.
    """
    if pair.kind == SYSTEMS:
        return _show_panels(cursor, collection_id, pair, depth)
    first, second = (
        _read_card(cursor, collection_id, pair, facet, document_id)
        for document_id in (pair.first, pair.second)
    )
    return {"first": first, "second": second} if first and second else None


def _left(number: int) -> str:
    return LEFT_SECOND if number % 2 else LEFT_FIRST


def _repeat_swapped(groups: list[list[Step]], share: float, rng: np.random.Generator) -> list[Step]:
    """Return a share of the pairs once more, sides swapped, in the order they came."""
    count = round(share * len(groups))
    chosen = sorted(rng.choice(len(groups), size=count, replace=False).tolist())
    return [replace(swap_sides(step), occasion=1) for place in chosen for step in groups[place]]


def _read_card(
    cursor: Cursor, collection_id: str, pair: Pair, facet: str, document_id: str
) -> tuple[Card, ...]:
    """Return the card of a document; nothing where there is nothing to show."""
    if facet == SNIPPET + PAIR:
        cards = read_snippet_card(cursor, collection_id, pair.topic_id, document_id)
    else:
        cards = read_page_card(cursor, collection_id, document_id)
    return tuple(card | {"shared": None} for card in cards)


def _show_panels(cursor: Cursor, collection_id: str, pair: Pair, depth: int) -> Sides | None:
    first, second = (
        read_panel_cards(cursor, collection_id, pair.topic_id, system, depth, BEGINNING)
        for system in (pair.first, pair.second)
    )
    places = [
        {card["document_id"]: place for place, card in enumerate(panel, start=1)}
        for panel in (first, second)
    ]
    if not first or not second or list(places[0]) == list(places[1]):
        return None
    return {
        "first": tuple(card | {"shared": places[1].get(card["document_id"])} for card in first),
        "second": tuple(card | {"shared": places[0].get(card["document_id"])} for card in second),
    }
