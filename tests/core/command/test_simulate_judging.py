"""The simulate-judging command: its JSON, its tables, its figure, what it refuses."""

import pytest

from core.collection.qrels_and_runs.trec import write_qrels, write_run
from core.orders.base import ORDERS
from core.reports import judging_orders
from core.reports.judging_orders import COMPLETE, INTERVAL, NOT_SHOWN, simulate_judging
from core.versions.judgements import put_on_scale
from tests.core.reports.test_judging_orders import ask, make_study
from tests.short import long

KEYS = {
    *("order", "share", "judged", "relevant_found", "tau", "tau_low", "tau_high"),
    *("shown_low", "shown_high", "best_same", "seeds", "interval"),
}


@pytest.fixture
def words(tmp_path):
    runs, qrels = make_study()
    (tmp_path / "all.run").write_bytes(write_run(runs.assign(score=-runs["rank"])))
    (tmp_path / "all.qrels").write_bytes(write_qrels(qrels))
    files = ["--run", tmp_path / "all.run", "--qrels", tmp_path / "all.qrels"]
    return ["simulate-judging", *files, "--measure", "AP", "--depth", 15, "--seeds", 2]


def test_json_has_a_row_for_each_order_and_share(dissent, words):
    found = dissent(
        *words, "--order", "random", "depth-first", "--shares", 0.5, 0.2, 1, "--format", "json"
    )
    assert found.status == 0
    assert note(found.json) in found.err
    assert [f"note: {one}" for one in found.json["notes"]] == found.err.splitlines()
    rows = found.json["orders"]
    assert [(row["order"], row["share"]) for row in rows] == [
        (order, share) for order in ("random", "depth-first") for share in (0.2, 0.5, 1)
    ]
    assert all(set(row) >= KEYS for row in rows)
    assert all(row["reason"] == COMPLETE for row in rows if row["share"] == 1)
    assert all("reason" not in row for row in rows if row["share"] < 1)
    assert rows[0]["interval"] == {
        "method": INTERVAL,
        "unit": "topic",
        "n": 6,
        "of": "Kendall's τ-b to the ranking under all judgements, at this share of the pool, over "
        "topics like these",
    }
    assert all(-1 <= row["shown_low"] <= row["shown_high"] <= 1 for row in rows)
    plain = dissent(*words, "--order", "random", "--shares", 0.5, "--no-shown", "--format", "json")
    (row,) = plain.json["orders"]
    assert (row["shown_low"], row["shown_reason"]) == (None, NOT_SHOWN)
    assert (rows[0]["seeds"], rows[-1]["seeds"]) == (2, 1)


def note(found):
    outside = found["outside"]
    return (
        "note: relevant documents outside the pool, which no order finds and no ranking here "
        f"counts: {outside}\n"
    )


def test_it_says_what_python_says(dissent, words):
    given = [*words, "--order", "thompson", "--batch", 3, "--seed", 7, "--shares", 0.3]
    rows = dissent(*given, "--format", "json").json["orders"]
    question = ask("thompson", batch=3, seed=7, shares=(0.3,))
    runs, qrels = make_study()
    wanted = simulate_judging(runs, put_on_scale(qrels), question).orders.iloc[0]
    for name in ("judged", "relevant_found", "tau", "best_same"):
        assert rows[0][name] == pytest.approx(wanted[name], rel=1e-12)
    limits = [rows[0]["tau_low"], rows[0]["tau_high"]]
    assert limits == pytest.approx([wanted["low"], wanted["high"]], rel=1e-12)


@long
def test_the_table_has_all_orders_that_are_suggested(dissent, words):
    found = dissent(*words, "--shares", 0.2, 0.5)
    assert found.status == 0
    assert all(order in found.out for order in ORDERS.suggested())
    assert "By AP." in found.out
    assert "Kendall's τ by share of the pool judged" in found.out
    assert "over topics (6), bootstrap of topics" in found.out
    assert dissent(*words, "--order", "random", "--format", "csv").out.startswith(
        '"table","order","share","judged"'
    )


def test_a_level_is_what_counts_as_relevant(dissent, words):
    given = [*words, "--order", "depth-first", "--shares", 0.5, "--format", "json"]
    found = dissent(*given, "--level", 2).json
    assert (found["level"], found["measure"]) == (2, "AP(rel=2)")
    assert found["relevant"] < dissent(*given).json["relevant"]


@long
@pytest.mark.parametrize("form", ["svg", "pdf"])
def test_the_figure_is_a_file(dissent, words, tmp_path, form):
    pytest.importorskip("matplotlib", reason="the extra 'paper' is not installed")
    path = tmp_path / f"orders.{form}"
    assert dissent(*words, "--order", "random", "--figure", path).status == 0
    assert path.read_bytes()[:5] in (b"<?xml", b"%PDF-")


@pytest.mark.parametrize(
    ("more", "reason"),
    [
        (["--order", "best"], "'best' is not an order of judging"),
        (["--shares", "1.5"], "'1.5' is not a share above 0 and up to 1"),
        (["--depth", "70000"], "deeper than 65,535"),
        (["--figure", "x.png"], "ends neither in .svg nor in .pdf"),
        (["--seeds", "0"], "not a whole number from 1"),
    ],
)
def test_wrong_usage_says_why(dissent, words, more, reason):
    found = dissent(*words, *more)
    assert found.status == 2
    assert reason in found.err


def test_what_cannot_be_ranked_says_why(dissent, words):
    found = dissent(*(one if one != "AP" else "GMAP" for one in words))
    assert found.status == 1
    assert "geometric" in found.err


def test_it_stops_when_told_to(dissent, words, monkeypatch):
    def stop(*given, **settings):
        raise KeyboardInterrupt

    monkeypatch.setattr(judging_orders, "simulate_order", stop)
    found = dissent(*words)
    assert (found.status, found.out) == (1, "")
    assert found.err.endswith("dissent: stopped\n")
