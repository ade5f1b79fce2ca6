"""The server is killed again and again: nothing acknowledged is lost, nothing stored twice."""

import random
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.bench.collection import prepare
from tests.browser.running import Running, wait_until
from tests.faults.assessors import Crowd, make_assessors, tally
from tests.short import long

SEED = 7001


@long
@pytest.mark.timeout(1800)
def test_killed_at_random(
    tmp_path: Path, long_form: bool, record_property: Callable[[str, object], None]
):
    kills = 100 if long_form else 4
    rng = random.Random(SEED)
    path = tmp_path / "store.duckdb"
    prepared = prepare(path, documents=60, assessors=12 if long_form else 4)
    server = Running(path, tmp_path / "server.log")
    crowd = Crowd(make_assessors(server.port, prepared, SEED))
    try:
        server.start()
        crowd.begin()
        for number in range(kills):
            # Most kills meet a server under load, every fourth one that is still starting.
            is_early = number % 4 == 3
            time.sleep(rng.uniform(0.0, 2.0 if is_early else 0.8))
            server.kill()
            if number % 4 == 2:
                server.launch()
            else:
                server.start()
        before = crowd.count("200")
        wait_until(lambda: crowd.count("200") > before + 10 * len(crowd.assessors))
        crowd.finish()
    finally:
        server.kill()
    found = tally(path, crowd.assessors)
    cut = crowd.count("cut off") + crowd.count("unheard")
    record_property("counts", f"{kills} kills, {cut} requests cut off; {found}")
    assert [fault for one in crowd.assessors for fault in one.faults] == []
    assert found.is_clean(), str(found)
    assert found.acknowledged == found.made > 10 * kills
    assert found.stale == 0
