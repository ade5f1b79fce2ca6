"""The page of interleaving: whom simulated users prefer, power, nDCG, and a log."""

import json
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from core.analysis.base.study import Study, runs_of
from core.analysis.clicks.beside_judges import logs_of
from core.analysis.results.interleaving import (
    InterleavingQuestion,
    beside_measure,
    power_of,
    preference_in_log,
    preference_of,
    preferences_of_users,
)
from core.analysis.results.qrels_choices import find_choice
from core.collection.click_logs.interleaving_log import LoggedList
from core.collection.files.source import Source
from core.collection.formats import read_import
from core.interleaving.power import ENOUGH
from core.reports.interleaving import count_agreement
from core.store.content.collections import create_collection
from core.store.content.declarations import NEW_STUDY
from core.store.content.imports import write_import
from core.store.people.people import add_person
from core.wording import plain, plain_with_facts
from pages.results.interleaving.interleaving import _say_enough
from tests.pages.drawn_figures import figure_of, numbers
from tests.short import long

PAGE = "interleaving"
RULE = NEW_STUDY.version


def said(at) -> str:
    parts = [*at.markdown, *at.caption, *at.info, *at.error, *at.code]
    return "\n".join(part.value for part in parts).replace("\u2060", "")


def at_text(at) -> str:
    return "\n".join(part.value for part in [*at.markdown, *at.caption])


def asked(at) -> InterleavingQuestion:
    """Return the question that the page opens with."""
    first, second = (at.selectbox(key=f"interleaving-{name}").value for name in ("first", "second"))
    return InterleavingQuestion(first, second)


@pytest.fixture
def study(store, demo) -> Study:
    return Study(store, demo, is_masked=False)


def test_an_assessor_never_sees_it(store, demo, open_page):
    assert not open_page(PAGE, add_person(store, "Ann", "assessor")).selectbox


def test_the_demo_is_answered_and_drawn_as_core_computes_it(study, organiser, open_page):
    at = open_page(PAGE, organiser)
    assert not at.exception
    choice, question = find_choice(study, RULE), asked(at)
    found = preference_of(study, choice, question)
    assert plain_with_facts(found.answer) in at_text(at)
    rows = preferences_of_users(study, choice, question)
    figure = figure_of(at, "Δ")
    for trace in figure["data"]:
        own = rows[rows["method"] == trace["name"]]
        assert numbers(trace["x"]) == pytest.approx(own["delta"].tolist())
    shown = at.dataframe[0].value
    assert len(shown) == 9
    assert {"content_hash", "version", "simulated", "interval", "unit", "units"} <= {*shown}


@long
def test_other_users_and_methods_change_the_answer(study, organiser, open_page):
    at = open_page(PAGE, organiser)
    at.selectbox(key="interleaving-method").set_value("balanced").run()
    at.selectbox(key="interleaving-user").set_value("informational").run()
    question = InterleavingQuestion(asked(at).first, asked(at).second, "balanced", "informational")
    found = preference_of(study, find_choice(study, RULE), question)
    assert plain_with_facts(found.answer) in at_text(at)
    assert all(plain(f"{one[:1].upper()}{one[1:]}.") in at_text(at) for one in found.notes)


@long
def test_power_is_drawn_beside_an_ab_test(study, organiser, open_page):
    at = open_page(PAGE, organiser, **{"interleaving-part": "Lists needed"})
    assert not at.exception
    power = power_of(study, find_choice(study, RULE), asked(at))
    figure = figure_of(at, "share of studies")
    assert len(figure["data"]) == 4
    drafted = power[power["test"] == "team-draft"]
    assert numbers(figure["data"][0]["y"]) == pytest.approx(drafted["found"].tolist())
    assert f"in {ENOUGH:.0%}".replace("80%", "80 %") in said(at)


@long
def test_pairs_stand_beside_ndcg(study, organiser, open_page):
    at = open_page(PAGE, organiser, **{"interleaving-part": "Beside a measure"})
    assert not at.exception
    pairs = beside_measure(study, find_choice(study, RULE), asked(at))
    counted = count_agreement(pairs)
    assert f"**{counted['significant']}** differ significantly" in said(at)
    figure = figure_of(at, "Δ of interleaving")
    assert sum(len(numbers(trace["x"])) for trace in figure["data"]) == len(pairs)


