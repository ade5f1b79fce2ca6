"""``dissent serve``: starts the app's server, opens a browser, and stops cleanly."""

import contextlib
import json
import math
import os
import shlex
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time
import webbrowser
from argparse import Namespace
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from types import FrameType

from core.errors import BadInput
from core.place import Place, write_place
from core.prompting.endpoint import find_endpoint, read_key
from core.settings import (
    PREFIX,
    ROOT,
    local_address,
    local_host,
    read_settings,
    read_webhook_networks,
)

_NEEDED = ("app.py", "pages/main.py", "pages/server/run.py", ".streamlit/config.toml")
_PATIENCE = 60
"""Seconds for the server to answer, and for a slow machine to import everything."""
_AT_WORK = 1.0
"""Seconds of a processor that a server takes meanwhile, unless it hangs."""
_GRACE = 15
"""Seconds that a server has to end before it is killed."""
_ENDING = [
    getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)
]


def write_command(store: Place | None, address: str, port: int) -> str:
    """Return the command line that serves a store at an address; without a store, the demo."""
    which = ["--demo"] if store is None else ["--store", str(store)]
    words = [_find_program(), "serve", *which, "--address", address, "--port", str(port)]
    return shlex.join(words)


def _find_program() -> str:
    """Return what a terminal is told to run: with its folder, unless a bare name leads there."""
    beside = Path(sys.executable).with_name("dissent")
    if not beside.is_file() or shutil.which("dissent") == str(beside):
        return "dissent"
    return str(beside)


def network_host() -> str:
    """Return the address that other machines of the network know this one by; empty without one.

    Nothing is sent: the system is only asked by which way it would.
    """
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as way:
        try:
            way.connect(("192.0.2.1", 9))
            host = str(way.getsockname()[0])
        except OSError:
            return ""
    return "" if host.startswith("127.") or host == "0.0.0.0" else host


def run(arguments: Namespace) -> int:
    """Start the server as a child, wait for it, and stop it with this process."""
    _check_installation()
    environment = _make_environment(arguments)
    port = _check_port(arguments.address, arguments.port)
    child = _start(_command(arguments.address, port), environment)
    end = _End(child)
    former = {number: signal.signal(number, end.ask) for number in _ENDING}
    try:
        _announce(child, arguments.address, port)
        status = child.wait()
        return 0 if end.is_asked else _explain_end(status)
    finally:
        _stop(child)
        for number, handler in former.items():
            signal.signal(number, handler)


class _End:
    """Ctrl+C and its like, passed on to the server: it ends, and the waiting for it with it.

    Nothing is raised in the handler: an exception there is lost when Python happens to be in a
    finaliser.
    """

    def __init__(self, child: "subprocess.Popen[bytes]") -> None:
        self.child = child
        self.is_asked = False

    def ask(self, _signal: int, _frame: FrameType | None) -> None:
        """Ask the server to stop, and insist when it does not or when asked again."""
        if self.is_asked:
            self.child.kill()
            return
        self.is_asked = True
        self.child.terminate()
        with contextlib.suppress(OSError):  # the terminal may be gone
            os.write(1, b"\nStopping.\n")
        insisting = threading.Timer(_GRACE, self.child.kill)
        insisting.daemon = True
        insisting.start()


def _start(command: list[str], environment: dict[str, str]) -> "subprocess.Popen[bytes]":
    """Start the server with one end of a pipe: it stops when this process is gone, even killed.

    In a group of its own: Ctrl+C reaches this process only, which stops it in its own way.
    """
    if os.name != "posix":
        return subprocess.Popen(command, cwd=ROOT, env=environment)
    theirs, _ = os.pipe()  # this process's own end closes when it dies, and not before
    child = subprocess.Popen(
        command,
        cwd=ROOT,
        env=environment | {"DISSENT_LIFELINE": str(theirs)},
        process_group=0,
        pass_fds=(theirs,),
    )
    os.close(theirs)
    return child


def _check_installation() -> None:
    missing = [name for name in _NEEDED if not (ROOT / name).is_file()]
    if missing:
        raise BadInput(
            f"this installation lacks {', '.join(missing)}, so it cannot show the app; the other "
            "commands work. Run 'dissent serve' from a checkout, or install the whole package"
        )


