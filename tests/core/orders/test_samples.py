"""Orders that draw samples: their probabilities are those with which items are drawn."""

import numpy as np
import pandas as pd
import pytest
from scipy.stats import binom

from core.errors import BadInput
from core.orders.base import ORDERS, Known, parse_order
from core.orders.candidates import Candidates, build_candidates
from core.orders.samples import SampleOrder, sample_qrels
from core.orders.stat_sample import weigh_items
from tests.each import each
from tests.short import long

TEXTS = [text for entry in ORDERS if issubclass(entry, SampleOrder) for text in entry.examples]
RUN = ["system", "topic_id", "document_id", "rank"]


@pytest.fixture(scope="module")
def candidates():
    """Four runs of forty documents for each of three topics."""
    rng = np.random.default_rng(4)
    rows = [
        (f"s{system}", topic, f"d{document:03}", rank)
        for system in range(4)
        for topic in ("t1", "t2", "t3")
        for rank, document in enumerate(rng.permutation(60)[:40], start=1)
    ]
    return build_candidates(pd.DataFrame(rows, columns=RUN), 40)


def choose_all(chooser, number):
    batches = []
    while (batch := chooser.choose(number)) is not None:
        batches.append(batch)
    return batches


@each("text", TEXTS)
def test_a_sample_is_chosen_whole_and_then_ends(candidates, text):
    order = parse_order(text)
    assert order.has_probabilities
    assert not order.is_adaptive
    drawn = order.draw(candidates, 5)
    for number in (1, 7):
        batches = choose_all(order.begin(candidates, seed=5), number)
        item = np.concatenate([batch.item for batch in batches])
        assert len(set(item.tolist())) == len(item)
        assert sorted(item) == np.flatnonzero(drawn.is_drawn).tolist()
        for batch in batches:
            assert len(batch.item) <= number
            assert len(set(candidates.topic[batch.item])) == 1
            assert (batch.system == -1).all()
            assert (batch.probability == drawn.probability[batch.item]).all()
            assert (batch.stratum == drawn.stratum[batch.item]).all()
        for topic in range(3):
            of_topic = item[candidates.topic[item] == topic]
            assert drawn.place[of_topic].tolist() == list(range(len(of_topic)))


@each("text", TEXTS)
def test_who_comes_back_goes_on_with_the_same_sample(candidates, text):
    order = parse_order(text)
    whole = [one.item.tolist() for one in choose_all(order.begin(candidates, seed=2), 3)]
    first = np.concatenate(whole[:4])
    known = Known(first, np.full(len(first), -1), np.ones(len(first)))
    rest = [one.item.tolist() for one in choose_all(order.begin(candidates, known, 2), 3)]
    assert rest == whole[4:]


@each("text", TEXTS)
def test_a_topic_has_the_sample_that_it_has_alone(candidates, text):
    own = candidates.of(1)
    alone = Candidates(
        ("t2",),
        candidates.systems,
        np.zeros(own.stop - own.start, dtype=np.int64),
        candidates.document[own],
        candidates.rank[own],
    )
    among, by_itself = (parse_order(text).draw(one, 3) for one in (candidates, alone))
    assert among.place[own].tolist() == by_itself.place.tolist()
    assert among.probability[own].tolist() == by_itself.probability.tolist()


@long
@each("text", TEXTS)
def test_items_are_drawn_with_their_probabilities(candidates, text):
    """Of 400 samples none is drawn more or less often than chance allows, all items at once."""
    order, samples = parse_order(text), 400
    drawn = [order.draw(candidates, seed) for seed in range(samples)]
    times = np.sum([one.is_drawn for one in drawn], axis=0)
    probability = drawn[0].probability
    assert ((probability > 0) & (probability <= 1)).all()
    assert all((one.probability == probability).all() for one in drawn)
    tail = 0.001 / len(candidates) / 2
    assert (times >= binom.ppf(tail, samples, probability)).all()
    assert (times <= binom.ppf(1 - tail, samples, probability)).all()
    assert len({tuple(one.place) for one in drawn}) > 1


def test_strata_are_bands_of_the_best_rank(candidates):
    drawn = parse_order("stratified").draw(candidates)
    best = candidates.best_rank
    assert drawn.stratum.tolist() == np.select([best <= 10, best <= 30], [0, 1], 2).tolist()
    assert drawn.is_drawn[best <= 10].all()
    for topic in range(3):
        for stratum, rate in enumerate((1.0, 0.3, 0.1)):
            inside = (candidates.topic == topic) & (drawn.stratum == stratum)
            number = int(np.ceil(rate * inside.sum() - 1e-9))
            assert drawn.is_drawn[inside].sum() == number
            assert drawn.probability[inside] == pytest.approx(number / inside.sum())


