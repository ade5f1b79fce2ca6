"""What the export page hands out reads back as what is stored."""

import io
import re

import pandas as pd
import pytest
import streamlit as st

from core.analysis.collection.exported_files import Wanted, export_file
from core.collection.annotation_tools.writers import LABEL_WRITERS
from core.collection.files.source import Source
from core.collection.formats import read_import
from core.store.backup.backup import restore_backup
from core.store.content.imports import write_import
from core.store.content.saved_rules import save_rule
from core.store.events.frames import count_contents, read_labels, read_runs
from core.store.people.roster import RosterEntry, edit_roster
from core.store.store import Store
from core.versions.rules import QrelsRule
from pages.collection.export import read_backup
from pages.shared.figure import NAMES_IN_DATA
from tests.pages.conftest import OpenPage
from tests.sampled_rounds import judge_all, make_collection, open_sampled
from tests.short import long

NAMED = re.compile(rb"(?<!\w)a1(?!\w)")
"""The id as a word: codes are made of the same letters and figures."""


def write_csv(store: Store, collection_id: str, **wanted: bool) -> bytes:
    return export_file(store, collection_id, "labels", Wanted(**wanted)).content


def write_parquet(store: Store, collection_id: str, **wanted: bool) -> bytes:
    return write_csv(store, collection_id, parquet=True, **wanted)


def buttons(at) -> list[str]:
    return [one.label for one in at.download_button]


def test_offers_every_file(open_page, organiser, filled):
    at = open_page("export", organiser)
    files = ["TREC qrels", "NTCIR qrels", "BEIR", "CSV", "Parquet", "TREC run", "Guidelines"]
    assert buttons(at) == files
    for part, offered in (
        ("Other tools", [one.title for one in LABEL_WRITERS.values()]),
        ("Bundle and paper", ["Study bundle", "Paper pack"]),
        ("Backup", ["Back up the store"]),
    ):
        at = open_page("export", organiser, **{"export-part": part})
        assert buttons(at) == offered
    assert any("dissent restore" in one.value for one in at.code)


def test_an_empty_store_can_still_be_backed_up(open_page, organiser):
    assert buttons(open_page("export", organiser)) == ["Back up the store"]


@long
def test_offers_the_versions_that_scores_rest_on(open_page, store, organiser, filled):
    qrels = read_import("qrels", Source("q.txt", b"t1 0 d1 1\n"))
    write_import(store, filled, qrels, name="official")
    rule = QrelsRule("my mean", combine="mean")
    save_rule(store, filled, rule.name, rule.to_json())
    at = open_page("export", organiser)
    version = at.selectbox(key="export-version-page")
    assert {"imported: official", "my mean", "all, maximum"} <= set(version.options)
    version.select("my mean").run()
    assert not at.exception
    assert any(
        "they hold *my mean, in whole levels* (to the nearest" in one.value for one in at.caption
    )
    at.selectbox(key="export-version-page").select("imported: official").run()
    assert any(one.value.startswith("1 line. Content") for one in at.caption)


@long
def test_chances_are_exported_in_thousandths(open_page, organiser, filled):
    at = open_page("export", organiser)
    at.selectbox(key="export-version-page").select("UDM").run()
    assert any(
        "in whole levels* (times 1,000, to the nearest, halves up)" in one.value
        for one in at.caption
    )


@long
def test_a_rule_that_cannot_be_used_makes_no_file_and_says_why(open_page, store, organiser, filled):
    rule = QrelsRule("of nobody", assessors=("nobody",))
    save_rule(store, filled, rule.name, rule.to_json())
    at = open_page("export", organiser)
    at.selectbox(key="export-version-page").select("of nobody").run()
    assert not at.error
    (told,) = (one.value for one in at.info if one.value.startswith("This version cannot be made"))
    assert "'of nobody' finds no label" in told
    assert "TREC qrels" not in buttons(at)
    assert "CSV" in buttons(at)


def test_csv_reads_back_and_has_names_only_when_asked(store, filled):
    text = write_csv(store, filled, names=False)
    again = read_import("labels", Source("l.csv", text)).frames["labels"]
    assert again["level"].tolist() == read_labels(store, filled)["given_level"].tolist()
    assert "name" not in text.decode().partition("\n")[0].split(",")
    assert "name" in write_csv(store, filled, names=True).decode().partition("\n")[0].split(",")


def test_parquet_holds_the_labels_and_names_only_when_asked(store, filled):
    labels = read_labels(store, filled)
    without = pd.read_parquet(io.BytesIO(write_parquet(store, filled, names=False)))
    assert set(labels.columns) - set(without.columns) == {"assessor"}
    assert without["given_level"].tolist() == labels["given_level"].tolist()
    assert not set(without["assessor_id"]) & set(labels["assessor_id"])
    codes = dict(zip(labels["assessor_id"], without["assessor_id"], strict=True))
    assert labels["assessor_id"].map(codes).tolist() == without["assessor_id"].tolist()
    named = pd.read_parquet(io.BytesIO(write_parquet(store, filled, names=True)))
    assert named["name"].tolist() == labels["assessor"].tolist()


@long
def test_a_backup_restores_to_the_same_collection(store, filled, tmp_path):
    archive = tmp_path / "b.zip"
    archive.write_bytes(read_backup(store))
    restore_backup(archive, tmp_path / "again.duckdb")
    again = Store(tmp_path / "again.duckdb")
    assert count_contents(again, filled) == count_contents(store, filled)
    pd.testing.assert_frame_equal(read_runs(again, filled), read_runs(store, filled))
    again.close()


@long
def test_the_data_behind_a_figure_has_names_only_when_asked(
    open_page: OpenPage, organiser: str, filled: str, monkeypatch: pytest.MonkeyPatch
):
    made: dict[str, bytes] = {}

    def take(*_given: object, data: object, file_name: str, **_named: object) -> None:
        made[file_name] = data() if callable(data) else data

    monkeypatch.setattr(st, "download_button", take)
    open_page("monitor", organiser)
    assert not NAMED.search(made["assessors-progress.csv"])
    assert b"a-" in made["assessors-progress.csv"]
    open_page("monitor", organiser, **{NAMES_IN_DATA: True})
    assert NAMED.search(made["assessors-progress.csv"])


@long
def test_labels_that_count_nowhere_are_left_out_unless_asked_for(
    open_page, store, organiser, filled
):
    at = open_page("export", organiser)
    assert "export-label-everybody" not in [one.key for one in at.checkbox]
    edit_roster(store, filled, {"a2": RosterEntry("", "machine")})
    at = open_page("export", organiser)
    assert not at.exception
    assert at.checkbox(key="export-label-everybody").value is False
    few = write_csv(store, filled, names=True).decode()
    whole = write_csv(store, filled, names=True, everybody=True).decode()
    assert (few.count("\n"), whole.count("\n")) == (3, 4)
    assert "a2" not in few
    parquet = write_parquet(store, filled, names=True, everybody=True)
    assert set(pd.read_parquet(io.BytesIO(parquet))["assessor_id"]) == {"a1", "a2"}


@long
def test_samples_are_offered_where_a_round_judged_one(open_page, store, organiser):
    collection_id = make_collection(store)
    open_sampled(store, collection_id)
    judge_all(store, collection_id)
    at = open_page("export", organiser, collection_id)
    assert not at.exception
    offered = [
        "TREC qrels",
        "NTCIR qrels",
        "BEIR",
        "Sample, strata",
        "Sample, prels",
        "Sample, TSV",
    ]
    assert buttons(at)[: len(offered)] == offered
    assert not any("Not in samples" in one.value for one in at.caption)
