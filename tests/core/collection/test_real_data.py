"""The formats on real research data."""

import gzip

import numpy as np
import pytest

from core.collection.detection import detect_kind
from core.collection.files.source import Source
from core.collection.formats import read_import
from core.errors import BadInput
from tests.each import each

RF10 = {"assessor": "workerID", "topic": "topicID", "document": "docID", "level": "label"}


def at(folder, pattern):
    return [Source.at(path) for path in sorted(folder.glob(pattern))]


@pytest.fixture(scope="module")
def dl19_runs(shared_data):
    return read_import("runs", at(shared_data / "dl19" / "runs", "*.gz"))


def test_dl19_topics_and_documents(shared_data):
    topics = read_import("topics", at(shared_data / "dl19", "topics.tsv"))
    assert topics.counts == {"topics": 22, "subtopics": 0}
    documents = read_import("documents", at(shared_data / "dl19", "documents.jsonl.gz"))
    assert documents.counts == {"documents": 2726, "without text": 0}


def test_dl19_labels(shared_data):
    labels = read_import("labels", at(shared_data / "dl19", "labels.tsv"))
    assert labels.counts == {
        "labels": 5438,
        "assessors": 8,
        "topics": 22,
        "documents": 2726,
        "cannot judge": 0,
        "missing": 0,
    }
    assert sorted(labels.frames["labels"]["level"].unique()) == [0, 1, 2, 3]
    assert labels.notes == ()


def test_dl19_pool(shared_data, dl19_runs):
    runs = dl19_runs.frames["runs"]
    assert dl19_runs.counts["systems"] == 37
    assert dl19_runs.counts["topics"] == 22
    pool = runs[runs["rank"] <= 10][["topic_id", "document_id"]].drop_duplicates()
    assert len(pool) == 1348
    labels = read_import("labels", at(shared_data / "dl19", "labels.tsv")).frames["labels"]
    labelled = set(zip(labels["topic_id"], labels["document_id"], strict=True))
    assert sum(pair in labelled for pair in pool.itertuples(index=False, name=None)) == 743


def test_dl19_order_is_that_of_trec_eval(dl19_runs):
    """Oracle: the rank at which pytrec_eval-terrier finds the only relevant document."""
    pytrec_eval = pytest.importorskip("pytrec_eval", reason="the oracle is not installed")
    runs = dl19_runs.frames["runs"]
    one = runs[runs["system"] == "ICT-CKNRM_B50"]
    tied = one[one.duplicated(["topic_id", "score"], keep=False)]
    chosen = tied if len(tied) > 20 else one
    for topic, rows in list(chosen.groupby("topic_id"))[:5]:
        whole = one[one["topic_id"] == topic]
        run = {"q": dict(zip(whole["document_id"], whole["score"], strict=True))}
        for row in rows.head(15).itertuples():
            qrels = {"q": {row.document_id: 1}}
            found = pytrec_eval.RelevanceEvaluator(qrels, {"recip_rank"}).evaluate(run)
            assert 1 / found["q"]["recip_rank"] == pytest.approx(row.rank)


def test_every_tied_document_of_dl19_is_where_trec_eval_puts_it(dl19_runs):
    """Oracle: as above, for one tie of every run that has any."""
    pytrec_eval = pytest.importorskip("pytrec_eval", reason="the oracle is not installed")
    runs = dl19_runs.frames["runs"]
    runs = runs.assign(single=runs["score"].astype(np.float32))
    tied = runs[runs.duplicated(["system", "topic_id", "single"], keep=False)]
    assert tied["system"].nunique() > 5
    for _, row in tied.drop_duplicates("system").iterrows():
        whole = runs[(runs["system"] == row["system"]) & (runs["topic_id"] == row["topic_id"])]
        run = {"q": dict(zip(whole["document_id"], whole["score"], strict=True))}
        evaluator = pytrec_eval.RelevanceEvaluator({"q": {row["document_id"]: 1}}, {"recip_rank"})
        assert 1 / evaluator.evaluate(run)["q"]["recip_rank"] == pytest.approx(row["rank"])


