"""A real server in a process of its own, to be driven and to be killed."""

import contextlib
import os
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from pathlib import Path

ROOT = Path(__file__).parent.parent.parent


def free_port() -> int:
    """Return a port of the loopback interface that nobody listens on."""
    with contextlib.closing(socket.socket()) as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


class Running:
    """Dissent on a store file, started, killed and started again on the same port."""

    def __init__(self, store: Path | None, log: Path) -> None:
        self.store, self.log = store, log
        self.port = free_port()
        self.address = f"http://127.0.0.1:{self.port}"
        self._process: subprocess.Popen[bytes] | None = None

    def start(self, seconds: float = 60) -> None:
        """Start the server and wait until it answers; fails with its log when it does not."""
        chosen = {"DISSENT_STORE": str(self.store)} if self.store else {"DISSENT_DEMO": "1"}
        environment = {key: value for key, value in os.environ.items() if "DISSENT" not in key}
        with self.log.open("ab") as log:
            self._process = subprocess.Popen(
                [sys.executable, "-m", "streamlit", "run", str(ROOT / "app.py"),
                 f"--server.port={self.port}"],
                env={**environment, **chosen},
                cwd=self.log.parent,
                stdout=log,
                stderr=subprocess.STDOUT,
            )  # fmt: skip
        end = time.monotonic() + seconds
        while time.monotonic() < end and self._process.poll() is None:
            if self.answers():
                return
            time.sleep(0.05)
        self.kill()
        raise RuntimeError(f"the server did not start:\n{self.log.read_text()}")

    def answers(self) -> bool:
        """Tell whether the health route answers."""
        try:
            with urllib.request.urlopen(f"{self.address}/api/health", timeout=5) as answer:
                return answer.status == 200
        except (urllib.error.URLError, OSError):
            return False

    def kill(self) -> None:
        """End the server at once, as a power cut would."""
        self._end(signal.SIGKILL)

    def stop(self) -> None:
        """Ask the server to end."""
        self._end(signal.SIGTERM)

    def _end(self, how: signal.Signals) -> None:
        if self._process and self._process.poll() is None:
            self._process.send_signal(how)
            self._process.wait(30)
        self._process = None
