"""Measures estimated from samples: against other programs, slow transcriptions and the truth."""

from math import log2

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.collection.files.source import Source
from core.collection.qrels_and_runs.trec import read_qrels
from core.errors import BadInput
from core.measures.catalogue import parse_measure
from core.measures.evaluate import evaluate
from core.measures.ranking import compile_rankings
from core.orders.base import parse_order
from core.orders.candidates import build_candidates
from core.orders.samples import sample_qrels
from core.versions.judgements import put_on_scale
from tests.core.measures.conftest import read_runs
from tests.each import each
from tests.short import long, try_often

ESTIMATED = ("infAP", "xinfAP", "infNDCG", "statAP")
RUN = ["system", "topic_id", "document_id", "rank"]
JUDGED = ["topic_id", "iteration", "document_id", "level"]

# What NIST's sample_eval.pl of 5 September 2012 computes of `made_up`, printed to ten digits.
SAMPLE_EVAL = {
    "xinfAP": {
        **{("s1", "1"): 0.3453106680, ("s1", "2"): 0.1525463527},
        **{("s2", "1"): 0.2407903292, ("s2", "2"): 0.2008347041},
    },
    "infNDCG": {
        **{("s1", "1"): 0.5523203105, ("s1", "2"): 0.2710497008},
        **{("s2", "1"): 0.4720909004, ("s2", "2"): 0.3185819093},
    },
}

# By hand: a pool of a, b, c, d, e, of which a, c and d were drawn; the ranking x b a c e d.
SHOWN = ("x", "b", "a", "c", "e", "d")
LEVELS = {"a": 1, "b": -1, "c": 0, "d": 1, "e": -2}
EPSILON = 1e-5
BY_HAND = {
    "infAP": (
        (1 + 1 * EPSILON / (2 * EPSILON)) / 3 + (1 + 4 * (1 + EPSILON) / (2 + 2 * EPSILON)) / 6
    )
    / 2,
    "infAP@3": (1 + 1 * EPSILON / (2 * EPSILON)) / 3 / 2,
    "xinfAP": (
        (1 + 1 * EPSILON / (3 * EPSILON)) / 3 + (1 + 4 * (1 + EPSILON) / (2 + 3 * EPSILON)) / 6
    )
    / 2,
    "infNDCG": (1 / log2(4) + 1 / log2(7)) * 5 / 3 / (1 / log2(2) + 1 / log2(3) + 1 / log2(4)),
    "infNDCG@3": (1 / log2(4)) * 2 / 1 / (1 / log2(2) + 1 / log2(3) + 1 / log2(4)),
    "statAP": (1 / 3 + (1 + 5 / 3) / 6) / 2,
    "statAP@5": 1 / 3 / 2,
}


def made_up():
    """Return two systems and a sample in three strata, one of them not drawn for topic 2."""
    rng = np.random.default_rng(21)
    judged = []
    for topic in ("1", "2"):
        for number in range(30):
            stratum = str(1 + (number >= 8) + (number >= 18))
            drawn = rng.random() < {"1": 1.0, "2": 0.5, "3": 0.3}[stratum]
            drawn = drawn and (topic, stratum) != ("2", "3")
            level = int(rng.integers(0, 3)) if drawn else -1
            judged.append((topic, "0", f"d{number:02}", level, stratum))
    lines = [
        (system, topic, f"d{document:02}", rank)
        for system in ("s1", "s2")
        for topic in ("1", "2")
        for rank, document in enumerate(rng.permutation(40)[:25], start=1)
    ]
    return pd.DataFrame(lines, columns=RUN), pd.DataFrame(judged, columns=[*JUDGED, "stratum"])


def compile_one(shown, levels, **columns):
    runs = [("s", "t", document, rank) for rank, document in enumerate(shown, start=1)]
    judged = [("t", "0", document, level) for document, level in levels.items()]
    qrels = pd.DataFrame(judged, columns=JUDGED).assign(**columns)
    return compile_rankings(pd.DataFrame(runs, columns=RUN), put_on_scale(qrels))


def score_one(text, shown, levels, **columns):
    measure = parse_measure(text)
    return float(measure.score(compile_one(shown, levels, **columns))[0])


@each(("text", "expected"), BY_HAND.items())
def test_by_hand(text, expected):
    assert score_one(text, SHOWN, LEVELS) == pytest.approx(expected, abs=1e-15)


@each("text", ["xinfAP", "infNDCG"])
def test_a_sample_against_sample_eval(text):
    runs, qrels = made_up()
    scores = evaluate([parse_measure(text)], compile_rankings(runs, put_on_scale(qrels)))
    ours = scores.set_index(["system", "topic_id"])["value"].to_dict()
    assert ours == pytest.approx(SAMPLE_EVAL[text], abs=5.1e-11)


