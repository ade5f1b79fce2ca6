"""Ids of events."""

import uuid

import pytest

from tests.pages.judge.screen.conftest import Run

pytestmark = pytest.mark.browser


def test_ids_are_random_uuids(run: Run):
    script = "return Array.from({length: 200}, makeId)"
    ids = run("outbox/waiting_events.js", script=script)
    assert len(set(ids)) == 200
    assert all(str(uuid.UUID(one)) == one for one in ids)
    assert {uuid.UUID(one).version for one in ids} == {4}
