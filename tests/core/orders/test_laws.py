"""Laws that every order of judging obeys, run over the registry."""

import numpy as np
import pytest

from core.orders.base import NOTHING, ORDERS, TOPICS, Known, parse_order
from core.orders.candidates import build_candidates
from tests.core.orders.pools import judge, know, make_pool, make_runs
from tests.each import each

TEXTS = [text for entry in ORDERS for text in entry.examples]


@each("entry", list(ORDERS), ids=lambda entry: entry.name)
def test_every_order_describes_itself(entry):
    assert entry.description
    assert entry.reference
    assert {type(parse_order(text)) for text in entry.examples} == {entry}
    assert {type(parse_order(text)) for text in entry.suggested} <= {entry}
    assert str(parse_order(entry.examples[0])) == entry.examples[0]


@each("text", TEXTS)
def test_the_text_of_an_order_parses_back(text):
    order = parse_order(text)
    assert parse_order(str(order)) == order
    assert hash(parse_order(str(order))) == hash(order)


@each("text", TEXTS)
@each("batch", [1, 3, 100])
def test_everything_is_chosen_once_and_an_order_without_a_sample_ends_with_all(text, batch):
    order = parse_order(text)
    candidates, relevance = make_pool(3)
    judged = judge(order, candidates, relevance, batch=batch)
    assert len(set(judged)) == len(judged)
    assert set(judged) <= set(range(len(candidates)))
    if not order.has_probabilities:
        assert len(judged) == len(candidates)


@each("text", TEXTS)
def test_a_batch_is_of_one_topic_and_as_large_as_can_be(text):
    candidates, relevance = make_pool(5)
    chooser = parse_order(text).begin(candidates)
    while True:
        left = chooser.left_of
        choice = chooser.choose(3)
        if choice is None:
            assert not left.any()
            return
        (topic,) = set(candidates.topic[choice.item].tolist())
        assert len(choice.item) == min(3, left[topic])
        assert len(choice.system) == len(choice.probability) == len(choice.item)
        brought = choice.system >= 0
        assert (candidates.rank[choice.item[brought], choice.system[brought]] > 0).all()
        chooser.learn(choice.item, relevance[choice.item])


@each("text", TEXTS)
@each("moment", [0, 1, 4, 9])
def test_told_at_once_it_chooses_as_one_that_learnt_bit_by_bit(text, moment):
    """With an item whose label is awaited, one undone, and one judged anew."""
    order = parse_order(text)
    candidates, relevance = make_pool(7, topics=2)
    chooser, choices = order.begin(candidates, seed=4), []
    said = np.full(len(candidates), np.nan)
    for number in range(moment):
        choice = chooser.choose(2)
        if choice is None:
            break
        choices.append(choice)
        if number % 3 != 1:
            said[choice.item] = 1 - relevance[choice.item]
            chooser.learn(choice.item, said[choice.item])
    if choices:
        first, last = choices[0].item, choices[-1].item
        said[first], said[last] = relevance[first], np.nan
        chooser.learn(last, said[last])
        chooser.learn(first, said[first])
    other = order.begin(candidates, know(choices, said) if choices else NOTHING, seed=4)
    for _ in range(6):
        mine, others = chooser.choose(2), other.choose(2)
        assert (mine is None) == (others is None)
        if mine is None or others is None:
            return
        for name in ("item", "system", "probability"):
            np.testing.assert_array_equal(getattr(mine, name), getattr(others, name))
        for one in (chooser, other):
            one.learn(mine.item, relevance[mine.item])


@each("text", TEXTS)
def test_the_same_seed_chooses_the_same_and_only_an_order_that_draws_heeds_it(text):
    order = parse_order(text)
    candidates, relevance = make_pool(11, topics=4)
    judged = [judge(order, candidates, relevance, seed) for seed in (1, 1, 2, 3, 4)]
    assert judged[0] == judged[1]
    assert order.is_drawn == (len({tuple(one) for one in judged}) > 1)


@each("text", TEXTS)
def test_only_an_order_that_is_adaptive_heeds_labels(text):
    order = parse_order(text)
    candidates, relevance = make_pool(13)
    heeds = {tuple(judge(order, candidates, one)) for one in (relevance, 1 - relevance)}
    assert order.is_adaptive == (len(heeds) > 1)


@each("text", TEXTS)
def test_a_probability_is_told_by_an_order_that_has_them_and_no_other(text):
    order = parse_order(text)
    candidates, _ = make_pool(17)
    choice = order.begin(candidates).choose(4)
    if order.has_probabilities:
        assert ((choice.probability > 0) & (choice.probability <= 1)).all()
    else:
        assert np.isnan(choice.probability).all()


@each("text", TEXTS)
def test_what_another_order_chose_is_not_chosen_again(text):
    candidates, relevance = make_pool(19)
    item = np.array([2, 5, 7])
    known = Known(item, np.full(3, -1), relevance[item])
    chooser = parse_order(text).begin(candidates, known)
    chosen = []
    while (choice := chooser.choose(2)) is not None:
        chosen += choice.item.tolist()
    assert not {2, 5, 7} & set(chosen)


@each("text", TEXTS)
def test_an_empty_pool_has_nothing_to_choose(text):
    empty = build_candidates(make_runs(1).head(0), 5)
    assert parse_order(text).begin(empty).choose(3) is None


@each("entry", list(ORDERS), ids=lambda entry: entry.name)
def test_what_shares_topics_has_a_parameter_for_it(entry):
    takes = "topics" in entry.__dataclass_fields__
    assert entry.shares_topics == takes
    if takes:
        found = {entry(topics=one).topics for one in TOPICS}
        assert found == set(TOPICS)
        with pytest.raises(ValueError, match="topics is one of: equal, shared"):
            entry(topics="mine")