def test_web09(shared_data):
    topics = read_import("topics", at(shared_data / "web09", "topics.xml"))
    assert topics.counts == {"topics": 50, "subtopics": 243}
    assert topics.frames["topics"]["query"][0] == "obama family tree"
    assert set(topics.frames["topics"]["type"]) == {"faceted", "ambiguous"}
    assert set(topics.frames["subtopics"]["type"]) == {"nav", "inf"}
    qrels = read_import("qrels", at(shared_data / "web09", "*.qrels.gz"))
    assert qrels.counts["lines"] == 27_964
    assert qrels.frames["qrels"]["level"].sum() == 6_499
    assert qrels.frames["qrels"]["iteration"].nunique() > 5
    run = read_import("runs", at(shared_data / "web09", "*.run.gz"))
    assert (run.counts["systems"], run.counts["topics"]) == (1, 50)


def test_chorus(shared_data):
    files = at(shared_data / "chorus", "ratings.csv")
    result = read_import("labels", files, gold="final_rating", texts=True)
    labels = result.frames["labels"]
    counted = labels.groupby("assessor_id").size()
    assert counted.to_dict() == dict.fromkeys(["agent_1", "agent_2", "agent_3", "gold"], 3188)
    assert set(labels["level"]) == {0, 1, 2, 3}
    assert len(result.frames["topics"]) == 135
    assert len(result.frames["documents"]) == labels["document_id"].nunique()
    plain = read_import("labels", files)
    assert plain.counts["labels"] == 3 * 3188


def test_rf10(shared_data):
    files = at(shared_data / "rf10", "labels.tsv.gz")
    result = read_import("labels", files, columns=RF10, missing=(-2,), gold="gold")
    labels = result.frames["labels"]
    crowd = labels[labels["assessor_id"] != "gold"]
    assert len(crowd) + result.counts["missing"] == 98_453
    assert result.counts["missing"] == 6_670
    assert (labels["assessor_id"] == "gold").sum() == 3_277
    assert set(labels["level"]) == {0, 1, 2}
    assert (labels["occasion"] > 0).sum() == result.counts["repeated"]


def test_rf10_with_broken_links_as_a_state(shared_data):
    files = at(shared_data / "rf10", "labels.tsv.gz")
    result = read_import("labels", files, columns=RF10, cannot_judge=("-2",))
    assert result.counts["labels"] + result.counts["cannot judge"] == 98_453
    assert result.counts["repeated"] == 1_570
    assert "1,570 rows repeat" in result.notes[-1]


@pytest.mark.parametrize(
    ("kind", "path", "spoilt"),
    [
        ("topics", "dl19/topics.tsv", b"19335 no tab here\n"),
        ("documents", "dl19/documents.jsonl.gz", b'{"id": "1729"}\n'),
        ("runs", "dl19/runs/p_bert.run.gz", b"19335 Q0 x 1 nan p_bert\n"),
        ("qrels", "web09/diversity.qrels.gz", b"1 0 x relevant\n"),
        ("labels", "dl19/labels.tsv", b"a1\t855410\t1\tgood\n"),
        ("labels", "chorus/ratings.csv", b"cats,1,x,y,0,1,2\n"),
    ],
)
def test_one_bad_line_spoils_real_files(shared_data, refuse, kind, path, spoilt):
    source = Source.at(shared_data / path)
    whole = source.data if source.data.endswith(b"\n") else source.data + b"\n"
    error = refuse(kind, gzip.compress(whole + spoilt), name=path)
    assert error.line == whole.count(b"\n") + 1


@each(
    ("pattern", "kind"),
    [
        ("dl19/topics.tsv", "topics"),
        ("dl19/documents.jsonl.gz", "documents"),
        ("dl19/labels.tsv", "labels"),
        ("dl19/runs/*.gz", "runs"),
        ("rf10/labels.tsv.gz", "labels"),
        ("web09/topics.xml", "topics"),
        ("web09/*.qrels.gz", "qrels"),
        ("web09/*.run.gz", "runs"),
        ("chorus/ratings.csv", "labels"),
        ("machine/llmjudge/*.qrels", "qrels"),
        ("trec2/adhoc.qrels.gz", "qrels"),
        ("trec2/runs/*.gz", "runs"),
        ("clicks/log.tsv.gz", "clicks"),
        ("README.md", ""),
    ],
)
def test_what_real_files_hold_is_told_from_how_they_begin(shared_data, pattern, kind):
    files = at(shared_data, pattern)
    assert files
    assert {detect_kind(source).kind for source in files} == {kind}


