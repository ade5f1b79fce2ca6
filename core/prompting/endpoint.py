"""Which server is asked, and the key that it asks for."""

import os
import re
from base64 import b64encode
from dataclasses import dataclass, field
from functools import cached_property
from html import unescape
from urllib.parse import quote, unquote, urlsplit

from core.errors import BadInput

KEY_VARIABLE = "DISSENT_JUDGE_KEY"
"""The environment variable that holds the key, unless another is named."""

ADDRESS_VARIABLE = "DISSENT_JUDGE_URL"
"""The environment variable with the address that a server of Dissent asks, and no other."""

_SHORTEST_KEY, _LONGEST_KEY = 8, 4_096
"""Characters; a shorter one could not be hidden wherever it occurs without harm to answers."""

_PIECE = 8
"""Characters of a key that are hidden where they follow one another, whatever stands around."""

_HIDDEN = "[key]"
_ESCAPED = re.compile(r"\\+(?:u([0-9a-fA-F]{4})|(.))", re.DOTALL)
_MOST_UNPACKED = 3
"""How often a text is unescaped: an answer is JSON, and may hold JSON."""


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
class ApiKey:
    """A secret that no text of this object shows."""

    value: str = field(default="", repr=False)

    def hide(self, text: str) -> str:
        """Return a text in which the key does not occur: neither in pieces, nor escaped or coded.

        Only a text in which it does is changed at all.
        """
        if not self.value:
            return text
        hidden = plain = self._cut_out(text)
        for _ in range(_MOST_UNPACKED):
            packed, plain = plain, unescape(unquote(_ESCAPED.sub(_unescape, plain)))
            if plain == packed:
                break
            found = self._cut_out(plain)
            if found != plain:
                hidden = plain = found
        return hidden

    @cached_property
    def _pieces(self) -> frozenset[str]:
        """What is left nowhere: every few characters of the key, as it is and as it is coded."""
        content = self.value.encode()
        coded = [self.value, quote(self.value, safe=""), content.hex(), content.hex().upper()]
        for before in range(3):  # where the key begins in what is coded with it is not known
            whole = b64encode(b"\0" * before + content).decode()
            coded += [whole[:-4][2 * before :], whole[:-4][2 * before :].translate(_URL_SAFE)]
        return frozenset(
            form[place : place + _PIECE]
            for form in coded
            for place in range(len(form) - _PIECE + 1)
        )

    @cached_property
    def _parts(self) -> frozenset[str]:
        return frozenset(one[place : place + 4] for one in self._pieces for place in range(5))

    def _cut_out(self, text: str) -> str:
        parts, pieces = self._parts, self._pieces
        # One in five places is looked at: there or behind it a part of any piece begins.
        near = [place for place in range(0, len(text), 5) if text[place : place + 4] in parts]
        begins = sorted({max(0, place - back) for place in near for back in range(5)})
        kept: list[str] = []
        end = 0
        for place in begins:
            if text[place : place + _PIECE] in pieces:
                kept += [text[end:place], _HIDDEN] if place > end or not kept else []
                end = place + _PIECE
        return "".join([*kept, text[end:]]) if kept else text


_URL_SAFE = str.maketrans("+/", "-_")


def _unescape(found: re.Match[str]) -> str:
    """Return the character that is escaped as JSON has it; of two halves of one, nothing."""
    if not found[1]:
        return found[2]
    sign = chr(int(found[1], 16))
    return sign if not sign.isspace() and sign.isprintable() else " "


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


def read_key(variable: str = KEY_VARIABLE) -> ApiKey:
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
    return ApiKey(value)