@each("budget", [3, 10, 25, 45, 10_000])
def test_a_budget_is_kept(candidates, budget):
    """No stratum goes without an item, and no more than all can be drawn."""
    order = parse_order(f"stratified(budget={budget})")
    drawn = order.draw(candidates)
    for topic in range(3):
        own = candidates.of(topic)
        size = np.bincount(drawn.stratum[own], minlength=3)
        number = np.bincount(drawn.stratum[own], drawn.is_drawn[own], minlength=3)
        assert number.sum() == min(max(budget, (size > 0).sum()), size.sum())
        assert (number[size > 0] > 0).all()
        assert (number <= size).all()


def test_weights_are_those_of_average_precision():
    """One run with three items: (1 + 1/r + … + 1/3) / 6; another has only the last."""
    rank = np.array([[1, 0], [2, 0], [3, 1], [0, 0]], dtype=np.uint16)
    one = [(1 + 1 + 1 / 2 + 1 / 3) / 6, (1 + 1 / 2 + 1 / 3) / 6, (1 + 1 / 3) / 6, 0]
    expected = [one[0] / 2, one[1] / 2, (one[2] + 1) / 2, 0]
    assert weigh_items(rank) == pytest.approx(expected)
    assert weigh_items(rank).sum() == pytest.approx(1)
    assert weigh_items(np.zeros((2, 1), dtype=np.uint16)).tolist() == [0, 0]


def test_buckets_are_as_large_as_the_budget(candidates):
    drawn = parse_order("stat-sample(budget=20)").draw(candidates)
    for topic in range(3):
        own = candidates.of(topic)
        size = np.bincount(drawn.stratum[own])
        assert (size[:-1] == 20).all()
        weight = weigh_items(candidates.rank[own])
        total = np.bincount(drawn.stratum[own], weight)
        assert (np.diff(total[: len(size) - 1]) < 0).all()
        # Full buckets have their weight for a probability.
        full = drawn.stratum[own] < len(size) - 1
        assert drawn.probability[own][full] == pytest.approx(total[drawn.stratum[own][full]])
        assert drawn.is_drawn[own].sum() <= 20


def test_a_small_pool_is_judged_whole(candidates):
    drawn = parse_order("stat-sample(budget=100)").draw(candidates)
    assert drawn.is_drawn.all()
    assert (drawn.probability == 1).all()


@each("share", [0.05, 0.3, 0.99])
def test_a_simple_random_sample_is_known_before_it_is_chosen(candidates, share):
    order = parse_order(f"random(share={share})")
    drawn = order.draw(candidates, 5)
    batches = choose_all(order.begin(candidates, seed=5), 7)
    item = np.concatenate([batch.item for batch in batches])
    assert sorted(item) == np.flatnonzero(drawn.is_drawn).tolist()
    assert set(drawn.stratum) == {0}
    for batch in batches:
        assert (batch.probability == drawn.probability[batch.item]).all()
    for topic in range(3):
        of_topic = item[candidates.topic[item] == topic]
        assert drawn.place[of_topic].tolist() == list(range(len(of_topic)))
        assert np.allclose(
            drawn.probability[candidates.of(topic)],
            drawn.is_drawn[candidates.of(topic)].mean(),
        )


def test_qrels_of_a_sample_list_the_whole_pool(candidates):
    drawn = parse_order("stratified").draw(candidates)
    judged = pd.DataFrame(
        {
            "topic_id": np.array(candidates.topics)[candidates.topic],
            "document_id": candidates.document,
            "level": np.arange(len(candidates)) % 3,
        }
    )
    lost = np.flatnonzero(drawn.is_drawn)[0]
    stranger = pd.DataFrame([("t9", "d000", 1)], columns=judged.columns)
    qrels = sample_qrels(candidates, drawn, pd.concat([judged.drop(lost), stranger]))
    known = drawn.is_drawn & (np.arange(len(candidates)) != lost)
    assert qrels["level"].tolist() == np.where(known, judged["level"], -1).tolist()
    assert qrels["probability"].tolist() == drawn.probability.tolist()
    assert qrels["stratum"].tolist() == drawn.stratum.astype(str).tolist()


@each(
    "text",
    [
        "stratified(until=(10, 5))",
        "stratified(until=(0,), rates=(1.0, 0.5))",
        "stratified(rates=(1.0,))",
        "stratified(rates=(1.0, 0.5, 0.0))",
        "stratified(rates=(1.0, 0.5, 2.0))",
        "stratified(budget=0)",
        "stat-sample(budget=0)",
    ],
)
def test_an_unfit_text_says_what_is_wrong(text):
    with pytest.raises(BadInput, match=text.split("(")[0]):
        parse_order(text)
