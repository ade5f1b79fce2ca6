"""A private PostgreSQL of the tests' own: on a socket in a temporary folder, nothing else."""

import os
import pwd
import shutil
import signal
import subprocess
import tempfile
import time
from pathlib import Path

from psycopg import connect

from tests.patience import PATIENCE

_PLACES = ("/usr/lib/postgresql", "/usr/local/pgsql", "/opt/postgresql")
_ACCOUNT = "postgres"

SAFE = ("fsync=on",)
QUICK = ("fsync=off", "full_page_writes=off")


def find_programs() -> Path | None:
    """Return the folder with the newest server that is installed; None without one."""
    found = shutil.which("postgres")
    folders = [file.parent for place in _PLACES for file in Path(place).glob("*/bin/postgres")]
    newest = sorted(folders, key=lambda one: float(one.parent.name), reverse=True)
    return newest[0] if newest else Path(found).parent if found else None


def get_programs() -> Path:
    """Return the folder with the server's programs, installing them where that is possible.

    What tests of several servers need besides comes with it: a proxy before them.
    """
    found = find_programs()
    if found and shutil.which("nginx", path=f"{os.environ.get('PATH', '')}:/usr/sbin"):
        return found
    said = ""
    if shutil.which("apt-get") and os.geteuid() == 0:
        install = "apt-get install -y -qq --no-install-recommends"
        command = f"apt-get update -qq && {install} postgresql nginx-light"
        print("Getting PostgreSQL:", command, flush=True)
        done = subprocess.run(
            ["sh", "-c", command],
            capture_output=True,
            text=True,
            check=False,
            env=os.environ | {"DEBIAN_FRONTEND": "noninteractive"},
        )
        said = (done.stderr or done.stdout).strip()[-300:]
    found = find_programs()
    if found is None:
        raise SystemExit(
            "The tests of a store in PostgreSQL need its server, and none was found or could be "
            f"installed.\nInstall it (on Debian and Ubuntu: apt install postgresql). {said}"
        )
    return found


class Cluster:
    """A server with its data in a folder of its own, started at once.

    PostgreSQL refuses to run for root, so it runs for the account that its package made.
    """

    def __init__(self, *settings: str, port: int = 5432) -> None:
        programs = find_programs()
        assert programs, "no PostgreSQL: run 'python -m tests', which gets one"
        self._programs, self.settings, self._port = programs, settings, str(port)
        self._account = _ACCOUNT if os.geteuid() == 0 else pwd.getpwuid(os.geteuid()).pw_name
        self.folder = Path(tempfile.mkdtemp(prefix="dissent-pg-"))
        if os.geteuid() == 0:
            shutil.chown(self.folder, _ACCOUNT, _ACCOUNT)
        # Where the account may be: not in a folder of root's.
        words = ["initdb", "-D", str(self.folder / "data"), "-A", "trust", "-E", "UTF8"]
        self._run([*words, "--locale=C.UTF-8", "--no-sync", "-U", "dissent"])
        self._server: subprocess.Popen[bytes] | None = None
        self._made = 0
        self.start()
        with connect(self.address("postgres")) as link:
            # Before PostgreSQL 15 there was no other way, and no word for it.
            is_named = link.info.server_version >= 150_000
        self._strategy = " STRATEGY file_copy" if is_named else ""

    def start(self) -> None:
        """Start the server and wait until it answers."""
        settings = [
            "listen_addresses=",
            f"port={self._port}",
            f"unix_socket_directories={self.folder}",
            *self.settings,
        ]
        with (self.folder / "log").open("ab") as log:
            self._server = subprocess.Popen(
                [
                    *(str(self._programs / "postgres"), "-D", str(self.folder / "data")),
                    *(word for one in settings for word in ("-c", one)),
                ],
                stdout=log,
                stderr=log,
                cwd=self.folder,
                **self._as_account(),
            )
        self.wait()

    def wait(self) -> None:
        """Wait until the server answers."""
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            words = [str(self._programs / "pg_isready"), "-q", "-h", str(self.folder)]
            words += ["-p", self._port]
            if subprocess.run(words, check=False).returncode == 0:
                return
            time.sleep(0.05)
        raise TimeoutError((self.folder / "log").read_text(errors="replace")[-2000:])

    def stop(self, how: signal.Signals = signal.SIGQUIT) -> None:
        """Stop the server: at once unless told otherwise."""
        if self._server is not None:
            self._server.send_signal(how)
            self._server.wait(PATIENCE)
            self._server = None

    def make(self, *, template: str = "") -> str:
        """Make a database, empty or a copy of another one, and return its address."""
        self._made += 1
        name = f"study{self._made}"
        self._execute(f"CREATE DATABASE {name} TEMPLATE {template or 'template1'}{self._strategy}")
        return self.address(name)

    def drop(self, name: str) -> None:
        """Remove a database, and end whatever is connected to it."""
        self._execute(f"DROP DATABASE {name} WITH (FORCE)")

    def address(self, name: str) -> str:
        """Return the address of a database."""
        return f"postgresql://dissent@/{name}?host={self.folder}&port={self._port}"

    def close(self) -> None:
        """Stop the server and remove its data."""
        self.stop()
        shutil.rmtree(self.folder, ignore_errors=True)

    def _execute(self, statement: str) -> None:
        with connect(self.address("postgres"), autocommit=True) as link:
            link.execute(statement)

    def _run(self, words: list[str]) -> None:
        program, *rest = words
        subprocess.run(
            [str(self._programs / program), *rest],
            check=True,
            capture_output=True,
            cwd=self.folder,
            **self._as_account(),
        )

    def _as_account(self) -> dict[str, object]:
        if os.geteuid():
            return {}
        account = pwd.getpwnam(self._account)
        return {"user": account.pw_uid, "group": account.pw_gid, "extra_groups": []}
