"""The page of informativeness: on the demo, on dl19, on qrels with intents, while labels come."""

import json

import numpy as np
import pandas as pd
import pytest
from scipy.stats import kendalltau

from core.analysis.base.study import Study
from core.analysis.collection.declaring import declare
from core.collection.files.source import Source
from core.collection.formats import read_import
from core.collection.records import numeric_scale
from core.comparison.significance_test import SignificanceTest
from core.errors import BadInput
from core.informativeness.choices import PAPER
from core.informativeness.solve import STATUS
from core.informativeness.study import measure_informativeness
from core.informativeness.verdict import reach_verdict
from core.measures.ranking import compile_rankings
from core.reports.informativeness import Informativeness
from core.store.content.collections import create_collection
from core.store.content.imports import write_import
from core.store.content.scales import get_scales
from core.store.events.frames import read_labels, read_runs
from core.store.people.people import add_person
from core.versions.rules import QrelsRule, in_whole_levels
from core.versions.versions import qrels_from_labels
from core.wording import plain_with_facts
from pages.results.measures import informativeness_study
from pages.results.measures.informativeness import write_lists
from tests.short import long

PAGE = "informativeness"
PLAIN = PAPER[:5]
TOPICS = (
    '{"id": "t1", "query": "q", "subtopics": [{"id": "1", "text": "x", "probability": 0.9}, '
    '{"id": "2", "text": "y", "probability": 0.1}]}\n{"id": "t2", "query": "r"}\n'
)
QRELS = "t1 1 a 1\nt1 2 b 1\nt1 2 c 1\nt2 1 d 1\nt2 1 b 0\n"


def bring(store, collection_id, kind, *sources, **more):
    options = {"scales": get_scales(store, collection_id)} if kind == "labels" else {}
    imported = read_import(kind, list(sources), **options)
    write_import(store, collection_id, imported, **more)


def text_file(text: str) -> Source:
    return Source("file.txt", text.encode())


def bring_runs(store, collection_id, **lists: str) -> None:
    lines = [
        f"{topic} Q0 {document} 0 {9 - rank} {system}\n"
        for system, order in lists.items()
        for topic in ("t1", "t2")
        for rank, document in enumerate(order)
    ]
    bring(store, collection_id, "runs", text_file("".join(lines)))


@pytest.fixture
def intents(store) -> str:
    """Two topics, the first with two intents and their probabilities, three runs; its id."""
    made = create_collection(store, "Intents", scales={"page": numeric_scale(range(3))})
    bring(store, made, "topics", Source("topics.jsonl", TOPICS.encode()))
    bring_runs(store, made, up="abcd", down="dcba", mixed="badc")
    bring(store, made, "qrels", text_file(QRELS), name="diversity")
    return made


def said(at) -> str:
    parts = [*at.markdown, *at.caption, *at.info, *at.error, *at.code]
    return "\n".join(part.value for part in parts).replace("\\", "").replace("\u2060", "")


def table(at, *columns: str) -> pd.DataFrame:
    """Return the one table that has all these columns."""
    (found,) = [one.value for one in at.dataframe if {*columns} <= {*one.value}]
    return found


RULE = in_whole_levels(QrelsRule("all, median", combine="median"))
"""What a new study declares."""


def study_of(store, collection_id, rule: QrelsRule, measures, **options):
    version = qrels_from_labels(read_labels(store, collection_id), rule)
    rankings = compile_rankings(read_runs(store, collection_id), version)
    return measure_informativeness(rankings, measures, **options)


def test_an_assessor_never_sees_it(store, demo, open_page):
    assert not open_page(PAGE, add_person(store, "Ann", "assessor")).dataframe


@long
def test_nothing_to_infer_yet(store, organiser, open_page):
    assert "There is no collection yet" in said(open_page(PAGE, organiser))
    made = create_collection(store, "Bare")
    assert "There are no runs yet" in said(open_page(PAGE, organiser))
    bring_runs(store, made, up="ab")
    at = open_page(PAGE, organiser)
    assert not at.exception
    assert "No page is judged yet" in said(at)


