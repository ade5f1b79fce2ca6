"""The command against counts made here from its own pairs, scipy's τ and trec_eval's scores."""

import gzip
from itertools import combinations

import pytest
import pytrec_eval
from scipy.stats import kendalltau, spearmanr, ttest_rel

from core.collection.files.source import Source
from core.collection.formats import read_import
from core.collection.qrels_and_runs.trec import write_qrels
from core.versions.rules import QrelsRule
from core.versions.versions import qrels_from_labels, round_levels
from tests.short import long

RULES = {
    "first": QrelsRule("first", combine="first", slots=(1,)),
    "second": QrelsRule("second", combine="first", slots=(2,)),
    "both": QrelsRule("both", combine="mean", factor=2),
}
ORDERS = "Kendall's τ-b of the two orders, over topics like these"
KEYS = {"rankings", "pairs", "discriminative_power", "tau", "overlap"}


@pytest.fixture(scope="module")
def slots(dl19, tmp_path_factory):
    """Write dl19's labels as qrels of the first, the second and both assessors of each topic."""
    labels = read_import("labels", Source.at(dl19 / "labels.tsv")).frames["labels"]
    folder = tmp_path_factory.mktemp("slots")
    for name, rule in RULES.items():
        qrels = round_levels(qrels_from_labels(labels, rule))
        (folder / f"{name}.qrels").write_bytes(write_qrels(qrels))
    return {name: folder / f"{name}.qrels" for name in RULES}


@pytest.fixture(scope="module")
def runs(dl19):
    return sorted((dl19 / "runs").iterdir())


@pytest.fixture
def small(tmp_path):
    """Write three systems, three topics and two qrels that see them the other way round."""
    lines = {
        system: "".join(
            f"t{topic} Q0 {document} 0 {9 - rank} {system}\n"
            for topic in (1, 2, 3)
            for rank, document in enumerate(order)
        )
        for system, order in {"s1": "abc", "s2": "bac", "s3": "cba"}.items()
    }
    for system, text in lines.items():
        (tmp_path / f"{system}.run").write_text(text)
    for name, best in {"one": "a", "two": "c"}.items():
        (tmp_path / f"{name}.qrels").write_text(
            "".join(
                f"t{topic} 0 {document} {int(document == best)}\n"
                for topic in (1, 2, 3)
                for document in "abc"
            )
        )
    return [tmp_path / f"s{n}.run" for n in (1, 2, 3)]


@long
def test_sakai_section_4_of_dl19(dissent, slots, runs):
    """Tables 3 to 5 and Figure 1: every number recounted from scores, pairs and sets."""
    words = ("compare", "--qrels", *slots.values(), "--run", *runs, "--measure", "nDCG@10")
    result = dissent(*words, "--format", "json")
    assert result.status == 0
    assert "note: not every topic counts under every condition" in result.err
    found = result.json
    assert set(found) >= KEYS
    assert (found["test"], found["permutations"], found["alpha"]) == ("single-step", 10_000, 0.05)
    means = _check_rankings(found, slots, runs)
    _check_tau(found, {name: means[str(path)] for name, path in slots.items()})
    _check_power_and_overlap(found, {str(path): name for name, path in slots.items()})


def _check_rankings(found, slots, runs):
    """Oracle: trec_eval's nDCG at 10 on the very files."""
    means = {}
    for entry, path in zip(found["rankings"], slots.values(), strict=True):
        assert entry["qrels"] == str(path)
        assert entry["topics"] is None
        qrels = {}
        for line in path.read_text().splitlines():
            topic, _, document, level = line.split()
            qrels.setdefault(topic, {})[document] = int(level)
        qrels = {topic: levels for topic, levels in qrels.items() if any(levels.values())}
        judge = pytrec_eval.RelevanceEvaluator(qrels, {"ndcg_cut.10"})
        expected = {}
        for run in runs:
            ranking = {}
            with gzip.open(run, "rt") as lines:
                for topic, _, document, _, score, tag in map(str.split, lines):
                    ranking.setdefault(topic, {})[document] = float(score)
                    system = tag
            scores = [one["ndcg_cut_10"] for one in judge.evaluate(ranking).values()]
            expected[system] = sum(scores) / len(qrels)
        own = {row["system"]: row["mean"] for row in entry["systems"]}
        assert own == pytest.approx(expected, abs=1e-9)
        assert len(own) == 37
        assert [row["rank"] for row in entry["systems"]] == sorted(
            1 + sum(other > mean for other in own.values()) for mean in own.values()
        )
        means[entry["qrels"]] = own
    return means


