"""What orders of judging cost: against plain scoring of each part, and on TREC-2."""

import gzip

import numpy as np
import pandas as pd
import pytest

from core.collection.files.source import Source
from core.collection.formats import read_import
from core.comparison.rank_correlation import kendall_tau
from core.errors import BadInput, TooLittleData
from core.measures.catalogue import parse_measure
from core.measures.evaluate import evaluate, mean_scores
from core.measures.ranking import compile_rankings
from core.orders.base import parse_order
from core.orders.candidates import build_candidates
from core.orders.max_mean import RECOMMENDED
from core.orders.simulation import judged_at, simulate_order
from core.reports.judging_orders import (
    COMPLETE,
    NO_ORDER,
    NOT_SHOWN,
    RISK,
    UNTESTED,
    JudgingQuestion,
    describe_reach,
    simulate_judging,
)
from core.versions.judgements import put_on_scale
from core.wording import drop_marks, plain_with_facts
from tests.each import each
from tests.short import few, long

SHARES = (0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.4, 0.5)


def make_study(seed=1, topics=6, systems=5, documents=60, depth=20):
    """Return runs that are better the higher their number, and judgements of their pool."""
    rng = np.random.default_rng(seed)
    runs, qrels = [], []
    for topic in range(topics):
        level = rng.choice([0, 1, 2], documents, p=[0.7, 0.2, 0.1])
        qrels += [(f"t{topic}", "0", f"d{one:02}", int(level[one])) for one in range(documents)]
        for system in range(systems):
            said = level * (0.3 + 0.3 * system) + rng.normal(size=documents)
            ranked = np.argsort(-said, kind="stable")[:depth]
            runs += [(f"s{system}", f"t{topic}", f"d{d:02}", r) for r, d in enumerate(ranked, 1)]
    return (
        pd.DataFrame(runs, columns=["system", "topic_id", "document_id", "rank"]),
        pd.DataFrame(qrels, columns=["topic_id", "iteration", "document_id", "level"]),
    )


def judged_study(**settings):
    """Return the same as runs and judgements on their scale."""
    runs, qrels = make_study(**settings)
    return runs, put_on_scale(qrels)


def ask(*orders, measure="AP", **settings):
    given = {"depth": 15, "shares": (0.2, 0.5, 1.0), "seeds": 2, "shown": False, **settings}
    return JudgingQuestion(tuple(map(parse_order, orders)), parse_measure(measure), **given)


def only_pool(runs, qrels, depth):
    """Return the judgements of the pool alone."""
    pool = runs.loc[runs["rank"] <= depth, ["topic_id", "document_id"]].drop_duplicates()
    return qrels.merge(pool, on=["topic_id", "document_id"])


@pytest.mark.parametrize("measure", few(["AP", "nDCG@5", "P(rel=2)@5", "RBP"]))
@each("text", ["depth-first", "random", "max-mean(topics='shared')"])
def test_tau_is_that_of_rankings_made_plainly(text, measure):
    runs, qrels = make_study()
    found = simulate_judging(runs, put_on_scale(qrels), ask(text, measure=measure, batch=2)).orders
    order, scored = parse_order(text), parse_measure(measure)
    candidates, pool = build_candidates(runs, 15), only_pool(runs, qrels, 15)
    item = candidates.find(pool)
    relevance = np.zeros(len(candidates))
    relevance[item] = pool["level"] >= 1
    seeds = (1, 2) if order.is_drawn else (1,)
    orders = [simulate_order(candidates, relevance, order, seed=s, batch=2) for s in seeds]
    full = _means(runs, pool, scored)
    for row in found.to_dict("records"):
        judged = [judged_at(candidates, one, row["share"]) for one in orders]
        means = [_means(runs, pool[one[item]], scored) for one in judged]
        assert row["tau"] == pytest.approx(np.mean([kendall_tau(full, one) for one in means]))
        same = [np.argmax(full) == np.argmax(one) for one in means]
        assert row["best_same"] == pytest.approx(np.mean(same))
        assert row["relevant_found"] == pytest.approx(
            np.mean([relevance[one].sum() for one in judged]) / relevance.sum()
        )
        assert row["judged"] == judged[0].sum()
        assert row["seeds"] == len(seeds)