def test_the_demo_shows_what_core_says(store, demo, organiser, open_page):
    at = open_page(PAGE, organiser)
    assert not at.exception
    study = study_of(store, demo, RULE, PLAIN)
    for sentence in reach_verdict(study, "**{}**".format):
        assert sentence in said(at)
    errors = table(at, "uniform_rms", "left_out")
    assert errors[["rms", "mae"]].equals(study.curve_errors[["rms", "mae"]])
    assert errors["measure"].tolist() == list(PLAIN)
    found = table(at, "rmsr", "mare").set_index(["target", "measure"])
    expected = study.inference["tau"].to_numpy()
    assert np.allclose(found["tau"], expected, equal_nan=True)
    counts = table(at, *STATUS)
    assert counts[list(STATUS)].to_numpy().sum() == len(study.problems)
    assert "This version has no intents" in said(at)


def test_the_declared_alpha_is_that_of_the_answer(store, demo, organiser, open_page):
    study = study_of(store, demo, RULE, PLAIN)
    usual, strict = (
        plain_with_facts(Informativeness(study, alpha=alpha).answer).replace("\\", "")
        for alpha in (SignificanceTest.alpha, 1e-9)
    )
    assert usual != strict
    declare(Study(store, demo, is_masked=False), {"alpha": 1e-9})
    shown = said(open_page(PAGE, organiser))
    assert strict in shown
    assert usual not in shown


@long
def test_every_table_says_what_it_rests_on(store, demo, organiser, open_page):
    at = open_page(PAGE, organiser)
    assert len(at.dataframe) == 3
    for frame in (one.value for one in at.dataframe):
        assert {"version", "content_hash", "collection", "simulated", "depth"} <= {*frame}
        assert {"relevant_from", "recursion", "counted_topics", "counted_systems"} <= {*frame}
        assert frame["simulated"].all()


@long
def test_dl19(store, organiser, open_page, shared_data):
    folder = shared_data / "dl19"
    made = create_collection(store, "dl19", scales={"page": numeric_scale(range(4))})
    bring(store, made, "runs", *map(Source.at, sorted((folder / "runs").iterdir())))
    bring(store, made, "labels", Source.at(folder / "labels.tsv"))
    at = open_page(PAGE, organiser)
    assert not at.exception
    cut = next(one for one in at.selectbox if one.label == "Relevant from")
    cut.set_value(2.0).run()
    study = study_of(store, made, RULE, PLAIN, level=2)
    assert reach_verdict(study, "**{}**".format)[0] in said(at)
    assert "depth 10" in said(at)
    assert "37 of 37 runs" in said(at)
    at.selectbox(key="informativeness-known").set_value("ERR@10").run()
    at.selectbox(key="informativeness-inferred-ERR@10").set_value("DCG@10").run()
    rows = study.means[(study.means["target"] == "ERR@10") & (study.means["measure"] == "DCG@10")]
    tau = kendalltau(rows["inferred"].round(12), rows["actual"].round(12)).statistic
    error = (rows["inferred"] / rows["actual"] - 1).abs().mean()
    assert f"Kendall's τ-b {tau:.3f}" in said(at)
    assert f"MARE {error:.3f} · 37 runs" in said(at)


@long
def test_topics_and_runs_are_chosen_by_what_is_relevant(store, demo, organiser, open_page):
    at = open_page(PAGE, organiser)
    topics = next(one for one in at.number_input if one.label.startswith("Topics with most"))
    topics.set_value(5).run()
    runs = next(one for one in at.number_input if one.label.startswith("Runs with most"))
    runs.set_value(3).run()
    assert not at.exception
    assert "5 of 14 topics" in said(at)
    assert "3 of 5 runs" in said(at)
    counts = table(at, *STATUS)
    assert counts[list(STATUS)].sum(axis=1).unique().tolist() == [15]
    assert counts["counted_topics"].unique().tolist() == [5]


