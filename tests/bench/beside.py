"""Two commits side by side: the same figures of each, one after the other in pairs.

A tree is a checkout with a Python of its own, which has the installed packages and finds no other
checkout's modules. What is measured asks nothing of a tree but what users do: it runs commands,
starts servers and opens pages. Saving is measured by the tree's own bench, as it makes its store by
calling the tree; key presses and live pages by ours, which call the tree and take turns in the two,
so that both meet the same of all else that the machine does. What a tree cannot do is said, and
left out.
"""

import contextlib
import os
import re
import signal
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from itertools import takewhile
from pathlib import Path
from statistics import median
from typing import TypeVar

import numpy as np
from playwright.sync_api import sync_playwright

from tests.bench.live import READY, list_processes, read_process
from tests.bench.made_up_runs import draw, lay_out_qrels, write_runs
from tests.browser.chromium import ARGUMENTS, find_chromium, get_chromium
from tests.browser.running import free_port
from tests.trees import ROOT, check_out, make_python

PATIENCE = 120
PAGES = ("monitor", "agreement", "disagreement", "effectiveness", "comparison", "qrels")
DRAWN = """() => {
  const app = document.querySelector('.stApp');
  return app?.dataset.testScriptState === 'notRunning'
    && document.querySelector('[data-testid=stMain] [data-testid=stElementContainer]')
    && !document.querySelector('[data-stale=true], [data-testid=stSkeleton]');
}"""
COMMAND = "core.command.main"
COMMANDS: dict[str, tuple[str, ...]] = {
    "dissent --help": ("-m", COMMAND, "--help"),
    "dissent evaluate --help": ("-m", COMMAND, "evaluate", "--help"),
    "dissent evaluate, one run": (
        *("-m", COMMAND, "evaluate", "--qrels", "made.qrels", "--run", "runs/run000.run"),
        *("--measure", "nDCG@10", "AP", "P@10"),
    ),
}
FIRST_CALL = """
import dissent
qrels = dissent.read_qrels("made.qrels")
dissent.evaluate(dissent.read_runs("runs/run000.run"), qrels, ["nDCG@10"])
"""

KEYS, LIVE = (ROOT / "tests" / "bench" / name for name in ("keys.py", "live.py"))
PEAK = """
import os, sys
process = os.spawnv(os.P_NOWAIT, sys.argv[1], sys.argv[1:])
_, status, used = os.wait4(process, 0)
print()
print(used.ru_maxrss)
sys.exit(os.waitstatus_to_exitcode(status))
"""
"""A small process between: memory of a process counts from that of the one that starts it."""

Figures = dict[str, float]


_T = TypeVar("_T")


class CannotDo(Exception):
    """A tree lacks what is measured."""


@dataclass(frozen=True)
class Tree:
    """A checkout, the Python that runs it, and a folder with files to work on."""

    root: Path
    python: Path
    files: Path

    def start(self, *words: object, into: int = subprocess.DEVNULL) -> "subprocess.Popen[bytes]":
        """Start this tree's Python in its root; it sees no settings of this process."""
        inherited = {name: one for name, one in os.environ.items() if "DISSENT" not in name}
        inherited.pop("PYTHONDONTWRITEBYTECODE", None)
        inherited["DISSENT_CHROMIUM"] = find_chromium() or ""
        inherited["PYTHONPATH"] = os.pathsep.join([str(self.root), f"{self.root}/.build/package"])
        command = [str(self.python), *map(str, words)]
        return subprocess.Popen(
            command,
            cwd=self.files,
            env=inherited,
            stdin=into,
            stdout=into,
            stderr=into if into == subprocess.DEVNULL else subprocess.STDOUT,
            start_new_session=True,
        )

    def run(self, *words: object) -> tuple[float, float]:
        """Run to the end; returns seconds of processor and of the clock."""
        begun = time.perf_counter()
        process = self.start(*words)
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode:
            raise CannotDo(_say_end(words, process.returncode))
        return used.ru_utime + used.ru_stime, time.perf_counter() - begun

    def peak(self, *words: object) -> float:
        """Run to the end; returns the most memory that it held at once, in megabytes."""
        process = self.start("-S", "-c", PEAK, self.python, *words, into=subprocess.PIPE)
        said = process.communicate()[0].decode()
        if process.returncode:
            raise CannotDo(_say_end(words, process.returncode))
        return int(said.split()[-1]) / (1024 if sys.platform != "darwin" else 1024**2)


