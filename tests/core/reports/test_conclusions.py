"""Conclusions under people's and machines' judgements in labelled frames."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from core.comparison.significance_test import SignificanceTest
from core.errors import BadInput, TooLittleData
from core.machines.conclusions import APPEARED, KEPT, TURNED, VANISHED
from core.measures.catalogue import parse_measure
from core.numerals import write_number
from core.reports.conclusions import Conclusions, _tell_counts, draw_conclusions
from core.versions.judgements import put_on_scale
from core.wording import drop_marks
from tests.calibration.machine_models import FOLLOWING
from tests.each import each
from tests.short import long

NDCG = parse_measure("nDCG@10")
TEST = SignificanceTest(samples=200)
STUDY = FOLLOWING.draw(6, 5, np.random.default_rng(1))


def conclude(**options) -> Conclusions:
    runs, people, machine = STUDY
    machines = {"m": machine, "same": people}
    return draw_conclusions(
        runs, put_on_scale(people), machines, NDCG, significance=TEST, **options
    )


@pytest.fixture(scope="module")
def found() -> Conclusions:
    return conclude(bests=(3,))


@long
def test_every_source_is_beside_people_on_the_same_topics(found: Conclusions):
    sources = ["m", "same", "people, else m", "people, else same"]
    assert found.sources["source"].tolist() == ["people", *sources]
    assert found.sources["machine"].tolist() == ["", "m", "same", "m", "same"]
    assert found.sources["mixed"].tolist() == [False] * 3 + [True] * 2
    assert set(found.sources["topics"]) == {6}
    assert found.rankings["source"].unique().tolist() == sources
    assert found.rankings["coefficient"].tolist() == ["tau", "tau_ap", "tau_top"] * 4
    same = found.rankings[found.rankings["source"] == "same"]
    assert same["value"].tolist() == [1, 1, 1]
    assert (same["low"] < 1).all()
    assert not found.orders["differ"].any()
    assert len(found.differences) == 4 * 10
    assert found.significant["source"].tolist() == sources
    assert len(found.scores) == 5 * 5
    assert (found.scores["low"] < found.scores["value"]).all()


def test_gains_are_of_machines_and_of_the_same_scores(found: Conclusions):
    gains = found.gains[found.gains["machine"] == "m"].set_index("system")
    means = found.scores.pivot(index="system", columns="source", values="value")
    expected = (means["m"] - means["people"]).reindex(gains.index)
    assert gains["gain"].to_numpy() == pytest.approx(expected.to_numpy())
    same = found.gains[found.gains["machine"] == "same"]
    assert (same["gain"] == 0).all()
    assert (same["low"] < 0).all()
    assert found.lineage.empty


def test_a_lineage_is_compared_over_topics_and_over_runs():
    found = conclude(lineages={"m": ["s00", "s01"]}, mixed=False)
    assert found.lineage["unit"].tolist() == ["topic", "system"]
    assert set(found.lineage["machine"]) == {"m"}
    over_topics, over_runs = found.lineage.to_dict("records")
    assert over_topics["low"] < over_topics["value"] < over_topics["high"]
    assert over_runs["reason"].startswith("limits over runs need 3")
    assert over_runs["verdict"] == "not shown"
    assert found.sources["source"].tolist() == ["people", "m", "same"]


def test_a_machine_that_tells_nothing_apart_has_a_reason_for_every_run(found: Conclusions):
    own = {name: rows for name, rows in found.circularity.groupby("machine")}
    assert own["m"]["p"].notna().all()
    assert own["same"]["p"].isna().all()
    assert own["same"]["flagged"].isna().all()
    assert own["same"]["reason"].str.contains("tells no two documents apart").all()
    assert len(own["same"]) == 5


@long
def test_only_documents_that_all_have_judged_if_so_wanted():
    runs, people, machine = STUDY
    part = machine[machine["document_id"] < "d030"]
    found, same = (
        draw_conclusions(
            runs,
            put_on_scale(people),
            {"m": part},
            NDCG,
            significance=TEST,
            same_documents=wanted,
            mixed=False,
        )
        for wanted in (False, True)
    )
    judged = found.sources.set_index("source")["judged"]
    assert judged["people"] > judged["m"] + 0.3
    judged = same.sources.set_index("source")["judged"]
    assert judged["people"] == pytest.approx(judged["m"])


def test_topics_that_one_source_lacks_are_left_out_of_all():
    runs, people, machine = STUDY
    part = machine[machine["topic_id"] > "t001"]
    found = draw_conclusions(
        runs, put_on_scale(people), {"m": part}, NDCG, significance=TEST, mixed=False
    )
    assert set(found.sources["topics"]) == {4}
    assert found.sources.set_index("source").loc["people", "left_out"] == 2


@each(
    ("machines", "options", "says"),
    [
        ({}, {}, "there is no machine"),
        ({"people": STUDY[2]}, {}, "is called as another source"),
        ({"m": STUDY[2], "people, else m": STUDY[2]}, {}, "is called as another source"),
        ({"m": STUDY[2]}, {"lineages": {"n": ["s00"]}}, "'n', which is no machine here"),
        ({"m": STUDY[2]}, {"lineages": {"m": ["s77"]}}, "'s77' of the lineage is not among"),
    ],
)
def test_what_cannot_be_told_apart_is_refused(machines, options, says):
    with pytest.raises(BadInput, match=says):
        draw_conclusions(
            STUDY[0], put_on_scale(STUDY[1]), machines, NDCG, significance=TEST, **options
        )


def test_a_measure_that_does_not_compare_systems_is_refused():
    with pytest.raises(BadInput, match="compare by F"):
        draw_conclusions(STUDY[0], put_on_scale(STUDY[1]), {"m": STUDY[2]}, parse_measure("E"))


def test_fewer_than_two_topics_or_systems_are_too_little():
    runs, people, machine = STUDY
    one = machine[machine["topic_id"] == "t001"]
    with pytest.raises(TooLittleData, match="1 topic counts under all judgements, and"):
        draw_conclusions(runs, put_on_scale(people), {"m": one}, NDCG)
    alone = runs[runs["system"] == "s00"]
    with pytest.raises(
        TooLittleData, match="topics count under all judgements, and runs are of 1 system;"
    ):
        draw_conclusions(alone, put_on_scale(people), {"m": machine}, NDCG)


def test_progress_is_told():
    told: list[tuple[float, str]] = []
    conclude(mixed=False, progress=lambda share, name: told.append((share, name)))
    assert {name for _, name in told} == {"people", "m", "same"}
    assert told[-1][0] == 1


@long
def test_categories_in_place_of_texts_make_no_difference():
    runs, people, machine = STUDY
    asked = {"significance": TEST, "bests": (), "mixed": True}
    named = {name: "category" for name in ("topic_id", "document_id")}
    found = draw_conclusions(
        runs.astype({**named, "system": "category"}),
        put_on_scale(people.astype(named)),
        {"m": machine.astype(named)},
        NDCG,
        **asked,
    )
    plain = draw_conclusions(runs, put_on_scale(people), {"m": machine}, NDCG, **asked)
    for name in ("rankings", "gains", "circularity"):
        pd.testing.assert_frame_equal(getattr(found, name), getattr(plain, name))


def test_order_and_significance_under_each_machine_are_told(found: Conclusions):
    said = found.tell("m")
    row = found.significant.set_index("source").loc["m"]
    assert row["kept"] + row["vanished"] + row["turned"] == 0
    assert said.startswith("By nDCG@10, the order of 5 systems under the labels of m (Kendall's")
    assert "no difference is significant by people's labels, and" in said
    assert drop_marks(said).endswith(f"and {row['appeared']} appear.")
    assert found.answer == f"{said} {found.tell('same')}"
    of = found.describe_interval("gains", found.gains.iloc[0])["of"]
    assert of == "mean score by the machine less that by people, over topics like these"


def test_what_could_have_been_shown_stands_beside_what_is_not(found: Conclusions):
    told = drop_marks(found.tell("m"))
    below = found.orders.set_index("source").loc["m", "shown_below"]
    assert f"is not shown to differ from people's (a τ below {write_number(below)} would" in told
    none = replace(found, orders=found.orders.assign(shown_below=np.nan))
    assert "people's (so few topics or systems could not have shown it); " in none.tell("m")
    shown = found.orders.assign(differ=pd.array([True] * len(found.orders), "boolean"))
    assert "is shown to differ from people's; no " in drop_marks(
        replace(found, orders=shown).tell("m")
    )


def test_systems_that_are_all_alike_have_no_order_to_test():
    runs, people, machine = STUDY
    same = runs[runs["system"] == "s00"]
    runs = pd.concat([same, same.assign(system="again")])
    judged = put_on_scale(people)
    found = draw_conclusions(runs, judged, {"m": machine}, NDCG, significance=TEST, mixed=False)
    told = found.tell("m")
    assert "labels of m was not tested against people's: fewer than two systems, or all of" in told
    assert "Kendall" not in told
    assert found.orders["reason"].item().startswith("fewer than two systems")


def test_what_was_not_tested_is_said(found: Conclusions):
    untested = found.orders.assign(differ=pd.array([pd.NA] * len(found.orders), "boolean"))
    nothing = pd.array([pd.NA] * len(found.significant), "Int64")
    counts = found.significant.assign(kept=nothing, reason="too few topics")
    said = replace(found, orders=untested, significant=counts).tell("m")
    assert "was not tested against people's" in said
    assert "significant differences cannot be compared: too few topics" in said


def test_one_difference_vanishes_and_several_vanish():
    counts = dict(zip((KEPT, VANISHED, TURNED, APPEARED), (2, 1, 1, 1), strict=True))
    told = drop_marks(_tell_counts(counts))
    assert told.endswith("people's labels 1 vanishes and 1 turns round, and 1 appears")
    none = drop_marks(_tell_counts(dict.fromkeys(counts, 0)))
    assert none == "no difference is significant by people's labels, and 0 appear"
    several = drop_marks(_tell_counts(dict.fromkeys(counts, 2)))
    assert several.endswith("people's labels 2 vanish and 2 turn round, and 2 appear")