@st.composite
def samples(draw):
    """Return a ranking, and levels, strata and probabilities of a pool."""
    documents = [f"d{number}" for number in range(14)]
    shown = draw(st.permutations([*documents, "x", "y", "z"]).map(lambda order: order[:12]))
    level = st.sampled_from([-1, -1, 0, 0, 1, 2])
    pooled = draw(st.lists(st.sampled_from(documents), min_size=2, unique=True))
    levels = {document: draw(level) for document in pooled}
    levels[pooled[0]], levels[pooled[1]] = 1, -1
    strata = [draw(st.sampled_from("ab")) for _ in pooled]
    probability = [draw(st.sampled_from([1.0, 0.5, 0.25])) for _ in pooled]
    return shown, levels, dict(zip(pooled, strata, strict=True)), probability


def slow_inf_ap(shown, levels, rel):
    """Reckon infAP rank by rank."""
    total = 0.0
    for rank, document in enumerate(shown, start=1):
        if levels.get(document, -1) < rel:
            continue
        above = [levels[one] for one in shown[: rank - 1] if one in levels]
        relevant = sum(level >= rel for level in above)
        nonrelevant = sum(0 <= level < rel for level in above)
        expected = (relevant + EPSILON) / (relevant + nonrelevant + 2 * EPSILON)
        total += 1 / rank
        total += (rank - 1) / rank * len(above) / (rank - 1) * expected if rank > 1 else 0
    return total / sum(level >= rel for level in levels.values())


def slow_xinf_ap(shown, levels, strata, rel):
    """Reckon xinfAP stratum by stratum: the chance of one times its mean precision."""
    inside = {one: [d for d in levels if strata[d] == one] for one in set(strata.values())}
    relevant = {}
    for one, documents in inside.items():
        drawn = [levels[d] for d in documents if levels[d] >= 0]
        found = sum(level >= rel for level in drawn)
        relevant[one] = found * len(documents) / len(drawn) if drawn else 0.0
    score = 0.0
    for one, documents in inside.items():
        precisions = [
            precision_expected(shown, shown.index(d) + 1, levels, strata, rel)
            for d in documents
            if levels[d] >= rel and d in shown
        ]
        found = sum(levels[d] >= rel for d in documents)
        if found:
            score += relevant[one] / sum(relevant.values()) * sum(precisions) / found
    return score


def precision_expected(shown, rank, levels, strata, rel):
    above = [d for d in shown[: rank - 1] if d in levels]
    expected = 0.0
    for one in {strata[d] for d in above}:
        own = [levels[d] for d in above if strata[d] == one]
        drawn = sum(level >= 0 for level in own)
        share = (sum(level >= rel for level in own) + EPSILON) / (drawn + 3 * EPSILON)
        expected += len(own) / len(above) * share
    return 1 / rank + len(above) / rank * expected


def slow_inf_ndcg(shown, levels, strata):
    """Reckon infNDCG, the ideal grade by grade."""
    grades = {}
    for one in set(strata.values()):
        own = [levels[d] for d in levels if strata[d] == one]
        drawn = [level for level in own if level >= 0]
        for level in drawn:
            grades[level] = grades.get(level, 0) + len(own) / len(drawn)
    ideal = start = 0.0
    for grade in sorted(grades, reverse=True):
        steps = int(grades[grade] + 1e-9)
        ideal += sum(grade / log2(start + step + 1) for step in range(1, steps + 1))
        start += grades[grade]
    reached = 0.0
    for one in set(strata.values()):
        own = [
            (levels[d], rank)
            for rank, d in enumerate(shown, start=1)
            if d in levels and strata[d] == one
        ]
        drawn = [(level, rank) for level, rank in own if level >= 0]
        gain = sum(level / log2(rank + 1) for level, rank in drawn)
        reached += len(own) * gain / len(drawn) if drawn else 0.0
    return reached / ideal


def slow_stat_ap(shown, levels, probabilities, rel):
    """Reckon statAP pair by pair."""
    found = [d for d in shown if levels.get(d, -1) >= rel]
    total = 0.0
    for second in range(len(found)):
        rank = shown.index(found[second]) + 1
        for first in range(second + 1):
            together = probabilities[found[second]]
            together *= probabilities[found[first]] if first < second else 1
            total += 1 / rank / together
    return total / sum(1 / probabilities[d] for d in levels if levels[d] >= rel)


