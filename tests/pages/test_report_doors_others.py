"""The doors of reports that are not of labels and runs alone: see ``test_report_doors``."""

import io
import json
import re
import shutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import dissent
from core.analysis.agreement.passages import ask_passages
from core.analysis.agreement.preferences import preferences_on
from core.analysis.agreement.user_disagreement import declared_weights
from core.analysis.base.declared import declared_of
from core.analysis.base.study import labels_of, scales_of
from core.analysis.clicks.beside_judges import ClickChoice, clicks_of, list_judgements, logs_of
from core.analysis.judging.planning import depths_of, pilot_of, plan_agreement_of, pools_of
from core.analysis.judging.simulated_judging import judged_depth, simulate_orders
from core.analysis.results.declared import judged_of, scored_runs_of
from core.analysis.results.qrels_choices import QrelsChoice, find_choice
from core.bundle.archive import read_archive
from core.bundle.choices import Choices
from core.bundle.making import make_bundle
from core.collection.export.preference_export import write_preferences
from core.collection.files.source import Source
from core.collection.formats import read_import
from core.collection.qrels_and_runs.trec import write_qrels, write_run
from core.collection.records import numeric_scale
from core.command.main import main
from core.measures.catalogue import parse_measure
from core.orders.base import parse_order
from core.planning.choices import WIDTH
from core.planning.cost import CostRates
from core.planning.designs import Requirement, parse_design
from core.reports.clicks import ClickAnalysis, ClickQuestion
from core.reports.judging_orders import JudgingQuestion, JudgingSimulation
from core.reports.passages import PassageAgreement
from core.reports.planning import (
    DEPTHS,
    AgreementPlan,
    CostPlan,
    TopicPlan,
    choose_variances,
    plan_cost,
    plan_topics,
)
from core.reports.preferences import LEVEL, USUAL, WEIGHT, PreferenceQuestion, Preferences
from core.reports.report import Report
from core.store.content.collections import create_collection
from core.store.content.imports import write_import
from core.store.content.scales import get_scales
from core.store.store import Store
from core.wording import drop_marks, plain_with_facts
from pages.agreement.coefficients.agreement import PART
from tests.core.api.made_up import true_level
from tests.core.marked_study import build_marked
from tests.core.preference.simulated import simulate
from tests.pages.api.v1.described_client import DescribedClient, open_client
from tests.pages.api.v1.test_connect import served
from tests.pages.conftest import draw_page, serve_copy
from tests.pages.drawn_figures import numbers
from tests.pages.test_report_doors import (
    TEST,
    Asked,
    Cells,
    Said,
    compare,
    made_up_store,
    make_asked,
    write_scale,
)
from tests.short import few, long

__all__ = ["made_up_store"]

Rows = dict[str, tuple[tuple[str, ...], tuple[str, ...]]]
"""What rows of a table are of, and their numbers."""


def cells_of(rows: Rows, name: str, frame: pd.DataFrame, **called: str) -> Cells:
    """Return the numbers of each row of a table; what has no end is none, as in JSON.

    ``called`` are columns by what they are called here.
    """
    keys, values = rows[name]
    if frame.empty:
        return {}
    frame = frame.rename(columns={own: one for one, own in called.items()})
    numbers = frame.reindex(columns=[*values]).astype("float64").replace([np.inf, -np.inf], np.nan)
    about = frame[[*keys]].astype("object").fillna("").astype("str")
    return {
        (name, *key): tuple(own)
        for key, own in zip(
            about.itertuples(index=False, name=None),
            numbers.itertuples(index=False, name=None),
            strict=True,
        )
    }


def cells_of_report(rows: Rows, found: Report) -> Cells:
    return {
        key: value
        for name in rows
        for key, value in cells_of(rows, name, found.table(name)).items()
    }


def cells_of_csv(rows: Rows, frame: pd.DataFrame) -> Cells:
    """Return what a long table has of each table, which it names in a column."""
    return {
        key: value
        for name in rows
        for key, value in cells_of(rows, name, frame[frame["table"] == name]).items()
    }


def print_of(words: list[str], form: str, capsys: pytest.CaptureFixture[str]) -> str:
    capsys.readouterr()
    assert main([*words, "--format", form]) == 0
    return capsys.readouterr().out


def export(asked: Asked, kind: str, name: str) -> str:
    """Write a file as the API hands it out; return its path."""
    client = DescribedClient(open_client(), asked.token)
    path = asked.folder / name
    path.write_bytes(client.ask("readFile", collection=asked.collection, kind=kind))
    return str(path)


FACETS = {"documents": "page", "systems": "panel"}


@dataclass(frozen=True)
class AskedPreferences(Asked):
    """A study, and what is asked of its preferences between documents, or systems."""

    kind: str = "systems"
    asks: PreferenceQuestion = USUAL

    @property
    def report(self) -> Preferences:
        chosen = self.study, self.kind, FACETS[self.kind], self.asks.model
        return preferences_on(*chosen, declared_weights(self.study, "page").weights)

    @property
    def weights(self) -> dict[int, float]:
        return dict(self.report.question.weights)