def _log(study: Study, question: InterleavingQuestion) -> bytes:
    """Return lists of what both runs return, of which every user clicks the first's."""
    runs = runs_of(study).astype({"topic_id": "str", "document_id": "str"})
    lines = []
    for topic, own in runs[runs["system"] == question.first].groupby("topic_id"):
        top = own.sort_values("rank")["document_id"].tolist()[:2]
        for session in range(4):
            shown = {"session": f"{topic}-{session}", "topic": topic, "shown": top}
            lines.append({**shown, "teams": ["first", None][: len(top)], "clicks": [1]})
    return "\n".join(map(json.dumps, lines)).encode()


def test_a_log_is_read_and_told_and_a_faulty_one_refused(study, organiser, open_page):
    at = open_page(PAGE, organiser, **{"interleaving-part": "A log"})
    assert "The file is not kept" in said(at)
    question = asked(at)
    at.file_uploader[0].upload("log.jsonl", _log(study, question)).run()
    assert not at.exception
    assert "Users prefer" in said(at)
    at.file_uploader[0].upload("log.jsonl", b'{"session": "s"}').run()
    assert "log.jsonl:1" in said(at)


@long
def test_few_sessions_have_no_limits_and_the_page_says_why(study, organiser, open_page):
    at = open_page(PAGE, organiser, **{"interleaving-part": "A log"})
    line = _log(study, asked(at)).split(b"\n")[0]
    at.file_uploader[0].upload("log.jsonl", line).run()
    assert "Missing: fewer than 10 sessions" in said(at)


@long
def test_where_nothing_is_clicked_no_preference_is_told(study, organiser, open_page):
    question = asked(open_page(PAGE, organiser))
    runs = runs_of(study)
    own = runs[runs["system"] == question.first].iloc[0]
    one = LoggedList("s", str(own["topic_id"]), (str(own["document_id"]),), ("first",), (False,), 1)
    found = preference_in_log(study, [one] * 2, question, "log")
    assert found.answer.startswith("Nothing was clicked on 2 lists of ")


def _bring(store, made: str, kind: str, text: str, **more) -> None:
    write_import(store, made, read_import(kind, [Source("file", text.encode())]), **more)


@long
def test_what_is_missing_is_said(store, organiser, open_page):
    assert "There is no collection yet" in said(open_page(PAGE, organiser))
    made = create_collection(store, "Bare")
    assert "There are no runs yet" in said(open_page(PAGE, organiser))
    _bring(store, made, "runs", "t1 Q0 d1 1 2 one\nt1 Q0 d2 2 1 one\n")
    assert "There is one run only" in said(open_page(PAGE, organiser))
    _bring(store, made, "runs", "t1 Q0 d2 1 2 two\nt1 Q0 d1 2 1 two\n")
    assert "No page is judged yet" in said(open_page(PAGE, organiser))
    _bring(store, made, "qrels", "t2 0 d1 1\n", name="elsewhere")
    at = open_page(PAGE, organiser)
    assert not at.exception
    assert "no judged topic is answered by both runs" in said(at).replace("\\", "")
    _bring(store, made, "qrels", "t1 0 d1 1\nt3 0 d1 1\n", name="here")
    at = open_page(PAGE, organiser, **{"interleaving-version-page": "imported: here"})
    assert "1" in said(at)
    at.selectbox(key="interleaving-second").set_value("one").run()
    assert "Choose two different runs" in said(at)


@long
def test_users_of_a_click_log_click_as_its_model_says(study, organiser, open_page):
    at = open_page(PAGE, organiser)
    (log,) = logs_of(study)
    at.selectbox(key="interleaving-user").set_value(f"PBM, fitted to {log}").run()
    assert not at.exception
    question = replace(asked(at), user="PBM", log=log)
    found = preference_of(study, find_choice(study, RULE), question)
    assert f"users who click as PBM says, fitted to {log}" in said(at)
    assert plain_with_facts(found.answer) in at_text(at)
    rows = preferences_of_users(study, find_choice(study, RULE), question)
    assert rows["user"].unique().tolist() == ["perfect", "navigational", "informational", "PBM"]
    assert (
        found.comparison.delta == rows.set_index(["user", "method"])["delta"]["PBM", "team-draft"]
    )


def test_lists_that_no_study_could_test_are_not_told_as_more():
    power = pd.DataFrame(
        {
            "test": "A/B",
            "measure": ["clicks", "abandonment", "first click"],
            "impressions": 20,
            "found": [np.nan, 0.5, 0.9],
        }
    )
    told = _say_enough(power, InterleavingQuestion("a", "b", impressions=20))
    assert "A/B test of clicks not known, as no study could be tested;" in told
    assert "A/B test of abandonment over 20;" in told
    assert told.endswith("A/B test of first click **20**.")
