"""The address under which one document may be shown in a session, signed by the server."""

from pages.server.running import server

_PURPOSE = "page in a session"


def page_address(collection_id: str, document_id: str, query: str, session_id: str) -> str:
    """Return the address under which the browser of a session may show one document."""
    content = [collection_id, document_id, query, session_id]
    return "/api/page/" + server().sign(_PURPOSE, content)


def read_page_address(token: str) -> tuple[str, str, str, str]:
    """Return collection, document, query and session of the last part of an address.

    Raises
    ------
    NotAllowed
        It is forged or expired.
    """
    collection_id, document_id, query, session_id = server().read_signed(_PURPOSE, token)
    return collection_id, document_id, query, session_id
