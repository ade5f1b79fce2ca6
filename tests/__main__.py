"""Run every check: style, types, all tests with a real browser, and the coverage gates.

Branches count as covered or not. All of the numeric packages is covered by the tests of these
packages; that is looked at in either form. With --long the fault suite runs in full, and nine
in ten of all code have to be covered: to trace all that runs takes a quarter more time.
With --changed, and a commit or none behind it, only what differs from there can touch is checked.
"""

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import IO

from tests.browser.chromium import get_chromium
from tests.changed import TYPES, choose_checks
from tests.postgres import get_programs
from tests.typescript import get_compiler

ROOT = Path(__file__).parents[1]
NUMERIC = (
    *("agreement", "disagreement", "versions", "measures", "comparison", "preference"),
    *("informativeness", "machines", "orders", "planning", "stopping", "clicks", "interleaving"),
)
MEMORY = Path("/dev/shm")
NEEDED = 6 * 2**30
"""Bytes that the files of a whole run are given."""
WORKERS = min(3, 1 + (os.cpu_count() or 2))
"""More than there are processors: servers and browsers are waited for.

No more of them than that: each of them imports and collects what it may run first.
"""

STYLE = (["ruff", "check", "."], ["ruff", "format", "--check", "."])
COLLECTION = ["pytest", "--collect-only", "-qq"]
"""Compiles all tests once: each of the processes that run them would do it at the same time."""
TESTS = ["pytest", "--dist", "loadfile", "-n"]
"""The tests of a file run in one process, as they share stores and servers."""
GATE = [
    *("coverage", "report", "--skip-covered", "--show-missing", "--fail-under=100"),
    f"--include={','.join(f'core/{name}/*' for name in NUMERIC)}",
]
GATES = ["coverage", "report", "--format=total", "--fail-under=90"], GATE
ANY_ORDER = ["-p", "randomly"]
"""What tests share hides nothing that one leaves to the next; the seed is printed."""
ALL_TESTS = [*TESTS, str(WORKERS), "--cov", "--cov-report=", "--long", *ANY_ORDER]
NUMERIC_TESTS = [
    *(*TESTS, "1", "--cov-report="),
    *(f"--cov=core/{name}" for name in NUMERIC),
    *(f"tests/core/{name}" for name in NUMERIC),
]
OTHER_TESTS = [*TESTS, str(WORKERS), *(f"--ignore=tests/core/{name}" for name in NUMERIC)]
SHARED_TESTS = [
    *(*TESTS, "1", "--engine", "postgresql"),
    *("tests/core/store", "tests/core/assessment", "tests/pages/api"),
]
"""The same tests on a store in PostgreSQL: with --long all of them, else what is a contract."""
ENVIRONMENT = {
    **{name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"},
    "OPENBLAS_NUM_THREADS": "1",
}
"""Compiled code is kept: hundreds of processes start, which takes each a third of the time.

Each process multiplies in one thread: more of them than processors would wait for each other.
"""


def main() -> int:
    """Run the checks; stops after the style, or after the tests, if one fails."""
    with _files_in_memory():
        if "--changed" in sys.argv:
            return _check_changed(sys.argv[sys.argv.index("--changed") + 1 :][:1])
        return _check("--long" in sys.argv)


def _check_changed(words: list[str]) -> int:
    chosen = choose_checks(words)
    tests = [*TESTS, "2", "-q", *chosen.tests] if chosen.tests else ["pytest", "--version"]
    passed = all(map(_passes, chosen.style())) and _pass_together(tests, chosen.types())
    return 0 if passed else 1


def _check(is_long: bool) -> int:
    shared = [*SHARED_TESTS, "--long", *ANY_ORDER] if is_long else [*SHARED_TESTS, "-m", "contract"]
    tests, *beside = (ALL_TESTS, TYPES) if is_long else (OTHER_TESTS, TYPES, NUMERIC_TESTS)
    beside.append(shared)
    passed = (
        all(_passes(check) for check in STYLE)
        and _pass_together(tests, beside, before=lambda: _prepare(is_long))
        and all(_passes(check) for check in (GATES if is_long else (GATE,)))
    )
    return 0 if passed else 1


@contextmanager
def _files_in_memory() -> Iterator[None]:
    """Have temporary files made in memory where there is room, and removed afterwards.

    Tests make thousands of small stores and databases; a slow disk would be waited for.
    """
    if not os.access(MEMORY, os.W_OK) or shutil.disk_usage(MEMORY).free < NEEDED:
        yield
        return
    with tempfile.TemporaryDirectory(prefix="dissent-", dir=MEMORY) as folder:
        # PostgreSQL runs for an account of its own, which has to pass through.
        Path(folder).chmod(0o755)
        ENVIRONMENT["TMPDIR"] = folder
        yield


def _passes(check: list[str]) -> bool:
    print("\n$", " ".join(check), flush=True)
    return _tell(check, _start(check).wait())


def _pass_together(
    check: list[str], others: list[list[str]], before: Callable[[], bool] | None = None
) -> bool:
    """Run a check, and others in the time that it leaves; what they say comes after it.

    What is to be done before both the check and all but the first of the others is done beside
    that one, which may take as long.
    """
    with ExitStack() as stack:
        said = [stack.enter_context(tempfile.TemporaryFile("w+")) for _ in others]
        beside = []
        for other, output in zip(others, said, strict=True):
            beside.append(_start(other, output))
            stack.callback(beside[-1].kill)
            if before and len(beside) == 1 and not before():
                return False
        passes = [_passes(check)]
        for other, process, output in zip(others, beside, said, strict=True):
            status = process.wait()
            output.seek(0)
            print("\n$", " ".join(other), f"\n{output.read()}", end="", flush=True)
            passes.append(_tell(other, status))
    return all(passes)


def _prepare(is_long: bool) -> bool:
    """Compile all tests, get meanwhile the programs that they need, and say which."""
    with tempfile.TemporaryFile("w+") as output, _start(COLLECTION, output) as collecting:
        try:
            print("Chromium:", get_chromium(bare=not is_long), flush=True)
            print("PostgreSQL:", get_programs(), flush=True)
            print("TypeScript:", get_compiler(), flush=True)
        except BaseException:
            collecting.kill()
            raise
        status = collecting.wait()
        output.seek(0)
        if status:
            print("\n$", " ".join(COLLECTION), f"\n{output.read()}", end="", flush=True)
    return _tell(COLLECTION, status)


def _start(check: list[str], output: IO[str] | None = None) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", *check]
    return subprocess.Popen(command, cwd=ROOT, env=ENVIRONMENT, stdout=output, stderr=output)


def _tell(check: list[str], status: int) -> bool:
    if status:
        print(f"\nFailed: {' '.join(check)}", flush=True)
    return not status


if __name__ == "__main__":
    sys.exit(main())
