"""A public page of results: by its link only, without a person in it, and made once for many."""

import re
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest
from starlette.applications import Starlette
from starlette.testclient import TestClient

from core.assessment.rounds.rounds import Plan, open_round
from core.collection.files.source import Source
from core.collection.formats import read_import
from core.store.audit.audit import AuditFilter, read_audit
from core.store.backup.backup import restore_backup, save_backup
from core.store.content.collections import close_collection
from core.store.content.imports import write_import
from core.store.content.public_pages import (
    PublicChoice,
    PublicPage,
    list_public_pages,
    publish,
    withdraw_public_page,
)
from core.store.content.scales import get_scales
from core.store.events.labels import Key, LabelEvent
from core.store.people.members import add_member
from core.store.store import Store
from pages.api import public_results
from pages.api.public_results import WRONG_CODES
from pages.api.routes import MIDDLEWARE, ROUTES
from pages.shared.session import session_cookie
from tests.pages.test_doors import ROLE_OF, make_visitors
from tests.short import long

CHOICE = PublicChoice("all, maximum", "nDCG@10", qrels=True)
NAMES = ("Agatha Whitethorn", "Barnaby", "Cordelia Oakes")
LABELS = "assessor\ttopic\tdocument\tlevel\n" + "".join(
    f"{name}\tt{topic}\td{document}\t{(topic + document + len(name)) % 4}\n"
    for name in NAMES
    for topic in (1, 2)
    for document in (1, 2, 3)
)


@pytest.fixture
def public(store: Store, filled: str) -> PublicPage:
    """A page of a collection that three people with names have judged."""
    imported = read_import(
        "labels", Source("l.tsv", LABELS.encode()), scales=get_scales(store, filled)
    )
    write_import(store, filled, imported)
    runs = "".join(f"t{t} Q0 d{d} {d} {9 - d}.0 <b>s2</b>\n" for t in (1, 2) for d in (1, 2, 3))
    write_import(store, filled, read_import("runs", Source("r.run", runs.encode())))
    return publish(store, filled, CHOICE, by="p1")


@pytest.fixture
def client() -> TestClient:
    return TestClient(Starlette(routes=ROUTES, middleware=MIDDLEWARE), follow_redirects=False)


def judge(store: Store, collection_id: str, level: int) -> None:
    add_member(store, collection_id, "a1", "a1")
    key = Key("t1", "d1", "page", "", "a1", 0)
    known = store.labels.current(collection_id, "a1").get(key)
    before = known.event_id if known else None
    event = LabelEvent(f"00000000-0000-4000-8000-{level:012}", before, key, "level", level)
    store.labels.append(collection_id, [event])


def test_everybody_reads_it_and_it_names_nobody(
    client: TestClient, store: Store, filled: str, public: PublicPage
):
    tokens = make_visitors(store, filled)
    for visitor in ROLE_OF:
        client.cookies.clear()
        client.cookies.set(session_cookie(store.secret), tokens[visitor])
        answer = client.get(f"/public/{public.code}")
        assert answer.status_code == 200, visitor
        assert "set-cookie" not in answer.headers
    for said in ("nDCG@10", "alpha(ordinal)", "all, maximum", "95 % interval", "<svg"):
        assert said in answer.text
    for name in (*NAMES, "a1", "a2"):
        assert not re.search(rf"\b{name}\b", answer.text)
    assert not re.search(r"\bP\d+\b|\bA\d+\b", answer.text)


@long
def test_what_systems_are_called_is_no_markup(client: TestClient, public: PublicPage):
    page = client.get(f"/public/{public.code}").text
    assert "&lt;b&gt;s2&lt;/b&gt;" in page
    assert "<b>s2" not in page
    assert "style=" not in page
    assert "<script" not in page


def test_nobody_who_knows_no_link_finds_it(client: TestClient, store: Store, public: PublicPage):
    for code in ("x", public.collection_id, public.code[:-1], public.code + "x", "ä"):
        assert client.get(f"/public/{code}").status_code == 404
    assert public.code not in str(store.cursor().execute("FROM public_pages").fetchall())
    assert public.code not in str(store.cursor().execute("FROM changes").fetchall())


@long
def test_guessing_ends_for_a_while_and_readers_go_on(
    client: TestClient, public: PublicPage, monkeypatch: pytest.MonkeyPatch
):
    assert client.get(f"/public/{public.code}").status_code == 200
    monkeypatch.setattr(WRONG_CODES, "is_full", lambda _: True)
    assert client.get("/public/wrong").status_code == 429
    assert client.get(f"/public/{public.code}").status_code == 200


def test_a_withdrawn_page_is_gone_at_once_and_the_next_has_another_link(
    client: TestClient, store: Store, filled: str, public: PublicPage
):
    assert client.get(f"/public/{public.code}").status_code == 200
    withdraw_public_page(store, filled, by="p1")
    assert client.get(f"/public/{public.code}").status_code == 404
    assert client.get(f"/public/{public.code}/scores.csv").status_code == 404
    again = publish(store, filled, CHOICE)
    assert again.code != public.code
    assert client.get(f"/public/{public.code}").status_code == 404
    assert client.get(f"/public/{again.code}").status_code == 200
    history = read_audit(store, AuditFilter(kind="collections", text="public page"), 9)
    assert history["what"].tolist() == ["publish", "withdraw", "publish"]


