"""By the API alone: a webhook is added, a round judged, and the address told of it."""

from ipaddress import ip_network

import pytest

from core.store.people.people import add_person
from core.store.people.tokens import make_token
from core.store.store import Store
from pages.server.webhooks import WebhookSchedule
from tests.browser.running import wait_until
from tests.pages.api.v1.described_client import DescribedClient, open_client
from tests.pages.api.v1.test_study import judge_everything
from tests.pages.server.receiver import Receiver, receive
from tests.short import long


@pytest.fixture
def olga(store: Store) -> DescribedClient:
    person = add_person(store, "Olga", "organiser")
    return DescribedClient(open_client(), make_token(store, person, "hooks", ["read", "write"]))


def is_delivered(client: DescribedClient, collection: str) -> bool:
    deliveries = client.ask("listWebhooks", collection=collection)["deliveries"]
    return [one["state"] for one in deliveries] == ["delivered"]


def test_a_round_that_is_judged_is_told(
    olga: DescribedClient, store: Store, filled: str, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("DISSENT_WEBHOOK_NETWORKS", "127.0.0.1/32")
    opened = olga.ask("openRound", {"judges": 1, "flow": "page only"}, collection=filled)["round"]
    (anna,) = olga.ask("invitePeople", {"people": [{"name": "Anna"}]}, collection=filled)["people"]
    accepted = olga.ask("acceptInvitation", {"invitation": anna["link"], "name": "x"})
    assessor = DescribedClient(olga.client, accepted["token"])
    with receive(Receiver()) as receiver:
        body = {"address": f"http://127.0.0.1:{receiver.port}/", "events": ["round.finished"]}
        made = olga.ask("createWebhook", body, collection=filled)
        assert made["secret"].startswith("whsec_")
        schedule = WebhookSchedule(
            store, [ip_network("127.0.0.1/32")], lambda *_: None, lambda _: None, every=0.02
        )
        try:
            judge_everything(assessor, filled, lambda _: 1)
            # What is on its way when the schedule ends would be sent again.
            wait_until(lambda: is_delivered(olga, filled))
        finally:
            schedule.end()
    assert [(one["type"], one["data"]["round"]) for one in receiver.told] == [
        ("round.finished", opened)
    ]
    listed = olga.ask("listWebhooks", collection=filled)
    assert [one["webhook"] for one in listed["webhooks"]] == [made["webhook"]]
    assert made["secret"] not in str(listed)
    (sent,) = listed["deliveries"]
    assert (sent["delivery"], sent["state"], sent["round"]) == (
        receiver.told[0]["id"],
        "delivered",
        opened,
    )
    olga.ask("sendAgain", collection=filled, delivery=sent["delivery"])
    olga.ask("testWebhook", collection=filled, webhook=made["webhook"])
    assert olga.ask("removeWebhook", collection=filled, webhook=made["webhook"])["removed"]
    assert olga.ask("listWebhooks", collection=filled) == {"webhooks": [], "deliveries": []}


def test_an_address_inside_is_refused(olga: DescribedClient, filled: str):
    for address in ("https://127.0.0.1/", "http://example.org/", "https://u:p@example.org/"):
        answer = olga.send("createWebhook", {"address": address}, collection=filled)
        olga.check("createWebhook", answer)
        assert (answer.status_code, answer.json()["field"]) == (422, "address")


@long
def test_the_demo_tells_nobody(store: Store, live_demo: str, olga: DescribedClient):
    body = {"address": "https://example.org/"}
    answer = olga.send("createWebhook", body, collection=live_demo)
    olga.check("createWebhook", answer)
    assert answer.status_code == 403
