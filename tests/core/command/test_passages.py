"""Passages on the command line and from Python: the numbers of the page, and the file."""

import csv
import hashlib
import io
import json
from contextlib import closing
from pathlib import Path

import pandas as pd
import pytest

import dissent as python
from core.store.store import Store
from tests.core.analysis.agreement.test_passages import MEAN
from tests.core.marked_study import TEXT, build_marked
from tests.short import few, long


@pytest.fixture(scope="module")
def place(tmp_path_factory) -> tuple[str, Path]:
    """A store's file, closed, and what names its collection on the command line; only read."""
    path = tmp_path_factory.mktemp("marked") / "marked.duckdb"
    with closing(Store(path)) as opened:
        build_marked(opened)
    return ("--store", path, "--collection", "Marked")


@long
def test_the_command_says_the_same(dissent, place):
    result = dissent("passages", *place)
    assert f"{MEAN:.3f}" in result.out
    assert "no item has passages of two assessors" in result.out
    assert "page: labels with passages in another version of the text, left out: 1" in result.err
    told = json.loads(dissent("passages", *place, "--facet", "page", "--format", "json").out)
    assert [one["name"] for one in told["overall"]] == ["f1", "alpha(nominal)"]
    assert told["overall"][0]["value"] == pytest.approx(MEAN)
    assert told["overall"][0]["interval"] == {
        "method": "jackknife",
        "unit": "topic",
        "n": 5,
        "of": "agreement of all assessors on what they marked, over topics like these",
    }
    assert told["items"][0] == {
        **{"facet": "page", "topic": "t3", "document": "t3d", "engine": "", "assessors": 2},
        **{"characters": len(TEXT), "f1": 0.0},
    }


@long
def test_python_says_the_same(place):
    with python.open_store(place[1]) as opened:
        passages = opened.passages()
        with pytest.raises(python.BadInput, match="say which of snippet, page"):
            python.passage_agreement(passages)
        with pytest.raises(python.BadInput, match="none of"):
            python.passage_agreement(passages, facet="panel")
        with pytest.warns(python.ReadWarning, match="another version of the text"):
            table = python.passage_agreement(passages, facet="page").overall
        pages = passages[(passages["facet"] == "page") & (passages["characters"] > 0)]
        pd.testing.assert_frame_equal(python.passage_agreement(pages).overall, table)
    assert table["value"].iloc[0] == pytest.approx(MEAN)
    assert not set(passages["name"]) & {"Anna", "Bob", "Carla"}


@pytest.mark.parametrize("names", few([False, True]))
def test_the_exported_file(dissent, place, names):
    result = dissent("export", "passages", *place, *(["--names"] if names else []))
    rows = list(csv.DictReader(io.StringIO(result.out)))
    assert len(rows) == 16
    assert result.err == "16 passages written to standard output\n"
    first = next(one for one in rows if (one["topic"], one["facet"]) == ("t1", "page"))
    assert list(first)[: 2 if names else 1] == ["assessor", "name"][: 2 if names else 1]
    assert (first["document"], first["start"], first["end"]) == ("t1d", "0", "18")
    assert (first["level"], first["state"], first["occasion"]) == ("2", "level", "0")
    assert first["quote"] == TEXT[:18]
    assert first["text_hash"] == hashlib.sha256(TEXT.encode()).hexdigest()
    another = hashlib.sha256(b"Other text").hexdigest()
    (other,) = (one for one in rows if one["text_hash"] == another)
    assert other["quote"] == ""
    assert ("Anna" in result.out) == names
