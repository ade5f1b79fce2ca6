"""The lecture pages print the textbook's and the papers' numbers, to the digit given there.

Sources: Baeza-Yates & Ribeiro-Neto, Modern Information Retrieval (2nd ed.), chapter 4, and
Demeester et al., WSDM 2014, with the corrections that the definitions of this project name.
"""

import pytest

from core.store.people.people import add_person
from tests.pages.conftest import lasting_organiser, lasting_store
from tests.short import few, long

store, organiser = lasting_store, lasting_organiser

ADDRESSES = (
    "precision-recall",
    "one-number",
    "graded-relevance",
    "rank-correlation",
    "disagreeing-users",
    "position-bias",
)


def table(at, *columns):
    """Return the first table that has these columns."""
    return next(one.value for one in at.dataframe if set(columns) <= set(one.value.columns))


def formulas(at) -> str:
    return " ".join(one.value for one in at.latex)


def texts(at) -> str:
    return " ".join(one.value for one in (*at.markdown, *at.caption))


def walk(at, key: str, rank: int):
    return at.slider(key=key).set_value(rank).run()


@pytest.mark.parametrize("address", ADDRESSES)
@pytest.mark.parametrize("role", few(["organiser", "assessor"]))
def test_everybody_may_learn_without_any_collection(open_page, store, address, role):
    at = open_page(address, add_person(store, f"{role} at {address}", role))
    assert not at.exception
    assert not at.error
    assert at.latex


@pytest.mark.parametrize("address", few(ADDRESSES))
def test_both_queries_can_be_read_from_the_first_rank_to_the_last(open_page, organiser, address):
    at = open_page(address, organiser)
    for radio in at.radio:
        radio.set_value("q2")
    for end in ("min", "max"):
        for slider in at.slider:
            slider.set_value(getattr(slider, end))
        at.run()
        assert not at.exception
        assert "nan" not in formulas(at)


def test_precision_and_recall_rank_by_rank(open_page, organiser):
    at = walk(open_page("precision-recall", organiser), "precision-rank", 15)
    steps = table(at, "precision", "recall", "relevant").set_index("rank")
    assert steps["document_id"].tolist()[:4] == ["d123", "d84", "d56", "d6"]
    assert steps.index[steps["relevant"] == "●"].tolist() == [1, 3, 6, 10, 15]
    assert steps.loc[[1, 3, 5, 10], "precision"].tolist() == pytest.approx([1, 2 / 3, 0.4, 0.4])
    assert steps.loc[[1, 3, 15], "recall"].tolist() == pytest.approx([0.1, 0.2, 0.5])


def test_what_has_not_been_read_has_no_numbers(open_page, organiser):
    at = walk(open_page("precision-recall", organiser), "precision-rank", 3)
    steps = table(at, "precision", "recall", "relevant").set_index("rank")
    assert steps["precision"].notna().sum() == 3
    assert steps.index[steps["here"] == "▶"].tolist() == [3]
    assert r"\frac{2}{3} = 0.667" in formulas(at)
    assert r"\frac{2}{10} = 0.200" in formulas(at)


def test_interpolated_precision_and_its_mean(open_page, organiser):
    eleven = table(open_page("precision-recall", organiser), "q1", "q2", "mean")
    assert eleven["q1"].tolist() == pytest.approx([1, 1, 2 / 3, 0.5, 0.4, 1 / 3, 0, 0, 0, 0, 0])
    assert eleven["q2"].tolist() == pytest.approx([1 / 3] * 4 + [0.25] * 3 + [0.2] * 4)
    assert eleven["mean"].round(3).tolist()[:4] == [0.667, 0.667, 0.5, 0.417]


def test_the_exact_points_of_q2(open_page, organiser):
    at = open_page("precision-recall", organiser)
    at.radio(key="precision-query").set_value("q2").run()
    points = table(at, "rank", "recall", "value")
    assert points["rank"].tolist() == [3, 8, 15]
    assert points["value"].tolist() == pytest.approx([1 / 3, 1 / 4, 1 / 5])
    assert points["recall"].tolist() == pytest.approx([1 / 3, 2 / 3, 1])


