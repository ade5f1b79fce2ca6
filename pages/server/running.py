"""What the whole process shares: the open store and what signs its tokens."""

import asyncio
import logging
import os
import sys
import threading
import time
from collections.abc import AsyncIterator
from contextlib import ExitStack, asynccontextmanager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from itsdangerous import BadData, URLSafeTimedSerializer
from starlette.concurrency import run_in_threadpool
from streamlit import config
from streamlit.runtime import memory_media_file_storage as storage

from core.assessment.intake.judging import Intake
from core.assessment.notice_board import NoticeBoard
from core.errors import BadInput, DissentError, NotAllowed
from core.language.translate import t
from core.place import Place
from core.prompting.endpoint import ApiKey, Endpoint, find_endpoint, read_key
from core.settings import local_address, read_settings, read_webhook_networks
from core.store.backup.backup_schedule import BackupSchedule
from core.store.file.scratch import scratch_folder
from core.store.opening import has_store
from core.store.people.people import add_person, invite, is_organised, list_people
from core.store.store import Store
from pages.server.ahead import making_ahead
from pages.server.log import log, log_error, sum_up_log, unite_logs
from pages.server.process import end_with_parent, keep_giving_back, share_one_heap
from pages.server.webhooks import WebhookSchedule

if TYPE_CHECKING:
    from core.assessment.simulated.simulation import Simulation
    from pages.server.machine_jobs import MachineJobs

_FOLDER = "STREAMLIT_SERVER_BASE_URL_PATH"

TOKEN_LASTS = 12 * 3600
_CLOCKS_APART = 60.0
"""Seconds by which the clock of another server on the store may be ahead of this one's."""

_MOST_VERIFIED = 4_096
_TURN = 0.001
"""How long a thread that draws a page may go on while an acknowledgement waits for its turn.

It waits for a dozen turns on its way; with Python's own 5 ms, labels wait while pages are drawn.
"""


@dataclass(frozen=True)
class Server:
    """The store of this process and whether it is the demo's.

    ``folder`` removes the folder of a throw-away store, and goes with it. ``simulation`` is the
    demo's, with which simulated assessors judge once it is started. ``machine_jobs`` is None where
    the operator has named no server to ask.
    """

    store: Store
    demo: bool
    folder: ExitStack | None = None
    simulation: "Simulation | None" = None
    machine_jobs: "MachineJobs | None" = None

    @cached_property
    def intake(self) -> Intake:
        """The one intake of label events."""
        return Intake(self.store)

    @cached_property
    def notice_board(self) -> NoticeBoard:
        """What assessors are told."""
        return NoticeBoard(self.store)

    def close(self) -> None:
        """Close the store, and throw it away where it is a throw-away one."""
        if self.simulation is not None:
            self.simulation.end()
        if self.machine_jobs is not None:
            self.machine_jobs.end()
        self.store.close()
        if self.folder is not None:
            self.folder.close()

    def sign(self, purpose: str, content: Any) -> str:
        """Return a token that only this store can have made."""
        return str(URLSafeTimedSerializer(self.store.secret, salt=purpose).dumps(content))

    def read_signed(self, purpose: str, token: str) -> Any:
        """Return what a token holds; raises NotAllowed when it is forged or expired."""
        held = self._verified.get((purpose, token))
        if held is None or not _is_fresh(held[1]):
            signer = URLSafeTimedSerializer(self.store.secret, salt=purpose)
            try:
                content, signed = signer.loads(token, return_timestamp=True)
            except BadData as error:
                raise NotAllowed(_too_long()) from error
            held = content, signed.timestamp()
            if not _is_fresh(held[1]):
                raise NotAllowed(_too_long())
            if len(self._verified) > _MOST_VERIFIED:
                self._verified.clear()
            self._verified[purpose, token] = held
        return held[0]

    @cached_property
    def _verified(self) -> dict[tuple[str, str], tuple[Any, float]]:
        """Tokens whose signature was found to be right, with what they hold and since when."""
        return {}


def _is_fresh(signed: float) -> bool:
    return -_CLOCKS_APART <= time.time() - signed <= TOKEN_LASTS


