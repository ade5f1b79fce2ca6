"""A public page of results by its link: made once for all readers, and never while it is fresh.

Readers wait for nothing that judging needs: a page is in memory, and what makes it anew is one
thread of its own, while those who come meanwhile get the one before.

The study bundles of public pages: each made once for all readers, by one thread of its own.
"""

import asyncio
import hashlib
import logging
import threading
import time
from collections.abc import Callable, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from hmac import compare_digest
from typing import Generic, TypeVar

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from core.analysis.base.study import Study
from core.analysis.results.public_results import (
    QRELS,
    SCORES,
    describe_results,
    study_of_page,
)
from core.bundle.public import BUNDLE, make_public_bundle
from core.language.translate import speaking, spoken, t
from core.store.content.public_pages import PublicPage, list_public_pages
from core.store.store import Store
from pages.api.asked_language import speak_as_asked
from pages.api.plain_page import answer
from pages.api.public_page import draw_public_page
from pages.server.log import log
from pages.server.running import server
from pages.shared.throttle import Throttle, address_of

BUNDLE_FRESH_FOR = 60.0
"""Seconds in which labels alone do not have a bundle made again."""

_MOST_BUNDLES = 4


Sent = TypeVar("Sent")


@dataclass(frozen=True)
class _MadeBundle(Generic[Sent]):
    state: tuple[int, int]
    at: float
    sent: Sent | None


class PublicBundles(Generic[Sent]):
    """The bundles of one store's public pages, held in memory as they are sent.

    Parameters
    ----------
    store : Store
        The store.
    wrap : callable
        What makes of a bundle's bytes what is sent.
    """

    def __init__(self, store: Store, wrap: Callable[[bytes], Sent]) -> None:
        self.store = store
        self._wrap = wrap
        self._lock = threading.Lock()
        self._made: dict[str, _MadeBundle[Sent]] = {}
        self._making: dict[tuple[str, int], Future[Sent | None]] = {}
        self._maker = ThreadPoolExecutor(1, thread_name_prefix="public-bundle")

    def find(self, page: PublicPage) -> "Future[Sent | None]":
        """Return the bundle of a page as it is or will be made; None where there is none to have.

        What somebody has changed, consent say, has it made anew; labels only when it has aged.
        """
        state = self.store.state(page.collection_id)
        with self._lock:
            made = self._made.get(page.code)
            if made is not None and made.state[1] == state[1]:
                is_fresh = time.monotonic() - made.at < BUNDLE_FRESH_FOR
                if made.state == state or is_fresh:
                    done: Future[Sent | None] = Future()
                    done.set_result(made.sent)
                    return done
            key = page.code, state[1]
            if key not in self._making:
                self._making[key] = self._maker.submit(self._make, page, key)
            return self._making[key]

    def _make(self, page: PublicPage, key: tuple[str, int]) -> Sent | None:
        try:
            state = self.store.state(page.collection_id)
            study = Study(self.store, page.collection_id, is_masked=True)
            content = make_public_bundle(study, page.choice)
            sent = None if content is None else self._wrap(content)
            made = _MadeBundle(state, time.monotonic(), sent)
            with self._lock:
                self._made.pop(page.code, None)
                self._made = dict([*self._made.items()][-_MOST_BUNDLES + 1 :])
                self._made[page.code] = made
            return sent
        finally:
            with self._lock:
                self._making.pop(key, None)

    def close(self) -> None:
        """Make nothing any more."""
        self._maker.shutdown(wait=True, cancel_futures=True)


FRESH_FOR = 10.0
"""Seconds in which a page is not made again, however much is judged meanwhile.

While judging is open it is the same page for much longer: see `renew_public_page`.
"""

WRONG_CODES = Throttle(300, 60)
"""By address; a code cannot be guessed, and looking it up costs a question to the store."""

_KEPT_FOR = 5
_KEPT = {"Cache-Control": f"public, max-age={_KEPT_FOR}", "X-Robots-Tag": "noindex"}
_TYPES = {SCORES: "text/csv", QRELS: "text/plain"}
_MOST_KEPT = 64


@dataclass(frozen=True)
class _SentFile:
    """A page or a file as it is sent."""

    content: bytes
    media_type: str
    headers: Mapping[str, str]
    etag: str


@dataclass(frozen=True)
class _MadePage:
    """What was made of a collection in one state."""

    state: tuple[int, int]
    at: float
    parts: Mapping[str, _SentFile]


