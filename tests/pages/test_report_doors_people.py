"""The doors of reports of people and of how far they are: see ``test_report_doors``."""

import io
import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pandas as pd
import pytest

import dissent
from core.agreement.coefficients import Kappa
from core.analysis.base.declared import declared_of
from core.analysis.base.study import runs_of, scales_of
from core.analysis.collection.declaring import declare
from core.analysis.people.assessors import ask_assessors
from core.collection.qrels_and_runs.trec import write_run
from core.reports.agreement import FacetLabels, read_facet
from core.reports.assessors import AssessorQuality
from core.reports.left_out_rankings import RankingQuestion
from core.store.content.gold import GoldItem, list_gold, mark_gold
from core.store.people.pseudonyms import assessor_codes
from core.store.store import Store
from core.wording import drop_marks, plain_with_facts
from tests.pages.api.v1.test_connect import served
from tests.pages.conftest import draw_page, serve_copy
from tests.pages.test_report_doors import (
    Asked,
    Said,
    compare,
    made_up_store,
    make_asked,
    write_scale,
)
from tests.pages.test_report_doors_others import (
    Rows,
    cells_of,
    cells_of_csv,
    cells_of_report,
    export,
    name_weights,
    print_of,
    weights_of,
)
from tests.short import long

__all__ = ["made_up_store"]

JUDGED: Rows = {
    "assessors": (
        ("assessor_id",),
        ("labels", "common", "leniency", "low", "high", "pairs", "kappa_mean", "kappa_lowest",
         "kappa_highest", "gold_n", "gold_raw", "gold_kappa", "p"),
    ),
    "level_shares": (("assessor_id", "level"), ("labels", "share", "others_share")),
    "drift": (("assessor_id", "part"), ("labels", "common", "leniency")),
    "chance": (
        ("assessor_id", "finding"),
        ("value", "within_items", "within_items_low", "within_items_high", "within_topics",
         "within_topics_low", "within_people", "p"),
    ),
    "leaving_out": (
        ("left_out",),
        ("before", "after", "within_items", "within_topics", "within_people",
         "within_people_before", "p"),
    ),
    "leaving_out_ranking": (
        ("left_out",),
        ("tau", "within_items", "within_items_low", "within_topics", "p", "topics"),
    ),
}  # fmt: skip

GOLD = [*(GoldItem("t0", f"t0d{n}", "page", "", n % 3) for n in range(4)),
        GoldItem("t1", "t1d0", "page", "", 3)]  # fmt: skip
"""The last is of a level that no label has."""


MEASURE, VERSION = "AP", "all, minimum"
"""What the study declares: nothing of it is what doors begin with."""


def tell(found: AssessorQuality) -> Said:
    answers = (found.answer, found.leniency_answer, found.chance_answer, found.ranking_answer)
    return Said(cells_of_report(JUDGED, found), drop_marks(" ".join(filter(None, answers))))


def judge_report(asked: Asked) -> Said:
    return tell(ask_assessors(asked.study, asked.facet))


def judge_on_page(asked: Asked) -> Said:
    """The page's sentences by name, and its table; there people are by id, here by code."""
    at = draw_page(asked.store, "assessors", asked.organiser, asked.collection)
    found = ask_assessors(replace(asked.study, is_masked=False), asked.facet)
    shown = "\n".join(one.value for one in at.markdown)
    assert plain_with_facts(found.answer) in shown
    assert plain_with_facts(found.leniency_answer) in shown
    beside = draw_page(
        asked.store, "assessors", asked.organiser, asked.collection,
        address={"assessors-part": "Beside chance"},
    )  # fmt: skip
    shown = "\n".join(one.value for one in beside.markdown)
    assert plain_with_facts(found.chance_answer) in shown
    assert plain_with_facts(found.ranking_answer) in shown
    (ranking,) = (one.value for one in beside.dataframe if "tau" in one.value)
    assert ranking["tau"].tolist() == found.leaving_out_ranking["tau"].tolist()
    (table,) = (one.value for one in at.dataframe if "kappa_mean" in one.value)
    codes = assessor_codes(asked.store, asked.collection, table["assessor_id"].tolist())
    table = table.assign(assessor_id=table["assessor_id"].map(codes))
    return Said(cells_of(JUDGED, "assessors", table), digits=3)


def judge_by_python(asked: Asked) -> Said:
    with served() as address:
        there = dissent.connect(address, asked.token)
        labels, runs, gold = (
            one(collection=asked.collection) for one in (there.labels, there.runs, there.gold)
        )
    found = dissent.assessors(
        *(labels, runs), facet=asked.facet, levels=asked.levels, gold=gold,
        measure=MEASURE, version=VERSION, topics=declared_of(asked.study).topics,
        weights=weights_of(asked),
    )  # fmt: skip
    return tell(found)


def write_runs(asked: Asked) -> str:
    path = asked.folder / "exported.run"
    runs = runs_of(asked.study).groupby("system", observed=True)
    path.write_bytes(b"".join(write_run(own) for _, own in runs))
    return str(path)


def name_topics(asked: Asked) -> list[str]:
    """Return the words by which a command is told the declared topics, if they are not all."""
    topics, path = declared_of(asked.study).topics, asked.folder / "topics.txt"
    path.write_text("\n".join(topics))
    return ["--topics", str(path)] if topics else []


