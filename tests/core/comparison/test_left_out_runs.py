"""Runs that had not contributed: against judgements taken away by hand and scored anew."""

import numpy as np
import pandas as pd
import pytest

from core.agreement.corrections import correct
from core.collection.files.source import Source
from core.collection.qrels_and_runs.trec import rank_runs, read_qrels
from core.comparison.left_out_runs import find_depth, leave_out_runs, teams_by_prefix
from core.comparison.paired import paired_t
from core.errors import BadInput
from core.measures.catalogue import parse_measure
from core.measures.evaluate import evaluate
from core.measures.ranking import compile_rankings
from core.versions.judgements import put_on_scale
from tests.core.measures.conftest import read_runs
from tests.each import each

MEASURES = [
    *("AP", "nDCG@5", "bpref", "P@3", "Q@10", "RBP(gain='linear')", "ERR@5", "judged@5"),
    *("AP(judged_only=True)", "nDCG(judged_only=True)@5", "E@5", "Compat", "INST", "TBG"),
]
DEPTH = 5


@pytest.fixture(scope="module")
def study():
    """Five systems of three teams on eight topics, judged to depth 5 and a little beyond."""
    rng = np.random.default_rng(11)
    rows = [
        (system, f"t{topic}", f"d{document:02}", rank)
        for number, system in enumerate(("a1", "a2", "b1", "b2", "c1"))
        for topic in range(8)
        for rank, document in enumerate(
            np.argsort(rng.normal(np.arange(30) / (2 + number), 3))[:12], start=1
        )
    ]
    runs = pd.DataFrame(rows, columns=["system", "topic_id", "document_id", "rank"])
    pool = runs[runs["rank"] <= DEPTH][["topic_id", "document_id"]].drop_duplicates()
    beyond = pd.DataFrame({"topic_id": [f"t{one}" for one in range(8)], "document_id": "d29"})
    judged = pd.concat([pool, beyond]).drop_duplicates().assign(iteration="0")
    chance = 1 - judged["document_id"].str[1:].astype(int) / 30
    levels = rng.binomial(2, chance * 0.8)
    return runs, judged.assign(level=levels)[["topic_id", "iteration", "document_id", "level"]]


def take_away(runs, qrels, team, teams, depth=DEPTH):
    """Return the qrels without what is only in the pool of one team."""
    top = runs[runs["rank"] <= depth].assign(team=runs["system"].map(teams))
    key = ["topic_id", "document_id"]
    own = top.loc[top["team"] == team, key].drop_duplicates()
    others = top.loc[top["team"] != team, key].drop_duplicates()
    alone = own.merge(others, how="left", indicator=True)
    alone = alone.loc[alone["_merge"] == "left_only", key]
    marked = qrels.merge(alone, how="left", indicator=True)
    return qrels[(marked["_merge"] == "left_only").to_numpy()], own, alone


def score(runs, qrels, measures):
    scores = evaluate(measures, compile_rankings(runs, put_on_scale(qrels, 2)))
    return scores.set_index(["measure", "system", "topic_id"])["value"]


@each("letters", [1, 2])
def test_it_is_what_scoring_anew_gives(study, letters):
    runs, qrels = study
    measures = list(map(parse_measure, MEASURES))
    teams = teams_by_prefix(runs["system"].unique(), letters)
    found = leave_out_runs(runs, put_on_scale(qrels, 2), measures, DEPTH, teams)
    assert found.depth == DEPTH
    before = score(runs, qrels, measures)
    rows = found.falls.set_index(["system", "measure"])
    assert len(rows) == 5 * len(measures)
    for system, team in teams.items():
        left, own, alone = take_away(runs, qrels, team, teams)
        after = score(runs, left, measures)
        for measure in measures:
            both = [one[str(measure)].unstack("topic_id") for one in (before, after)]
            topics = both[0].columns.intersection(both[1].columns)
            means = [one[topics].mean(axis=1) for one in both]
            row = rows.loc[system, str(measure)]
            assert row["team"] == team
            assert row["topics"] == len(topics)
            assert row["value"] == pytest.approx(means[0][system], abs=1e-12)
            assert row["without"] == pytest.approx(means[1][system], abs=1e-12)
            worse = 1 if measure.greater_is_better else -1
            fall = worse * (means[0] - means[1])[system]
            assert row["fall"] == pytest.approx(fall, abs=1e-12)
            ranks = [one.round(12).rank(ascending=worse < 0, method="min") for one in means]
            assert [row["rank"], row["rank_without"]] == [one[system] for one in ranks]
            assert row["rank_fall"] == row["rank_without"] - row["rank"]
        share = found.shares.set_index("team").loc[team]
        judged = own.merge(qrels)
        assert share["systems"] == list(teams.values()).count(team)
        assert (share["judged"], share["relevant"]) == (len(judged), (judged["level"] > 0).sum())
        only = alone.merge(qrels)
        assert (share["alone"], share["relevant_alone"]) == (len(only), (only["level"] > 0).sum())
        assert share["share"] == len(only) / len(judged)


