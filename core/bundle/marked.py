"""Texts that people wrote, as they may stand in Markdown."""


def mark_text(text: str) -> str:
    """Return a text without what Markdown or a page would take for more than text."""
    plain = " ".join(text.split())
    return plain.replace("&", "&amp;").replace("<", "&lt;").replace("[", "\\[").replace("`", "'")