PREFERRED: Rows = {
    "outcomes": (("topic_id", "first", "second"), ("share", "low", "high", "p")),
    "strengths": (("topic_id", "item"), ("strength", "low", "high")),
    "agreement": (("coefficient",), ("value", "low", "high")),
    "sides": (("assessor_id",), ("share", "low", "high", "p")),
    "by_level": (("name",), ("n", "share", "low", "high")),
    "by_weight": (("name",), ("n", "share", "low", "high")),
    "slopes": (("of",), ("value", "low", "high")),
}


SLOPES = (LEVEL, WEIGHT)


def prefer_report(asked: AskedPreferences) -> Said:
    return Said(cells_of_report(PREFERRED, asked.report), drop_marks(asked.report.answer))


def prefer_on_page(asked: AskedPreferences) -> Said:
    """The page's answer and tables: of documents those of the first topic."""
    chosen = {"preference-part": (asked.kind, FACETS[asked.kind])}
    at = draw_page(
        asked.store, "preferences", asked.organiser, asked.collection,
        **chosen, **{"preference-model": asked.asks.model},
    )  # fmt: skip
    shown = "\n".join(one.value for one in at.markdown)
    topic = "" if asked.kind == "systems" else asked.report.outcomes["topic_id"].iloc[0]
    for told in (asked.report.tell_pairs(topic), asked.report.tell_cycles()):
        assert plain_with_facts(told) in shown
    below = [one.value for one in at.caption if "by itself, not for all" in one.value]
    by_itself = asked.report.tell_by_itself(topic)
    assert by_itself or asked.kind == "documents"
    assert below == ([f":material/info: L{by_itself[1:]}."] if by_itself else [])
    frames = [one.value.drop(columns="p", errors="ignore") for one in at.dataframe]
    (outcomes,) = (one for one in frames if "wins" in one)
    (agreement,) = (one for one in frames if {"coefficient", "pairs"} <= {*one})
    coefficient = {"raw agreement": "raw", "unweighted κ": "kappa"}
    agreement = agreement.assign(coefficient=agreement["coefficient"].map(coefficient))
    cells: Cells = {}
    for name, frame in (("outcomes", outcomes), ("agreement", agreement)):
        own = cells_of(PREFERRED, name, frame)
        cells |= {key: value[:3] for key, value in own.items()}
    if asked.kind == "documents" and has_levels(asked):
        captions = [one.value for one in at.caption]
        assert all(plain_with_facts(asked.report.tell_slope(of)) in captions for of in SLOPES)
        figures = [json.loads(one.proto.spec) for one in at.get("plotly_chart")]
        for name, of in zip(("by_level", "by_weight"), SLOPES, strict=True):
            cells |= drawn_cells(name, f"difference of {of}s", figures)
    return Said(cells, some=True)


def has_levels(asked: AskedPreferences) -> bool:
    """Tell whether anybody gave levels, beside which preferences are set."""
    return not labels_of(asked.study).empty


def drawn_cells(name: str, axis: str, figures: list[dict[str, Any]]) -> Cells:
    """Return how many preferences each dot of the figure is of, and its share."""
    (figure,) = (one for one in figures if one["layout"]["xaxis"]["title"]["text"] == axis)
    (dots,) = figure["data"]
    rows = zip(dots["x"], numbers(dots["customdata"]), numbers(dots["y"]), strict=True)
    return {(name, where): (n, share) for where, n, share in rows}


def prefer_by_python(asked: AskedPreferences) -> Said:
    with served() as address:
        there = dissent.connect(address, asked.token)
        given, labels = (
            one(collection=asked.collection) for one in (there.preferences, there.labels)
        )
    found = dissent.preferences(
        given,
        kind=asked.kind,
        facet=FACETS[asked.kind],
        model=asked.asks.model,
        labels=labels,
        weights=asked.weights,
        alpha=declared_of(asked.study).alpha,
    )
    assert asked.report.tell_by_itself() in found.notes
    return Said(cells_of_report(PREFERRED, found), drop_marks(found.answer))


def prefer_by_command(asked: AskedPreferences, capsys, form: str) -> str:
    words = ["preferences", export(asked, "preferences", "exported.tsv"), "--kind", asked.kind]
    if has_levels(asked):
        words += ["--labels", export(asked, "labels", "exported.csv"), "--weights"]
        words += [",".join(f"{level}={weight!r}" for level, weight in asked.weights.items())]
    words += ["--scale", f"page={write_scale(scales_of(asked.study)['page'])}"]
    words += ["--alpha", str(declared_of(asked.study).alpha)]
    return print_of([*words, "--model", asked.asks.model], form, capsys)


