"""Imported preferences: stored as label events on pairs, and read back as they were."""

import pandas as pd
import pytest

from core.collection.files.source import Source
from core.collection.formats import read_import
from core.errors import BadInput
from core.store.content.collections import create_collection
from core.store.content.imports import write_import
from core.store.rounds.pairs import code_pair, get_pair, list_pairs, read_preferences
from core.store.store import Store
from tests.short import few, long

pytestmark = pytest.mark.contract

FILE = (
    "topic\tleft\tright\tchoice\tstrength\tassessor\toccasion\n"
    "t1\td2\td1\tleft\tclearly\tanna\t0\n"
    "t1\td1\td2\tright\tslightly\tanna\t1\n"
    "t1\td1\td2\ttie\t\tbob\t0\n"
    "t2\td3\td9\tright\t\tbob\t0\n"
)
COLUMNS = ["topic_id", "first", "second", "left", "choice", "strength", "assessor_id", "occasion"]


@pytest.fixture
def made(store: Store):
    return store, create_collection(store, "Pairs")


def add(made, text: str) -> dict[str, int]:
    return write_import(*made, read_import("preferences", Source("file.tsv", text.encode())))


def test_preferences_come_back_as_they_were(made):
    counts = add(made, FILE)
    assert counts["labels"] == 4
    found = read_preferences(*made)
    assert set(found["source"]) == {"imported"}
    assert found[COLUMNS].values.tolist() == [
        ["t1", "d1", "d2", "d2", "second", 2, "anna", 0],
        ["t1", "d1", "d2", "d1", "second", 1, "anna", 1],
        ["t1", "d1", "d2", "d1", "tie", 0, "bob", 0],
        ["t2", "d3", "d9", "d3", "second", 1, "bob", 0],
    ]
    assert set(found["facet"]) == {"page"}
    assert len(list_pairs(*made, "documents")) == 2


@long
def test_an_unknown_side_stays_unknown(made):
    add(made, "t1 d2 d1 d1\nt1 d3 d1 d3\n")
    found = read_preferences(*made)
    assert found["left"].tolist() == ["", ""]
    chosen = found["first"].where(found["choice"] == "first", found["second"])
    assert sorted(chosen) == ["d1", "d3"]


@long
def test_the_same_file_again_adds_nothing(made):
    add(made, FILE)
    assert add(made, FILE)["already there"] == 4
    assert len(read_preferences(*made)) == 4


@pytest.mark.parametrize("change", few([("left\tclearly", "right\tclearly"), ("d2\td1", "d1\td2")]))
def test_what_is_there_is_never_overwritten(made, change: tuple[str, str]):
    add(made, FILE)
    with pytest.raises(BadInput, match="already judged topic t1"):
        add(made, FILE.replace(*change, 1))
    assert len(read_preferences(*made)) == 4


def test_the_id_of_a_pair_tells_nothing_and_is_its_own():
    codes = {
        code_pair(secret, topic, "systems", "alpha", "beta")
        for secret in ("one", "two")
        for topic in ("t1", "t2")
    }
    assert len(codes) == 4
    assert not any("alpha" in code for code in codes)


@long
def test_a_pair_that_is_not_there(made):
    assert get_pair(*made, "t1", "p-none") is None


@long
def test_preferences_as_they_stood_at_an_event(made):
    add(made, FILE)
    now = read_preferences(*made)
    then = read_preferences(*made, int(now["sequence"].iloc[1]))
    pd.testing.assert_frame_equal(then, now.head(2))
