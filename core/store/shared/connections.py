"""Connections to PostgreSQL: a few that are kept, none that waits for ever."""

import logging
import re
import secrets
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any, Self

from core.errors import BadInput, StoreFull, StoreUnreachable, StoreUnusable
from core.language.translate import t
from core.place import Address

try:
    import psycopg
    from psycopg import errors
    from psycopg_pool import ConnectionPool, PoolClosed, PoolTimeout
except ImportError as missing:
    raise StoreUnusable(
        "A store in PostgreSQL needs a package that is not installed: "
        "pip install 'dissent-ir[postgresql]', or '.[postgresql]' in a checkout."
    ) from missing

# What goes wrong is told by errors, in our own words.
logging.getLogger("psycopg").setLevel(logging.CRITICAL)

DataError = errors.DataError
"""What is raised for a value that the database cannot hold."""

SCHEMA = "dissent"
"""The schema in which all tables are."""

_MOST = 6
"""Connections of one server: a writer, an appender, a follower, who holds the turn, two spare."""

_PATIENCE = 10.0
"""Seconds that an answer may take before the database counts as out of reach."""

_TRUSTED = 0.5
"""Seconds for which a connection that answered is taken to be there."""

_SESSION = {
    "search_path": SCHEMA,
    "timezone": "UTC",
    "datestyle": "ISO",
    "lock_timeout": "30s",
    "idle_in_transaction_session_timeout": "120s",
    # A server that has vanished without a word must not hold its locks for hours.
    "tcp_keepalives_idle": "5",
    "tcp_keepalives_interval": "2",
    "tcp_keepalives_count": "3",
}


class Link(psycopg.Connection[tuple[Any, ...]]):
    """A connection that gives up on a database that does not answer.

    A cable that was cut sends no error. ``patience`` are the seconds until it counts as cut;
    ``answered`` is when it was last used with success.
    """

    patience = _PATIENCE
    answered = 0.0

    def wait(self, gen: Any, interval: float = 0.1, timeout: float | None = None) -> Any:
        """Wait for an answer, for as long as patience lasts."""
        return super().wait(self._bound(gen), interval, timeout)

    def _bound(self, gen: Any) -> Any:
        end = time.monotonic() + self.patience
        step = partial(next, gen)
        while True:
            try:
                wanted = step()
            except StopIteration as done:
                return done.value
            ready = yield wanted
            if time.monotonic() > end:
                self.close()
                raise errors.OperationalError("the database did not answer in time")
            step = partial(gen.send, ready)

    @contextmanager
    def patient(self, seconds: float) -> Iterator[Self]:
        """Wait longer than usual, for what takes its time."""
        former, self.patience = self.patience, seconds
        try:
            yield self
        finally:
            self.patience = former


class Connections:
    """Connections to one database, opened as they are needed.

    Raises
    ------
    StoreUnreachable
        It does not answer.
    StoreUnusable
        It refuses: no such database, no such user, a wrong password.
    """

    def __init__(self, address: Address) -> None:
        self._address = address
        with self._translate():
            # Tried once by itself: the pool would only say that it took too long.
            psycopg.connect(address.url, connect_timeout=5).close()
        self._options: dict[str, Any] = {
            **{"connect_timeout": 3, "keepalives_idle": 5, "keepalives_interval": 2},
            **{"keepalives_count": 3, "tcp_user_timeout": 8000},
            "application_name": f"dissent {secrets.token_hex(6)}",
        }
        self._pool = ConnectionPool(
            address.url,
            connection_class=Link,
            kwargs=self._options,
            min_size=1,
            max_size=_MOST,
            max_lifetime=3600.0,
            reconnect_timeout=2.0,
            configure=_configure,
            check=_check,
            open=True,
        )

    @contextmanager
    def use(self, timeout: float = 5.0) -> Iterator[Link]:
        """Yield a connection; commits at the end, rolls back on any error.

        Raises
        ------
        StoreUnreachable
            It does not answer, or went away: what was asked of it may be stored or not.
        StoreFull
            The disk of the database has no room; nothing was changed.
        BadInput
            A text holds what PostgreSQL does not store: the character NUL. An id is too long.
        """
        with self._translate(), self._pool.connection(timeout=timeout) as link:
            yield link
            link.answered = time.monotonic()

    @contextmanager
    def own(self) -> Iterator[Link]:
        """Yield a connection besides those that are kept, which is closed at the end."""
        with self._translate(), Link.connect(self._address.url, **self._options) as link:
            _configure(link)
            link.autocommit = True
            yield link

    def close(self) -> None:
        """Close all connections."""
        self._pool.close(timeout=2.0)

    @contextmanager
    def _translate(self) -> Iterator[None]:
        try:
            yield
        except (PoolTimeout, PoolClosed) as error:
            raise StoreUnreachable(say_unreachable()) from error
        except errors.DiskFull as error:
            raise StoreFull(_full()) from error
        except errors.ProgramLimitExceeded as error:
            raise BadInput(_too_long()) from error
        except errors.DataError as error:
            if "NUL" in str(error) or "0x00" in str(error):
                raise BadInput(t("a text holds the character NUL and cannot be stored")) from error
            raise
        except (
            errors.InvalidPassword,
            errors.InvalidAuthorizationSpecification,
            errors.InvalidCatalogName,
            errors.InsufficientPrivilege,
        ) as error:
            raise StoreUnusable(self._refused(error)) from error
        except (errors.OperationalError, errors.InterfaceError) as error:
            if _REFUSED.search(str(error)):
                raise StoreUnusable(self._refused(error)) from error
            raise StoreUnreachable(say_unreachable()) from error

    def _refused(self, error: Exception) -> str:
        return f"The database {self._address} cannot be used: {_first_line(error)}"


_REFUSED = re.compile(
    r"password authentication failed|no password supplied|does not exist|no pg_hba.conf entry"
    r"|invalid (?:connection option|URI|sslmode|port)|root certificate|certificate verify failed"
)


def _check(link: Link) -> None:
    """See whether a connection still is one, where that was not seen a moment ago."""
    if time.monotonic() - link.answered > _TRUSTED:
        ConnectionPool.check_connection(link)


def _configure(link: Link) -> None:
    for name, value in _SESSION.items():
        link.execute("SELECT set_config(%s, %s, false)", [name, value])
    link.commit()


def _first_line(error: Exception) -> str:
    return str(error).strip().rpartition("\n")[2] or type(error).__name__


def say_unreachable() -> str:
    """Return what is said where the database does not answer."""
    return t(
        "The database of this store does not answer. Nothing of this is known to be saved; "
        "it goes on by itself once the database is back."
    )


def _too_long() -> str:
    return t(
        "An id or a name is too long for the database of this store: where rows are told apart by "
        "several, they have 2,600 bytes together. Nothing of this was saved."
    )


def _full() -> str:
    return t(
        "There is no room left on the disk of the database. Nothing of this was saved; "
        "what was saved before is safe. It goes on by itself once there is room."
    )