def prefer_in_json(asked: AskedPreferences, capsys: pytest.CaptureFixture[str]) -> Said:
    told = json.loads(prefer_by_command(asked, capsys, "json"))
    sides = [{**told["side_bias"], "assessor": ""}, *told["side_bias"]["assessors"]]
    cells = {
        **cells_of(PREFERRED, "outcomes", pd.DataFrame(told["pairs"]), topic_id="topic"),
        **cells_of(PREFERRED, "strengths", pd.DataFrame(told["strengths"]), topic_id="topic"),
        **cells_of(PREFERRED, "agreement", pd.DataFrame(told["agreement"]), coefficient="name"),
        **cells_of(PREFERRED, "sides", pd.DataFrame(sides), assessor_id="assessor"),
        **{
            key: own
            for name in ("by_level", "by_weight", "slopes")
            for key, own in cells_of(PREFERRED, name, pd.DataFrame(told[name])).items()
        },
    }
    rows = (*told["pairs"], *told["strengths"], *told["agreement"], *sides)
    assert all(one["interval"]["of"] for one in rows)
    assert set(told["notes"]) >= {
        f"{asked.kind} ({FACETS[asked.kind]}): {note}" for note in asked.report.notes
    }
    (answer,) = told["answers"]
    return Said(cells, answer["answer"])


def prefer_in_csv(asked: AskedPreferences, capsys: pytest.CaptureFixture[str]) -> Said:
    frame = pd.read_csv(io.StringIO(prefer_by_command(asked, capsys, "csv")))
    return Said(cells_of_csv(PREFERRED, frame))


def prefer_in_terminal(asked: AskedPreferences, capsys: pytest.CaptureFixture[str]) -> Said:
    first, *others = prefer_by_command(asked, capsys, "table").splitlines()
    told = [asked.report.tell_slope(of) for of in SLOPES]
    assert {*map(drop_marks, filter(None, told))} <= {*others}
    return Said({}, first.removeprefix(f"{asked.kind} ({FACETS[asked.kind]}): "))


def prefer_in_bundle(asked: AskedPreferences) -> Said:
    chosen = Choices(
        ["all, maximum"], labels=True, imported_labels=True, measures=["AP"], test=TEST
    )
    entries = read_archive(make_bundle(asked.study, chosen).content, "bundle")
    cells: Cells = {}
    for name, entry in (("outcomes", "preferences"), ("strengths", "strengths")):
        frame = pd.read_csv(io.BytesIO(entries[f"tables/{entry}.csv"]))
        cells |= cells_of(PREFERRED, name, frame[frame["kind"] == asked.kind])
    assert "95 % limits hold for each item by itself" in entries["README.md"].decode()
    return Said(cells, digits=4)


MARKED: Rows = {
    "overall": (("coefficient",), ("value", "low", "high")),
    "items": (("topic_id", "document_id"), ("assessors", "characters", "f1")),
}


def passages_report(asked: Asked) -> Said:
    found = ask_passages(asked.study, asked.facet)
    return Said(cells_of_report(MARKED, found), drop_marks(found.answer))


def passages_on_page(asked: Asked) -> Said:
    shown = {PART: "Passages"}
    at = draw_page(asked.store, "agreement", asked.organiser, asked.collection, **shown)
    found = ask_passages(asked.study, asked.facet)
    assert plain_with_facts(found.answer) in [one.value for one in at.markdown]
    (note,) = found.notes
    assert any(note[1:] in one.value.replace("\\", "") for one in at.caption)
    (items,) = (one.value for one in at.dataframe if {"f1", "characters"} <= {*one.value})
    return Said(cells_of(MARKED, "items", items))


def passages_by_python(asked: Asked) -> Said:
    with served() as address:
        given = dissent.connect(address, asked.token).passages(collection=asked.collection)
    with pytest.warns(dissent.ReadWarning, match="another version"):
        found = dissent.passage_agreement(given, facet=asked.facet)
    return Said(cells_of_report(MARKED, found), drop_marks(found.answer))


def passages_by_command(asked: Asked, capsys, form: str) -> str:
    asked.store.close()
    words = ["passages", "--store", str(asked.store.path), "--collection", asked.collection]
    return print_of([*words, "--facet", asked.facet], form, capsys)


def passages_in_json(asked: Asked, capsys: pytest.CaptureFixture[str]) -> Said:
    told = json.loads(passages_by_command(asked, capsys, "json"))
    named = {"topic_id": "topic", "document_id": "document"}
    cells = {
        **cells_of(MARKED, "overall", pd.DataFrame(told["overall"]), coefficient="name"),
        **cells_of(MARKED, "items", pd.DataFrame(told["items"]), **named),
    }
    assert all(one["interval"]["of"] for one in told["overall"])
    assert any("another version" in note for note in told["notes"])
    (answer,) = told["answers"]
    return Said(cells, answer["answer"])


def passages_in_csv(asked: Asked, capsys: pytest.CaptureFixture[str]) -> Said:
    frame = pd.read_csv(io.StringIO(passages_by_command(asked, capsys, "csv")))
    return Said(cells_of_csv(MARKED, frame))


def passages_in_terminal(asked: Asked, capsys: pytest.CaptureFixture[str]) -> Said:
    first = passages_by_command(asked, capsys, "table").splitlines()[0]
    return Said({}, first.removeprefix(f"{asked.facet}: "))


CLICKED: Rows = {
    "by_rank": (("rank",), ("value", "low", "high")),
    "by_level": (("level",), ("value", "low", "high")),
    "models": (("model",), ("perplexity", "low", "high", "difference", "log_likelihood")),
    "lift": (("rule",), ("lift", "low", "high", "agree", "expected")),
    "attractiveness": (("level",), ("value", "low", "high")),
    "contradicting": (("query", "item"), ("probability", "false_share")),
    "predicted": (("predictor",), ("value", "low", "high", "difference")),
}


