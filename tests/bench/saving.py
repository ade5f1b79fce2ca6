"""Labels saved per second by clients that send one at a time: ``python -m tests.bench.saving``."""

import argparse
import tempfile
import time
from pathlib import Path

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
    times = [one for client in clients for one in client.milliseconds]
    print(f"{chosen.clients} clients, {seconds:.1f} s, {len(times)} labels acknowledged on disk")
    print(f"labels per second {len(times) / seconds:.0f}")
    print(
        f"acknowledged after ms p50 {percentile(times, 0.5):.1f} p95 {percentile(times, 0.95):.1f}"
    )


if __name__ == "__main__":
    main()
