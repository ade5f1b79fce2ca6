"""The page of scores, drawn on a small collection without a browser."""

import re
import uuid

import pandas as pd
import pytest

from core.analysis.results.basis import ScoreBasis
from core.analysis.results.qrels_choices import QrelsChoice
from core.collection.files.source import Source
from core.collection.formats import read_import
from core.reports.scores import Scores, ScoresQuestion, judge_runs
from core.store.content.collections import create_collection
from core.store.content.imports import write_import
from core.store.content.saved_rules import delete_rule, save_rule
from core.store.events.labels import Key, LabelEvent
from core.store.people.people import add_person
from core.versions.rules import QrelsRule
from core.versions.versions import qrels_from_labels
from tests.sampled_rounds import TOPICS, judge_all, make_collection, open_sampled
from tests.short import long

PAGE = "effectiveness"


def texts(at) -> str:
    return "\n".join(part.value for part in [*at.markdown, *at.caption, *at.info])


def unescape(markdown: str) -> str:
    return markdown.replace("\\", "")


def scores(at) -> pd.DataFrame:
    return at.dataframe[0].value.set_index("system")


def test_an_assessor_never_sees_it(store, filled, open_page):
    at = open_page(PAGE, add_person(store, "Ann", "assessor"))
    assert not at.dataframe
    assert "Leaderboard" not in [title.value for title in at.title]


def test_it_shows_means_and_says_what_they_rest_on(store, filled, organiser, open_page):
    at = open_page(PAGE, organiser)
    assert not at.exception
    assert [title.value for title in at.title] == ["Leaderboard"]
    table = scores(at)
    assert set(table.index) == {"s1", "e1", "e2"}
    assert table.loc["s1", "P@5"] == pytest.approx(0.2)
    assert table.loc["s1", "judged@5"] == pytest.approx(0.5)
    assert set(table["topics"]) == {1}
    assert table["content_hash"].str.len().unique().tolist() == [64]
    assert table["version"].unique().tolist() == ["all, median, in whole levels"]
    said = texts(at)
    assert table["content_hash"].iloc[0][:12] in said
    assert re.search(r"3 labels up to \d+ \w+ \d{4}, \d\d:\d\d UTC \(label event 3\)", said)
    assert "topics of the runs without a judgement, left out: 1 (t2)." in unescape(said)


@long
def test_another_version_gives_other_scores(store, filled, organiser, open_page):
    at = open_page(PAGE, organiser)
    before = scores(at)
    at.selectbox(key="version-page").select("all, minimum").run()
    after = scores(at)
    assert after["version"].unique().tolist() == ["all, minimum"]
    assert (after["content_hash"] != before["content_hash"]).all()


@long
def test_the_cut_level_is_in_the_name_of_the_measure(store, filled, organiser, open_page):
    at = open_page(PAGE, organiser)
    at.selectbox(key="cut-page-True").select(3.0).run()
    assert "P(rel=3)@5" in scores(at).columns


@long
def test_the_gain_is_in_the_name_of_the_measure(store, filled, organiser, open_page):
    at = open_page(PAGE, organiser, **{"scores-gain": "exp"})
    assert not at.exception
    assert "nDCG(gain='exp')@10" in scores(at).columns


def test_the_udm_can_be_the_gain_and_the_version(store, filled, organiser, open_page):
    at = open_page(PAGE, organiser, **{"scores-gain": "udm"})
    assert not at.exception
    assert "nDCG(gain='udm')@10" in scores(at).columns
    at = open_page(PAGE, organiser, **{"version-page": "UDM"})
    assert not at.exception
    assert scores(at)["version"].unique().tolist() == ["UDM, 1 of 3"]
    assert "P@5" in scores(at).columns
    cut = next(one for one in at.number_input if one.label == "Relevant from")
    at = cut.set_value(0.5).run()
    assert "P(rel=0.5)@5" in scores(at).columns


def test_weights_that_do_not_cover_a_level_are_an_error_in_words(
    store, filled, organiser, open_page
):
    key = Key("t1", "d2", "page", "", "a2", 0)
    store.labels.append(filled, [LabelEvent(str(uuid.uuid4()), None, key, "level", 1)])
    at = open_page(PAGE, organiser, **{"scores-gain": "udm", "version-page": "all, median"})
    assert not at.exception
    assert "the weights list no level" in at.error[0].value


