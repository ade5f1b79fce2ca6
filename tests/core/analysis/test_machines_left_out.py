"""A machine that judges changes no number of any analysis, unless a rule names it."""

import importlib
import inspect
import shutil
from collections.abc import Callable, Mapping
from contextlib import closing
from dataclasses import fields, is_dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from core.analysis.base.study import Study, labels_of_all, scales_of
from core.analysis.results.qrels_choices import find_choice, list_choices, version_of
from core.api.calls.store_frames import open_store
from core.collection.files.source import Source
from core.collection.formats import read_import
from core.collection.records import PAGE, SNIPPET, counted_levels
from core.demo import load_demo
from core.errors import DissentError
from core.reports.report import Report
from core.reports.user_model import usual_model
from core.settings import DEMO_DATA, ROOT
from core.store.content.imports import write_import
from core.store.content.scales import get_scales
from core.store.store import Store
from core.versions.rules import QrelsRule
from core.versions.versions import QrelsVersion
from tests.short import few

Seen = dict[str, Any]

OF_EVERYBODY = {
    *("labels_of_all", "coded_labels_of_all", "left_out_of", "names_of", "describe_left_out"),
    "labels_of_facet",
    *("list_choices", "offer_versions", "versions_at", "describe_methods", "describe_moment"),
    *("list_judgements", "list_versions", "has_machines", "machines_of", "compare_machines"),
}
"""What names everybody or is about machines, says who is left out and which event is the latest."""


def let_machine_judge(store: Store, collection: str) -> None:
    """Give a machine's labels of every item of everybody, most of them another level."""
    for facet in (SNIPPET, PAGE):
        labels = labels_of_all(Study(store, collection, is_masked=False))
        said = labels[labels["facet"] == facet].drop_duplicates(
            ["topic_id", "document_id", "engine"]
        )
        rows = [
            f"{one.topic_id}\t{one.document_id}\t{one.engine}\t{number % 3}\t"
            f"{'invalid answer' if number % 7 == 0 else ''}\tIt is so.\t0.01"
            for number, one in enumerate(said.itertuples())
        ]
        text = "\n".join(["topic\tdocument\tengine\tlevel\tstate\tanswer\tcost", *rows])
        imported = read_import(
            "labels",
            Source(f"{facet}.tsv", text.encode()),
            scales=get_scales(store, collection),
            machine="llm",
            facet=facet,
        )
        write_import(store, collection, imported)


def list_analyses() -> list[tuple[str, Callable[..., Any]]]:
    """Return every public function of the analyses that takes a study, and a facet or none."""
    found = {}
    for path in sorted((ROOT / "core" / "analysis").rglob("*.py")):
        module = ".".join(path.relative_to(ROOT).with_suffix("").parts)
        for name, one in vars(importlib.import_module(module)).items():
            is_own = inspect.isfunction(one) and one.__module__ == module
            if is_own and not name.startswith("_") and name not in OF_EVERYBODY:
                found[name] = one
    return [
        (name, one)
        for name, one in sorted(found.items())
        if _needs(one) in (["study"], ["study", "facet"], ["study", "facet", "model"])
    ]


def _needs(function: Callable[..., Any]) -> list[str]:
    parameters = inspect.signature(function).parameters.values()
    return [one.name for one in parameters if one.default is inspect.Parameter.empty]


def compute(store: Store, collection: str, *, whole: bool) -> Seen:
    """Return what every analysis gives, errors among it; not the whole: every fourth one."""
    study = Study(store, collection, is_masked=False)
    seen: Seen = {}
    for facet in (PAGE, SNIPPET) if whole else (PAGE,):
        model = usual_model(counted_levels(scales_of(study)[facet]))
        values = {"study": study, "facet": facet, "model": model}
        for name, one in list_analyses() if whole else list_analyses()[::4]:
            try:
                found = seen[f"{name} {facet}"] = one(*(values[need] for need in _needs(one)))
                if isinstance(found, Report):
                    for table in found.tables:
                        table_of(found, table)  # reads of this moment are kept
            except (DissentError, TypeError) as error:
                seen[f"{name} {facet}"] = str(error)
        for key, choice in list_choices(study, facet, model).items():
            if choice.rule is None or "llm" not in choice.rule.assessors:
                seen[f"version {key} {facet}"] = version_of(study, choice)
    return seen


