"""Page, command and Python API find the same when the model is put to the test."""

import contextlib
import io
import json

import pandas as pd
import pytest

import dissent
from core.analysis.agreement.user_disagreement import ask_verification, ask_weights
from core.analysis.base.study import Study
from core.collection.files.source import Source
from core.collection.formats import read_import
from core.collection.records import numeric_scale
from core.command.main import main
from core.reports.level_weights import WeightsQuestion
from core.reports.user_model import UserModel
from core.reports.verification import VerificationQuestion
from core.store.content.collections import create_collection
from core.store.content.imports import write_import
from core.store.content.scales import get_scales
from core.store.store import Store
from tests.short import long

TOP, TOPICS, ITEMS, LIMITS = 2, 6, 14, ["low", "high"]


def make_labels() -> str:
    """Return labels of four assessors by rule; a0 judges the first two items of a topic twice."""
    rows = ["assessor\ttopic\tdocument\tlevel\toccasion"]
    for topic in range(TOPICS):
        for item in range(ITEMS):
            for who in range(4):
                level = ((5 * topic + 3 * item) % 7 + (topic + who * item) % 3) // 3
                rows.append(f"a{who}\tt{topic}\td{topic}-{item:02}\t{min(level, 2)}\t0")
            if item < 2:
                rows.append(f"a0\tt{topic}\td{topic}-{item:02}\t{(topic + item) % 3}\t1")
    return "\n".join(rows) + "\n"


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Files of labels, topics of two types, pages and what two engines showed."""
    place = tmp_path_factory.mktemp("files")
    names = {
        (topic, item): f"d{topic}-{item:02}" for topic in range(TOPICS) for item in range(ITEMS)
    }
    topics = [f"t{at}\tquery {at}\t{('broad', 'narrow')[at % 2]}" for at in range(TOPICS)]
    results = [
        f"t{topic}\te{engine}\t{names[topic, item]}\t{rank}"
        for topic in range(TOPICS)
        for engine in (0, 1)
        for rank, item in enumerate(range(engine, ITEMS, 2), start=1)
    ]
    for name, lines in {
        "topics": ["id\tquery\ttype", *topics],
        "documents": ["id\ttext", *(f"{name}\tText" for name in names.values())],
        "results": ["topic\tengine\tdocument\trank", *results],
    }.items():
        (place / f"{name}.tsv").write_text("\n".join(lines) + "\n")
    (place / "labels.tsv").write_text(make_labels())
    return place


@pytest.fixture(scope="module")
def study(folder):
    store = Store(folder / "store.duckdb")
    made = create_collection(store, "judged", scales={"page": numeric_scale(range(3))})
    for name in ("topics", "documents", "results", "labels"):
        options = {"scales": get_scales(store, made)} if name == "labels" else {}
        source = Source(f"{name}.tsv", (folder / f"{name}.tsv").read_bytes())
        write_import(store, made, read_import(name, source, **options))
    yield Study(store, made, is_masked=False)
    store.close()


@pytest.fixture(scope="module")
def printed(folder):
    parts = ("--mutual", "--consistency", "--strata", "--results", folder / "results.tsv")
    words = ("--top", TOP, "--min-labels", 4, *parts, "--topics", folder / "topics.tsv")
    with contextlib.redirect_stdout(io.StringIO()) as out:
        assert main([*map(str, ("verify", folder / "labels.tsv", *words)), "--format", "json"]) == 0
    return json.loads(out.getvalue())


@pytest.fixture(scope="module")
def found(folder):
    return dissent.verify(dissent.read_labels(folder / "labels.tsv"), TOP, min_labels=4)


def agree(page, api, command, keys, columns):
    """Fail where rows differ; ``command`` is a list of entries, units in their interval."""
    rows = pd.DataFrame(command)
    if "interval" in rows:
        rows["units"] = [one["n"] for one in rows["interval"]]
        assert {one["unit"] for one in rows["interval"]} == set(page.get("unit", ["topic"]))
    page, api, command = (
        one.set_index(keys)[columns].astype("float64").sort_index() for one in (page, api, rows)
    )
    assert len(page) > 3
    assert page[columns[0]].notna().any()
    pd.testing.assert_frame_equal(api, page)
    pd.testing.assert_frame_equal(command, page)


@long
def test_draws(study, found, printed):
    asked = ask_verification(study, "page", VerificationQuestion(TOP, min_labels=4))
    columns = ["mean", "sd", "cases", *LIMITS, "units"]
    agree(asked.chances, found.chances, printed["p"], ["level", "n"], columns)
    keys = ["level", "users", "at_least"]
    columns = ["observed", "sd", "predicted", *LIMITS, "units"]
    agree(asked.weights, found.weights, printed["weights"], keys, columns)
    assert "no sampling error" in printed["sd_is"]


@long
def test_mutual(study, found, printed):
    rows = printed["mutual"]["measures"]
    columns = ["mean", "sd", "topics", *LIMITS, "units"]
    page, api = ask_verification(study, "page", VerificationQuestion(TOP)).mutual, found.mutual
    page, api = (one.assign(measure=one["measure"].astype("str")) for one in (page, api))
    agree(page, api, rows, ["measure", "users"], columns)


@long
def test_consistency(study, found, printed):
    page = ask_verification(study, "page", VerificationQuestion(TOP)).consistency
    said = printed["consistency"]
    agree(
        *(page.summary(), found.consistency.summary(), said["p"]),
        ["within", "level"],
        ["mean", "sd"],
    )
    assert said["apart"] == page.share_apart(TOP) == found.consistency.share_apart(TOP)
    assert (said["repeated"], said["items"]) == (2 * TOPICS, 2 * TOPICS)


def test_strata(study, found, printed, folder):
    page = ask_weights(study, "page", WeightsQuestion(UserModel(TOP))).parts
    results, topics = dissent.read_results(folder / "results.tsv"), folder / "topics.tsv"
    api = found.strata(results, dissent.read_topics(topics))
    columns = ["items", "p", "cases", *LIMITS, "units"]
    agree(page, api, printed["strata"]["parts"], ["stratum", "level"], columns)
    assert {"broad topics", "high quality", "top 5", "top 5, high quality"} <= set(page["stratum"])


def test_refusals_are_told_apart(folder, capsys):
    few = folder / "few.tsv"
    few.write_text("assessor\ttopic\tdocument\tlevel\na\tt1\td1\t2\nb\tt1\td1\t1\n")
    words = ["verify", str(few), "--top", "2", "--min-labels", "6", "--format", "json"]
    assert main([*words, "--mutual", "--consistency"]) == 0
    out, err = capsys.readouterr()
    result = json.loads(out)
    assert (result["items"], result["p"], result["weights"]) == (0, [], [])
    assert "no item has 6 labels" in err
    assert result["mutual"]["measures"] == result["consistency"]["p"] == []
    assert "no two assessors judged the same 10 items" in result["mutual"]["reason"]
    assert "nobody judged an item several times" in result["consistency"]["reason"]
    with pytest.raises(SystemExit):
        main([*words, "--strata"])
    assert "--strata needs --results or --topics" in capsys.readouterr().err


@long
def test_people_see_each_part(folder, capsys):
    words = ("--top", TOP, "--min-labels", 4, "--mutual", "--consistency", "--strata")
    files = ("--results", folder / "results.tsv")
    assert main([*map(str, ("verify", folder / "labels.tsv", *words, *files))]) == 0
    out = capsys.readouterr().out
    for said in ("sd of redrawing", "repeats on", "high quality", "nDCG", "sd over topics"):
        assert said in out
