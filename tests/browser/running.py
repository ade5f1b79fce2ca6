"""A real server in a process of its own, to be driven and to be killed."""

import contextlib
import itertools
import multiprocessing
import os
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any, Protocol

from core.place import Place, write_place
from pages.shared.session import session_cookie
from tests.patience import PATIENCE

ROOT = Path(__file__).parent.parent.parent

_ports = itertools.cycle(range(20_000, 32_000))
for _ in range(os.getpid() * 7_417 % 12_000):  # others run tests, too: neighbours begin far apart
    next(_ports)


def free_port() -> int:
    """Return a port of the loopback interface that nobody has or gets unasked.

    Below those that systems hand to clients: one of these could be taken while its server is
    down or on its way, by any connection that another test opens.
    """
    while True:
        port = next(_ports)
        with contextlib.closing(socket.socket()) as probe, contextlib.suppress(OSError):
            probe.bind(("127.0.0.1", port))
            return port


def wait_until(is_so: Callable[[], bool], seconds: float = PATIENCE) -> None:
    """Wait for something that happens on a slow machine, too; fails when it does not."""
    end = time.monotonic() + seconds
    while not is_so():
        assert time.monotonic() < end, "it did not happen in time"
        time.sleep(0.02)


class Running:
    """Dissent on a store, started, killed and started again on the same port.

    Tests start hundreds of servers. Each is a process of its own that is forked from one that has
    imported the modules already; ``afresh`` starts a new Python, as the command does.
    """

    app = "app:app"
    listens_at = "127.0.0.1"
    descriptors: int | None = None
    """How many descriptors the process may have; None: as many as it gets."""

    def __init__(
        self,
        store: Place | None,
        log: Path,
        environment: dict[str, str] | None = None,
        *,
        afresh: bool = False,
    ) -> None:
        self._afresh = afresh
        self.store, self.log, self.environment = store, log, environment or {}
        self.port = free_port()
        self.address = f"http://127.0.0.1:{self.port}"
        self._process: _Process | None = None

    def start(self, seconds: float = PATIENCE) -> None:
        """Start the server and wait until it answers; fails with its log when it does not."""
        self.launch()
        end = time.monotonic() + seconds
        while time.monotonic() < end and self._process and self._process.runs():
            if self.answers():
                return
            time.sleep(0.05)
        self.kill()
        raise RuntimeError(f"the server did not start:\n{self.log.read_text()}")

    def launch(self) -> None:
        """Start the server without waiting for it."""
        chosen = {"DISSENT_STORE": write_place(self.store)} if self.store else {"DISSENT_DEMO": "1"}
        inherited = {key: value for key, value in os.environ.items() if "DISSENT" not in key}
        words = ["--address", self.listens_at, "--port", str(self.port), "--app", self.app]
        environment = {**inherited, **chosen, **self.environment}
        start = _Afresh if self._afresh or not _CAN_FORK else _Forked
        self._process = start(words, environment, self.log, self.descriptors)

    def answers(self, route: str = "health") -> bool:
        """Tell whether the health route answers that all is well, or the one that says ready."""
        try:
            with urllib.request.urlopen(f"{self.address}/api/{route}", timeout=5) as answer:
                return answer.status == 200
        except urllib.error.HTTPError as error:
            error.close()
            return False
        except (urllib.error.URLError, OSError):
            return False

    def has_ended(self) -> bool:
        """Tell whether the server was started and has ended by itself."""
        return self._process is not None and not self._process.runs()

    @property
    def pid(self) -> int:
        """The number of its process; 0 when there is none."""
        return self._process.pid if self._process else 0

    @property
    def cookie(self) -> str:
        """The name of the cookie that holds a session; known once the server has been started."""
        assert isinstance(self.store, Path), "the key is the server's own, or the database's"
        key = self.store.with_name(f"{self.store.name}.key")
        return session_cookie(key.read_text(encoding="ascii").strip())

    def kill(self) -> None:
        """End the server at once, as a power cut would."""
        self._end(signal.SIGKILL)

    def stop(self) -> None:
        """Ask the server to end."""
        self._end(signal.SIGTERM)

    def _end(self, how: signal.Signals) -> None:
        if self._process and self._process.runs():
            os.kill(self._process.pid, how)
            self._process.wait()
        self._process = None


class _Process(Protocol):
    """A server's process, however it was started."""

    @property
    def pid(self) -> int:
        """Its number."""
        ...

    def runs(self) -> bool:
        """Tell whether it has not ended yet."""
        ...

    def wait(self) -> None:
        """Wait until it has ended."""
        ...


class _Afresh:
    """A new Python with its own imports."""

    def __init__(
        self, words: list[str], environment: dict[str, str], log: Path, descriptors: int | None
    ) -> None:
        with log.open("ab") as output:
            self._process = subprocess.Popen(
                [sys.executable, "-m", "pages.server.run", *words],
                env=environment,
                cwd=ROOT,
                stdout=output,
                stderr=subprocess.STDOUT,
                preexec_fn=(lambda: _limit(descriptors)) if descriptors else None,
            )
        self.pid = self._process.pid

    def runs(self) -> bool:
        return self._process.poll() is None

    def wait(self) -> None:
        self._process.wait(PATIENCE)


class _Forked:
    """A fork of a process that has nothing but the imports, and no thread."""

    def __init__(
        self, words: list[str], environment: dict[str, str], log: Path, descriptors: int | None
    ) -> None:
        log.touch()
        _FORKS.set_forkserver_preload(["tests.browser.imported"])
        arguments = words, environment, str(log), descriptors
        self._process = _FORKS.Process(target=serve_forked, args=arguments, daemon=True)
        with _without_main():
            self._process.start()
        self.pid = self._process.pid or 0

    def runs(self) -> bool:
        return bool(self._process.is_alive())

    def wait(self) -> None:
        self._process.join(PATIENCE)


@contextlib.contextmanager
def _without_main() -> Iterator[None]:
    """Have no main module: forks would run it, and tests of pages leave the script of all pages.

    That opens whatever store is the usual one, before the fork knows its own.
    """
    main = sys.modules["__main__"]
    sys.modules["__main__"] = ModuleType("__main__")
    try:
        yield
    finally:
        sys.modules["__main__"] = main


_CAN_FORK = "forkserver" in multiprocessing.get_all_start_methods()
_FORKS: Any = multiprocessing.get_context("forkserver") if _CAN_FORK else None


def serve_forked(
    words: list[str], environment: dict[str, str], log: str, descriptors: int | None
) -> None:
    """Become a server, in a process that was forked for it."""
    os.environ.clear()
    os.environ.update(environment)
    os.chdir(ROOT)
    output = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
    os.dup2(output, 1)
    os.dup2(output, 2)
    os.close(output)
    if descriptors:
        _limit(descriptors)
    from pages.server.run import main

    sys.exit(main(words))


def _limit(descriptors: int) -> None:
    import resource

    resource.setrlimit(resource.RLIMIT_NOFILE, (descriptors, descriptors))
