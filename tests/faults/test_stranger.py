"""A stranger costs the server nothing that lasts: memory, descriptors, log, rows, calls outside."""

import json
import os
import threading
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from core.store.people.passwords import set_password
from core.store.people.people import add_person, begin_session
from core.store.store import Store
from tests.bench.load import read_memory
from tests.browser.running import Running, wait_until
from tests.faults.stranger import ATTACKS, FORGED, Attack, Stranger, be_honest, watch_for_calls
from tests.short import long

BUDGET_MB = 100
LARGEST_LOG = 1_000_000
DESCRIPTORS = 1_024
"""As many as a process has by default on most systems."""

Count = Callable[[str, object], None]


@dataclass
class Damage:
    """What was left after a visit, and what was seen meanwhile.

    ``memory`` holds megabytes: at most and at the end, above those before the visit.
    """

    counts: Counter[str] = field(default_factory=Counter)
    peak: float = 0.0
    final: float = 0.0
    log: int = 0
    forged: int = 0
    deaf: int = 0
    health: int = 0
    calls: int = 0
    foreign: set[str] = field(default_factory=set)
    rows: dict[str, int] = field(default_factory=dict)

    def __str__(self) -> str:
        done = ", ".join(f"{number:,} {name}" for name, number in self.counts.items())
        return (
            f"{done}; memory +{self.peak:.0f} MB at most, +{self.final:.0f} MB at the end; log "
            f"{self.log:,} bytes; health {self.health} times, {self.deaf} unanswered; "
            f"{self.calls} calls outside; rows {self.rows}"
        )


def visit(folder: Path, seconds: float, attacks: dict[str, Attack], unguarded: str = "") -> Damage:
    """Start a server, let a stranger come, and see what is left."""
    folder.mkdir()
    store = Store(folder / "store.duckdb")
    olga = add_person(store, "Olga", "organiser")
    set_password(store, olga, "a cat, a hat and a bat")
    begin_session(store, olga)
    before = count_rows(store)
    store.close()
    found, stop = Damage(), threading.Event()
    with watch_for_calls() as (proxies, calls):
        settings = {**proxies, "DISSENT_LOG": "json", "UNGUARDED": unguarded}
        server = Running(store.path, folder / "server.log", settings)
        server.descriptors = DESCRIPTORS
        server.app = "tests.faults.unguarded:app" if unguarded else server.app
        server.start()
        try:
            stranger = Stranger(server.port, 2)
            stranger.run({"": be_honest})  # what the first visitors cost is not the stranger's
            start, memory = read_memory(server.pid), list[float]()
            watches = [
                threading.Thread(target=watch_memory, args=(server.pid, memory, found, stop)),
                threading.Thread(target=watch_health, args=(server.port, found, stop)),
            ]
            for thread in watches:
                thread.start()
            stranger = Stranger(server.port, seconds, server.cookie)
            stranger.run(attacks)
            stop.set()
            for thread in watches:
                thread.join()
            with suppress(AssertionError):
                wait_until(lambda: read_memory(server.pid) - start < BUDGET_MB, 15)
            found.peak, found.final = max(memory) - start, read_memory(server.pid) - start
            found.counts, found.calls = stranger.counts, len(calls)
        finally:
            server.kill()
    text = server.log.read_text(errors="replace")
    found.log = len(text.encode())
    found.forged = sum(line.startswith(FORGED[:20]) and "forged" in line for line in
                       text.splitlines())  # fmt: skip
    store = Store(folder / "store.duckdb")
    found.rows = {name: number - before[name] for name, number in count_rows(store).items()
                  if number != before[name]}  # fmt: skip
    store.close()
    return found


def count_rows(store: Store) -> dict[str, int]:
    tables = store.cursor().execute("SELECT table_name FROM duckdb_tables()").fetchall()
    return {
        name: store.cursor().execute(f"SELECT count(*) FROM {name}").fetchall()[0][0]
        for (name,) in tables
    }


def watch_memory(pid: int, memory: list[float], found: Damage, stop: threading.Event) -> None:
    memory.append(read_memory(pid))
    while not stop.wait(0.1):
        memory.append(read_memory(pid))
        found.foreign |= foreign_peers(pid)


def watch_health(port: int, found: Damage, stop: threading.Event) -> None:
    asker = Stranger(port, 0)
    while not stop.wait(0.5):
        found.health += 1
        try:
            found.deaf += asker.ask("GET", "/api/health") != 200
        except OSError:
            found.deaf += 1


def foreign_peers(pid: int) -> set[str]:
    """Return the addresses outside this machine to which a process has a connection."""
    with suppress(OSError):
        own = {os.readlink(one) for one in Path(f"/proc/{pid}/fd").iterdir()}
        rows = [line.split() for line in Path(f"/proc/{pid}/net/tcp").read_text().splitlines()[1:]]
        peers = {row[2].partition(":")[0] for row in rows if f"socket:[{row[9]}]" in own}
        return {one for one in peers if not one.endswith("7F") and one != "00000000"}
    return set()


def faults_of(found: Damage, honest: Damage) -> set[str]:
    """Return in what a visit has cost more than it may."""
    costs = {
        "peak memory": found.peak - honest.peak > BUDGET_MB,
        "final memory": found.final - honest.final > BUDGET_MB,
        "log": found.log >= LARGEST_LOG,
        "forged lines": found.forged > 0,
        "health": found.deaf > 0,
        "calls": found.calls > 0 or bool(found.foreign),
        "rows": bool(found.rows),
    }
    return {name for name, is_so in costs.items() if is_so}


@long
@pytest.mark.timeout(600)
def test_a_stranger_costs_nothing_that_lasts(tmp_path: Path, long_form: bool, record_property):
    seconds = 60 if long_form else 6
    honest = visit(tmp_path / "honest", seconds / 3, {"visits": be_honest})
    found = visit(tmp_path / "hostile", seconds, ATTACKS)
    record_property("counts", f"{seconds} s: {found}; honest visits: {honest}")
    assert faults_of(found, honest) == set(), str(found)
    assert set(found.counts) == set(ATTACKS)
    assert all(found.counts.values())
    assert found.health > 3
    assert all(json.loads(line) for line in read_lines(tmp_path / "hostile"))


CONTROLS = {
    "calls": ("gate", ["handshakes from another site"]),
    "peak memory": ("gate", ["uploads", "widget states"]),
    "health": ("connections", ["half heads"]),
    "rows": ("sign-outs", ["sign-outs"]),
    "log": ("gate,log", ["forged lines"]),
}
"""What a guard is good for: the guards taken out, and the attacks that then cost it."""


@long
@pytest.mark.timeout(600)
@pytest.mark.parametrize("cost", CONTROLS)
def test_without_its_guard_the_same_visit_costs(
    tmp_path: Path, cost: str, long_form: bool, record_property
):
    if not long_form and cost != "calls":
        pytest.skip("runs with --long: each takes half a minute")
    unguarded, names = CONTROLS[cost]
    attacks = {name: ATTACKS[name] for name in names}
    found = visit(tmp_path / "hostile", 25 if long_form else 5, attacks, unguarded)
    record_property("counts", f"without {unguarded}: {found}")
    assert cost in faults_of(found, Damage())


def read_lines(folder: Path) -> list[str]:
    """Return the lines of a log that were written after the start, without the invitation."""
    return [
        line for line in (folder / "server.log").read_text().splitlines() if line.startswith("{")
    ]
