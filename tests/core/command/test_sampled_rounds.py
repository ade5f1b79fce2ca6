"""From a round that judged a sample to scores: as pages have them, and from exported files."""

from contextlib import closing

import pytest

from core.analysis.base.study import Study
from core.analysis.results.qrels_choices import find_choice
from core.analysis.results.scores import scores_of
from core.assessment.handing_out.queue import take_assignment
from core.assessment.handing_out.steps import lay_out
from core.store.store import Store
from core.versions.sampled import LACKING
from tests.sampled_rounds import TOPICS, judge_all, make_collection, open_sampled
from tests.short import few, long

BY_FORMAT = {
    "sample": ("infAP", "xinfAP", "infNDCG", "statAP", "xinfAP(rel=2)@10", "AP"),
    "strata": ("infAP", "xinfAP", "infNDCG"),
    "prels": ("statAP",),
}


@pytest.fixture(scope="module")
def sampled(tmp_path_factory):
    """A collection whose round has judged a stratified sample; its words on the command line."""
    path = tmp_path_factory.mktemp("sampled") / "store.duckdb"
    with closing(Store(path)) as store:
        collection_id = make_collection(store)
        open_sampled(store, collection_id)
        judge_all(store, collection_id)
    return path, ("--store", path, "--collection", collection_id)


@long
@pytest.mark.parametrize("form", few(BY_FORMAT))
def test_scores_of_pages_are_those_of_the_exported_file(dissent, tmp_path, sampled, form):
    path, place = sampled
    measures = BY_FORMAT[form]
    with closing(Store(path)) as store:
        study = Study(store, place[-1], is_masked=False)
        shown = scores_of(study, find_choice(study, "all, maximum"), measures)
    words = ("--version", "all, maximum", "--format", form, "-o", tmp_path / "sample")
    written = dissent("export", "qrels", *place, *words)
    assert written.status == 0, written.err
    assert "judgements of a sample written" in written.err
    dissent("export", "runs", *place, "-o", tmp_path / "all.run")
    files = ("--qrels", tmp_path / "sample", "--run", tmp_path / "all.run")
    options = ("--measure", *measures, "--per-topic", "--format", "json")
    scored = dissent("evaluate", *files, *options)
    assert scored.status == 0, scored.err
    found = {
        (one["system"], one["topic"], one["measure"]): one["value"]
        for one in scored.json["scores"]
        if one["topic"] is not None
    }
    expected = shown.set_index(["system", "topic_id", "measure"])["value"].to_dict()
    assert len(expected) == len(measures) * len(TOPICS) * 4
    assert found == pytest.approx(expected, abs=1e-12)


def test_other_exports_have_what_was_judged_only(dissent, sampled):
    path, place = sampled
    with closing(Store(path)) as store:
        labels = store.labels.current(place[-1], "anna") | store.labels.current(place[-1], "bob")
    plain = dissent("export", "qrels", *place).out
    assert {int(line.split()[-1]) for line in plain.splitlines()} == {0, 1, 2}
    assert len(plain.splitlines()) == len(labels)


@long
def test_topics_without_a_sample_are_left_out_and_named(dissent, tmp_path):
    path = tmp_path / "store.duckdb"
    with closing(Store(path)) as store:
        collection_id = make_collection(store)
        open_sampled(store, collection_id)
        first = lay_out(store, take_assignment(store, collection_id, "anna")).steps[0]
        judge_all(store, collection_id, unknown=first.document_id)
    place = ("--store", path, "--collection", collection_id)
    found = dissent("export", "qrels", *place, "--format", "sample")
    written = {line.split("\t")[0] for line in found.out.splitlines()[1:]}
    assert written == {*TOPICS} - {first.topic_id}
    assert f"note: left out, 1 topic: {LACKING}" in found.err


def test_labels_are_not_written_as_samples(dissent, sampled):
    refused = dissent("export", "labels", *sampled[1], "--format", "strata")
    assert refused.status == 1
    assert "labels are not written as strata" in refused.err
