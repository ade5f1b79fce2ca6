"""What makes a browser connect before it has asked any policy, taken out of documents."""

import re

_TAGS = re.compile(r"<(/?)(link|i?frame)(?=[\s/>])", re.IGNORECASE)
_INSTEAD = {"link": "param", "frame": "param", "iframe": "x-frame"}


def drop_connections(document: str) -> str:
    """Return an HTML document whose links and frames mean nothing.

    Browsers connect to the server that ``<link rel=preconnect>`` or ``<iframe src>`` names, and
    then find that the policy of the page forbids to ask it for anything. In the sandbox neither
    shows anything, so that nothing is lost. This is no guard against scripts: the policy is.
    """
    return _TAGS.sub(lambda tag: f"<{tag[1]}{_INSTEAD[tag[2].lower()]}", document)
