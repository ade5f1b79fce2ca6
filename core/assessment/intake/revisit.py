"""One item again, whose label its assessor wants to change."""

from core.assessment.handing_out.assignment_content import AssignmentContent, Step
from core.assessment.handing_out.queue import Assignment
from core.assessment.handing_out.side_by_side import show_sides
from core.collection.records import PAGE, PAIR, SNIPPET
from core.store.content.documents import get_document, get_snippet, read_topic_texts
from core.store.events.labels import PRACTICE, Key
from core.store.rounds.pairs import get_pair, read_pair_depth
from core.store.rounds.rounds import PAGE_ONLY, SIDE_BY_SIDE, SNIPPET_ONLY, Round
from core.store.store import Store, utc_now

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
