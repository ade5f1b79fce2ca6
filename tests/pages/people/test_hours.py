"""The page of hours: codes first, an amount once a rate is entered, nothing for imports."""

import uuid

import pytest

from core.store.events.labels import Key, LabelEvent
from core.store.people.members import add_member


@pytest.fixture
def timed(store, filled) -> str:
    add_member(store, filled, "anna", "Anna")
    key = Key("t2", "d2", "page", "", "anna", 0)
    event = LabelEvent(str(uuid.uuid4()), None, key, "level", 1, 360_000)
    store.labels.append(filled, [event])
    return filled


def test_hours_are_listed_by_code_and_paid_by_name(open_page, organiser, timed):
    at = open_page("hours", organiser)
    assert not at.exception
    table = at.dataframe[0].value
    assert table["hours"].tolist() == [0.1]
    assert table["person"].str.startswith("a-").all()
    at.number_input[0].set_value(15.0)
    at.toggle[0].set_value(True).run()
    table = at.dataframe[0].value
    assert table[["person", "amount"]].to_numpy().tolist() == [["Anna", 1.5]]
    assert any("1.50 at this rate" in one.value for one in at.markdown)


def test_imported_labels_take_no_time(open_page, organiser, filled):
    at = open_page("hours", organiser)
    assert "Nobody has judged here yet" in at.info[0].value
    assert not at.dataframe
