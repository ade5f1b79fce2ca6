"""The reports of results through all of their doors: how well systems do, and who leads."""

import io
import json
import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from html import unescape
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import dissent
from core.analysis.base.declared import declared_of
from core.analysis.base.study import runs_of, scales_of, topics_of
from core.analysis.results.interleaving import InterleavingQuestion, preference_of
from core.analysis.results.public_results import SCORES, describe_results
from core.analysis.results.qrels_choices import QrelsChoice, find_choice, version_of
from core.analysis.results.scores import (
    ask_curves,
    ask_leaderboard,
    ask_scores,
    ask_unpooled,
    judged_runs_of,
)
from core.api.calls.arguments import judgements_from
from core.bundle.archive import read_archive
from core.bundle.choices import Choices
from core.bundle.making import make_bundle
from core.collection.files.source import Source
from core.collection.formats import read_import
from core.collection.qrels_and_runs.trec import write_qrels, write_run
from core.command.main import main
from core.comparison.conditions import examine_condition
from core.comparison.significance_test import SignificanceTest
from core.informativeness.study import measure_informativeness
from core.paper.pack import draw_scores, make_pack
from core.paper.tables import tabulate_scores
from core.reports.compare import DIFFERENT_TOPICS
from core.reports.curves import CurvesQuestion, RankingCurves
from core.reports.informativeness import Informativeness
from core.reports.interleaving import Interleaving
from core.reports.leaderboard import Leaderboard
from core.reports.report import Report
from core.reports.scores import Scores, ScoresQuestion
from core.reports.two_systems import TwoSystems, TwoSystemsQuestion
from core.reports.unpooled import Unpooled, list_measures
from core.store.content.imports import write_import
from core.store.content.public_pages import PublicChoice
from core.store.store import Store
from core.wording import drop_marks, plain, plain_with_facts
from pages.api.public_page import draw_public_page
from tests.pages.api.v1.described_client import DescribedClient, open_client
from tests.pages.api.v1.test_connect import served
from tests.pages.conftest import draw_page
from tests.pages.drawn_figures import figure_of, lines, numbers
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
    write_scale,
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
    printed = io.StringIO(score_by_command(asked, capsys, "csv"))
    frame = pd.read_csv(printed, dtype={"topic_id": "str"}, low_memory=False)
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
    return ask_leaderboard(asked.study, choice, measure, (), ())


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
    """The answer on a public page, and its file of scores."""
    key = VERSION if asked.facet == "page" else f"{asked.facet}: {VERSION}"
    wanted = PublicChoice(key, ERR, scores=True)
    results = describe_results(asked.study, wanted)
    (lead,) = re.findall(r'<p class="lead">(.*?)</p>', draw_public_page(results, "x"))
    rows = pd.read_csv(io.BytesIO(results.files[SCORES]))
    return Said(lead_cells(rows), unescape(lead), digits=6)


FALLS = ("value", "without", "fall", "rank_fall", "lost", "significant")


def fall_cells(rows: pd.DataFrame) -> Cells:
    return {
        ("falls", str(row["measure"]), str(row["system"])): tuple(float(row[one]) for one in FALLS)
        for row in rows.to_dict("records")
    }


def share_cells(rows: pd.DataFrame) -> Cells:
    return {
        ("shares", str(row["team"])): (float(row["alone"]), float(row["share"]))
        for row in rows.to_dict("records")
    }


def ask_pool(asked: Asked) -> Unpooled:
    """By the measures that the page shows beside the chosen one."""
    choice = find_choice(asked.study, VERSION, asked.facet)
    return ask_unpooled(asked.study, choice, list_measures("AP"), (), POOLED, 0, ())


POOLED = 5


def alpha_of(asked: Asked) -> float:
    return declared_of(asked.study).alpha


def pool_report(asked: Asked) -> Said:
    """The report itself, of the store."""
    found = ask_pool(asked)
    cells = fall_cells(found.falls) | share_cells(found.shares)
    return Said(cells, drop_marks(found.answer))


