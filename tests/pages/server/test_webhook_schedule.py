"""What is finished is told: once it is, signed, until it arrives, and across restarts."""

import base64
import hashlib
import hmac
import shutil
import socket
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from ipaddress import ip_network
from pathlib import Path

import pytest

from core.assessment.handing_out.queue import finish_assignment, take_assignment
from core.assessment.rounds.rounds import Plan, close_round, open_round
from core.store.content import webhook_deliveries
from core.store.content.webhook_deliveries import (
    DELIVERED,
    DUE,
    GIVEN_UP,
    MOST_TRIES,
    list_deliveries,
    queue_test,
    send_again,
)
from core.store.content.webhooks import (
    Webhook,
    list_webhooks,
    make_secret,
    make_webhook,
    remove_webhook,
)
from core.store.people.members import add_member
from core.store.people.people import add_person
from core.store.store import Store
from pages.server import webhooks
from pages.server.webhooks import WebhookSchedule
from tests.browser.running import wait_until
from tests.pages.server.receiver import Receiver, receive
from tests.short import long

LOOPBACK = (ip_network("127.0.0.0/8"),)


@contextmanager
def telling(store: Store) -> Iterator[list[Exception]]:
    """Have what is finished told meanwhile; yields what failed, of which there is to be nothing."""
    failed: list[Exception] = []
    schedule = WebhookSchedule(store, LOOPBACK, lambda *_: None, failed.append, every=0.02)
    try:
        yield failed
    finally:
        schedule.end()
        assert failed == []


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    with receive(Receiver()) as listening:
        yield listening


@pytest.fixture
def anna(store: Store, filled: str) -> str:
    person = add_person(store, "Anna", "assessor")
    add_member(store, filled, person, "Anna")
    return person


def add_hook(store: Store, filled: str, receiver: Receiver) -> Webhook:
    address = f"http://127.0.0.1:{receiver.port}/hook?of=cats"
    return make_webhook(store, filled, address, networks=LOOPBACK)


def finish_one(store: Store, filled: str, person: str) -> str:
    """Finish what the person is given; returns the topic."""
    given = take_assignment(store, filled, person)
    assert given is not None
    finish_assignment(store, given)
    return given.topic_id


def look(store: Store, filled: str, hook: Webhook, receiver: Receiver) -> None:
    """Wait until all that was finished so far was looked at: a test is sent after it."""
    made = queue_test(store, filled, hook.webhook_id)
    wait_until(lambda: made in [one["id"] for one in receiver.told])


def test_a_topic_and_a_round_are_told_when_their_last_place_is_finished(
    store: Store, filled: str, anna: str, receiver: Receiver
):
    bob = add_person(store, "Bob", "assessor")
    add_member(store, filled, bob, "Bob")
    opened = open_round(store, filled, Plan(judges=2, flow="page only", name="First"))
    hook = add_hook(store, filled, receiver)
    with telling(store):
        first = finish_one(store, filled, anna)
        second = finish_one(store, filled, anna)
        look(store, filled, hook, receiver)
        assert [one["type"] for one in receiver.told] == ["test"]
        assert finish_one(store, filled, bob) == first
        wait_until(lambda: len(receiver.messages) == 2)
        look(store, filled, hook, receiver)
        assert [one["type"] for one in receiver.told] == ["test", "topic.finished", "test"]
        finish_one(store, filled, bob)
        wait_until(lambda: len(receiver.messages) == 5)
        look(store, filled, hook, receiver)
    told = [one for one in receiver.told if one["type"] != "test"]
    rest = {"collection": filled, "collection_name": "Small *one*", "round": opened}
    rest["round_name"] = "First"
    assert [(one["type"], one["data"]) for one in told] == [
        ("topic.finished", {**rest, "topic": first, "places": 2}),
        ("topic.finished", {**rest, "topic": second, "places": 2}),
        ("round.finished", {**rest, "topics": 2, "places": 4}),
    ]
    assert len({one["id"] for one in receiver.told}) == 6
    everything = b"".join(body for _, body in receiver.messages)
    for person in (anna, bob, "Anna", "Bob"):
        assert person.encode() not in everything