def test_significant_differences_are_counted_by_holm(study):
    runs, qrels = study
    measure = parse_measure("AP")
    found = leave_out_runs(runs, put_on_scale(qrels), [measure], DEPTH).falls.set_index("system")
    systems = list(runs["system"].unique())
    before = score(runs, qrels, [measure])["AP"].unstack("system")[systems]
    assert found["significant"].sum() > 0
    teams = {system: system for system in systems}
    for at, system in enumerate(systems):
        left, _, _ = take_away(runs, qrels, system, teams)
        after = score(runs, left, [measure])["AP"].unstack("system")[systems]
        signs = []
        for values in (before, after):
            p = correct(paired_t(values.to_numpy()).p, "holm")
            pairs = list(zip(*np.triu_indices(5, k=1), strict=True))
            means = values.mean()
            signs.append(
                {
                    other: np.sign(means.iloc[at] - means.iloc[other])
                    for (first, second), one in zip(pairs, p, strict=True)
                    for other in {first, second} - {at}
                    if at in (first, second) and one < 0.05
                }
            )
        assert found.loc[system, "significant"] == len(signs[0])
        lost = [other for other, sign in signs[0].items() if signs[1].get(other) != sign]
        assert found.loc[system, "lost"] == len(lost)


def test_the_summary_is_of_all_runs(study):
    found = leave_out_runs(
        study[0], put_on_scale(study[1]), [parse_measure("AP"), parse_measure("P@3")], DEPTH
    )
    summary = found.summarise().set_index("measure")
    assert list(summary.index) == ["AP", "P@3"]
    for measure, own in found.falls.groupby("measure"):
        row, by_name = summary.loc[measure], own.set_index("system").sort_index()
        assert row["fall"] == pytest.approx(own["fall"].mean())
        assert row["rank_fall"] == pytest.approx(own["rank_fall"].mean())
        assert row["worst_fall_system"] == by_name["fall"].idxmax()
        assert row["worst_fall"] == own["fall"].max()
        assert row["worst_rank_fall_system"] == by_name["rank_fall"].idxmax()
        assert row["worst_rank_fall"] == own["rank_fall"].max()
        assert row["lost"] == own["lost"].sum()
        assert row["significant"] == own["significant"].sum()
        assert (row["systems"], row["topics"]) == (5, own["topics"].min())


def test_runs_alike_lose_nothing(study):
    runs, qrels = study
    first = runs[runs["system"] == "a1"]
    both = pd.concat([first, first.assign(system="twin")])
    found = leave_out_runs(both, put_on_scale(qrels), [parse_measure("AP")], DEPTH)
    assert found.falls["fall"].tolist() == [0, 0]
    assert found.falls["rank_fall"].tolist() == [0, 0]
    assert found.shares["alone"].tolist() == [0, 0]


def test_levels_between_whole_ones_and_several_iterations(study):
    """Of several iterations the highest level counts, as in measures without intents."""
    runs, qrels = study
    half = qrels.assign(level=qrels["level"] / 2)
    twice = pd.concat([half, half.assign(iteration="1", level=0.0)])
    measures = [parse_measure("nDCG@5"), parse_measure("P(rel=0.5)@3")]
    one, two = (
        leave_out_runs(runs, put_on_scale(each), measures, DEPTH).falls for each in (half, twice)
    )
    pd.testing.assert_frame_equal(one, two)
    with pytest.raises(BadInput, match="counts a document once for each subtopic"):
        leave_out_runs(runs, put_on_scale(twice), [parse_measure("P-IA@5")], DEPTH)
    assert (
        len(leave_out_runs(runs, put_on_scale(half), [parse_measure("P-IA@5")], DEPTH).falls) == 5
    )


def test_one_topic_tells_no_systems_apart(study):
    runs, qrels = study
    one = [frame[frame["topic_id"] == "t1"] for frame in (runs, qrels)]
    found = leave_out_runs(one[0], put_on_scale(one[1]), [parse_measure("P@3")], DEPTH).falls
    assert found["significant"].tolist() == [0] * 5


