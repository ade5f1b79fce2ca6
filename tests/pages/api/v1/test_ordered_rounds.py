"""By the API alone: a round is opened with an order, judged to its budget, and told of."""

from core.store.people.people import add_person
from core.store.people.tokens import make_token
from core.store.rounds.orders import read_choices
from core.store.store import Store
from tests.pages.api.v1.described_client import DescribedClient, open_client
from tests.pages.api.v1.test_study import judge_everything


def test_a_round_with_an_order_is_judged_to_its_budget(store: Store, filled: str):
    person = add_person(store, "Olga", "organiser")
    olga = DescribedClient(open_client(), make_token(store, person, "rounds", ["read", "write"]))
    plan = {"judges": 1, "flow": "page only", "order": "max-mean", "budget": 2}
    opened = olga.ask("openRound", plan, collection=filled)
    assert (opened["order"], opened["budget"], opened["relevant_from"]) == ("max-mean", 2, 1)
    before = olga.ask("showRound", collection=filled, round=opened["round"])
    assert (before["candidates"], before["chosen"], before["places"]) == (3, 0, 0)
    (anna,) = olga.ask("invitePeople", {"people": [{"name": "Anna"}]}, collection=filled)["people"]
    accepted = olga.ask("acceptInvitation", {"invitation": anna["link"], "name": "x"})
    judge_everything(DescribedClient(olga.client, accepted["token"]), filled, lambda _: 1)
    after = olga.ask("showRound", collection=filled, round=opened["round"])
    assert (after["chosen"], after["open"]) == (2, 0)
    assert after["places"] == after["finished"] > 0
    assert len(read_choices(store, filled)) == 2
