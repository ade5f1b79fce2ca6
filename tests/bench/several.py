"""Several servers on one database beside one file: ``python -m tests.bench.several``.

All run on this machine with the clients and the database, so more servers than processors share
them: the ratios say what a server costs, not what a machine of its own would bring.
"""

import argparse
import os
import statistics
import tempfile
import threading
import time
import uuid
from contextlib import ExitStack, closing
from pathlib import Path

import numpy as np
import pandas as pd

from core.collection.records import Import
from core.place import Address, Place
from core.store.content.collections import create_collection
from core.store.content.imports import write_import
from core.store.events.labels import Key, LabelEvent
from core.store.store import Store
from tests.bench.clients import Client, percentile, run_all
from tests.bench.collection import prepare
from tests.browser.running import Running
from tests.postgres import SAFE, Cluster


def main() -> None:
    """Print all figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--clients", type=int, default=12)
    parser.add_argument("--seconds", type=float, default=10)
    parser.add_argument("--labels", type=int, default=1_000_000)
    parser.add_argument("--only", choices=("saving", "mirror", "lag"), default="")
    chosen = parser.parse_args()
    print(f"{os.cpu_count()} processors, which clients, servers and database share")
    with tempfile.TemporaryDirectory() as folder, closing(Cluster(*SAFE)) as cluster:
        if chosen.only in ("", "saving"):
            compare_saving(cluster, Path(folder), chosen.clients, chosen.seconds)
        if chosen.only in ("", "lag"):
            measure_lag(cluster, chosen.seconds)
        if chosen.only in ("", "mirror"):
            measure_mirror(cluster, chosen.labels)


def compare_saving(cluster: Cluster, folder: Path, clients: int, seconds: float) -> None:
    """Print labels a second with one file, and with one, two and three servers."""
    file = save(folder / "store.duckdb", 1, folder, clients, seconds)
    print(f"one file: {file:.0f} labels a second")
    for servers in (1, 2, 3):
        rate = save(Address(cluster.make()), servers, folder, clients, seconds)
        print(f"{servers} on PostgreSQL: {rate:.0f} labels a second, {rate / file:.2f} of one file")


def save(place: Place, number: int, folder: Path, people: int, seconds: float) -> float:
    """Return the labels a second that clients have saved, spread over servers."""
    prepared = prepare(place, documents=500, assessors=people)
    with ExitStack() as stack:
        servers = [
            Running(place, folder / f"server{one}.log", afresh=True) for one in range(number)
        ]
        for one in servers:
            stack.callback(one.stop)
            one.start()
        given = zip(prepared.grants, prepared.sessions, prepared.steps, strict=True)
        clients = [
            Client(servers[n % number].port, prepared.secret, grant, session, steps)
            for n, (grant, session, steps) in enumerate(given)
        ]
        begun = time.monotonic()
        run_all(clients, seconds)
        took = time.monotonic() - begun
    times = [one for client in clients for one in client.milliseconds]
    print(f"  acknowledged after ms p50 {percentile(times, 0.5):.1f} "
          f"p95 {percentile(times, 0.95):.1f}")  # fmt: skip
    return len(times) / took


def measure_lag(cluster: Cluster, seconds: float, rate: float = 200.0) -> None:
    """Print after how long a label that one server saved can be read on another."""
    address = Address(cluster.make())
    with closing(Store(address)) as one, closing(Store(address)) as other:
        collection_id = create_collection(one, "Lag")
        saved: dict[int, float] = {}
        seen: dict[int, float] = {}
        ended = threading.Event()

        def watch() -> None:
            last = 0
            while not ended.wait(0.002):
                now, latest = time.monotonic(), other.labels.sequence(collection_id)
                for sequence in range(last + 1, latest + 1):
                    seen[sequence] = now
                last = latest

        watcher = threading.Thread(target=watch)
        watcher.start()
        begun = time.monotonic()
        for number in range(int(rate * seconds)):
            pause = begun + number / rate - time.monotonic()
            if pause > 0:
                time.sleep(pause)
            key = Key("t", f"d{number}", "page", "", "anna", 0)
            event = LabelEvent(str(uuid.uuid4()), None, key, "level", 1)
            (receipt,) = one.labels.append(collection_id, [event])
            saved[receipt.sequence] = time.monotonic()
        took = time.monotonic() - begun
        time.sleep(0.5)
        ended.set()
        watcher.join()
    lags = [1000 * (seen[sequence] - saved[sequence]) for sequence in saved]
    print(
        f"lag at {len(saved) / took:.0f} labels a second: ms p50 {percentile(lags, 0.5):.0f} "
        f"p95 {percentile(lags, 0.95):.0f}, most {max(lags):.0f}"
    )


def measure_mirror(cluster: Cluster, labels: int) -> None:
    """Print how long a fresh server takes to copy a store with many labels."""
    address = Address(cluster.make())
    people, documents = 100, labels // 100
    frame = pd.DataFrame(
        {
            "topic_id": "t",
            "document_id": np.tile([f"d{n}" for n in range(documents)], people),
            "assessor_id": np.repeat([f"a{n}" for n in range(people)], documents),
            "facet": "page",
            "engine": "",
            "occasion": 0,
            "state": "level",
            "level": np.random.default_rng(1).integers(0, 4, labels),
        }
    )
    topics = pd.DataFrame(
        {"topic_id": ["t"], "query": "q", "description": "", "narrative": "", "type": ""}
    )
    with closing(Store(address)) as store:
        collection_id = create_collection(store, "Many")
        begun = time.monotonic()
        frames = {"topics": topics, "labels": frame}
        write_import(store, collection_id, Import("labels", "made", frames, {}, (), "0" * 64))
        print(f"importing {labels:,} labels: {time.monotonic() - begun:.1f} s")
    times = []
    for _ in range(3):
        begun = time.monotonic()
        with closing(Store(address)) as store:
            times.append(time.monotonic() - begun)
            assert store.labels.sequence(collection_id) == labels
    print(f"a fresh server has copied {labels:,} labels after {statistics.median(times):.1f} s")


if __name__ == "__main__":
    main()
