"""What a server imports until it answers, and what only once somebody visits it."""

import json
import os
import subprocess
import sys

import pytest

from core.settings import ROOT
from tests.browser.running import free_port
from tests.short import few

_PROGRAM = """
import json, os, signal, sys, threading, time, urllib.request
port, pages = sys.argv[1], "pages.shared.navigation"

def ask(path):
    while True:
        try:
            return urllib.request.urlopen(f"http://127.0.0.1:{port}{path}").status
        except OSError:
            time.sleep(0.05)

def look():
    seen = []
    assert ask("/api/health") == 200
    seen.append(sorted(sys.modules))
    assert ask("/") == 200
    while not hasattr(sys.modules.get(pages), "Navigation"):
        time.sleep(0.05)
    seen.append(sorted(sys.modules))
    print(json.dumps(seen), flush=True)
    os.kill(os.getpid(), signal.SIGTERM)

threading.Thread(target=look, daemon=True).start()
from pages.server import run
run.main(["--port", port])
"""
NEEDED = {"app", "core.store.store", "pages.api.judging", "pages.server.gate", "streamlit"}
LATER = (
    *("scipy", "matplotlib", "PIL.Image", "pypdfium2", "segno", "plotly.express", "core.figures"),
    *("core.agreement", "core.bundle", "core.clicks", "core.comparison", "core.informativeness"),
    *("core.measures", "core.paper", "core.planning", "core.preference", "core.stopping"),
    *("core.prompting.client", "core.api", "pages.api.v1.table"),
    *("pages.api.public_results", "pages.main", "pages.shared.navigation"),
    *("pages.account", "pages.agreement", "pages.judging", "pages.learn", "pages.overview"),
    *("pages.collection", "pages.people", "pages.results"),
)
"""What no first answer needs, nor anything in it; Streamlit itself brings some of Plotly along."""
OF_THE_DEMO = "core.demo"


@pytest.fixture(scope="module", params=few(["store", "demo"]))
def imported(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory):
    """Return what is imported once the server answers, and once the first visitor was there."""
    is_demo = request.param == "demo"
    store = tmp_path_factory.mktemp("store") / "store.duckdb"
    own = {"DISSENT_DEMO": "1"} if is_demo else {"DISSENT_STORE": str(store)}
    inherited = {key: value for key, value in os.environ.items() if "DISSENT" not in key}
    done = subprocess.run(
        [sys.executable, "-c", _PROGRAM, str(free_port())],
        env=inherited | own,
        cwd=ROOT,
        capture_output=True,
        text=True,
    )
    answer = next((line for line in done.stdout.splitlines() if line.startswith("[[")), None)
    assert answer, done.stderr
    answering, visited = map(set, json.loads(answer))
    return is_demo, answering, visited


def test_a_server_answers_before_it_imports_what_pages_need(imported):
    is_demo, answering, _ = imported
    assert answering >= NEEDED
    early = [one for one in answering if any(f"{one}.".startswith(f"{late}.") for late in LATER)]
    assert not early
    assert (OF_THE_DEMO in answering) == is_demo


def test_all_pages_are_imported_once_a_visitor_is_there(imported):
    _, _, visited = imported
    assert {"pages.judge.judge", "pages.results.measures.informativeness"} <= visited
    assert "scipy.stats" not in visited