def pool_on_page(asked: Asked) -> Said:
    at = draw_page(
        asked.store,
        "unpooled",
        asked.organiser,
        asked.collection,
        **{
            f"unpooled-version-{asked.facet}": VERSION,
            "unpooled-measure": "AP",
            "unpooled-depth": POOLED,
        },
    )
    answer = ask_pool(asked).answer
    assert plain_with_facts(answer) in "\n".join(one.value for one in at.markdown)
    (shares,) = (one.value for one in at.dataframe if "alone" in one.value)
    return Said(share_cells(shares), drop_marks(answer))


def pool_by_python(asked: Asked) -> Said:
    with served() as address:
        there = dissent.connect(address, asked.token)
        runs = there.runs(collection=asked.collection)
        qrels = there.qrels(VERSION, collection=asked.collection, facet=asked.facet)
    found = dissent.unpooled(runs, qrels, list_measures("AP"), depth=POOLED, alpha=alpha_of(asked))
    return Said(fall_cells(found.falls) | share_cells(found.shares), drop_marks(found.answer))


def pool_by_command(asked: Asked, capsys: pytest.CaptureFixture[str], form: str) -> str:
    client = DescribedClient(open_client(), asked.token)
    asks = {"collection": asked.collection, "version": VERSION, "facet": asked.facet}
    path = asked.folder / "max.qrels"
    path.write_bytes(client.ask("readQrels", **asks))
    words = ["unpooled", "--measure", *list_measures("AP"), "--qrels", str(path)]
    words += ["--depth", str(POOLED), "--alpha", str(alpha_of(asked))]
    return print_of(asked, capsys, words, form)


def pool_in_json(asked: Asked, capsys: pytest.CaptureFixture[str]) -> Said:
    told = json.loads(pool_by_command(asked, capsys, "json"))
    cells = fall_cells(pd.DataFrame(told["runs"])) | share_cells(pd.DataFrame(told["teams"]))
    return Said(cells, told["answer"])


def pool_in_csv(asked: Asked, capsys: pytest.CaptureFixture[str]) -> Said:
    frame = pd.read_csv(io.StringIO(pool_by_command(asked, capsys, "csv")))
    falls, shares = (frame[frame["table"] == name] for name in ("falls", "shares"))
    return Said(fall_cells(falls) | share_cells(shares))


def pool_in_terminal(asked: Asked, capsys: pytest.CaptureFixture[str]) -> Said:
    return Said({}, pool_by_command(asked, capsys, "table").splitlines()[2])


CURVED = {
    "eleven_points": ("recall", ["value"]),
    "ranks": ("rank", ["value", "recall"]),
    "gain": ("rank", ["value", "ideal"]),
    "areas": ("system", ["area"]),
}
"""Along what each curve goes, and its numbers."""


def curve_cells(table: str, rows: pd.DataFrame) -> Cells:
    axis, values = CURVED[table]
    return {
        (table, str(row["system"]), str(row[axis])): tuple(float(row[one]) for one in values)
        for row in rows.to_dict("records")
    }


def cells_of_curves(found: RankingCurves) -> Cells:
    return {
        key: own for name in CURVED for key, own in curve_cells(name, found.table(name)).items()
    }


def drawn_cells(table: str, figure: dict[str, Any]) -> Cells:
    whole = int if CURVED[table][0] == "rank" else float
    return {
        (table, trace["name"], str(whole(x))): (y,)
        for trace in figure["data"]
        for x, y in zip(numbers(trace["x"]), numbers(trace["y"]), strict=True)
    }


def ask_lists(asked: Asked) -> RankingCurves:
    choice = find_choice(asked.study, VERSION, asked.facet)
    return ask_curves(asked.study, choice, CurvesQuestion(), ())


def curve_report(asked: Asked) -> Said:
    """The report itself, of the store."""
    found = ask_lists(asked)
    return Said(cells_of_curves(found), drop_marks(found.answer))


def curve_on_page(asked: Asked) -> Said:
    """Both figures, of up to eight systems, and the halves of the answer above them."""
    systems = [str(one) for one in runs_of(asked.study)["system"].unique()][:8]
    at = draw_page(
        asked.store,
        "effectiveness",
        asked.organiser,
        asked.collection,
        **{f"version-{asked.facet}": VERSION, "closer": "Curves", "curve-systems": systems},
    )
    found = ask_lists(asked)
    shown = [one.value for one in at.markdown]
    for told in (found.tell_precision(systems=systems), found.tell_gain(systems=systems)):
        assert plain_with_facts(told) in shown
    cells: Cells = {}
    for table, axis in (("eleven_points", "Precision (interpolated)"), ("gain", "nDCG up to")):
        drawn = drawn_cells(table, figure_of(at, axis))
        cells |= {key: own for key, own in drawn.items() if key[1] != "ideal"}
    return Said(cells, some=True)


