"""Runs that agree with a machine judge beyond what people and the other runs explain."""

import numpy as np
import pandas as pd
import pytest
from scipy.stats import pearsonr, ttest_ind

from core.collection.files.source import Source
from core.collection.formats import read_import
from core.errors import TooLittleData
from core.machines.circularity import (
    FEW_COMPARED,
    JudgedTwice,
    check_circularity,
    compare_with_others,
    count_agreement,
    explain_circularity,
    explain_none_flagged,
    find_excess,
    lay_out,
)
from tests.calibration.machine_models import FOLLOWING, HONEST
from tests.core.machines.planted_runs import (
    plant_ranks,
    plant_topics,
    spread_topics,
    vary_study,
)
from tests.short import long

COLUMNS = ["topic_id", "iteration", "document_id", "level"]


def judge(levels: str, topic: str = "t") -> pd.DataFrame:
    """Return judgements of documents a, b, … by their digits; a dot is none."""
    rows = [
        (topic, "0", name, int(level))
        for name, level in zip("abcdefgh", levels, strict=False)
        if level != "."
    ]
    return pd.DataFrame(rows, columns=COLUMNS)


def run(**orders: str) -> pd.DataFrame:
    rows = [
        (system, "t", name, rank)
        for system, order in orders.items()
        for rank, name in enumerate(order, start=1)
    ]
    return pd.DataFrame(rows, columns=["system", "topic_id", "document_id", "rank"])


def test_documents_that_both_have_judged_are_laid_out_by_peoples_level():
    laid = lay_out(run(x="cxab", y="b"), judge("2020."), judge("10.33"))
    assert laid.systems == ("x", "y")
    # Level 0 is b and d, level 2 is a; c has no level by the machine.
    assert laid.machine.tolist() == [0, 3, 1]
    assert laid.stratum[0] == laid.stratum[1] < laid.stratum[2]
    # What a run lacks comes after all it has: x has four documents, y one.
    assert laid.ranks.tolist() == [[4, 1], [5, 2], [3, 2]]
    assert laid.retrieved.tolist() == [[True, True], [False, False], [True, False]]


def test_agreement_counts_pairs_that_a_run_retrieves():
    """People see a to d alike, the machine prefers a and b; y lacks b and d, z has the rest."""
    laid = lay_out(run(x="abcd", y="ca", z="dcba"), judge("1111"), judge("2200"))
    pairs, own, others = count_agreement(laid)
    assert pairs.tolist() == [4, 1, 4]
    assert own.tolist() == [1, 0, 0]
    # On x's pairs y has ca, da right, cb and db wrong but b and d tie; z has none right.
    assert others.tolist() == pytest.approx([(0 + 1 + 0 + 0.5) / 8, 0.5, (4 + 1.5) / 8])


def test_a_single_run_has_no_others():
    frame = check_circularity(run(x="abcd"), judge("1111"), judge("2200")).iloc[0]
    assert frame["agreement"] == 1
    assert np.isnan(frame["agreement_others"])
    assert frame["statistic"] > 0
    assert np.isnan(frame["p"])
    assert frame["reason"] == "it has fewer than two other runs beside it, or these are all alike"
    assert pd.isna(frame["flagged"])


def test_without_other_runs_it_is_a_correlation_within_strata():
    rng = np.random.default_rng(3)
    machine, order = rng.integers(0, 4, 30), rng.permutation(30)
    ranks = (order + 1.0)[:, np.newaxis]
    stratum = np.repeat([0, 1], 15)
    one = JudgedTwice(("x",), ranks, np.full((30, 1), True), stratum, machine.astype(float))
    parts = [(-np.sqrt(ranks[:, 0]), machine)[at].astype(float) for at in (0, 1)]
    for part in parts:
        for own in (slice(0, 15), slice(15, 30)):
            part[own] -= part[own].mean()
    assert find_excess(one, 0) == pytest.approx(pearsonr(*parts).statistic)