def against_levels(cells: Cells, lift: pd.DataFrame) -> Cells:
    """Return cells in which clicks are set against levels only: weights come in two ways."""
    kept = {key: value for key, value in cells.items() if key[0] != "lift"}
    own = lift[lift["against"].isin(["levels", "level"])]
    return kept | cells_of(CLICKED, "lift", own)


def find_clicks(asked: Asked) -> ClickAnalysis:
    version = next(iter(list_judgements(asked.study, asked.facet).values()))
    return clicks_of(asked.study, ClickChoice(logs_of(asked.study)[0], asked.facet, version))


def say_clicks(found: ClickAnalysis) -> Said:
    cells = cells_of_report(CLICKED, found)
    return Said(against_levels(cells, found.lift), drop_marks(found.answer))


def clicks_report(asked: Asked) -> Said:
    return say_clicks(find_clicks(asked))


def clicks_on_page(asked: Asked) -> Said:
    at = draw_page(asked.store, "clicks", asked.organiser, asked.collection)
    shown = "\n".join(one.value for one in at.markdown)
    assert plain_with_facts(find_clicks(asked).answer) in shown
    (lift,) = (one.value for one in at.dataframe if "expected" in one.value)
    return Said(against_levels({}, lift))


def export_clicks(asked: Asked) -> tuple[str, str]:
    """Write the log and the declared version of the study as files; return their paths."""
    client = DescribedClient(open_client(), asked.token)
    path = asked.folder / "declared.qrels"
    path.write_bytes(client.ask("readQrels", collection=asked.collection))
    return export(asked, "clicks", "exported-clicks.tsv"), str(path)


def clicks_by_python(asked: Asked) -> Said:
    log, qrels = export_clicks(asked)
    return say_clicks(dissent.clicks(dissent.read_clicks(log), dissent.read_qrels(qrels)))


def clicks_by_command(asked: Asked, capsys, form: str) -> str:
    log, qrels = export_clicks(asked)
    return print_of(["clicks", log, "--judgements", qrels], form, capsys)


def clicks_in_json(asked: Asked, capsys: pytest.CaptureFixture[str]) -> Said:
    told = json.loads(clicks_by_command(asked, capsys, "json"))
    entries = {
        "by_rank": "rates_by_rank", "by_level": "rates_by_level", "models": "models",
        "attractiveness": "attractiveness_by_level", "predicted": "predicting",
    }  # fmt: skip
    cells: Cells = {}
    for name, entry in entries.items():
        cells |= cells_of(CLICKED, name, pd.DataFrame(told[entry]))
        assert all(one["interval"]["of"] for one in told[entry])
    listed = pd.DataFrame(told["contradictions"]["items"])
    cells |= cells_of(CLICKED, "contradicting", listed)
    return Said(against_levels(cells, pd.DataFrame(told["lift"])), told["answer"])


def clicks_in_csv(asked: Asked, capsys: pytest.CaptureFixture[str]) -> Said:
    frame = pd.read_csv(io.StringIO(clicks_by_command(asked, capsys, "csv")))
    cells = cells_of_csv(CLICKED, frame.astype({"rank": "Int64"}))
    return Said(against_levels(cells, frame[frame["table"] == "lift"]))


def clicks_in_terminal(asked: Asked, capsys: pytest.CaptureFixture[str]) -> Said:
    return Said({}, clicks_by_command(asked, capsys, "table").splitlines()[0])


ORDERED: Rows = {
    "orders": (
        ("order", "share"),
        ("tau", "low", "high", "judged", "relevant_found", "best_same"),
    )
}
TRIED = ("depth-first", "max-mean", "random")


def weights_of(asked: Asked) -> dict[int, float] | None:
    """Return the weights of levels for the declared users, if the declared measure takes some."""
    if "udm" not in declared_of(asked.study).measure:
        return None
    return dict(declared_weights(asked.study, asked.facet).weights)


def name_weights(asked: Asked) -> list[str]:
    """Return the words by which a command is told these weights."""
    weights = weights_of(asked) or {}
    told = ",".join(f"{level}={weight!r}" for level, weight in weights.items())
    return ["--weights", told] if weights else []


def choice_of(asked: Asked) -> QrelsChoice:
    """Return the declared version."""
    declared = declared_of(asked.study)
    return find_choice(asked.study, declared.version, declared.facet)


