"""Page, command and Python API find the same in preferences: shares, strengths, their limits."""

import json

import numpy as np
import pandas as pd
import pytest

import dissent
from core.analysis.agreement.preferences import preferences_on
from core.analysis.base.study import Study
from core.collection.export.preference_export import write_preferences
from core.collection.files.source import Source
from core.collection.formats import read_import
from core.command.main import main
from core.store.content.collections import create_collection
from core.store.content.imports import write_import
from tests.core.preference.simulated import simulate
from tests.short import few

NUMBERS = ["low", "high", "units"]


@pytest.fixture(params=few(["documents", "systems"]))
def kind(request):
    return request.param


@pytest.fixture
def path(kind, tmp_path):
    """Preferences of five items in six topics; in the first topic one wins everything."""
    frame = simulate(400, 5, 6, np.random.default_rng(8), kind=kind, assessors=4)
    frame = frame.drop_duplicates(["topic_id", "first", "second", "assessor_id"])
    wins = (frame["topic_id"] == "t0000") & (frame["first"] == "d0000") & (kind == "documents")
    frame["choice"] = frame["choice"].mask(wins, "first").astype("str")
    path = tmp_path / "preferences.tsv"
    path.write_bytes(write_preferences(frame))
    return path


@pytest.fixture
def study(path, store):
    collection_id = create_collection(store, "pairs")
    read = read_import("preferences", Source(path.name, path.read_bytes()))
    write_import(store, collection_id, read)
    return Study(store, collection_id, is_masked=False)


@pytest.fixture
def command(capsys):
    def call(*words):
        capsys.readouterr()
        assert main([*map(str, words), "--format", "json"]) == 0
        return json.loads(capsys.readouterr().out)

    return call


def table(rows, keys, columns):
    """Return numbers by key; infinite ones as JSON has them."""
    found = pd.DataFrame(rows).set_index(keys)[columns].astype("float64").sort_index()
    return found.replace([np.inf, -np.inf], np.nan).to_numpy()


def test_strengths_and_shares(study, path, kind, command):
    facet = "panel" if kind == "systems" else "page"
    printed = command("preferences", path)
    found = dissent.preferences(dissent.read_preferences(path), kind=kind)
    shown = preferences_on(study, kind, facet)
    strengths = shown.strengths
    for three in (
        (strengths, found.strengths, printed["strengths"], ["topic_id", "item"]),
        (
            *(shown.outcomes, found.outcomes, printed["pairs"]),
            ["topic_id", "first", "second"],
        ),
    ):
        *frames, entries, keys = three
        rows = [
            {**row, "topic_id": row["topic"] or "", "units": row["interval"]["n"]}
            for row in entries
        ]
        value = "strength" if "item" in keys else "share"
        page, api, command = (table(own, keys, [value, *NUMBERS]) for own in (*frames, rows))
        assert api == pytest.approx(page, nan_ok=True, rel=1e-9)
        assert command == pytest.approx(page, nan_ok=True, rel=1e-9)
        said = {row["interval"]["unit"] for row in entries}
        assert said == set(frames[0]["unit"])
        missing = [bool(row.get("reason")) for row in entries if row["low"] is None]
        assert all(missing)
    endless = {(row["topic"] or "") for row in printed["strengths"] if row["unbounded"]}
    assert endless == set(strengths.loc[np.isinf(strengths["high"]), "topic_id"])
    assert ("t0000" in endless) == (kind == "documents")
