"""Where a store is: a file on this machine, or a PostgreSQL database that servers share."""

from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from urllib.parse import parse_qsl, unquote, urlsplit

from core.errors import BadInput

_SCHEMES = ("postgresql://", "postgres://")


def is_address(text: str) -> bool:
    """Tell whether a text is the address of a database, and no file."""
    return text.startswith(_SCHEMES)


@dataclass(frozen=True, repr=False)
class Address:
    """Where a database is, as libpq reads it: ``postgresql://user@host:port/name?sslmode=…``.

    ``url`` is all of it. As a text, and wherever it is printed, it has no password.

    Raises
    ------
    BadInput
        It names no database.
    """

    url: str

    def __post_init__(self) -> None:
        try:
            _ = urlsplit(self.url).port
        except ValueError as error:
            raise BadInput(f"the address of the database cannot be read: {error}") from None
        if not self.name:
            raise BadInput(
                "the address of the database names none: it is written "
                "postgresql://user@host:port/name"
            )

    @property
    def name(self) -> str:
        """The database's name."""
        parts = urlsplit(self.url)
        options = dict(parse_qsl(parts.query))
        return unquote(parts.path.strip("/")) or options.get("dbname", "")

    def __str__(self) -> str:
        parts = urlsplit(self.url)
        user, mark, place = parts.netloc.rpartition("@")
        hidden = [one for one in parts.query.split("&") if one and "password=" not in one.lower()]
        asked = f"?{'&'.join(hidden)}" if hidden else ""
        return f"{parts.scheme}://{user.partition(':')[0]}{mark}{place}{parts.path}{asked}"

    def __repr__(self) -> str:
        return f"Address({str(self)!r})"


Place = Path | Address


def read_place(text: str) -> Place:
    """Return the place that a text names: an address that begins with postgresql://, or a file.

    Raises
    ------
    BadInput
        It is an address that cannot be used, or in the home of somebody who is not known here.
    """
    return Address(text) if is_address(text) else expand_home(text)


def expand_home(text: str | PathLike[str]) -> Path:
    """Return a path whose ``~`` is the home folder that it stands for.

    Raises
    ------
    BadInput
        No such home is known.
    """
    try:
        return Path(text).expanduser()
    except RuntimeError as error:
        raise BadInput(
            f"'{text}' begins with ~, and which home folder that is is not known here; write the "
            "path in full"
        ) from error


def write_place(place: Place) -> str:
    """Return what `read_place` reads, password included: for nobody's eyes."""
    return place.url if isinstance(place, Address) else str(place)