def test_one_number_for_each_query(open_page, organiser):
    at = open_page("one-number", organiser)
    scores = table(at, "measure", "q1", "q2").set_index("measure")
    q1 = scores["q1"].round(4).to_dict()
    assert q1 == {"P@5": 0.4, "P@10": 0.4, "Rprec": 0.4, "AP": 0.29, "RR": 1.0}
    assert scores.loc["RR", "q2"] == pytest.approx(1 / 3)
    assert scores.loc["AP", "mean"] == pytest.approx((0.29 + (1 / 3 + 1 / 4 + 1 / 5) / 3) / 2)
    assert r"\frac{1.00 + .67 + .50 + .40 + .33 + 5 \cdot 0}{10} \\ &= 0.29 " in formulas(at)
    assert r"\frac{4}{10} = 0.400" in formulas(at)


@long
def test_reciprocal_rank_gives_up_after_its_threshold(open_page, organiser):
    at = open_page("one-number", organiser)
    at.radio(key="one-number-query").set_value("q2").run()
    assert r"3 \le 10: \qquad \text{RR} = \frac{1}{3} = 0.333" in formulas(at)
    walk(at, "rr-threshold", 2)
    assert r"3 > 2: \qquad \text{RR} = 0" in formulas(at)


@long
def test_e_and_f_weigh_precision_against_recall(open_page, organiser):
    at = walk(open_page("one-number", organiser), "balance-rank", 15)
    precision, recall = 5 / 15, 0.5
    for b in (0.0, 0.5, 1.0, 2.0, 5.0):
        at.slider(key="balance-b").set_value(b).run()
        expected = 1 - (1 + b**2) / (b**2 / recall + 1 / precision)
        assert f"= {expected:.3f}" in formulas(at)
        assert "{\\frac{1}{r} + \\frac{1}{P}} = 0.400" in formulas(at)
    assert "recall matters more" in texts(at)


def test_cumulated_gain_step_by_step(open_page, organiser):
    at = walk(open_page("graded-relevance", organiser), "gain-rank", 15)
    steps = table(at, "G", "CG", "DCG")
    assert steps["G"].tolist() == [1, 0, 1, 0, 0, 3, 0, 0, 0, 2, 0, 0, 0, 0, 3]
    assert steps["CG"].tolist() == [1, 1, 2, 2, 2, 5, 5, 5, 5, 7, 7, 7, 7, 7, 10]
    assert steps["DCG"].round(1).tolist() == [
        *(1.0, 1.0, 1.6, 1.6, 1.6, 2.8, 2.8, 2.8, 2.8, 3.4, 3.4, 3.4, 3.4, 3.4, 4.2)
    ]
    ideal = table(at, "IG", "ICG", "IDCG")
    assert ideal["IG"].tolist() == [3, 3, 3, 2, 2, 2, 1, 1, 1, 1, 0, 0, 0, 0, 0]
    assert ideal["ICG"].tolist() == [3, 6, 9, 11, 13, 15, 16, 17, 18, 19, 19, 19, 19, 19, 19]
    assert ideal["IDCG"].round(1).tolist() == [
        *(3.0, 6.0, 7.9, 8.9, 9.8, 10.5, 10.9, 11.2, 11.5, 11.8, 11.8, 11.8, 11.8, 11.8, 11.8)
    ]


