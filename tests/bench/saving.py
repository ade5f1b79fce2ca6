"""Labels saved per second by clients that send one at a time: ``python -m tests.bench.saving``."""

import argparse
import tempfile
import threading
import time
import uuid
from contextlib import closing
from datetime import datetime
from pathlib import Path

import duckdb

from core.store.store import Store
from tests.bench.clients import Client, percentile, run_all
from tests.bench.collection import prepare
from tests.browser.running import Running


def main() -> None:
    """Run the clients in processes' threads against a real server and print the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--clients", type=int, default=8)
    parser.add_argument("--seconds", type=float, default=10)
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        store = Path(folder) / "store.duckdb"
        prepared = prepare(store, documents=500, assessors=chosen.clients)
        server = Running(store, Path(folder) / "server.log", afresh=True)
        server.start()
        clients = [
            Client(server.port, prepared.secret, grant, session, steps)
            for grant, session, steps in zip(
                prepared.grants, prepared.sessions, prepared.steps, strict=True
            )
        ]
        started = time.monotonic()
        run_all(clients, chosen.seconds)
        seconds = time.monotonic() - started
        server.stop()
        alone = commit_alone(Path(folder) / "alone.duckdb", chosen.clients, chosen.seconds)
    times = [one for client in clients for one in client.milliseconds]
    print(f"{chosen.clients} clients, {seconds:.1f} s, {len(times)} labels acknowledged on disk")
    print(f"labels per second {len(times) / seconds:.0f}")
    print(
        f"single-row commits that DuckDB alone makes in {chosen.clients} threads: {alone:.0f} a "
        f"second; labels over HTTP are {len(times) / seconds / alone:.2f} of that"
    )
    print(
        f"acknowledged after ms p50 {percentile(times, 0.5):.1f} p95 {percentile(times, 0.95):.1f}"
    )


def commit_alone(file: Path, threads: int, seconds: float) -> float:
    """Return how many labels a second DuckDB itself commits one by one, without a server."""
    Store(file).close()
    counts = [0] * threads
    with closing(duckdb.connect(str(file))) as database:
        (columns,) = database.execute("SELECT count(*) FROM duckdb_columns() "
                                      "WHERE table_name = 'labels'").fetchall()  # fmt: skip
        end = time.monotonic() + seconds

        def work(number: int) -> None:
            cursor = database.cursor()
            marks = ", ".join("?" * columns[0])
            while time.monotonic() < end:
                cursor.execute(
                    f"INSERT INTO labels VALUES ({marks})",
                    [
                        *(counts[number], str(uuid.uuid4()), None, "c", datetime(2026, 1, 1)),
                        *("2026-03-02T09:00:00Z", "a", "t", "d00001", "page", "", 0, "level", 1),
                        *(1000, "", "judged", False),
                    ],
                )
                counts[number] += 1

        working = [threading.Thread(target=work, args=(number,)) for number in range(threads)]
        for one in working:
            one.start()
        for one in working:
            one.join()
    return sum(counts) / seconds


if __name__ == "__main__":
    main()