def _say_end(words: tuple[object, ...], code: int) -> str:
    return f"{' '.join(map(str, words))!r} ends with {code}"


Trial = Callable[[Tree], Figures]


def measure_commands(tree: Tree) -> Figures:
    """Help, the scores of one run, and the first call from Python."""
    found: Figures = {}
    for name, words in _list_commands(tree).items():
        found |= _tell(name, tree.run(*words))
    return found


def _list_commands(tree: Tree) -> dict[str, tuple[str, ...]]:
    has_package = (tree.root / ".build" / "package").is_dir()
    return COMMANDS | ({"first call from Python": ("-c", FIRST_CALL)} if has_package else {})


def measure_start(tree: Tree) -> Figures:
    """The command that serves, until the server answers: a new store, it again, the demo."""
    found: Figures = {}
    with tempfile.TemporaryDirectory() as folder:
        store = Path(folder) / "store.duckdb"
        for name, words in {
            "start, new store": ("--store", store),
            "start, existing store": ("--store", store),
            "start, demo": ("--demo",),
        }.items():
            with serve(tree, words, (used := {})):
                pass
            found |= _tell(name, (used["processor"], used["answers"]))
    return found


def measure_memory(tree: Tree) -> Figures:
    """The most memory that commands hold, and the server of the demo whose pages were opened."""
    found = {f"{name}: MB": tree.peak(*words) for name, words in _list_commands(tree).items()}
    with serve(tree, ("--demo",), (used := {})) as address:
        _open_pages(address, ["first visit"])
    if not used["peak"]:
        raise CannotDo("this system does not tell how much memory a process has held")
    return {**found, "pages, server: MB": used["peak"]}


def measure_pages(tree: Tree) -> Figures:
    """Pages of the demo in a real browser: until drawn, at the first visit and at the second."""
    with serve(tree, ("--demo",), (used := {})) as address:
        seconds = _open_pages(address, ["first visit", "second visit"])
    found = {f"pages, {visit}: s": median(times) for visit, times in seconds.items()}
    return {**found, "pages, server: processor s": used["processor"]}


def _open_pages(address: str, visits: list[str]) -> dict[str, list[float]]:
    """Open every page at each visit; returns the seconds until they are drawn, by visit."""
    seconds: dict[str, list[float]] = {visit: [] for visit in visits}
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=get_chromium(), args=ARGUMENTS)
        page = chromium.new_context().new_page()
        page.set_default_timeout(1000 * PATIENCE)
        page.goto(address)
        page.get_by_role("button", name="Watch as an organiser").click()
        page.wait_for_function(DRAWN)
        for times in seconds.values():
            for one in PAGES:
                begun = time.perf_counter()
                page.goto(f"{address}/{one}")
                page.wait_for_function(DRAWN)
                times.append(time.perf_counter() - begun)
        chromium.close()
    return seconds


def measure_live(here: Tree, there: Tree) -> tuple[Figures, Figures]:
    """What the server spends on a label while a live page of an organiser is open."""
    return _take_turns(here, there, "live", _read_live, LIVE, "--processor", "--labels", 12)


def _read_live(said: str) -> Figures:
    pages = re.findall(r"^(\w+): processor ms a label ([\d.]+)$", said, re.MULTILINE)
    return {f"live, {page}: processor ms a label": float(spent) for page, spent in pages}


def measure_keys(here: Tree, there: Tree) -> tuple[Figures, Figures]:
    """Key press until the next item stands, and is painted, beside twenty assessors."""
    return _take_turns(here, there, "keys", _read_keys, KEYS, "--blocks", 8)


def _read_keys(said: str) -> Figures:
    found: Figures = {}
    for what in ("stands", "painted"):
        for times in re.finditer(rf"item {what} after ms p50 ([\d.]+) p95 ([\d.]+)", said):
            for part, value in zip((50, 95), times.groups(), strict=True):
                found[f"keys, {what}: ms p{part}"] = float(value)
    return found


def _take_turns(
    here: Tree, there: Tree, name: str, read: Callable[[str], Figures], *words: object
) -> tuple[Figures, Figures]:
    """Run one of our benches in two trees, which takes turns with itself."""
    one, other = (
        tree.start("-P", *words, "--in-turn", into=subprocess.PIPE) for tree in (here, there)
    )
    with one, other:
        try:
            said = _give_turns([one, other])
            both = read(_hear(one, name, said[0])), read(_hear(other, name, said[1]))
        finally:
            for process in (one, other):
                _end(process)
    if not all(both):
        raise CannotDo(f"its bench of {name} tells other figures")
    return both


