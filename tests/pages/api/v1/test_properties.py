"""Whatever is sent to any operation: no failure, and only answers that the document has.

What is sent is drawn from the schemas of the document itself: as they say, or next to it.
"""

from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from core.assessment.rounds import Plan, open_round
from core.store.content.collections import list_collections
from core.store.people.members import add_member
from core.store.people.people import add_person
from core.store.people.tokens import SCOPES, make_token
from core.store.store import Store
from pages.api.v1 import checked
from pages.api.v1.table import OPERATIONS
from tests.pages.api.v1.described_client import DescribedClient, open_client

NAMES = [one.name for one in OPERATIONS if one.name != "endToken"]
JUNK = st.one_of(
    st.none(), st.booleans(), st.integers(), st.floats(allow_nan=False), st.text(max_size=8),
    st.lists(st.integers(), max_size=2),
    st.dictionaries(st.text(max_size=3), st.none(), max_size=2),
)  # fmt: skip
KNOWN = {
    "version": ["all, maximum", "UDM", "all, median"],
    "measure": ["nDCG@10", "AP", "P(rel=2)@5", "ERR(gain='udm')", "nDCG@0", "map", "("],
    "coefficient": ["kappa", "alpha(ordinal)", "overlap>=2", "kappa(", "raw"],
    "facet": ["page", "snippet"],
}
"""What is worth to be tried beside any text."""


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


def draw_schema(schema: dict[str, Any]) -> st.SearchStrategy[Any]:
    """Return what a schema allows, and now and then what it does not."""
    kind = schema.get("type", "object")
    kind = kind if isinstance(kind, str) else kind[0]
    if "enum" in schema:
        fit: st.SearchStrategy[Any] = st.sampled_from(schema["enum"])
    elif kind == "string":
        fit = st.text(max_size=min(schema.get("maxLength", 12), 12))
    elif kind in ("integer", "number"):
        fit = st.integers(schema.get("minimum", -5), min(schema.get("maximum", 9), 2**53))
    elif kind == "boolean":
        fit = st.booleans()
    elif kind == "array":
        fit = st.lists(draw_schema(schema.get("items", {})), max_size=3)
    else:
        own = {name: draw_schema(one) for name, one in schema.get("properties", {}).items()}
        needed = {name: own.pop(name) for name in schema.get("required", ()) if name in own}
        fit = st.fixed_dictionaries(needed, optional=own)
    return fit if "properties" in schema else st.one_of(fit, fit, fit, JUNK)


def draw_text(name: str, schema: dict[str, Any]) -> st.SearchStrategy[Any]:
    """Return what an address may have: texts."""
    fit = draw_schema(schema).map(lambda one: str(one).lower() if one is True or one is False
                                  else str(one))  # fmt: skip
    return st.one_of(st.sampled_from(KNOWN[name]), fit) if name in KNOWN else fit


@st.composite
def draw_request(draw: st.DrawFn, client: DescribedClient, name: str) -> tuple[Any, dict[str, Any]]:
    operation = client.found[name][2]
    values: dict[str, Any] = {}
    for one in operation["parameters"]:
        fixed = client.ids.get(one["name"])  # type: ignore[attr-defined]
        if fixed and draw(st.integers(0, 9)):
            values[one["name"]] = fixed
        elif one["in"] == "path":
            drawn = draw(draw_text(one["name"], one["schema"]))
            values[one["name"]] = _as_path(drawn)
        elif one["required"] or draw(st.booleans()):
            schema = one["schema"].get("items", one["schema"])
            text = draw_text(one["name"], schema)
            many = one["schema"].get("type") == "array"
            values[one["name"]] = draw(st.lists(text, min_size=1, max_size=3) if many else text)
    content = operation.get("requestBody", {}).get("content", {})
    if "application/json" in content:
        return draw(
            st.one_of(*[draw_schema(content["application/json"]["schema"])] * 4, JUNK)
        ), values
    lines = b"t1 Q0 d1 1 2.5 s9\n", b"t9\tlynx\n", b'{"id": "d9", "text": "x"}\n', b"\x1f\x8b\0"
    return draw(st.one_of(st.sampled_from(lines), st.binary(max_size=60))), values


def _as_path(text: str) -> str:
    """Return a part of an address: no slash ends it, and it is not one that is left out."""
    from urllib.parse import quote

    return quote(text, safe="").replace(".", "%2E") or "-"


@pytest.mark.parametrize("name", NAMES)
def test_no_operation_fails_whatever_is_sent(clients: list[DescribedClient], name: str):
    @settings(
        max_examples=25,
        deadline=None,
        derandomize=True,
        suppress_health_check=list(HealthCheck),
        database=None,
    )
    @given(data=st.data())
    def ask(data: st.DataObject) -> None:
        for client in clients:
            body, values = data.draw(draw_request(client, name))
            answer = client.send(name, body, **values)
            if answer.status_code == 404 and "problem" not in answer.headers["content-type"]:
                continue  # the address is no longer that of an operation
            assert answer.status_code < 500, answer.text
            client.check(name, answer)

    ask()


def test_without_its_check_something_fails(
    clients: list[DescribedClient], monkeypatch: pytest.MonkeyPatch
):
    from pages.api.v1 import endpoint

    monkeypatch.setattr(endpoint, "check", lambda *_: None)
    answer = clients[0].send("invitePeople", {"people": 1}, collection=clients[0].ids["collection"])  # type: ignore[attr-defined]
    assert answer.status_code == 500
    assert answer.headers["content-type"] == "application/problem+json"


def test_numbers_that_are_none_are_refused():
    with pytest.raises(checked.BadInput):
        checked.check(float("nan"), {"type": "number", "minimum": 0, "maximum": 1}, "share")
    with pytest.raises(checked.BadInput):
        checked.check(True, {"type": "integer"}, "depth")
