"""Server time of the effectiveness page on dl19: ``python -m tests.bench.effectiveness_page``.

37 runs and 22 topics with three assessors each are imported as an organiser imports them. Cold is
the first opening in a server that has drawn another page, in a process of its own each time; warm
is the same page again, with nothing changed and after a new label. What is timed is the script's
own thread, as in the benchmark of the agreement page.
"""

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import uuid
from pathlib import Path
from unittest.mock import patch

from streamlit.runtime.scriptrunner.script_runner import ScriptRunner
from streamlit.testing.v1 import AppTest
from streamlit.util import calc_hash

from core.collection.files.source import Source
from core.collection.formats import read_import
from core.collection.records import numeric_scale
from core.store.content.collections import create_collection, list_collections
from core.store.content.imports import write_import
from core.store.content.scales import get_scales
from core.store.events.labels import Key, LabelEvent
from core.store.people.people import add_person, begin_session
from core.store.store import Store
from pages.server.running import server, stop
from tests.bench.agreement_page import MAIN, timed
from tests.bench.clients import percentile

FOLDER = Path(__file__).parents[3] / "shared" / "data" / "dl19"


def main() -> None:
    """Fill a store, open the page in several processes and print the times."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, default=FOLDER, help="topics, runs and labels")
    parser.add_argument("--processes", type=int, default=3)
    parser.add_argument("--runs", type=int, default=7)
    parser.add_argument("--open", type=Path, help=argparse.SUPPRESS)
    chosen = parser.parse_args()
    if chosen.open:
        time_page(chosen.open, chosen.runs)
        return
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "store.duckdb"
        fill_store(path, chosen.data)
        command = [sys.executable, "-m", "tests.bench.effectiveness_page", f"--runs={chosen.runs}"]
        for number in range(chosen.processes):
            copy = path.with_name(f"copy{number}.duckdb")
            shutil.copy(path, copy)
            subprocess.run([*command, f"--open={copy}"], check=True, stderr=subprocess.DEVNULL)


def fill_store(path: Path, folder: Path) -> None:
    """Import topics, runs and labels into a new store, and let somebody in."""
    store = Store(path)
    collection_id = create_collection(store, "dl19", scales={"page": numeric_scale(range(4))})
    files = {
        "topics": [folder / "topics.tsv"],
        "runs": sorted((folder / "runs").glob("*.run.gz")),
        "labels": [folder / "labels.tsv"],
    }
    for kind, paths in files.items():
        options = {"scales": get_scales(store, collection_id)} if kind == "labels" else {}
        imported = read_import(kind, [Source.at(path) for path in paths], **options)
        write_import(store, collection_id, imported)
    store.close()


def time_page(path: Path, runs: int) -> None:
    """Draw the page on a store: for the first time, again, and after each of some labels."""
    os.environ["DISSENT_STORE"] = str(path)
    store = server().store
    session = begin_session(store, add_person(store, "Organiser", "organiser"))
    open_page("people", session)
    times: list[float] = []
    with patch.object(ScriptRunner, "_run_script_thread", timed(times)):
        at = open_page("effectiveness", session)
        for _ in range(runs):
            at.run()
        for number in range(runs):
            add_label(store, number)
            at.run()
    if at.exception or not at.dataframe:
        raise RuntimeError("the page could not be drawn")
    stop()
    print(f"cold ms {times[0]:.0f}", end="; ")
    report("nothing changed", times[1 : runs + 1])
    report("after a label", times[runs + 1 :], end="\n")


def open_page(address: str, session: str) -> AppTest:
    """Return a page drawn for the first time in a tab."""
    at = AppTest.from_file(MAIN, default_timeout=120)
    at.session_state["session_token"] = session
    at._page_hash = calc_hash(address)
    return at.run()


def add_label(store: Store, number: int) -> None:
    """Judge one document that no assessor has judged."""
    collection_id = list_collections(store)[0].collection_id
    topic = store.cursor().execute("SELECT min(topic_id) FROM labels").fetchone()[0]
    key = Key(topic, f"new{number}", "page", "", "a00", 0)
    store.labels.append(collection_id, [LabelEvent(str(uuid.uuid4()), None, key, "level", 1)])


def report(what: str, times: list[float], end: str = "; ") -> None:
    """Print the middle, the least and the largest of some times."""
    middle, least, largest = percentile(times, 0.5), min(times), max(times)
    print(f"{what} p50 {middle:.0f} least {least:.0f} largest {largest:.0f}", end=end, flush=True)


if __name__ == "__main__":
    main()