def curve_by_python(asked: Asked) -> Said:
    with served() as address:
        there = dissent.connect(address, asked.token)
        runs = there.runs(collection=asked.collection)
        qrels = there.qrels(VERSION, collection=asked.collection, facet=asked.facet)
    found = dissent.curves(runs, qrels)
    drawn = lines(dissent.figures.plot_precision_recall(dissent.evaluate(runs, qrels, "AP")))
    eleven = {name: own["value"].tolist() for name, own in found.eleven_points.groupby("system")}
    assert drawn == eleven
    return Said(cells_of_curves(found), drop_marks(found.answer))


def curve_by_command(asked: Asked, capsys: pytest.CaptureFixture[str], form: str) -> str:
    client = DescribedClient(open_client(), asked.token)
    asks = {"collection": asked.collection, "version": VERSION, "facet": asked.facet}
    path = asked.folder / "max.qrels"
    path.write_bytes(client.ask("readQrels", **asks))
    return print_of(asked, capsys, ["curves", "--qrels", str(path)], form)


def curve_in_json(asked: Asked, capsys: pytest.CaptureFixture[str]) -> Said:
    told = json.loads(curve_by_command(asked, capsys, "json"))
    assert {*ask_lists(asked).judged.rankings.missing()["system"]} == {
        note.partition(":")[0] for note in told["notes"] if "judged topics without a line" in note
    }
    cells: Cells = {}
    for name in CURVED:
        cells |= curve_cells(name, pd.DataFrame(told[name]))
    return Said(cells, told["answer"])


def curve_in_csv(asked: Asked, capsys: pytest.CaptureFixture[str]) -> Said:
    printed = io.StringIO(curve_by_command(asked, capsys, "csv"))
    frame = pd.read_csv(printed, low_memory=False).astype({"rank": "Int64"})
    cells: Cells = {}
    for name in CURVED:
        cells |= curve_cells(name, frame[frame["table"] == name])
    return Said(cells)


def curve_in_terminal(asked: Asked, capsys: pytest.CaptureFixture[str]) -> Said:
    return Said({}, curve_by_command(asked, capsys, "table").splitlines()[0])


def curve_in_paper(asked: Asked) -> Said:
    """The figure of a paper pack."""
    found = draw_scores(asked.study, find_choice(asked.study, VERSION, asked.facet), "AP")
    figure = json.loads(found[f"Precision by recall, {VERSION}"].to_json())
    return Said(drawn_cells("eleven_points", figure))


def ask_both(asked: Asked) -> TwoSystems:
    """Of the best system and the declared baseline, or the second, as the page begins."""
    first, *others = ask_scores(asked.study, chosen(asked), MEASURES).systems
    baseline = declared_of(asked.study).baseline
    second = baseline if baseline in others else others[0]
    scores = ask_scores(asked.study, chosen(asked), ("Rprec",))
    topics = topics_of(asked.study).set_index("topic_id")["query"]
    names = {topic: f"{topic} {query}".strip() for topic, query in topics.items()}
    return TwoSystems(scores, TwoSystemsQuestion(first, second, "Rprec"), names)


def chosen(asked: Asked) -> QrelsChoice:
    return find_choice(asked.study, VERSION, asked.facet)


def both_report(asked: Asked) -> Said:
    """The report itself, of the store; the mean difference is that of a comparison."""
    found = ask_both(asked)
    rows = found.topics.to_dict("records")
    cells = {("topics", row["topic_id"]): (row["difference"],) for row in rows}
    scored = found.scores.condition("Rprec", {})
    pairs = examine_condition("", scored.scores, SignificanceTest("t", "none")).pairs
    both = [found.question.first, found.question.second]
    (row,) = pairs[pairs["first"].isin(both) & pairs["second"].isin(both)].to_dict("records")
    sign = 1 if row["first"] == found.question.first else -1
    assert sign * row["difference"] == pytest.approx(found.topics["difference"].mean())
    return Said(cells, drop_marks(found.answer))


