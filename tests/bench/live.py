"""How soon a label shows on each live page of an organiser, without a reload.

``python -m tests.bench.live``: labels are sent one at a time over HTTP to the demo collection; the
time runs from the acknowledgement to the moment at which the page's text has changed. The ranking
page is left out, since a label may rightly leave every word of it as it was; of other pages it is
told how many labels did.

With ``--processor`` it is told instead what the server spends on a label while each page is open;
with ``--in-turn`` a line is waited for before each page and label.
"""

import argparse
import os
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from playwright.sync_api import Page, TimeoutError, sync_playwright

from core.assessment.handing_out.queue import take_assignment
from core.assessment.handing_out.steps import lay_out
from core.assessment.intake.judging import Grant
from core.assessment.rounds.rounds import Plan, open_round
from core.demo import load_demo
from core.store.people.members import add_member
from core.store.people.people import add_person, begin_session, hash_token, invite
from core.store.store import Store
from tests.bench.clients import Client, percentile
from tests.browser.chromium import ARGUMENTS, get_chromium
from tests.browser.conftest import sign_in
from tests.browser.running import Running

PAGES = ("monitor", "agreement", "disagreement", "effectiveness")
TEXT = "document.querySelector('[data-testid=stMain]').textContent"
"""Tables are painted on a canvas; their cells stand within it, which innerText leaves out."""

LONGEST = 15
"""Seconds after which a label that is not acknowledged, or not shown, is given up."""

PAUSE = 2500
"""Milliseconds from one label to the next; in them the page is drawn anew."""

READY = "ready"


def main() -> None:
    """Send labels while each page is open and print the delays, or what the server spends."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--labels", type=int, default=12)
    parser.add_argument("--processor", action="store_true")
    parser.add_argument(
        "--in-turn", action="store_true", help=f"say '{READY}' and wait for a line before each step"
    )
    chosen = parser.parse_args()
    if chosen.processor and not read_process(os.getpid(), "stat"):
        parser.error("what processes use is read from /proc, which this system has not")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "store.duckdb"
        client, link = prepare_demo(path)
        server = Running(path, Path(folder) / "server.log", afresh=True)
        server.start()
        client.port = server.port
        with sync_playwright() as playwright:
            chromium = playwright.chromium.launch(executable_path=get_chromium(), args=ARGUMENTS)
            page = chromium.new_context().new_page()
            sign_in(page, server, link)
            page.wait_for_timeout(3000)
            for name in PAGES:
                wait_for_turn(chosen.in_turn)
                page.goto(f"{server.address}/{name}")
                page.wait_for_timeout(4000)
                if chosen.processor:
                    spent = spend_on_labels(
                        page, client, server.pid, chosen.labels, in_turn=chosen.in_turn
                    )
                    print(f"{name}: processor ms a label {spent:.1f}", flush=True)
                else:
                    tell(name, [time_label(page, client) for _ in range(chosen.labels)])
            chromium.close()
        server.stop()


def prepare_demo(path: Path) -> tuple[Client, str]:
    """Make a store with the demo and one more assessor; returns them and an organiser's link."""
    store = Store(path)
    collection_id = load_demo(store)
    person = add_person(store, "Bench", "assessor")
    add_member(store, collection_id, person, "Bench")
    open_round(store, collection_id, Plan(name="Bench", judges=1, assessors=(person,)))
    assignment = take_assignment(store, collection_id, person)
    if assignment is None:
        raise RuntimeError("the demo's round hands nothing out")
    steps = [step for step in lay_out(store, assignment).steps if step.facet == "page"]
    grant = Grant(collection_id, person, assignment.rules.round_id, assignment.topic_id, 0)
    organiser = add_person(store, "Organiser", "organiser")
    begin_session(store, organiser)
    link = invite(store, organiser)
    client = Client(0, store.secret, grant, hash_token(begin_session(store, person)), steps)
    store.close()
    return client, link


def tell(name: str, delays: list[float | None]) -> None:
    """Print how soon labels showed on a page, and how many of them changed nothing on it."""
    shown = [one for one in delays if one is not None]
    if shown:
        print(f"{name}: shown after s p50 {percentile(shown, 0.5):.2f}", end=" ")
        print(f"largest {max(shown):.2f}", flush=True)
    if len(shown) < len(delays):
        kept = len(delays) - len(shown)
        print(f"{name}: {kept} of {len(delays)} labels changed no word within {LONGEST} s")


def time_label(page: Page, client: Client) -> float | None:
    """Send one label and return the seconds until the page shows something new, if it does."""
    page.wait_for_timeout(PAUSE)
    before = page.evaluate(TEXT)
    send_one(client)
    started = time.perf_counter()
    try:
        page.wait_for_function(f"before => {TEXT} !== before", arg=before, timeout=LONGEST * 1000)
    except TimeoutError:
        return None
    return time.perf_counter() - started


def spend_on_labels(page: Page, client: Client, pid: int, labels: int, *, in_turn: bool) -> float:
    """Return the milliseconds of processor a label takes of the server, the open page with it."""
    before = read_processor(pid)
    for _ in range(labels):
        wait_for_turn(in_turn)
        send_one(client)
        page.wait_for_timeout(PAUSE)
    return 1000 * (read_processor(pid) - before) / labels


def wait_for_turn(in_turn: bool) -> None:
    """Say that the next step is ready, and wait for a line, where steps are taken in turn."""
    if in_turn:
        print(READY, flush=True)
        sys.stdin.readline()


def read_processor(pid: int) -> float:
    """Return the seconds of processor that a process and those below it have used so far."""
    ticks = 0
    for one in list_processes(pid):
        numbers = read_process(one, "stat").rpartition(")")[2].split()
        ticks += sum(map(int, numbers[11:15]))  # its own, and of children that have ended
    return ticks / os.sysconf("SC_CLK_TCK")


def list_processes(pid: int) -> Iterator[int]:
    """Yield a process and all that it has started, as far as they run and /proc tells."""
    yield pid
    tasks = Path(f"/proc/{pid}/task")
    for task in tasks.iterdir() if tasks.is_dir() else ():
        for child in read_process(pid, f"task/{task.name}/children").split():
            yield from list_processes(int(child))


def read_process(pid: int, name: str) -> str:
    """Return what /proc tells of a process; nothing of one that has ended."""
    try:
        return Path(f"/proc/{pid}/{name}").read_text()
    except OSError:
        return ""


def send_one(client: Client) -> None:
    """Send the next label and wait for its acknowledgement; what the sender raises is raised."""
    stop, count = threading.Event(), len(client.milliseconds)
    client.pause = 2 * LONGEST
    with ThreadPoolExecutor(1) as aside:
        sender = aside.submit(client.run, time.monotonic() + LONGEST, stop)
        end = time.monotonic() + LONGEST
        while len(client.milliseconds) == count and not sender.done() and time.monotonic() < end:
            time.sleep(0.002)
        stop.set()
        sender.result()
    if len(client.milliseconds) == count:
        raise SystemExit(f"no label was acknowledged within {LONGEST} s")


if __name__ == "__main__":
    main()