def test_a_message_is_signed_as_standard_webhooks_has_it(
    store: Store, filled: str, receiver: Receiver
):
    hook = add_hook(store, filled, receiver)
    with telling(store):
        look(store, filled, hook, receiver)
    headers, body = receiver.messages[0]
    secret = make_secret(store, hook.webhook_id)
    key = base64.b64decode(secret.removeprefix("whsec_"))
    signed = f"{headers['webhook-id']}.{headers['webhook-timestamp']}.".encode() + body
    made = base64.b64encode(hmac.digest(key, signed, hashlib.sha256)).decode()
    assert headers["webhook-signature"] == f"v1,{made}"
    assert abs(int(headers["webhook-timestamp"]) - time.time()) < 3600
    assert headers["webhook-id"] == receiver.told[0]["id"]
    assert receiver.paths == ["/hook?of=cats"]
    other = add_hook(store, filled, receiver)
    assert make_secret(store, other.webhook_id) != secret


@long
def test_nothing_is_told_of_what_was_finished_before(
    store: Store, filled: str, anna: str, receiver: Receiver
):
    open_round(store, filled, Plan(judges=1, flow="page only"))
    finish_one(store, filled, anna)
    hook = add_hook(store, filled, receiver)
    with telling(store):
        look(store, filled, hook, receiver)
        later = finish_one(store, filled, anna)
        wait_until(lambda: len(receiver.messages) == 3)
        look(store, filled, hook, receiver)
    told = [one for one in receiver.told if one["type"] != "test"]
    assert [one["data"].get("topic", one["type"]) for one in told] == [later, "round.finished"]


def test_closing_a_round_finishes_nothing(store: Store, filled: str, anna: str, receiver: Receiver):
    opened = open_round(store, filled, Plan(judges=1, flow="page only"))
    hook = add_hook(store, filled, receiver)
    with telling(store):
        close_round(store, opened, closed=True)
        look(store, filled, hook, receiver)
    assert [one["type"] for one in receiver.told] == ["test"]


