"""What single orders do in particular."""

import numpy as np
import pandas as pd
import pytest

from core.errors import BadInput
from core.orders.base import Known, parse_order
from core.orders.candidates import build_candidates
from core.orders.max_mean import RECOMMENDED
from tests.core.orders.pools import judge, make_pool
from tests.each import each


def pool_of(**lists):
    """Return a pool of one topic from the documents of each run."""
    rows = [
        (system, "t", document, rank)
        for system, documents in lists.items()
        for rank, document in enumerate(documents, start=1)
    ]
    columns = ["system", "topic_id", "document_id", "rank"]
    return build_candidates(pd.DataFrame(rows, columns=columns), 100)


@each(
    ("text", "reason"),
    [
        ("max-mean(credit='none')", "credit is one of: all, chosen"),
        ("max-mean(rate=0)", "rate lies above 0 and up to 1"),
        ("thompson(rate=1.5)", "rate lies above 0 and up to 1"),
        ("hedge(beta=1)", "beta lies between 0 and 1"),
        ("random(share=0)", "share lies above 0 and up to 1"),
        ("move-to-front(topics='all')", "topics is one of: equal, shared"),
        ("best", "'best' is not an order of judging"),
    ],
)
def test_what_cannot_be_says_why(text, reason):
    with pytest.raises(BadInput, match=reason.replace("(", r"\(")):
        parse_order(text)


def test_half_of_the_labels_are_half_a_success():
    candidates = pool_of(a=["d1", "d2"], b=["d3", "d4"])
    known = Known(np.array([0, 2]), np.array([0, 1]), np.array([0.5, 0.6]))
    assert parse_order("max-mean").begin(candidates, known).choose(1).item.tolist() == [3]
    known = Known(np.array([0, 2]), np.array([0, 1]), np.array([0.5, 0.4]))
    assert parse_order("max-mean").begin(candidates, known).choose(1).item.tolist() == [1]


@each(("share", "stays"), [(0.5, True), (0.49, False)])
def test_a_relevant_document_by_half_of_the_labels_keeps_a_run_in_front(share, stays):
    candidates = pool_of(a=["d1", "d2", "d3"], b=["d4", "d5", "d6"])
    known = Known(np.array([0, 3]), np.array([0, 1]), np.array([share, 0.0]))
    order = parse_order("move-to-front")
    chosen = {int(order.begin(candidates, known, seed).choose(1).system[0]) for seed in range(9)}
    assert chosen == ({0} if stays else {0, 1})


def test_while_labels_are_awaited_move_to_front_tries_other_runs():
    candidates = pool_of(a=["d1", "d2"], b=["d3", "d4"], c=["d5", "d6"])
    choice = parse_order("move-to-front").begin(candidates).choose(3)
    assert sorted(choice.system.tolist()) == [0, 1, 2]


def test_a_bandit_that_forgets_turns_from_a_run_that_was_right_once():
    candidates = pool_of(a=[f"a{rank:02}" for rank in range(20)], b=[f"b{r}" for r in range(9)])
    relevance = np.array([1.0] * 8 + [0.0] * 21)
    known = Known(np.arange(12), np.zeros(12, dtype=np.int64), relevance[:12])
    assert parse_order("max-mean").begin(candidates, known).choose(1).system[0] == 0
    forgetting = parse_order("max-mean(rate=0.5)").begin(candidates, known)
    assert forgetting.choose(1).system[0] == 1


def test_a_topic_that_finds_more_gets_more_and_none_starves():
    runs = pd.DataFrame(
        [(s, t, f"{s}{t}{r:02}", r) for s in "ab" for t in ("t1", "t2") for r in range(1, 41)],
        columns=["system", "topic_id", "document_id", "rank"],
    )
    candidates = build_candidates(runs, 40)
    relevance = (candidates.topic == 0).astype(float)
    judged = judge(parse_order(RECOMMENDED), candidates, relevance)[:40]
    by_topic = np.bincount(candidates.topic[judged], minlength=2)
    assert by_topic[0] > 2 * by_topic[1] > 0
    judged = judge(parse_order("max-mean"), candidates, relevance)[:40]
    assert np.bincount(candidates.topic[judged]).tolist() == [20, 20]


def test_credit_of_the_chosen_passes_over_what_came_from_no_run():
    candidates = pool_of(a=["d1", "d2"], b=["d3", "d4"])
    known = Known(np.array([0, 2]), np.array([-1, 1]), np.array([0.0, 0.0]))
    chooser = parse_order("max-mean(credit='chosen')").begin(candidates, known)
    assert chooser.choose(1).item.tolist() == [1]


def test_a_random_sample_has_its_share_of_each_topic_and_every_item_its_chance():
    candidates, relevance = make_pool(1)
    sizes = np.diff(candidates.first)
    order, wanted = parse_order("random(share=0.3)"), np.ceil(0.3 * sizes)
    counts = np.zeros(len(candidates))
    for seed in range(400):
        judged = judge(order, candidates, relevance, seed, batch=4)
        assert (np.bincount(candidates.topic[judged]) == wanted).all()
        counts[judged] += 1
    chance = (wanted / sizes)[candidates.topic]
    spread = np.sqrt(chance * (1 - chance) / 400)
    assert (abs(counts / 400 - chance) < 4.5 * spread).all()
    choice = order.begin(candidates).choose(2)
    np.testing.assert_allclose(choice.probability, chance[choice.item])


def test_hedge_trusts_the_run_that_was_right():
    candidates = pool_of(a=["a1", "a2", "a3"], b=["b1", "b2", "b3"])
    known = Known(np.array([0, 3]), np.array([-1, -1]), np.array([1.0, 0.0]))
    chooser = parse_order("hedge").begin(candidates, known)
    assert chooser.choose(1).item.tolist() == [1]
    chooser.learn(np.array([0, 3]), np.array([0.0, 1.0]))
    assert chooser.choose(1).item.tolist() == [4]


def test_hedge_knows_a_list_as_long_as_the_pool():
    candidates = pool_of(a=["d1", "d2", "d3"], b=["d3", "d1", "d2"])
    assert parse_order("hedge").begin(candidates).choose(3).item.tolist() == [0, 2, 1]
