"""Aspects on the command line: what is exported, and that agreement reads it again."""

import csv
import io
from contextlib import closing

import pytest

import dissent as python
from core.agreement.coefficients import Kappa
from core.analysis.agreement.between_assessors import agreement_of
from core.analysis.base.study import Study
from core.analysis.results.qrels_choices import find_choice, version_of
from core.store.content.aspects import add_aspect
from core.store.content.collections import create_collection
from core.store.store import Store
from tests.core.judged_aspects import AGE, PAGES, TOPICS, TRUST, build
from tests.short import long


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    """A store that is only read."""
    path = tmp_path_factory.mktemp("judged") / "study.duckdb"
    with closing(Store(path)) as store:
        build(store)
    return ("--store", path, "--collection", "Judged")


def ask(place, question):
    """Return what a function makes of the study of trust."""
    with closing(Store(place[1])) as store:
        (found,) = store.cursor().execute("SELECT collection_id FROM collections").fetchall()
        return question(Study(store, found[0], False, "trust"))


def test_aspects_are_a_tidy_file_and_labels_stay_as_they_were(dissent, place):
    result = dissent("export", "aspects", *place)
    rows = list(csv.DictReader(io.StringIO(result.out)))
    assert result.err == f"{len(rows):,} levels of aspects written to standard output\n"
    assert list(rows[0]) == [
        *("assessor", "topic", "document", "facet", "engine", "occasion", "aspect", "level"),
        *("state", "group", "sequence", "time", "round", "relevance"),
    ]
    assert not {"anna", "Anna"} & {row["assessor"] for row in rows}
    assert sum(row["aspect"] == "age" for row in rows) == TOPICS * PAGES * 3
    left_out = [row for row in rows if row["level"] == ""]
    assert {(row["aspect"], row["document"], row["state"]) for row in left_out} == {
        ("age", "d1", "unjudged")
    }
    assert {row["level"] for row in rows if row["aspect"] == "trust"} == {"0", "1", "2"}
    only = dissent("export", "aspects", *place, "--aspect", "trust", "--names").out
    named = list(csv.DictReader(io.StringIO(only)))
    assert {row["aspect"] for row in named} == {"trust"}
    assert {row["name"] for row in named} == {"Anna", "Bob", "Carla"}
    assert "aspect" not in dissent("export", "labels", *place).out.partition("\n")[0]


@long
def test_agreement_on_an_aspect_is_that_of_the_pages(dissent, place, tmp_path):
    file = tmp_path / "aspects.csv"
    dissent("export", "aspects", *place, "--names", "-o", file)
    found = dissent("agreement", file, "--aspect", "age", "--format", "json").json
    assert set(found) >= {"pairs", "overall", "topics", "high_agreement", "low_agreement"}
    with closing(Store(place[1])) as store:
        (collection,) = store.cursor().execute("SELECT collection_id FROM collections").fetchone()
        study = Study(store, collection, False, "age")
        (expected,) = agreement_of(study, "page").measure([Kappa("linear")]).to_dict("records")
    (linear,) = (one for one in found["overall"] if one["name"] == "kappa(linear)")
    assert [linear[name] for name in ("value", "low", "high")] == pytest.approx(
        [expected[name] for name in ("value", "low", "high")]
    )
    assert {one["n"] for one in found["pairs"]} == {TOPICS * (PAGES - 1)}


@long
def test_a_file_of_several_aspects_is_read_one_at_a_time(dissent, place, tmp_path):
    file = tmp_path / "aspects.csv"
    dissent("export", "aspects", *place, "-o", file)
    result = dissent("agreement", file)
    assert result.status == 1
    assert "several aspects (age, trust)" in result.err
    assert "no row is of the aspect 'truth'" in dissent("agreement", file, "--aspect", "truth").err
    dissent("export", "aspects", *place, "--aspect", "age", "-o", tmp_path / "age.csv")
    assert "those of the aspect age" in dissent("agreement", tmp_path / "age.csv").err
    dissent("export", "labels", *place, "-o", tmp_path / "labels.csv")
    result = dissent("agreement", tmp_path / "labels.csv", "--aspect", "trust")
    assert "no column 'aspect'" in result.err


@long
@pytest.mark.parametrize(
    "words",
    [(), ("--version", "all, maximum"), ("--version", "trust: all, maximum")],
)
def test_qrels_of_an_aspect(dissent, place, words):
    result = dissent("export", "qrels", *place, "--aspect", "trust", *words)
    frame = ask(place, lambda study: version_of(study, find_choice(study, "all, maximum"))).frame
    assert [line.split()[3] for line in result.out.splitlines()] == [
        str(level) for level in frame["level"]
    ]
    assert result.out != dissent("export", "qrels", *place).out


def test_what_cannot_be_had_is_said(dissent, place):
    assert "there are trust, age" in dissent("export", "qrels", *place, "--aspect", "x").err
    result = dissent("export", "labels", *place, "--aspect", "trust")
    assert (result.status, "--aspect is for" in result.err) == (2, True)


