"""Organisers add a webhook, see its secret once and what became of messages, and remove it."""

from core.store.content.webhook_deliveries import begin_attempt, end_attempt, list_due, queue_test
from core.store.content.webhooks import list_webhooks, make_secret, make_webhook
from core.store.store import Store
from tests.pages.conftest import OpenPage

WEBHOOKS = {"export-part": "Webhooks"}


def press(at, label: str):
    (button,) = [one for one in at.button if one.label == label]
    return button.click().run()


def enter(at, address: str):
    (field,) = [one for one in at.text_input if one.label == "Address"]
    field.set_value(address)
    return press(at, "Add the webhook")


def test_a_webhook_is_added_tried_and_removed(
    open_page: OpenPage, organiser, store: Store, filled: str
):
    at = enter(open_page("export", organiser, **WEBHOOKS), "https://example.org/hook")
    (made,) = list_webhooks(store, filled)
    assert made.made_by == organiser
    secret = make_secret(store, made.webhook_id)
    assert secret in [one.value for one in at.code]
    at = press(at, "I have copied it")
    assert secret not in [one.value for one in at.code]
    at = press(at, "Send a test")
    assert [one.webhook_id for one in list_due(store)] == [made.webhook_id]
    at = press(at, "Remove the webhook")
    assert list_webhooks(store, filled) == []
    assert not at.exception


def test_what_failed_is_shown_and_sent_again(
    open_page: OpenPage, organiser, store: Store, filled: str
):
    made = make_webhook(store, filled, "https://example.org/hook")
    queue_test(store, filled, made.webhook_id)
    (one,) = list_due(store)
    begin_attempt(store, one)
    end_attempt(store, one, 500, "it answered 500")
    at = open_page("export", organiser, **WEBHOOKS)
    told = next(frame.value for frame in at.dataframe if "latest message" in frame.value)
    assert told["latest message"].tolist() == ["it answered 500 (1 try of 8)"]
    assert told["waiting"].tolist() == [1]
    assert list_due(store) == []
    at = press(at, "Send again")
    assert [each.delivery_id for each in list_due(store)] == [one.delivery_id]
    assert not at.exception


def test_an_address_inside_is_refused(open_page: OpenPage, organiser, store: Store, filled: str):
    at = enter(
        open_page("export", organiser, **WEBHOOKS),
        "https://169.254.169.254/latest",
    )
    assert "No webhook was added." in " ".join(one.value for one in at.error)
    assert list_webhooks(store, filled) == []