def _make_environment(arguments: Namespace) -> dict[str, str]:
    """Return the child's environment, after opening the store once: it must be free and fit."""
    environment = {
        name: value
        for name, value in os.environ.items()
        if name not in ("DISSENT_STORE", "DISSENT_DEMO")
    }
    if arguments.demo:
        return environment | {"DISSENT_DEMO": "1"}
    place = _try_store(arguments)
    read_webhook_networks()  # refused here, in a sentence
    if find_endpoint():
        read_key()
    if plan := read_settings().backups:
        environment["DISSENT_BACKUPS"] = str(plan.folder)
    return environment | {"DISSENT_STORE": write_place(place)}


def _try_store(arguments: Namespace) -> Place:
    """Open the store once that is asked for; returns where it is."""
    # Late: the demo has none here, and starts without all that a store needs.
    from core.command.stores import open_at, store_place
    from core.store.opening import has_store

    place = store_place(arguments)
    if isinstance(place, Path):
        place = place.absolute()
        with open_at(place):
            pass
    else:
        has_store(place)  # it has to answer, and let this server in
    return place


def _check_port(address: str, port: int) -> int:
    """Return the port, or a free one for 0; raises BadInput where nothing can listen."""
    family = socket.AF_INET6 if ":" in address else socket.AF_INET
    try:
        with socket.create_server((address, port), family=family) as probe:
            return int(probe.getsockname()[1])
    except OSError as error:
        reason = (error.strerror or str(error)).partition(" (")[0].lower()
        raise BadInput(
            f"port {port} of {address} cannot be used: {reason}. Choose another with --port"
        ) from error


def _command(address: str, port: int) -> list[str]:
    """Return the words that start the server; run in ROOT, nothing here can stand in for it.

    In a checkout modules are found in ROOT. Installed, they are not, and nothing else in ROOT is to
    be taken for a module at the top.
    """
    return [
        sys.executable, *(["-P"] if PREFIX else []), "-m", f"{PREFIX}pages.server.run",
        "--address", address, "--port", str(port),
    ]  # fmt: skip


def _announce(child: "subprocess.Popen[bytes]", address: str, port: int) -> None:
    """Wait until the server answers, say where, and open a browser where there is one."""
    deadline, used = time.monotonic() + _PATIENCE, 0.0
    while not _is_healthy(local_host(address), port):
        if child.poll() is not None:
            return
        if time.monotonic() > deadline:
            before, used = used, _processor_seconds(child.pid)
            if used - before < _AT_WORK:
                raise BadInput(f"the server has done nothing for {_PATIENCE} seconds")
            print("Dissent is still starting: a large store takes a while.", flush=True)
            deadline += _PATIENCE
        time.sleep(0.1)
    url = local_address(address, port)
    print(f"Dissent is running at {url} (Ctrl+C stops it).", flush=True)
    if sys.stdout.isatty() and _has_display():
        threading.Thread(target=webbrowser.open, args=(url,), daemon=True).start()


def _processor_seconds(process: int) -> float:
    """Return what a process has taken of a processor; without end where that cannot be told."""
    try:
        fields = (
            Path(f"/proc/{process}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
        )
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    except (OSError, ValueError, IndexError):
        return math.inf


def _is_healthy(host: str, port: int) -> bool:
    """Tell whether the app answers and its store with it; Streamlit alone answers in HTML."""
    connection = HTTPConnection(host, port, timeout=5)
    try:
        connection.request("GET", "/api/health")
        response = connection.getresponse()
        return response.status == 200 and json.loads(response.read()) == {"status": "ok"}
    except (OSError, HTTPException, ValueError):
        return False
    finally:
        connection.close()


def _has_display() -> bool:
    if sys.platform in ("darwin", "win32"):
        return True
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))


def _explain_end(status: int) -> int:
    """Say that the server ended by itself."""
    if status:
        print(f"dissent: the server ended with status {status}; see above", file=sys.stderr)
    return 1 if status else 0


def _stop(child: "subprocess.Popen[bytes]") -> None:
    """Stop a server that is still there."""
    if child.poll() is not None:
        return
    child.terminate()
    try:
        child.wait(timeout=_GRACE)
    except subprocess.TimeoutExpired:
        child.kill()
        child.wait()
