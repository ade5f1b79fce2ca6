"""What the whole process shares: the open store and what signs its tokens."""

import threading
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from itsdangerous import BadData, URLSafeTimedSerializer
from streamlit import config

from core.assessment.judging import Intake
from core.demo import load_demo
from core.errors import NotAllowed
from core.settings import read_settings
from core.store.people import add_person, has_organiser, invite, list_people
from core.store.store import Store
from pages.shared.listening import answer_without_delay

TOKEN_LASTS = 12 * 3600


@dataclass(frozen=True)
class Server:
    """The store of this process and whether it is the demo's.

    ``folder`` holds a throw-away store and goes with it.
    """

    store: Store
    demo: bool
    folder: TemporaryDirectory[str] | None = None

    @cached_property
    def intake(self) -> Intake:
        """The one intake of label events."""
        return Intake(self.store)

    def close(self) -> None:
        """Close the store, and throw it away where it is a throw-away one."""
        self.store.close()
        if self.folder is not None:
            self.folder.cleanup()

    def sign(self, purpose: str, content: Any) -> str:
        """Return a token that only this store can have made."""
        return str(URLSafeTimedSerializer(self.store.secret, salt=purpose).dumps(content))

    def read_signed(self, purpose: str, token: str) -> Any:
        """Return what a token holds; raises NotAllowed when it is forged or expired."""
        try:
            return URLSafeTimedSerializer(self.store.secret, salt=purpose).loads(token, TOKEN_LASTS)
        except BadData as error:
            raise NotAllowed("This page has been open for too long. Reload it.") from error


_lock = threading.Lock()
_running: list[Server] = []


def server() -> Server:
    """Return this process's server, opening its store the first time."""
    with _lock:
        if not _running:
            _running.append(_start())
        return _running[0]


def stop() -> None:
    """Close the store; the next call of `server` opens it again."""
    with _lock:
        while _running:
            _running.pop().close()


@asynccontextmanager
async def lifespan(_: Any) -> AsyncIterator[None]:
    """Open the store before the first visitor comes and close it after the last."""
    answer_without_delay()
    running = server()
    if not running.demo and not has_organiser(running.store):
        print(first_invitation(running.store), flush=True)
    yield
    stop()


def first_invitation(store: Store) -> str:
    """Return the lines that invite the first organiser of a new store."""
    organisers = [person for person in list_people(store) if person.role == "organiser"]
    person_id = (
        organisers[0].person_id if organisers else add_person(store, "Organiser", "organiser")
    )
    token = invite(store, person_id)
    address = f"http://{config.get_option('server.address')}:{config.get_option('server.port')}"
    return f"\n  This store has no organiser yet. Sign in once with:\n  {address}/enter/{token}\n"


def _start() -> Server:
    settings = read_settings()
    if settings.store is not None:
        return Server(_open(settings.store, settings.demo), settings.demo)
    folder = TemporaryDirectory(prefix="dissent-demo-")
    return Server(_open(Path(folder.name) / "demo.duckdb", settings.demo), settings.demo, folder)


def _open(path: Path, demo: bool) -> Store:
    new = not path.exists()
    store = Store(path)
    if demo and new:
        load_demo(store)
    return store
