"""Run every check: style, types, all tests with a real browser, and the coverage gates.

With --long the fault suite runs in full, and coverage is counted everywhere. Tracing doubles what
tests take; without it only the numeric packages are counted, where it has to be complete.
"""

import os
import subprocess
import sys
from pathlib import Path

from tests.browser.chromium import get_chromium

ROOT = Path(__file__).parent.parent
NUMERIC = (
    *("agreement", "disagreement", "versions", "measures", "comparison", "preference"),
    "informativeness",
)
FOLDERS = tuple(f"tests/core/{name}" for name in NUMERIC)
WORKERS = min(4, 2 * (os.cpu_count() or 2))
"""More than there are processors: servers and browsers are waited for."""

PYTEST = ("pytest", "-n", str(WORKERS), "--dist", "worksteal")
SHORT = (
    [*PYTEST, *(f"--cov=core/{name}" for name in NUMERIC), "--cov-report=", *FOLDERS],
    [*PYTEST, *(f"--ignore={folder}" for folder in FOLDERS)],
)
LONG = (
    [*PYTEST, "--cov", "--cov-report=", "--long"],
    ["coverage", "report", "--skip-covered", "--fail-under=90"],
)
ENVIRONMENT = {
    name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"
}
"""Compiled code is kept: hundreds of processes start, which takes each a third of the time."""

CHECKS = (
    ["ruff", "check", "."],
    ["ruff", "format", "--check", "."],
    ["mypy"],
    *(LONG if "--long" in sys.argv else SHORT),
    [
        *("coverage", "report", "--fail-under=100"),
        f"--include={','.join(f'core/{name}/*' for name in NUMERIC)}",
    ],
)


def main() -> int:
    """Run the checks in order; stops at the first that fails."""
    print("Chromium:", get_chromium(), flush=True)
    for check in CHECKS:
        print("\n$", " ".join(check), flush=True)
        done = subprocess.run(
            [sys.executable, "-m", *check], cwd=ROOT, env=ENVIRONMENT, check=False
        )
        if done.returncode:
            print(f"\nFailed: {' '.join(check)}")
            return done.returncode
    return 0


if __name__ == "__main__":
    sys.exit(main())