def judge_by_command(asked: Asked, capsys: pytest.CaptureFixture[str], form: str) -> str:
    """Print what the command says of the exported labels, beside which gold has a column."""
    path = Path(export(asked, "labels", "exported.csv"))
    key = ["topic_id", "document_id", "facet"]
    gold = pd.DataFrame(list_gold(asked.store, asked.collection))[[*key, "level"]].rename(
        columns={"level": "gold"}
    )
    labels = pd.read_csv(path, dtype="str", keep_default_na=False)
    called = dict(zip(["topic", "document", "facet"], key, strict=True))
    labels = labels.rename(columns=called).merge(gold.astype("str"), on=key, how="left")
    labels.fillna("").to_csv(path, index=False)
    scale = f"{asked.facet}={write_scale(scales_of(asked.study)[asked.facet])}"
    words = ["assessors", str(path), "--facet", asked.facet, "--scale", scale, "--gold", "gold"]
    words += ["--run", write_runs(asked), "--measure", MEASURE, "--version", VERSION]
    return print_of([*words, *name_topics(asked), *name_weights(asked)], form, capsys)


def judge_in_json(asked: Asked, capsys: pytest.CaptureFixture[str]) -> Said:
    told = json.loads(judge_by_command(asked, capsys, "json"))
    cells = {
        key: own
        for name in JUDGED
        for key, own in cells_of(
            JUDGED, name, pd.DataFrame(told[name]), assessor_id="assessor"
        ).items()
    }
    assert {one["interval"]["of"] for one in told["assessors"]} == {
        "leniency of this assessor, over topics like these"
    }
    (answer,) = told["answers"]
    told = (answer[name] for name in ("answer", "leniency", "chance", "ranking"))
    return Said(cells, " ".join(filter(None, told)))


def judge_in_csv(asked: Asked, capsys: pytest.CaptureFixture[str]) -> Said:
    frame = pd.read_csv(io.StringIO(judge_by_command(asked, capsys, "csv")))
    return Said(
        cells_of_csv(JUDGED, frame.astype(dict.fromkeys(("level", "part", "left_out"), "Int64")))
    )


def judge_in_terminal(asked: Asked, capsys: pytest.CaptureFixture[str]) -> Said:
    first = judge_by_command(asked, capsys, "table").splitlines()[0]
    return Said({}, first.removeprefix(f"{asked.facet}: "))


REPORTS = (AssessorQuality,)

DOORS: dict[str, Callable[..., Said]] = {
    "page": judge_on_page,
    "Python": judge_by_python,
    "JSON": judge_in_json,
    "CSV": judge_in_csv,
    "terminal": judge_in_terminal,
}
PRINTING = {"JSON", "CSV", "terminal"}


@pytest.fixture
def with_gold(made_up_store: Asked, tmp_path: Path) -> Iterator[Asked]:
    with serve_copy(made_up_store.store.path, tmp_path) as store:
        asked = replace(made_up_store, store=store, folder=tmp_path)
        for one in GOLD:
            mark_gold(store, asked.collection, one)
        declare(asked.study, {"measure": MEASURE, "version": VERSION})
        yield asked


@pytest.mark.parametrize("door", DOORS)
def test_how_assessors_judge_is_the_same_through_every_door(
    door: str, with_gold: Asked, capsys: pytest.CaptureFixture[str]
):
    said = DOORS[door](with_gold, capsys) if door in PRINTING else DOORS[door](with_gold)
    report = judge_report(with_gold)
    assert sum(key[0] == "assessors" and own[9] > 0 for key, own in report.cells.items()) > 1
    assert any(key[0] == "leaving_out_ranking" for key in report.cells)
    assert "by AP under 'all, minimum' without " in report.answer
    compare(said, report)


def forget_scale(
    labels: pd.DataFrame, facet: str, levels: object, runs: object = None
) -> FacetLabels:
    return read_facet(labels, facet, None)


OWN_DEFAULTS = {
    "the levels that occur": ("read_facet", forget_scale),
    "another coefficient": ("Kappa", lambda _: Kappa()),
}


@pytest.mark.parametrize("default", OWN_DEFAULTS)
def test_a_door_with_a_default_of_its_own_is_seen(
    default: str, with_gold: Asked, monkeypatch: pytest.MonkeyPatch
):
    report = judge_report(with_gold)
    name, own = OWN_DEFAULTS[default]
    monkeypatch.setattr(f"core.reports.assessors.{name}", own)
    with pytest.raises(AssertionError):
        compare(judge_by_python(with_gold), report)


def test_a_door_that_ranks_by_a_measure_of_its_own_is_seen(
    with_gold: Asked, monkeypatch: pytest.MonkeyPatch
):
    report = judge_report(with_gold)
    monkeypatch.setattr(
        "core.api.calls.assessors.RankingQuestion",
        lambda runs, _, *others, **named: RankingQuestion(runs, "P@1", *others, **named),
    )
    with pytest.raises(AssertionError):
        compare(judge_by_python(with_gold), report)


@long
@pytest.mark.parametrize("door", DOORS)
@pytest.mark.parametrize("facet", ["page", "snippet"])
def test_how_assessors_of_the_demo_judge_is_the_same_through_every_door(
    door: str, facet: str, demo: str, store: Store, tmp_path: Path, capsys
):
    if door == "page" and facet == "snippet":
        pytest.skip("the page begins with pages")
    for item in (f"t01-d{n:02}" for n in range(1, 13)):
        mark_gold(store, demo, GoldItem("t01", item, "page", "", 4))
    asked = replace(make_asked(store, demo, tmp_path), facet=facet)
    declare(asked.study, {"measure": MEASURE, "version": VERSION})
    said = DOORS[door](asked, capsys) if door in PRINTING else DOORS[door](asked)
    compare(said, judge_report(asked))