ANN_AND_BOB = [("ann", "d1", 2), ("bob", "d1", 0), ("ann", "d2", 1), ("bob", "d2", 1)]
READ_AS = {
    **{
        f"10-doccano/{name}.jsonl": ("labels", ANN_AND_BOB)
        for name in ("users", "user_id", "annotator_id", "email", "Annotator")
    },
    "10-doccano/all.jsonl": ("labels", [("a", "d1", 2)]),
    "10-doccano/annoA.jsonl": ("labels", [("annoA", "d1", 2)]),
    "10-doccano/annoB.jsonl": ("labels", [("annoB", "d1", 0), ("annoB", "d2", 1)]),
    "10-doccano/array.json": ("labels", [("array", "d1", 2)]),
    "16-parquet/labels-cat.parquet": (
        "labels",
        [("a", "d1", 0), ("b", "d1", 1), ("a", "d2", 2), ("b", "d2", 2)],
    ),
    "16-parquet/labels-decimal.parquet": ("labels", [("a", "d1", 1), ("b", "d1", 2)]),
    "16-parquet/labels-ts.parquet": ("labels", [("a", "d1", 1), ("b", "d1", 2)]),
    "16-parquet/qrels.parquet": ("qrels", [("10", 1), ("20", 2)]),
    "16-parquet/qrels-u.parquet": ("qrels", [("10", 1), ("20", 2)]),
    "16-parquet/qrels-floatid.parquet": ("qrels", [("10", 1), ("20", 2)]),
    "16-parquet/trecqrels.parquet": ("qrels", [("a", 1), ("b", 0)]),
    "26-onespace/distance.txt": ("runs", [("LB", 0.9), ("FT", 0.5), ("LA", 0.1)]),
    "26-onespace/swapped.txt": ("runs", [("LB", 3.0), ("FT", 2.0), ("LA", 1.0)]),
    "26-onespace/tiny.txt": ("runs", [("LB", 1e-46), ("LA", 3e-46), ("FT", 2e-46)]),
    "26-onespace/ranktext.txt": ("runs", [("LA", 9.5), ("FT", 8.5)]),
    "27-ties/r.txt": ("runs", [("c", 1.0), ("b", 1.0)]),
}
QUIET = {"10-doccano/Annotator.jsonl", "16-parquet/labels-cat.parquet"} | {
    f"16-parquet/{name}.parquet"
    for name in ("labels-decimal", "qrels", "qrels-u", "trecqrels", "labels-ts")
}
"""What is as it should be; of the others something is to be known."""

NOT_READ = {
    "10-doccano/anno.csv": ("labels", "there is no column 'assessor'"),
    "10-doccano/old.jsonl": ("labels", "there is no column 'level'"),
    "10-doccano/spacy.jsonl": ("labels", "there is no column 'level'"),
    "16-parquet/labels-floatlevel.parquet": ("labels", "is empty; if that means that there is no"),
    "16-parquet/labels-list.parquet": ("labels", "has 2 labels; one level is expected"),
    "16-parquet/qrels-bool.parquet": ("qrels", "must be a text or a number"),
    "26-onespace/run.txt": ("runs", "has 7 words; expected 6"),
    "26-onespace/run2.txt": ("runs", "has 7 words; expected 6"),
    "26-onespace/noq0-6.txt": ("runs", "'r' is not a finite number"),
    "26-onespace/q5.txt": ("qrels", "has 5 words; expected 4"),
    "36-fivecol/q.txt": ("qrels", "has 5 words; expected 4"),
}
VALUES = {
    "labels": ["assessor_id", "document_id", "level"],
    "qrels": ["document_id", "level"],
    "runs": ["document_id", "score"],
}


@each("case", list(READ_AS))
def test_what_was_misread_has_the_value_that_it_means(shared_data, case):
    kind, expected = READ_AS[case]
    found = read_import(kind, Source.at(shared_data / "cases" / case))
    assert list(found.frames[kind][VALUES[kind]].itertuples(index=False, name=None)) == expected
    assert (found.notes == ()) == (case in QUIET), found.notes


@each("case", list(NOT_READ))
def test_what_cannot_be_told_is_refused_by_its_line(shared_data, case):
    kind, reason = NOT_READ[case]
    with pytest.raises(BadInput, match=reason) as told:
        read_import(kind, Source.at(shared_data / "cases" / case))
    assert told.value.line is not None
