"""Click logs in the store: written whole, read back as they were, checked, and deleted."""

import numpy as np
import pytest

from core.analysis.clicks.logs import choose_log, log_of_import, read_log
from core.analysis.clicks.query_topics import join_log
from core.collection.click_logs.packing import pack_integers
from core.collection.files.source import Source
from core.collection.formats import read_import
from core.errors import BadInput, NotFound
from core.store.audit.audit import AuditFilter, read_audit
from core.store.check.check_clicks import check_clicks
from core.store.clicks.click_logs import (
    PARTS,
    delete_click_log,
    list_click_logs,
    read_malformed,
)
from core.store.content.collections import create_collection
from core.store.content.imports import write_import
from core.store.events.frames import count_contents
from tests.core.collection.click_logs.test_click_logs import make_log, tell
from tests.short import few, long

TOPICS = "t1\tCats  and dogs\nt2\tjaguar\nt3\tJaguar\nt4\tcars\n"
LOG = (
    "a\t0\tQ\tcats AND dogs\t0\td1\td2\n"
    "a\t1\tC\td2\n"
    "b\t0\tQ\tt4\t0\td2\td3\n"
    "c\t0\tQ\tjaguar \t0\td1\n"
    "d\t0\tQ\tships\t0\td9\n"
    "e\t0\tC\td9\n"
)


@pytest.fixture
def collection_id(store):
    made = create_collection(store, "Study")
    documents = "id\ttitle\nd1\tOne\nd2\tTwo\n"
    for kind, text in (("topics", TOPICS), ("documents", documents)):
        write_import(store, made, read_import(kind, Source(f"{kind}.tsv", text.encode())))
    return made


def read(text: str, name: str = "log.tsv"):
    return read_import("clicks", Source(name, text.encode()), lenient=True)


def test_a_log_is_read_back_as_it_was(store, collection_id):
    text = make_log(np.random.default_rng(5), sessions=400)
    imported = read(text)
    assert write_import(store, collection_id, imported) == {"already there": 0, "click_logs": 1}
    held, given = read_log(store, collection_id), log_of_import(imported)
    assert (held.queries, held.items) == (given.queries, given.items)
    for name in ("session", "query", "item", "clicked"):
        one, other = getattr(held, name), getattr(given, name)
        assert one.dtype == other.dtype
        assert (one == other).all()
    assert check_clicks(store).faults == ()
    (row,) = list_click_logs(store, collection_id).to_dict("records")
    counted = [row[name] for name in ("sessions", "pages", "clicks", "malformed")]
    assert counted == [imported.counts[name] for name in
                       ("sessions", "pages", "clicks", "malformed sessions")]  # fmt: skip
    assert read_malformed(store, collection_id, "log.tsv")["sessions"].sum() == row["malformed"]
    assert count_contents(store, collection_id)["click logs"] == 1


def test_no_session_is_stored_by_its_name(store, collection_id):
    write_import(store, collection_id, read("secret-visit\t1\tQ\tcats\t0\td1\n"))
    cursor = store.cursor()
    tables = [name for (name,) in cursor.execute("SHOW TABLES").fetchall()]
    rows = [cursor.execute(f"FROM {one}").fetchall() for one in tables if one != "migrations"]
    assert "secret-visit" not in str(rows)


@long
def test_the_same_log_is_there_already_and_another_of_its_name_is_refused(store, collection_id):
    write_import(store, collection_id, read(LOG))
    counts = write_import(store, collection_id, read(LOG))
    assert counts == {"already there": 1, "click_logs": 0}
    with pytest.raises(BadInput, match="already there with other content; give this one another"):
        write_import(store, collection_id, read(LOG + "z\t0\tQ\tq\t0\td\n"))
    write_import(store, collection_id, read(LOG + "z\t0\tQ\tq\t0\td\n"), name="longer")
    assert list_click_logs(store, collection_id)["name"].tolist() == ["log.tsv", "longer"]
    with pytest.raises(BadInput, match=r"say which click log: log\.tsv, longer"):
        choose_log(store, collection_id)
    assert len(read_log(store, collection_id, "longer")) == 5