def _means(runs, qrels, measure):
    rankings = compile_rankings(runs, put_on_scale(qrels, 2))
    means = mean_scores(evaluate([measure], rankings, empty_topics=True))
    # A topic that is not judged yet scores nothing for anybody.
    return means.set_index("system")["value"].sort_index().to_numpy()


def test_all_judged_is_the_ranking_itself_and_has_no_limits():
    found = simulate_judging(*judged_study(), ask("random", "depth-first")).orders
    last = found[found["share"] == 1]
    assert (last[["tau", "relevant_found", "best_same"]] == 1).all(axis=None)
    assert last["low"].isna().all()
    assert set(last["reason"]) == {COMPLETE}
    rest = found[found["share"] < 1]
    assert (rest["low"] <= rest["tau"]).all()
    assert (rest["tau"] <= rest["high"]).all()
    assert set(rest["reason"]) == {""}
    assert set(rest["units"]) == {6}


def test_the_limits_that_would_have_been_shown_are_those_of_the_model_then():
    found = simulate_judging(*judged_study(), ask("depth-first", shown=True)).orders
    part = found[found["share"] < 1]
    assert (part["shown_low"] <= part["shown_high"]).all()
    assert set(part["shown_reason"]) == {""}
    last = found[found["share"] == 1].iloc[0]
    assert (last["shown_low"], last["shown_high"]) == (1, 1)


def test_limits_that_were_not_asked_for_or_cannot_be_told_have_a_reason():
    plain = simulate_judging(*judged_study(), ask("random")).orders
    assert set(plain["shown_reason"]) == {NOT_SHOWN}
    other = ask("depth-first", measure="bpref", shown=True)
    found = simulate_judging(*judged_study(), other).orders
    for frame in (plain, found):
        assert frame[["shown_low", "shown_high"]].isna().all(axis=None)
    assert (found["shown_reason"].str.len() > 0).all()


def test_a_sample_ends_and_what_it_left_stays_unjudged():
    found = simulate_judging(*judged_study(), ask("random(share=0.3)", "random")).orders
    sample = found[found["order"] == "random(share=0.3)"]
    pool = found["judged"].max()
    assert sample["judged"].tolist()[1] == sample["judged"].tolist()[2] < 0.4 * pool
    assert sample["tau"].iloc[2] < 1


def test_the_same_question_has_the_same_answer_and_another_seed_another():
    study = make_study()
    first, again = (
        simulate_judging(study[0], put_on_scale(study[1]), ask("thompson")).orders for _ in range(2)
    )
    pd.testing.assert_frame_equal(first, again)
    other = simulate_judging(study[0], put_on_scale(study[1]), ask("thompson", seed=9)).orders
    assert not first["relevant_found"].equals(other["relevant_found"])


def test_what_the_pool_lacks_is_counted_and_said():
    runs, qrels = make_study()
    pool = only_pool(runs, qrels, 15)
    fewer = qrels.drop(qrels.merge(pool, how="left", indicator=True).index[:10])
    found = simulate_judging(runs, put_on_scale(fewer), ask("depth-first"))
    assert found.pool == len(pool)
    assert found.unjudged == len(pool) - len(only_pool(runs, fewer, 15)) > 0
    assert found.outside == (fewer["level"] >= 1).sum() - found.relevant > 0
    assert [note.rpartition(": ")[2] for note in found.notes] == [
        f"{found.unjudged:,} of {found.pool:,}",
        f"{found.outside:,}",
    ]
    complete = simulate_judging(runs, put_on_scale(pool), ask("depth-first"))
    assert (complete.notes, complete.topics, complete.systems) == ([], 6, 5)


