"""Files that an account may not read or write: every command says what to do and makes nothing."""

import ctypes
import hashlib
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from core.settings import ROOT
from core.store.backup.backup import save_backup
from core.store.people.people import add_person
from core.store.store import Store
from tests.core.command.whole_store import build_study
from tests.short import few, long

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="modes, and how root obeys them")

_DROP, _MAY_IGNORE_MODES = 24, (1, 2)

# Runs commands one after the other and tells of each its status and what it printed.
RUN = """
import io, json, sys
from contextlib import redirect_stderr, redirect_stdout
from core.command.main import main
told = []
for words in json.load(sys.stdin):
    with redirect_stdout(io.StringIO()) as out, redirect_stderr(io.StringIO()) as err:
        try:
            status = main(words)
        except BaseException as error:
            status = repr(error)
    told.append([status, out.getvalue(), err.getvalue()])
print(json.dumps(told))
"""


def obey_modes() -> None:
    """Give up what lets root read and write whatever it likes."""
    for right in _MAY_IGNORE_MODES if os.geteuid() == 0 else ():
        if ctypes.CDLL(None).prctl(_DROP, right, 0, 0, 0):
            os._exit(77)


class Files:
    """A store with a log and a key, an archive of it, and a folder that is the account's own."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.data, self.own = root / "data", root / "own"
        self.store = self.data / "study.duckdb"
        self.key = self.data / "study.duckdb.key"
        self.log = self.data / "study.duckdb.wal"
        self.archive = root / "study.zip"

    def commands(self) -> dict[str, list[str]]:
        """Return commands that work on the store."""
        store = ("--store", self.store)
        study = (*store, "--collection", "Study")
        return {name: [str(word) for word in words] for name, words in {
            "serve": ("serve", *store, "--port", "0"),
            "import": ("import", "topics", self.root / "topics.tsv", *study),
            "export": ("export", "labels", *study),
            "pool": ("pool", *study, "--depth", 3),
            "backup": ("backup", self.own / "new.zip", *store),
        }.items()}  # fmt: skip

    def new_files(self) -> dict[str, list[str]]:
        """Return commands that make something beside the store."""
        new = ("--store", self.data / "new.duckdb")
        topics = self.root / "topics.tsv"
        return {name: [str(word) for word in words] for name, words in {
            "restore": ("restore", self.archive, *new),
            "create": ("import", "topics", topics, *new, "--collection", "New", "--create"),
        }.items()}  # fmt: skip

    def run(self, commands: dict[str, list[str]], before: str = "") -> dict[str, Any]:
        """Run commands in a process that has to obey the modes of files."""
        done = subprocess.run(
            [sys.executable, "-c", before + RUN],
            cwd=self.own,
            env={**os.environ, "PYTHONPATH": str(ROOT), "TMPDIR": str(self.own)},
            input=json.dumps(list(commands.values())),
            preexec_fn=obey_modes,
            capture_output=True,
            text=True,
        )
        if done.returncode == 77:
            pytest.skip("root cannot be made to obey modes here")
        assert done.returncode == 0, done.stderr
        return dict(zip(commands, json.loads(done.stdout), strict=True))

    def contents(self) -> dict[str, str]:
        """Return the hash of every file; as root, or as their owner after the modes are back."""
        return {
            str(file.relative_to(self.root)): hashlib.sha256(file.read_bytes()).hexdigest()
            for file in self.root.rglob("*")
            if file.is_file() and os.access(file, os.R_OK)
        }


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store whose server was killed: some of it is in its log."""
    made = Files(tmp_path_factory.mktemp("study"))
    made.data.mkdir()
    made.own.mkdir()
    (made.root / "topics.tsv").write_text("t7\tanother\n")
    build_study(made.store)
    store = Store(made.store)
    add_person(store, "Late", "assessor")
    save_backup(store, made.archive)
    kept = {file: file.read_bytes() for file in (made.store, made.log)}
    store.close()
    for file, content in kept.items():
        file.write_bytes(content)
    return made.root


