"""Labels leave for other tools and come back through the command, and by Python, the same."""

import shutil
import zipfile
from pathlib import Path

import pandas as pd
import pytest

import dissent as library
from core.collection.annotation_tools.writers import LABEL_WRITERS
from core.collection.labels.label_options import KEY
from tests.short import few, long

HERE = ("--collection", "Study")


@pytest.fixture(scope="module")
def study(whole_study):
    return whole_study[0]


@pytest.fixture(scope="module")
def counted(study):
    """The labels that go out: those of people."""
    with library.open_store(study) as opened:
        return opened.labels("Study")


@long
@pytest.mark.parametrize("tool", few(reversed(LABEL_WRITERS)))
def test_labels_come_back_to_a_copy_of_the_store(dissent, study, counted, tool, tmp_path):
    copy = shutil.copytree(study.parent, tmp_path / "copy") / study.name
    file = tmp_path / LABEL_WRITERS[tool].ending
    place = ("--store", copy, *HERE)
    assert dissent("export", "labels", *place, "--format", tool, "-o", file).status == 0
    with library.open_store(copy) as opened:
        assert opened.export("labels", "Study", tool=tool) == file.read_bytes()
    new = tmp_path / "new.duckdb"
    _fill(dissent, copy, new)
    assert dissent("import", file, "--store", new, *HERE).status == 0
    with library.open_store(new, names=True) as opened:
        back = opened.labels("Study")
    keys = list(KEY)
    gone = counted if tool != "quepid" else _in_a_book(counted)
    pd.testing.assert_frame_equal(
        *(
            one[[*keys, "level", "state"]].sort_values(keys, ignore_index=True)
            for one in (back, gone)
        )
    )


def _in_a_book(labels: pd.DataFrame) -> pd.DataFrame:
    """Quepid has no place for snippets, repeats and what could not be judged."""
    page = (labels["facet"] == "page") & (labels["state"] == "level") & (labels["occasion"] == 0)
    return labels[page]


def _fill(dissent, old: Path, new: Path) -> None:
    """Make a collection with the topics of another, so that queries are known."""
    with library.open_store(old) as opened:
        topics = opened.topics("Study")
    text = "".join(f"{row.topic_id}\t{row.query}\n" for row in topics.itertuples())
    file = new.with_suffix(".tsv")
    file.write_text(text, encoding="utf-8")
    assert dissent("import", "topics", file, "--store", new, *HERE, "--create").status == 0


@long
def test_pairs_are_written_for_label_studio(dissent, study, tmp_path):
    file = tmp_path / "pairs.json"
    place = ("--store", study, *HERE, "-o", file)
    assert dissent("export", "preferences", *place, "--format", "label-studio").status == 0
    plain = tmp_path / "pairs.tsv"
    assert dissent("export", "preferences", "--store", study, *HERE, "-o", plain).status == 0
    first, second = (library.read_preferences(path) for path in (file, plain))
    pd.testing.assert_frame_equal(first, second)
    refused = dissent("export", "preferences", *place, "--format", "quepid")
    assert refused.status == 1
    assert "'quepid' is none of label-studio" in refused.err


def test_only_labels_and_preferences_are_written_for_tools(dissent, study):
    refused = dissent("export", "passages", "--store", study, *HERE, "--format", "potato")
    assert refused.status == 2
    assert "--format is for labels, preferences" in refused.err


@long
def test_qrels_are_written_for_ntcir_and_beir(dissent, study, tmp_path):
    place = ("--store", study, *HERE)
    plain = dissent("export", "qrels", *place).out
    ntcir = dissent("export", "qrels", *place, "--format", "ntcir").out
    words = [line.split() for line in plain.splitlines()]
    assert ntcir.splitlines() == [
        f"{topic} {document} L{level}" for topic, _, document, level in words
    ]
    file = tmp_path / "study.zip"
    assert dissent("export", "qrels", *place, "--format", "beir", "-o", file).status == 0
    with zipfile.ZipFile(file) as archive:
        archive.extractall(tmp_path / "beir")
    new = ("--store", tmp_path / "beir.duckdb", "--collection", "B")
    parts = sorted((tmp_path / "beir").rglob("*.parquet"))
    assert dissent("import", *parts, *new, "--create").status == 0
    with library.open_store(study) as old, library.open_store(tmp_path / "beir.duckdb") as again:
        assert again.topics("B")["query"].tolist() == old.topics("Study")["query"].tolist()
        assert len(again.documents("B")) == len(old.documents("Study"))
        (version,) = again.qrels_versions("B")["version"]
        assert sorted(
            map(tuple, again.qrels(version, "B")[["topic_id", "document_id", "level"]].to_numpy())
        ) == sorted((topic, document, int(level)) for topic, _, document, level in words)
    refused = dissent("export", "qrels", *place, "--format", "potato")
    assert refused.status == 1
    assert "'potato' is none of trec, ntcir, beir" in refused.err