def read_scored(asked: Asked) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Return runs and the declared version as the server hands them out, on declared topics."""
    with served() as address:
        there = dissent.connect(address, asked.token)
        runs = there.runs(collection=asked.collection)
        qrels = there.qrels(collection=asked.collection)
    topics = declared_of(asked.study).topics or [*runs["topic_id"].unique()]
    scored = [one[one["topic_id"].isin(topics)] for one in (runs, qrels)]
    scored[1].attrs = qrels.attrs
    return scored[0], scored[1]


def write_scored(asked: Asked) -> list[str]:
    """Write runs and the declared version, on declared topics, as files; return the words."""
    qrels, runs = asked.folder / "declared.qrels", asked.folder / "all.run"
    qrels.write_bytes(write_qrels(judged_of(asked.study, choice_of(asked)).frame))
    runs.write_bytes(write_run(scored_runs_of(asked.study)))
    return ["--qrels", str(qrels), "--run", str(runs)]


def ask_orders(asked: Asked) -> JudgingQuestion:
    """Ask of some orders by the declared measure what the page asks when it is opened."""
    declared, choice = declared_of(asked.study), choice_of(asked)
    orders, depth = tuple(map(parse_order, TRIED)), judged_depth(asked.study, choice)
    return JudgingQuestion(orders, parse_measure(declared.measure), depth, shown=False)


def say_orders(found: JudgingSimulation) -> Said:
    return Said(cells_of_report(ORDERED, found), drop_marks(found.answer))


def orders_report(asked: Asked) -> Said:
    return say_orders(simulate_orders(asked.study, choice_of(asked), ask_orders(asked)))


def orders_on_page(asked: Asked) -> Said:
    chosen = {"judging-orders-chosen": [*TRIED]}
    at = draw_page(asked.store, "judging-orders", asked.organiser, asked.collection, **chosen)
    rows = at.dataframe[0].value
    (answer,) = (one.value for one in at.markdown if "at a disadvantage" in one.value[-40:])
    plain = re.sub(r"\\(.)", r"\1", answer.replace("**", ""))
    return Said(cells_of(ORDERED, "orders", rows), plain)


def orders_by_python(asked: Asked) -> Said:
    question = ask_orders(asked)
    runs, qrels = read_scored(asked)
    measure = str(question.measure)
    given = {"depth": question.depth, "shown": False, "weights": weights_of(asked)}
    return say_orders(dissent.simulate_judging(runs, qrels, measure, TRIED, **given))


def orders_by_command(asked: Asked, capsys, form: str) -> str:
    question = ask_orders(asked)
    words = ["simulate-judging", *write_scored(asked), "--no-shown"]
    words += ["--measure", str(question.measure), "--depth", str(question.depth), "--order", *TRIED]
    words += name_weights(asked)
    return print_of(words, form, capsys)


def orders_in_json(asked: Asked, capsys: pytest.CaptureFixture[str]) -> Said:
    told = json.loads(orders_by_command(asked, capsys, "json"))
    assert all(one["interval"]["of"] for one in told["orders"])
    named = {"low": "tau_low", "high": "tau_high"}
    cells = cells_of(ORDERED, "orders", pd.DataFrame(told["orders"]), **named)
    return Said(cells, told["answer"])


def orders_in_csv(asked: Asked, capsys: pytest.CaptureFixture[str]) -> Said:
    frame = pd.read_csv(io.StringIO(orders_by_command(asked, capsys, "csv")))
    return Said(cells_of_csv(ORDERED, frame))


def orders_in_terminal(asked: Asked, capsys: pytest.CaptureFixture[str]) -> Said:
    return Said({}, orders_by_command(asked, capsys, "table").splitlines()[0])


PLANNED: Rows = {
    "designs": (("method",), ("topics", "low", "high", "variance")),
    "reached": (("method",), ("power", "effect")),
}
TWICE: Rows = {"items": (("per_topic",), ("topics", "items", "width", "design_effect"))}
SPENT: Rows = {
    "cost": (("depth",), ("pool", "judgements", "hours")),
    "same": (("depth",), ("topics", "variance", "power", "effect")),
}
OF_PLANS = {TopicPlan.name: PLANNED, AgreementPlan.name: TWICE, CostPlan.name: SPENT}


def find_plan(asked: Asked, name: str) -> Report:
    """Plan what the page plans when it is opened."""
    study, declared = asked.study, declared_of(asked.study)
    if name == AgreementPlan.name:
        return plan_agreement_of(study, asked.facet, "kappa(linear)", WIDTH)
    choice = choice_of(asked)
    pilot = pilot_of(study, choice, declared.measure, ())
    wanted = Requirement(alpha=declared.alpha, systems=pilot.systems)
    topics = plan_topics(pilot.variance, wanted, measure=declared.measure)
    if name == TopicPlan.name:
        return topics
    known, design = depths_of(study, choice, declared.measure, ()), parse_design(topics.method)
    variances = choose_variances(design, known["residual"].to_numpy(), known["within"].to_numpy())
    number = int(topics.designs.set_index("method").loc[topics.method, "topics"])
    pools, least = np.array(pools_of(study)), parse_measure(declared.measure).cutoff or 1
    return plan_cost(number, DEPTHS, pools, CostRates(), wanted, variances, least=least)


def plan_report(asked: Asked, name: str) -> Said:
    found = find_plan(asked, name)
    return Said(cells_of_report(OF_PLANS[name], found), drop_marks(found.answer))


def plan_on_page(asked: Asked, name: str) -> Said:
    """The page's answer and tables: it shows what topics reach, and tests of depths, beside."""
    part = {TopicPlan.name: "Topics", AgreementPlan.name: "Agreement", CostPlan.name: "Cost"}[name]
    chosen = {"plan-part": part, "plan-seconds": CostRates.seconds}
    at = draw_page(asked.store, "plan", asked.organiser, asked.collection, **chosen)
    answer = plain_with_facts(find_plan(asked, name).answer)
    assert answer in "\n".join(one.value for one in at.markdown)
    table, *_ = OF_PLANS[name]
    frame = at.dataframe[0].value
    return Said(cells_of(OF_PLANS[name], table, frame))


