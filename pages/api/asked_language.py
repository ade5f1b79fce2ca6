"""The language of what is answered: the collection's, or where none stands behind it the asked."""

from starlette.requests import Request

from core.language.translate import find_language, speak
from core.store.content.collections import get_collection
from pages.server.running import server


def speak_as_asked(request: Request) -> None:
    """Let texts be in the first language of the browser's list that there is."""
    speak(find_language(request.headers.get("accept-language", "")))


def language_of(collection_id: str) -> str:
    """Return the language of a collection, read again only after a change; raises NotFound."""
    return server().store.keep(get_collection, collection_id).language
