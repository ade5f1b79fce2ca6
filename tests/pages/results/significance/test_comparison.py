"""The page of comparisons: Sakai's section 4 on real data, and what it does while labels come."""

from itertools import combinations

import pandas as pd
import pytest
import pytrec_eval
from scipy.stats import kendalltau

from core.collection.files.source import Source
from core.collection.formats import read_import
from core.collection.records import numeric_scale
from core.reports.compare import DIFFERENT_TOPICS
from core.store.content.collections import create_collection
from core.store.content.declarations import NEW_STUDY
from core.store.content.imports import write_import
from core.store.content.scales import get_scales
from core.store.people.people import add_person
from core.wording import plain
from pages.results.significance import scored_conditions as comparison_ground
from tests.pages.drawn_figures import figure_of
from tests.short import long

PAGE = "comparison"
B = {"comparison-samples": 999}
SETS = ("all topics", "high-agreement topics", "low-agreement topics")


def bring(store, collection_id, kind, *sources, **options):
    if kind == "labels":
        options["scales"] = get_scales(store, collection_id)
    name = {"name": options.pop("name")} if "name" in options else {}
    imported = read_import(kind, list(sources), **options)
    write_import(store, collection_id, imported, **name)


def text_file(text: str) -> Source:
    return Source("file.txt", text.encode())


@pytest.fixture
def study(store):
    """Four topics, three systems, two assessors who mostly agree; its id."""
    made = create_collection(store, "Study", scales={"page": numeric_scale(range(4))})
    topics = [f"t{n}" for n in range(1, 5)]
    bring(
        store, made, "topics", text_file("id\tquery\n" + "".join(f"{t}\tq {t}\n" for t in topics))
    )
    runs = {"up": "abcd", "down": "dcba", "mixed": "badc"}
    lines = [
        f"{topic} Q0 {document} {rank} {9 - rank} {system}\n"
        for system, order in runs.items()
        for topic in topics
        for rank, document in enumerate(order, start=1)
    ]
    bring(store, made, "runs", text_file("".join(lines)))
    judge(
        store,
        made,
        "first",
        [(t, d, lv) for t in topics for d, lv in zip("abcd", (3, 2, 1, 0), strict=True)],
    )
    judge(
        store,
        made,
        "second",
        [(t, d, lv) for t in topics for d, lv in zip("abcd", (3, 3, 0, 1), strict=True)],
    )
    return made


def judge(store, collection_id, assessor, rows):
    lines = "".join(f"{assessor}\t{t}\t{d}\t{level}\n" for t, d, level in rows)
    text = f"assessor\ttopic\tdocument\tlevel\n{lines}"
    bring(store, collection_id, "labels", text_file(text))


def said(at) -> str:
    parts = [*at.markdown, *at.caption, *at.info, *at.error]
    return "\n".join(part.value for part in parts).replace("\\", "")


def table(at, *columns: str) -> pd.DataFrame:
    """Return the one table that has all these columns."""
    (found,) = [one.value for one in at.dataframe if {*columns} <= {*one.value}]
    return found


def orders(at) -> pd.DataFrame:
    return table(at, "tau", "low", "high").set_index(["first", "second"])


@long
def test_an_assessor_never_sees_it(store, study, open_page):
    assert not open_page(PAGE, add_person(store, "Ann", "assessor")).dataframe


def test_slots_and_all_labels_stand_side_by_side(store, study, organiser, open_page):
    at = open_page(PAGE, organiser)
    assert not at.exception
    begun = at.multiselect(key="comparison-versions-page").value
    assert begun == ["all, median, in whole levels", "slot 1", "slot 2"]
    facts = table(at, "content", "judged").set_index("condition")
    assert facts["labels"].tolist() == [32, 16, 16]
    assert facts["topics"].tolist() == [4, 4, 4]
    assert facts["judged"].tolist() == [1, 1, 1]
    assert facts["content_hash"].str.len().unique().tolist() == [64]
    assert facts["permutations"].unique().tolist() == [10_000]
    assert list(orders(at).index) == list(combinations(facts.index, 2))
    assert "randomised max-t test, B = 10,000, seed 1, α = 0.05" in said(at)


@long
def test_every_table_says_what_it_rests_on(store, study, organiser, open_page):
    at = open_page(PAGE, organiser)
    assert len(at.dataframe) == 7
    for frame in (one.value for one in at.dataframe):
        assert {"test", "permutations", "seed", "alpha", "collection", "simulated"} <= {*frame}
        assert any(name.endswith("content_hash") for name in frame)
        assert any(name.endswith("measure") for name in frame)


