"""Every page of an organiser in a real browser, with large collections.

The crowd of 763 assessors where the shared data are there, and made-up runs of 1.5 million lines.
Printed for each page: seconds until it is drawn, on the first visit and on the second; megabytes
sent; and its height in screens.
"""

import tempfile
import time
from pathlib import Path

from playwright.sync_api import Page, sync_playwright

from core.collection.files.source import Source
from core.collection.formats import read_import
from core.collection.records import numeric_scale
from core.store.content.collections import create_collection
from core.store.content.imports import write_import
from core.store.content.scales import get_scales
from core.store.store import Store
from tests.bench.made_up_runs import draw, lay_out_qrels, write_runs
from tests.browser.chromium import ARGUMENTS, get_chromium
from tests.browser.running import Running
from tests.browser.views import DRAWN, LAPTOP, SEEN, STAYS, come_in, open_store

CROWD = Path(__file__).parents[3] / "shared" / "data" / "rf10" / "labels.tsv.gz"
TOPICS, SYSTEMS = 88, 17

_HEIGHT = "() => document.querySelector('[data-testid=stMain]').scrollHeight"


def fill_crowd(store: Store) -> None:
    """Import the labels of a crowd."""
    made = create_collection(store, "crowd", scales={"page": numeric_scale(range(3))})
    columns = {"assessor": "workerID", "topic": "topicID", "document": "docID", "level": "label"}
    read = read_import(
        "labels",
        Source.at(CROWD),
        scales=get_scales(store, made),
        columns=columns,
        missing=(-2,),
        gold="gold",
    )
    write_import(store, made, read)


def fill_runs(store: Store, folder: Path) -> None:
    """Import made-up runs and their judgements."""
    made = create_collection(store, "runs", scales={"page": numeric_scale(range(4))})
    shown, level = draw(TOPICS, SYSTEMS, seed=3)
    begun = time.perf_counter()
    runs = read_import("runs", [Source.at(path) for path in write_runs(shown, folder)])
    write_import(store, made, runs)
    lines = TOPICS * SYSTEMS * shown.shape[2]
    print(f"{lines:,} lines of runs written and imported in {time.perf_counter() - begun:.1f} s")
    rows = lay_out_qrels(level).itertuples(index=False)
    text = "".join(f"{row.topic_id} 0 {row.document_id} {row.level}\n" for row in rows)
    write_import(store, made, read_import("qrels", Source("made-up.qrels", text.encode())))


def _draw(page: Page, address: str) -> float:
    """Open a page; returns after how many seconds it was drawn, and stayed so for a while."""
    begun = time.perf_counter()
    page.goto(address)
    while True:
        page.wait_for_function(DRAWN, timeout=120_000)
        seconds = time.perf_counter() - begun
        page.wait_for_timeout(STAYS)
        if page.evaluate(DRAWN):
            return seconds


def measure(page: Page, server: Running, path: str, collection: str, sent: list[int]) -> str:
    """Return a line on one page; ``sent`` holds the sizes of all that came until now."""
    seconds = []
    for _ in range(2):
        sent.clear()
        seconds.append(_draw(page, f"{server.address}/{path}?collection={collection}"))
    screens = page.evaluate(_HEIGHT) / LAPTOP[1]
    return (
        f"{path:18} {seconds[0]:5.1f} s {seconds[1]:5.1f} s {sum(sent) / 1e6:6.2f} MB "
        f"{screens:5.1f} screens"
    )


def main() -> None:
    """Measure every page with both collections."""
    with tempfile.TemporaryDirectory() as name, sync_playwright() as playwright:
        folder = Path(name)
        store = Store(folder / "made.duckdb")
        fill_runs(store, folder)
        if CROWD.exists():
            fill_crowd(store)
        store.close()
        (folder / "served").mkdir()
        browser = playwright.chromium.launch(executable_path=get_chromium(), args=ARGUMENTS)
        with open_store(store.path, folder / "served") as (server, enter, collections):
            width, height = LAPTOP
            page = come_in(browser, server, enter, viewport={"width": width, "height": height})
            sent: list[int] = []
            page.on("websocket", lambda one: one.on("framereceived", lambda f: sent.append(len(f))))
            for title, collection in collections.items():
                print(f"{title}: first visit, second visit")
                for path in SEEN:
                    print("  " + measure(page, server, path, collection, sent), flush=True)
        browser.close()


if __name__ == "__main__":
    main()
