"""A server that backs itself up under load, and is killed: every backup restores and is whole."""

import random
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from core.command.check import check_archive
from core.store.backup.backup import restore_backup
from core.store.backup.backup_schedule import list_backups
from core.store.store import Store
from tests.bench.collection import prepare
from tests.browser.running import Running, wait_until
from tests.faults.assessors import Crowd, make_assessors, tally
from tests.short import long

SEED = 7006
ENOUGH = 2


@long
@pytest.mark.timeout(600)
def test_every_backup_restores(
    tmp_path: Path, long_form: bool, record_property: Callable[[str, object], None]
):
    rng, path, folder = random.Random(SEED), tmp_path / "store.duckdb", tmp_path / "backups"
    prepared = prepare(path, documents=40, assessors=8)
    settings = {"DISSENT_BACKUPS": str(folder), "DISSENT_BACKUP_HOURS": "0.001"}
    server = Running(path, tmp_path / "server.log", settings)
    crowd = Crowd(make_assessors(server.port, prepared, SEED))
    try:
        server.start()
        crowd.begin()
        for _ in range(15 if long_form else 1):
            time.sleep(rng.uniform(1, 5))
            server.kill()
            server.start()
        wait_until(lambda: len(list_backups(path, folder)) >= ENOUGH)
        crowd.finish()
        server.stop()
    finally:
        server.kill()
    found = tally(path, crowd.assessors)
    archives = list_backups(path, folder)
    record_property("counts", f"{len(archives)} backups; {found}")
    assert found.is_clean(), str(found)
    assert ENOUGH <= len(archives) <= 14
    for archive in archives:
        assert [fault for one in check_archive(archive) for fault in one.faults] == []
    assert labels_in(path)[: len(restored := restore(archives[-1]))] == restored


def restore(archive: Path) -> list[tuple[object, ...]]:
    """Return the labels in the store that a backup makes."""
    target = archive.with_suffix(".duckdb")
    restore_backup(archive, target)
    return labels_in(target)


def labels_in(path: Path) -> list[tuple[object, ...]]:
    with closing(Store(path)) as store:
        return store.cursor().execute("FROM labels ORDER BY sequence").fetchall()