@long
def test_a_sum_is_offered_and_left_out_where_it_does_not_compare(
    store, study, organiser, open_page
):
    keys = ["all, sum", "slot 1"]
    at = open_page(PAGE, organiser, **{"comparison-versions-page": keys, **B})
    assert table(at, "content")["condition"].tolist() == keys
    judge(store, study, "third", [("t1", "a", 2)])
    at.run()
    assert "all, sum is left out: " in said(at)
    assert table(at, "content")["condition"].tolist() == ["slot 1"]


@long
def test_what_is_quick_follows_every_label(store, study, organiser, open_page):
    at = open_page(PAGE, organiser)
    before = table(at, "slot 1: rank").set_index("system")["slot 2"]
    judge(store, study, "second", [(f"t{n}", "e", 3) for n in (1, 2, 3, 4)])
    at.run()
    assert not at.exception
    after = table(at, "slot 1: rank").set_index("system")["slot 2"]
    assert after["up"] < before["up"]
    assert "came in since" not in said(at)


@long
def test_what_is_slow_waits_until_it_is_asked_for(store, study, organiser, open_page, monkeypatch):
    monkeypatch.setattr(comparison_ground, "QUICK", 0)
    at = open_page(PAGE, organiser)
    before = table(at, "slot 1: rank").set_index("system")["slot 2"]
    assert not at.button
    judge(store, study, "second", [(f"t{n}", "e", 3) for n in (1, 2, 3, 4)])
    at.run()
    assert "4 labels came in since; this is how things stood on " in said(at)
    assert " UTC (label event 32)." in said(at)
    held = table(at, "slot 1: rank").set_index("system")["slot 2"]
    assert held.equals(before)
    at.number_input(key="comparison-alpha").set_value(0.2).run()
    assert "came in since" in said(at)
    assert "α = 0.2" in said(at)
    at.button(key="comparison-again").click().run()
    after = table(at, "slot 1: rank").set_index("system")["slot 2"]
    assert after["up"] < before["up"]
    assert "came in since" not in said(at)
    assert not at.button


@long
def test_labels_that_change_no_score_ask_for_nothing(
    store, study, organiser, open_page, monkeypatch
):
    monkeypatch.setattr(comparison_ground, "QUICK", 0)
    at = open_page(PAGE, organiser)
    judge(store, study, "second", [("t1", "f", 0)])
    at.run()
    assert not at.button
    assert table(at, "content")["last_event"].tolist()[0] == 33


@long
def test_new_runs_are_told_apart_from_labels(store, study, organiser, open_page, monkeypatch):
    monkeypatch.setattr(comparison_ground, "QUICK", 0)
    at = open_page(PAGE, organiser)
    lines = "".join(f"t{n} Q0 a 1 9 new\n" for n in (1, 2, 3, 4))
    bring(store, study, "runs", text_file(lines))
    at.run()
    assert "The collection has changed since" in said(at)
    assert set(table(at, "slot 1: rank")["system"]) == {"up", "down", "mixed"}
    at.button(key="comparison-again").click().run()
    assert set(table(at, "slot 1: rank")["system"]) == {"up", "down", "mixed", "new"}


@long
def test_another_question_is_answered_at_once(store, study, organiser, open_page, monkeypatch):
    monkeypatch.setattr(comparison_ground, "QUICK", 0)
    at = open_page(PAGE, organiser)
    judge(store, study, "second", [(f"t{n}", "e", 3) for n in (1, 2, 3, 4)])
    at.selectbox(key="comparison-test").set_value("t").run()
    assert not at.exception
    assert "paired t test, p after Holm" in said(at)
    assert "came in since" not in said(at)
    at.selectbox(key="comparison-correction").set_value("none").run()
    assert "p not corrected" in said(at)
    assert "permutations" not in table(at, "content")


@long
def test_measures_side_by_side(store, study, organiser, open_page):
    at = open_page(PAGE, organiser, **{"comparison-kind": "measures", **B})
    assert not at.exception
    assert table(at, "content")["measure"].tolist() == ["nDCG@10", "Q@10", "nERR@10"]
    assert table(at, "content")["version"].unique().tolist() == [NEW_STUDY.version]
    at.multiselect(key="comparison-measures").set_value(["RR", "P@1"]).run()
    assert list(orders(at).index) == [("RR", "P@1")]


@long
def test_a_measure_of_which_less_is_better_is_left_out(store, study, organiser, open_page):
    at = open_page(PAGE, organiser, **{"comparison-one-measures": "E@5"})
    assert not at.exception
    assert "is left out: less of E" in said(at)
    assert "is better; compare by F, its complement." in said(at)
    assert "Choose at least one version" in said(at)


