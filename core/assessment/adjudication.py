"""Deciding items on which assessors disagree."""

import uuid

from core.errors import BadInput, NotAllowed, NotFound
from core.store.content.scales import get_scales
from core.store.events.adjudications import ADJUDICATED, ADJUDICATION
from core.store.events.judged import is_judged
from core.store.events.labels import Key, LabelEvent, Receipt
from core.store.people.people import list_people
from core.store.store import Store

LONGEST_REASON = 4000


def adjudicate(
    store: Store, collection_id: str, item: Key, level: int | None, reason: str = ""
) -> Receipt:
    """Append an organiser's decision on one item.

    It is an event like a label, with the source 'adjudicated': it is read by
    ``read_adjudications`` only, and no label changes. A closed collection takes it, too.

    Parameters
    ----------
    item : Key
        What is decided, and by whom (``assessor_id``); the occasion plays no part.
    level : int or None
        The level that holds from now on; None takes the organiser's earlier decision back.
    reason : str
        Why; kept beside the level.

    Raises
    ------
    NotAllowed
        The person is no organiser.
    NotFound
        Nobody has judged the item.
    BadInput
        The level is not on the scale, or the reason is too long.
    """
    _check(store, collection_id, item, level, reason)
    key = item._replace(occasion=ADJUDICATION)
    before = store.labels.current(collection_id, key.assessor_id).get(key)
    event = LabelEvent(
        str(uuid.uuid4()),
        before.event_id if before else None,
        key,
        "unjudged" if level is None else "level",
        level,
        comment=reason.strip(),
        source=ADJUDICATED,
    )
    (receipt,) = store.labels.append(collection_id, [event])
    return receipt


def _check(store: Store, collection_id: str, item: Key, level: int | None, reason: str) -> None:
    roles = {person.person_id: person.role for person in list_people(store)}
    if roles.get(item.assessor_id) != "organiser":
        raise NotAllowed("Only an organiser decides where assessors disagree.")
    scale = get_scales(store, collection_id).get(item.facet, ())
    if level is not None and level not in {one.level for one in scale}:
        raise BadInput(f"{level} is not on the {item.facet} scale", field="level")
    if len(reason) > LONGEST_REASON:
        raise BadInput(f"a reason has at most {LONGEST_REASON} characters", field="comment")
    if not is_judged(store, collection_id, item):
        raise NotFound("Nobody has judged this item, so there is nothing to decide.")
