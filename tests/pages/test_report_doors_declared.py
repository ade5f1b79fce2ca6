"""Every report says the same through all of its doors of a study that declares something else.

Another measure, version, α, model of users and baseline than are usual; fewer topics than there
are; and snippets. Doors that know no declaration are told the same by name.
"""

import shutil
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from types import ModuleType
from typing import Any

import pandas as pd
import pytest

from core.analysis.base.declared import declared_of
from core.analysis.base.study import coded_labels_of_all, labels_of, left_out_of
from core.analysis.collection.declaring import declare
from core.analysis.results.declared import scored_runs_of
from core.api.calls.served_store import ServedStore
from core.collection.files.source import Source
from core.collection.formats import read_import
from core.collection.records import counted_levels
from core.reports.agreement import Agreement
from core.reports.assessors import AssessorQuality
from core.reports.clicks import ClickAnalysis
from core.reports.groups import GroupRankings
from core.reports.interleaving import Interleaving
from core.reports.judging_orders import JudgingSimulation
from core.store.content.gold import GoldItem, mark_gold
from core.store.content.imports import write_import
from core.store.content.saved_rules import set_stop_rule
from core.store.content.scales import get_scales
from core.store.events.labels import Key
from core.store.store import Store
from tests.core import marked_study
from tests.core.api.made_up import level_of
from tests.pages import test_report_doors as doors
from tests.pages import test_report_doors_groups as groups
from tests.pages import test_report_doors_judging as judging
from tests.pages import test_report_doors_machines as machines
from tests.pages import test_report_doors_opinions as opinions
from tests.pages import test_report_doors_others as others
from tests.pages import test_report_doors_people as people
from tests.pages import test_report_doors_progress as progress
from tests.pages import test_report_doors_results as results
from tests.pages import test_report_doors_weights as weights
from tests.pages.api.v1.described_client import DescribedClient
from tests.pages.conftest import serve_copy
from tests.pages.test_report_doors import Asked, Said, compare, made_up_store, make_asked
from tests.pages.test_report_doors_judging import pooled_store
from tests.pages.test_report_doors_machines import judged_twice_store
from tests.pages.test_report_doors_others import clicked_store, side_by_side
from tests.pages.test_report_doors_progress import one_minute, rounds_store
from tests.pages.test_report_doors_weights import both_facets_store
from tests.short import long

__all__ = [
    "both_facets_store",
    "clicked_store",
    "judged_twice_store",
    "made_up_store",
    "one_minute",
    "pooled_store",
    "rounds_store",
    "side_by_side",
]

ALPHA = 0.2
UDM = "nDCG(gain='udm')@10"
"""What it takes for gains are weights for the declared users."""

LOWEST, WHOLE = "all, minimum", "all, median, in whole levels"
USUAL: dict[str, Any] = {"measure": "AP", "alpha": ALPHA, "users": 5, "at_least": 2}
TOPICS = 5
"""So many of the topics are declared where they are fewer."""

STATES: dict[str, dict[str, Any]] = {
    "the lowest level": {**USUAL, "version": LOWEST},
    "whole levels": {**USUAL, "version": WHOLE},
    "fewer topics": {**USUAL, "version": LOWEST, "topics": TOPICS},
    "weights": {**USUAL, "version": LOWEST, "measure": UDM},
    "snippets": {**USUAL, "version": LOWEST, "facet": "snippet"},
}


@dataclass(frozen=True)
class Case:
    """A door of a report: the study it is asked of, what it says, and what the report says."""

    module: ModuleType
    report: str
    door: str
    study: str
    ask: Callable[[Asked, pytest.CaptureFixture[str]], Said]
    expect: Callable[[Asked], Said]

    @property
    def id(self) -> str:
        return f"{self.report}-{self.door}"


