"""The language of what is answered: the collection's, or where none stands behind it the asked."""

import threading

from starlette.requests import Request

from core.language.translate import speak
from core.language.wishes import find_language
from core.store.content.collections import get_collection
from pages.server.running import server

_known: dict[str, tuple[int, str]] = {}
_knowing = threading.Lock()


def speak_as_asked(request: Request) -> None:
    """Let texts be in the first language of the browser's list that there is."""
    speak(find_language(request.headers.get("accept-language", "")))


def language_of(collection_id: str) -> str:
    """Return the language of a collection, read again only after a change; raises NotFound."""
    store = server().store
    changes = store.state(collection_id)[1]
    with _knowing:
        known = _known.get(collection_id)
    if known is None or known[0] != changes:
        known = changes, get_collection(store, collection_id).language
        with _knowing:
            _known[collection_id] = known
    return known[1]
