"""Several servers' stores on one database, each with a copy of its own."""

import shutil
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from pathlib import Path

import pytest

from core.place import Address
from core.store.shared.shared_database import SharedBacking
from core.store.store import Store
from tests.engines import run_cluster
from tests.postgres import Cluster

Open = Callable[[], Store]


@pytest.fixture(scope="session")
def cluster() -> Iterator[Cluster]:
    with run_cluster() as made:
        yield made


@pytest.fixture(scope="session")
def blank(cluster: Cluster) -> str:
    """The name of a database with the tables of an empty store, to be copied."""
    address = Address(cluster.make())
    SharedBacking(address).close()
    return address.name


@pytest.fixture
def address(cluster: Cluster, blank: str) -> Address:
    """A database with an empty store."""
    return Address(cluster.make(template=blank))


@pytest.fixture
def open_server(address: Address) -> Iterator[Open]:
    """Open the store as one more server does."""
    with ExitStack() as stack:
        yield lambda: stack.enter_context(closing(Store(address)))


@pytest.fixture(scope="module")
def lasting_store(blank_store: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    """An empty store for a whole module, in which no test changes what another one sees."""
    path = Path(shutil.copy(blank_store, tmp_path_factory.mktemp("lasting")))
    with closing(Store(path)) as opened:
        yield opened