def test_each_value_is_compared_with_the_others():
    values = np.array([0.1, 0.3, np.nan, 0.2, 0.9])
    mean, t, p = compare_with_others(values)
    rest = ttest_ind([0.9], [0.1, 0.3, 0.2], alternative="greater")
    assert (mean[4], t[4], p[4]) == pytest.approx((0.2, rest.statistic, rest.pvalue))
    assert np.isnan([mean[2], t[2], p[2]]).all()
    assert p[0] > 0.5


def test_fewer_than_three_or_others_alike_have_no_p():
    for values in ([0.1, np.nan, 0.2], [0.5, 0.5, 0.5]):
        _, t, p = compare_with_others(np.array(values))
        assert np.isnan(t).all()
        assert np.isnan(p).all()


def test_several_that_stand_out_hide_each_other():
    values = np.random.default_rng(3).normal(0, 0.03, 36)
    alone, several = values.copy(), values
    alone[0] += 0.2
    several[:4] += 0.2
    assert compare_with_others(alone)[2][0] * 36 < 0.05
    assert compare_with_others(several)[2][:4].max() * 36 > 0.05


def test_a_run_that_follows_the_machine_stands_out():
    runs, people, machine = FOLLOWING.draw(20, 10, np.random.default_rng(1))
    frame = check_circularity(runs, people, machine)
    assert frame["system"][0] == "s00"
    assert frame["flagged"].tolist() == [True] + [False] * 9
    assert (frame["p_corrected"] >= frame["p"]).all()
    assert frame["statistic"].between(-1, 1).all()
    assert frame["statistic"].is_monotonic_decreasing
    assert frame["agreement"][0] > frame["agreement_others"][0]
    assert set(frame["unit"]) == {"system"}
    assert set(frame["units"]) == {10}
    said = explain_circularity(frame.iloc[0])
    assert "s00 puts its choice first in" in said
    assert "it stands out: it may have been made with the machine's labels" in said
    assert explain_circularity(frame.iloc[1]).endswith("is not shown.")


def test_that_none_stands_out_is_said_only_where_runs_were_compared():
    runs, people, machine = HONEST[0].draw(6, 4, np.random.default_rng(2))
    said = explain_none_flagged(check_circularity(runs, people, machine))
    assert said.startswith("No run is shown to agree with the machine beyond what people")
    assert said.endswith("none would stand out.")
    lost = pd.DataFrame(
        {"system": "lost", "topic_id": "t000", "document_id": ["d000", "zz"], "rank": [1, 2]}
    )
    said = explain_none_flagged(check_circularity(pd.concat([runs, lost]), people, machine))
    assert said.endswith("none would stand out. 1 run could not be compared.")
    two = runs[runs["system"].isin(["s00", "s01"])]
    said = explain_none_flagged(check_circularity(two, people, machine))
    assert (
        said
        == f"Whether a run agrees with the machine more than others was not tested: {FEW_COMPARED}."
    )


def test_one_pair_is_not_told_as_pairs():
    row = pd.Series({"system": "a", "reason": "", "pairs": 1, "agreement": 1.0,
                     "agreement_others": 0.5, "flagged": False})  # fmt: skip
    assert explain_circularity(row).startswith("Of 1 pair that only the machine tells apart, a ")


def test_the_order_of_lines_and_names_of_topics_do_not_matter():
    runs, people, machine = HONEST[1].draw(6, 5, np.random.default_rng(2))
    first = check_circularity(runs, people, machine)
    mixed = [part.sample(frac=1, random_state=1) for part in (runs, people, machine)]
    again = check_circularity(*(one.assign(topic_id="x" + one["topic_id"]) for one in mixed))
    columns = ["system", "statistic", "p", "pairs", "agreement", "agreement_others"]
    pd.testing.assert_frame_equal(first[columns], again[columns])


