import contextlib
import os
import shlex
import shutil
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from core.command import serve as command
from core.command.main import COMMANDS, build_parser
from core.command.stores import store_place
from core.errors import StoreInUse
from core.settings import ROOT
from core.store.store import Store
from tests.browser.running import free_port, wait_until
from tests.core.command.serving import get, serve
from tests.each import each
from tests.patience import PATIENCE
from tests.short import few, long


def test_a_store_is_served_until_interrupted(tmp_path):
    with serve(("--store", "own.duckdb", "--port", 0), tmp_path) as served:
        link = served.printed(r"Sign in once with:\n\s+\S+/enter/\S+").split()[-1]
        address = served.address()
        assert address.startswith("http://127.0.0.1:")
        assert link.startswith(address + "/enter/")
        assert get(address, "/api/health") == (200, b'{"status":"ok"}')
        assert get(address, "/")[0] == 200
        assert served.stop(signal.SIGINT) == 0
    assert "Traceback" not in served.output.read_text()
    assert "\nStopping.\n" in served.output.read_text()
    Store(tmp_path / "own.duckdb").close()  # in the folder where it was started, and let go of


@long
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_it_takes_the_server_along_when_it_is_ended(tmp_path, number):
    with serve(("--store", "s.duckdb", "--port", 0), tmp_path) as served:
        served.address()
        assert served.stop(number) == 0
    Store(tmp_path / "s.duckdb").close()


@long
@pytest.mark.skipif(os.name != "posix", reason="needs pipes that a child inherits")
def test_a_server_whose_command_is_killed_ends_too(tmp_path):
    with serve(("--store", "s.duckdb", "--port", 0), tmp_path) as served:
        address = served.address()
        served.process.kill()
        wait_until(lambda: not is_held(tmp_path / "s.duckdb"))
    with pytest.raises(ConnectionRefusedError):
        get(address, "/api/health")


@long
@pytest.mark.skipif(os.name != "posix", reason="needs pipes that a child inherits")
@pytest.mark.parametrize("words", few([(), ("--demo",)]))
def test_a_request_that_never_ends_does_not_keep_it_alive(tmp_path, words):
    """Neither when the command is killed, nor when it is told to stop."""
    with serve((*words, "--port", 0), tmp_path) as served:
        host, port = urlsplit(served.address()).netloc.split(":")
        peers = [socket.create_connection((host, int(port))) for _ in range(3)]
        for peer in peers:
            peer.sendall(b"POST /sign-in HTTP/1.1\r\nHost: x\r\nContent-Length: 9000\r\n\r\nname=")
        time.sleep(0.5)
        if words:
            assert served.stop(signal.SIGINT) == 0
        else:
            served.process.kill()
            wait_until(lambda: not is_held(tmp_path / "dissent.duckdb"))
        for peer in peers:
            peer.close()


_UNHURRIED = """
import sys
from pages.server import run
from pages.server import process
run.ENDS_WITHIN = None
process.PATIENCE = 1e6
sys.exit(run.main(["--port", sys.argv[1]]))
"""


@long
@pytest.mark.parametrize("is_guarded", few([True, False]))
def test_a_request_that_never_ends_is_given_some_seconds_only(tmp_path, is_guarded):
    """Told to stop, a server without a limit waits for as long as the request does."""
    port = free_port()
    words = ["-m", "pages.server.run", "--port"] if is_guarded else ["-c", _UNHURRIED]
    environment = os.environ | {"DISSENT_STORE": str(tmp_path / "s.duckdb")}
    process = subprocess.Popen(
        [sys.executable, *words, str(port)], cwd=ROOT, env=environment, stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )  # fmt: skip
    try:
        wait_until(lambda: is_listening(port))
        with socket.create_connection(("127.0.0.1", port)) as peer:
            peer.sendall(b"POST /sign-in HTTP/1.1\r\nHost: x\r\nContent-Length: 9000\r\n\r\nname=")
            time.sleep(1)
            process.terminate()
            if is_guarded:
                assert process.wait(timeout=PATIENCE) in (0, -signal.SIGTERM)
            else:
                with pytest.raises(subprocess.TimeoutExpired):
                    process.wait(timeout=12)
    finally:
        process.kill()
        process.wait()


def is_listening(port: int) -> bool:
    with contextlib.suppress(OSError):
        return get(f"http://127.0.0.1:{port}", "/api/health")[0] == 200
    return False


def is_held(path: Path) -> bool:
    try:
        Store(path).close()
    except StoreInUse:
        return True
    return False