def test_what_fails_is_sent_again_by_the_same_id_also_after_a_restart(
    store: Store, filled: str, anna: str, receiver: Receiver, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(webhook_deliveries, "PAUSES", (0, 3600, 0, 0, 0, 0, 0))
    open_round(store, filled, Plan(judges=1, flow="page only"))
    add_hook(store, filled, receiver)
    receiver.statuses = [500, 503, 200]
    with telling(store):
        finish_one(store, filled, anna)
        wait_until(lambda: [one.status for one in list_deliveries(store, filled)] == [503])
    (waiting,) = list_deliveries(store, filled)
    assert (waiting.state, waiting.attempts, waiting.status) == (DUE, 2, 503)
    assert waiting.reason == "it answered 503"
    path = store.path
    store.close()
    with closing(Store(path)) as again:
        with again.database.write() as cursor:  # an hour later
            cursor.execute("UPDATE webhook_deliveries SET next_at = tried_at")
        with telling(again):
            wait_until(lambda: len(receiver.messages) == 3)
            wait_until(lambda: list_deliveries(again, filled)[0].state == DELIVERED)
        (arrived,) = list_deliveries(again, filled)
    assert (arrived.attempts, arrived.status, arrived.reason, arrived.next_at) == (3, 200, "", None)
    assert {one["id"] for one in receiver.told} == {arrived.delivery_id}
    assert len({body for _, body in receiver.messages}) == 1


def test_what_was_finished_while_the_server_was_down_is_told(
    store: Store, filled: str, anna: str, receiver: Receiver
):
    open_round(store, filled, Plan(judges=1, flow="page only"))
    add_hook(store, filled, receiver)
    topic = finish_one(store, filled, anna)
    with telling(store):
        wait_until(lambda: len(receiver.messages) == 1)
    assert receiver.told[0]["data"]["topic"] == topic


def test_it_is_given_up_after_eight_tries_and_can_be_sent_again(
    store: Store, filled: str, receiver: Receiver, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(webhook_deliveries, "PAUSES", (0,) * (MOST_TRIES - 1))
    hook = add_hook(store, filled, receiver)
    receiver.statuses = [500]
    made = queue_test(store, filled, hook.webhook_id)
    with telling(store):
        wait_until(lambda: list_deliveries(store, filled)[0].state == GIVEN_UP)
        assert len(receiver.messages) == MOST_TRIES == 8
        receiver.statuses = [200]
        send_again(store, filled, made)
        wait_until(lambda: list_deliveries(store, filled)[0].state == DELIVERED)
    assert len(receiver.messages) == MOST_TRIES + 1


def test_one_machine_that_fails_does_not_hold_up_another(
    store: Store, filled: str, receiver: Receiver
):
    with receive(Receiver([500])) as failing:
        hooks = [add_hook(store, filled, one) for one in (failing, receiver)]
        for hook in hooks:
            queue_test(store, filled, hook.webhook_id)
        with telling(store):
            wait_until(lambda: len(receiver.messages) == 1)


@long
def test_what_is_removed_is_told_nothing_more(
    store: Store, filled: str, anna: str, receiver: Receiver
):
    open_round(store, filled, Plan(judges=1, flow="page only"))
    gone, stays = add_hook(store, filled, receiver), add_hook(store, filled, receiver)
    queue_test(store, filled, gone.webhook_id)
    remove_webhook(store, filled, gone.webhook_id)
    with telling(store):
        finish_one(store, filled, anna)
        wait_until(lambda: len(receiver.messages) == 1)
        look(store, filled, stays, receiver)
    assert [one["type"] for one in receiver.told] == ["topic.finished", "test"]
    assert [one.webhook_id for one in list_webhooks(store, filled)] == [stays.webhook_id]


def test_a_machine_that_says_nothing_is_waited_for_so_long_and_not_at_the_end(
    store: Store, filled: str, monkeypatch: pytest.MonkeyPatch
):
    """It takes the message and sends a sign now and then: a socket's own timeout never comes."""
    monkeypatch.setattr(webhooks, "PATIENCE", 0.3)
    with socket.create_server(("127.0.0.1", 0)) as silent:
        address = f"http://127.0.0.1:{silent.getsockname()[1]}/"
        hook = make_webhook(store, filled, address, networks=LOOPBACK)
        queue_test(store, filled, hook.webhook_id)
        with telling(store):
            held, _ = silent.accept()

            def is_given_up() -> bool:
                with suppress(OSError):
                    held.sendall(b"H")
                return bool(list_deliveries(store, filled)[0].reason)

            wait_until(is_given_up)
            held.close()
        assert list_deliveries(store, filled)[0].reason == "it did not answer within 0.3 seconds"
        monkeypatch.setattr(webhooks, "PATIENCE", 3600.0)
        queue_test(store, filled, hook.webhook_id)
        with telling(store):
            held, _ = silent.accept()  # and now the server ends, with the message on its way
        held.close()
        latest = list_deliveries(store, filled)[0]
        assert (latest.state, latest.attempts) == (DUE, 1)


@pytest.mark.skipif(not shutil.which("openssl"), reason="no openssl to make a certificate with")
def test_over_tls_only_to_whom_the_certificate_names(
    store: Store, filled: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    with receive(Receiver(), files=tmp_path) as secure:
        address = f"https://localhost:{secure.port}/"
        hook = make_webhook(store, filled, address, networks=(*LOOPBACK, ip_network("::1")))
        monkeypatch.setattr(webhooks, "look_up", lambda *_: ["127.0.0.1"])
        with telling(store):
            queue_test(store, filled, hook.webhook_id)
            wait_until(lambda: bool(list_deliveries(store, filled)[0].reason))
            assert list_deliveries(store, filled)[0].reason == "its certificate is not valid"
            monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "localhost.pem"))
            look(store, filled, hook, secure)
            elsewhere = f"https://elsewhere.example:{secure.port}/"
            other = make_webhook(store, filled, elsewhere, networks=LOOPBACK)
            made = queue_test(store, filled, other.webhook_id)

            def reason() -> str:
                return {one.delivery_id: one.reason for one in list_deliveries(store, filled)}[made]

            wait_until(lambda: bool(reason()))
            assert reason() == "its certificate is not valid"
    assert len(secure.messages) == 1
    assert secure.messages[0][0]["Host"] == f"localhost:{secure.port}"
