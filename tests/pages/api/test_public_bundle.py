"""The study bundle on a public page: as the organiser chose, made once, and without a person."""

import re
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest
from starlette.applications import Starlette
from starlette.testclient import TestClient

from core.assessment.rounds.rounds import Plan, open_round
from core.bundle.archive import read_archive
from core.bundle.reproduction import reproduce
from core.collection.files.source import Source
from core.collection.formats import read_import
from core.store.content.collections import close_collection
from core.store.content.imports import write_import
from core.store.content.public_pages import PublicChoice, PublicPage, find_public_page, publish
from core.store.content.scales import get_scales
from core.store.events.labels import Key, LabelEvent
from core.store.people.consent import answer_consent, set_consent_text
from core.store.people.members import add_member
from core.store.people.people import add_person
from core.store.store import Store
from pages.api import public_results
from pages.api.routes import MIDDLEWARE, ROUTES
from tests.pages.api.test_public_results import LABELS, NAMES
from tests.short import long

CHOICE = PublicChoice("all, maximum", "nDCG@10", bundle=True)


@pytest.fixture
def public(store: Store, filled: str) -> PublicPage:
    """A page with a bundle, of a collection that three people with names have judged."""
    scales = get_scales(store, filled)
    write_import(
        store, filled, read_import("labels", Source("l.tsv", LABELS.encode()), scales=scales)
    )
    return publish(store, filled, CHOICE)


@pytest.fixture
def client() -> TestClient:
    return TestClient(Starlette(routes=ROUTES, middleware=MIDDLEWARE), follow_redirects=False)


@long
def test_what_is_given_computes_anew_and_names_nobody(client: TestClient, public: PublicPage):
    assert f'href="/public/{public.code}/study.zip"' in client.get(f"/public/{public.code}").text
    answer = client.get(f"/public/{public.code}/study.zip")
    assert answer.headers["content-type"] == "application/zip"
    assert answer.headers["content-disposition"] == 'attachment; filename="study.zip"'
    entries = read_archive(answer.content, "b.zip")
    whole = b"\n".join(entries.values()).decode("utf-8", "replace")
    for name in (*NAMES, "a1", "a2"):
        assert not re.search(rf"\b{name}\b", whole)
    assert "labels/labels.csv" not in entries
    assert [one for one in entries if one.startswith("qrels/")] == ["qrels/01-all-maximum.qrels"]
    assert reproduce(answer.content).is_reproduced
    again = client.get(answer.url.path, headers={"If-None-Match": answer.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")


@long
def test_without_the_organisers_choice_there_is_none(
    client: TestClient, store: Store, filled: str, public: PublicPage
):
    publish(store, filled, replace(CHOICE, bundle=False))
    assert "study.zip" not in client.get(f"/public/{public.code}").text
    assert client.get(f"/public/{public.code}/study.zip").status_code == 404
    assert client.get("/public/wrong/study.zip").status_code == 404
    assert find_public_page(store, filled).choice == replace(CHOICE, bundle=False)


@long
def test_it_is_not_given_while_somebody_judges(
    client: TestClient, store: Store, filled: str, public: PublicPage
):
    assert client.get(f"/public/{public.code}/study.zip").status_code == 200
    open_round(store, filled, Plan(judges=1, flow="page only"))
    assert client.get(f"/public/{public.code}/study.zip").status_code == 404
    page = client.get(f"/public/{public.code}").text
    assert "once nobody judges any more" in page
    assert "study.zip" not in page
    close_collection(store, filled, closed=True)
    assert client.get(f"/public/{public.code}/study.zip").status_code == 200


@long
def test_agreement_of_two_is_in_it_for_nobody(client: TestClient, store: Store, filled: str):
    page = publish(store, filled, CHOICE)  # two assessors have judged
    answer = client.get(f"/public/{page.code}/study.zip")
    entries = read_archive(answer.content, "b.zip")
    assert not [one for one in entries if "agreement" in one or "weights" in one]
    assert b"kappa" not in entries["methods.md"].lower()
    assert "κ" not in entries["methods.md"].decode()
    assert b"Neither labels nor the agreement" in entries["README.md"]
    assert reproduce(answer.content).is_reproduced


@long
def test_agreement_is_in_it_as_on_the_page(
    client: TestClient, store: Store, filled: str, public: PublicPage
):
    path = f"/public/{public.code}/study.zip"
    assert "tables/agreement.csv" in read_archive(client.get(path).content, "b.zip")
    publish(store, filled, replace(CHOICE, agreement=False))
    assert "tables/agreement.csv" not in read_archive(client.get(path).content, "b.zip")


def test_labels_are_in_it_with_consent_only_and_a_changed_mind_counts_at_once(
    client: TestClient, store: Store, filled: str, public: PublicPage
):
    path = f"/public/{public.code}/study.zip"
    publish(store, filled, replace(CHOICE, bundle_labels=True))
    assert "labels/labels.csv" not in read_archive(client.get(path).content, "b.zip")
    set_consent_text(store, filled, "May we publish what you judge?")
    person = add_person(store, "Dorothea", "assessor")
    add_member(store, filled, person, "Dorothea")
    key = Key("t1", "d1", "page", "", person, 0)
    event = LabelEvent("00000000-0000-4000-8000-000000000009", None, key, "level", 2)
    store.labels.append(filled, [event])
    answer_consent(store, filled, person, given=True)
    lines = read_archive(client.get(path).content, "b.zip")["labels/labels.csv"].splitlines()
    assert len(lines) == 2
    assert b"Dorothea" not in b"".join(lines)
    answer_consent(store, filled, person, given=False)
    assert "labels/labels.csv" not in read_archive(client.get(path).content, "b.zip")


def test_versions_of_single_assessors_are_in_none(
    client: TestClient, store: Store, filled: str, public: PublicPage
):
    publish(store, filled, replace(CHOICE, version=f"only {NAMES[1]}"))
    assert client.get(f"/public/{public.code}/study.zip").status_code == 404


@long
def test_a_crowd_has_it_made_once(
    client: TestClient, store: Store, public: PublicPage, monkeypatch: pytest.MonkeyPatch
):
    made: list[str] = []
    real = public_results.make_public_bundle
    monkeypatch.setattr(
        public_results, "make_public_bundle", lambda *given: (made.append(""), real(*given))[1]
    )
    path = f"/public/{public.code}/study.zip"
    with ThreadPoolExecutor(8) as crowd:
        answers = list(crowd.map(lambda _: client.get(path), range(24)))
    assert {one.status_code for one in answers} == {200}
    assert len({one.content for one in answers}) == 1
    assert len(made) == 1