@long
def test_a_server_started_without_the_command_says_why_it_cannot(held_store):
    """In a sentence, though Streamlit's server prints tracebacks."""
    words = [sys.executable, "-m", "streamlit", "run", "app.py", "--server.port", "0"]
    environment = os.environ | {"DISSENT_STORE": str(held_store)}
    done = subprocess.run(words, cwd=ROOT, env=environment, capture_output=True, text=True)
    assert done.returncode != 0
    assert f"Dissent cannot start: The store {held_store} is open in process " in done.stderr
    assert "Traceback" not in done.stderr


@long
def test_the_demo_needs_no_store_and_leaves_that_of_the_environment_alone(tmp_path):
    untouched = {"DISSENT_STORE": str(tmp_path / "real.duckdb")}
    with serve(("--demo", "--port", 0), tmp_path, env=untouched) as served:
        assert get(served.address(), "/api/health")[0] == 200
        assert served.stop() == 0
    assert "/enter/" not in served.output.read_text()
    assert not (tmp_path / "real.duckdb").exists()


@long
def test_the_projects_own_configuration_is_in_force_anywhere(tmp_path):
    """A folder's own settings would, for one, open the server to the network."""
    (tmp_path / ".streamlit").mkdir()
    (tmp_path / ".streamlit" / "config.toml").write_text('[server]\nbaseUrlPath = "elsewhere"\n')
    (tmp_path / "pages").mkdir()
    (tmp_path / "pages" / "main.py").write_text("raise SystemExit('the wrong pages')\n")
    with serve(("--store", "s.duckdb", "--port", 0), tmp_path) as served:
        assert get(served.address(), "/api/health")[0] == 200
        assert served.stop() == 0


@long
def test_a_folder_of_a_host_is_refused(tmp_path):
    """Other pages of the same host could act for whoever is signed in."""
    given = {"STREAMLIT_SERVER_BASE_URL_PATH": "judge"}
    with serve(("--store", "s.duckdb", "--port", 0), tmp_path, env=given) as served:
        assert served.process.wait(PATIENCE) == 1
        said = served.output.read_text()
    assert "Dissent cannot start: it is to be the folder 'judge' of a host" in said
    assert "Traceback" not in said


@long
def test_a_store_that_another_process_holds_is_one_sentence(dissent, held_store):
    result = dissent("serve", "--store", held_store, "--port", 0)
    assert (result.status, result.out) == (1, "")
    assert result.err.startswith(f"dissent: The store {held_store} is open in process ")
    assert result.err.count("\n") == 1


def test_a_port_in_use_is_one_sentence(dissent):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        result = dissent("serve", "--store", "s.duckdb", "--port", port)
    assert (result.status, result.out) == (1, "")
    assert result.err == (
        f"dissent: port {port} of 127.0.0.1 cannot be used: address already in use. "
        "Choose another with --port\n"
    )


@pytest.mark.parametrize("address", ["192.0.2.1", "no.such.host.invalid"])
def test_an_address_of_another_machine_is_one_sentence(dissent, address):
    result = dissent("serve", "--store", "s.duckdb", "--port", 0, "--address", address)
    assert result.status == 1
    assert result.err.startswith(f"dissent: port 0 of {address} cannot be used: ")
    assert result.err.count("\n") == 1


@pytest.mark.parametrize(
    "words", [("--port", "x"), ("--port", "70000"), ("--demo", "--store", "s.duckdb")]
)
def test_wrong_usage(dissent, words):
    assert dissent("serve", *words).status == 2


def test_a_file_that_is_no_store_is_refused(dissent, tmp_path):
    (tmp_path / "notes.txt").write_text("no store")
    result = dissent("serve", "--store", tmp_path / "notes.txt", "--port", 0)
    assert result.status == 1
    assert f"The store {tmp_path / 'notes.txt'} cannot be opened" in result.err


def test_an_installation_without_the_app_says_so(dissent, tmp_path, monkeypatch):
    monkeypatch.setattr(command, "ROOT", tmp_path)
    result = dissent("serve")
    assert (result.status, result.out) == (1, "")
    assert "lacks app.py, pages/main.py, pages/server/run.py, .streamlit/config.toml" in result.err
    assert "from a checkout" in result.err


@long
def test_a_server_that_fails_is_told(dissent, tmp_path, monkeypatch):
    for name in command._NEEDED:
        (tmp_path / name).parent.mkdir(exist_ok=True, parents=True)
        (tmp_path / name).write_text("")
    (tmp_path / "app.py").write_text("import nothing_like_this\n")
    for name in ("run.py", "connections.py"):
        shutil.copy(ROOT / "pages" / "server" / name, tmp_path / "pages" / "server")
    monkeypatch.setattr(command, "ROOT", tmp_path)
    result = dissent("serve", "--store", tmp_path / "s.duckdb", "--port", 0)
    assert result.status == 1
    assert "dissent: the server ended with status 1; see above" in result.err