def test_topics_without_a_judgement_and_levels_below_nought_do_not_count():
    runs, qrels = make_study()
    stranger = runs[runs["topic_id"] == "t0"].assign(topic_id="t9")
    broken = qrels.assign(level=qrels["level"].where(qrels["document_id"] != "d01", -1))
    found = simulate_judging(pd.concat([runs, stranger]), put_on_scale(broken), ask("depth-first"))
    assert found.topics == 6
    assert found.pool == len(build_candidates(runs, 15))


def test_before_anything_relevant_is_found_there_is_no_ranking():
    runs, qrels = make_study()
    rare = qrels.assign(level=(qrels["document_id"].isin(["d07", "d31"])).astype(int))
    found = simulate_judging(
        runs, put_on_scale(rare), ask("depth-first", shares=(1e-6, 1.0))
    ).orders
    assert np.isnan(found["tau"].iloc[0])
    assert found["reason"].iloc[0]
    assert found["tau"].iloc[1] == 1


def test_progress_is_told_of_every_order_and_may_stop():
    told = []
    simulate_judging(
        *judged_study(),
        ask("random", "hedge"),
        progress=lambda share, name: told.append((share, name)),
    )
    shares = [share for share, _ in told]
    assert shares == sorted(shares)
    assert 0 <= shares[0] < shares[-1] <= 1
    assert {name for _, name in told} == {"random", "hedge"}

    def stop(share, name):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        simulate_judging(*judged_study(), ask("random"), progress=stop)


def test_intents_are_scored_as_well():
    runs, qrels = make_study()
    qrels = qrels.assign(iteration=np.where(np.arange(len(qrels)) % 3, "1", "2"))
    found = simulate_judging(
        runs, put_on_scale(qrels), ask("depth-first", measure="α-nDCG@5")
    ).orders
    assert found["tau"].notna().all()


def test_intents_of_nothing_judged_have_no_ranking():
    runs, qrels = make_study()
    qrels = qrels.assign(iteration=np.where(np.arange(len(qrels)) % 3, "1", "2"))
    first = simulate_order(
        candidates := build_candidates(runs, 15),
        np.zeros(len(candidates)),
        parse_order("depth-first"),
        most=1,
    )
    document = candidates.document[first[0]]
    lacking = qrels[(qrels["topic_id"] != "t0") | (qrels["document_id"] != document)]
    found = simulate_judging(runs, put_on_scale(lacking), ask("depth-first", shares=(1e-6,))).orders
    assert np.isnan(found["tau"].iloc[0])
    assert found["reason"].iloc[0]


@each(
    ("settings", "reason"),
    [
        ({"measure": "E"}, "less of"),
        ({"shares": ()}, "a share of the pool"),
        ({"shares": (0.0,)}, "a share of the pool"),
        ({"shares": (1.2,)}, "a share of the pool"),
    ],
)
def test_what_cannot_be_asked_says_why(settings, reason):
    with pytest.raises(BadInput, match=reason):
        ask("random", **settings)


def test_no_order_is_no_question():
    with pytest.raises(BadInput, match="at least one order"):
        ask()


def test_too_little_to_rank_says_so():
    runs, qrels = make_study()
    with pytest.raises(TooLittleData, match="two systems and two topics"):
        simulate_judging(runs[runs["system"] == "s1"], put_on_scale(qrels), ask("random"))
    with pytest.raises(TooLittleData, match="two systems and two topics"):
        simulate_judging(runs, put_on_scale(qrels[qrels["topic_id"] == "t1"]), ask("random"))
    with pytest.raises(TooLittleData, match="no document of the pool is judged"):
        simulate_judging(
            runs, put_on_scale(qrels.assign(document_id="x" + qrels["document_id"])), ask("random")
        )