def both_on_page(asked: Asked) -> Said:
    at = draw_page(
        asked.store,
        "effectiveness",
        asked.organiser,
        asked.collection,
        **{
            f"version-{asked.facet}": VERSION,
            "closer": "Two systems",
            "scores-measures": list(MEASURES),
        },
    )
    answer = ask_both(asked).answer
    assert plain_with_facts(answer) in [one.value for one in at.markdown]
    cells: Cells = {}
    for trace in figure_of(at, "Difference in Rprec")["data"]:
        points = zip(trace["x"], numbers(trace["y"]), strict=True)
        cells |= {("topics", topic): (height,) for topic, height in points}
    return Said(cells, drop_marks(answer))


PREFERRED = ("delta", "low", "high", "p", "p_ties_half", "p_bootstrap")
LISTS = 300


def preferred_cells(row: Mapping[str, Any]) -> Cells:
    return {
        ("preference", row["first"], row["second"]): tuple(float(row[one]) for one in PREFERRED)
    }


def two_of(asked: Asked) -> tuple[str, str]:
    """Return the two systems that the page begins with: the second is the declared baseline."""
    systems = sorted(map(str, runs_of(asked.study)["system"].unique()))
    baseline = declared_of(asked.study).baseline or systems[1]
    return next(one for one in systems if one != baseline), baseline


def ask_users(asked: Asked) -> Interleaving:
    """Of two systems, by the users and method of every door."""
    question = InterleavingQuestion(*two_of(asked), impressions=LISTS)
    return preference_of(asked.study, find_choice(asked.study, VERSION, asked.facet), question)


def prefer_report(asked: Asked) -> Said:
    """The report itself, of the store."""
    found = ask_users(asked)
    (row,) = found.preference.to_dict("records")
    return Said(preferred_cells(row), drop_marks(found.answer))


def prefer_on_page(asked: Asked) -> Said:
    at = draw_page(
        asked.store,
        "interleaving",
        asked.organiser,
        asked.collection,
        **{f"interleaving-version-{asked.facet}": VERSION, "interleaving-impressions": LISTS},
    )
    found = ask_users(asked)
    assert plain_with_facts(found.answer) in "\n".join(one.value for one in at.markdown)
    (rows,) = (one.value for one in at.dataframe if "first_wins" in one.value)
    own = rows[(rows["user"] == found.user) & (rows["method"] == found.method)]
    (row,) = own.drop(columns=["p", "p_ties_half", "p_bootstrap"]).to_dict("records")
    numbers = tuple(float(row[one]) for one in PREFERRED[:3])
    return Said({("preference", found.first, found.second): numbers}, drop_marks(found.answer))


def prefer_by_python(asked: Asked) -> Said:
    with served() as address:
        there = dissent.connect(address, asked.token)
        runs = there.runs(collection=asked.collection)
        qrels = there.qrels(VERSION, collection=asked.collection, facet=asked.facet)
    first, second = (runs[runs["system"] == one] for one in two_of(asked))
    found = dissent.interleave(
        first, second, judgements=qrels, impressions=LISTS, alpha=alpha_of(asked)
    )
    (row,) = found.preference.to_dict("records")
    return Said(preferred_cells(row), drop_marks(found.answer))


def prefer_by_command(asked: Asked, capsys: pytest.CaptureFixture[str], form: str) -> str:
    client = DescribedClient(open_client(), asked.token)
    asks = {"collection": asked.collection, "version": VERSION, "facet": asked.facet}
    path = asked.folder / "max.qrels"
    path.write_bytes(client.ask("readQrels", **asks))
    runs = runs_of(asked.study)
    words = ["interleave", "--simulate", "navigational", "--qrels", str(path)]
    for name, system in zip(("first", "second"), two_of(asked), strict=True):
        run = asked.folder / f"{name}.run"
        run.write_bytes(write_run(runs[runs["system"] == system]))
        words += [f"--{name}", str(run)]
    scale = f"{asked.facet}={write_scale(scales_of(asked.study)[asked.facet])}"
    words += ["--impressions", str(LISTS), "--scale", scale, "--format", form]
    words += ["--alpha", str(alpha_of(asked))]
    capsys.readouterr()
    assert main(words) == 0
    return capsys.readouterr().out


