"""Names that assessors must not see, replaced by codes that tell nothing."""

import hashlib

from core.store.events.labels import Key


def engine_code(secret: str, key: Key) -> str:
    """Return what stands for an engine in an assessor's browser; empty for a page.

    The code differs from document to document, so results of one engine cannot be told to
    belong together.
    """
    if not key.engine:
        return ""
    return _code(secret, key.topic_id, key.document_id, key.engine)


def occasion_code(secret: str, key: Key) -> str:
    """Return what stands for the occasion in an assessor's browser: which one is the repeat.

    A snippet and its page have the same code when they are shown on the same occasion.
    """
    return _code(secret, key.assessor_id, key.topic_id, key.document_id, f"occasion {key.occasion}")


def _code(secret: str, *parts: str) -> str:
    text = "\x1f".join(parts)
    return hashlib.blake2b(text.encode(), key=secret.encode()[:64], digest_size=8).hexdigest()