def _check_tau(found, means):
    """Oracle: scipy on the means."""
    assert len(found["tau"]) == 3
    for entry in found["tau"]:
        first, second = means[entry["first"]], means[entry["second"]]
        values = [first[system] for system in first], [second[system] for system in first]
        assert entry["value"] == pytest.approx(kendalltau(*values)[0], abs=1e-12)
        assert entry["spearman"] == pytest.approx(spearmanr(*values)[0], abs=1e-12)
        assert entry["low"] < entry["value"] < entry["high"]
        assert entry["interval"] == {"method": "bootstrap", "unit": "topic", "n": 22, "of": ORDERS}
        assert entry["differ"] == (entry["p"] < 0.05)


def _check_power_and_overlap(found, short):
    """Oracle: sets of (better, worse) read off the pairs; conditions go by short names."""
    names = list(short.values())
    won = {name: set() for name in names}
    counted = dict.fromkeys(names, 0)
    for pair in found["pairs"]:
        counted[short[pair["qrels"]]] += 1
        if pair["p"] < 0.05:
            ordered = pair["first"], pair["second"]
            won[short[pair["qrels"]]].add(ordered if pair["difference"] > 0 else ordered[::-1])
    assert counted == dict.fromkeys(names, 37 * 36 // 2)
    for entry in found["discriminative_power"]:
        assert entry["significant"] == len(won[short[entry["qrels"]]])
        assert 50 < entry["significant"] < 300
    overlaps = {(one["first"], one["second"]): one for one in found["overlap"]}
    assert set(overlaps) == set(combinations(names, 2))
    for (first, second), entry in overlaps.items():
        one, two = won[first], won[second]
        assert (entry["only_first"], entry["both"], entry["only_second"]) == (
            len(one - two), len(one & two), len(two - one)
        )  # fmt: skip
        assert entry["share"] == pytest.approx(len(one & two) / len(one | two))
        assert entry["turned"] == 0


@long
def test_topic_sets_compare_like_qrels(dissent, slots, runs, tmp_path):
    """Sakai's Tables 6 to 8: all, and two halves of the topics."""
    topics = sorted({line.split()[0] for line in slots["both"].read_text().splitlines()})
    for name, part in {"high": topics[:11], "low": topics[11:]}.items():
        (tmp_path / f"{name}.txt").write_text("\n".join(part) + "\n")
    words = ("compare", "--qrels", slots["both"], "--run", *runs, "--measure", "nDCG@10")
    sets = (
        "--topics",
        "all",
        f"high={tmp_path / 'high.txt'}",
        "--topics",
        f"low={tmp_path}/low.txt",
    )
    found = dissent(*words, *sets, "--permutations", 500, "--format", "json").json
    assert [one["topics"] for one in found["rankings"]] == ["all", "high", "low"]
    assert {one["qrels"] for one in found["rankings"]} == {str(slots["both"])}
    assert [one["counted_topics"] for one in found["conditions"]] == [22, 11, 11]
    assert [(one["first"], one["second"]) for one in found["tau"]] == [
        ("all", "high"), ("all", "low"), ("high", "low")
    ]  # fmt: skip
    whole, high, low = (
        {row["system"]: row["mean"] for row in one["systems"]} for one in found["rankings"]
    )
    for system, mean in whole.items():
        assert mean == pytest.approx((high[system] + low[system]) / 2)
    assert len(found["discriminative_power"]) == len(found["overlap"]) == 3


@long
def test_the_same_seed_gives_the_same_p(dissent, slots, runs):
    words = ("compare", "--qrels", slots["first"], "--run", *runs[:6], "--measure", "AP")
    words += ("--permutations", 200, "--format", "json")
    first, again, other = (dissent(*words, "--seed", seed).json["pairs"] for seed in (7, 7, 8))
    assert first == again
    assert first != other


def test_paired_t_equals_scipy(dissent, slots, runs):
    """Oracle: scipy's paired t test on the scores that evaluate prints."""
    chosen = ("--qrels", slots["first"], "--run", *runs[:3], "--measure", "nDCG@10")
    scores = dissent("evaluate", *chosen, "--per-topic", "--format", "json").json["scores"]
    by_system = {}
    for row in scores:
        if row["topic"] is not None and row["value"] is not None:
            by_system.setdefault(row["system"], []).append(row["value"])
    words = ("compare", *chosen, "--test", "t", "--correction", "none", "--format", "json")
    pairs = dissent(*words).json["pairs"]
    assert len(pairs) == 3
    for pair in pairs:
        expected = ttest_rel(by_system[pair["first"]], by_system[pair["second"]])
        assert pair["p"] == pytest.approx(expected.pvalue, abs=1e-12)


def test_pairs_that_turn_round_are_told(dissent, small):
    words = ("compare", "--qrels", "one.qrels", "two.qrels", "--run", *small, "--measure", "RR")
    found = dissent(*words, "--test", "t", "--format", "json").json
    (overlap,) = found["overlap"]
    assert (overlap["only_first"], overlap["both"], overlap["only_second"]) == (3, 0, 2)
    assert overlap["turned"] == 2
    (tau,) = found["tau"]
    assert tau["first"] == "one"
    assert "opposite directions" in found["verdict"][0]
    assert "permutations" not in found


def test_one_condition_has_its_pairs_and_letters(dissent, small):
    words = ("compare", "--qrels", "one.qrels", "--run", *small, "--measure", "RR", "--test", "t")
    found = dissent(*words, "--format", "json").json
    assert found["tau"] == found["overlap"] == []
    (letters,) = found["superscripts"]
    assert [(one["system"], one["better_than"]) for one in letters["systems"]] == [
        ("s1", "b c"), ("s2", "c"), ("s3", "")
    ]  # fmt: skip
    (condition,) = found["conditions"]
    assert (condition["condition"], condition["judged_topics"]) == ("one", 3)
    assert len(condition["content_hash"]) == 64
    assert found["rankings"][0]["systems"][0]["judged"] == 1


@long
def test_measures_compare_like_qrels(dissent, small):
    words = ("compare", "--qrels", "one.qrels", "--run", *small, "--measure", "RR", "P@2")
    found = dissent(*words, "--permutations", 50, "--format", "json").json
    assert [one["condition"] for one in found["rankings"]] == ["RR", "P@2"]
    both = dissent(*words, "--topics", "x", "y", "--permutations", 50, "--format", "json").json
    assert [one["condition"] for one in both["rankings"]] == ["x, RR", "x, P@2", "y, RR", "y, P@2"]


@long
def test_too_little_to_test_is_null_and_says_why(dissent, small, tmp_path):
    (tmp_path / "t1.txt").write_text("t1\n\n")
    words = ("compare", "--qrels", "one.qrels", "--run", *small, "--measure", "RR")
    words += ("--test", "t")
    found = dissent(*words, "--topics", "few=t1.txt", "all", "--format", "json").json
    few, every = found["discriminative_power"]
    assert few["significant"] is None
    assert "two topics" in few["reason"]
    assert "reason" not in every
    assert found["overlap"] == []
    assert len(found["tau"]) == 1
    table = dissent(*words, "--topics", "few=t1.txt").out
    assert "two topics" in table


@long
def test_undefined_values_are_null_and_say_why(dissent, small, tmp_path):
    (tmp_path / "same.qrels").write_text(
        "".join(f"t{n} 0 {d} 1\n" for n in (1, 2, 3) for d in "abc")
    )
    words = ("compare", "--qrels", "same.qrels", "one.qrels", "--run", *small, "--measure", "RR")
    found = dissent(*words, "--test", "t", "--format", "json").json
    (tau,) = found["tau"]
    assert tau["value"] is tau["low"] is tau["differ"] is None
    assert "tied" in tau["reason"]
    for pair in found["pairs"]:
        assert (pair["low"] is None) == ("same amount" in pair.get("reason", ""))
    words = ("compare", "--qrels", "same.qrels", "same.qrels", "--run", *small)
    words += ("--measure", "RR", "P@3", "--test", "t", "--format", "json")
    (overlap,) = dissent(*words).json["overlap"]
    assert overlap["share"] is None
    assert "no pair is significant" in overlap["reason"]


@long
def test_what_is_corrected_for_is_said(dissent, small):
    words = ("compare", "--qrels", "one.qrels", "two.qrels", "--run", *small, "--measure", "RR")
    plain = dissent(*words, "--test", "t", "--format", "json").json
    assert plain["correction_note"] == (
        "p is corrected for the 3 pairs of systems, by Holm's method, not for the 2 conditions: "
        "each has its own chance of an error."
    )
    assert "Simulated chance of any false difference" in plain["error_rate"]
    over = dissent(*words, "--test", "t", "--over-conditions", "--format", "json").json
    assert over["correction_note"] == (
        "p is corrected for the 3 pairs of systems, by Holm's method, and for the 2 conditions, "
        "by Bonferroni's."
    )
    for one, other in zip(plain["pairs"], over["pairs"], strict=True):
        assert other["p"] == pytest.approx(min(1, 2 * one["p"]))
    table = dissent(*words, "--test", "t").out
    assert plain["correction_note"] in table


@long
def test_permutations_that_cannot_reach_alpha_are_raised(dissent, slots, runs):
    """37 systems: 666 pairs; 10,000 permutations leave no p below .067 after Holm."""
    words = ("compare", "--qrels", slots["both"], "--run", *runs, "--measure", "nDCG@10")
    words += ("--test", "randomisation", "--format", "json")
    found = dissent(*words).json
    (power,) = found["discriminative_power"]
    assert power["permutations"] == found["permutations"] == 133_200
    assert "B was raised from 10,000" in found["correction_note"]
    assert power["least_p"] == pytest.approx(0.005, rel=1e-3)
    assert power["significant"] > 100
    refused = dissent(*words, "--alpha", 0.001, "--over-conditions")
    assert refused.status == 1
    assert "need 2,097,151 permutations" in refused.err


@long
def test_a_posterior_with_its_prior(dissent, slots, runs):
    words = ("compare", "--qrels", slots["first"], "--run", *runs[:4], "--measure", "nDCG@10")
    words += ("--permutations", 50)
    found = dissent(*words, "--rope", 0.02, "--format", "json").json
    posterior = found["bayesian"]
    assert posterior["rope"] == 0.02
    assert "p(μ, σ) ∝ 1/σ" in posterior["prior"]
    assert len(posterior["pairs"]) == len(found["pairs"]) == 6
    for row, pair in zip(posterior["pairs"], found["pairs"], strict=True):
        total = row["first_better"] + row["equal"] + row["second_better"]
        assert total == pytest.approx(1)
        assert row["difference"] == pair["difference"]
        assert pair["low"] < row["low"] < row["high"] < pair["high"]
        (posterior_of, pair_of) = (one["interval"].pop("of") for one in (row, pair))
        assert row["interval"] == {"method": "posterior-t", "unit": "topic", "n": 21}
        assert pair["interval"] == {"method": "max-t", "unit": "topic", "n": 21}
        assert posterior_of == "difference, by its posterior, over topics like these"
        assert pair_of == "difference between the means of the two systems, over topics like these"
    assert "how likely the first is better" in dissent(*words, "--rope", 0.02).out
    assert dissent(*words, "--format", "json").json["bayesian"] is None


@long
def test_who_contributes_how_much_variance(dissent, slots, runs):
    words = ("compare", "--qrels", slots["first"], slots["second"], "--run", *runs[:6])
    words += ("--measure", "nDCG@10", "--permutations", 50, "--common-topics")
    (found,) = dissent(*words, "--format", "json").json["variance"]
    assert found["versions"] == 2
    assert len(found["conditions"]) == 2
    sources = {row["source"]: row["share"] for row in found["components"]}
    assert sum(sources.values()) == pytest.approx(1)
    assert {"topic", "system", "version", "topic × system", "topic × system × version"} <= {
        *sources
    }
    assert 0 < found["absolute"] <= found["relative"] < 1
    assert found["low"] is None
    assert "several versions" in found["reason"]
    (alone,) = dissent(*words[:3], *words[4:], "--format", "json").json["variance"]
    assert alone["low"] < alone["relative"] < alone["high"]
    assert "variance of scores" in dissent(*words).out


@long
def test_limits_of_tau_by_who_judged(dissent, small, tmp_path):
    (tmp_path / "judges").write_text("t1 ann\nt2 cem\nt3 bob\nt3 ann\n\n")
    words = ("compare", "--qrels", "one.qrels", "two.qrels", "--run", *small, "--measure", "RR")
    words += ("--permutations", 50, "--format", "json")
    judged = ("--judged-by", "one.qrels=judges", "two.qrels=judges")
    (tau,) = dissent(*words, *judged, "--tau-interval", "assessor").json["tau"]
    assessors = ORDERS.replace("topics", "assessors")
    assert tau["interval"] == {"method": "bootstrap", "unit": "assessor", "n": 3, "of": assessors}
    (tau,) = dissent(*words, *judged, "--tau-interval", "both").json["tau"]
    assert tau["interval"]["of"] == ORDERS.replace("topics", "topics and assessors")
    assert tau["low"] is not None
    (tau,) = dissent(*words, "--tau-interval", "assessor").json["tau"]
    assert tau["low"] is None
    assert "who judged each topic is not known" in tau["reason"]
    (tau,) = dissent(*words, "--tau-interval", "hollander-wolfe").json["tau"]
    assert tau["interval"].pop("of") == ORDERS.replace("topics", "systems")
    assert tau["interval"] == {"method": "hollander-wolfe", "unit": "system", "n": 3}
    assert tau["equivalent"] is False
    refused = dissent(*words, "--judged-by", "three.qrels=judges")
    assert "'three.qrels' is not among the qrels" in refused.err
    (tmp_path / "broken").write_text("t1 ann\nt2\n")
    refused = dissent(*words, "--judged-by", "one.qrels=broken")
    assert "broken:2: a line has a topic and an assessor" in refused.err


@long
def test_topics_that_only_some_count_may_be_left_out(dissent, small, tmp_path):
    (tmp_path / "less.qrels").write_text("t1 0 a 1\nt2 0 a 1\nt3 0 b 0\n")
    words = ("compare", "--qrels", "one.qrels", "less.qrels", "--run", *small, "--measure", "RR")
    words += ("--permutations", 50, "--format", "json")
    result = dissent(*words)
    assert "ask for common topics to compare them on those that all count" in result.err
    assert [one["counted_topics"] for one in result.json["conditions"]] == [3, 2]
    common = dissent(*words, "--common-topics")
    assert "not every topic counts" not in common.err
    assert [one["counted_topics"] for one in common.json["conditions"]] == [2, 2]
    assert [one["judged_topics"] for one in common.json["conditions"]] == [3, 3]
    (tmp_path / "other.qrels").write_text("t9 0 a 1\nt3 0 b 1\n")
    words = ("compare", "--qrels", "less.qrels", "other.qrels", "--run", *small, "--measure", "RR")
    refused = dissent(*words, "--common-topics")
    assert refused.status == 1
    assert "no topic counts under all conditions" in refused.err


def test_empty_topics_and_gaps(dissent, small, tmp_path):
    (tmp_path / "gap.qrels").write_text("t1 0 a 1\nt2 0 a 0\nt4 0 a 1\n")
    words = ("compare", "--qrels", "gap.qrels", "--run", *small, "--measure", "RR")
    words += ("--permutations", 50, "--format", "json")
    result = dissent(*words)
    assert "judged topics without a line of s1, which score 0: 1" in result.err
    assert "topics of the runs without a judgement, left out: 1" in result.err
    (condition,) = result.json["conditions"]
    assert (condition["counted_topics"], condition["unanswered"]) == (2, 3)
    (whole,) = dissent(*words, "--empty-topics").json["conditions"]
    assert whole["counted_topics"] == 3


@long
def test_levels_and_weights_are_heeded(dissent, small, tmp_path):
    (tmp_path / "graded.qrels").write_text("".join(f"t{n} 0 a 1\nt{n} 0 c 2\n" for n in (1, 2, 3)))
    words = ("compare", "--qrels", "graded.qrels", "--run", *small, "--permutations", 50)

    def means(*more: str) -> dict[str, float]:
        (one,) = dissent(*words, *more, "--format", "json").json["rankings"]
        return {row["system"]: row["mean"] for row in one["systems"]}

    assert means("--measure", "RR") == {"s1": 1, "s2": 0.5, "s3": 1}
    assert means("--measure", "RR", "--level", "2") == pytest.approx(
        {"s1": 1 / 3, "s2": 1 / 3, "s3": 1}
    )
    weighted = means("--measure", "DCG(gain='udm')@1", "--weights", "0=0,1=1,2=0.25")
    assert weighted == {"s1": 1, "s2": 0, "s3": 0.25}


@long
def test_tables_for_people(dissent, small):
    words = ("compare", "--qrels", "one.qrels", "two.qrels", "--run", *small, "--measure", "RR")
    out = dissent(*words, "--test", "t").out
    assert out.startswith("RR; paired t test, p after Holm, α = 0.05\n")
    for part in (
        "Kendall's τ-b with 95 % interval",
        "3/0/2 (0.0%)",
        "one: who is significantly better than whom",
        "a  s1      1.000  b c",
    ):
        assert part in out, part
    alone = dissent("compare", "--qrels", "one.qrels", "--run", *small, "--measure", "RR").out
    assert "Kendall" not in alone


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (("--test", "luck"), "invalid choice"),
        (("--alpha", "0"), "'0' is not a level of significance"),
        (("--alpha", "x"), "'x' is not a level of significance"),
        (("--permutations", "0"), "'0' is not a whole number from 1"),
        (("--rope", "-1"), "'-1' is not a width of 0 or more"),
        (("--rope", "x"), "'x' is not a width of 0 or more"),
        (("--judged-by", "one.qrels="), "'one.qrels=' is not written QRELS=FILE"),
        (("--topics", "=file"), "'=file' is not written SET=FILE"),
        (("--topics", "name="), "'name=' is not written SET=FILE"),
        (("--measure", "foo"), "'foo'"),
        (("--level", "0"), "'0' is not a level above 0"),
    ],
)
def test_wrong_usage(dissent, small, words, reason):
    given = ("--qrels", "one.qrels", "--run", *small, "--measure", "RR")
    result = dissent("compare", *given, *words)
    assert (result.status, result.out) == (2, "")
    assert reason in result.err


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (("--topics", "x=absent.txt"), "absent.txt: the file cannot be read"),
        (("--topics", "x=two.txt"), "two.txt:2: a topic file has one topic id a line"),
        (("--topics", "x", "x"), "two topic sets are called 'x'"),
        (("--topics", "x=strange.txt"), "one.qrels: RR has nothing to find on the topics 'x'"),
        (
            ("--qrels", "none.qrels"),
            "none.qrels: RR has nothing to find: no judgement there counts",
        ),
        (("--measure", "E"), "compare by F, its complement"),
        (("--measure", "AP", "GMAP"), "GMAP is one geometric mean over all topics"),
        (("--qrels", "broken.qrels"), "broken.qrels:1: "),
    ],
)
def test_bad_input(dissent, small, tmp_path, words, reason):
    for name, text in {
        "two.txt": "t1\nt2 t3\n",
        "strange.txt": "t7\n",
        "none.qrels": "t1 0 a 0\n",
        "broken.qrels": "t1 0 a\n",
    }.items():
        (tmp_path / name).write_text(text)
    given = ("--qrels", "one.qrels", "--run", *small, "--measure", "RR")
    result = dissent("compare", *given, *words, "--format", "json")
    assert (result.status, result.out) == (1, "")
    assert reason in result.err


def test_topics_that_nobody_judged_are_named(dissent, small, tmp_path):
    (tmp_path / "some.txt").write_text("".join(f"t{n}\n" for n in (1, 2, 4, 5, 6, 7, 8, 9)))
    words = ("compare", "--qrels", "one.qrels", "--run", *small, "--measure", "RR")
    result = dissent(*words, "--topics", "some=some.txt", "--permutations", 50)
    assert result.status == 0
    assert "one.qrels: topics of 'some' without a judgement: t4, t5, t6, t7, t8 …" in result.err