def _too_long() -> str:
    return t("This page has been open for too long. Reload it.")


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
async def lifespan(_: object) -> AsyncIterator[None]:
    """Open the store before the first visitor comes and close it after the last."""
    unite_logs()
    share_one_heap()
    tell_files_apart()
    sys.setswitchinterval(_TURN)
    end_with_parent()
    try:
        _refuse_folder()
        running = server()
        _ = running.store.secret  # made once, before two visitors need it at the same time
        plan, networks = read_settings().backups, read_webhook_networks()
    except DissentError as error:
        _say_why_not(error)
        raise
    log("start")
    if running.store.notice:
        log("damaged log kept aside", logging.ERROR)
        print(f"\n  {running.store.notice}\n", file=sys.stderr, flush=True)
    if not running.demo and not is_organised(running.store):
        print(first_invitation(running.store), flush=True)
    schedule = BackupSchedule(running.store, plan, _note_backup, _note_failure) if plan else None
    # Everybody can organise the demo: it must not ask other machines for them.
    telling = (
        None
        if running.demo
        else WebhookSchedule(running.store, networks, _note_webhook, _note_webhooks_failure)
    )
    giving_back = asyncio.create_task(keep_giving_back())
    with making_ahead():
        yield
    giving_back.cancel()
    if telling:
        await run_in_threadpool(telling.end)
    if schedule:
        await run_in_threadpool(schedule.end)
    stop()
    log("stop")
    sum_up_log()


def _refuse_folder() -> None:
    """Refuse to be a folder of a host: what shares its host name could act for whoever is in."""
    asked = (config.get_option("server.baseUrlPath"), os.environ.get(_FOLDER, ""))
    if folder := next((one for one in asked if str(one).strip("/")), ""):
        raise BadInput(
            f"it is to be the folder '{folder}' of a host ({_FOLDER}, server.baseUrlPath), but "
            "needs a host name of its own: other pages of the host could read it and act for "
            "whoever is signed in. See 'A host name of its own' in the handbook, Operating"
        )


def _say_why_not(error: DissentError) -> None:
    """Say in a sentence why the server cannot start, in place of what uvicorn makes of it."""
    print(f"\n  Dissent cannot start: {error}\n", file=sys.stderr, flush=True)
    logging.getLogger("uvicorn.error").disabled = True


def _note_backup(_: Path, rows: int, seconds: float) -> None:
    log("backup by schedule", rows=rows, ms=round(seconds * 1000, 1))


def _note_failure(error: Exception) -> None:
    log_error("backup by schedule failed", error)


def _note_webhook(collection_id: str, status: int, seconds: float) -> None:
    log("webhook", collection=collection_id, status=status, ms=round(seconds * 1000, 1))


def _note_webhooks_failure(error: Exception) -> None:
    log_error("webhooks failed", error)


def first_invitation(store: Store) -> str:
    """Return the lines that invite the first organiser, or one again when none is signed in."""
    organisers = [
        person
        for person in list_people(store)
        if person.role == "organiser" and person.disabled_at is None
    ]
    person_id = (
        organisers[0].person_id if organisers else add_person(store, "Organiser", "organiser")
    )
    token = invite(store, person_id)
    address = local_address(config.get_option("server.address"), config.get_option("server.port"))
    link = f"{address}/enter/{token}"
    return f"\n  No organiser is signed in to this store. Sign in once with:\n  {link}\n"


def _start() -> Server:
    settings = read_settings()
    folder = None
    place = settings.store
    if place is None:
        folder = ExitStack()
        place = folder.enter_context(scratch_folder()) / "demo.duckdb"
    if settings.demo:
        # Everybody can organise the demo: it must not ask other machines for them.
        store, simulation = _open_demo(place)
        return Server(store, True, folder, simulation)
    asked = find_endpoint()
    key = read_key() if asked else ApiKey()
    store = Store(place)
    jobs = _make_jobs(store, asked, key) if asked else None
    return Server(store, False, folder, machine_jobs=jobs)


def _open_demo(place: Place) -> "tuple[Store, Simulation | None]":
    """Open the demo, made where there is nothing yet, and find what its assessors judge."""
    from core.assessment.simulated.simulation import Simulation
    from core.demo import find_simulated_round, load_live_demo

    new = not has_store(place)
    store = Store(place)
    if new:
        load_live_demo(store)
    found = find_simulated_round(store)
    return store, Simulation(found, _note_stop) if found else None


def _make_jobs(store: Store, asked: Endpoint, key: ApiKey) -> "MachineJobs":
    from pages.server.machine_jobs import MachineJobs

    return MachineJobs(store, asked, key, _note_job, _note_job_failure)


def _note_job(collection_id: str, done: int) -> None:
    log("machine job ended", collection=collection_id, rows=done)


def _note_job_failure(error: Exception) -> None:
    log_error("machine job failed", error)


def _note_stop(error: Exception) -> None:
    log_error("simulation failed", error)


_NAME = "_PARTIAL_HASH_THRESHOLD"


def tell_files_apart() -> None:
    """Have Streamlit hash the whole of each file, as it takes two with one hash for the same.

    Of more than a MiB it would read the beginning, the middle and the end: whoever downloads their
    labels, revises one in between and downloads them again would be given the old ones.
    """
    if hasattr(storage, _NAME):
        setattr(storage, _NAME, sys.maxsize)
