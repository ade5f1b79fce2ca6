"""The log says what happened, to whom and how long it took: never what was judged or written."""

import io
import json
import logging
import re
import tomllib
import uuid
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
import streamlit as st
from starlette.applications import Starlette
from starlette.testclient import TestClient

from core.assessment.handing_out.queue import take_assignment
from core.assessment.handing_out.steps import lay_out
from core.assessment.intake.judging import Grant
from core.assessment.rounds.rounds import Plan, open_round
from core.store.people.members import add_member
from core.store.people.people import add_person, begin_session, hash_token, invite
from pages.api.routes import MIDDLEWARE, ROUTES
from pages.collection.export import read_backup
from pages.server.log import log, log_error
from pages.server.running import server
from pages.shared import navigation as catalogue
from pages.shared import welcome
from pages.shared.intake import sign_grant as sign
from pages.shared.navigation import PAGES
from pages.shared.session import session_cookie
from tests.short import long

MARKER = "MARKER-c0ffee"


@pytest.fixture(autouse=True)
def as_json(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DISSENT_LOG", "json")


@pytest.fixture
def client(store) -> TestClient:
    return TestClient(Starlette(routes=ROUTES, middleware=MIDDLEWARE), follow_redirects=False)


def lines(capsys: pytest.CaptureFixture[str]) -> list[dict]:
    return parse(capsys.readouterr().err)


def parse(err: str) -> list[dict]:
    """Return the lines of the log; Streamlit writes others about running without a browser."""
    return [json.loads(line) for line in err.splitlines() if line.startswith("{")]


@pytest.fixture
def given(store, filled) -> tuple[Grant, dict]:
    anna = add_person(store, f"Anna {MARKER}", "assessor")
    add_member(store, filled, anna, "Anna")
    open_round(store, filled, Plan(judges=1, flow="page only"))
    assignment = take_assignment(store, filled, anna)
    step = lay_out(store, assignment).steps[0]
    grant = Grant(filled, anna, assignment.rules.round_id, assignment.topic_id, 0)
    event = {
        "event_id": str(uuid.uuid4()),
        "topic": step.topic_id,
        "document": step.document_id,
        "facet": "page",
        "state": "level",
        "level": 3,
        "comment": MARKER,
        "client_time": MARKER,
    }
    return grant, event


def sign_grant(grant: Grant) -> str:
    return sign(grant, hash_token(begin_session(server().store, grant.assessor_id)))


def send(client: TestClient, token: str, *events: object):
    headers = {"Authorization": f"Bearer {token}"}
    return client.post("/api/labels", json={"events": list(events)}, headers=headers)


def test_a_batch_of_labels_is_counted_and_timed_without_its_content(client, given, capsys):
    grant, event = given
    token = sign_grant(grant)
    capsys.readouterr()
    odd = {**event, "event_id": str(uuid.uuid4()), "level": 77123}
    worse = {**event, "event_id": MARKER}
    strange = {**event, "document": MARKER, "event_id": str(uuid.uuid4())}
    acks = send(client, token, event, odd, worse, strange).json()["acks"]
    assert [ack["status"] for ack in acks] == ["saved", *["refused"] * 3]
    err = capsys.readouterr().err
    (line,) = map(json.loads, err.splitlines())
    assert line.pop("ms") >= 0
    assert line.pop("time").endswith("+00:00")
    assert line == {
        "level": "info", "event": "labels", "collection": grant.collection_id,
        "person": grant.assessor_id, "events": 4, "saved": 1, "stale": 0, "refused": 3,
    }  # fmt: skip
    for secret in (MARKER, "77123", token, event["event_id"]):
        assert secret not in err


def test_refusals_are_logged_by_status_and_kind_only(client, given, capsys):
    grant, event = given
    token = sign_grant(grant)
    capsys.readouterr()
    send(client, f"{token}x", event)
    send(client, token, *[event] * 51)
    bob = add_person(server().store, "Bob", "assessor")
    gone = Grant(grant.collection_id, bob, grant.round_id, grant.topic_id, 0)
    send(client, sign_grant(gone), event)
    client.get(f"/api/page/{MARKER}")
    client.get(f"/enter/{MARKER}")
    err = capsys.readouterr().err
    told = [json.loads(line) for line in err.splitlines()]
    assert [(one["event"], one["status"], one["level"]) for one in told] == [
        ("labels refused", 401, "warning"),
        ("labels refused", 422, "warning"),
        ("labels refused", 403, "warning"),
        ("page refused", 403, "warning"),
        ("visitor refused", 403, "warning"),
    ]
    assert told[1]["error"] == "BadInput"
    assert told[2]["person"] == bob
    assert MARKER not in err
    assert token not in err


def test_an_error_is_logged_with_its_place_and_without_its_words(client, store, given, capsys):
    grant, event = given
    token = sign_grant(grant)
    capsys.readouterr()
    store.cursor().execute("ALTER TABLE labels RENAME COLUMN comment TO remark")
    with pytest.raises(Exception, match="comment"):
        send(client, token, event)
    (line,) = lines(capsys)
    assert (line["event"], line["level"]) == ("labels not stored", "error")
    assert line["error"].endswith("Exception") or line["error"].endswith("Error")
    assert line["at"].startswith("core.store.")
    assert MARKER not in json.dumps(line)


def test_signing_in_and_out_is_logged_by_id(client, store, organiser, capsys):
    token = invite(store, organiser)
    client.post(f"/enter/{token}")
    session = client.cookies[session_cookie(store.secret)]
    client.post("/leave")
    err = capsys.readouterr().err
    told = [json.loads(line) for line in err.splitlines()]
    assert [(one["event"], one["person"]) for one in told] == [
        ("sign in", organiser),
        ("sign out", organiser),
    ]
    assert token not in err
    assert session not in err
    assert "Olga" not in err


@long
def test_a_backup_is_logged(store, filled, capsys):
    content = read_backup(store)
    (line,) = lines(capsys)
    assert line["event"] == "backup"
    assert line["bytes"] == len(content)
    assert line["rows"] > 10


def test_there_is_no_place_for_anything_else():
    with pytest.raises(ValueError, match="comment"):
        log("labels", comment="It is good.")


def test_an_error_that_quotes_a_label_does_not_say_so(capsys):
    try:
        raise RuntimeError(MARKER)
    except RuntimeError as error:
        log_error("page", error, person="p-1")
    (line,) = lines(capsys)
    assert line["error"] == "RuntimeError"
    assert line["at"].startswith(f"{__name__}:")
    assert MARKER not in json.dumps(line)


def test_it_can_be_read_by_people_or_switched_off(monkeypatch, capsys):
    monkeypatch.setenv("DISSENT_LOG", "text")
    log("labels", logging.WARNING, person="p-1", events=2)
    assert capsys.readouterr().err.endswith(" warning labels person=p-1 events=2\n")
    monkeypatch.setenv("DISSENT_LOG", "off")
    log("labels")
    assert capsys.readouterr().err == ""


def test_without_a_wish_a_terminal_gets_text_and_a_file_json(monkeypatch):
    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    monkeypatch.delenv("DISSENT_LOG")
    for stream, begins in ((Terminal(), "20"), (io.StringIO(), '{"time": "20')):
        monkeypatch.setattr("sys.stderr", stream)
        log("start")
        assert stream.getvalue().startswith(begins)


def test_a_log_that_cannot_be_written_breaks_nothing(monkeypatch):
    closed = io.StringIO()
    closed.close()
    for stream in (closed, None):
        monkeypatch.setattr("sys.stderr", stream)
        log("labels")


@pytest.fixture
def audit_draws(monkeypatch) -> Callable[[Callable[[], None]], None]:
    """Let the audit page do something else."""

    def put(do: Callable[[], None]) -> None:
        other = [replace(one, draw=lambda _: do()) if one.path == "audit" else one for one in PAGES]
        monkeypatch.setattr(catalogue, "PAGES", other)

    return put


def fail() -> None:
    raise KeyError(MARKER)


def test_a_page_that_fails_is_logged_and_its_visitor_told(
    audit_draws, open_page, filled, organiser, capsys, united
):
    audit_draws(fail)
    at = open_page("audit", organiser)
    assert len(at.exception) == 1
    out, err = capsys.readouterr()
    (line,) = (one for one in parse(err) if one["level"] == "error")
    assert line.pop("time")
    assert line.pop("at").startswith(f"{__name__}:")
    assert line == {
        "level": "error", "event": "page failed", "error": "KeyError",
        "collection": filled, "person": organiser,
    }  # fmt: skip
    assert MARKER not in out + err


def test_a_terminal_gets_the_way_to_an_error_and_not_its_words(
    audit_draws, open_page, organiser, capsys, united, monkeypatch
):
    audit_draws(fail)
    monkeypatch.setenv("DISSENT_LOG", "text")
    open_page("audit", organiser)
    err = capsys.readouterr().err
    assert "page failed" in err
    assert re.search(rf"^    {re.escape(__name__)}:\d+ fail$", err, re.MULTILINE)
    assert MARKER not in err


def test_what_fails_outside_a_page_is_logged_as_well(
    open_page, organiser, capsys, united, monkeypatch
):
    monkeypatch.setattr(welcome, "show_banner", lambda _: fail())
    open_page("audit", organiser)
    (line,) = (one for one in lines(capsys) if one["level"] == "error")
    assert (line["logger"], line["error"]) == ("streamlit.error_util", "KeyError")
    assert line["at"].startswith(f"{__name__}:")


def test_a_page_that_begins_anew_or_stops_has_not_failed(audit_draws, open_page, organiser, capsys):
    ways = iter([st.rerun, st.stop])
    audit_draws(lambda: next(ways)())
    assert not open_page("audit", organiser).exception
    assert next(ways, None) is None
    assert lines(capsys) == []


def test_no_other_writer_of_errors_is_chosen():
    folder = Path(__file__).parent.parent.parent.parent / ".streamlit"
    config = tomllib.loads((folder / "config.toml").read_text(encoding="utf-8"))
    assert config["logger"] == {"enableRich": False}
