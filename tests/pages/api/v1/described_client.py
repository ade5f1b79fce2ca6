"""A client that knows nothing of the API but its document: it asks by the names of operations."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from httpx2 import Response
from jsonschema import Draft202012Validator
from starlette.applications import Starlette
from starlette.testclient import TestClient

from pages.api.routes import MIDDLEWARE, ROUTES

DOCUMENT = "/api/v1/openapi.json"


def make_app() -> Starlette:
    """Return what answers, without the pages."""
    return Starlette(routes=ROUTES, middleware=MIDDLEWARE)


def open_client() -> TestClient:
    return TestClient(
        make_app(),
        follow_redirects=False,
        raise_server_exceptions=False,
    )


class DescribedClient:
    """Asks for operations by their ids; everything else is looked up in the document."""

    def __init__(self, client: TestClient, token: str = "") -> None:
        self.client, self.token = client, token
        self.document: dict[str, Any] = client.get(DOCUMENT).json()
        self.found = {
            operation["operationId"]: (path, method, operation)
            for path, methods in self.document["paths"].items()
            for method, operation in methods.items()
        }

    def send(self, name: str, body: Any = None, /, **values: Any) -> Response:
        """Ask for an operation, with what its document says where."""
        path, method, operation = self.found[name]
        places = {one["name"]: one["in"] for one in operation["parameters"]}
        query = {key: value for key, value in values.items() if places.get(key) != "path"}
        own = {key: value for key, value in values.items() if places.get(key) == "path"}
        query = {key: _write(value) for key, value in query.items()}
        headers = {"Authorization": f"Bearer {self.token}"} if self.token else {}
        kinds = list(operation.get("requestBody", {}).get("content", {}))
        content: dict[str, Any] = {}
        if kinds == ["application/json"]:
            content = {"content": json.dumps(body).encode()}
            headers["Content-Type"] = kinds[0]
        elif kinds:
            content = {"content": body}
        return self.client.request(
            method, path.format(**own), params=query, headers=headers, **content
        )

    def ask(self, name: str, body: Any = None, /, **values: Any) -> Any:
        """Ask, and check that the answer is as the document has it."""
        answer = self.send(name, body, **values)
        self.check(name, answer)
        assert answer.status_code < 300, answer.text
        return answer.json() if "json" in answer.headers["content-type"] else answer.content

    def check(self, name: str, answer: Response) -> None:
        """Check that the document has such an answer: its status, its kind and its schema."""
        operation = self.found[name][2]
        told = operation["responses"].get(str(answer.status_code))
        assert told is not None, f"{name}: {answer.status_code} {answer.text[:300]}"
        if "$ref" in told:
            told = self.document["components"]["responses"][told["$ref"].rpartition("/")[2]]
        kind = answer.headers["content-type"].partition(";")[0]
        assert kind in told["content"], f"{name}: {kind}"
        if "json" in kind:
            schema = told["content"][kind]["schema"] | {"components": self.document["components"]}
            Draft202012Validator(schema).validate(answer.json())


def _write(value: Any) -> Any:
    return ("false", "true")[value] if isinstance(value, bool) else value


@contextmanager
def described(token: str = "") -> Iterator[DescribedClient]:
    with open_client() as client:
        yield DescribedClient(client, token)