@long
def test_a_server_that_never_answers_is_given_up(dissent, tmp_path, monkeypatch):
    for name in command._NEEDED:
        (tmp_path / name).parent.mkdir(exist_ok=True, parents=True)
        (tmp_path / name).write_text("import time\ntime.sleep(60)\n")
    monkeypatch.setattr(command, "ROOT", tmp_path)
    monkeypatch.setattr(command, "_PATIENCE", 3)
    result = dissent("serve", "--store", tmp_path / "s.duckdb", "--port", 0)
    assert result.status == 1
    assert "the server has done nothing for 3 seconds" in result.err


@long
def test_a_server_that_is_at_work_is_waited_for(dissent, tmp_path, monkeypatch):
    for name in command._NEEDED:
        (tmp_path / name).parent.mkdir(exist_ok=True, parents=True)
        (tmp_path / name).write_text("import time\nwhile time.process_time() < 8: pass\n")
    monkeypatch.setattr(command, "ROOT", tmp_path)
    monkeypatch.setattr(command, "_PATIENCE", 3)
    result = dissent("serve", "--store", tmp_path / "s.duckdb", "--port", 0)
    assert "Dissent is still starting" in result.out
    assert "has done nothing" not in result.err


@long
@pytest.mark.skipif(os.name != "posix", reason="needs a pseudo-terminal")
def test_on_a_terminal_with_a_display_it_opens_a_browser(tmp_path):
    import pty

    browser = tmp_path / "browser"
    browser.write_text(f'#!/bin/sh\necho "$1" > {tmp_path}/opened\n')
    browser.chmod(0o755)
    controller, terminal = pty.openpty()
    environment = os.environ | {"DISPLAY": ":99", "BROWSER": str(browser), "PYTHONPATH": str(ROOT)}
    words = ["-m", "core.command.main", "serve", "--store", "s.duckdb", "--port", "0"]
    process = subprocess.Popen(
        [sys.executable, *words],
        cwd=tmp_path,
        env=environment,
        stdin=terminal,
        stdout=terminal,
        stderr=terminal,
    )
    os.close(terminal)
    printed = _read_until(controller, "running at ")
    address = printed.partition("running at ")[2].split()[0]
    opened = tmp_path / "opened"
    wait_until(lambda: opened.exists() and bool(opened.read_text()))
    assert opened.read_text().strip() == address
    process.send_signal(signal.SIGINT)
    _read_until(controller, "Stopping.")
    assert process.wait(timeout=PATIENCE) == 0
    os.close(controller)


def _read_until(controller: int, text: str) -> str:
    printed = ""
    while not printed.partition(text)[2].endswith("\n"):
        printed += os.read(controller, 4096).decode()
    return printed


@each("store", [None, Path("/srv/a study's store.duckdb")])
def test_the_command_that_pages_print_is_one_that_serves(store):
    words = shlex.split(command.write_command(store, "0.0.0.0", 8601))
    assert Path(words[0]).name == "dissent"
    parsed = build_parser(words[1:]).parse_args(words[1:])
    assert parsed.run in [one.run for one in COMMANDS if one.name == "serve"]
    assert (parsed.address, parsed.port) == ("0.0.0.0", 8601)
    assert parsed.demo == (store is None)
    assert store is None or store_place(parsed) == store
    known = {option for one in parsed.parser._actions for option in one.option_strings}
    assert {word for word in words if word.startswith("--")} <= known


def test_a_wrong_option_would_be_told():
    with pytest.raises(SystemExit):
        build_parser(["serve"]).parse_args(["serve", "--adress", "0.0.0.0"])


def test_the_command_names_the_folder_where_the_bare_name_would_not_do(tmp_path, monkeypatch):
    here, there = tmp_path / "our bin", tmp_path / "other"
    for folder in (here, there):
        folder.mkdir()
        (folder / "dissent").touch(mode=0o755)
    monkeypatch.setattr(command.sys, "executable", str(here / "python"))
    for path, word in ((here, "dissent"), (there, str(here / "dissent"))):
        monkeypatch.setenv("PATH", str(path))
        assert shlex.split(command.write_command(None, "0.0.0.0", 8501))[0] == word


@pytest.mark.parametrize(
    ("variable", "value"),
    [("DISSENT_JUDGE_URL", "ftp://api.example.org"), ("DISSENT_JUDGE_KEY", "two words")],
)
def test_settings_of_machine_judges_are_refused_at_once(dissent, monkeypatch, variable, value):
    monkeypatch.setenv("DISSENT_JUDGE_URL", "https://api.example.org/v1")
    monkeypatch.setenv(variable, value)
    result = dissent("serve", "--store", "s.duckdb", "--port", 0)
    assert result.status == 1
    assert variable in result.err
    assert value not in result.err