@long
def test_one_version_alone(store, study, organiser, open_page):
    at = open_page(PAGE, organiser, **{"comparison-versions-page": ["slot 1"], **B})
    assert not at.exception
    assert "The best system is **up** of 3 systems." in said(at)
    assert not [one for one in at.dataframe if "tau" in one.value]
    at.multiselect(key="comparison-versions-page").set_value([]).run()
    assert "Choose at least one version" in said(at)


@long
def test_versions_that_cannot_be_scored_are_left_out(store, study, organiser, open_page):
    bring(store, study, "qrels", text_file("t1 0 a 0\n"), name="none")
    keys = ["slot 1", "imported: none"]
    at = open_page(PAGE, organiser, **{"comparison-versions-page": keys, **B})
    assert "imported: none is left out: nothing is relevant in it." in said(at)
    assert table(at, "content")["condition"].tolist() == ["slot 1"]
    at.multiselect(key="comparison-versions-page").set_value(keys[1:]).run()
    assert "None of your choices can be scored yet" in said(at)


@long
def test_common_topics_only_when_asked(store, study, organiser, open_page, monkeypatch):
    bring(store, study, "qrels", text_file("t1 0 a 1\nt2 0 d 1\n"), name="two")
    keys = ["slot 1", "imported: two"]
    at = open_page(PAGE, organiser, **{"comparison-versions-page": keys, **B})
    common = at.toggle(key="comparison-common")
    assert common.label == "Only the 2 of 4 topics that every condition counts"
    assert table(at, "content")["topics"].tolist() == [4, 2]
    note = plain(f"{DIFFERENT_TOPICS[:1].upper()}{DIFFERENT_TOPICS[1:]}.")
    assert note in [one.value for one in at.caption]
    monkeypatch.setattr(comparison_ground, "QUICK", 0)
    common.set_value(True).run()
    assert table(at, "content")["topics"].tolist() == [2, 2]
    assert table(at, "content")["left_out"].tolist() == [2, 0]
    assert note not in [one.value for one in at.caption]


@long
def test_too_little_to_test(store, filled, organiser, open_page):
    at = open_page(PAGE, organiser)
    assert not at.exception
    assert "Not tested with" in said(at)
    assert table(at, "significant")["significant"].isna().all()
    assert not [one for one in at.dataframe if "difference" in one.value]


def test_without_labels_runs_or_a_collection(store, organiser, open_page):
    assert "no collection yet" in said(open_page(PAGE, organiser))
    made = create_collection(store, "New")
    assert "no runs yet" in said(open_page(PAGE, organiser))
    bring(store, made, "runs", text_file("t1 Q0 d1 1 2.5 s1\n"))
    at = open_page(PAGE, organiser)
    assert not at.exception
    assert "No page is judged yet" in said(at)


@long
def test_imported_qrels_alone(store, organiser, open_page):
    made = create_collection(store, "Imported")
    lines = "".join(
        f"t{n} Q0 {d} {rank} {9 - rank} {system}\n"
        for system, order in {"s1": "ab", "s2": "ba"}.items()
        for n in (1, 2, 3)
        for rank, d in enumerate(order, start=1)
    )
    bring(store, made, "runs", text_file(lines))
    bring(store, made, "qrels", text_file("".join(f"t{n} 0 a 1\n" for n in (1, 2, 3))), name="one")
    at = open_page(PAGE, organiser, **B)
    assert not at.exception
    assert at.multiselect(key="comparison-versions-page").value == ["imported: one"]
    assert "The best system is **s1** of 2 systems." in said(at)


@pytest.fixture
def dl19(store, shared_data):
    """The whole data set, as an organiser imports it; its folder."""
    folder = shared_data / "dl19"
    made = create_collection(store, "dl19", scales={"page": numeric_scale(range(4))})
    bring(store, made, "topics", Source.at(folder / "topics.tsv"))
    bring(store, made, "runs", *map(Source.at, sorted((folder / "runs").iterdir())))
    bring(store, made, "labels", Source.at(folder / "labels.tsv"))
    return folder


@long
def test_sakai_section_4_1_on_dl19(dl19, organiser, open_page):
    """Figure 1, Tables 3 to 5: scores by trec_eval, τ by scipy, overlaps by sets of pairs."""
    names = ["all, mean", "slot 1", "slot 2"]
    state = {"comparison-versions-page": names, "comparison-common": True}
    at = open_page(PAGE, organiser, **state)
    assert not at.exception
    means = table(at, "slot 1: rank").set_index("system")
    assert len(means) == 37
    expected = ndcg_of_slots(dl19)
    for slot in ("slot 1", "slot 2"):
        assert means[slot].to_dict() == pytest.approx(expected[slot], abs=1e-9)
    for (first, second), row in orders(at).iterrows():
        assert row["tau"] == pytest.approx(kendalltau(means[first], means[second])[0], abs=1e-12)
        moves = (means[f"{first}: rank"] - means[f"{second}: rank"]).abs()
        assert row["far"] == (moves > 2).sum()
        assert row["largest"] == moves.max()
        assert row["differ"] == (read_p(row["p"]) < 0.05)
    check_significance(at, names)
    assert len(at.get("plotly_chart")) == 5


