"""A webhook whose address fails time and again is said on the overview, and no longer."""

import pytest

from core.analysis.base.study import Study
from core.analysis.overview.failing_webhooks import TRIES, find_failing
from core.store.content.webhook_deliveries import (
    begin_attempt,
    end_attempt,
    list_deliveries,
    queue_test,
)
from core.store.content.webhooks import make_webhook


@pytest.fixture
def study(scene) -> Study:
    return scene.study


def send(study: Study, webhook_id: str, *statuses: int | None) -> None:
    """Have a message tried until the last of these answers."""
    sent = queue_test(study.store, study.collection_id, webhook_id)
    for status in statuses:
        (one,) = [
            each
            for each in list_deliveries(study.store, study.collection_id)
            if each.delivery_id == sent
        ]
        begin_attempt(study.store, one)
        end_attempt(study.store, one, status, "" if status == 200 else "it was not reached")


def test_one_that_was_never_told_or_failed_once_is_not_named(study):
    assert find_failing(study) == ()
    made = make_webhook(study.store, study.collection_id, "https://example.org/hook").webhook_id
    queue_test(study.store, study.collection_id, made)
    send(study, made, *[500] * (TRIES - 1))
    assert find_failing(study) == ()


def test_what_fails_is_counted_until_it_is_delivered(study):
    good, bad = (
        make_webhook(study.store, study.collection_id, f"https://{name}.example.org/").webhook_id
        for name in ("good", "bad")
    )
    send(study, good, *[500] * TRIES)
    send(study, good, 200)
    for _ in range(2):
        send(study, bad, *[None] * TRIES)
    (one,) = find_failing(study)
    assert one.what == "1 address not reached, 2 messages not delivered"
    assert (one.page, one.share) == ("export", 0.5)
    send(study, bad, 200)
    assert find_failing(study) == ()