def test_a_rehearsal_stores_nothing(store, collection_id):
    assert write_import(store, collection_id, read(LOG), rehearse=True)["click_logs"] == 1
    with pytest.raises(NotFound, match="There is no click log in this collection; import one"):
        read_log(store, collection_id)


def test_queries_are_topics_by_id_or_by_text(store, collection_id):
    write_import(store, collection_id, read(LOG))
    joined = join_log(store, collection_id, "log.tsv")
    assert joined.queries.values.tolist() == [
        ["cats AND dogs", "t1", "text"],
        ["t4", "t4", "id"],
        ["jaguar", "", "several topics"],
        ["ships", "", "unknown"],
    ]
    assert joined.items.values.tolist() == [
        ["t1", "d1", True],
        ["t1", "d2", True],
        ["t4", "d2", True],
        ["t4", "d3", False],
        ["", "d1", True],
        ["", "d9", False],
    ]
    assert joined.count() == {
        "queries": 4,
        "by_id": 1,
        "by_text": 1,
        "ambiguous": 1,
        "unknown": 1,
        "documents": 4,
        "unknown_documents": 2,
    }
    assert [one[1] for one in tell(read_log(store, collection_id))][3] == "ships"


def test_a_deleted_log_is_gone_and_on_record(store, collection_id):
    write_import(store, collection_id, read(LOG))
    write_import(store, collection_id, read(LOG), name="other")
    delete_click_log(store, collection_id, "log.tsv", by="olga")
    assert list_click_logs(store, collection_id)["name"].tolist() == ["other"]
    for table in ("click_logs", *PARTS):
        names = store.cursor().execute(f"SELECT DISTINCT name FROM {table}").fetchall()
        assert names == [("other",)], table
    assert len(read_log(store, collection_id)) == 4
    entry = read_audit(store, AuditFilter(collection_id=collection_id), 1).iloc[0]
    assert "click log log.tsv" in entry["subject"]
    assert "4 sessions, 4 pages, 1 clicks, from log.tsv" in str(entry["change"])
    with pytest.raises(NotFound, match=r"no click log 'log\.tsv' in this collection; there are o"):
        delete_click_log(store, collection_id, "log.tsv")


DAMAGE = {
    "a part belongs": "UPDATE click_apart SET name = 'gone'",
    "a log has not all its queries": "DELETE FROM click_queries WHERE query = 3",
    "a log has not all its items": "UPDATE click_items SET item = 9 WHERE item = 5",
    "a log has not all its pages": "UPDATE click_logs SET pages = 5",
    "an item is of a query": "UPDATE click_items SET query = 7 WHERE item = 5",
    "pages of a log cannot": "UPDATE click_blocks SET item = 'x'",
    "pages of a log cannot be": "UPDATE click_logs SET clicks = 2",
    "pages of a log cannot be read": f"UPDATE click_blocks SET session = "
    f"'{pack_integers(np.array([0, 1, 2, -3]))}'",
}


@pytest.mark.parametrize("what", few(DAMAGE))
def test_what_is_damaged_is_found(store, collection_id, what):
    write_import(store, collection_id, read(LOG))
    assert check_clicks(store).holds
    with store.database.write() as cursor:
        cursor.execute(DAMAGE[what])
    assert any(fault.what.startswith(what) for fault in check_clicks(store).faults)


@long
@pytest.mark.parametrize(
    "sql",
    [
        "UPDATE click_logs SET pages = 3",
        "UPDATE click_logs SET pages = 5",
        "UPDATE click_logs SET depth = 1",
        "DELETE FROM click_items WHERE item = 5",
        "UPDATE click_blocks SET clicked = ''",
    ],
)
def test_a_damaged_log_is_not_read(store, collection_id, sql):
    write_import(store, collection_id, read(LOG))
    with store.database.write() as cursor:
        cursor.execute(sql)
    with pytest.raises(BadInput, match="damaged"):
        read_log(store, collection_id)