def measure_saving(tree: Tree) -> Figures:
    """Labels a second from eight clients, by the tree's own bench; the time of one is compared."""
    said = _run_own(tree, "saving", "--seconds", "5")
    rate = re.search(r"labels per second ([\d.]+)", said)
    if not rate:
        raise CannotDo("its bench of saving tells other figures")
    return {"saving: ms a label": 1000 / float(rate[1])}


def measure_imports(tree: Tree) -> Figures:
    """Large honest files into a new store: texts in Parquet, ten million lines, a scanned PDF."""
    given = tree.files / "large"
    if not given.is_dir():
        write_large_files(given)
    found: Figures = {}
    for kind, names in {
        "documents": ["texts.parquet"],
        "runs": [f"runs/run{one:03}.run" for one in range(10)],
        "documents ": ["scanned.pdf"],
    }.items():
        store = tree.files / "large.duckdb"
        words = ("--store", store, "--collection", "Large", "--create")
        files = [given / name for name in names]
        try:
            times = tree.run("-m", COMMAND, "import", kind.strip(), *files, *words)
        finally:
            store.unlink(missing_ok=True)
        found |= _tell(f"import, {names[0]}", times)
    return found


TRIALS: dict[str, Trial] = {
    "imports": measure_imports,
    "commands": measure_commands,
    "start": measure_start,
    "saving": measure_saving,
    "pages": measure_pages,
    "memory": measure_memory,
}
"""What is measured of a tree; less is better in every figure."""

IN_TURN = {"keys": measure_keys, "live": measure_live}
"""What is measured of two trees at once."""


def _tell(name: str, times: tuple[float, float]) -> Figures:
    return {f"{name}: processor s": times[0], f"{name}: s": times[1]}


def _run_own(tree: Tree, name: str, *words: str) -> str:
    if not (tree.root / "tests" / "bench" / f"{name}.py").is_file():
        raise CannotDo(f"it has no bench of {name}")
    return _listen(tree, name, "-m", f"tests.bench.{name}", *words)


def _listen(tree: Tree, name: str, *words: object) -> str:
    """Return what a bench that runs in a tree says."""
    return _hear(tree.start(*words, into=subprocess.PIPE), name)


def _give_turns(processes: "list[subprocess.Popen[bytes]]") -> list[str]:
    """Let processes work in turn, as each says when it is ready; returns what they say besides.

    They are ready for the first time together, which takes each as long as it takes.
    """
    said = [_read_until_ready(process) for process in processes]
    while any(process.poll() is None for process in processes):
        for number, process in enumerate(processes):
            assert process.stdin is not None
            with contextlib.suppress(BrokenPipeError):  # it has ended
                os.write(process.stdin.fileno(), b"\n")
            said[number] += _read_until_ready(process)
    return said


def _read_until_ready(process: "subprocess.Popen[bytes]") -> str:
    assert process.stdout is not None
    lines = map(bytes.decode, process.stdout)
    return "".join(takewhile(lambda line: line.strip() != READY, lines))


def _hear(process: "subprocess.Popen[bytes]", name: str, said: str = "") -> str:
    """Return what a bench says until it ends."""
    said += process.communicate()[0].decode()
    if process.returncode:
        _end(process)
        raise CannotDo(f"its bench of {name} fails: {said.strip().rpartition(chr(10))[2]}")
    return said


def _end(process: "subprocess.Popen[bytes]") -> None:
    """End a bench, and the servers that it leaves behind."""
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)


@contextlib.contextmanager
def serve(tree: Tree, words: tuple[object, ...], used: Figures) -> Iterator[str]:
    """Run the command that serves; at the end ``used`` has its times, in seconds, and memory."""
    port, begun = free_port(), time.perf_counter()
    process = tree.start("-m", COMMAND, "serve", *words, "--port", port)
    address = f"http://127.0.0.1:{port}"
    try:
        while not _answers(address):
            if process.poll() is not None or time.perf_counter() - begun > PATIENCE:
                raise CannotDo("its server does not answer")
            time.sleep(0.02)
        used["answers"] = time.perf_counter() - begun
        yield address
    finally:
        if process.poll() is None:
            used["peak"] = sum(map(read_peak, list_processes(process.pid)))
            process.send_signal(signal.SIGTERM)
            _, status, spent = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
            used["processor"] = spent.ru_utime + spent.ru_stime


