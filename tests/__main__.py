"""Run every check: style, types, all tests with a real browser, and the coverage gates.

With --long the fault suite runs, too, and in full.
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
CHECKS = (
    ["ruff", "check", "."],
    ["ruff", "format", "--check", "."],
    ["mypy"],
    ["pytest", "-n", str(max(2, min(4, os.cpu_count() or 2))), "--cov", "--cov-report="],
    ["coverage", "report", "--skip-covered", "--fail-under=90"],
    [
        *("coverage", "report", "--fail-under=100"),
        f"--include={','.join(f'core/{name}/*' for name in NUMERIC)}",
    ],
)


def main() -> int:
    """Run the checks in order; stops at the first that fails."""
    print("Chromium:", get_chromium(), flush=True)
    for check in CHECKS:
        if check[0] == "pytest":
            check = [*check, "--long" if "--long" in sys.argv else "--ignore=tests/faults"]
        print("\n$", " ".join(check), flush=True)
        done = subprocess.run([sys.executable, "-m", *check], cwd=ROOT, check=False)
        if done.returncode:
            print(f"\nFailed: {' '.join(check)}")
            return done.returncode
    return 0


if __name__ == "__main__":
    sys.exit(main())
