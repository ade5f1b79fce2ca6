"""The reports of results through all of their doors: how well systems do, and who leads."""

import io
import json
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import dissent
from core.analysis.results.public_results import SCORES, describe_results
from core.analysis.results.qrels_choices import find_choice
from core.analysis.results.scores import ask_leaderboard, ask_scores
from core.api.calls.judged import judgements_from
from core.bundle.archive import read_archive
from core.bundle.choices import Choices
from core.bundle.making import make_bundle
from core.comparison.significance_test import SignificanceTest
from core.paper.tables import tabulate_scores
from core.reports.leaderboard import Leaderboard
from core.reports.scores import Scores, ScoresQuestion
from core.store.content.public_pages import PublicChoice
from core.store.store import Store
from core.wording import drop_marks, plain_with_facts
from pages.api.public_page import draw_public_page
from tests.pages.api.v1.described_client import DescribedClient, open_client
from tests.pages.api.v1.test_connect import served
from tests.pages.conftest import draw_page
from tests.pages.test_report_doors import (
    ERR,
    Asked,
    Cells,
    Door,
    Said,
    compare,
    made_up,  # noqa: F401
    made_up_store,  # noqa: F401
    make_asked,
    number,
    print_of,
)
from tests.short import long

VERSION = "all, maximum"
MEASURES = (ERR, "AP")
LIMITS = ("value", "low", "high")


def score_cells(found: pd.DataFrame, table: str = "means") -> Cells:
    """Return the numbers of each row by the measure, the system and, if it is of one, the topic."""
    topic, names = table == "by_topic", ("value",) if table == "by_topic" else LIMITS
    return {
        (table, row["measure"], row["system"], *([str(row["topic_id"])] if topic else [])): tuple(
            np.nan if row[one] is None else float(row[one]) for one in names
        )
        for row in found.to_dict("records")
    }


def ask_store(asked: Asked) -> Scores:
    return ask_scores(asked.study, find_choice(asked.study, VERSION, asked.facet), MEASURES)


def score_report(asked: Asked) -> Said:
    """The report itself, of the store."""
    found = ask_store(asked)
    cells = {key: own for name in found.tables for key, own in cells_of(found, name).items()}
    return Said(cells, drop_marks(found.answer))


def cells_of(found: Scores, table: str) -> Cells:
    return score_cells(found.table(table), table)


def score_on_page(asked: Asked) -> Said:
    """The table of means; the answer on the page is that of the leaderboard."""
    at = draw_page(
        asked.store,
        "effectiveness",
        asked.organiser,
        asked.collection,
        **{f"version-{asked.facet}": VERSION, "scores-measures": list(MEASURES)},
    )
    (table,) = (one.value for one in at.dataframe if {"system", *MEASURES} <= {*one.value})
    cells = {
        ("means", measure, row["system"]): (float(row[measure]),)
        for row in table.to_dict("records")
        for measure in MEASURES
    }
    return Said(cells, some=True)


def score_by_rest(asked: Asked) -> Said:
    told = DescribedClient(open_client(), asked.token).ask(
        "readScores",
        collection=asked.collection,
        facet=asked.facet,
        version=VERSION,
        measure=[*MEASURES],
        per_topic=True,
    )
    assert told["notes"] == [*ask_store(asked).notes]
    assert {row["of"] for row in told["means"]} == {
        "mean score of this system, over topics like these"
    }
    means, topics = (pd.DataFrame(told[name]).fillna(np.nan) for name in ("means", "topics"))
    return Said(score_cells(means) | score_cells(topics, "by_topic"), told["answer"])


def score_by_python(asked: Asked) -> Said:
    with served() as address:
        there = dissent.connect(address, asked.token)
        runs = there.runs(collection=asked.collection)
        qrels = there.qrels(VERSION, collection=asked.collection, facet=asked.facet)
    found = dissent.evaluate(runs, qrels, MEASURES)
    cells = {key: own for name in found.tables for key, own in cells_of(found, name).items()}
    return Said(cells, drop_marks(found.answer))


def score_by_command(asked: Asked, capsys: pytest.CaptureFixture[str], form: str) -> str:
    client = DescribedClient(open_client(), asked.token)
    asks = {"collection": asked.collection, "version": VERSION, "facet": asked.facet}
    path = asked.folder / "max.qrels"
    path.write_bytes(client.ask("readQrels", **asks))
    words = ["evaluate", "--measure", *MEASURES, "--qrels", str(path), "--per-topic"]
    return print_of(asked, capsys, words, form)


def score_in_json(asked: Asked, capsys: pytest.CaptureFixture[str]) -> Said:
    told = json.loads(score_by_command(asked, capsys, "json"))
    means = pd.DataFrame([one for one in told["scores"] if one["topic"] is None])
    topics = pd.DataFrame([one for one in told["scores"] if one["topic"] is not None])
    assert all(one["of"] for one in means["interval"])
    cells = score_cells(means) | score_cells(
        topics.rename(columns={"topic": "topic_id"}), "by_topic"
    )
    (answer,) = told["answers"]
    return Said(cells, answer["answer"])


def score_in_csv(asked: Asked, capsys: pytest.CaptureFixture[str]) -> Said:
    frame = pd.read_csv(io.StringIO(score_by_command(asked, capsys, "csv")))
    cells: Cells = {}
    for name in Scores.tables:
        cells |= score_cells(frame[frame["table"] == name], name)
    return Said(cells)


