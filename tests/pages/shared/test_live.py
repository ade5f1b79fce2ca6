"""What a page shows is of one moment, and the next page of a later one."""

import time
import uuid

import pytest

from core.analysis.base.study import Study, follows_labels
from core.errors import BadInput
from core.store.events.labels import Key, LabelEvent
from core.store.people.people import find_person
from pages.shared import page
from pages.shared.session import Drawing, PageContext

COMPUTED: list[int] = []


@follows_labels
def count(study: Study) -> int:
    COMPUTED.append(study.store.labels.sequence(study.collection_id))
    return COMPUTED[-1]


def test_labels_that_come_while_a_page_is_drawn_show_on_the_next(store, filled):
    COMPUTED.clear()
    drawn = Study(store, filled, is_masked=True)
    first = count(drawn)
    key = Key("t1", "d3", "page", "", "anna", 0)
    store.labels.append(filled, [LabelEvent(str(uuid.uuid4()), None, key, "level", 1)])
    assert count(drawn) == first
    assert count(Study(store, filled, is_masked=True)) == first + 1
    assert count(drawn) == first + 1  # two pages do not take turns in computing it
    assert len(COMPUTED) == 2


def test_a_page_is_under_way_while_it_is_drawn(store, filled, organiser):
    context = PageContext(store, False, find_person(store, organiser), filled)
    other = Drawing(began=0.0, ended=0.0)
    seen = [other.may_be_followed()]

    def draw(context: PageContext) -> None:
        seen.extend([context.drawing.may_be_followed(), other.may_be_followed()])
        raise BadInput("not like this")

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(time, "monotonic", lambda: 1.0)
        patch.setattr(page, "current_context", lambda: context)
        page.Page("Results", "T", "t", ("organiser",), draw).run()
        seen.append(context.drawing.may_be_followed())
    assert seen == [True, False, False, True]