@long
def test_the_gains_of_q2(open_page, organiser):
    at = open_page("graded-relevance", organiser)
    at.radio(key="gain-query").set_value("q2").run()
    walk(at, "gain-rank", 15)
    steps = table(at, "G", "CG", "DCG")
    assert steps["CG"].tolist() == [0, 0, 2, 2, 2, 2, 2, 3, 3, 3, 3, 3, 3, 3, 6]
    assert steps["DCG"].round(1).tolist() == [
        *(0.0, 0.0, 1.3, 1.3, 1.3, 1.3, 1.3, 1.6, 1.6, 1.6, 1.6, 1.6, 1.6, 1.6, 2.4)
    ]
    ideal = table(at, "IG", "ICG", "IDCG")
    assert ideal["ICG"].tolist() == [3, 5, *[6] * 13]
    assert ideal["IDCG"].round(1).tolist() == [3.0, 5.0, *[5.6] * 13]


def test_averages_are_ratios_of_averages(open_page, organiser):
    at = open_page("graded-relevance", organiser)
    averages = table(at, "nCG", "nDCG")
    assert averages["CG"].tolist() == [
        *(0.5, 0.5, 2.0, 2.0, 2.0, 3.5, 3.5, 4.0, 4.0, 5.0, 5.0, 5.0, 5.0, 5.0, 8.0)
    ]
    assert averages["ICG"].tolist() == [
        *(3.0, 5.5, 7.5, 8.5, 9.5, 10.5, 11.0, 11.5, 12.0, 12.5, 12.5, 12.5, 12.5, 12.5, 12.5)
    ]
    assert averages["IDCG"].round(1).tolist() == [
        *(3.0, 5.5, 6.8, 7.3, 7.7, 8.1, 8.3, 8.4, 8.6, 8.7, 8.7, 8.7, 8.7, 8.7, 8.7)
    ]
    assert averages["nCG"].round(2).tolist() == [
        *(0.17, 0.09, 0.27, 0.24, 0.21, 0.33, 0.32, 0.35, 0.33, 0.4, 0.4, 0.4, 0.4, 0.4, 0.64)
    ]
    assert averages["nDCG"].round(2).tolist() == [
        *(0.17, 0.09, 0.21, 0.20, 0.19, 0.25, 0.25, 0.26, 0.26, 0.29, 0.29, 0.29, 0.29, 0.29, 0.37)
    ]


def test_a_gain_put_into_the_formula(open_page, organiser):
    at = walk(open_page("graded-relevance", organiser), "gain-rank", 6)
    assert "CG[6] = CG[5] + G[6] = 2 + 3 = 5" in formulas(at)
    assert r"&= 1.63 + \frac{3}{2.58} = 2.79" in formulas(at)
    assert r"\frac{2.79}{10.53} = 0.265" in formulas(at)
    walk(at, "gain-rank", 1)
    assert "DCG[1] = G[1] = 1.00" in formulas(at)


def test_spearman_of_the_ten_documents(open_page, organiser):
    at = open_page("rank-correlation", organiser)
    steps = table(at, "difference", "squared")
    assert steps["squared"].tolist() == [1, 1, 4, 1, 1, 1, 1, 4, 9, 1]
    assert "**24**" in texts(at)
    assert r"1 - \frac{144}{990} \\ &= 0.8545" in formulas(at)


def test_kendall_of_the_first_five_with_its_discordant_pairs(open_page, organiser):
    at = open_page("rank-correlation", organiser)
    pairs = table(at, "pair", "both")
    discordant = pairs.loc[pairs["both"] == "✗ discordant", "pair"].tolist()
    assert discordant == ["d123 before d56", "d84 before d56", "d6 before d8"]
    assert r"\frac{7}{10} - \frac{3}{10} = 0.40" in formulas(at)
    assert r"\frac{2 \cdot 6}{5 \cdot 4} = 0.40" in formulas(at)


def test_kendall_of_all_ten(open_page, organiser):
    at = walk(open_page("rank-correlation", organiser), "tau-size", 10)
    pairs = table(at, "pair", "both")
    assert len(pairs) == 45
    share = (pairs["both"] == "✓ concordant").mean()
    assert f"= {2 * share - 1:.2f}" in formulas(at)