def read_trec2(folder):
    """Return runs and judgements; a document that a run repeats counts at its first rank."""
    frames = []
    for path in sorted(folder.glob("runs/*.gz")):
        lines = [one.split() for one in gzip.decompress(path.read_bytes()).decode().splitlines()]
        once = {(line[0], line[2]): " ".join(line) for line in reversed(lines)}
        text = "\n".join(reversed(once.values()))
        frames.append(read_import("runs", [Source(path.name[:-3], text.encode())]).frames["runs"])
    qrels = read_import("qrels", [Source.at(folder / "adhoc.qrels.gz")]).frames["qrels"]
    columns = dict.fromkeys(["system", "topic_id", "document_id"], "str")
    return pd.concat([frame.astype(columns) for frame in frames], ignore_index=True), qrels


@pytest.fixture(scope="module")
def trec2(shared_data):
    folder = shared_data / "trec2"
    if not folder.is_dir():
        pytest.skip("the runs of TREC-2 are not beside this checkout")
    return read_trec2(folder)


def _tau_by_share(trec2, *orders, **settings):
    found = simulate_judging(trec2[0], put_on_scale(trec2[1]), ask(*orders, depth=100, **settings))
    assert (found.pool, found.topics, found.systems) == (26_359, 25, 38)
    return found.orders.pivot(index="order", columns="share", values="tau")


@long
def test_trec2_takes_half_as_many_labels_as_from_the_top(trec2):
    tau = _tau_by_share(
        trec2, "depth-first", RECOMMENDED, shares=(0.25, 0.3, 0.5), seeds=1, batch=5
    )
    assert tau.loc[RECOMMENDED, 0.25] > 0.9
    assert tau.loc["depth-first", 0.3] < 0.87
    assert tau.loc["depth-first"].tolist() == pytest.approx([0.846, 0.855, 0.932], abs=0.005)


@pytest.mark.long
@pytest.mark.timeout(3_600)
def test_trec2_as_a_mean_of_ten_seeds(trec2, record_property):
    """τ to the full pool's ranking by AP, by share of the pool judged, batches of one."""
    tau = _tau_by_share(
        trec2, "depth-first", "max-mean", RECOMMENDED, shares=(*SHARES, 0.7, 1.0), seeds=10
    )
    record_property("counts", tau.round(3).to_dict("index"))
    ours, top = tau.loc[RECOMMENDED], tau.loc["depth-first"]
    assert (ours[list(SHARES)] - top[list(SHARES)] >= 0.03).all()
    assert ours[0.25] >= 0.92
    assert ours[0.3] >= 0.93
    assert tau.loc["max-mean", 0.3] >= 0.93
    assert (tau[1.0] == 1).all()


@pytest.mark.long
@pytest.mark.timeout(3_600)
def test_trec2_in_batches_gains_less_at_first(trec2, record_property):
    """The same in batches of five, as rounds hand them out."""
    tau = _tau_by_share(trec2, "depth-first", RECOMMENDED, shares=SHARES, seeds=10, batch=5)
    record_property("counts", tau.round(3).to_dict("index"))
    gain = tau.loc[RECOMMENDED] - tau.loc["depth-first"]
    assert (gain >= 0.02).all()
    assert (gain[gain.index >= 0.15] >= 0.03).all()
    assert tau.loc[RECOMMENDED, 0.3] >= 0.93


def test_the_answer_tells_whom_it_holds_for_and_the_overview_has_no_limits():
    found = simulate_judging(*judged_study(), ask("depth-first", "random"))
    assert found.answer.endswith(RISK)
    assert "at **" in plain_with_facts(found.answer)
    assert found.by_share.columns.tolist() == ["order", "share", "tau"]
    assert len(found.table("by_share")) == len(found.orders)
    write = found.tables["by_share"].columns["share"].write
    assert write is not None
    assert write(0.05) == "5%"
    assert found.tables["orders"].columns["share"].percent
    assert found.describe_interval("orders", found.orders.iloc[0])["of"].endswith(
        "topics like these"
    )


