"""From nothing to a first κ: a new environment, an installation, labels in, κ out; each timed.

``python -m tests.bench.first_kappa``: packages come from pip's cache where they are in it. The aim
is three minutes with a warm cache.
"""

import subprocess
import sys
import tempfile
import time
from pathlib import Path

from core.settings import ROOT

AIM = 180
LABELS = ROOT / "sample_data" / "textbook" / "four_users.tsv"


def main() -> None:
    """Do what the README says, in an empty folder, and print how long each step took."""
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder) / ".venv"
        program = place / "bin"
        steps = {
            "environment": [sys.executable, "-m", "venv", place],
            "packages": [
                *(program / "pip", "install", "-q", "--no-deps", "--require-hashes"),
                *("-r", ROOT / ".requirements" / "run.txt"),
            ],
            "Dissent": [
                *(program / "pip", "install", "-q", "--no-deps", "--no-build-isolation", ROOT)
            ],
            "first κ": [
                *(program / "dissent", "agreement", LABELS, "--scale", "page=Non,Rel,HRel,Key")
            ],
        }
        total = 0.0
        for name, command in steps.items():
            started = time.perf_counter()
            subprocess.run(list(map(str, command)), check=True, cwd=folder, stdout=sys.stderr)
            took = time.perf_counter() - started
            total += took
            print(f"{name} s {took:.1f}")
        print(f"from nothing to a first κ s {total:.1f} (aim {AIM})")


if __name__ == "__main__":
    main()