@long
def test_sakai_section_4_2_on_dl19(dl19, organiser, open_page):
    """Figure 2, Tables 6 to 8: the same on all, high- and low-agreement topics."""
    at = open_page(PAGE, organiser, **{"comparison-kind": "topic sets", **B})
    assert not at.exception
    facts = table(at, "content").set_index("condition")
    assert tuple(facts.index) == SETS
    whole, high, low = facts["topics"]
    assert whole == 22
    assert high + low == whole
    means = table(at, "all topics: rank").set_index("system")
    weighted = (means[SETS[1]] * high + means[SETS[2]] * low) / whole
    assert weighted.to_dict() == pytest.approx(means["all topics"].to_dict())
    for (first, second), row in orders(at).iterrows():
        assert row["tau"] == pytest.approx(kendalltau(means[first], means[second])[0], abs=1e-12)
    check_significance(at, SETS)


def dotted(at):
    """Return the pairs that have a dot in the matrix, the better first."""
    matrix, _ = figure_of(at, "better by mean")["data"]
    return {
        (better, other)
        for other, row in zip(matrix["y"], matrix["text"], strict=True)
        for better, text in zip(matrix["x"], row, strict=True)
        if text == "●"
    }


def read_p(text):
    """Return a p as tables have it; what is too small to be told as nothing."""
    return 0.0 if str(text).startswith("<") else float(text)


def check_significance(at, names):
    """Recount discriminative power and overlaps from the pairs of each condition."""
    won = {}
    at.toggle(key="comparison-all-pairs").set_value(True)
    for name in names:
        at.selectbox(key="comparison-closely").set_value(name).run()
        pairs = table(at, "difference", "p")
        assert len(pairs) == 666
        clear = pairs[pairs["p"].map(read_p) < 0.05]
        assert (clear["difference"] > 0).all()
        won[name] = set(zip(clear["first"], clear["second"], strict=True))
        assert dotted(at) == won[name]
    power = table(at, "significant").set_index("condition")
    overlaps = table(at, "only_first", "text").set_index(["first", "second"])
    able = [name for name in names if read_p(power.loc[name, "least_p"]) < 0.05]
    assert len(able) > 1
    assert list(overlaps.index) == list(combinations(able, 2))
    for name in able:
        assert power.loc[name, "significant"] == len(won[name]) > 0
    for (first, second), row in overlaps.iterrows():
        one, two = won[first], won[second]
        counts = len(one - two), len(one & two), len(two - one)
        share = 100 * len(one & two) / len(one | two)
        assert row["text"] == "{}/{}/{} ({:.1f}%)".format(*counts, share)


def ndcg_of_slots(folder) -> dict[str, dict[str, float]]:
    """Return trec_eval's mean nDCG at 10 under the first and second assessor of each topic.

    Straight from the files, on the topics where both of them and all labels find something.
    """
    labels = pd.read_csv(folder / "labels.tsv", sep="\t", dtype={"topic": str, "document": str})
    qrels = {}
    for number in (0, 1):
        rows = labels[
            labels["assessor"]
            == labels["topic"].map(
                labels.groupby("topic")["assessor"].agg(lambda one, n=number: one.unique()[n])
            )
        ]
        by_topic = {}
        for row in rows.itertuples():
            by_topic.setdefault(row.topic, {})[row.document] = row.level
        qrels[f"slot {number + 1}"] = by_topic
    common = set.intersection(
        *({topic for topic, one in each.items() if any(one.values())} for each in qrels.values())
    )
    assert len(common) == 19
    runs = read_import("runs", list(map(Source.at, sorted((folder / "runs").iterdir()))))
    means = {}
    for slot, each in qrels.items():
        judge_slot = pytrec_eval.RelevanceEvaluator(
            {topic: each[topic] for topic in common}, {"ndcg_cut.10"}
        )
        means[slot] = {}
        for system, own in runs.frames["runs"].groupby("system"):
            ranking = {
                topic: dict(zip(rows["document_id"], rows["score"].astype(float), strict=True))
                for topic, rows in own.groupby("topic_id")
            }
            found = judge_slot.evaluate(ranking)
            means[slot][system] = sum(one["ndcg_cut_10"] for one in found.values()) / len(common)
    return means