@try_often(2)
@given(samples())
def test_any_sample_against_slow_transcriptions(sample):
    shown, levels, strata, probability = sample
    both = {"stratum": list(strata.values()), "probability": probability}
    known = dict(zip(levels, probability, strict=True))
    rankings = compile_one(shown, levels, **both)
    for rel in (1, 2):
        if max(levels.values()) < rel:
            continue
        expected = {
            "infAP": slow_inf_ap(shown, levels, rel),
            "xinfAP": slow_xinf_ap(shown, levels, strata, rel),
            "statAP": slow_stat_ap(shown, levels, known, rel),
        }
        for name, value in expected.items():
            found = parse_measure(f"{name}(rel={rel})").score(rankings)[0]
            assert found == pytest.approx(value, abs=1e-12), (name, rel)
    found = parse_measure("infNDCG").score(rankings)[0]
    assert found == pytest.approx(slow_inf_ndcg(shown, levels, strata), abs=1e-12)


@given(samples())
def test_inf_ap_against_trec_eval(trec_eval, sample):
    shown, levels, _, _ = sample
    runs = pd.DataFrame({"system": "s", "topic_id": "t", "document_id": shown})
    runs["score"] = -np.arange(len(runs), dtype=np.float64)
    qrels = pd.DataFrame({"topic_id": "t", "document_id": levels.keys(), "level": levels.values()})
    found = trec_eval(runs, qrels, {"infAP"})["s", "t"]["infAP"]
    assert score_one("infAP", shown, levels) == pytest.approx(found, abs=1e-9)


@each("text", ESTIMATED)
def test_nothing_is_estimated_without_a_sample(text):
    measure = parse_measure(text)
    rankings = compile_one(SHOWN, {"a": 1, "c": 0})
    assert rankings.sample is None
    assert np.isnan(measure.score(rankings)).all()
    assert evaluate([measure], rankings).empty
    assert evaluate([measure], rankings, empty_topics=True).empty
    every = evaluate([measure], rankings, empty_topics=True, undefined=True)
    assert every["value"].isna().tolist() == [True]
    assert measure.lack


def test_a_topic_without_a_sample_is_left_out():
    """Of topic u only what was judged is known, and how likely it was to be drawn."""
    runs = pd.DataFrame([("s", "t", "a", 1), ("s", "u", "a", 1)], columns=RUN)
    rows = [("t", "0", "a", 1, 0.5), ("t", "0", "b", -1, 0.5), ("u", "0", "a", 1, 0.5)]
    qrels = pd.DataFrame(rows, columns=[*JUDGED, "probability"])
    rankings = compile_rankings(runs, put_on_scale(qrels))
    scores = evaluate(list(map(parse_measure, ESTIMATED)), rankings, empty_topics=True)
    found = scores.groupby("measure")["topic_id"].agg("".join).to_dict()
    assert found == {"infAP": "t", "xinfAP": "t", "infNDCG": "t", "statAP": "tu"}


@each("told", [("stratum",), ("probability",), ("stratum", "probability")])
def test_a_topic_of_which_nothing_is_told_is_no_sample(told):
    """Topic u is judged, but nobody says that this is all of its pool."""
    runs = pd.DataFrame([("s", "t", "a", 1), ("s", "u", "a", 1)], columns=RUN)
    rows = [
        *(("t", "0", "a", 1, "x", 1.0), ("t", "0", "b", 0, "x", 1.0)),
        ("u", "0", "a", 1, None, np.nan),
    ]
    qrels = pd.DataFrame(rows, columns=[*JUDGED, "stratum", "probability"])
    rankings = compile_rankings(runs, put_on_scale(qrels[[*JUDGED, *told]]))
    scores = evaluate(list(map(parse_measure, ESTIMATED)), rankings, empty_topics=True)
    assert scores.groupby("measure")["topic_id"].agg("".join).to_dict() == dict.fromkeys(
        ESTIMATED, "t"
    )


def test_a_probability_that_is_not_known_leaves_no_stat_ap():
    given = [0.5, np.nan, 0.5, 0.5, np.nan]
    assert score_one("statAP", SHOWN, LEVELS, probability=given) > 0
    levels = {"a": 1, "c": 1}
    assert np.isnan(score_one("statAP", SHOWN, levels, probability=[0.5, np.nan]))


def test_documents_of_one_probability_are_a_stratum():
    """Where no stratum is named: so they were drawn, as far as anybody can say."""
    given = [1.0, 0.5, 1.0, 0.5, 0.5]
    named = {"stratum": ["x", "y", "x", "y", "y"]}
    expected = score_one("xinfAP", SHOWN, LEVELS, **named)
    assert score_one("xinfAP", SHOWN, LEVELS, probability=given) == expected
    assert expected != score_one("xinfAP", SHOWN, LEVELS)