def read_peak(pid: int) -> float:
    """Return the most memory that a process has held so far, in megabytes; 0 if it has ended."""
    lines = read_process(pid, "status").splitlines()
    return sum(int(line.split()[1]) / 1024 for line in lines if line.startswith("VmHWM"))


def _answers(address: str) -> bool:
    try:
        with urllib.request.urlopen(f"{address}/api/health", timeout=5) as answer:
            return bool(answer.status == 200)
    except OSError:
        return False


@contextlib.contextmanager
def plant(commit: str) -> Iterator[tuple[Tree, Tree]]:
    """Yield this checkout as it stands, and a commit in a folder of its own."""
    with check_out(commit) as there:
        python, files = make_python(there.with_name("python")), there.with_name("files")
        write_files(files)
        yield Tree(ROOT, python, files), Tree(there, python, files)


def write_files(folder: Path) -> None:
    """Write qrels and a run of fifty topics to the depth of a thousand."""
    (folder / "runs").mkdir(parents=True)
    shown, level = draw(50, 1, seed=3)
    write_runs(shown, folder / "runs")
    rows = lay_out_qrels(level).itertuples(index=False)
    lines = [f"{row.topic_id} 0 {row.document_id} {row.level}\n" for row in rows]
    (folder / "made.qrels").write_text("".join(lines))


def write_large_files(folder: Path) -> None:
    """Write 900 MB of texts as Parquet, ten runs of a million lines, and sixty scanned pages."""
    import pyarrow as pa
    from PIL import Image
    from pyarrow import parquet

    (folder / "runs").mkdir(parents=True)
    shown, _ = draw(1000, 10, seed=4)
    write_runs(shown, folder / "runs")
    rng = np.random.default_rng(5)
    words = np.array(["".join(map(chr, rng.integers(97, 123, 6))) for _ in range(20_000)])
    columns = pa.schema([("id", pa.string()), ("text", pa.string())])
    with parquet.ParquetWriter(folder / "texts.parquet", columns, compression="zstd") as writer:
        for group in range(36):
            texts = [" ".join(one) for one in rng.choice(words, (5000, 714))]
            names = [f"d{group}-{one}" for one in range(5000)]
            writer.write_table(pa.table([names, texts], schema=columns))
    pages = [Image.fromarray(rng.integers(0, 2, (1754, 1240), np.uint8) * 255) for _ in range(60)]
    pages[0].save(folder / "scanned.pdf", save_all=True, append_images=pages[1:])


def compare(here: Tree, there: Tree, names: list[str], pairs: int) -> Iterator[str]:
    """Measure both in turn, after one round that is not counted; yields lines of a table."""
    for name in names:
        faults: dict[str, str] = {}
        rounds: list[tuple[Figures, Figures]] = []
        for _ in range(pairs + 1):
            if name in IN_TURN:
                measure = partial(IN_TURN[name], here, there)
                rounds.append(_try("here or there", faults, measure, ({}, {})))
                continue
            one, other = (
                _try(where, faults, partial(TRIALS[name], tree), {})
                for where, tree in (("here", here), ("there", there))
            )
            rounds.append((one, other))
        for where, fault in faults.items():
            yield f"{name}, {where}: {fault}"
        yield from describe(rounds[1:])


def _try(where: str, faults: dict[str, str], measure: Callable[[], _T], nothing: _T) -> _T:
    """Return what is measured; nothing where that cannot be done, which is put to the faults."""
    if where in faults:
        return nothing
    try:
        return measure()
    except CannotDo as error:
        faults[where] = str(error)
        return nothing


def describe(rounds: list[tuple[Figures, Figures]]) -> Iterator[str]:
    """Yield a line for each figure: its medians, and the ratios of the pairs."""
    for figure in dict.fromkeys(name for pair in rounds for one in pair for name in one):
        columns = [[one[figure] for one in side if figure in one]
                   for side in zip(*rounds, strict=True)]  # fmt: skip
        medians = [f"{median(values):10.3f}" if values else f"{'-':>10}" for values in columns]
        ratios = np.divide(*columns) if len(columns[0]) == len(columns[1]) else []
        told = (
            f"{median(ratios):6.2f} ({min(ratios):.2f}–{max(ratios):.2f})"
            if len(ratios)
            else "only one of them has it"
        )
        yield f"{figure:42}{''.join(medians)}  {told}"