@pytest.fixture
def files(study: Path, tmp_path: Path) -> Iterator[Files]:
    copied = Files(Path(shutil.copytree(study, tmp_path, dirs_exist_ok=True)))
    yield copied
    copied.data.chmod(0o700)


def lock_folder(files: Files) -> None:
    files.data.chmod(0o500)


def lock_everything(files: Files) -> None:
    for file in (files.store, files.log, files.key, files.data):
        file.chmod(0o500)


def lose_the_key(files: Files) -> None:
    files.key.unlink()
    lock_folder(files)


SITUATIONS: dict[str, Callable[[Files], None]] = {
    "a folder that cannot be written": lock_folder,
    "nothing that can be written": lock_everything,
    "no key, and a folder that cannot be written": lose_the_key,
    "a store that cannot be written": lambda files: files.store.chmod(0o400),
    "a store that cannot be read": lambda files: files.store.chmod(0),
    "a log that cannot be written": lambda files: files.log.chmod(0o400),
    "a log that cannot be read": lambda files: files.log.chmod(0),
    "a key that cannot be read": lambda files: files.key.chmod(0),
}
CHECKABLE = [name for name in SITUATIONS if not name.endswith("read")]


def assert_refused(told: dict[str, Any]) -> None:
    """Each said in one sentence what is wrong and what to do."""
    for name, (status, out, err) in told.items():
        assert (status, out) == (1, ""), f"{name}: {err}"
        assert err.startswith("dissent: "), name
        assert err.count("\n") == 1, f"{name}: {err}"
        assert "chown" in err, f"{name}: {err}"


@long
@pytest.mark.parametrize("situation", few(SITUATIONS))
def test_every_command_says_what_to_do(files: Files, situation: str):
    SITUATIONS[situation](files)
    before = files.contents()
    commands = files.commands()
    if "folder" in situation or "nothing" in situation:
        commands |= files.new_files()
    told = files.run({**commands, "check": ["check", str(files.store)]})
    check = told.pop("check")
    assert_refused(told)
    assert files.contents() == before
    if situation in CHECKABLE:
        assert check[0] == 0, check
        assert check[1].endswith("\nThe store is whole.\n")
    else:
        assert check[0] == 1, check


@long
def test_without_a_look_beforehand_some_begin_and_fail(files: Files):
    """The file may be written, so it opens: only what has to be saved would fail."""
    files.log.unlink()
    lock_folder(files)
    module = "core.store.file.file_backing"
    unguarded = f"import {module} as opening; opening.require_access = lambda _: None\n"
    told = files.run({name: files.commands()[name] for name in ("pool", "import")}, unguarded)
    assert told["pool"][0] == 0
    assert "Failed to commit" in told["import"][0]


@contextmanager
def mount_read_only(folder: Path) -> Iterator[None]:
    """Have a folder on a disk of its own that is mounted read-only."""
    again = folder.rename(folder.with_name("before"))
    folder.mkdir()
    if subprocess.run(["mount", "-t", "tmpfs", "none", folder], capture_output=True).returncode:
        pytest.skip("no disk can be mounted here")
    try:
        shutil.copytree(again, folder, dirs_exist_ok=True)
        shutil.rmtree(again)
        subprocess.run(["mount", "-o", "remount,ro", folder], check=True)
        yield
    finally:
        subprocess.run(["umount", "-l", folder], check=True)
        folder.rmdir()
        folder.mkdir()


@long
@pytest.mark.skipif(os.geteuid() != 0, reason="needs root")
def test_a_disk_that_is_read_only(files: Files):
    with mount_read_only(files.data):
        before = files.contents()
        told = files.run(files.commands() | files.new_files())
        told |= files.run({"check": ["check", str(files.store)]})
        assert told.pop("check")[0] == 0
        assert_refused(told)
        assert files.contents() == before
