"""What one's own labels are called in lists of them."""

from core.language.translate import t


def word_facet(facet: str) -> str:
    """Return what was judged."""
    return {"snippet": t("snippet"), "page": t("page")}.get(facet, facet)


def word_pair(facet: str) -> str:
    """Return what stood side by side."""
    names = {"snippet": t("two snippets"), "page": t("two pages"), "panel": t("two result lists")}
    return names.get(facet, facet)


def word_state(state: str) -> str:
    """Return what was said in place of a level."""
    return {"cannot judge": t("cannot judge"), "later": t("later")}.get(state, state)