def list_cases() -> Iterator[Case]:
    """Return the doors of all modules: each asks in a way of its own."""
    for module, asking in ((doors, doors.ASKING), (results, results.ASKED)):
        for report, door in module.EVERY:
            asks = partial(module.ask, report, door)
            yield Case(module, report, door, "made_up_store", asks, asking[report])
    for module, study in (
        (people, "made_up_store"),
        (groups, "made_up_store"),
        (judging, "pooled_store"),
        (progress, "rounds_store"),
    ):
        expect = people.judge_report if module is people else module.ask_report
        for door in module.DOORS:
            asks = partial(ask_plain, module, door)
            yield Case(module, module.REPORTS[0].name, door, study, asks, expect)
    for report, door in machines.EVERY:
        asks = partial(machines.ask, report, door)
        study = "judged_twice_store"
        yield Case(machines, report.name, door, study, asks, machines.ASKING[report])
    for report, door in weights.EVERY:
        asks, expect = partial(weights.ask, report, door), partial(weights.expect, report, door)
        yield Case(weights, report.name, door, "both_facets_store", asks, expect)
    for name, door in opinions.EVERY:
        asks, expect = partial(opinions.ask, name, door), partial(ask_named, opinions, name)
        yield Case(opinions, name, door, "side_by_side", asks, expect)
    studies = {
        others.ClickAnalysis.name: "clicked_store",
        others.PassageAgreement.name: "marked_store",
    }
    asking = {**others.ASKING, others.PassageAgreement.name: others.passages_report}
    for name, expect in asking.items():
        for door in others.DOORS[name]:
            asks, study = partial(others.ask, name, door), studies.get(name, "made_up_store")
            yield Case(others, name, door, study, asks, expect)
    name = others.Preferences.name
    for kind in others.FACETS:
        for door in others.DOORS[name]:
            asks, expect = partial(ask_kind, door, kind), partial(expect_kind, kind)
            yield Case(others, f"{name} of {kind}", door, "side_by_side", asks, expect)


def ask_plain(
    module: ModuleType, door: str, asked: Asked, capsys: pytest.CaptureFixture[str]
) -> Said:
    found = module.DOORS[door]
    return found(asked, capsys) if door in module.PRINTING else found(asked)


def ask_named(module: ModuleType, name: str, asked: Asked) -> Said:
    return module.ask_report(asked, name)


def of_kind(asked: Asked, kind: str) -> others.AskedPreferences:
    return others.AskedPreferences(**{**vars(asked), "kind": kind})


def ask_kind(door: str, kind: str, asked: Asked, capsys: pytest.CaptureFixture[str]) -> Said:
    return others.ask(others.Preferences.name, door, of_kind(asked, kind), capsys)


def expect_kind(kind: str, asked: Asked) -> Said:
    return others.prefer_report(of_kind(asked, kind))


CASES = [*list_cases()]


@pytest.fixture(scope="module")
def marked_store(blank_store: Path, tmp_path_factory: pytest.TempPathFactory) -> Asked:
    """Marked pages, and a snippet that three people marked, one of them in another text."""
    folder = tmp_path_factory.mktemp("marked")
    with closing(Store(Path(shutil.copy(blank_store, folder)))) as store:
        here = marked_study.build_marked(store)
        for person, text in (("bob", marked_study.SNIPPET), ("carla", "Cats of another text")):
            key = Key("t1", "t1d", "snippet", "e1", person, 0)
            marked_study.mark(store, here, key, ((0, 8),), text)
        return make_asked(store, here, folder)


def judge_snippets(asked: Asked) -> None:
    """Have all who judged pages judge snippets of the same documents, some of them higher."""
    study = replace(asked.study, is_masked=False)
    labels = coded_labels_of_all(study)
    scales = get_scales(asked.store, asked.collection)
    levels = sorted(counted_levels(scales["snippet"]))
    own = labels[(labels["facet"] == "page") & labels["level"].notna() & (labels["occasion"] == 0)]
    higher = own["document_id"].astype("str").str[-1].isin(["3", "7"])
    raised = (own["level"] + higher).clip(upper=levels[-1]).astype("int64")
    rows = own.assign(level=raised).rename(
        columns={"assessor_id": "who", "topic_id": "topic", "document_id": "document"}
    )[["who", "topic", "document", "level"]]
    gone = left_out_of(study)
    bring = {"": rows[~rows["who"].isin(gone)].rename(columns={"who": "assessor"})}
    if "llm" in gone:
        bring["llm"] = rows[rows["who"] == "llm"].drop(columns="who")
    for machine, frame in bring.items():
        source = Source("snippets.tsv", frame.to_csv(sep="\t", index=False).encode())
        given = {"machine": machine} if machine else {}
        found = read_import("labels", source, scales=scales, facet="snippet", **given)
        write_import(asked.store, asked.collection, found)


