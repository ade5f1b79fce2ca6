"""The judgements that an assignment asks for, in the order of one assessor; one of them again."""

from dataclasses import replace
from typing import Any

import numpy as np

from core.assessment.handing_out.assignment_content import AssignmentContent, Practice, Step
from core.assessment.handing_out.queue import Assignment
from core.assessment.handing_out.side_by_side import lay_out_pairs, show_sides
from core.assessment.rounds.rounds import seeded
from core.collection.records import PAGE, PAIR, SNIPPET, Scale, preference_scale
from core.store.content.documents import get_document, get_snippet, read_topic_texts
from core.store.content.practice import list_practice_items
from core.store.content.scales import get_scales
from core.store.events.labels import PRACTICE, Key
from core.store.file.database import Cursor
from core.store.rounds.pairs import get_pair, read_pair_depth
from core.store.rounds.rounds import (
    PAGE_ONLY,
    SIDE_BY_SIDE,
    SNIPPET_ONLY,
    Round,
    read_batch,
    read_round,
    read_snippets,
)
from core.store.store import Store, utc_now


def lay_out(store: Store, assignment: Assignment) -> AssignmentContent:
    """Return the steps of an assignment; the same ones every time it is asked for.

    Documents come in an order of the assessor's own, drawn from the round's seed. Each
    document's snippets come first, then its page. Hidden repeats follow at the end.
    """
    if assignment.rules.pair_facets:
        return lay_out_pairs(store, assignment)
    rules, cursor = assignment.rules, store.cursor()
    documents = read_batch(cursor, rules, assignment.topic_id, assignment.batch)
    found = read_snippets(cursor, rules, assignment.topic_id, assignment.batch)
    steps = _order_steps(assignment, documents, found)
    snippets = {
        (assignment.topic_id, row["document_id"], row["engine"]): row["snippet"] for row in found
    }
    shown = {row["document_id"]: row for row in documents}
    # The batch of a qualifying test is the occasion that its answers are labels of.
    practice = list_practice(store, rules, min(assignment.batch, PRACTICE))
    _add_practice_contents(store, rules.collection_id, practice, shown, snippets)
    wanted = {step.topic_id for step in [*steps, *(one.step for one in practice)]}
    topics = read_topic_texts(cursor, rules.collection_id, wanted)
    return AssignmentContent(tuple(steps), practice, topics, shown, snippets)


class RoundSteps:
    """The steps of all batches of a round of documents, read together and without contents."""

    def __init__(self, cursor: Cursor, rules: Round) -> None:
        self._documents, self._found = read_round(cursor, rules)

    def list_steps(self, assignment: Assignment) -> list[Step]:
        """Return the steps of an assignment, as `lay_out` has them."""
        batch = assignment.topic_id, assignment.batch
        return _order_steps(assignment, self._documents.get(batch, []), self._found.get(batch, []))


def _order_steps(
    assignment: Assignment, documents: list[dict[str, Any]], found: list[dict[str, Any]]
) -> list[Step]:
    rules, topic_id = assignment.rules, assignment.topic_id
    rng = seeded(rules, assignment.assessor_id, topic_id, str(assignment.batch))
    order = [documents[place] for place in rng.permutation(len(documents))]
    per_document = [_document_steps(rules, topic_id, row, found, rng) for row in order]
    steps = [step for group in per_document for step in group]
    groups = [group for group in per_document if group]
    return steps + repeat_steps(groups, rules.repeat_share, rng)


def scales_for(store: Store, assignment: Assignment) -> dict[str, Scale]:
    """Return the scales an assignment needs, by facet: side by side, what can be preferred."""
    pairs = dict.fromkeys(assignment.rules.pair_facets, preference_scale())
    return pairs or get_scales(store, assignment.rules.collection_id)


def repeat_steps(groups: list[list[Step]], share: float, rng: np.random.Generator) -> list[Step]:
    """Return a share of the documents once more, as a new occasion, in the order they came."""
    count = round(share * len(groups))
    chosen = sorted(rng.choice(len(groups), size=count, replace=False).tolist())
    return [replace(step, occasion=1) for place in chosen for step in groups[place]]


