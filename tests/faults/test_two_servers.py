"""A second server on a store, whatever name it goes by, says so and changes nothing."""

import hashlib
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from core.command.main import main
from core.settings import ROOT
from core.store.store import Store
from tests.browser.running import Running
from tests.short import long

pytestmark = pytest.mark.skipif(os.name != "posix", reason="locks and links are POSIX")

NAMES = ("study.duckdb", "symbolic.duckdb", "hard.duckdb")


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """A server on a store that goes by three names."""
    folder = tmp_path_factory.mktemp("served")
    path = folder / NAMES[0]
    Store(path).close()
    (folder / NAMES[1]).symlink_to(path)
    server = Running(path, tmp_path_factory.mktemp("log") / "server.log")
    server.start()
    (folder / NAMES[2]).hardlink_to(path)  # no server starts on a file with two such names
    yield server
    server.kill()


def contents(folder: Path) -> dict[str, str]:
    """Return the hash of every file."""
    return {file.name: hashlib.sha256(file.read_bytes()).hexdigest() for file in folder.iterdir()}


@pytest.mark.parametrize("name", NAMES)
def test_the_command_refuses(
    served: Running, name: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
):
    assert served.store is not None
    folder = served.store.parent
    before = contents(folder)
    monkeypatch.chdir(folder)
    assert main(["serve", "--store", name, "--port", "0"]) == 1
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.count("\n") == 1
    assert f"is open in process {served.pid}, probably a running Dissent server" in said.err
    assert contents(folder) == before
    assert served.answers()


@long
def test_the_app_on_its_own_refuses(served: Running, tmp_path: Path, long_form: bool):
    assert served.store is not None
    folder = served.store.parent
    before = contents(folder)
    for name in NAMES if long_form else NAMES[2:]:
        done = subprocess.run(
            [sys.executable, "-m", "streamlit", "run", str(ROOT / "app.py"), "--server.port", "0"],
            env=os.environ | {"DISSENT_STORE": str(folder / name)},
            cwd=tmp_path,
            capture_output=True,
            text=True,
        )
        assert done.returncode != 0
        assert "Dissent cannot start: The store " in done.stderr
        assert f"is open in process {served.pid}" in done.stderr
        assert "Traceback" not in done.stderr
        assert contents(folder) == before
    assert served.answers()