@long
def test_measures_that_cannot_be_used_are_told(store, demo, organiser, open_page):
    state = {"informativeness-measures-False-False": ["AP", "bpref", "P@20", "AP@10"]}
    at = open_page(PAGE, organiser, **state)
    assert not at.exception
    assert "the expected value of bpref is not known" in said(at)
    assert "P@20 looks beyond rank 10" in said(at)
    assert table(at, *STATUS)["short"].tolist() == ["AP"]
    assert "**AP** tells something about" in said(at)
    assert "Choose a second measure" in said(at)
    at.multiselect(key="informativeness-measures-False-False").set_value([]).run()
    assert "Choose at least one measure under" in said(at)
    at.multiselect(key="informativeness-measures-False-False").set_value(["AP", "ERR-IA"]).run()
    assert (
        "So measures by intent (ERR-IA) tell no more than the same ones without intents."
        in said(at)
    )


@long
def test_intents_and_their_probabilities(store, intents, organiser, open_page):
    at = open_page(PAGE, organiser)
    assert not at.exception
    measures = at.multiselect(key="informativeness-measures-True-False").value
    assert tuple(measures) == PAPER
    errors = table(at, "uniform_rms", "left_out")
    assert set(errors["view"]) == {
        "mean over the intents", "relevance to any intent", "each intent by itself"
    }  # fmt: skip
    even = _predict(at)
    at.toggle(key="informativeness-weighted").set_value(True).run()
    assert not at.exception
    # Topic t2 has an intent with something relevant and no probability.
    assert "Nothing can be inferred from these choices: " in said(at)
    assert "count all intents as equally likely" in said(at)
    next(one for one in at.number_input if one.label.startswith("Topics with most")).set_value(
        1
    ).run()
    assert table(at, *STATUS)["intents"].unique().tolist() == ["stored probabilities"]
    weighed = _predict(at)
    assert even != weighed


def _predict(at) -> list[float]:
    rows = table(at, "rmsr", "mare")
    return rows.loc[rows["known"] == "ERR-IA", "rmsr"].tolist()


@long
def test_one_rankings_curve(store, intents, organiser, open_page):
    at = open_page(PAGE, organiser, **{"informativeness-closer": "One ranking"})
    assert not at.exception
    at.selectbox(key="informativeness-run").set_value("up").run()
    at.selectbox(key="informativeness-topic").set_value("t1").run()
    assert "Known: AP-IA 0.792, solved" in said(at)
    assert "alpha-DCG" in said(at)
    spec = json.loads(at.get("plotly_chart")[-1].proto.spec)
    assert [trace["name"] for trace in spec["data"]][:2] == ["actual", "AP-IA"]
    at.segmented_control(key="informativeness-curve-view").set_value("intent").run()
    at.selectbox(key="informativeness-intent").set_value("2").run()
    assert not at.exception
    at.segmented_control(key="informativeness-curve-view").set_value("union").run()
    (drawn,) = [one for one in at.multiselect if one.label == "Inferred from"]
    drawn.set_value([]).run()
    assert "Choose at least one measure to see its curve." in said(at)


@long
def test_a_curve_without_intents(store, demo, organiser, open_page):
    at = open_page(PAGE, organiser, **{"informativeness-closer": "One ranking"})
    assert not at.exception
    problems = study_of(store, demo, RULE, PLAIN).problems
    first = problems[problems["measure"] == "AP@10"]
    most = first.sort_values("entropy", ascending=False, kind="stable").iloc[0]
    assert at.selectbox(key="informativeness-run").value == most["system"]
    assert at.selectbox(key="informativeness-topic").value == most["topic_id"]
    assert f"Known: AP {most['value']:.3f}, solved" in said(at)
    assert not [one for one in at.segmented_control if one.key == "informativeness-curve-view"]


