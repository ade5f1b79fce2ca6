"""Three servers on one database behind nginx: servers are killed, the database restarts.

Nothing acknowledged is lost, nothing is stored twice, and when all is quiet no copy is behind.
"""

import random
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest

from core.errors import StoreUnreachable
from core.place import Address
from core.store.store import Store
from tests.bench.collection import prepare
from tests.browser.running import free_port, wait_until
from tests.faults.assessors import Assessor, Crowd, make_assessors, tally
from tests.faults.leases import Leases, Takers, count_leases, share_work
from tests.faults.network import make_network
from tests.faults.several import Several
from tests.postgres import SAFE, Cluster
from tests.short import long

SEED = 19_001


@pytest.fixture
def cluster() -> Iterator[Cluster]:
    made = Cluster(*SAFE)
    yield made
    made.close()


@long
@pytest.mark.timeout(2400)
def test_servers_are_killed_and_the_database_restarts(
    cluster: Cluster,
    tmp_path: Path,
    long_form: bool,
    record_property: Callable[[str, object], None],
):
    assessors, seconds, pause = (150, 600.0, 2.0) if long_form else (8, 0.0, 0.05)
    kills, restarts = (60, 5) if long_form else (4, 1)
    rng = random.Random(SEED)
    address = Address(cluster.make())
    prepared = prepare(address, documents=60, assessors=assessors)
    people, topics, judges = (20, 60, 3) if long_form else (4, 5, 2)
    shared = share_work(address, people=people, topics=topics, judges=judges)
    several = Several(cluster, [address] * 3, tmp_path)
    crowd = Crowd(make_assessors(several.port, prepared, SEED, pause=pause))
    takers = Takers(several.port, shared, SEED, pause=2.0 if long_form else 0.3)
    try:
        several.start()
        begun = time.monotonic()
        crowd.begin()
        takers.begin()
        while (
            time.monotonic() < begun + seconds
            or several.kills < kills
            or several.restarts < restarts
        ):
            time.sleep(rng.uniform(1.0, 8.0) if long_form else rng.uniform(0.5, 1.5))
            if several.restarts < restarts and rng.random() < 0.15 + (several.kills >= kills):
                several.restart_database()
            else:
                several.kill_one(rng)
        several.wait()
        before = crowd.count("200")
        wait_until(lambda: crowd.count("200") > before + len(crowd.assessors), 120)
        takers.finish(300)
        crowd.finish()
        seconds = time.monotonic() - begun
        several.wait()
        behind = count_behind(several)
    finally:
        several.stop()
    found = tally(address, crowd.assessors, shared.collection_id)
    leases = count_leases(address, shared, takers)
    record_property(
        "counts",
        f"{several.kills} kills of servers, {several.restarts} of the database, "
        f"{crowd.count('cut off') + crowd.count('unheard')} requests cut off, "
        f"{found.acknowledged / seconds:.0f} labels a second; {found}; "
        f"places of a shared round: {leases}; {behind} times a server was behind when quiet",
    )
    assert [fault for one in takers.takers for fault in one.faults] == []
    wanted = topics * judges
    assert leases == Leases(wanted, wanted, wanted, doubled=0, unrecorded=0, lost=0)
    assert [fault for one in crowd.assessors for fault in one.faults] == []
    assert found.is_clean(), str(found)
    assert found.acknowledged == found.made > (10_000 if long_form else 50)
    assert behind == 0


def count_behind(several: Several) -> int:
    """Return how often a server says that it is over two seconds behind, while all is quiet."""
    time.sleep(2.5)  # whoever had stopped to follow would be behind by now
    asked = [one.answers("ready") for _ in range(10) for one in several.servers]
    return len(asked) - sum(asked)


@long
def test_cut_off_from_the_database_labels_are_refused_and_arrive_later(
    cluster: Cluster, tmp_path: Path
):
    address = Address(cluster.make())
    prepared = prepare(address, documents=40, assessors=4)
    several = Several(cluster, [address] * 3, tmp_path)
    crowd = Crowd(make_assessors(several.port, prepared, SEED))
    try:
        several.start()
        crowd.begin()
        wait_until(lambda: crowd.count("200") > 20)
        cluster.stop()
        time.sleep(2.0)
        answered = crowd.count("200")
        refused = count_refused(crowd)
        wait_until(lambda: count_refused(crowd) > refused + 10)
        assert crowd.count("200") == answered
        assert all(one.answers() for one in several.servers)  # they read what they know
        wait_until(lambda: not any(one.answers("ready") for one in several.servers))
        cluster.start()
        wait_until(lambda: crowd.count("200") > answered + 20)
        crowd.finish()
    finally:
        several.stop()
    found = tally(address, crowd.assessors)
    assert [fault for one in crowd.assessors for fault in one.faults] == []
    assert found.is_clean(), str(found)
    assert found.acknowledged == found.made > 40


@long
def test_one_server_is_cut_off_from_the_database_without_a_word(tmp_path: Path):
    """Nothing breaks on the way to the database, it only delivers no more; the others go on."""
    port = free_port()
    cluster = Cluster(*SAFE, "listen_addresses=127.0.0.1", port=port)
    address = Address(cluster.make())
    prepared = prepare(address, documents=40, assessors=6)
    with closing(cluster), make_network(port, SEED) as network:
        cut = Address(f"postgresql://dissent@127.0.0.1:{network.port}/{address.name}")
        several = Several(cluster, [cut, address, address], tmp_path)
        alone, *others = several.servers
        crowd = Crowd(make_assessors(several.port, prepared, SEED))
        at_the_cut = make_assessors(alone.port, prepared, SEED + 100)[:1]
        try:
            several.start()
            crowd.begin()
            wait_until(lambda: crowd.count("200") > 20)
            network.hush()
            wait_until(lambda: not alone.answers("ready"))
            assert alone.answers()  # it reads what it knows
            at_the_cut[0].judge()
            at_the_cut[0].send()
            assert not at_the_cut[0].acknowledged
            answered = crowd.count("200")
            wait_until(lambda: crowd.count("200") > answered + 40)
            assert all(one.answers("ready") for one in others)
            network.mend()
            wait_until(lambda: alone.answers("ready"))
            wait_until(lambda: has_sent(at_the_cut[0]))
            crowd.finish()
        finally:
            several.stop()
        everybody = [*crowd.assessors, *at_the_cut]
        found = tally(address, everybody)
    assert [fault for one in everybody for fault in one.faults] == []
    assert found.is_clean(), str(found)
    assert found.acknowledged == found.made > 60


def has_sent(assessor: Assessor) -> bool:
    """Send what waits, and tell whether nothing does."""
    assessor.send()
    return not assessor.waiting


def count_refused(crowd: Crowd) -> int:
    """Return how many requests were not taken: nginx says so itself once all servers do."""
    return crowd.count("503") + crowd.count("cut off")


def test_without_a_database_no_server_starts(tmp_path: Path, cluster: Cluster):
    address = Address(cluster.make())
    cluster.stop()
    with pytest.raises(StoreUnreachable, match="does not answer"):
        Store(address)