def plain(value: Any) -> Any:
    """Return a value as what can be compared, objects by their fields."""
    if isinstance(value, pd.DataFrame):
        told = value.drop(columns=["sequence", "time"], errors="ignore")
        return {str(name): plain(told[name]) for name in told}
    if isinstance(value, pd.Series | pd.Index):
        return [plain(one) for one in value.tolist()]
    if isinstance(value, np.ndarray):
        return plain(value.tolist())
    if isinstance(value, Report):
        return {name: plain(table_of(value, name)) for name in value.tables}
    if callable(value):
        return "computed when asked for"
    if isinstance(value, QrelsVersion):
        return value.content_hash, value.assessors, value.n_labels
    if is_dataclass(value) and not isinstance(value, type):
        return {field.name: plain(getattr(value, field.name)) for field in fields(value)}
    if isinstance(value, Mapping):
        return {str(key): plain(one) for key, one in value.items()}
    if isinstance(value, list | tuple | set | frozenset):
        return [plain(one) for one in value]
    return "undefined" if isinstance(value, float) and np.isnan(value) else repr(value)


def table_of(report: Report, name: str) -> Any:
    try:
        return report.table(name)
    except DissentError as error:
        return str(error)


def load_part(store: Store, folder: Path) -> str:
    """Store the demo with the labels and preferences of two topics only."""
    shutil.copytree(DEMO_DATA, folder)
    for name in ("labels.tsv", "preferences.tsv"):
        rows = pd.read_csv(DEMO_DATA / name, sep="\t", dtype=str, keep_default_na=False)
        kept = rows[rows["topic"].isin(["t01", "t02"])]
        kept.to_csv(folder / name, sep="\t", index=False)
    return load_demo(store, folder)


@pytest.fixture(scope="module", params=few(["two topics", "all topics"]))
def demo(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> tuple[Path, str, Seen, Seen]:
    """The demo's store, its collection, and what every analysis gave before and afterwards."""
    folder = tmp_path_factory.mktemp("machines")
    with closing(Store(folder / "store.duckdb")) as store:
        is_whole = request.param == "all topics"
        collection = load_demo(store) if is_whole else load_part(store, folder / "demo")
        before = compute(store, collection, whole=is_whole)
        let_machine_judge(store, collection)
        return Path(store.path), collection, before, compute(store, collection, whole=is_whole)


def test_most_analyses_are_among_those_that_are_compared():
    names = {name for name, _ in list_analyses()}
    assert len(names) > 40
    assert {"ratings_of", "labels_of", "ask_assessors", "ask_progress"} <= names


def test_a_machine_changes_no_number_of_any_analysis(demo):
    _, _, before, after = demo
    assert sum(not isinstance(one, str) for one in before.values()) > 25
    changed = [name for name, one in before.items() if plain(one) != plain(after[name])]
    assert changed == [], changed


def test_nor_of_any_frame_but_those_that_are_about_it(demo, tmp_path):
    path, collection, _, _ = demo
    with open_store(path, names=True) as frames:
        people = frames.labels(collection)
        assert set(frames.labels(collection, everybody=True)["kind"]) == {"person", "machine"}
        assert "kind" not in people
        assert "llm" not in set(people["assessor_id"])
        for version in ("all, maximum", "UDM", "snippet and page"):
            given = frames.qrels(version, collection)
            assert given.attrs["version"].startswith(version)
            assert not given.empty
        machine = frames.qrels("only llm", collection)
        assert machine.attrs["version"] == "only llm (machine)"
        (row,) = frames.machines(collection).to_dict("records")
        assert row["labels"] + row["invalid_answers"] == len(frames.machine_answers(collection))
        machine.to_parquet(tmp_path / "qrels.parquet")
    told = pd.read_parquet(tmp_path / "qrels.parquet").attrs
    assert told == {"version": "only llm (machine)", "gmax": 3.0}


def test_a_rule_that_names_a_machine_has_another_hash_and_says_so(demo):
    path, collection, _, _ = demo
    with closing(Store(path, read_only=True)) as store:
        study = Study(store, collection, is_masked=False)
        person = sorted(set(labels_of_all(study)["assessor_id"]) - {"llm"})[0]
        choice = find_choice(study, "only llm")
        assert choice.name == "only llm (machine)"
        assert choice.rule is not None
        assert choice.rule.name == choice.name
    rules = [QrelsRule("x", assessors=(person, *more)) for more in ((), ("llm",))]
    assert rules[0].rule_hash != rules[1].rule_hash