@long
def test_from_python(place, dissent, tmp_path):
    with python.open_store(place[1], names=True) as store:
        listed = store.aspects()
        labels, trust = store.labels(), store.labels(aspect="trust")
        qrels = store.qrels("all, maximum", aspect="trust")
        versions = store.qrels_versions(aspect="trust")
    assert listed["name"].tolist() == ["trust", "age"]
    assert listed["from_level"].isna().tolist() == [False, True]
    assert trust.columns.tolist() == labels.columns.tolist()
    assert 0 < len(trust) < len(labels)
    assert qrels["level"].isin([0, 1]).all()
    assert versions["name"].str.startswith("trust: ").all()
    expected = ask(place, lambda study: agreement_of(study, "page").measure([Kappa("linear")]))
    found = python.agreement(trust, ["kappa(linear)"]).overall
    assert found["value"].tolist() == pytest.approx(expected["value"].tolist())
    dissent("export", "aspects", *place, "--names", "-o", tmp_path / "aspects.csv")
    read = python.read_labels(tmp_path / "aspects.csv", aspect="trust")
    assert read["level"].tolist() == trust["given_level"].tolist()


@pytest.fixture
def other(place, dissent, tmp_path):
    """A store with the same collection and aspects, in which nothing is judged."""
    path = tmp_path / "other.duckdb"
    with closing(Store(path)) as store:
        made = create_collection(store, "Judged")
        for aspect in (TRUST, AGE):
            add_aspect(store, made, aspect)
    return ("--store", path, "--collection", "Judged")


@long
def test_what_is_exported_is_imported_into_another_store(dissent, place, other, tmp_path):
    labels, aspects = tmp_path / "labels.csv", tmp_path / "aspects.csv"
    for kind, file in (("labels", labels), ("aspects", aspects)):
        dissent("export", kind, *place, "-o", file)
    alone = dissent("import", aspects, *other)
    assert (alone.status, "import the labels first" in alone.err) == (1, True)
    result = dissent("import", labels, aspects, *other)
    assert (result.status, result.err.count("holds")) == (0, 2)
    count = len(aspects.read_text().splitlines()) - 1
    assert f"{count} aspect labels" in result.out
    given = ("--names", "-o", tmp_path / "again.csv")
    dissent("export", "aspects", *other, *given)
    kept = [
        [
            {name: row[name] for name in row if name not in ("sequence", "round", "name")}
            for row in csv.DictReader(io.StringIO(file.read_text()))
        ]
        for file in (aspects, tmp_path / "again.csv")
    ]
    assert kept[0] == kept[1]
    for rule in (("--version", "all, maximum"), ("--combine", "majority")):
        words = ("export", "qrels", "--aspect", "trust", *rule)
        was, now = (dissent(*words, *one) for one in (place, other))
        assert was.out == now.out != ""
    again = dissent("import", "aspects", aspects, *other)
    assert again.out.endswith(f"nothing; {count:,} already there\n")
    assert dissent("check", other[1]).status == 0


@long
def test_levels_are_checked_before_anything_is_stored(dissent, place, other, tmp_path):
    labels, aspects = tmp_path / "labels.csv", tmp_path / "aspects.csv"
    dissent("export", "labels", *place, "-o", labels)
    dissent("export", "aspects", *place, "-o", aspects)
    lines = aspects.read_text().splitlines()
    aspects.write_text("\n".join([*lines, lines[-1].replace(",age,", ",truth,")]) + "\n")
    result = dissent("import", labels, aspects, *other)
    assert result.status == 1
    assert f"{aspects}:{len(lines) + 1}: " in result.err
    assert "no aspect 'truth'; there are trust, age" in result.err
    assert dissent("export", "labels", *other).err.startswith("0 labels")
    new = ("--store", tmp_path / "new.duckdb", "--collection", "x", "--create")
    assert "there is none yet" in dissent("import", "aspects", aspects, *new).err
    assert not (tmp_path / "new.duckdb").exists()
    refused = dissent("import", labels, *other, "--aspect", "trust")
    assert (refused.status, "--aspect is for aspects" in refused.err) == (2, True)


@long
def test_runs_are_scored_by_the_qrels_of_an_aspect(dissent, place, tmp_path):
    lines = [f"t{topic} Q0 d{page} 1 {page} s\n" for topic in range(TOPICS) for page in (4, 2)]
    (tmp_path / "run").write_text("".join(lines))
    qrels = tmp_path / "trust.qrels"
    dissent("export", "qrels", *place, "--aspect", "trust", "-o", qrels)
    words = ("--qrels", qrels, "--run", tmp_path / "run", "--measure", "nDCG@3")
    (found,) = dissent("evaluate", *words, "--format", "json").json["scores"]
    with python.open_store(place[1]) as store:
        judged = store.qrels("all, maximum", aspect="trust")
    expected = python.evaluate(python.read_runs(tmp_path / "run"), judged, "nDCG@3").means
    assert found["value"] == pytest.approx(expected["value"].iloc[0])