def plan_by_python(asked: Asked, name: str) -> Said:
    declared = declared_of(asked.study)
    runs, qrels = read_scored(asked)
    scores = dissent.evaluate(runs, qrels, declared.measure).by_topic
    found = dissent.plan(scores, alpha=declared.alpha)
    return Said(cells_of_report(OF_PLANS[name], found), drop_marks(found.answer))


def plan_by_command(asked: Asked, name: str, capsys, form: str) -> str:
    if name == AgreementPlan.name:
        scale = f"{asked.facet}={write_scale(scales_of(asked.study)[asked.facet])}"
        words = [
            "--labels",
            export(asked, "labels", "exported.csv"),
            "--scale",
            scale,
            "--facet",
            asked.facet,
        ]
    else:
        declared = declared_of(asked.study)
        words = [*write_scored(asked), "--measure", declared.measure]
        words += ["--alpha", str(declared.alpha)]
    return print_of(["plan", *words], form, capsys)


def plan_in_json(asked: Asked, name: str, capsys: pytest.CaptureFixture[str]) -> Said:
    told = json.loads(plan_by_command(asked, name, capsys, "json"))
    found = {
        "designs": lambda: told["designs"],
        "reached": lambda: told["reached"],
        "items": lambda: told["agreement"]["items"],
        "cost": lambda: told["cost"],
        "same": lambda: told["same_cost"]["depths"],
    }
    cells: Cells = {}
    for table in OF_PLANS[name]:
        cells |= cells_of(OF_PLANS[name], table, pd.DataFrame(found[table]()))
    assert all(one["interval"]["of"] for one in told["designs"])
    (answer,) = (one["answer"] for one in told["answers"] if one["plan"] == name)
    return Said(cells, answer)


def plan_in_csv(asked: Asked, name: str, capsys: pytest.CaptureFixture[str]) -> Said:
    frame = pd.read_csv(io.StringIO(plan_by_command(asked, name, capsys, "csv")))
    whole = {one: "Int64" for one in ("depth", "per_topic") if one in frame}
    return Said(cells_of_csv(OF_PLANS[name], frame[frame["plan"] == name].astype(whole)))


def plan_in_terminal(asked: Asked, name: str, capsys: pytest.CaptureFixture[str]) -> Said:
    lines = plan_by_command(asked, name, capsys, "table").splitlines()
    answer = drop_marks(find_plan(asked, name).answer)
    return Said({}, next(one for one in lines if one[:20] == answer[:20]))


Door = Callable[..., Said]
DOORS: dict[str, dict[str, Door]] = {
    Preferences.name: {
        "page": prefer_on_page,
        "Python": prefer_by_python,
        "JSON": prefer_in_json,
        "CSV": prefer_in_csv,
        "terminal": prefer_in_terminal,
        "bundle": prefer_in_bundle,
    },
    PassageAgreement.name: {
        "page": passages_on_page,
        "Python": passages_by_python,
        "JSON": passages_in_json,
        "CSV": passages_in_csv,
        "terminal": passages_in_terminal,
    },
    ClickAnalysis.name: {
        "page": clicks_on_page,
        "Python": clicks_by_python,
        "JSON": clicks_in_json,
        "CSV": clicks_in_csv,
        "terminal": clicks_in_terminal,
    },
    JudgingSimulation.name: {
        "page": orders_on_page,
        "Python": orders_by_python,
        "JSON": orders_in_json,
        "CSV": orders_in_csv,
        "terminal": orders_in_terminal,
    },
    **{
        name: {
            "page": partial(plan_on_page, name=name),
            "JSON": partial(plan_in_json, name=name),
            "CSV": partial(plan_in_csv, name=name),
            "terminal": partial(plan_in_terminal, name=name),
        }
        for name in OF_PLANS
    },
}
DOORS[TopicPlan.name]["Python"] = partial(plan_by_python, name=TopicPlan.name)
PRINTING = {"JSON", "CSV", "terminal"}

REPORTS: tuple[type[Report], ...] = (
    Preferences,
    PassageAgreement,
    ClickAnalysis,
    JudgingSimulation,
    TopicPlan,
    AgreementPlan,
    CostPlan,
)
"""Those whose doors are here."""


ASKING: dict[str, Callable[[Asked], Said]] = {
    ClickAnalysis.name: clicks_report,
    JudgingSimulation.name: orders_report,
    **{name: partial(plan_report, name=name) for name in OF_PLANS},
}
"""Those that are asked of runs and labels of any study."""

OF_RUNS = [(name, door) for name in ASKING for door in DOORS[name]]


