"""Processor time of commands and of the Python API, beside ir_measures and pyarrow.

``python -m tests.bench.commands``: help of every command; ``dissent evaluate`` of one run of 25
topics; what a first call from Python imports; reading 650,000 lines of runs. The works take turns,
each in a process of its own where it begins with one, so that other load hits all alike.
"""

import argparse
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median

import pyarrow as pa
from pyarrow import csv

from core.collection.files.source import Source
from core.collection.formats import read_import
from core.collection.qrels_and_runs.trec import write_qrels
from core.command.main import COMMANDS
from core.settings import ROOT
from tests.bench.made_up_runs import draw, lay_out_qrels, write_runs

MEASURES = ("nDCG@10", "AP", "P@10")
TOPICS, SHOWN = 25, 100
PROGRAM = (sys.executable, "-m", "core.command.main")
NAMES = ("topic", "q0", "document", "rank", "score", "tag")
THEIRS = """
import sys
import ir_measures
from ir_measures import AP, P, nDCG

qrels, run = sys.argv[1:]
qrels, run = ir_measures.read_trec_qrels(qrels), ir_measures.read_trec_run(run)
print(ir_measures.calc_aggregate([nDCG @ 10, AP, P @ 10], qrels, run))
"""
CALL = "import sys; sys.path.insert(0, '.build/package'); import dissent; dissent."


def main() -> None:
    """Print seconds of processor and ratios."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=7)
    rounds = parser.parse_args().rounds
    with tempfile.TemporaryDirectory() as folder:
        theirs = compare_evaluate(Path(folder), rounds)
        compare_help(theirs, rounds)
        compare_calls(theirs, rounds)
        compare_reading(Path(folder), rounds)


def compare_evaluate(folder: Path, rounds: int) -> float:
    """Score one run; return what ir_measures takes as a command."""
    shown, level = draw(TOPICS, 1, seed=1)
    (run,) = write_runs(shown[:, :, :SHOWN], folder)
    qrels = folder / "made-up.qrels"
    qrels.write_bytes(write_qrels(lay_out_qrels(level)))
    ours = ["evaluate", "--qrels", qrels, "--run", run, "--measure", *MEASURES]
    times = take_turns(
        {
            "ours": process(*PROGRAM, *ours),
            "command": process(sys.executable, "-m", "ir_measures", qrels, run, *MEASURES),
            "script": process(sys.executable, "-c", THEIRS, qrels, run),
        },
        rounds,
    )
    print(f"evaluate, {TOPICS} topics × {SHOWN}: {times['ours']:.2f} s of processor")
    for name in ("command", "script"):
        ratio = times["ours"] / times[name]
        print(f"  {ratio:.1f} × ir_measures as a {name} ({times[name]:.2f} s); aim 5")
    return times["command"]


def compare_help(theirs: float, rounds: int) -> None:
    """Print what the help of every command takes, the slowest first."""
    words = {"--help": ["--help"], **{one.name: [one.name, "--help"] for one in COMMANDS}}
    times = take_turns({name: process(*PROGRAM, *own) for name, own in words.items()}, rounds)
    print("help, seconds of processor (aim .25) and × ir_measures' evaluation:")
    for name, seconds in sorted(times.items(), key=lambda item: -item[1]):
        print(f"  {name} {seconds:.2f} {seconds / theirs:.1f}")


def compare_calls(theirs: float, rounds: int) -> None:
    """Print what a first name of the package imports."""
    names = ("__version__", "agreement", "evaluate", "read_runs", "open_store")
    works = {name: process(sys.executable, "-c", CALL + name) for name in names}
    print("first name asked of the package, seconds (aim 1) and × ir_measures' evaluation:")
    for name, seconds in take_turns(works, rounds).items():
        print(f"  {name} {seconds:.2f} {seconds / theirs:.1f}")


def compare_reading(folder: Path, rounds: int) -> None:
    """Print what reading runs takes beside pyarrow, which checks nothing."""
    files = write_runs(draw(50, 13, seed=1)[0], folder)
    whole = folder / "whole.run"
    whole.write_text("".join(file.read_text() for file in files))
    text = dict.fromkeys(NAMES, pa.large_string()) | {"score": pa.float64()}
    works: dict[str, Callable[[], object]] = {
        "ours": lambda: read_import("runs", Source.at(whole)),
        "text": lambda: read_lines(whole, text),
        "guessed types": lambda: read_lines(whole, {}),
    }
    times = take_turns({name: within(work) for name, work in works.items()}, rounds)
    print(f"reading 650,000 lines of runs: {times['ours']:.2f} s of processor")
    for name in ("text", "guessed types"):
        print(f"  {times['ours'] / times[name]:.1f} × pyarrow's CSV reader, {name}; aim 2.5")


def read_lines(file: Path, types: dict[str, pa.DataType]) -> object:
    """Read a file by pyarrow alone, into a frame."""
    table = csv.read_csv(
        file,
        read_options=csv.ReadOptions(column_names=NAMES),
        parse_options=csv.ParseOptions(delimiter=" ", quote_char=False),
        convert_options=csv.ConvertOptions(column_types=types),
    )
    return table.to_pandas()


def process(*words: object) -> Callable[[], float]:
    """Return what runs a process and tells its seconds of processor."""

    def run() -> float:
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run(list(map(str, words)), check=True, cwd=ROOT, stdout=subprocess.DEVNULL)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime

    return run


def within(work: Callable[[], object]) -> Callable[[], float]:
    """Return what does a work in this process and tells its seconds of processor."""

    def run() -> float:
        start = time.process_time()
        work()
        return time.process_time() - start

    return run


def take_turns(works: dict[str, Callable[[], float]], rounds: int) -> dict[str, float]:
    """Return the median of the seconds that each work tells; the first round warms up."""
    found = [{name: work() for name, work in works.items()} for _ in range(rounds + 1)][1:]
    return {name: median(one[name] for one in found) for name in works}


if __name__ == "__main__":
    main()
