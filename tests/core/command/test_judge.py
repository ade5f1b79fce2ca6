import os
import pty
import re
import signal
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from core.prompting.endpoint import KEY_VARIABLE
from core.prompting.template import read_template
from core.settings import ROOT
from core.store.content.collections import list_collections
from core.store.content.declarations import Declaration, set_declaration
from core.store.machines.jobs import list_jobs
from core.store.store import Store
from tests.core.command.conftest import Dissent, Outcome
from tests.core.prompting.chat_server import Asked, ChatServer, Told, fail, judge
from tests.core.prompting.collection import NAME
from tests.core.prompting.conftest import Serve, filled, serve
from tests.short import long

__all__ = ["filled", "serve"]

Judge = Callable[..., Outcome]


@pytest.fixture
def path(filled: tuple[Path, str], tmp_path: Path) -> Path:
    copied = tmp_path / "store.duckdb"
    copied.write_bytes(filled[0].read_bytes())
    return copied


@pytest.fixture
def run(dissent: Dissent, path: Path, monkeypatch: pytest.MonkeyPatch) -> Judge:
    """``dissent judge`` on the collection."""
    monkeypatch.delenv(KEY_VARIABLE, raising=False)
    return lambda *words: dissent("judge", "--store", path, "--collection", NAME, *words)


def ask(server: ChatServer, *words: object) -> tuple[object, ...]:
    return ("--machine", "llm", "--server", server.url, "--model", "judge-1", *words)


@pytest.fixture
def server(serve: Serve) -> ChatServer:
    return serve(lambda asked: judge(int(asked.item[-1]) % 4))


def test_a_machine_judges_once_it_is_confirmed(run: Judge, server: ChatServer):
    done = run(*ask(server), "--yes", "--format", "json")
    assert done.status == 0
    told = done.json
    assert told["job"].startswith("j-")
    assert [told[one] for one in ("items", "levels", "open", "requests")] == [10, 10, 0, 10]
    assert (told["stopped"], told["reasons"]) == (None, [])
    for said in (
        "What leaves this machine: 10 items of 2 topics",
        "to      127.0.0.1 (http://127.0.0.1:",
        "NOT ENCRYPTED on its way",
        "query, description, narrative, guidelines, title, page, and the levels of the scale",
        "Estimate: ",
        "Budget: none",
        f"this is job {told['job']}",
    ):
        assert said in done.err
    assert "The first question" not in done.err


def test_without_a_terminal_and_without_yes_nothing_is_sent(run: Judge, server: ChatServer):
    done = run(*ask(server))
    assert done.status == 1
    assert "nothing was sent: without a terminal nobody can confirm" in done.err
    assert "What leaves this machine: 10 items" in done.err
    assert server.asked == []
    assert run("--list", "--format", "json").json == {"jobs": [], "notes": []}


def test_a_machine_begins_with_what_is_declared(run: Judge, path: Path, server: ChatServer):
    with closing(Store(path)) as store:
        (here,) = (one.collection_id for one in list_collections(store))
        set_declaration(store, here, Declaration(facet="snippet"))
    plans = (run(*ask(server), "--dry-run", *more).out for more in ((), ("--facet", "page")))
    assert ["title, snippet," in one for one in plans] == [True, False]


def test_a_dry_run_sends_and_stores_nothing(run: Judge, server: ChatServer):
    words = (*ask(server), "--dry-run", "--example", "--topics", "t2", "--sample", "3")
    prices = ("--input-price", "2", "--output-price", "8", "--most-money", "3")
    done = run(*words, *prices, "--most-requests", "9", "--longest", "5", "--per-minute", "6")
    assert done.status == 0
    for said in (
        "3 items of 1 topics",
        "cut     3 texts, after 5 characters",
        "Budget: 9 requests, 3 in money",
        "about 0:00:30",
        "--- system ---",
        "Query: query of t2",
        "Nothing was sent: this was a dry run.",
    ):
        assert said in done.out
    told = run(*words, *prices, "--prompt", "steps", "--format", "json").json
    assert (told["items"], told["host"], told["encrypted"]) == (3, "127.0.0.1", False)
    assert told["prompt_sha256"] == read_template("steps").sha256
    assert told["money"] == (told["input_tokens"] * 2 + told["output_tokens"] * 8) / 1e6
    assert [one["role"] for one in told["example"]] == ["system", "user"]
    assert server.asked == []
    assert run("--list", "--format", "json").json == {"jobs": [], "notes": []}


@long
def test_a_job_goes_on_where_its_budget_ended_it_only_by_name(run: Judge, server: ChatServer):
    done = run(*ask(server), "--yes", "--most-requests", "4", "--format", "json")
    assert (done.status, done.json["open"], done.json["requests"]) == (1, 6, 4)
    assert done.json["stopped"] == "the budget of 4 requests is used up"
    job = done.json["job"]
    assert f"6 items are left: the budget of 4 requests is used up. Go on with --resume {job}" in (
        done.err
    )
    again = run("--resume", job, "--yes", "--format", "json")
    assert (again.status, again.json["requests"]) == (1, 4)
    assert len(server.asked) == 4
    (listed,) = run("--list", "--format", "json").json["jobs"]
    assert (listed["job"], listed["open"], listed["server"]) == (job, 6, server.url)
    assert job in run("--list").out


