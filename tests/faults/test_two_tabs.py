"""Two tabs of one assessor judge the same things at once: one label stands, all are kept."""

from collections import defaultdict
from collections.abc import Callable
from pathlib import Path
from typing import Any

from core.store.file.database import fetch
from core.store.store import Store
from tests.bench.collection import prepare
from tests.browser.running import Running, wait_until
from tests.faults.assessors import ROWS, Crowd, make_assessors, tally
from tests.short import long

SEED = 7004


@long
def test_one_label_stands_and_all_are_kept(
    tmp_path: Path, long_form: bool, record_property: Callable[[str, object], None]
):
    path = tmp_path / "store.duckdb"
    prepared = prepare(path, documents=15, assessors=3)
    server = Running(path, tmp_path / "server.log")
    server.start()
    tabs = [
        tab
        for number in range(3)
        for tab in make_assessors(server.port, prepared, SEED + 100 * number)
    ]
    crowd = Crowd(tabs)
    try:
        crowd.begin()
        wait_until(lambda: crowd.count("200") > (4_000 if long_form else 120), seconds=300)
        crowd.finish()
    finally:
        server.kill()
    found = tally(path, tabs)
    record_property("counts", f"3 assessors with 3 tabs each; {found}")
    assert found.is_clean(), str(found)
    assert found.acknowledged == found.made
    assert found.stale > 10
    store = Store(path)
    rows = fetch(store.cursor(), ROWS)
    standing = fetch(store.cursor(), "SELECT * FROM current_labels")
    store.close()
    chains = chains_of(rows)
    assert len(standing) == len(chains)
    for row in standing:
        key = tuple(row[name] for name in ("assessor_id", "topic_id", "document_id", "facet"))
        assert str(row["label"]["event_id"]) == chains[key][-1]["event_id"]


def chains_of(rows: list[dict[str, Any]]) -> dict[tuple[str, ...], list[dict[str, Any]]]:
    """Return the events that came to stand, by key; each has to replace the one before it."""
    chains: defaultdict[tuple[str, ...], list[dict[str, Any]]] = defaultdict(list)
    for row in rows:
        chain = chains[row["assessor_id"], row["topic"], row["document"], row["facet"]]
        before = chain[-1]["event_id"] if chain else None
        assert row["stale"] == (bool(chain) and row["supersedes"] != before)
        if not row["stale"]:
            chain.append(row)
    return chains