def test_every_report_has_doors():
    assert {one.name for one in REPORTS} == set(DOORS)


def ask(report: str, door: str, asked: Asked, capsys: pytest.CaptureFixture[str]) -> Said:
    found = DOORS[report][door]
    return found(asked, capsys=capsys) if door in PRINTING else found(asked)


def is_later(door: str) -> bool:
    """Tell whether a door comes in the long form only: it prints what JSON has."""
    return door in ("CSV", "terminal")


def list_doors(name: str) -> list[Any]:
    """Return the doors of a report, some of them in the long form."""
    return [pytest.param(door, marks=[long] if is_later(door) else []) for door in DOORS[name]]


def make_preferences(kind: str) -> bytes:
    """Return preferences as a file: of the made-up study's systems, or of documents."""
    said = simulate(240, 5, 6, np.random.default_rng(8), kind=kind, assessors=4)
    said = said.drop_duplicates(["topic_id", "first", "second", "assessor_id"])
    said = said.replace({f"t000{number}": f"t{number}" for number in range(6)})
    wins = (said["topic_id"] == "t0") & (said["first"] == "d0000") & (kind == "documents")
    said = said.assign(choice=said["choice"].mask(wins, "first").astype("str"))
    for name in ("first", "second", "left"):
        number = said[name].str[-1]
        said[name] = ("s" if kind == "systems" else said["topic_id"] + "d") + number
    return write_preferences(said)


@pytest.fixture(scope="module")
def side_by_side(made_up_store: Asked, tmp_path_factory: pytest.TempPathFactory) -> Asked:
    """The made-up study, in which pairs of documents and of systems were judged, too."""
    folder = tmp_path_factory.mktemp("side-by-side")
    store = Store(Path(shutil.copy(made_up_store.store.path, folder)))
    for kind in FACETS:
        source = Source(f"{kind}.tsv", make_preferences(kind))
        write_import(store, made_up_store.collection, read_import("preferences", source))
    store.close()
    return replace(made_up_store, store=store, folder=folder)


@pytest.fixture
def preferred(side_by_side: Asked, tmp_path: Path) -> Iterator[AskedPreferences]:
    with serve_copy(side_by_side.store.path, tmp_path) as store:
        yield AskedPreferences(
            store, side_by_side.collection, side_by_side.organiser, side_by_side.token, tmp_path,
            "page",
        )  # fmt: skip


@pytest.mark.parametrize("kind", few(["systems", "documents"]))
@pytest.mark.parametrize("door", DOORS[Preferences.name])
def test_preferences_are_the_same_through_every_door(
    door: str, kind: str, preferred: AskedPreferences, capsys: pytest.CaptureFixture[str]
):
    asked = replace(preferred, kind=kind)
    compare(ask(Preferences.name, door, asked, capsys), prefer_report(asked))


@pytest.mark.parametrize("door", few(["Python", "JSON", "CSV"], 2))
def test_another_model_is_the_same_through_every_door(
    door: str, preferred: AskedPreferences, capsys: pytest.CaptureFixture[str]
):
    asked = replace(preferred, asks=PreferenceQuestion("davidson"))
    said, report = ask(Preferences.name, door, asked, capsys), prefer_report(asked)
    compare(said, report)
    usual = prefer_report(preferred).cells
    assert any(report.cells[key] != usual[key] for key in said.cells if key[0] == "strengths")


@long
@pytest.mark.parametrize("kind", FACETS)
@pytest.mark.parametrize("door", DOORS[Preferences.name])
def test_preferences_of_the_demo_are_the_same_through_every_door(
    door: str, kind: str, demo: str, store: Store, tmp_path: Path, capsys
):
    made = make_asked(store, demo, tmp_path)
    asked = AskedPreferences(**{**vars(made), "kind": kind})
    compare(ask(Preferences.name, door, asked, capsys), prefer_report(asked))


def test_preferences_with_a_default_of_its_own_are_seen(
    preferred: AskedPreferences, monkeypatch: pytest.MonkeyPatch
):
    own = "core.api.calls.preferences.PreferenceQuestion"
    monkeypatch.setattr(own, lambda model, *others: PreferenceQuestion("davidson", *others))
    with pytest.raises(AssertionError):
        compare(prefer_by_python(preferred), prefer_report(preferred))


@pytest.fixture
def marked(store: Store, tmp_path: Path) -> Asked:
    return make_asked(store, build_marked(store), tmp_path)


@pytest.mark.parametrize("door", DOORS[PassageAgreement.name])
def test_passages_are_the_same_through_every_door(
    door: str, marked: Asked, capsys: pytest.CaptureFixture[str]
):
    report = passages_report(marked)
    compare(ask(PassageAgreement.name, door, marked, capsys), report)


