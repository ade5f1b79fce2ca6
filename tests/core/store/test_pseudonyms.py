"""Codes for assessors: the same here, others elsewhere, and not to be made by guessing."""

from pathlib import Path

import pandas as pd

from core.store.collection import create_collection
from core.store.members import add_member
from core.store.pseudonyms import assessor_codes, hide_assessors, hide_names
from core.store.store import Store


def test_codes_depend_on_collection_and_key(tmp_path: Path):
    stores = [Store(tmp_path / f"{name}.duckdb") for name in "ab"]
    here = assessor_codes(stores[0], "c1", ["anna", "bob"])
    assert here == assessor_codes(stores[0], "c1", ["anna", "bob"])
    everywhere = [*here.values()]
    everywhere += assessor_codes(stores[0], "c2", ["anna", "bob"]).values()
    everywhere += assessor_codes(stores[1], "c1", ["anna", "bob"]).values()
    assert len(set(everywhere)) == 6
    for store in stores:
        store.close()


def test_ids_and_names_go_and_gaps_stay(store: Store):
    frame = pd.DataFrame(
        {"assessor_id": ["anna", None, "anna"], "name": ["Anna", "", "Anna"], "level": [1, 2, 3]}
    )
    hidden = hide_assessors(store, "c", frame)
    code = assessor_codes(store, "c", ["anna"])["anna"]
    assert hidden["assessor_id"].tolist()[::2] == hidden["name"].tolist()[::2] == [code, code]
    assert hidden["assessor_id"].isna().tolist() == [False, True, False]
    assert hidden["level"].tolist() == [1, 2, 3]
    assert frame["name"].tolist() == ["Anna", "", "Anna"]
    plain = frame[["level"]]
    assert hide_assessors(store, "c", plain) is plain


def test_a_table_of_a_page_names_nobody(store: Store):
    collection_id = create_collection(store, "Small")
    codes = {}
    for number, name in (("p-1", "Anna"), ("p-2", "1"), ("p-3", "Ann")):
        add_member(store, collection_id, number, name)
        codes[name] = assessor_codes(store, collection_id, [number])[number]
    table = pd.DataFrame(
        {
            "first": ["Anna", "1"],
            "second_id": ["p-2", "p-3"],
            "name": ["cats: Anna – 1", "Annabel"],
            "topic_id": ["1", "2"],
            "version": ["only Anna", None],
            "by Ann": [1, 2],
        }
    )
    hidden = hide_names(store, collection_id, table)
    assert hidden["first"].tolist() == [codes["Anna"], codes["1"]]
    assert hidden["second_id"].tolist() == [codes["1"], codes["Ann"]]
    assert hidden["name"].tolist() == [f"cats: {codes['Anna']} – {codes['1']}", "Annabel"]
    assert hidden["topic_id"].tolist() == ["1", "2"]
    assert hidden["version"].tolist()[0] == f"only {codes['Anna']}"
    assert hidden["version"].isna().tolist() == [False, True]
    assert hidden[f"by {codes['Ann']}"].tolist() == [1, 2]
    assert table["first"].tolist() == ["Anna", "1"]


def test_where_nobody_is_known_a_table_stays_as_it_is(store: Store):
    table = pd.DataFrame({"name": ["Anna"], "n": [1]})
    pd.testing.assert_frame_equal(
        hide_names(store, create_collection(store, "Empty"), table), table, check_dtype=False
    )
