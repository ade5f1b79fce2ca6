"""Pictures that a stored page only names: in their place stands that they are not stored."""

import re
from html import escape, unescape

from core.language.translate import t

# What is in these is no tag; what is never closed reaches to the end, as in a browser.
_UNREAD = r"<!--.*?(?:-->|\Z)|<(?P<raw>script|style|title|textarea)\b.*?(?:</(?P=raw)\s*>|\Z)"
# No longer than need be, so that no page takes long: what has a whole picture in it stays.
_NAME = r"[^\s/>=\"'<][^\s/>=<]{0,100}+"
_VALUE = r"\s*+=\s*+(?:\"[^\"]{0,4000}+\"|'[^']{0,4000}+'|[^\s>\"'<][^\s><]{0,4000}+)"
_IMG = re.compile(
    rf"{_UNREAD}|<img(?P<attributes>(?:[\s/]++(?:{_NAME}(?:{_VALUE})?+)?+){{0,60}}+)>", re.S | re.I
)
_ATTRIBUTE = re.compile(rf"({_NAME})(?:\s*=\s*(?:\"([^\"]*)\"|'([^']*)'|([^\s>]+)))?")
_UNSEEN = re.compile(r"\s*[0-2](?:px)?\s*\Z")
"""Width or height of what only counts visits or keeps room."""

STYLE = (
    "<style>[data-not-stored]{display:inline-block;box-sizing:border-box;max-width:100%!important;"
    "height:auto!important;min-height:0!important;position:static!important;opacity:1!important;"
    "padding:.15em .5em;border:1px dashed #666;background:#f2f2f2;color:#1a1a1a;"
    "font:14px/1.4 system-ui,sans-serif;text-indent:0;overflow-wrap:anywhere}"
    "[data-not-stored]::before{content:attr(data-not-stored)}</style>"
)
"""How it looks. The words are no text of the page: passages are marked in that alone."""


def explain_pictures(document: str) -> str:
    """Return an HTML document with a labelled box for each picture that is loaded from elsewhere.

    The sandbox loads nothing, so that a browser would show a broken icon. What is too small to be
    seen is left out. This is no guard: the policy of the page is.
    """
    return _IMG.sub(lambda tag: tag[0] if tag["attributes"] is None else _box(tag), document)


def _box(tag: re.Match[str]) -> str:
    found: dict[str, str] = {}
    for name, *values in _ATTRIBUTE.findall(tag["attributes"]):
        found.setdefault(name.lower(), unescape("".join(values)))
    source = found.get("srcset", "").strip() or found.get("src", "").strip()
    if source.lower().startswith("data:"):
        return tag[0]
    if any(_UNSEEN.match(found.get(side, "")) for side in ("width", "height")):
        return ""
    alt = " ".join(found.get("alt", "").split())
    said = escape(f"{alt} · {t('Picture not stored')}" if alt else t("Picture not stored"))
    attributes = tag["attributes"].rstrip("/ \t\n\f\r")
    return f'<span role="img" aria-label="{said}" data-not-stored="{said}"{attributes} ></span>'