@long
def test_a_measure_that_cannot_be_read_is_named_and_the_others_stand(
    store, filled, organiser, open_page
):
    at = open_page(PAGE, organiser, **{"scores-measures": ["P@5", "nonsense@3"]})
    assert not at.exception
    assert "'nonsense@3' is not a measure" in at.code[0].value
    assert "P@5" in scores(at).columns
    at = open_page(PAGE, organiser, **{"scores-measures": ["nonsense@3"]})
    assert not at.exception
    assert not at.dataframe


@long
def test_snippets_have_versions_of_their_own(store, filled, organiser, open_page):
    save_rule(store, filled, "pages only", QrelsRule("pages only").to_json())
    key = Key("t1", "d1", "snippet", "e1", "a1", 0)
    store.labels.append(filled, [LabelEvent(str(uuid.uuid4()), None, key, "level", 3)])
    at = open_page(PAGE, organiser, **{"scores-facet": "snippet"})
    assert not at.exception
    assert at.selectbox(key="version-snippet").options == [
        "all, median, in whole levels",
        "all, maximum",
        "all, median",
        "all, minimum",
    ]
    assert scores(at)["labels"].unique().tolist() == [1]


@long
def test_one_topic_and_one_list_can_be_looked_at(store, filled, organiser, open_page):
    chosen = {"closer": "Topic by topic", "drill-by": "one topic", "drill-system": "s1"}
    at = open_page(PAGE, organiser, **chosen)
    assert not at.exception
    listed = at.dataframe[0].value
    assert listed["document_id"].tolist() == ["d1", "d3"]
    assert listed["judgement"].tolist() == ["Key or Nav", "not judged"]
    assert "1 of 2 are judged" in texts(at)


def test_a_label_shows_after_the_next_run(store, filled, organiser, open_page):
    at = open_page(PAGE, organiser)
    before = scores(at).loc["s1", "P@5"]
    key = Key("t1", "d3", "page", "", "a1", 0)
    store.labels.append(filled, [LabelEvent(str(uuid.uuid4()), None, key, "level", 2)])
    at.run()
    assert scores(at).loc["s1", "P@5"] == pytest.approx(before + 0.2)
    assert re.search(r"4 labels up to .* UTC \(label event 4\)", texts(at))


@long
def test_imported_qrels_are_a_version(store, filled, organiser, open_page):
    qrels = Source("official.qrels", b"t1 0 d1 1\nt1 0 d3 1\n")
    write_import(store, filled, read_import("qrels", qrels), name="official")
    at = open_page(PAGE, organiser, **{"version-page": "imported: official"})
    assert not at.exception
    assert scores(at).loc["s1", "P@5"] == pytest.approx(0.4)
    assert at.selectbox(key="cut-page-False").options == ["1"]
    assert "2 imported lines" in texts(at)


@long
def test_an_adjudicated_version_says_what_is_left_out(store, filled, organiser, open_page):
    rule = QrelsRule("decided", combine="adjudicated")
    save_rule(store, filled, "decided", rule.to_json())
    key = Key("t1", "d3", "page", "", "a1", 0)
    store.labels.append(filled, [LabelEvent(str(uuid.uuid4()), None, key, "level", 2)])
    at = open_page(PAGE, organiser, **{"version-page": "decided"})
    assert not at.exception
    assert "Left out because assessors disagree and nobody has adjudicated: 1 item." in texts(at)


@long
def test_a_saved_rule_is_offered(store, filled, organiser, open_page):
    save_rule(store, filled, "only a1", QrelsRule("only a1", assessors=("a1",)).to_json())
    at = open_page(PAGE, organiser, **{"version-page": "only a1"})
    assert scores(at)["labels"].unique().tolist() == [2]


@long
def test_without_runs_or_labels_it_says_what_is_missing(store, organiser, open_page):
    at = open_page(PAGE, organiser)
    assert "no collection yet" in texts(at)
    collection_id = create_collection(store, "New")
    assert "no runs yet" in texts(open_page(PAGE, organiser))
    runs = Source("a.run", b"t1 Q0 d1 1 2.5 s1\n")
    write_import(store, collection_id, read_import("runs", runs))
    at = open_page(PAGE, organiser)
    assert "No page is judged yet" in texts(at)
    assert not at.exception


