"""What a page shows is of one moment, and the next page of a later one."""

import uuid

from core.store.labels import Key, LabelEvent
from pages.shared.live import kept
from pages.shared.session import Visit

COMPUTED: list[int] = []


def count(visit: Visit) -> int:
    COMPUTED.append(visit.store.labels.sequence(visit.collection_id))
    return COMPUTED[-1]


def test_labels_that_come_while_a_page_is_drawn_show_on_the_next(store, filled):
    COMPUTED.clear()
    drawn = Visit(store, False, None, filled)
    first = kept(drawn, count)
    key = Key("t1", "d3", "page", "", "anna", 0)
    store.labels.append(filled, [LabelEvent(str(uuid.uuid4()), None, key, "level", 1)])
    assert kept(drawn, count) == first
    assert kept(Visit(store, False, None, filled), count) == first + 1
    assert kept(drawn, count) == first + 1  # two pages do not take turns in computing it
    assert len(COMPUTED) == 2
