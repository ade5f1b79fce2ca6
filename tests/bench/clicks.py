"""Ten million clicks: into a store, and a position-based model of them, beside a plain loop.

``python -m tests.bench.clicks``: one run writes a made-up log in Yandex' format to a temporary
folder, imports it into a store and fits the PBM to what is read back, each in a process of its own
whose peak of memory is told; then a plain loop in Python does the same steps of EM on some of the
pages, and the ratio is of times per page and step. ``--clicks`` makes it shorter.
"""

import argparse
import json
import resource
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from core.analysis.clicks.logs import read_log
from core.clicks.click_log import ClickLog
from core.collection.files.source import Source
from core.collection.formats import read_import
from core.store.content.collections import create_collection, find_collection
from core.store.content.imports import write_import
from core.store.store import Store

CLICKS, QUERIES, DOCUMENTS, DEPTH = 10_000_000, 5_000, 20, 10
STEPS, SAMPLE = 20, 20_000
NAME = "Benchmark"
AT_ONCE = 20_000
MOST_MEMORY = 2 * 2**30


def make_log(path: Path, clicks: int, seed: int) -> int:
    """Write a log with so many clicks or a few more; returns how many."""
    rng = np.random.default_rng(seed)
    examination = 1 / np.sqrt(np.arange(1, DEPTH + 1))
    attractiveness = rng.beta(1, 2, (QUERIES, DOCUMENTS))
    done, before, line = 0, 0, 0
    with path.open("w", encoding="ascii") as file:
        while done < clicks:
            query = rng.zipf(1.3, AT_ONCE) % QUERIES
            shown = np.argsort(rng.random((AT_ONCE, DOCUMENTS)), axis=1)[:, :DEPTH]
            chance = attractiveness[query[:, np.newaxis], shown] * examination
            clicked = rng.random(chance.shape) < chance
            names = query[:, np.newaxis] * DOCUMENTS + shown
            begins = rng.random(AT_ONCE) < 0.6
            begins[0] = True
            session = before + np.cumsum(begins)
            before = int(session[-1])
            file.write(write_pages(session, query, names, clicked, line))
            line += AT_ONCE * (DEPTH + 1)
            done += int(clicked.sum())
    return done


def write_pages(
    session: np.ndarray, query: np.ndarray, names: np.ndarray, clicked: np.ndarray, line: int
) -> str:
    """Return the lines of pages and clicks; the time is that of a clock that ticks at each."""

    def text(numbers: np.ndarray) -> pa.StringArray:
        return pc.cast(pa.array(numbers), pa.string())

    places = line + np.arange(len(session)) * (DEPTH + 1)
    page, rank = np.nonzero(clicked)
    moments = places[page] + 1 + rank
    pages = pc.binary_join_element_wise(
        text(session), text(places), "Q", text(query), "0", *map(text, names.T), "\t"
    )
    clicks = pc.binary_join_element_wise(
        text(session[page]), text(moments), "C", text(names[page, rank]), "\t"
    )
    order = np.argsort(np.concatenate([places, moments]), kind="stable")
    lines = pa.concat_arrays([pages, clicks]).take(pa.array(order))
    return "\n".join(lines.to_pylist()) + "\n"


def import_log(path: Path, place: Path) -> dict[str, float]:
    """Import a log into a new store; returns seconds and counts."""
    start = time.perf_counter()
    imported = read_import("clicks", Source.at(path))
    read = time.perf_counter()
    store = Store(place)
    write_import(store, create_collection(store, NAME), imported, name="log")
    store.close()
    written = time.perf_counter()
    return {"read": read - start, "write": written - read, **imported.counts}


def fit_log(place: Path) -> dict[str, float]:
    """Read the log back and fit the model; returns seconds."""
    from core.clicks.click_model import parse_click_model
    from core.clicks.fitting import Prior, fit

    start = time.perf_counter()
    store = Store(place, read_only=True)
    log = read_log(store, find_collection(store, NAME))
    store.close()
    read = time.perf_counter()
    free = parse_click_model("PBM(free)")
    fitted = fit(free, log, prior=Prior(0.5), steps=STEPS, tolerance=0.0)
    end = time.perf_counter()
    some = slice(SAMPLE)
    numbers = (log.session[some], log.query[some], log.item[some], log.clicked[some])
    sample = ClickLog(log.queries, log.items, *numbers)
    looped = time_loop(sample)
    return {
        "read": read - start,
        "fit": end - read,
        "pages": len(log),
        "loop": looped,
        "sample": len(sample),
        "log_likelihood": float(fitted.log_likelihood),
    }


