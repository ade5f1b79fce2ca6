"""Every report says the same through all of its doors on real collections, too."""

import json
import re
import uuid
from dataclasses import replace
from pathlib import Path

import pandas as pd
import pytest

from core.analysis.base.study import labels_of
from core.collection.files.source import Source
from core.collection.formats import read_import
from core.collection.records import numeric_scale
from core.reports.report import Report
from core.settings import ROOT
from core.store.content.collections import create_collection
from core.store.content.imports import write_import
from core.store.content.scales import get_scales
from core.store.events.labels import Key, LabelEvent
from core.store.events.marked import Marked, hash_text
from core.store.store import Store
from tests.pages import test_report_doors as doors
from tests.pages import test_report_doors_machines as machines
from tests.pages import test_report_doors_others as others
from tests.pages import test_report_doors_results as results
from tests.pages import test_report_doors_weights as weights
from tests.pages.test_report_doors import ASKING, EVERY, Agreement, Asked, ask, compare, make_asked
from tests.pages.test_report_doors_declared import CASES, Case, declare_state
from tests.pages.test_report_doors_results import ASKED
from tests.pages.test_report_doors_results import EVERY as EVERY_RESULT
from tests.pages.test_report_doors_results import ask as ask_result
from tests.short import long

pytestmark = [long, pytest.mark.timeout(1200)]

RF10 = {"assessor": "workerID", "topic": "topicID", "document": "docID", "level": "label"}


def bring(store: Store, here: str, kind: str, path: Path, **options: object) -> None:
    if kind == "labels":
        options["scales"] = get_scales(store, here)
    write_import(store, here, read_import(kind, Source.at(path), **options))


def make_dl19(dl19: Path, labels: Path, store: Store, folder: Path) -> Asked:
    """Eight assessors, 37 runs: those of the first five teams."""
    here = create_collection(store, "dl19", scales={"page": numeric_scale(range(4))})
    bring(store, here, "topics", dl19 / "topics.tsv")
    bring(store, here, "labels", labels)
    for run in sorted((dl19 / "runs").iterdir())[:5]:
        bring(store, here, "runs", run)
    return make_asked(store, here, folder)


@pytest.fixture
def dl19_asked(dl19: Path, store: Store, tmp_path: Path) -> Asked:
    return make_dl19(dl19, dl19 / "labels.tsv", store, tmp_path)


@pytest.mark.parametrize(("report", "door"), EVERY)
def test_dl19(report: str, door: str, dl19_asked: Asked, capsys):
    compare(ask(report, door, dl19_asked, capsys), ASKING[report](dl19_asked))


@pytest.mark.parametrize(("report", "door"), EVERY_RESULT)
def test_dl19_results(report: str, door: str, dl19_asked: Asked, capsys):
    expected = ASKED[report](dl19_asked)
    compare(ask_result(report, door, dl19_asked, capsys), expected)


OF_DL19 = [one for one in CASES if one.module in (doors, results)]


@pytest.mark.parametrize("state", ["whole levels", "fewer topics"])
@pytest.mark.parametrize("case", OF_DL19, ids=[one.id for one in OF_DL19])
def test_dl19_that_declares_something_else(
    case: Case, state: str, dl19_asked: Asked, monkeypatch: pytest.MonkeyPatch, capsys
):
    monkeypatch.setattr(doors, "BUNDLES", {})
    asked = declare_state(case, state, dl19_asked, monkeypatch)
    expected = case.expect(asked)
    compare(case.ask(asked, capsys), expected)


@pytest.mark.parametrize(("report", "door"), machines.EVERY)
def test_dl19_beside_a_machine(
    report: type[Report],
    door: str,
    dl19: Path,
    shared_data: Path,
    store: Store,
    tmp_path: Path,
    capsys,
):
    """What GPT-4 said by the prompt of UMBRELA; for estimates people judged every second topic."""
    labels = dl19 / "labels.tsv"
    if report is machines.Estimation:
        table = pd.read_csv(labels, sep="\t", dtype="str")
        kept = sorted(set(table["topic"]))[::2]
        labels = tmp_path / "labels.tsv"
        table[table["topic"].isin(kept)].to_csv(labels, sep="\t", index=False)
    asked = make_dl19(dl19, labels, store, tmp_path)
    given = shared_data / "machine" / "dl19-umbrela.qrels"
    bring(store, asked.collection, "labels", given, machine="llm")
    compare(machines.ask(report, door, asked, capsys), machines.ASKING[report](asked))


@pytest.mark.parametrize(
    ("report", "door"), [one for one in machines.EVERY if one[0] is not machines.Estimation]
)
def test_the_demo_beside_a_machine(
    report: type[Report], door: str, demo: str, store: Store, tmp_path: Path, capsys
):
    """A machine that says what the author of a page had in mind, of every second page one more."""
    asked = make_asked(store, demo, tmp_path)
    table = pd.read_csv(ROOT / "sample_data" / "demo" / "page_levels.tsv", sep="\t", dtype="str")
    level = table["page"].map({"Non": 0, "Rel": 1, "HRel": 2, "Key": 3, "Nav": 4})
    said = table[["topic", "document"]].assign(level=(level + level.index % 2).clip(upper=4))
    path = tmp_path / "llm.tsv"
    said.to_csv(path, sep="\t", index=False)
    bring(store, demo, "labels", path, machine="llm")
    compare(machines.ask(report, door, asked, capsys), machines.ASKING[report](asked))


