"""People and their roles."""

import pytest

from core.errors import BadInput
from core.store.people import add_person, begin_session, can_organise, list_people
from core.store.store import Store


def test_people_have_names_and_roles_of_their_own(store: Store):
    person = add_person(store, "Anna", "assessor")
    for name, role in (("Anna", "assessor"), (" ", "assessor"), ("Bob", "emperor")):
        with pytest.raises(BadInput):
            add_person(store, name, role)
    assert [one.person_id for one in list_people(store)] == [person]
    assert not can_organise(store)
    begin_session(store, person)
    assert not can_organise(store)
    begin_session(store, add_person(store, "Olga", "organiser"))
    assert can_organise(store)