def prefer_in_store(asked: Asked, capsys: pytest.CaptureFixture[str]) -> Said:
    """The command on the store itself, which it finds runs and judgements in."""
    first, second = two_of(asked)
    asked.store.close()
    words = ["interleave", "--store", str(asked.store.path), "--collection", asked.collection]
    words += ["--version", VERSION, "--facet", asked.facet, "--simulate", "navigational"]
    words += ["--first", first, "--second", second, "--impressions", str(LISTS)]
    capsys.readouterr()
    assert main([*words, "--format", "json"]) == 0
    told = json.loads(capsys.readouterr().out)
    return Said(preferred_cells(told), told["answer"])


def prefer_in_json(asked: Asked, capsys: pytest.CaptureFixture[str]) -> Said:
    told = json.loads(prefer_by_command(asked, capsys, "json"))
    assert told["interval"]["of"]
    return Said(preferred_cells(told), told["answer"])


def prefer_in_csv(asked: Asked, capsys: pytest.CaptureFixture[str]) -> Said:
    frame = pd.read_csv(io.StringIO(prefer_by_command(asked, capsys, "csv")))
    (row,) = frame.to_dict("records")
    return Said(preferred_cells(row))


def prefer_in_terminal(asked: Asked, capsys: pytest.CaptureFixture[str]) -> Said:
    return Said({}, prefer_by_command(asked, capsys, "table").splitlines()[0])


TOLD = ("P@5", "AP")
ERRORS = ("rms", "mae", "uniform_rms", "uniform_mae")


def error_cells(rows: pd.DataFrame) -> Cells:
    return {
        ("curve_errors", str(row["measure"]), str(row["curve"])): tuple(
            float(row[one]) for one in ERRORS
        )
        for row in rows.to_dict("records")
    }


def ask_measures(asked: Asked) -> Informativeness:
    """From level 1 on, to depth 10: where every door begins."""
    judged = judged_runs_of(asked.study, find_choice(asked.study, VERSION, asked.facet))
    study = measure_informativeness(judged.rankings, TOLD)
    return Informativeness(study, tuple(judged.notes), declared_of(asked.study).alpha)


def tell_report(asked: Asked) -> Said:
    """The report itself, of the store."""
    found = ask_measures(asked)
    return Said(error_cells(found.curve_errors), drop_marks(found.answer))


def tell_on_page(asked: Asked) -> Said:
    at = draw_page(
        asked.store,
        "informativeness",
        asked.organiser,
        asked.collection,
        **{
            f"informativeness-version-{asked.facet}": VERSION,
            "informativeness-measures-False-False": list(TOLD),
        },
    )
    found = ask_measures(asked)
    assert plain_with_facts(found.answer) in "\n".join(one.value for one in at.markdown)
    (errors,) = (one.value for one in at.dataframe if "uniform_rms" in one.value)
    called = {name: measure for measure, name in found.names.items()}
    errors = errors.assign(measure=errors["measure"].map(called))
    return Said(error_cells(errors), drop_marks(found.answer))


def tell_by_python(asked: Asked) -> Said:
    with served() as address:
        there = dissent.connect(address, asked.token)
        runs = there.runs(collection=asked.collection)
        qrels = there.qrels(VERSION, collection=asked.collection, facet=asked.facet)
    alpha = declared_of(asked.study).alpha
    found = dissent.informativeness(runs, qrels, TOLD, alpha=alpha)
    return Said(error_cells(found.curve_errors), drop_marks(found.answer))


def tell_by_command(asked: Asked, capsys: pytest.CaptureFixture[str], form: str) -> str:
    client = DescribedClient(open_client(), asked.token)
    asks = {"collection": asked.collection, "version": VERSION, "facet": asked.facet}
    path = asked.folder / "max.qrels"
    path.write_bytes(client.ask("readQrels", **asks))
    alpha = str(declared_of(asked.study).alpha)
    words = ["informativeness", "--measure", *TOLD, "--qrels", str(path), "--alpha", alpha]
    return print_of(asked, capsys, words, form)


