"""Reasons by winner: what is counted, for whom, and where it is shown and handed out."""

import json
import uuid

import pandas as pd
import pytest

from core.analysis.agreement.preferences import preferences_on
from core.analysis.base.study import Study
from core.collection.export.preference_export import write_reasons
from core.collection.files.source import Source
from core.collection.formats import read_import
from core.store.events.labels import LabelEvent
from core.store.events.preference_reasons import read_reasons
from core.store.rounds.pairs import read_preferences
from tests.pages.agreement.preferences.test_preferences import HEAD, add, made, said
from tests.short import long

__all__ = ["made"]

GIVEN = {
    ("a0", 0): ("fresher", "shorter"),
    ("a1", 0): ("fresher",),
    ("a2", 0): ("shorter",),
    ("a3", 0): (),
    ("a0", 1): ("repeated",),
}
"""The reasons of each assessor and occasion; a2 and a3 prefer the other, a0 repeats."""


@pytest.fixture
def reasoned(store, made) -> str:
    """Two systems, which four people compared with reasons."""
    choices = [("a0", "left", 0), ("a1", "left", 0), ("a2", "right", 0), ("a3", "right", 0)]
    rows = [said("t1", "alpha", "beta", choice, who, "systems", n) for who, choice, n in choices]
    rows += [said("t1", "alpha", "beta", "left", "a0", "systems", 1)]
    add(store, made, "preferences", HEAD + "".join(rows))
    for who in ("a0", "a1", "a2", "a3"):
        for key, label in store.labels.current(made, who).items():
            reasons = GIVEN[who, key.occasion]
            event = LabelEvent(
                str(uuid.uuid4()), label.event_id, key, "level", label.level, reasons=reasons
            )
            store.labels.append(made, [event])
    return made


@long
def test_reasons_are_counted_by_winner(store, reasoned):
    rows = preferences_on(Study(store, reasoned, False), "systems", "panel").reasons
    assert rows.to_numpy().tolist() == [
        ["alpha", "fresher", 2, 2, 0, 2, 1.0],
        ["alpha", "shorter", 1, 1, 0, 2, 0.5],
        ["beta", "shorter", 1, 0, 1, 1, 1.0],
    ]
    assert preferences_on(Study(store, reasoned, False), "documents", "page").reasons.empty


@long
def test_a_viewer_sees_the_same_counts(store, reasoned):
    seen = preferences_on(Study(store, reasoned, True), "systems", "panel").reasons
    assert seen["n"].tolist() == [2, 1, 1]


def test_the_page_shows_them_and_the_export_has_them(open_page, store, organiser, reasoned):
    at = open_page("preferences", organiser, reasoned)
    assert not at.exception
    assert "Reasons" in [one.value for one in at.header]
    (table,) = [one for one in at.dataframe if "reason" in one.value and "of" in one.value]
    assert table.value["winner"].tolist() == ["alpha", "alpha", "beta"]
    assert json.loads(table.proto.columns)["reason"]["label"] == "reason"
    export = open_page("export", organiser, reasoned)
    assert "Reasons, TSV" in [one.label for one in export.download_button]


@long
def test_the_file_has_a_row_for_each_reason(store, reasoned):
    preferences = read_preferences(store, reasoned)
    text = write_reasons(preferences, read_reasons(store, reasoned)).decode()
    head, *rows = [line.split("\t") for line in text.splitlines()]
    assert head[-1] == "reason"
    frame = pd.DataFrame(rows, columns=head)
    assert frame.groupby(["assessor", "occasion"])["reason"].agg(tuple).to_dict() == {
        (who, str(occasion)): reasons for (who, occasion), reasons in GIVEN.items() if reasons
    }
    assert frame.loc[frame["assessor"] == "a2", "choice"].tolist() == ["second"]


@long
def test_without_reasons_nothing_is_said_of_them(open_page, store, organiser, made):
    add(store, made, "preferences", HEAD + said("t1", "alpha", "beta", "left", "a0", "systems"))
    at = open_page("preferences", organiser, made)
    assert "Reasons" not in [one.value for one in at.header]
    labels = [one.label for one in open_page("export", organiser, made).download_button]
    assert "Reasons, TSV" not in labels


@long
def test_preferences_are_read_back_as_before(store, reasoned):
    from core.collection.export.preference_export import write_preferences

    written = write_preferences(read_preferences(store, reasoned))
    again = read_import("preferences", Source("again.tsv", written))
    assert len(again.frames["preferences"]) == 5
