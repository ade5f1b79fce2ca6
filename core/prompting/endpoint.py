"""Which server is asked, and the key that it asks for."""

import os
from dataclasses import dataclass, field
from urllib.parse import urlsplit

from core.errors import BadInput

KEY_VARIABLE = "DISSENT_JUDGE_KEY"
"""The environment variable that holds the key, unless another is named."""

ADDRESS_VARIABLE = "DISSENT_JUDGE_URL"
"""The environment variable with the address that a server of Dissent asks, and no other."""

_SHORTEST_KEY, _LONGEST_KEY = 8, 4_096
"""Characters; a shorter one could not be hidden wherever it occurs without harm to answers."""


@dataclass(frozen=True)
class Endpoint:
    """A server that speaks the chat protocol: where it is, without credentials."""

    is_secure: bool
    host: str
    port: int | None
    path: str

    def __str__(self) -> str:
        """Return the address as it is stored and shown."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        port = f":{self.port}" if self.port else ""
        return f"{'https' if self.is_secure else 'http'}://{host}{port}{self.path}"


@dataclass(frozen=True)
class Key:
    """A secret that no text of this object shows."""

    value: str = field(default="", repr=False)

    def hide(self, text: str) -> str:
        """Return a text in which the key does not occur."""
        return text.replace(self.value, "[key]") if self.value else text


def read_endpoint(text: str) -> Endpoint:
    """Return where a base URL leads, such as ``https://api.example.org/v1``.

    Raises
    ------
    BadInput
        It is no address of a server, or holds credentials: the message quotes none of it.
    """
    try:
        parts = urlsplit(text.strip())
        host, port = parts.hostname, parts.port
    except ValueError as error:
        raise _no_address("cannot be read") from error
    if "@" in parts.netloc:
        raise _no_address(f"holds credentials: set the key as {KEY_VARIABLE}, never in an address")
    if parts.scheme not in ("http", "https") or not host:
        raise _no_address("does not begin with https:// or http:// and a host")
    if parts.query or parts.fragment:
        raise _no_address("has something behind a ? or #: leave it out")
    if not parts.path.isprintable() or " " in parts.path or not parts.path.isascii():
        raise _no_address("has signs in its path that no address has")
    return Endpoint(parts.scheme == "https", host, port, parts.path.rstrip("/"))


def find_endpoint() -> Endpoint | None:
    """Return the server in ``DISSENT_JUDGE_URL``; None where it is not set.

    Raises
    ------
    BadInput
        It is no address of a server.
    """
    given = os.environ.get(ADDRESS_VARIABLE, "").strip()
    try:
        return read_endpoint(given) if given else None
    except BadInput as error:
        raise BadInput(f"{ADDRESS_VARIABLE} cannot be used: {error}", field="server") from error


def _no_address(why: str) -> BadInput:
    return BadInput(
        f"the server's address {why}; it is like https://api.example.org/v1", field="server"
    )


def read_key(variable: str = KEY_VARIABLE) -> Key:
    """Return the key in an environment variable; none where it is not set.

    Raises
    ------
    BadInput
        It cannot be a key; the message does not quote it.
    """
    value = os.environ.get(variable, "").strip()
    is_plain = value.isascii() and value.isprintable() and " " not in value
    if value and not (is_plain and _SHORTEST_KEY <= len(value) <= _LONGEST_KEY):
        raise BadInput(
            f"what {variable} holds is no key: a key is one word of at least {_SHORTEST_KEY} plain "
            "characters. For a server that asks for none leave it out"
        )
    return Key(value)