@long
def test_what_cannot_be_foretold_is_told(store, intents, organiser, open_page):
    at = open_page(PAGE, organiser)
    at.selectbox(key="informativeness-inferred-AP@10").set_value("AP-IA@10").run()
    assert not at.exception
    assert "do not tell intents apart" in said(at)


def test_every_problem_can_be_had_as_a_file(store, demo):
    problems = study_of(store, demo, RULE, PLAIN).problems
    written = write_lists(problems)
    assert [json.loads(text) for text in written["p"]] == problems["p"].tolist()
    assert written.drop(columns="p").equals(problems.drop(columns="p"))


@long
def test_too_high_a_level_is_told(store, intents, organiser, open_page):
    bring(store, intents, "qrels", text_file("t1 0 a 0\nt1 0 b 0\n"), name="bare")
    at = open_page(PAGE, organiser)
    at.selectbox(key="informativeness-version-page").set_value("imported: bare").run()
    assert not at.exception
    assert "no document is judged 1 or higher" in said(at)


@long
def test_problems_without_a_solution_are_listed(store, demo, organiser, open_page, monkeypatch):
    real = informativeness_study.measure_informativeness

    def lose_one(*given, **options):
        study = real(*given, **options)
        study.problems.loc[0, ["status", "reason"]] = ["unsolved", "out of reach"]
        return study

    monkeypatch.setattr(informativeness_study, "measure_informativeness", lose_one)
    at = open_page(PAGE, organiser)
    assert table(at, "value", "reason", "status")["reason"].tolist() == ["out of reach"]
    assert "1 have no solution" in said(at)


def judge(store, collection_id, *documents: str) -> None:
    lines = "".join(f"a1\tt1\t{document}\t2\n" for document in documents)
    bring(store, collection_id, "labels", text_file(f"assessor\ttopic\tdocument\tlevel\n{lines}"))


@long
def test_what_is_slow_waits_until_it_is_asked_for(
    store, intents, organiser, open_page, monkeypatch
):
    judge(store, intents, "a")
    monkeypatch.setattr(informativeness_study, "QUICK", 0)
    at = open_page(PAGE, organiser)
    before = table(at, "uniform_rms", "left_out")["rms"].tolist()
    judge(store, intents, "c", "d")
    at.run()
    assert "2 labels came in since; this is how things stood on " in said(at)
    assert " UTC (label event 1)." in said(at)
    assert table(at, "uniform_rms", "left_out")["rms"].tolist() == before
    at.button(key="informativeness-again").click().run()
    assert table(at, "uniform_rms", "left_out")["rms"].tolist() != before
    assert "came in since" not in said(at)
    bring_runs(store, intents, another="cdab")
    at.run()
    assert "The collection has changed since this was computed." in said(at)
    at.number_input(key="informativeness-depth").set_value(4).run()
    assert "4 of 4 runs" in said(at)


@long
def test_what_is_quick_follows_every_label(store, intents, organiser, open_page):
    judge(store, intents, "a")
    at = open_page(PAGE, organiser)
    before = table(at, *STATUS)["content_hash"].iloc[0]
    judge(store, intents, "c", "d")
    at.run()
    assert table(at, *STATUS)["content_hash"].iloc[0] != before


@long
def test_another_choice_ends_a_computation(store, demo, organiser, open_page, monkeypatch):
    """What the progress bar raises ends the study, and nothing half done is kept."""
    told = []

    def stop(self, share, text):
        told.append((share, text))
        raise BadInput("stopped")

    with monkeypatch.context() as patch:
        patch.setattr("streamlit.delta_generator.DeltaGenerator.progress", stop)
        at = open_page(PAGE, organiser)
        assert told == [(0.0, "Inferring the rankings")]
        assert not at.dataframe
    assert len(at.run().dataframe) == 3