class PublicResultsCache:
    """The public pages of one store, held in memory."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self._lock = threading.Lock()
        self._known: dict[str, tuple[int, PublicPage]] = {}
        self._made: dict[tuple[str, str], _MadePage] = {}
        self._making: dict[tuple[str, str], Future[_MadePage]] = {}
        self._maker = ThreadPoolExecutor(1, thread_name_prefix="public-results")
        self.bundles = PublicBundles(store, _wrap_bundle)

    def recall(self, code: str) -> PublicPage | None:
        """Return the page of a code as it was looked up, unless its collection has changed since.

        Label events change no page; everything else may, and withdrawing does.
        """
        with self._lock:
            known = self._known.get(code)
        if known is None or self.store.state(known[1].collection_id)[1] != known[0]:
            return None
        return known[1]

    def look_up(self, code: str) -> PublicPage | None:
        """Ask the store for the page of a code."""
        given = code.encode("utf-8", "replace")
        for page in list_public_pages(self.store):
            changes = self.store.state(page.collection_id)[1]
            if compare_digest(page.code.encode(), given):
                with self._lock:
                    self._known = dict([*self._known.items()][-_MOST_KEPT:])
                    self._known[code] = changes, page
                return page
        with self._lock:
            self._known.pop(code, None)
        return None

    def find(self, page: PublicPage, language: str) -> "_MadePage | Future[_MadePage]":
        """Return what is held of a page, or what is being made where nothing can be shown.

        What somebody has changed, the organiser say, is shown at once; what labels have changed,
        when the page has aged.
        """
        key, state = (page.code, language), self.store.state(page.collection_id)
        with self._lock:
            made = self._made.get(key)
            if made is not None and made.state == state:
                return made
            is_usable = made is not None and made.state[1] == state[1]
            if made is not None and is_usable and time.monotonic() - made.at < FRESH_FOR:
                return made
            if key not in self._making:
                self._making[key] = self._maker.submit(self._make, page, language, key)
            return made if made is not None and is_usable else self._making[key]

    def _make(self, page: PublicPage, language: str, key: tuple[str, str]) -> _MadePage:
        try:
            state = self.store.state(page.collection_id)
            made = _MadePage(state, time.monotonic(), _make_parts(self.store, page, language))
            with self._lock:
                self._made = dict([*self._made.items()][-_MOST_KEPT:])
                self._made[key] = made
            return made
        finally:
            with self._lock:
                self._making.pop(key, None)

    def close(self) -> None:
        """Make nothing any more."""
        self.bundles.close()
        self._maker.shutdown(wait=True, cancel_futures=True)


def _make_parts(store: Store, page: PublicPage, language: str) -> dict[str, _SentFile]:
    with speaking(language):
        results = describe_results(study_of_page(store, page.collection_id), page.choice)
        drawn = answer(draw_public_page(results, page.code), title=results.name)
    kept = {**_KEPT, "Vary": "Accept-Language"}
    headers = {name: value for name, value in drawn.headers.items() if name in _OF_PAGES}
    parts = {"": _SentFile(bytes(drawn.body), "text/html", headers | kept, "")}
    for name, content in results.files.items():
        parts[name] = _SentFile(content, _TYPES[name], kept, "")
    return {name: _tag(part) for name, part in parts.items()}


_OF_PAGES = ("content-security-policy", "referrer-policy")


def _tag(part: _SentFile) -> _SentFile:
    etag = f'"{hashlib.sha256(part.content).hexdigest()[:24]}"'
    return _SentFile(part.content, part.media_type, {**part.headers, "ETag": etag}, etag)


_held: list[PublicResultsCache] = []
_holding = threading.Lock()


def _public() -> PublicResultsCache:
    """Return the pages of the store that is open now."""
    store = server().store
    with _holding:
        if not _held or _held[0].store is not store:
            while _held:
                _held.pop().close()
            _held.append(PublicResultsCache(store))
        return _held[0]


async def show_results(request: Request) -> Response:
    """Answer with the page, or that it has not changed."""
    return await _give(request, "")


async def give_file(request: Request) -> Response:
    """Answer with a file that the organiser allows."""
    return await _give(request, request.path_params["name"])


async def _give(request: Request, name: str) -> Response:
    speak_as_asked(request)
    public, code = _public(), request.path_params["code"]
    page = public.recall(code)
    if page is None:
        page = await run_in_threadpool(public.look_up, code)
        if page is None:
            address = address_of(request)
            if WRONG_CODES.is_full(address):
                return _refuse(t("Too many wrong codes. Try again in a minute."), 429)
            WRONG_CODES.count(address)
            log("public page refused", logging.WARNING, status=404)
            return _refuse(t("This page is not public, or not any more."), 404)
    if name == BUNDLE:
        return await _give_bundle(request, public, page)
    found = public.find(page, spoken())
    made = await asyncio.wrap_future(found) if isinstance(found, Future) else found
    part = made.parts.get(name)
    if part is None:
        return _refuse(t("There is nothing here."), 404)
    return _send(request, part)


async def _give_bundle(request: Request, public: PublicResultsCache, page: PublicPage) -> Response:
    part = await asyncio.wrap_future(public.bundles.find(page)) if page.choice.bundle else None
    return _refuse(t("There is nothing here."), 404) if part is None else _send(request, part)


def _wrap_bundle(content: bytes) -> _SentFile:
    headers = {**_KEPT, "Content-Disposition": f'attachment; filename="{BUNDLE}"'}
    return _tag(_SentFile(content, "application/zip", headers, ""))


def _send(request: Request, part: _SentFile) -> Response:
    if part.etag in request.headers.get("if-none-match", ""):
        return Response(status_code=304, headers=dict(part.headers))
    return Response(part.content, headers=dict(part.headers), media_type=part.media_type)


def _refuse(reason: str, status: int) -> Response:
    return answer(f"<p>{reason}</p>", status)


ROUTES = [
    Route("/public/{code}", show_results, methods=["GET"]),
    Route("/public/{code}/{name}", give_file, methods=["GET"]),
]