def judge_higher(asked: Asked) -> None:
    """Have two more people judge, who use the highest level, so that all levels have a weight."""
    rows = [
        f"a{who}\tt{topic}\tt{topic}d{item}\t{level_of(who, topic, item)}"
        for who in (8, 9)
        for topic in range(8)
        for item in range(15)
    ]
    text = "\n".join(["assessor\ttopic\tdocument\tlevel", *rows])
    scales = get_scales(asked.store, asked.collection)
    found = read_import("labels", Source("higher.tsv", text.encode()), scales=scales)
    write_import(asked.store, asked.collection, found)


def repeat_snippets(asked: Asked) -> None:
    """Have three people judge two snippets of each topic once more."""
    rows = [
        f"a{who}\tt{topic}\td{item}\t{(who + topic) % 4}\tsnippet\te\t1"
        for topic in range(8)
        for who in range(2)
        for item in range(2)
    ]
    header = "assessor\ttopic\tdocument\tlevel\tfacet\tengine\toccasion"
    source = Source("again.tsv", "\n".join([header, *rows]).encode())
    scales = get_scales(asked.store, asked.collection)
    write_import(asked.store, asked.collection, read_import("labels", source, scales=scales))


def hand_out(asked: Asked, monkeypatch: pytest.MonkeyPatch) -> None:
    """Give doors that take files and frames the runs and judgements of the declared topics."""
    topics = declared_of(asked.study).topics

    def only(get: Callable[..., pd.DataFrame]) -> Callable[..., pd.DataFrame]:
        def got(*given: Any, **named: Any) -> pd.DataFrame:
            whole = get(*given, **named)
            frame = whole[whole["topic_id"].isin(topics)].reset_index(drop=True)
            frame.attrs = whole.attrs
            return frame

        return got

    for name in ("runs", "qrels"):
        monkeypatch.setattr(ServedStore, name, only(getattr(ServedStore, name)))
    for module in (doors, results):
        monkeypatch.setattr(module, "runs_of", scored_runs_of)
    ask = DescribedClient.ask

    def ask_only(client: DescribedClient, name: str, *given: Any, **named: Any) -> Any:
        told = ask(client, name, *given, **named)
        if name != "readQrels":
            return told
        lines = told.splitlines(keepends=True)
        return b"".join(one for one in lines if one.split()[0].decode() in topics)

    monkeypatch.setattr(DescribedClient, "ask", ask_only)


def set_weighed_rule(asked: Asked) -> None:
    """Set a stop rule by a measure that the declared users weigh."""
    rule = replace(judging.RULE, measure=UDM)
    set_stop_rule(asked.store, asked.collection, rule.to_json())


PREPARED: dict[ModuleType, Callable[[Asked], None]] = {
    people: lambda asked: [mark_gold(asked.store, asked.collection, one) for one in people.GOLD],
    groups: groups.put_in_groups,
    judging: judging.set_rule,
}
WHOLE_STUDIES = {
    *(one.name for one in (Agreement, ClickAnalysis, GroupRankings, AssessorQuality)),
}
"""Reports that are not of scores alone: their doors get all, and topics by name if they score."""

WITH_SNIPPETS = ("both_facets_store", "marked_store")


def prepare(case: Case, state: str, made: Asked, monkeypatch: pytest.MonkeyPatch) -> Asked:
    """Return a copy of a made-up study with all that a state needs, and declare that state."""
    if STATES[state]["measure"] == UDM:
        judge_higher(made)
    if case.module in PREPARED:
        PREPARED[case.module](made)
    if case.module is judging and STATES[state]["measure"] == UDM:
        set_weighed_rule(made)
    if STATES[state].get("facet") == "snippet":
        if case.study not in WITH_SNIPPETS:
            judge_snippets(made)
        elif case.study == "both_facets_store":
            repeat_snippets(made)
    return declare_state(case, state, made, monkeypatch)


def declare_state(case: Case, state: str, made: Asked, monkeypatch: pytest.MonkeyPatch) -> Asked:
    """Declare what a state says, and have the module of a door ask for the same."""
    changes = dict(STATES[state])
    runs = scored_runs_of(made.study)
    if not runs.empty:
        changes["baseline"] = str(sorted(runs["system"].unique())[-1])
    if "topics" in changes:
        topics = sorted(map(str, labels_of(made.study)["topic_id"].unique()))
        changes["topics"] = (*topics[: TOPICS - 1], "t7") if len(topics) < 8 else topics[:TOPICS]
    if case.study == "marked_store":
        changes = {one: value for one, value in changes.items() if one != "topics"}
    declare(made.study, changes)
    version = changes["version"]
    if case.module in (machines, people, groups, results):
        monkeypatch.setattr(case.module, "VERSION", version)
    if case.module is doors:
        monkeypatch.setattr(doors, "VERSIONS", (version, "all, maximum"))
    if case.module in (people, groups):
        monkeypatch.setattr(case.module, "MEASURE", changes["measure"])
    if case.module is machines:
        monkeypatch.setattr(machines, "ERR", changes["measure"])
    if "topics" in changes and case.report not in WHOLE_STUDIES:
        hand_out(made, monkeypatch)
    test = replace(doors.TEST, alpha=ALPHA)
    return replace(made, compared=doors.CompareQuestion(test), facet=changes.get("facet", "page"))


