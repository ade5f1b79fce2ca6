"""Many assessors and live pages on one server: ``python -m tests.bench.load``.

Each assessor sends a label over HTTP, waits for its acknowledgement, and pauses two seconds; with
``--pause 0.1`` the labels of some hours come in minutes. The live pages are open over websockets
and draw themselves again as labels come in. Both run in processes of their own. At the end the
server is started anew on the same store, with the same pages: what it held beyond that, it held
from its work. It ends by itself. With ``--labels`` the same is run again in a store that holds so
many labels from the start.
"""

import argparse
import json
import random
import subprocess
import sys
import tempfile
import threading
import time
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from statistics import median

import numpy as np

from core.assessment.handing_out.assignment_content import Step
from core.assessment.intake.judging import Grant
from core.store.content.imports import write_import
from core.store.people.people import add_person, begin_session
from core.store.store import Store
from tests.bench.agreement_page import make_labels
from tests.bench.clients import Client, percentile
from tests.bench.collection import prepare
from tests.bench.dashboards import Dashboard
from tests.browser.running import Running, wait_until

PAGES = ("monitor", "agreement", "disagreement", "effectiveness")


@dataclass(frozen=True)
class Load:
    """How long, by how many, on how many documents each, with how many live pages.

    ``pause`` is in seconds, after each label of an assessor; ``looks``, too: for how long the
    pages are open on the server that is started anew.
    """

    minutes: float = 10
    assessors: int = 50
    documents: int = 400
    dashboards: int = 2
    pause: float = 2.0
    looks: int = 20


@dataclass
class Figures:
    """What one run has measured: milliseconds, seconds, megabytes."""

    labels: int
    errors: list[str]
    acknowledged: list[float]
    boards: dict[str, tuple[list[float], list[float]]]
    memory: list[float]
    anew: float = float("nan")
    faults: list[str] = field(default_factory=list)