@long
def test_items_that_are_given_up_are_listed_with_their_reasons(run: Judge, serve: Serve):
    server = serve(lambda asked: fail(413, "too long") if asked.item == "t2d0003" else judge(1))
    done = run(*ask(server), "--yes", "--tries", "2")
    assert done.status == 0
    assert "the server answered 413: too long" in done.out
    assert "given up" in done.out


@long
def test_parameters_and_the_prompt_can_be_one_s_own(run: Judge, server: ChatServer, tmp_path: Path):
    own = tmp_path / "own.txt"
    own.write_text("{{query}}\n{{levels}}\n{{begin}}\n{{text}}\n{{end}}\nMINE\n", encoding="utf-8")
    parameters = ("--parameter", "temperature=", "--parameter", "seed=7", "--parameter", "user=me")
    done = run(*ask(server), "--yes", "--prompt", own, *parameters, "--facet", "snippet")
    assert done.status == 0
    body = server.asked[0].body
    assert (body["seed"], body["user"], body["max_tokens"]) == (7, "me", 400)
    assert "temperature" not in body
    assert server.asked[0].question.endswith("MINE")
    own.write_text("{{query}}\n{{colour}}\n", encoding="utf-8")
    refused = run(*ask(server), "--yes", "--prompt", own)
    assert refused.status == 1
    assert f"{own}:2: {{{{colour}}}} is no place" in refused.err


def test_the_key_is_read_from_the_environment_and_told_nowhere(
    run: Judge, serve: Serve, path: Path, monkeypatch: pytest.MonkeyPatch
):
    def behave(asked: Asked) -> Told:
        return fail(401, f"no: {asked.headers['Authorization']}")

    server = serve(behave)
    for variable, words in ((KEY_VARIABLE, ()), ("OTHER", ("--key-variable", "OTHER"))):
        monkeypatch.setenv(variable, "sk-very-secret")
        done = run(*ask(server), "--yes", *words)
        assert done.status == 1
        assert "the server answered 401: no: Bearer [key]" in done.err
        assert "sk-very-secret" not in done.out + done.err
        monkeypatch.delenv(variable)
    assert {one.headers["Authorization"] for one in server.asked} == {"Bearer sk-very-secret"}
    files = [one for one in path.parent.iterdir() if one.is_file()]
    assert all(b"sk-very-secret" not in one.read_bytes() for one in files)


@long
def test_ctrl_c_stops_and_says_how_to_go_on(run: Judge, serve: Serve):
    def behave(asked: Asked) -> Told:
        if asked.count == 1 and asked.item == "t1d0004":
            os.kill(os.getpid(), signal.SIGINT)
        return judge(1)

    server, before = serve(behave), signal.getsignal(signal.SIGINT)
    done = run(*ask(server), "--yes", "--concurrency", "1")
    assert done.status == 1
    assert "stopping: what was sent is waited for" in done.err
    left = re.search(r"(\d+) items are left: it was stopped\. Go on with --resume j-", done.err)
    assert left, done.err
    assert 0 < int(left[1]) <= 8  # how soon it hears of it depends on the machine
    assert signal.getsignal(signal.SIGINT) is before


@pytest.mark.parametrize(
    ("words", "status", "says"),
    [
        (("--model", "m", "--server", "http://x"), 2, "--machine is needed"),
        (("--machine", "a", "--model", "m"), 2, "--server is needed"),
        (("--machine", "a", "--model", "m", "--server", "x"), 1, "the server's address"),
        (("--resume", "j-0"), 1, "There is no machine job j-0"),
        (("--parameter", "x"), 2, "is not written name=value"),
        (("--per-minute", "0"), 2, "is not a number above 0"),
        (("--most-money", "x"), 2, "is not a number above 0"),
        (
            ("--machine", "a", "--model", "m", "--server", "http://x", "--input-price", "1"),
            *(1, "go together"),
        ),
    ],
)
def test_what_cannot_be_done_is_said(words: tuple[str, ...], status: int, says: str, run: Judge):
    done = run(*words)
    assert (done.status, says in done.err) == (status, True), done.err


@long
def test_a_job_of_another_collection_is_not_gone_on_with(
    run: Judge, server: ChatServer, path: Path, dissent: Dissent
):
    job = run(*ask(server), "--yes", "--format", "json").json["job"]
    topics = path.parent / "topics.tsv"
    topics.write_text("t1\tq\n", encoding="utf-8")
    common = ("--store", path, "--collection", "Dogs")
    assert dissent("import", "topics", topics, *common, "--create").status == 0
    assert "is one of another collection" in dissent("judge", *common, "--resume", job).err


@long
@pytest.mark.file_only
@pytest.mark.parametrize(("typed", "sent"), [(b"yes\n", 10), (b"no\n", 0), (b"\n", 0)])
def test_at_a_terminal_somebody_is_asked(
    typed: bytes, sent: int, server: ChatServer, path: Path, filled: tuple[Path, str]
):
    outer, inner = pty.openpty()
    words = ("judge", "--store", path, "--collection", NAME, *ask(server))
    process = subprocess.Popen(
        [sys.executable, "-m", "core.command.main", *map(str, words)],
        cwd=ROOT,
        stdin=inner,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    os.write(outer, typed)
    _, said = process.communicate(timeout=100)
    os.close(outer)
    os.close(inner)
    assert b"Send this to 127.0.0.1? [yes/no]" in said
    assert (process.returncode, len(server.asked)) == (0 if sent else 1, sent), said
    with closing(Store(path)) as store:
        assert len(list_jobs(store, filled[1])) == bool(sent)