@long
def test_where_nothing_is_relevant_it_says_so(store, filled, organiser, open_page):
    qrels = Source("none.qrels", b"t1 0 d1 0\n")
    write_import(store, filled, read_import("qrels", qrels), name="none")
    at = open_page(PAGE, organiser, **{"version-page": "imported: none"})
    assert not at.exception
    assert not at.error
    assert "Nothing is judged relevant yet" in texts(at)


@long
def test_the_version_in_view_may_be_deleted(store, filled, organiser, open_page):
    save_rule(store, filled, "mine", QrelsRule("mine").to_json())
    at = open_page(PAGE, organiser, **{"version-page": "mine"})
    delete_rule(store, filled, "mine")
    at.run()
    assert not at.exception
    assert scores(at)["version"].unique().tolist() == ["all, median, in whole levels"]


@long
def test_a_system_without_an_answer_is_told(store, filled, organiser, open_page):
    key = Key("t2", "d2", "page", "", "a1", 0)
    store.labels.append(filled, [LabelEvent(str(uuid.uuid4()), None, key, "level", 1)])
    chosen = {"closer": "Topic by topic", "drill-system": "e2", "drill-topic": "t2"}
    at = open_page(PAGE, organiser, **chosen)
    assert not at.exception
    assert "no answer to this topic" in texts(at)
    assert "Judged topics without a line of e2, which score 0: 1 (t2)." in unescape(texts(at))


@long
def test_curves_without_a_relevant_document_are_left_out(store, filled, organiser, open_page):
    at = open_page(PAGE, organiser, **{"version-page": "all, minimum", "cut-page-True": 3.0})
    assert not at.exception
    qrels = Source("low.qrels", b"t1 0 d1 1\nt1 0 d2 2\n")
    write_import(store, filled, read_import("qrels", qrels), name="low")
    at = open_page(
        PAGE,
        organiser,
        **{"version-page": "imported: low", "curve-systems": ["s1"], "scores-measures": ["RR"]},
    )
    assert not at.exception
    assert list(scores(at).columns[:2]) == ["RR", "judged"]


def test_what_is_left_out_and_what_counts_as_nothing_is_said_by_the_report_alone():
    labels = pd.DataFrame(
        {
            "topic_id": ["t1", "t2", "t3"],
            "document_id": "d",
            "facet": "page",
            "assessor_id": "a",
            "level": [1, 0, 2],
            "state": "level",
            "sequence": [1, 2, 9],
        }
    )
    runs = pd.DataFrame({"system": "s", "topic_id": ["t1", "t9"], "document_id": "d", "rank": 1})
    rule = QrelsRule("mine")
    version = qrels_from_labels(labels, rule)
    found = Scores(judge_runs(runs, version), ScoresQuestion(("AP",)))
    said = ScoreBasis(QrelsChoice("mine", rule), version, found.rankings).describe()
    assert said.endswith("3 labels, 3 judged pairs of topic and document in 3 topics.")
    assert found.notes == (
        "topics of the runs without a judgement, left out: 1 (t9)",
        "judged topics without a line of s, which score 0: 2 (t2 and t3)",
        "topics with nothing to find for AP, left out: 1 (t2)",
    )


@long
def test_a_measure_of_samples_has_a_reason_without_one(store, filled, organiser, open_page):
    at = open_page(PAGE, organiser, **{"scores-measures": ["xinfAP"]})
    assert not at.exception
    said = texts(at).replace("\\", "")
    assert "xinfAP has no score on 1 topic: no round has judged a sample of its pool." in said
    beside = open_page(PAGE, organiser, **{"scores-measures": ["AP", "xinfAP"]})
    assert "AP" in scores(beside)
    assert "xinfAP" not in scores(beside)
    assert "no round has judged a sample" in texts(beside)


@long
def test_measures_are_estimated_from_the_sample_of_a_round(store, organiser, open_page):
    collection_id = make_collection(store)
    open_sampled(store, collection_id)
    judge_all(store, collection_id)
    chosen = {"scores-measures": ["xinfAP", "statAP", "AP"]}
    at = open_page(PAGE, organiser, collection_id, **chosen)
    assert not at.exception
    table = scores(at)
    assert list(table)[:3] == ["xinfAP", "statAP", "AP"]
    assert table[["xinfAP", "statAP", "AP"]].notna().all(axis=None)
    assert set(table["topics"]) == {len(TOPICS)}
    assert "leads with xinfAP" in texts(at)
    assert "has no score" not in texts(at)