def test_a_run_without_pairs_or_alike_another_says_so():
    runs, people, machine = HONEST[0].draw(6, 4, np.random.default_rng(2))
    lost = pd.DataFrame(
        {"system": "lost", "topic_id": "t000", "document_id": ["d000", "zz"], "rank": [1, 2]}
    )
    frame = check_circularity(pd.concat([runs, lost]), people, machine).set_index("system")
    row = frame.loc["lost"]
    assert row["pairs"] == 0
    assert np.isnan(row["statistic"])
    assert row["reason"].startswith("it retrieves no two documents")
    assert pd.isna(row["flagged"])
    assert frame["p"].notna().sum() == 4
    assert set(frame["units"]) == {4}
    assert explain_circularity(frame.reset_index().iloc[-1]).startswith("lost cannot be compared")
    elsewhere = lost.assign(document_id=["yy", "zz"])
    row = check_circularity(pd.concat([runs, elsewhere]), people, machine).set_index("system")
    assert row.loc["lost", "documents"] == 0
    tied = pd.concat([run(x="ab", y="ba", z="a"), run(w="ba")])
    assert check_circularity(tied, judge("11"), judge("20")).shape[0] == 4


def test_judgements_that_have_nothing_in_common_are_too_little():
    runs = run(x="ab", y="ba")
    with pytest.raises(TooLittleData, match="no document is judged both"):
        check_circularity(runs, judge("12"), judge("12", topic="u"))
    with pytest.raises(TooLittleData, match="tells no two documents apart"):
        check_circularity(runs, judge("12"), judge("01"))


@pytest.fixture(scope="module")
def study(shared_data):
    """The 37 official runs of TREC DL 2019, people's highest level and a machine's."""
    files = sorted((shared_data / "dl19" / "runs").iterdir())
    runs = read_import("runs", [Source.at(str(one)) for one in files]).frames["runs"]
    labels = pd.read_csv(shared_data / "dl19" / "labels.tsv", sep="\t", dtype="str")
    labels = labels.rename(columns={"topic": "topic_id", "document": "document_id"})
    labels = labels.astype({"level": "int64"}).assign(iteration="0")
    people = labels.groupby(COLUMNS[:3], as_index=False)["level"].max()
    source = Source.at(str(shared_data / "machine" / "dl19-umbrela.qrels"))
    return runs, people, read_import("qrels", source).frames["qrels"][COLUMNS]


@long
def test_no_official_run_stands_out_and_a_planted_one_does(study):
    runs, people, machine = study
    assert not check_circularity(runs, people, machine)["flagged"].any()
    planted = plant_ranks(runs, machine, "p_bert", 0.3, np.random.default_rng(1))
    frame = check_circularity(planted, people, machine)
    assert frame.loc[frame["flagged"], "system"].tolist() == ["p_bert"]


@long
@pytest.mark.timeout(3_600)
@pytest.mark.parametrize("plant", [plant_ranks, plant_topics])
def test_of_a_hundred_planted_runs_eighty_are_flagged_and_hardly_another(
    study, plant, record_property
):
    runs, people, machine = study
    rng = np.random.default_rng(7)
    names = runs["system"].unique()
    found = others = 0
    for _ in range(100):
        system = rng.choice(names)
        planted = plant(runs, machine, system, 0.3, rng)
        frame = check_circularity(planted, people, machine).set_index("system")
        found += bool(frame.loc[system, "flagged"])
        others += bool(frame["flagged"].drop(system).any())
    record_property("counts", f"{found} of 100 flagged, in {others} studies another run")
    assert found >= 80
    assert others <= 5


@long
@pytest.mark.timeout(3_600)
def test_of_a_hundred_studies_without_one_five_have_a_false_flag_at_most(study, record_property):
    runs, people, machine = study
    rng = np.random.default_rng(0)
    flagged = 0
    for at in range(100):
        own = vary_study(runs, at, rng)
        frame = check_circularity(own, spread_topics(people, own), spread_topics(machine, own))
        flagged += bool(frame["flagged"].any())
    record_property("counts", f"{flagged} of 100 studies have a false flag")
    assert flagged <= 5
