"""Renew what is pinned: ``python -m tests.requirements`` writes the files in .requirements.

It resolves the requirements of pyproject.toml anew, for Linux and macOS and every Python from the
oldest that is supported: what the checks install, in ``checks.txt``, and the part of it that users
install, in ``run.txt``; ``pip.txt`` has the pip that installs the first. There is one release of a
package for all, so that everybody gets what the checks ran on. No package index is named: by its
hash a file is known wherever it comes from. ``licences.tsv`` has what the packages say of their
licences. uv does the work.
"""

import re
import subprocess
import sys
import tempfile
from collections.abc import Iterable
from importlib.metadata import distributions
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from uv import find_uv_bin

from tests.licences import find_unfit, read_licence
from tests.pins import (
    CHECKS,
    COMMAND,
    ENVIRONMENTS,
    FOLDER,
    INSTALLER,
    OLDEST,
    PIP,
    ROOT,
    RUN,
    WHEELS_ONLY,
    Pin,
    read_pins,
    read_project,
)

LICENCES = FOLDER / "licences.tsv"


def main() -> int:
    """Renew the files; fails when a licence does not fit."""
    with tempfile.TemporaryDirectory() as folder:
        place, uv = Path(folder), Path(find_uv_bin())
        run, checks = read_project()
        resolve(uv, [*run, *checks], CHECKS)
        resolve(uv, run, RUN, "--constraint", str(CHECKS), *WHEELS_ONLY.split())
        resolve(uv, [PIP], INSTALLER, *WHEELS_ONLY.split())
        pins = {path: read_pins(path.read_text(encoding="utf-8")) for path in (RUN, CHECKS)}
        licences = collect_licences(uv, pins[CHECKS], place)
    ran = {pin.name for pin in pins[RUN]}
    rows = [
        f"{pin.name}\t{pin.version}\t{'run' if pin.name in ran else 'checks'}\t{licences[pin.name]}"
        for pin in pins[CHECKS]
    ]
    LICENCES.write_text("\n".join(["package\tversion\tfor\tlicence", *rows, ""]), encoding="utf-8")
    print(f"{len(pins[CHECKS])} packages are pinned, {len(ran)} of them to run Dissent.")
    unfit = find_unfit({name: licences[name] for name in ran}, licences)
    for sentence in unfit:
        print(sentence)
    return bool(unfit)


def resolve(uv: Path, requirements: Iterable[Requirement], file: Path, *options: str) -> None:
    """Write the newest releases that fit together, with the hashes of all their files."""
    command = [uv, "pip", "compile", "-", "--quiet", "--upgrade", "--output-file", file]
    command += ["--universal", "--python-version", OLDEST, "--fork-strategy", "fewest"]
    command += ["--generate-hashes", "--no-annotate", "--no-emit-index-url", "--emit-build-options"]
    command += ["--custom-compile-command", COMMAND, *options]
    given = "\n".join(map(str, requirements))
    subprocess.run(command, input=given, text=True, check=True, cwd=ROOT, stdout=subprocess.DEVNULL)
    head, *blocks = re.split(r"^(?=[a-z])", file.read_text(encoding="utf-8"), flags=re.MULTILINE)
    kept = [block for block in blocks if any(map(read_pins(block)[0].fits, ENVIRONMENTS))]
    file.write_text("".join((head, *kept)), encoding="utf-8")


def collect_licences(uv: Path, pins: Iterable[Pin], place: Path) -> dict[str, str]:
    """Return the licence of each release, those for one system alone included."""
    listed, site = place / "pins.txt", place / "site"
    listed.write_text("\n".join(" ".join((f"{p.name}=={p.version}", *p.hashes)) for p in pins))
    command = [uv, "pip", "install", "--quiet", "--no-deps", "--require-hashes", "-r", listed]
    subprocess.run([*command, "--python", sys.executable, "--target", site], check=True)
    found = distributions(path=[str(site)])
    return {canonicalize_name(one.name): read_licence(one.metadata) for one in found}


if __name__ == "__main__":
    sys.exit(main())