def time_loop(log: ClickLog) -> float:
    """Return the seconds that a plain loop takes for the steps of EM of a PBM."""
    pages = [
        ([one for one in item if one >= 0], hit)
        for item, hit in zip(log.item.tolist(), log.clicked.tolist(), strict=True)
    ]
    start = time.perf_counter()
    attractive: dict[int, float] = defaultdict(lambda: 0.5)
    examined = [0.5] * log.depth
    for _ in range(STEPS):
        attracted, shown = defaultdict(lambda: 1.0), defaultdict(lambda: 2.0)
        seen, possible = [1.0] * log.depth, [2.0] * log.depth
        for items, hits in pages:
            for rank, item in enumerate(items):
                a, e = attractive[item], examined[rank]
                none = 1 - a * e
                attracted[item] += 1.0 if hits[rank] else a * (1 - e) / none
                seen[rank] += 1.0 if hits[rank] else e * (1 - a) / none
                shown[item] += 1
                possible[rank] += 1
        for item, count in shown.items():
            attractive[item] = attracted[item] / count
        examined = [one / of for one, of in zip(seen, possible, strict=True)]
    return time.perf_counter() - start


def run_apart(*words: str) -> dict[str, float]:
    """Run a part in a process of its own; returns what it tells, and its peak of memory."""
    told = subprocess.run(
        [sys.executable, "-m", "tests.bench.clicks", *words], capture_output=True, text=True
    )
    if told.returncode:
        raise SystemExit(told.stderr)
    found: dict[str, float] = json.loads(told.stdout.splitlines()[-1])
    return found


def tell_part(found: dict[str, float]) -> None:
    """Print what a part found, with the memory and the processor's time of this process."""
    used = resource.getrusage(resource.RUSAGE_SELF)
    cpu = used.ru_utime + used.ru_stime
    print(json.dumps(found | {"memory": used.ru_maxrss * 1024, "cpu": cpu}))


def _tell_memory(found: dict[str, float]) -> str:
    used = f"{found['cpu']:.1f} s of a processor, {found['memory'] / 2**20:,.0f} MiB at most"
    return used + ("" if found["memory"] <= MOST_MEMORY else ", MORE THAN 2 GiB")


def main() -> None:
    """Print the times, the memory and the ratio."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--clicks", type=int, default=CLICKS)
    parser.add_argument("--only-import", action="store_true")
    parser.add_argument("--part", nargs="+", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.part:
        what, *places = arguments.part
        tell_part({"import": import_log, "fit": fit_log}[what](*map(Path, places)))
        return
    with tempfile.TemporaryDirectory() as folder:
        path, place = Path(folder) / "log.tsv", Path(folder) / "store.duckdb"
        start = time.perf_counter()
        clicks = make_log(path, arguments.clicks, seed=1)
        size = path.stat().st_size / 2**20
        made = time.perf_counter() - start
        print(f"made: {clicks:,} clicks, {size:,.0f} MiB in {made:.0f} s", flush=True)
        found = run_apart("--part", "import", str(path), str(place))
        seconds = found["read"] + found["write"]
        print(
            f"import: {found['pages']:,.0f} pages of {found['sessions']:,.0f} sessions in "
            f"{seconds:.1f} s ({found['read']:.1f} s to read, {found['write']:.1f} s to store), "
            f"{clicks / seconds:,.0f} clicks a second; {_tell_memory(found)}; store of "
            f"{place.stat().st_size / 2**20:,.0f} MiB",
            flush=True,
        )
        path.unlink()
        if arguments.only_import:
            return
        found = run_apart("--part", "fit", str(place))
        each = found["fit"] / found["pages"] / STEPS
        loop = found["loop"] / found["sample"] / STEPS
        print(
            f"PBM: read back in {found['read']:.1f} s, {STEPS} steps of EM in {found['fit']:.1f} "
            f"s; {_tell_memory(found)}"
        )
        print(
            f"a plain loop on {found['sample']:,.0f} pages: {found['loop']:.1f} s; by page and "
            f"step it takes {loop / each:,.0f} times as long"
        )


if __name__ == "__main__":
    main()
