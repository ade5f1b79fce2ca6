import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from core.command.main import main
from core.settings import ROOT
from tests.core.command.whole_store import build_study
from tests.patience import PATIENCE


@dataclass(frozen=True)
class Outcome:
    status: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out, parse_constant=pytest.fail)


Dissent = Callable[..., Outcome]


@pytest.fixture
def dissent(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> Dissent:
    """Return the command line: its words in, its status and what it printed out."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("DISSENT_STORE", raising=False)
    monkeypatch.delenv("DISSENT_DEMO", raising=False)

    def call(*words: object) -> Outcome:
        capsys.readouterr()
        try:
            status = main([str(word) for word in words])
        except SystemExit as end:
            status = int(end.code or 0)
        return Outcome(status, *capsys.readouterr())

    return call


@pytest.fixture(scope="session")
def whole_study(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str, str]:
    """A store of every kind, to be read or copied, its collection, and who finished everything."""
    path = tmp_path_factory.mktemp("whole") / "study.duckdb"
    return path, *build_study(path)


@pytest.fixture
def held_store(tmp_path: Path) -> Iterator[Path]:
    """Return a store that another process has open."""
    store = tmp_path / "held.duckdb"
    script = (
        "import sys; from pathlib import Path; from core.store.store import Store; "
        "store = Store(Path(sys.argv[1])); print('open', flush=True); sys.stdin.read()"
    )
    holder = subprocess.Popen(
        [sys.executable, "-c", script, str(store)],
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    )
    with holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == b"open\n"
        yield store
        holder.communicate(timeout=PATIENCE)
