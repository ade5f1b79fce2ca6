"""Whatever is sent to any operation: no failure, and only answers that the document has.

Schemathesis draws it from the document alone: as its schemas say, and against them.
"""

from collections.abc import Iterator
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from schemathesis import APIOperation, Case, GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.core.failures import FailureGroup
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from core.assessment.rounds.rounds import Plan, open_round
from core.store.content.collections import list_collections
from core.store.people.members import add_member
from core.store.people.people import add_person
from core.store.people.token_scopes import SCOPES
from core.store.people.tokens import make_token
from core.store.store import Store
from pages.api.v1 import endpoint
from pages.api.v1.table import OPERATIONS
from tests.each import each
from tests.pages.api.v1.described_client import DOCUMENT, DescribedClient, make_app, open_client

API = schemathesis.openapi.from_asgi(DOCUMENT, make_app())
NAMES = [one.name for one in OPERATIONS if one.name != "endToken"]
CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
]
KNOWN = {
    "version": ["all, maximum", "UDM", "all, median"],
    "measure": ["nDCG@10", "AP", "P(rel=2)@5", "ERR(gain='udm')", "nDCG@0", "map", "("],
    "coefficient": ["kappa", "alpha(ordinal)", "overlap>=2", "kappa(", "raw"],
    "facet": ["page", "snippet"],
}
"""What is worth to be tried beside any text."""
AnyOperation = APIOperation[Any, Any, Any, Any]
FILES = [b"t1 Q0 d1 1 2.5 s9\n", b"t9\tlynx\n", b'{"id": "d9", "text": "x"}\n', b"\x1f\x8b\0"]


@pytest.fixture(scope="module")
def clients(lasting_filled: Store) -> Iterator[list[DescribedClient]]:
    """One client with all rights, one that judges; in a collection with an open round."""
    store = lasting_filled
    collection_id = list_collections(store)[0].collection_id
    olga, anna = (add_person(store, n, r) for n, r in (("Ol", "organiser"), ("An", "assessor")))
    add_member(store, collection_id, anna, "An")
    opened = open_round(store, collection_id, Plan(judges=1))
    with open_client() as client:
        made = [
            DescribedClient(client, make_token(store, person, "p", SCOPES[role]))
            for person, role in ((olga, "organiser"), (anna, "assessor"))
        ]
        for one in made:
            one.ids = {"collection": collection_id, "round": opened, "person": anna}  # type: ignore[attr-defined]
        yield made


def draw_case(operation: AnyOperation, ids: dict[str, str]) -> st.SearchStrategy[Case]:
    """Return what fits an operation and what does not, most of it for what there is."""
    raw = operation.definition.raw
    found = {one["name"]: ids[one["name"]] for one in raw["parameters"] if one["name"] in ids}
    asked = {
        one["name"]: st.sampled_from(KNOWN[one["name"]])
        if one["schema"]["type"] != "array"
        else st.lists(st.sampled_from(KNOWN[one["name"]]), min_size=1, max_size=3)
        for one in raw["parameters"]
        if one["in"] == "query" and one["name"] in KNOWN
    }
    kinds = raw.get("requestBody", {}).get("content", {})
    drawn = [operation.as_strategy(mode, path_parameters=found or None) for mode in GenerationMode]
    if found:
        drawn.append(operation.as_strategy())
    if asked:
        drawn.append(
            st.fixed_dictionaries(asked).flatmap(
                lambda one: operation.as_strategy(path_parameters=found, query=one)
            )
        )
    if kinds and "application/json" not in kinds:
        files = st.one_of(st.sampled_from(FILES), st.binary(max_size=60))
        drawn.append(
            files.flatmap(lambda one: operation.as_strategy(path_parameters=found, body=one))
        )
    return st.one_of(drawn)


def send_whatever(clients: list[DescribedClient], name: str, often: int | None = None) -> None:
    """Send an operation what is drawn for it, with the rights of each client."""
    often = often or settings().max_examples

    @settings(suppress_health_check=list(HealthCheck), database=None, max_examples=often)
    @given(case=draw_case(API.find_operation_by_id(name), clients[0].ids))  # type: ignore[attr-defined]
    def ask(case: Case) -> None:
        for client in clients:
            sent = {"Authorization": f"Bearer {client.token}"}
            case.call_and_validate(headers=sent, checks=CHECKS)

    ask()


@each("name", NAMES)
def test_no_operation_fails_whatever_is_sent(
    clients: list[DescribedClient], name: str, long_form: bool
):
    send_whatever(clients, name, None if long_form else 3)


def test_without_its_check_a_failure_is_found(
    clients: list[DescribedClient], monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr("pages.api.v1.endpoint.check", lambda *_: None)
    with pytest.raises(FailureGroup, match="500"):
        send_whatever(clients, "judge", 1_000)  # ends with the first


def test_numbers_that_are_none_are_refused():
    with pytest.raises(endpoint.BadInput):
        endpoint.check(float("nan"), {"type": "number", "minimum": 0, "maximum": 1}, "share")
    with pytest.raises(endpoint.BadInput):
        endpoint.check(True, {"type": "integer"}, "depth")


def test_a_whole_number_is_one_however_json_writes_it(clients: list[DescribedClient]):
    for levels in ("[0, 1.0, 2e0]", "[0, 1, 2.5]"):
        sent = f'{{"name": "Whole {levels}", "scales": {{"page": {levels}}}}}'
        answer = clients[0].client.post(
            "/api/v1/collections",
            content=sent,
            headers={
                "Authorization": f"Bearer {clients[0].token}",
                "Content-Type": "application/json",
            },
        )
        assert answer.status_code == (422 if "2.5" in levels else 201), answer.text


@each("name", ["listLabels", "listPreferences"])
def test_every_sequence_that_the_document_allows_can_be_asked_for(
    clients: list[DescribedClient], name: str
):
    most = {one["name"]: one["schema"] for one in clients[0].found[name][2]["parameters"]}["after"]
    collection = clients[0].ids["collection"]  # type: ignore[attr-defined]
    for after in (most["minimum"], most["maximum"]):
        clients[0].ask(name, collection=collection, after=after)
