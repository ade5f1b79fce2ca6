"""How readers of a public page weigh on judging: ``python -m tests.bench.public``.

Assessors send labels over HTTP, each with a pause between them, first alone and then while readers
ask for the public page of the same collection; all in one run, on one server. Half of the readers
have the page already and ask whether it has changed. They run in a process of their own.
"""

import argparse
import http.client
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

from core.collection.files.source import Source
from core.collection.formats import read_import
from core.store.content.imports import write_import
from core.store.content.public_pages import PublicChoice, publish
from core.store.store import Store
from tests.bench.clients import Client, percentile, run_all
from tests.bench.collection import prepare
from tests.browser.running import Running

READERS = 20
"""Connections by which readers ask; each asks at its share of the wanted rate."""


def main() -> None:
    """Judge without and with readers, and print p95 of acknowledgement for both."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=60, help="of each of the two parts")
    parser.add_argument("--assessors", type=int, default=50)
    parser.add_argument("--readers", type=int, default=1000, help="pages asked for in a minute")
    parser.add_argument("--pause", type=float, default=2.0, help="after a label, in s")
    parser.add_argument("--child", nargs=4, help=argparse.SUPPRESS)
    chosen = parser.parse_args()
    if chosen.child:
        port, path, rate, seconds = chosen.child
        read_pages(int(port), path, float(rate), float(seconds))
        return
    with tempfile.TemporaryDirectory() as folder:
        measure(Path(folder) / "store.duckdb", chosen)


def measure(path: Path, chosen: argparse.Namespace) -> None:
    """Run both parts on one server and print what was measured."""
    prepared = prepare(path, documents=200, assessors=chosen.assessors)
    store = Store(path)
    runs = "".join(
        f"t Q0 d{(number * step) % 200:05} {number + 1} {200 - number}.0 s{step}\n"
        for step in (3, 7, 11, 13)
        for number in range(100)
    )
    write_import(store, prepared.collection_id, read_import("runs", Source("r", runs.encode())))
    page = publish(store, prepared.collection_id, PublicChoice("all, maximum", "nDCG@10"))
    store.close()
    server = Running(path, path.with_name("server.log"), {"DISSENT_LOG": "off"}, afresh=True)
    server.start()
    clients = [
        Client(server.port, prepared.secret, grant, known, steps, chosen.pause)
        for grant, known, steps in zip(
            prepared.grants, prepared.sessions, prepared.steps, strict=True
        )
    ]
    try:
        alone = judge(clients, chosen.seconds)
        words = [str(server.port), f"/public/{page.code}", str(chosen.readers / 60)]
        readers = subprocess.Popen(
            [sys.executable, "-m", "tests.bench.public", "--child", *words, str(chosen.seconds)]
        )
        beside = judge(clients, chosen.seconds)
        if readers.wait():
            raise RuntimeError("the pages could not be read")
    finally:
        server.kill()
    tell("labels alone", alone)
    tell("labels beside readers", beside)
    ratio = percentile(beside, 0.95) / percentile(alone, 0.95)
    print(f"p95 beside readers to p95 alone: {ratio:.2f}")


def judge(clients: list[Client], seconds: float) -> list[float]:
    """Let all judge for a while and return the milliseconds of each acknowledgement."""
    for client in clients:
        client.milliseconds.clear()
    run_all(clients, seconds)
    return [one for client in clients for one in client.milliseconds]


def tell(name: str, times: list[float]) -> None:
    """Print how many were answered, and how soon."""
    told = ", ".join(f"p{share} {percentile(times, share / 100):.1f}" for share in (50, 95, 99))
    print(f"{name}: {len(times):,} of them, answered after ms {told}", flush=True)


def read_pages(port: int, path: str, rate: float, seconds: float) -> None:
    """Be the readers: so many pages a second for a while; print how soon they came."""
    until, times, errors = time.monotonic() + seconds, [], []

    def read(number: int) -> None:
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
        etag, wait = "", READERS / rate
        time.sleep(wait * number / READERS)
        while time.monotonic() < until:
            started = time.perf_counter()
            connection.request("GET", path, headers={"If-None-Match": etag} if etag else {})
            answer = connection.getresponse()
            answer.read()
            times.append(1000 * (time.perf_counter() - started))
            if answer.status not in (200, 304):
                errors.append(answer.status)
            etag = answer.headers["ETag"] if number % 2 else ""
            time.sleep(max(0.0, wait - (time.perf_counter() - started)))

    threads = [threading.Thread(target=read, args=(number,)) for number in range(READERS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    tell("pages", times)
    if errors:
        raise SystemExit(f"{len(errors)} pages were not answered: {errors[:5]}")


if __name__ == "__main__":
    main()