def test_the_effective_number_of_top_results_is_four(open_page, organiser):
    at = open_page("disagreeing-users", organiser)
    labels = table(at, "user", "d1").set_index("user").loc["user 3 (assessor)"]
    assert labels.str.removeprefix("★ ").value_counts().to_dict() == {"HRel": 4, "Rel": 3, "Key": 1}
    weights = table(at, "top_items", "weight").set_index("level")["weight"]
    assert weights[["Key", "HRel", "Rel"]].tolist() == pytest.approx([1, 1 / 2, 1 / 3])
    assert r"1 \cdot 1 + 4 \cdot \tfrac{2}{4} + 3 \cdot \tfrac{1}{3} = 4" in formulas(at)
    assert "who found only 1" in texts(at)


@pytest.mark.parametrize(
    ("p", "users", "at_least", "weight"),
    [
        (0.30, 3, 1, "0.510"),
        pytest.param(0.30, 3, 2, "0.090", marks=long),
        pytest.param(0.30, 5, 2, "0.348", marks=long),
        pytest.param(0.23, 3, 1, "0.407", marks=long),
        pytest.param(0.15, 3, 1, "0.278", marks=long),
    ],
)
def test_weights_by_slider(open_page, organiser, p, users, at_least, weight):
    at = open_page("disagreeing-users", organiser)
    at.slider(key="udm-p").set_value(p)
    at.slider(key="learn-users").set_value(users).run()
    at.slider(key="learn-at-least").set_value(at_least).run()
    assert at.metric[0].value == weight
    assert f" = {weight}" in formulas(at)


def test_weights_to_compare_with_the_paper(open_page, organiser):
    examples = table(open_page("disagreeing-users", organiser), "p", "N", "M", "weight")
    assert examples["weight"].round(3).tolist() == [0.51, 0.09, 0.348, 0.407, 0.278]


@long
def test_the_terms_of_the_sum_are_visible(open_page, organiser):
    at = open_page("disagreeing-users", organiser)
    assert r"\binom{2}{1} \cdot 0.30^{1} \cdot 0.70^{1} &= 2 \cdot 0.2100 &&= 0.4200" in formulas(
        at
    )
    assert r"&&= 0.0900" in formulas(at)
    at.slider(key="learn-at-least").set_value(3).run()
    assert at.metric[0].value == "0.000"
    assert "No number of other users suffices" in texts(at)


def test_a_top_label_weighs_one_for_one_user_and_less_for_more(open_page, organiser):
    at = open_page("disagreeing-users", organiser)
    at.toggle(key="learn-is-top").set_value(True).run()
    assert at.metric[0].value == "1.000"
    assert "nobody else is needed" in texts(at)
    at.slider(key="learn-at-least").set_value(2).run()
    assert at.metric[0].value == "0.510"


@long
def test_clicks_of_the_reader_count_beside_simulated_ones(open_page, organiser):
    at = open_page("position-bias", organiser)
    assert "Lists taken in this browser: 0" in texts(at)
    at.checkbox(key="position-bias-0-6").check().run()
    at.button(key="position-bias-next").click().run()
    assert not at.exception
    assert "Lists taken in this browser: 1" in texts(at)
    (taken,) = at.session_state["position-bias-lists"]
    assert taken.clicked == [False] * 5 + [True]
    assert not at.checkbox(key="position-bias-1-1").value


def test_the_model_needs_results_at_several_ranks(open_page, organiser):
    at = open_page("position-bias", organiser)
    name = "Mend a puncture in five steps"
    best = table(at, "clicked", "found", "true").set_index("result").loc[name]
    assert best["found"] == pytest.approx(best["true"], abs=0.15)
    assert best["clicked"] < best["true"] - 0.2
    at.toggle(key="position-bias-mixed").set_value(False).run()
    worst = table(at, "clicked", "found", "true").set_index("result").loc[name]
    assert worst["found"] < worst["true"] - 0.2
    assert "nothing tells a rank from its result" in texts(at)
