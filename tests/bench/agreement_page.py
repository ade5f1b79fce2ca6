"""Server time of the agreement page after a label: ``python -m tests.bench.agreement_page``.

The page is run as the server runs it, from reading the labels to the last figure, on 100 topics
with 30 assessors. What is timed is the script's own thread: the test harness around it polls for
its end ten times a second, and parses what was drawn.
"""

import argparse
import os
import tempfile
import time
import uuid
from collections.abc import Callable
from pathlib import Path
from unittest.mock import patch

import numpy as np
import pandas as pd
from streamlit.runtime.scriptrunner.script_runner import ScriptRunner
from streamlit.testing.v1 import AppTest
from streamlit.util import calc_hash

from core.collection.records import Import, numeric_scale
from core.store.content.collections import create_collection
from core.store.content.imports import write_import
from core.store.events.labels import Key, LabelEvent
from core.store.people.people import add_person, begin_session
from pages.server.running import server, stop
from tests.bench.clients import percentile

MAIN = Path(__file__).parent.parent.parent / "pages" / "main.py"
ASSESSORS, TOPICS = 30, 100


def main() -> None:
    """Draw the page again after each of some labels and print the times."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--labels", type=int, nargs="+", default=[10_000, 100_000, 1_000_000])
    parser.add_argument("--runs", type=int, default=7)
    chosen = parser.parse_args()
    for count in chosen.labels:
        with tempfile.TemporaryDirectory() as folder:
            os.environ["DISSENT_STORE"] = str(Path(folder) / "store.duckdb")
            times = time_page(count, chosen.runs)
            stop()
        print(f"{count:,} labels: ms p50 {percentile(times, 0.5):.0f}", end=" ")
        print(f"least {min(times):.0f} largest {max(times):.0f}", flush=True)


def time_page(count: int, runs: int) -> list[float]:
    """Return the milliseconds of each drawing of the page, the first left out."""
    store = server().store
    collection_id = create_collection(store, "Bench", scales={"page": numeric_scale(range(4))})
    write_import(store, collection_id, make_labels(count))
    at = AppTest.from_file(MAIN, default_timeout=120)
    organiser = add_person(store, "Organiser", "organiser")
    at.session_state["session_token"] = begin_session(store, organiser)
    at._page_hash = calc_hash("agreement")
    at.run()
    times: list[float] = []
    with patch.object(ScriptRunner, "_run_script_thread", timed(times)):
        for number in range(runs):
            key = Key("t00", f"new{number}", "page", "", "a00", 0)
            event = LabelEvent(str(uuid.uuid4()), None, key, "level", 1)
            store.labels.append(collection_id, [event])
            at.run()
    if at.exception or not at.dataframe:
        raise RuntimeError("the page could not be drawn")
    return times


def timed(times: list[float]) -> Callable[[ScriptRunner], None]:
    """Return the body of a script's thread that also notes how many milliseconds it took."""
    run = ScriptRunner._run_script_thread

    def run_timed(runner: ScriptRunner) -> None:
        started = time.perf_counter()
        run(runner)
        times.append(1000 * (time.perf_counter() - started))

    return run_timed


def make_labels(count: int) -> Import:
    """Return labels in which every assessor judges the same share of the items."""
    rng = np.random.default_rng(1)
    items = count // ASSESSORS
    item = np.tile(np.arange(items), ASSESSORS)
    truth = rng.integers(0, 4, items)
    level = np.clip(truth[item] + rng.integers(-1, 2, len(item)), 0, 3)
    frame = pd.DataFrame(
        {
            "topic_id": [f"t{number % TOPICS:02}" for number in item],
            "document_id": [f"d{number}" for number in item],
            "facet": "page",
            "engine": "",
            "assessor_id": [f"a{number:02}" for number in np.repeat(np.arange(ASSESSORS), items)],
            "occasion": 0,
            "state": "level",
            "level": level,
        }
    )
    return Import("labels", "made", {"labels": frame}, {}, (), "0" * 64)


if __name__ == "__main__":
    main()
