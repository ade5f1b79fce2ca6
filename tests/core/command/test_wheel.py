import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from core.settings import ROOT
from tests.core.command.serving import get, serve

PACKAGES = ("core", "pages", "sample_data")


@pytest.fixture(scope="module")
def installed(tmp_path_factory) -> Path:
    """Build the wheel and install it into a folder; pure Python, that is unpacking it."""
    built = tmp_path_factory.mktemp("built")
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(built)]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
    (wheel,) = built.iterdir()
    folder = tmp_path_factory.mktemp("installed")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(folder)
    return folder


def run(installed: Path, folder: Path, *words: str) -> str:
    """Return what a Python that has the installed package, but not the checkout, prints."""
    done = subprocess.run(
        [sys.executable, *words],
        cwd=folder,
        env=os.environ | {"PYTHONPATH": str(installed)},
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout


def test_the_wheel_holds_every_file_of_the_app(installed):
    for package in PACKAGES:
        for file in (ROOT / package).rglob("*"):
            if file.is_file() and "__pycache__" not in file.parts:
                assert (installed / file.relative_to(ROOT)).is_file(), file
    assert (installed / "app.py").is_file()
    assert (installed / ".streamlit" / "config.toml").is_file()
    assert not (installed / "tests").exists()


def test_it_has_the_command(installed, tmp_path):
    (points,) = installed.glob("dissent-*.dist-info/entry_points.txt")
    assert "dissent = core.command.main:main" in points.read_text()
    where = run(installed, tmp_path, "-c", "import core.settings as s; print(s.ROOT)")
    assert where.strip() == str(installed)
    version = run(installed, tmp_path, "-m", "core.command.main", "--version")
    assert version.split() == ["dissent", points.parent.name.split("-")[1].removesuffix(".dist")]


def test_the_demo_runs_from_it(installed, tmp_path):
    with serve(("--demo", "--port", 0), tmp_path, root=installed) as served:
        address = served.address()
        assert get(address, "/api/health") == (200, b'{"status":"ok"}')
        assert get(address, "/")[0] == 200
        assert served.stop() == 0
    assert "Traceback" not in served.output.read_text()