def score_in_terminal(asked: Asked, capsys: pytest.CaptureFixture[str]) -> Said:
    return Said({}, score_by_command(asked, capsys, "table").splitlines()[0])


def score_in_bundle(asked: Asked) -> Said:
    choices = Choices((VERSION,), measures=MEASURES, test=SignificanceTest("t", "none"))
    content = read_archive(make_bundle(asked.study, choices).content, "bundle")
    means, topics = (
        pd.read_csv(io.BytesIO(content[f"tables/{name}.csv"])) for name in ("means", "scores")
    )
    return Said(score_cells(means) | score_cells(topics, "by_topic"), digits=4)


def score_in_paper(asked: Asked) -> Said:
    choice = find_choice(asked.study, VERSION, asked.facet)
    means, *_ = tabulate_scores(asked.study, choice, MEASURES, SignificanceTest("t", "none"))
    cells: Cells = {}
    for row in means.rows:
        for measure in MEASURES:
            found = re.findall(r"[−-]?\d+\.\d+", row[means.header.index(f"{measure} [95 %]")])
            cells[("means", measure, row[0])] = tuple(map(number, found))
    return Said(cells, digits=3)


LED = (*LIMITS, "p")


def lead_cells(rows: pd.DataFrame) -> Cells:
    return {
        ("ranking", row["system"]): tuple(float(row[one]) for one in (*LED, "rank"))
        for row in rows.to_dict("records")
    }


def ask_leader(asked: Asked, measure: str = ERR) -> Leaderboard:
    choice = find_choice(asked.study, VERSION, asked.facet)
    return ask_leaderboard(asked.study, choice, measure, ())


def lead_report(asked: Asked) -> Said:
    """The report itself, of the store."""
    found = ask_leader(asked)
    return Said(lead_cells(found.ranking), drop_marks(found.answer))


def lead_on_page(asked: Asked) -> Said:
    """The page's answer; its rows are those behind the figure."""
    at = draw_page(
        asked.store,
        "effectiveness",
        asked.organiser,
        asked.collection,
        **{f"version-{asked.facet}": VERSION, "scores-measures": list(MEASURES)},
    )
    found = ask_leader(asked).answer
    assert plain_with_facts(found) in "\n".join(one.value for one in at.markdown)
    return Said({}, drop_marks(found))


def lead_in_public(asked: Asked) -> Said:
    """The file of scores of a public page; the page itself is in the reader's language."""
    wanted = PublicChoice(VERSION, ERR, scores=True)
    results = describe_results(asked.study, wanted)
    first = ask_leader(asked).ranking.iloc[0]
    assert f"{first['system']} is first with a mean" in draw_public_page(results, "x")
    rows = pd.read_csv(io.BytesIO(results.files[SCORES]))
    return Said(lead_cells(rows), digits=6)


DOORS: dict[str, dict[str, Door]] = {
    Scores.name: {
        "page": score_on_page,
        "REST": score_by_rest,
        "Python": score_by_python,
        "JSON": score_in_json,
        "CSV": score_in_csv,
        "terminal": score_in_terminal,
        "bundle": score_in_bundle,
        "paper": score_in_paper,
    },
    Leaderboard.name: {"page": lead_on_page, "public page": lead_in_public},
}
ASKED: dict[str, Callable[[Asked], Said]] = {
    Scores.name: score_report,
    Leaderboard.name: lead_report,
}
REPORTS = tuple(DOORS)
EVERY = [(report, door) for report, doors in DOORS.items() for door in doors]
PRINTING = {"JSON", "CSV", "terminal"}


def ask(report: str, door: str, asked: Asked, capsys: pytest.CaptureFixture[str]) -> Said:
    found = DOORS[report][door]
    return found(asked, capsys) if door in PRINTING else found(asked)


@pytest.mark.parametrize(("report", "door"), EVERY)
def test_a_report_is_the_same_through_every_door(
    report: str,
    door: str,
    made_up: Asked,  # noqa: F811
    capsys: pytest.CaptureFixture[str],
):
    compare(ask(report, door, made_up, capsys), ASKED[report](made_up))


@long
@pytest.mark.parametrize(("report", "door"), EVERY)
@pytest.mark.parametrize("facet", ["page", "snippet"])
def test_a_report_of_the_demo_is_the_same_through_every_door(
    report: str, door: str, facet: str, demo: str, store: Store, tmp_path: Path, capsys
):
    asked = replace(make_asked(store, demo, tmp_path), facet=facet)
    if facet == "snippet" and door in ("page", "bundle", "public page"):
        pytest.skip("these begin with pages")
    compare(ask(report, door, asked, capsys), ASKED[report](asked))


OWN_DEFAULTS = {
    "the levels that occur": (
        "judgements_from",
        lambda qrels, scale: judgements_from(qrels.set_axis(qrels.columns, axis=1), [2]),
    ),
    "measures in another order": (
        "ScoresQuestion",
        lambda measures, empty: ScoresQuestion(measures[::-1], empty),
    ),
}


@pytest.mark.parametrize("default", OWN_DEFAULTS)
def test_a_door_with_a_default_of_its_own_is_seen(
    default: str,
    made_up: Asked,  # noqa: F811
    monkeypatch: pytest.MonkeyPatch,
):
    name, own = OWN_DEFAULTS[default]
    monkeypatch.setattr(f"core.api.calls.evaluation.{name}", own)
    with pytest.raises(AssertionError):
        compare(score_by_python(made_up), score_report(made_up))