def list_practice(store: Store, rules: Round, occasion: int = PRACTICE) -> tuple[Practice, ...]:
    """Return the practice steps of a collection that fit the flow of a round."""
    judged = {"snippet": rules.judges_snippets, "page": rules.judges_pages}
    return tuple(
        Practice(
            Step(item.topic_id, item.document_id, item.facet, item.engine, occasion),
            item.level,
            item.why,
        )
        for item in list_practice_items(store, rules.collection_id)
        if judged[item.facet]
    )


def _document_steps(
    rules: Round,
    topic_id: str,
    document: dict[str, Any],
    found: list[dict[str, Any]],
    rng: np.random.Generator,
) -> list[Step]:
    document_id = document["document_id"]
    engines = [row["engine"] for row in found if row["document_id"] == document_id]
    steps = []
    if rules.judges_snippets:
        order = rng.permutation(len(engines))
        steps = [Step(topic_id, document_id, "snippet", engines[place]) for place in order]
    if rules.judges_pages and (document["text"] or document["html"]):
        page_from = rules.page_from if steps else None
        steps.append(Step(topic_id, document_id, "page", page_from=page_from))
    return steps


def _add_practice_contents(
    store: Store,
    collection_id: str,
    practice: tuple[Practice, ...],
    documents: dict[str, dict[str, Any]],
    snippets: dict[tuple[str, str, str], str],
) -> None:
    for one in practice:
        step = one.step
        if step.document_id not in documents:
            document = get_document(store, collection_id, step.document_id)
            documents[step.document_id] = {"document_id": step.document_id, **document}
        if step.facet == "snippet":
            key = (step.topic_id, step.document_id, step.engine)
            snippets[key] = get_snippet(store, collection_id, *key)


_FLOWS = {SNIPPET: SNIPPET_ONLY, PAGE: PAGE_ONLY} | {
    facet: flow for flow, facets in SIDE_BY_SIDE.items() for facet in facets
}


def lay_out_again(
    store: Store, collection_id: str, assessor_id: str, event_id: str
) -> tuple[Assignment, AssignmentContent] | None:
    """Return an assignment that has one item only: what a label of the assessor is about.

    Parameters
    ----------
    store, collection_id, assessor_id
        Whose label it is, and where.
    event_id : str
        The event that is the current label of its item.

    Returns
    -------
    (Assignment, AssignmentContent) or None
        It belongs to no round, and gives the right to revise, which everybody has for what they
        judged. None where no current label of theirs has this id (another has taken its place, it
        is somebody else's, or one of practice), or where there is nothing left to show.
    """
    current = store.labels.current(collection_id, assessor_id)
    key = next((one for one, label in current.items() if label.event_id == event_id), None)
    if key is None or key.occasion <= PRACTICE or key.facet not in _FLOWS:
        return None
    lay_out = _lay_out_pair if key.facet.endswith(PAIR) else _lay_out_item
    content = lay_out(store, collection_id, key)
    return None if content is None else (_of_no_round(collection_id, key), content)


def _of_no_round(collection_id: str, key: Key) -> Assignment:
    rules = Round(
        *("", collection_id, "", 1, _FLOWS[key.facet], None, 0, None, 0, 0.0, 0), utc_now(), None
    )
    return Assignment(rules, "", 0, 0, key.assessor_id)


def _lay_out_item(store: Store, collection_id: str, key: Key) -> AssignmentContent | None:
    place = (key.topic_id, key.document_id, key.engine)
    document = get_document(store, collection_id, key.document_id)
    snippets = {}
    if key.facet == SNIPPET:
        snippets[place] = get_snippet(store, collection_id, *place)
    return AssignmentContent(
        (_step_of(key),),
        (),
        read_topic_texts(store.cursor(), collection_id, [key.topic_id]),
        {key.document_id: {"document_id": key.document_id, **document}},
        snippets,
    )


def _lay_out_pair(store: Store, collection_id: str, key: Key) -> AssignmentContent | None:
    cursor = store.cursor()
    pair = get_pair(store, collection_id, key.topic_id, key.document_id)
    if pair is None:
        return None
    depth = read_pair_depth(store, collection_id, key.topic_id, key.document_id)
    sides = show_sides(cursor, collection_id, pair, key.facet, depth)
    if sides is None:
        return None
    return AssignmentContent(
        (_step_of(key),),
        (),
        read_topic_texts(cursor, collection_id, [key.topic_id]),
        pairs={(key.topic_id, key.document_id, key.facet): sides},
    )


def _step_of(key: Key) -> Step:
    return Step(key.topic_id, key.document_id, key.facet, key.engine, key.occasion)
