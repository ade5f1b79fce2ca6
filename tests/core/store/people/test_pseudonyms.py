"""Codes for assessors: the same here, others elsewhere, and not to be made by guessing."""

from pathlib import Path

import pandas as pd

from core.store.people.pseudonyms import assessor_codes, hide_assessors
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
