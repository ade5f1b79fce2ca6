import shutil
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from pathlib import Path

import pytest

from core.store.store import Store
from tests.core.prompting.chat_server import Behaviour, ChatServer
from tests.core.prompting.collection import Study, fill_store

Serve = Callable[[Behaviour], ChatServer]


@pytest.fixture
def serve() -> Iterator[Serve]:
    """Start servers that behave as given."""
    with ExitStack() as stack:
        yield lambda behave: stack.enter_context(closing(ChatServer(behave)))


@pytest.fixture(scope="session")
def filled(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """A store to be copied, with the id of its collection."""
    with closing(Store(tmp_path_factory.mktemp("filled") / "store.duckdb")) as store:
        collection_id = fill_store(store)
    return store.path, collection_id


@pytest.fixture
def study(tmp_path: Path, filled: tuple[Path, str]) -> Iterator[Study]:
    """Two topics with six documents each, of which people have judged two."""
    path, collection_id = filled
    copied = Path(shutil.copy(path, tmp_path))
    with closing(Store(copied)) as store:
        yield Study(copied, store, collection_id)
