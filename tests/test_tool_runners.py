"""The app run from a wheel by uvx, which sets up an environment for it and forgets it again."""

import shutil
import signal
import sys
import zipfile
from collections.abc import Iterator
from importlib.metadata import Distribution, distribution
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.tags import parse_tag, sys_tags
from packaging.utils import canonicalize_name
from uv import find_uv_bin

from core.version import __version__
from tests.core.command.serving import get, serve
from tests.docs import read_block
from tests.pins import read_project, read_requirements
from tests.short import long
from tests.test_wheel import run, wheel

__all__ = ["wheel"]


FITTING = frozenset(sys_tags())


def find_needed(requirements: list[Requirement]) -> set[str]:
    """Return the names of the installed packages that these ask for, and what those ask for."""
    found: set[str] = set()
    waiting = [one for one in requirements if not one.marker or one.marker.evaluate({"extra": ""})]
    while waiting:
        name = canonicalize_name(waiting.pop().name)
        if name not in found:
            found.add(name)
            waiting += [
                one
                for one in read_requirements(name)
                if not one.marker or one.marker.evaluate({"extra": ""})
            ]
    return found


def pack(installed: Distribution, folder: Path) -> None:
    """Make a wheel again of what is installed."""
    about = installed.read_text("WHEEL") or ""
    told = [line.removeprefix("Tag: ") for line in about.splitlines() if line.startswith("Tag: ")]
    tag = next(one for line in told for one in parse_tag(line) if one in FITTING)
    name = f"{canonicalize_name(installed.name).replace('-', '_')}-{installed.version}"
    files = [
        file
        for file in installed.files or ()
        if ".." not in file.parts and file.suffix != ".pyc" and file.locate().is_file()
    ]
    kept = {str(file) for file in files}
    with zipfile.ZipFile(folder / f"{name}-{tag}.whl", "w") as archive:
        for file in files:
            if file.name == "RECORD":
                lines = file.read_text().splitlines()
                record = [line for line in lines if line.split(",")[0].strip('"') in kept]
                archive.writestr(str(file), "\n".join(record))
            else:
                archive.write(file.locate(), str(file))


@pytest.fixture(scope="module")
def uvx(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[object, ...]]:
    """Return how uvx runs the wheel; all that it needs lies beside it, and no index is asked."""
    folder = tmp_path_factory.mktemp("wheels")
    run_by, _ = read_project()
    for name in sorted(find_needed(run_by)):
        pack(distribution(name), folder)
    offline = ("--offline", "--no-index", "--find-links", folder, "--cache-dir", folder / "cache")
    yield (find_uv_bin(), "tool", "run", *offline, "--python", sys.executable)
    shutil.rmtree(folder)


@long
def test_the_demo_runs_from_a_wheel_as_the_handbook_says(uvx, wheel, tmp_path):
    told, _ = read_block("runners").splitlines()
    assert told == "uvx --from . dissent serve --demo"
    words = [*uvx, *(wheel if word == "." else word for word in told.split()[1:-2])]
    assert run(*words, "--version", cwd=tmp_path) == f"dissent {__version__}\n"
    with serve(("--demo", "--port", 0), tmp_path, installed=words) as served:
        assert get(served.address(), "/api/health") == (200, b'{"status":"ok"}')
        assert served.stop(signal.SIGTERM) in (0, -signal.SIGTERM, 128 + signal.SIGTERM)
    assert "Traceback" not in served.output.read_text()