def tell_in_json(asked: Asked, capsys: pytest.CaptureFixture[str]) -> Said:
    told = json.loads(tell_by_command(asked, capsys, "json"))
    return Said(error_cells(pd.DataFrame(told["curve_errors"])), told["answer"])


def tell_in_csv(asked: Asked, capsys: pytest.CaptureFixture[str]) -> Said:
    frame = pd.read_csv(io.StringIO(tell_by_command(asked, capsys, "csv")))
    return Said(error_cells(frame[frame["table"] == "curve_errors"]))


def tell_in_terminal(asked: Asked, capsys: pytest.CaptureFixture[str]) -> Said:
    lines = tell_by_command(asked, capsys, "table").splitlines()
    return Said({}, next(one.removeprefix("- ") for one in lines if one.startswith("- ")))


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
    Informativeness.name: {
        "page": tell_on_page,
        "Python": tell_by_python,
        "JSON": tell_in_json,
        "CSV": tell_in_csv,
        "terminal": tell_in_terminal,
    },
    Interleaving.name: {
        "page": prefer_on_page,
        "Python": prefer_by_python,
        "store": prefer_in_store,
        "JSON": prefer_in_json,
        "CSV": prefer_in_csv,
        "terminal": prefer_in_terminal,
    },
    RankingCurves.name: {
        "page": curve_on_page,
        "Python": curve_by_python,
        "JSON": curve_in_json,
        "CSV": curve_in_csv,
        "terminal": curve_in_terminal,
        "paper": curve_in_paper,
    },
    TwoSystems.name: {"page": both_on_page},
    Unpooled.name: {
        "page": pool_on_page,
        "Python": pool_by_python,
        "JSON": pool_in_json,
        "CSV": pool_in_csv,
        "terminal": pool_in_terminal,
    },
}
ASKED: dict[str, Callable[[Asked], Said]] = {
    Scores.name: score_report,
    Leaderboard.name: lead_report,
    Informativeness.name: tell_report,
    Interleaving.name: prefer_report,
    Unpooled.name: pool_report,
    RankingCurves.name: curve_report,
    TwoSystems.name: both_report,
}
REPORTS: tuple[type[Report], ...] = (
    Scores,
    Leaderboard,
    Informativeness,
    Interleaving,
    Unpooled,
    RankingCurves,
    TwoSystems,
)
EVERY = [(report, door) for report, doors in DOORS.items() for door in doors]
PRINTING = {"JSON", "CSV", "terminal", "store"}


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
    expected = ASKED[report](made_up)
    compare(ask(report, door, made_up, capsys), expected)


@long
@pytest.mark.parametrize(("report", "door"), EVERY)
@pytest.mark.parametrize("facet", ["page", "snippet"])
def test_a_report_of_the_demo_is_the_same_through_every_door(
    report: str, door: str, facet: str, demo: str, store: Store, tmp_path: Path, capsys
):
    asked = replace(make_asked(store, demo, tmp_path), facet=facet)
    if facet == "snippet" and door in ("page", "bundle", "public page"):
        pytest.skip("these begin with pages")
    expected = ASKED[report](asked)
    compare(ask(report, door, asked, capsys), expected)


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


OWN_CURVES = {
    "Python": "core.reports.curves.CurvesQuestion",
    "JSON": "core.command.curves.CurvesQuestion",
    "page": "pages.results.leaderboard.curves.CurvesQuestion",
}


@pytest.mark.parametrize("door", OWN_CURVES)
def test_curves_with_a_default_of_their_own_are_seen(
    door: str,
    made_up: Asked,  # noqa: F811
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
):
    def ask_more(*given: Any, **named: Any) -> CurvesQuestion:
        return replace(CurvesQuestion(*given, **named), rel=2)

    monkeypatch.setattr(OWN_CURVES[door], ask_more)
    with pytest.raises(AssertionError):
        compare(ask(RankingCurves.name, door, made_up, capsys), curve_report(made_up))


ABOVE = "P(rel=2)@10"
"""Chances to be found top are at most 1, so nothing can count from 2."""

REFUSED = re.compile(r"P\(rel=2\)@10 counts documents from level 2, and the scale's highest is")