def main() -> None:
    """Run the load and print the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minutes", type=float, default=Load.minutes)
    parser.add_argument("--assessors", type=int, default=Load.assessors)
    parser.add_argument(
        "--documents", type=int, default=Load.documents, help="judged by each, then again"
    )
    parser.add_argument("--dashboards", type=int, default=Load.dashboards)
    parser.add_argument("--pause", type=float, default=Load.pause, help="after a label, in s")
    parser.add_argument("--labels", type=int, default=0, help="held by the store from the start")
    parser.add_argument("--child", help=argparse.SUPPRESS)
    chosen = parser.parse_args()
    if chosen.child:
        send_load(chosen.child)
        return
    named = {name: value for name, value in vars(chosen).items() if hasattr(Load, name)}
    load = Load(**named)
    plain = tell(load, 0)
    if chosen.labels:
        full = tell(load, chosen.labels)
        ratio = percentile(full.acknowledged, 0.95) / percentile(plain.acknowledged, 0.95)
        print(f"\np95 of acknowledgement, full store to empty store: {ratio:.2f}")


def tell(load: Load, labels: int) -> Figures:
    """Run the load in a folder of its own, print the figures and return them."""
    with tempfile.TemporaryDirectory() as folder:
        found = measure(load, labels, Path(folder) / "store.duckdb")
    print(f"\nIn a store of {labels:,} labels: {describe(found)}", flush=True)
    return found


def measure(load: Load, labels: int, path: Path) -> Figures:
    """Make a store that holds so many labels, and run the load on a server of its own."""
    prepared = prepare(path, documents=load.documents, assessors=load.assessors)
    store = Store(path)
    if labels:
        write_import(store, prepared.collection_id, make_labels(labels))
    session = begin_session(store, add_person(store, "Watcher", "organiser"))
    store.close()
    server = Running(path, path.with_name("server.log"), {"DISSENT_LOG": "off"}, afresh=True)
    server.start()
    task = {
        "port": server.port,
        "secret": prepared.secret,
        "seconds": load.minutes * 60,
        "pause": load.pause,
        "assessors": [
            [asdict(grant), known, [asdict(step) for step in steps]]
            for grant, known, steps in zip(
                prepared.grants, prepared.sessions, prepared.steps, strict=True
            )
        ],
        "cookie": server.cookie,
        "session": session,
        "pages": [PAGES[n % len(PAGES)] for n in range(load.dashboards)],
    }
    try:
        found = _measure(server, task, path.parent)
        server.kill()
        server.start()
        return replace(found, anew=_look(server, task, load.looks))
    finally:
        server.kill()


def _measure(server: Running, task: dict, folder: Path) -> Figures:
    file = folder / "task.json"
    file.write_text(json.dumps({**task, "answer": str(folder / "answer.json")}))
    memory: list[float] = []
    child = subprocess.Popen([sys.executable, "-m", "tests.bench.load", "--child", str(file)])
    while child.poll() is None:
        memory.append(read_memory(server.pid))
        time.sleep(1)
    if child.returncode:
        raise RuntimeError("the load could not be sent")
    answer = json.loads((folder / "answer.json").read_text())
    return Figures(memory=memory, **answer)


def _look(server: Running, task: dict, seconds: int) -> float:
    """Return the megabytes that a server holds while the pages are open and nobody judges."""
    stop, memory = threading.Event(), []
    threads = [threading.Thread(target=one.run, args=(stop,)) for one in _open_pages(task)]
    for thread in threads:
        thread.start()
    for _ in range(seconds):
        time.sleep(1)
        memory.append(read_memory(server.pid))
    stop.set()
    for thread in threads:
        thread.join()
    return median(memory[seconds // 2 :])


def _open_pages(task: dict) -> list[Dashboard]:
    return [
        Dashboard(task["port"], task["cookie"], task["session"], page) for page in task["pages"]
    ]


def send_load(file: str) -> None:
    """Be the assessors and the open pages."""
    task = json.loads(Path(file).read_text())
    stop, until = threading.Event(), time.monotonic() + task["seconds"]
    where = task["port"], task["secret"]
    boards = _open_pages(task)
    clients = [
        Client(*where, Grant(**grant), known, [Step(**step) for step in steps], task["pause"])
        for grant, known, steps in task["assessors"]
    ]
    errors: list[str] = []
    threads = [threading.Thread(target=one.run, args=(stop,)) for one in boards] + [
        threading.Thread(target=judge, args=(one, n, until, stop, errors))
        for n, one in enumerate(clients)
    ]
    for thread in threads:
        thread.start()
    stop.wait(task["seconds"])
    for thread in threads[len(boards) :]:
        thread.join()
    wait_until(lambda: all(one.seconds or one.faults for one in boards))
    stop.set()
    for thread in threads[: len(boards)]:
        thread.join()
    times = [one for client in clients for one in client.milliseconds]
    answer = {
        "labels": len(times),
        "errors": errors,
        "acknowledged": times,
        "boards": {f"{n} {one.page}": (one.seconds, one.late) for n, one in enumerate(boards, 1)},
        "faults": [fault for one in boards for fault in one.faults],
    }
    Path(task["answer"]).write_text(json.dumps(answer))


def judge(
    client: Client, number: int, until: float, stop: threading.Event, errors: list[str]
) -> None:
    """Let one assessor judge; begun at a moment of its own, and again after an error."""
    stop.wait(random.Random(number).uniform(0, client.pause))
    while time.monotonic() < until:
        try:
            client.run(until, stop)
        except Exception as error:
            errors.append(repr(error))


def read_memory(pid: int) -> float:
    """Return the megabytes that a process holds in memory; NaN where that is not told."""
    try:
        lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    except OSError:
        return float("nan")
    return next(int(line.split()[1]) / 1024 for line in lines if line.startswith("VmRSS"))


def describe(found: Figures) -> str:
    """Return the figures of one run in lines."""
    times = found.acknowledged
    shares = ", ".join(f"p{100 * s:.0f} {percentile(times, s):.1f}" for s in (0.5, 0.95, 0.99))
    lines = [
        f"{found.labels} labels acknowledged, {len(found.errors)} errors",
        *_first(found.errors),
        f"acknowledged after ms {shares}, largest {max(times):.0f}",
    ]
    for page, (drawn, late) in found.boards.items():
        if not drawn:
            lines.append(f"page {page}: not drawn in this time")
            continue
        told = [f"p{100 * share:.0f} {percentile(drawn, share):.2f}" for share in (0.5, 0.95)]
        apart = percentile(late, 0.95) if late else float("nan")
        lines.append(
            f"page {page}: drawn {len(drawn)} times, in s {', '.join(told)}, "
            f"largest {max(drawn):.2f}; a new one every {apart:.1f} s (p95)"
        )
    tenths = " ".join(
        f"{median(part):.0f}" for part in np.array_split(found.memory, min(10, len(found.memory)))
    )
    return "\n".join(
        [
            *lines,
            f"pages: {len(found.faults)} faults",
            *_first(found.faults),
            f"server memory MB, tenth by tenth {tenths}, largest {max(found.memory):.0f}; "
            f"of a server started anew on the same store {found.anew:.0f}",
        ]
    )


def _first(faults: list[str]) -> list[str]:
    return [f"  {fault}" for fault in sorted(set(faults))[:5]]


if __name__ == "__main__":
    main()