SHORT = {
    "conclusions-JSON": "the lowest level",
    "groups-JSON": "fewer topics",
    "judging orders-Python": "weights",
    "leaderboard-public page": "snippets",
    "plan of cost-JSON": "fewer topics",
    "plan of opinions-page": "snippets",
    "preferences of systems-JSON": "the lowest level",
    "scores-REST": "snippets",
    "unpooled-Python": "whole levels",
}
"""Which state of a door is asked in the short form, too."""


def case_is_weighed(case: Case) -> bool:
    """Tell whether a door is told here what levels weigh, where it is not told by the others."""
    return case.module in (people, groups, judging) or case.report == JudgingSimulation.name


def list_pairs() -> list[Any]:
    """Return every door in every state, few of which are asked in the short form."""
    return [
        pytest.param(one, state, id=f"{one.id}-{state}", marks=[] if is_short else [long])
        for one in CASES
        for state in STATES
        if state != "weights" or case_is_weighed(one)
        for is_short in [SHORT.get(one.id) == state]
    ]


def test_the_short_form_names_doors_and_states():
    there = {(one.id, state) for one in CASES for state in STATES}
    assert {*SHORT.items()} <= there


@pytest.mark.timeout(1200)
@pytest.mark.parametrize(("case", "state"), list_pairs())
def test_another_declaration_is_the_same_through_every_door(
    case: Case,
    state: str,
    request: pytest.FixtureRequest,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
):
    made = request.getfixturevalue(case.study)
    monkeypatch.setattr(doors, "BUNDLES", {})
    with serve_copy(made.store.path, tmp_path) as store:
        copied = replace(made, store=store, folder=tmp_path)
        asked = prepare(case, state, copied, monkeypatch)
        expected = case.expect(asked)
        compare(case.ask(asked, capsys), expected)


@long
@pytest.mark.parametrize("door", results.DOORS[Interleaving.name])
def test_a_slight_preference_is_told_at_the_alpha_that_is_declared(
    door: str,
    made_up_store: Asked,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
):
    """Of so few lists p is well above .05."""
    monkeypatch.setattr(results, "LISTS", 10)
    with serve_copy(made_up_store.store.path, tmp_path) as store:
        asked = replace(made_up_store, store=store, folder=tmp_path)
        usual = results.prefer_report(asked)
        declare(asked.study, {"alpha": 0.999})
        expected = results.prefer_report(asked)
        assert expected.answer != usual.answer
        compare(results.ask(Interleaving.name, door, asked, capsys), expected)


LIVE = (judging, progress)
"""Of these the demo has a round."""

OF_DEMO = [
    one
    for one in CASES
    if one.module is not machines
    and one.report != others.PassageAgreement.name
    and (one.module is not judging or one.door != "Python")
]


@long
@pytest.mark.timeout(1200)
@pytest.mark.parametrize("state", ["fewer topics", "snippets"])
@pytest.mark.parametrize("case", OF_DEMO, ids=[one.id for one in OF_DEMO])
def test_another_declaration_of_the_demo_is_the_same_through_every_door(
    case: Case,
    state: str,
    request: pytest.FixtureRequest,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
):
    is_live = case.module in LIVE
    path, here = request.getfixturevalue("live_demo_store" if is_live else "demo_store")
    monkeypatch.setattr(doors, "BUNDLES", {})
    with serve_copy(path, tmp_path, demo=is_live) as store:
        made = make_asked(store, here, tmp_path)
        if case.module is people:
            for number in range(1, 13):
                gold = GoldItem("t01", f"t01-d{number:02}", "page", "", 4)
                mark_gold(store, here, gold)
        asked = declare_state(case, state, made, monkeypatch)
        expected = case.expect(asked)
        compare(case.ask(asked, capsys), expected)