def refuse_by_rest(asked: Asked) -> str:
    client = DescribedClient(open_client(), asked.token)
    given = {"collection": asked.collection, "measure": [ABOVE]}
    answers = [
        client.send("readScores", **given, version="UDM"),
        client.send("readComparison", **given, version=["UDM"]),
    ]
    assert [one.status_code for one in answers] == [422, 422]
    return "".join(one.text for one in answers)


def refuse_on_page(asked: Asked) -> str:
    at = draw_page(
        asked.store,
        "effectiveness",
        asked.organiser,
        asked.collection,
        **{f"version-{asked.facet}": "UDM", "scores-measures": [ABOVE]},
    )
    return (
        "\n".join(one.value for one in [*at.error, *at.info])
        .replace("\\", "")
        .replace("\u2060", "")
    )


def refuse_by_python(asked: Asked) -> str:
    with served() as address:
        there = dissent.connect(address, asked.token)
        runs, qrels = there.runs(), there.qrels("UDM", facet=asked.facet)
    with pytest.raises(dissent.BadInput) as refused:
        dissent.evaluate(runs, qrels, ABOVE)
    return str(refused.value)


def refuse_in_pack(asked: Asked) -> str:
    choice = find_choice(asked.study, "UDM", asked.facet)
    with pytest.raises(dissent.BadInput) as refused:
        make_pack(asked.study, [choice], [ABOVE])
    return str(refused.value)


def refuse_in_bundle(asked: Asked) -> str:
    with pytest.raises(dissent.BadInput) as refused:
        make_bundle(asked.study, Choices(("UDM",), measures=(ABOVE,)))
    return str(refused.value)


REFUSING = {
    "REST": refuse_by_rest,
    "page": refuse_on_page,
    "Python": refuse_by_python,
    "paper": refuse_in_pack,
    "bundle": refuse_in_bundle,
}


@pytest.mark.parametrize("door", REFUSING)
def test_a_threshold_above_the_highest_weight_is_refused(
    door: str,
    made_up: Asked,  # noqa: F811
):
    assert REFUSED.search(REFUSING[door](made_up))


@pytest.fixture
def with_few_topics(made_up: Asked) -> Asked:  # noqa: F811
    """Qrels of two topics beside those of all."""
    qrels = read_version(made_up)
    few = qrels[qrels["topic_id"].isin(sorted(set(qrels["topic_id"]))[:2])]
    source = Source("few.qrels", write_qrels(few))
    write_import(made_up.store, made_up.collection, read_import("qrels", source), name="few")
    return made_up


def read_version(asked: Asked) -> pd.DataFrame:
    return version_of(asked.study, find_choice(asked.study, VERSION, asked.facet)).frame


def test_conditions_are_on_common_topics_only_when_asked(with_few_topics: Asked):
    asked, client = with_few_topics, DescribedClient(open_client(), with_few_topics.token)
    given = {"collection": asked.collection, "version": [VERSION, "few"], "measure": ["AP"]}
    given |= {"test": "t", "correction": "none", "table": "power"}
    told = client.ask("readComparison", **given)
    first, second = (row["topics"] for row in told["rows"])
    assert first > second == 2
    assert told["notes"][0] == DIFFERENT_TOPICS
    common = client.ask("readComparison", **given, common_topics=True)
    assert [row["topics"] for row in common["rows"]] == [2, 2]
    assert DIFFERENT_TOPICS not in common["notes"]
    at = draw_page(
        asked.store,
        "comparison",
        asked.organiser,
        asked.collection,
        **{
            f"comparison-versions-{asked.facet}": [VERSION, "imported: few"],
            "comparison-one-measures": "AP",
            "comparison-samples": 99,
        },
    )
    note = plain(f"{DIFFERENT_TOPICS[:1].upper()}{DIFFERENT_TOPICS[1:]}.")
    assert note in [one.value for one in at.caption]
    refused = client.send("readComparison", **given | {"topic_set": ["none"]})
    assert refused.status_code == 422
    assert "'none' is none of all topics" in refused.text
    many = client.send("readComparison", **given | {"measure": [f"P@{k}" for k in range(1, 12)]})
    assert "at most 20 conditions are compared at once" in many.text