def test_passages_with_a_default_of_their_own_are_seen(
    marked: Asked, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(
        "core.api.calls.assessors.PassageAgreement",
        lambda passages, facet: PassageAgreement(passages.assign(occasion=1), facet),
    )
    with pytest.raises((AssertionError, pytest.fail.Exception)):
        compare(passages_by_python(marked), passages_report(marked))


def make_log() -> bytes:
    """Return sessions of the made-up study: what is first, or of a high level, is clicked more."""
    rng = np.random.default_rng(5)
    rows = ["session\ttopic\trank\tdocument\tclicked"]
    for session in range(240):
        topic = session % 8
        for rank, document in enumerate(rng.permutation(15)[:6], start=1):
            chance = (0.2 + 0.25 * true_level(topic, int(document))) / rank**0.5
            clicked = int(rng.random() < chance)
            rows.append(f"s{session}\tt{topic}\t{rank}\tt{topic}d{document}\t{clicked}")
    return "\n".join(rows).encode()


@pytest.fixture(scope="module")
def clicked_store(made_up_store: Asked, tmp_path_factory: pytest.TempPathFactory) -> Asked:
    """The made-up study with a click log."""
    folder = tmp_path_factory.mktemp("clicked")
    store = Store(Path(shutil.copy(made_up_store.store.path, folder)))
    imported = read_import("clicks", Source("log.tsv", make_log()))
    write_import(store, made_up_store.collection, imported, name="log")
    store.close()
    return replace(made_up_store, store=store, folder=folder)


@pytest.fixture
def clicked(clicked_store: Asked, tmp_path: Path) -> Iterator[Asked]:
    with serve_copy(clicked_store.store.path, tmp_path) as store:
        yield replace(clicked_store, store=store, folder=tmp_path)


@pytest.mark.parametrize("door", list_doors(ClickAnalysis.name))
def test_clicks_are_the_same_through_every_door(
    door: str, clicked: Asked, capsys: pytest.CaptureFixture[str]
):
    compare(ask(ClickAnalysis.name, door, clicked, capsys), clicks_report(clicked))


def test_clicks_with_a_default_of_their_own_are_seen(
    clicked: Asked, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(
        "core.api.calls.clicks.ClickQuestion",
        lambda models, cut, folds, seed: ClickQuestion(models, cut, folds, seed + 1),
    )
    with pytest.raises(AssertionError):
        compare(clicks_by_python(clicked), clicks_report(clicked))


@pytest.fixture
def made_up(made_up_store: Asked, tmp_path: Path) -> Iterator[Asked]:
    with serve_copy(made_up_store.store.path, tmp_path) as store:
        yield replace(made_up_store, store=store, folder=tmp_path)


@pytest.mark.parametrize("door", list_doors(JudgingSimulation.name))
def test_orders_of_judging_are_the_same_through_every_door(
    door: str, made_up: Asked, capsys: pytest.CaptureFixture[str]
):
    compare(ask(JudgingSimulation.name, door, made_up, capsys), orders_report(made_up))


def test_orders_of_judging_with_a_default_of_their_own_are_seen(
    made_up: Asked, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(
        "core.api.calls.judging.JudgingQuestion",
        lambda *asked: replace(JudgingQuestion(*asked), seeds=3),
    )
    with pytest.raises(AssertionError):
        compare(orders_by_python(made_up), orders_report(made_up))


EVERY_PLAN = [(name, door) for name in OF_PLANS for door in DOORS[name]]


@pytest.mark.parametrize(
    ("name", "door"),
    [
        pytest.param(name, door, marks=[long] if is_later(door) or name == CostPlan.name else [])
        for name, door in EVERY_PLAN
    ],
)
def test_plans_are_the_same_through_every_door(
    name: str, door: str, made_up: Asked, capsys: pytest.CaptureFixture[str]
):
    compare(ask(name, door, made_up, capsys), plan_report(made_up, name))


def test_a_plan_with_a_default_of_its_own_is_seen(made_up: Asked, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(
        "core.api.calls.judging.Requirement",
        lambda effect, power, *others: Requirement(effect, 0.9, *others),
    )
    with pytest.raises(AssertionError):
        compare(plan_by_python(made_up, TopicPlan.name), plan_report(made_up, TopicPlan.name))


@long
@pytest.mark.timeout(1200)
@pytest.mark.parametrize(("name", "door"), OF_RUNS)
def test_they_are_the_same_of_the_demo(
    name: str, door: str, demo: str, store: Store, tmp_path: Path, capsys
):
    asked = make_asked(store, demo, tmp_path)
    compare(ask(name, door, asked, capsys), ASKING[name](asked))


@long
@pytest.mark.timeout(1200)
@pytest.mark.parametrize(("name", "door"), EVERY_PLAN)
def test_they_are_the_same_of_dl19(
    name: str, door: str, dl19: Path, store: Store, tmp_path: Path, capsys
):
    """Eight assessors, and the runs of the first five teams."""
    here = create_collection(store, "dl19", scales={"page": numeric_scale(range(4))})
    options = {"scales": get_scales(store, here)}
    for kind, path in (
        ("topics", dl19 / "topics.tsv"),
        ("labels", dl19 / "labels.tsv"),
        *(("runs", one) for one in sorted((dl19 / "runs").iterdir())[:5]),
    ):
        given = options if kind == "labels" else {}
        write_import(store, here, read_import(kind, Source.at(path), **given))
    asked = make_asked(store, here, tmp_path)
    compare(ask(name, door, asked, capsys), ASKING[name](asked))