@pytest.fixture
def rf10_asked(shared_data: Path, store: Store, tmp_path: Path) -> Asked:
    """A crowd of 763, and no runs."""
    here = create_collection(
        store, "rf10", scales=dict.fromkeys(("snippet", "page"), numeric_scale(range(3)))
    )
    path = shared_data / "rf10" / "labels.tsv.gz"
    bring(store, here, "labels", path, columns=RF10, missing=["-2"])
    return make_asked(store, here, tmp_path)


@pytest.mark.parametrize(("report", "door"), [one for one in EVERY if one[0] == Agreement.name])
def test_rf10(report: str, door: str, rf10_asked: Asked, capsys):
    compare(ask(report, door, rf10_asked, capsys), ASKING[report](rf10_asked))


@pytest.mark.parametrize(("report", "door"), weights.EVERY)
def test_rf10_weights(
    report: type[Report],
    door: str,
    rf10_asked: Asked,
    shared_data: Path,
    tmp_path: Path,
    capsys,
):
    """The crowd judged no snippets: that of a page gets what its worker said of the page before."""
    asked = rf10_asked
    if report is weights.CombinedWeights:
        bring_snippets(asked, shared_data, tmp_path)
    compare(weights.ask(report, door, asked, capsys), weights.expect(report, door, asked))


def bring_snippets(asked: Asked, shared_data: Path, folder: Path) -> None:
    rows = pd.read_csv(shared_data / "rf10" / "labels.tsv.gz", sep="\t", dtype="str")
    before = rows.groupby(["workerID", "topicID"])["label"].shift()
    rows = rows.assign(label=before, facet="snippet", engine="e").dropna(subset="label")
    path = folder / "snippets.tsv"
    rows.drop(columns="gold").to_csv(path, sep="\t", index=False)
    named = {**RF10, "facet": "facet", "engine": "engine"}
    bring(asked.store, asked.collection, "labels", path, columns=named, missing=["-2"])


OF_RF10 = [one for one in CASES if one.module is weights or one.report == Agreement.name]


@pytest.mark.parametrize("case", OF_RF10, ids=[one.id for one in OF_RF10])
def test_rf10_that_declares_something_else(
    case: Case,
    rf10_asked: Asked,
    shared_data: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys,
):
    """Weights for two of five users."""
    monkeypatch.setattr(doors, "BUNDLES", {})
    if case.report == weights.CombinedWeights.name:
        bring_snippets(rf10_asked, shared_data, tmp_path)
    asked = declare_state(case, "the lowest level", rf10_asked, monkeypatch)
    expected = case.expect(asked)
    compare(case.ask(asked, capsys), expected)


@pytest.mark.parametrize("kind", others.FACETS)
@pytest.mark.parametrize(
    "door", [one for one in others.DOORS[others.Preferences.name] if one != "bundle"]
)
def test_preferences_of_a_crowd(
    door: str, kind: str, shared_data: Path, store: Store, tmp_path: Path, capsys
):
    """Which of two answers, or of the systems that gave them, is better on the whole.

    There is no bundle, as nobody gave levels.
    """
    votes = pd.read_csv(
        shared_data / "answers" / "crowdrag" / "votes.tsv.gz", sep="\t", dtype="str"
    )
    votes = votes[(votes["aspect"] == "quality_overall") & (votes["occasion"] == "0")]
    if kind == "systems":
        votes = votes.assign(left=votes["left_system"], right=votes["right_system"])
    votes = votes[["topic", "left", "right", "choice", "assessor"]]
    votes = votes.assign(kind=kind, facet=others.FACETS[kind])
    path = tmp_path / "votes.tsv"
    votes.to_csv(path, sep="\t", index=False)
    here = create_collection(store, "Answers")
    bring(store, here, "preferences", path)
    made = make_asked(store, here, tmp_path)
    asked = others.AskedPreferences(**{**vars(made), "kind": kind})
    said = others.ask(others.Preferences.name, door, asked, capsys)
    compare(said, others.prefer_report(asked))


def mark_demo(asked: Asked) -> None:
    """Have assessors mark as many first sentences of plain pages as the level they gave."""
    documents = ROOT / "sample_data" / "demo" / "documents.jsonl"
    texts = {
        one["id"]: one["text"]
        for one in map(json.loads, documents.read_text("utf-8").splitlines())
        if one.get("text")
    }
    labels = labels_of(replace(asked.study, is_masked=False))
    labels = labels[(labels["facet"] == "page") & labels["document_id"].isin(texts)]
    labels = labels[labels["level"] > 0]
    for row in labels.itertuples():
        key = Key(row.topic_id, row.document_id, "page", "", row.assessor_id, row.occasion)
        text = texts[row.document_id]
        ends = [one.end() for one in re.finditer(r"[.!?](?=\s|$)", text)]
        spans = ((0, ends[min(int(row.level), len(ends)) - 1]),)
        # Of one page another text was seen, of which the reader is told.
        seen = f"{text} " if row.document_id == labels["document_id"].min() else text
        known = asked.store.labels.current(asked.collection, row.assessor_id)[key]
        event = LabelEvent(
            str(uuid.uuid4()), known.event_id, key, "level", int(row.level),
            marked=Marked(hash_text(seen), spans),
        )  # fmt: skip
        asked.store.labels.append(asked.collection, [event])


@pytest.mark.parametrize("door", others.DOORS[others.PassageAgreement.name])
def test_passages_of_the_demo(door: str, demo: str, store: Store, tmp_path: Path, capsys):
    asked = make_asked(store, demo, tmp_path)
    mark_demo(asked)
    report = others.passages_report(asked)
    compare(others.ask(others.PassageAgreement.name, door, asked, capsys), report)
