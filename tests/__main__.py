"""Run every check: style, types, all tests with a real browser, and the coverage gates.

With --long the fault suite runs in full. Branches count as covered or not: nine in ten of all code,
and every one of the numeric packages. To trace what runs takes a quarter more time, so the short
form traces the tests that do for this, and not those in browsers, say. Those wait for much: what is
traced runs in the time that they leave.
"""

import os
import subprocess
import sys
import tempfile
from contextlib import ExitStack
from pathlib import Path
from typing import IO

from tests.browser.chromium import get_chromium

TESTED = Path(__file__).parent
ROOT = TESTED.parent
NUMERIC = (
    *("agreement", "disagreement", "versions", "measures", "comparison", "preference"),
    "informativeness",
)
TRACED = (
    *("tests/core", "tests/pages/api", "tests/pages/judge", "tests/pages/server"),
    *("tests/pages/test_data_files.py", "tests/pages/test_doors.py"),
)
WAITING = (
    *("tests/core/command/test_serve.py", "tests/core/command/test_check.py"),
    "tests/pages/server/test_connections.py",
)
"""Of these, what runs in processes of its own, which nothing traces, or waits for them."""


def list_untraced() -> list[str]:
    """Return the folders and files of tests beside those that are traced."""
    inside = [one for folder in (TESTED, TESTED / "pages") for one in sorted(folder.iterdir())]
    paths = [one.relative_to(ROOT).as_posix() for one in inside if not one.name.startswith("_")]
    return [
        path
        for path in paths
        if path not in (*TRACED, "tests/pages") and ("." not in path or "/test_" in path)
    ]


PROCESSORS = os.cpu_count() or 2
WORKERS = min(4, 2 * PROCESSORS)
"""More than there are processors: servers and browsers are waited for."""

STYLE = (["ruff", "check", "."], ["ruff", "format", "--check", "."])
TYPES = ["mypy"]
TESTS = ["pytest", "--dist", "worksteal", "-n"]
COUNT = ["--cov", "--cov-report="]
LONG = [*TESTS, str(WORKERS), *COUNT, "--long"]
TRACED_TESTS = [
    *(*TESTS, str(PROCESSORS), *COUNT, *TRACED),
    *(f"--ignore={path}" for path in WAITING),
]
OTHER_TESTS = [*TESTS, str(WORKERS), *list_untraced(), *WAITING]
COVERAGE = (
    ["coverage", "report", "--format=total", "--fail-under=90"],
    [
        *("coverage", "report", "--fail-under=100"),
        f"--include={','.join(f'core/{name}/*' for name in NUMERIC)}",
    ],
)
ENVIRONMENT = {
    name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"
}
"""Compiled code is kept: hundreds of processes start, which takes each a third of the time."""


def main() -> int:
    """Run the checks; stops after the style, or after the tests, if one fails."""
    is_long = "--long" in sys.argv
    print("Chromium:", get_chromium(bare=not is_long), flush=True)
    tests, *beside = (LONG, TYPES) if is_long else (OTHER_TESTS, TYPES, TRACED_TESTS)
    passed = (
        all(_passes(check) for check in STYLE)
        and _pass_together(tests, beside)
        and all(_passes(check) for check in COVERAGE)
    )
    return 0 if passed else 1


def _passes(check: list[str]) -> bool:
    print("\n$", " ".join(check), flush=True)
    return _tell(check, _start(check).wait())


def _pass_together(check: list[str], others: list[list[str]]) -> bool:
    """Run a check, and others in the time that it leaves; what they say comes after it."""
    with ExitStack() as stack:
        said = [stack.enter_context(tempfile.TemporaryFile("w+")) for _ in others]
        beside = [_start(other, output) for other, output in zip(others, said, strict=True)]
        passes = [_passes(check)]
        for other, process, output in zip(others, beside, said, strict=True):
            status = process.wait()
            output.seek(0)
            print("\n$", " ".join(other), f"\n{output.read()}", end="", flush=True)
            passes.append(_tell(other, status))
    return all(passes)


def _start(check: list[str], output: IO[str] | None = None) -> subprocess.Popen[bytes]:
    yielding = ["nice", "-n", "5"] if output else []
    command = [*yielding, sys.executable, "-m", *check]
    return subprocess.Popen(command, cwd=ROOT, env=ENVIRONMENT, stdout=output, stderr=output)


def _tell(check: list[str], status: int) -> bool:
    if status:
        print(f"\nFailed: {' '.join(check)}", flush=True)
    return not status


if __name__ == "__main__":
    sys.exit(main())
