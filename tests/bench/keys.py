"""Key press to next item, beside other assessors and a live dashboard.

``python -m tests.bench.keys``: one real Chromium judges by keyboard and is timed from the key's
own time stamp: until the next item stands in the page, and until the frame after that one, in which
it is painted. A frame takes 16.7 ms whatever the page does, so the first time tells more of a
change. The other assessors send labels over HTTP, each with a second between labels; a second
window shows a live page. Keys are pressed in blocks; with ``--in-turn`` each waits for a line.
"""

import argparse
import sys
import tempfile
import threading
from contextlib import ExitStack, closing
from pathlib import Path

from playwright.sync_api import Page, expect, sync_playwright

from core.place import Address, Place
from tests.bench.clients import Client, percentile, run_all
from tests.bench.collection import prepare
from tests.browser.chromium import ARGUMENTS, get_chromium
from tests.browser.conftest import begin, sign_in
from tests.browser.running import Running
from tests.patience import PATIENCE
from tests.postgres import SAFE, Cluster

NOTE_KEYS = """window.addEventListener(
    "keydown", event => { window.pressed = event.timeStamp; }, true);"""
WATCH = """root => {
    window.placed = [];
    window.painted = [];
    new MutationObserver(() => {
        const since = window.pressed;
        window.placed.push(performance.now() - since);
        requestAnimationFrame(() => requestAnimationFrame(
            () => window.painted.push(performance.now() - since)));
    }).observe(root, {attributes: true, attributeFilter: ["data-step"]});
}"""

BLOCK, EACH, LEAD = 25, 0.4, 2
"""Presses at a time, seconds from one to the next, and how long the others judge before."""

READY = "ready"


def main() -> None:
    """Run the load, press the keys and print the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--assessors", type=int, default=20)
    parser.add_argument("--blocks", type=int, default=6, help=f"of {BLOCK} presses (default 6)")
    parser.add_argument(
        "--in-turn",
        action="store_true",
        help=f"say '{READY}' and wait for a line before each block",
    )
    parser.add_argument("--dashboard", default="agreement")
    parser.add_argument(
        "--apart",
        action="store_true",
        help="judge on one server and draw the live page on another, on PostgreSQL",
    )
    chosen = parser.parse_args()
    with ExitStack() as stack:
        folder = stack.enter_context(tempfile.TemporaryDirectory())
        store: Place = Path(folder) / "store.duckdb"
        if chosen.apart:
            store = Address(stack.enter_context(closing(Cluster(*SAFE))).make())
        # After the last item there is no next one to be painted.
        documents = max(400, chosen.blocks * BLOCK + 1)
        prepared = prepare(store, documents=documents, assessors=chosen.assessors)
        server = Running(store, Path(folder) / "server.log", afresh=True)
        server.start()
        stack.callback(server.stop)
        drawing = server
        if chosen.apart:
            drawing = Running(store, Path(folder) / "drawing.log", afresh=True)
            drawing.start()
            stack.callback(drawing.stop)
        clients = [
            Client(server.port, prepared.secret, grant, session, steps, pause=1.0)
            for grant, session, steps in zip(
                prepared.grants[1:], prepared.sessions[1:], prepared.steps[1:], strict=True
            )
        ]
        expect.set_options(timeout=1000 * PATIENCE)
        with sync_playwright() as playwright:
            chromium = playwright.chromium.launch(executable_path=get_chromium(), args=ARGUMENTS)
            board = chromium.new_context().new_page()
            sign_in(board, drawing, prepared.organiser_link)
            board.wait_for_timeout(2000)
            board.goto(f"{drawing.address}/{chosen.dashboard}")
            page = chromium.new_context().new_page()
            page.add_init_script(NOTE_KEYS)
            sign_in(page, server, prepared.assessor_link)
            placed, painted = time_keys(page, clients, chosen.blocks, in_turn=chosen.in_turn)
            chromium.close()
    acknowledged = [one for client in clients for one in client.milliseconds]
    where = "on another server" if chosen.apart else "on the same server"
    print(f"{chosen.assessors} assessors and one live '{chosen.dashboard}' page {where}")
    _tell(f"{len(placed)} key presses: next item stands", placed)
    _tell(f"{len(painted)} key presses: next item painted", painted)
    _tell(f"{len(acknowledged)} labels of the others: acknowledged", acknowledged)


def _tell(what: str, times: list[float]) -> None:
    print(f"{what} after ms p50 {percentile(times, 0.5):.2f} p95 {percentile(times, 0.95):.2f}")


def time_keys(
    page: Page, clients: list[Client], blocks: int, *, in_turn: bool
) -> tuple[list[float], list[float]]:
    """Press keys block by block, while the other clients judge.

    Returns
    -------
    placed, painted : list of float
        Milliseconds until the next item stands, and until it is painted.

    Raises
    ------
    RuntimeError
        Some keys showed no next item.
    """
    root = begin(page)
    root.evaluate(WATCH)
    for number in range(blocks):
        if in_turn:
            print(READY, flush=True)
            sys.stdin.readline()
        load = threading.Thread(target=run_all, args=(clients, LEAD + BLOCK * EACH))
        load.start()
        page.wait_for_timeout(1000 * LEAD)
        for press in range(BLOCK):
            page.keyboard.press(str((number * BLOCK + press) % 4 + 1))
            page.wait_for_timeout(1000 * EACH)
        load.join()
    placed, painted = page.evaluate("[window.placed, window.painted]")
    presses = blocks * BLOCK
    if {len(placed), len(painted)} != {presses}:
        raise RuntimeError(f"{presses} presses, {len(placed)} items stood, {len(painted)} painted")
    return placed, painted


if __name__ == "__main__":
    main()