@long
def test_what_is_shown_can_be_changed_under_the_same_link(
    client: TestClient, store: Store, filled: str, public: PublicPage
):
    assert "alpha(ordinal)" in client.get(f"/public/{public.code}").text
    changed = publish(store, filled, replace(CHOICE, agreement=False, scores=False, qrels=False))
    assert changed.code == public.code
    page = client.get(f"/public/{public.code}").text
    assert "alpha(ordinal)" not in page
    assert "scores.csv" not in page
    assert client.get(f"/public/{public.code}/scores.csv").status_code == 404


def test_agreement_of_two_is_told_to_nobody(client: TestClient, store: Store, filled: str):
    page = publish(store, filled, CHOICE)  # two assessors have judged
    shown = client.get(f"/public/{page.code}").text
    assert "Agreement is public from 3 assessors on." in shown
    assert "kappa" not in shown


def test_no_judgement_is_given_away_while_somebody_judges(
    client: TestClient, store: Store, filled: str, public: PublicPage
):
    files = f"/public/{public.code}"
    assert client.get(f"{files}/qrels.txt").text.startswith("t1 0 d1 ")
    open_round(store, filled, Plan(judges=1, flow="page only"))
    assert client.get(f"{files}/qrels.txt").status_code == 404
    assert "once nobody judges any more" in client.get(files).text
    assert client.get(f"{files}/scores.csv").text.count("\n") == 5
    close_collection(store, filled, closed=True)
    assert client.get(f"{files}/qrels.txt").status_code == 200


@long
def test_versions_of_single_assessors_cannot_be_public(
    client: TestClient, store: Store, filled: str, public: PublicPage
):
    publish(store, filled, replace(CHOICE, version=f"only {NAMES[1]}"))
    shown = client.get(f"/public/{public.code}").text
    assert "does not exist any more" in shown
    assert NAMES[1] not in shown


@long
def test_who_has_it_already_is_told_so(client: TestClient, public: PublicPage):
    first = client.get(f"/public/{public.code}")
    assert first.headers["cache-control"] == "public, max-age=5"
    again = client.get(f"/public/{public.code}", headers={"If-None-Match": first.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")
    assert again.headers["etag"] == first.headers["etag"]


@long
def test_a_crowd_has_it_made_once_and_labels_do_not_have_it_made_again(
    client: TestClient,
    store: Store,
    filled: str,
    public: PublicPage,
    monkeypatch: pytest.MonkeyPatch,
):
    made: list[str] = []
    real = public_results._make_parts
    monkeypatch.setattr(
        public_results, "_make_parts", lambda *given: (made.append(given[2]), real(*given))[1]
    )
    with ThreadPoolExecutor(8) as crowd:
        answers = list(crowd.map(lambda _: client.get(f"/public/{public.code}"), range(40)))
    assert {one.status_code for one in answers} == {200}
    assert made == ["en"]
    judge(store, filled, 3)  # wakes it up once: somebody becomes a member
    client.get(f"/public/{public.code}")
    so_far = len(made)
    for level in (2, 1, 0):
        judge_only(store, filled, level)
        assert client.get(f"/public/{public.code}").status_code == 200
    assert len(made) == so_far
    monkeypatch.setattr(public_results, "FRESH_FOR", 0.0)
    client.get(f"/public/{public.code}")
    public_results._public()._maker.submit(int).result()  # behind what is being made
    assert len(made) == so_far + 1


def judge_only(store: Store, collection_id: str, level: int) -> None:
    key = Key("t1", "d1", "page", "", "a1", 0)
    before = store.labels.current(collection_id, "a1")[key].event_id
    event = LabelEvent(f"00000000-0000-4000-8000-1{level:011}", before, key, "level", level)
    store.labels.append(collection_id, [event])


@long
def test_it_is_in_the_language_that_a_browser_asks_for(client: TestClient, public: PublicPage):
    shown = client.get(f"/public/{public.code}", headers={"Accept-Language": "de"})
    assert "Übereinstimmung der Urteilenden" in shown.text
    (lead,) = re.findall(r'<p class="lead">(.*?)</p>', shown.text)
    assert re.search(r"s2.* führt mit .* über \d+ Themen; bei \d von 3 anderen ist kein", lead)
    assert shown.headers["vary"] == "Accept-Language"
    assert "Agreement between" in client.get(f"/public/{public.code}").text


@long
def test_a_restored_backup_opens_under_no_link_that_was_given_out(
    store: Store, public: PublicPage, tmp_path
):
    save_backup(store, tmp_path / "b.zip")
    restore_backup(tmp_path / "b.zip", tmp_path / "restored.duckdb")
    restored = Store(tmp_path / "restored.duckdb")
    (page,) = list_public_pages(restored)
    restored.close()
    assert page.choice == public.choice
    assert page.code != public.code


@long
def test_every_number_of_the_figure_is_in_the_table(client: TestClient, public: PublicPage):
    page = client.get(f"/public/{public.code}").text
    dots = re.findall(r'<circle class="mean" cx="([\d.]+)%"', page)
    means = re.findall(r'<td class="number">(\d\.\d{3})</td>', page)
    assert [float(dot) / 100 for dot in dots] == pytest.approx(
        [float(mean) for mean in means[: len(dots)]], abs=0.001
    )
    assert len(dots) == 4


@long
def test_the_lead_says_how_many_are_not_shown_to_differ(client: TestClient, public: PublicPage):
    page = client.get(f"/public/{public.code}").text
    (lead,) = re.findall(r'<p class="lead">(.*?)</p>', page)
    undecided = page.count("<td>not shown</td>")
    assert undecided > 0
    are = "is" if undecided == 1 else "are"
    assert f"; {undecided} of 3 others {are} not shown to differ from it (" in lead
