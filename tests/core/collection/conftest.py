"""Short ways to read text that stands in a test."""

from collections.abc import Callable
from typing import Any

import pytest

from core.collection.files.source import Source
from core.collection.formats import read_import
from core.collection.records import Import
from core.errors import BadInput

Read = Callable[..., Import]


@pytest.fixture
def read() -> Read:
    """Return a reader of texts: ``read("topics", "1\\tcats", name="t.tsv")``."""

    def read_text(kind: str, text: str | bytes, *, name: str = "f.txt", **options: Any) -> Import:
        content = text if isinstance(text, bytes) else text.encode()
        return read_import(kind, Source(name, content), **options)

    return read_text


@pytest.fixture
def refuse(read: Read) -> Callable[..., BadInput]:
    """Return a reader of texts that are to be refused; gives the error."""

    def refuse_text(
        kind: str, text: str | bytes, match: str | None = None, **options: Any
    ) -> BadInput:
        with pytest.raises(BadInput, match=match) as caught:
            read(kind, text, **options)
        assert caught.value.file == options.get("name", "f.txt")
        return caught.value

    return refuse_text