def test_a_whole_pool_gives_the_measures_themselves():
    """But for the smoothing: everything was drawn, and the strata say so."""
    levels = {"a": 1, "b": 0, "c": 2, "d": 1, "e": 0}
    for text, plain in {
        **{"infAP": "AP", "xinfAP": "AP", "statAP": "AP", "infNDCG": "nDCG"},
        **{"infNDCG(gain='exp')@3": "nDCG(gain='exp')@3", "statAP(rel=2)@3": "AP(rel=2)@3"},
    }.items():
        exact = score_one(plain, SHOWN, levels)
        assert score_one(text, SHOWN, levels, stratum="all") == pytest.approx(exact, abs=2e-5)
        assert score_one(text, SHOWN, levels, probability=1.0) == pytest.approx(exact, abs=2e-5)


def test_the_ideal_ends_at_rank_1000():
    """So it does in sample_eval, for runs go no further; a cut-off ends it earlier."""
    levels = {f"d{number}": 1 if number < 20 else -1 for number in range(2000)}
    ideal = {None: 1000, 5: 5}
    for cutoff, deepest in ideal.items():
        text = f"infNDCG@{cutoff}" if cutoff else "infNDCG"
        possible = sum(1 / log2(rank + 1) for rank in range(1, deepest + 1))
        assert score_one(text, ("d0",), levels) == pytest.approx(1 / possible, abs=1e-12)


@each("given", [0.0, 1.5, -0.1])
def test_what_is_no_probability_is_refused(given):
    with pytest.raises(BadInput, match="above 0 and at most 1"):
        compile_one(SHOWN, {"a": 1}, probability=given)


def test_snippets_of_engines_are_no_sample():
    assert compile_one(SHOWN, LEVELS, engine="").sample is None


def test_runs_are_read_to_a_depth():
    runs = pd.DataFrame(
        [("s", "t", document, rank) for rank, document in enumerate(SHOWN, start=1)], columns=RUN
    )
    qrels = pd.DataFrame([("t", "0", *pair) for pair in LEVELS.items()], columns=JUDGED)
    cut = compile_rankings(runs, put_on_scale(qrels), 3)
    assert parse_measure("infAP").score(cut).tolist() == [BY_HAND["infAP@3"]]


@pytest.fixture(scope="module")
def trec2(shared_data):
    """Five topics of TREC-2: the pool of all runs to depth 100, qrels of it, and three runs."""
    folder = shared_data / "trec2"
    runs = read_runs(sorted((folder / "runs").glob("*.run.gz")))
    runs = runs[runs["topic_id"].isin(sorted(runs["topic_id"].unique())[::5])]
    qrels = read_qrels(Source.at(folder / "adhoc.qrels.gz"), None).frames["qrels"]
    candidates = build_candidates(runs, 100)
    some = runs[runs["system"].isin(["INQ001", "citri2", "erima1"])]
    return candidates, qrels[candidates.find(qrels) >= 0], some


# By order of judging, how far the mean of an estimate may be from the score by the whole pool.
# The estimates are ratios, so that they are not free from bias. Over all 25 topics and 1,000
# samples it was, of scores from .06 to .16 (nDCG to .31), at most .0016, .0013 and .0028 for the
# first and .0023 for the second; over 300 samples .0033 for the third.
BIASES = {
    "stratified": {"xinfAP": 0.003, "infNDCG": 0.003, "statAP": 0.004},
    "stratified(until=(), rates=(0.3,))": {"infAP": 0.004},
    "stat-sample(budget=300)": {"statAP": 0.004},
}


@long
@pytest.mark.parametrize("samples", [50, 1000])
@pytest.mark.parametrize("order", BIASES)
def test_estimates_come_out_as_the_scores_by_the_whole_pool(trec2, order, samples):
    """But for the bias that is known; the number of relevant documents has none at all."""
    candidates, qrels, runs = trec2
    chooser, whole = parse_order(order), compile_rankings(runs, put_on_scale(qrels))
    found = {text: [] for text in ("relevant", *BIASES[order])}
    for seed in range(samples):
        sample = sample_qrels(candidates, chooser.draw(candidates, seed), qrels)
        rankings = compile_rankings(runs, put_on_scale(sample))
        pool = rankings.sample.pool
        weight = np.where(pool.cells.level >= 1, 1 / pool.probability, 0.0)
        found["relevant"].append([weight.sum()])
        for text in BIASES[order]:
            scores = np.nan_to_num(parse_measure(text).score(rankings))
            found[text].append(scores.reshape(3, -1).mean(axis=1))
    truth = {"relevant": whole.relevant(1).sum()}
    for text in BIASES[order]:
        plain = parse_measure("nDCG" if text == "infNDCG" else "AP")
        truth[text] = plain.score(whole).reshape(3, -1).mean(axis=1)
    for text, values in found.items():
        error = np.std(values, axis=0, ddof=1) / np.sqrt(samples)
        bias = np.abs(np.mean(values, axis=0) - truth[text])
        assert (bias <= BIASES[order].get(text, 0.0) + 4 * error).all(), (text, bias, error)