REACHED = "to the ranking under all judgements at"
LIMITS = "; 95 % limits over topics [0.100, 0.990]"


def orders(**tau: list[float]) -> pd.DataFrame:
    """Return orders with their τ at a tenth, a half and all of a pool of 100."""
    rows = [
        (name.replace("_", "-"), share, round(100 * share), value, 0.1, 0.99)
        for name, values in tau.items()
        for share, value in zip((0.1, 0.5, 1.0), values, strict=False)
    ]
    return pd.DataFrame(rows, columns=["order", "share", "judged", "tau", "low", "high"])


@each(
    ("tau", "said"),
    [
        (
            {"depth_first": [0.5, 0.8, 1.0], "hedge": [0.6, 0.92, 1.0]},
            f"On these judgements, hedge reaches τ ≥ 0.9 {REACHED} 50% of the pool (50 of 100"
            f"{LIMITS}); depth-first does not reach it at a share that was tried below 100%. "
            f"{UNTESTED}",
        ),
        (
            {"depth_first": [0.5, 0.92], "hedge": [0.91, 0.92]},
            f"On these judgements, hedge reaches τ ≥ 0.9 {REACHED} 10% of the pool (10 of 100"
            f"{LIMITS}); depth-first needs 50%. {UNTESTED}",
        ),
        (
            {"depth_first": [0.5, 0.8], "hedge": [0.95, 0.89], "random": [0.1, 0.9]},
            f"On these judgements, random reaches τ ≥ 0.9 {REACHED} 50% of the pool (50 of 100"
            f"{LIMITS}); depth-first does not reach it at a share that was tried. {UNTESTED}",
        ),
        (
            {"hedge": [0.95, 0.95, 1.0], "depth_first": [0.9, 0.9, 1.0], "random": [0.1, 0.9, 1]},
            f"On these judgements, hedge and depth-first reach τ ≥ 0.9 {REACHED} 10% of the pool "
            f"(10 of 100; lower 95 % limits over topics from 0.100 on). {UNTESTED}",
        ),
        (
            {"depth_first": [0.95, 0.95, 1.0]},
            f"On these judgements, depth-first reaches τ ≥ 0.9 {REACHED} 10% of the pool (10 of "
            f"100{LIMITS}).",
        ),
        (
            {"hedge": [0.9, float("nan"), 1.0]},
            "No order reaches τ ≥ 0.9 at a share that was tried below 100%.",
        ),
        ({"hedge": [0.5, 0.6]}, "No order reaches τ ≥ 0.9 at a share that was tried."),
        (
            {"hedge": [float("nan")] * 3},
            f"Kendall's τ is not defined at any share that was tried: {NO_ORDER}.",
        ),
    ],
)  # fmt: skip
def test_the_answer_names_the_orders_that_need_least(tau, said):
    assert drop_marks(describe_reach(orders(**tau), 100)) == said


def test_what_is_judged_is_told_of_the_whole_pool():
    """Not of the largest share that was tried; of a sample that ends, of what it has."""
    found = simulate_judging(*judged_study(), ask("max-mean", shares=(0.2,)))
    assert f"at 20% of the pool (48 of {found.pool}; " in drop_marks(found.answer)
    rows = pd.DataFrame([("stratified", 1.0, 85, 0.95, 0.9, 1.0)], columns=orders().columns)
    assert "at 85% of the pool (85 of 100; " in drop_marks(describe_reach(rows, 100))
    assert "of the pool (100 of 100" not in drop_marks(describe_reach(rows, 100))


@each("name", ["depth", "seeds", "batch"])
def test_a_number_below_1_is_refused(name):
    with pytest.raises(BadInput, match=f"{name} is a number from 1"):
        ask("random", **{name: 0})
