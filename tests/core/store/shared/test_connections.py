"""Ways to the database: what the address says of TLS holds, and no password is told anywhere."""

import logging
import os
import shutil
import subprocess
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from core.errors import BadInput, NotAllowed, StoreUnreachable, StoreUnusable
from core.place import Address
from core.store.content.collections import create_collection
from core.store.shared import connections as module
from core.store.shared.connections import Connections
from core.store.store import Store
from tests.browser.running import Running, free_port
from tests.postgres import QUICK, Cluster
from tests.short import long

PASSWORD = "s3cret-of-nobody"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a key and a certificate for localhost, signed by themselves."""
    place = tmp_path_factory.mktemp("tls")
    words = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj"]
    words += ["/CN=localhost", "-addext", "subjectAltName=DNS:localhost"]
    words += ["-keyout", str(place / "key.pem"), "-out", str(place / "cert.pem")]
    subprocess.run(words, check=True, capture_output=True)
    return place


@pytest.fixture(scope="module")
def encrypted(folder: Path) -> Iterator[tuple[Cluster, int]]:
    """A database that listens on loopback, too, and speaks TLS."""
    port = free_port()
    made = Cluster(*QUICK, "listen_addresses=localhost", port=port)
    for name in ("key.pem", "cert.pem"):
        file = Path(shutil.copy(folder / name, made.folder / name))
        if os.geteuid() == 0:
            shutil.chown(file, "postgres", "postgres")
        file.chmod(0o600)
    made.stop()
    made.settings += ("ssl=on", f"ssl_key_file={made.folder / 'key.pem'}",
                      f"ssl_cert_file={made.folder / 'cert.pem'}")  # fmt: skip
    made.start()
    yield made, port
    made.close()


@long
def test_what_the_address_says_of_tls_holds(encrypted: tuple[Cluster, int], folder: Path):
    cluster, port = encrypted
    name = Address(cluster.make()).name
    base = f"postgresql://dissent@localhost:{port}/{name}"
    root = f"sslrootcert={folder / 'cert.pem'}"
    for asked, is_used in ((f"sslmode=verify-full&{root}", True), ("sslmode=disable", False)):
        address = Address(f"{base}?{asked}")
        with closing(Connections(address)) as connections, connections.use() as link:
            assert link.pgconn.ssl_in_use is is_used
            sql = "SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()"
            assert link.execute(sql).fetchall() == [(is_used,)]
    other = folder / "other.pem"
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=localhost",
         "-keyout", str(folder / "o.key"), "-out", str(other)],
        check=True, capture_output=True,
    )  # fmt: skip
    with pytest.raises(StoreUnusable, match="certificate verify failed"):
        Connections(Address(f"{base}?sslmode=verify-full&sslrootcert={other}"))


def test_a_password_reaches_no_log(cluster: Cluster, blank: str, tmp_path: Path):
    made = Address(cluster.make(template=blank))
    address = Address(made.url.replace("dissent@", f"dissent:{PASSWORD}@"))
    wrong = Address(address.url.replace(f"/{address.name}?", "/nothing?"))
    log = tmp_path / "server.log"
    server = Running(address, log)
    server.start()
    server.stop()
    failing = Running(wrong, log)
    with pytest.raises(RuntimeError, match="cannot be used"):
        failing.start(20)
    said = log.read_text()
    assert "Dissent cannot start" in said
    assert PASSWORD not in said


def test_a_password_is_in_no_error(cluster: Cluster, caplog: pytest.LogCaptureFixture):
    caplog.set_level(logging.DEBUG)
    for url in (
        f"postgresql://dissent:{PASSWORD}@/nothing?host={cluster.folder}",
        f"postgresql://dissent:{PASSWORD}@127.0.0.1:1/x",
        f"postgresql://nobody:{PASSWORD}@/postgres?host={cluster.folder}",
    ):
        with pytest.raises((StoreUnusable, StoreUnreachable)) as told:
            Store(Address(url))
        causes = [told.value, told.value.__cause__]
        assert all(PASSWORD not in f"{one!r} {one}" for one in causes)
    assert PASSWORD not in caplog.text


def test_a_database_that_does_not_answer_is_given_up(
    cluster: Cluster, blank: str, monkeypatch: pytest.MonkeyPatch
):
    """A server that stands still sends no error: it is the clock that tells."""
    address = Address(cluster.make(template=blank))
    with closing(Connections(address)) as connections:
        begun = time.monotonic()
        with (
            pytest.raises(StoreUnreachable),
            connections.use() as link,
            link.patient(0.5),
        ):
            link.execute("SELECT pg_sleep(30)")
        assert time.monotonic() - begun < 15
        with connections.use() as link:
            assert link.execute("SELECT 1").fetchall() == [(1,)]
    assert module._PATIENCE < 30


def test_what_postgresql_does_not_store_is_refused(open_server):
    store = open_server()
    with pytest.raises(BadInput, match="NUL"):
        create_collection(store, "a\0b")
    create_collection(store, "whole")


@long
def test_a_store_that_is_only_read_is_not_written(open_server, address: Address):
    open_server()
    with closing(Store(address, read_only=True)) as store, pytest.raises(NotAllowed):
        create_collection(store, "x")