def test_a_team_may_have_brought_nothing(study):
    """Its run is not pooled so deep: nothing of it is judged to that depth."""
    runs, qrels = study
    strange = pd.DataFrame(
        [("z", "t0", f"x{rank}", rank) for rank in range(1, 9)], columns=runs.columns
    )
    shares = leave_out_runs(
        pd.concat([runs, strange]), put_on_scale(qrels), [parse_measure("P@3")], DEPTH
    ).shares.set_index("team")
    assert shares.loc["z", "judged"] == 0
    assert np.isnan(shares.loc["z", "share"])


def test_progress_is_told(study):
    heard = []
    leave_out_runs(
        study[0], put_on_scale(study[1]), [parse_measure("P@3")], DEPTH, progress=heard.append
    )
    assert heard == [0.0, 0.2, 0.4, 0.6, 0.8]


def test_the_depth_is_found(study):
    runs, qrels = study
    assert find_depth(runs, put_on_scale(qrels)) == DEPTH
    assert find_depth(runs[runs["rank"] <= 3], put_on_scale(qrels)) == 3
    unknown = qrels.assign(document_id="x" + qrels["document_id"])
    assert find_depth(runs, put_on_scale(unknown)) == 0


def test_a_fall_needs_something_to_find(study):
    runs, qrels = study
    with pytest.raises(BadInput, match="no topic is left"):
        leave_out_runs(runs, put_on_scale(qrels.assign(level=0)), [parse_measure("AP")], DEPTH)


@each(
    ("changed", "says"),
    [
        ({"measures": []}, "at least one measure"),
        ({"measures": [parse_measure("GMAP")]}, "geometric mean"),
        ({"measures": [parse_measure("xinfAP")]}, "cannot be scored without a run"),
        ({"depth": 0}, "from 1"),
        ({"teams": dict.fromkeys(("a1", "a2", "b1", "b2", "c1"), "one")}, "one team"),
    ],
)
def test_what_cannot_be_used_is_refused(study, changed, says):
    runs, qrels = study
    given = {"measures": [parse_measure("AP")], "depth": DEPTH} | changed
    with pytest.raises(BadInput, match=says):
        leave_out_runs(runs, put_on_scale(qrels), **given)


def test_snippets_are_judged_for_one_engine(study):
    runs, qrels = study
    with pytest.raises(BadInput, match="one engine each"):
        leave_out_runs(runs, put_on_scale(qrels.assign(engine="a1")), [parse_measure("AP")], DEPTH)
    assert len(
        leave_out_runs(
            runs, put_on_scale(qrels.assign(engine="")), [parse_measure("AP")], DEPTH
        ).falls
    )


def test_a_team_needs_a_letter():
    with pytest.raises(BadInput, match="at least one letter"):
        teams_by_prefix(["a"], 0)


def test_trec2_runs_fall_as_was_measured(shared_data):
    """38 runs pooled to depth 100: standard measures fall, condensed nDCG@10 rises."""
    folder = shared_data / "trec2"
    runs = read_runs(sorted((folder / "runs").glob("*.run.gz")))
    runs = runs.drop_duplicates(["system", "topic_id", "document_id"])
    runs = rank_runs(runs[["system", "topic_id", "document_id", "score"]])
    qrels = read_qrels(Source.at(folder / "adhoc.qrels.gz"), None).frames["qrels"]
    depth = find_depth(runs, put_on_scale(qrels))
    assert depth == 100
    measures = ["AP", "nDCG@10", "bpref", "AP(judged_only=True)", "nDCG(judged_only=True)@10"]
    found = leave_out_runs(
        runs, put_on_scale(qrels), list(map(parse_measure, measures)), depth
    ).summarise()
    falls = found.set_index("measure")[["fall", "rank_fall", "worst_rank_fall"]].round(4)
    assert falls.to_dict("index") == {
        "AP": {"fall": 0.0029, "rank_fall": 1.1579, "worst_rank_fall": 13},
        "nDCG@10": {"fall": 0.0042, "rank_fall": 0.2632, "worst_rank_fall": 6},
        "bpref": {"fall": 0.001, "rank_fall": 0.6053, "worst_rank_fall": 11},
        "AP(judged_only=True)": {"fall": -0.0005, "rank_fall": 0.1579, "worst_rank_fall": 5},
        "nDCG(judged_only=True)@10": {"fall": -0.0146, "rank_fall": -0.7105, "worst_rank_fall": 0},
    }
