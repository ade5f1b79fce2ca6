"""Pairs of systems whose order hangs on unjudged documents, against trying every outcome."""

from itertools import combinations, product

import numpy as np
import pandas as pd

from core.analysis.collection.declaring import declare
from core.analysis.overview.undecided import (
    Undecided,
    count_undecided,
    describe_undecided,
    undecided_pairs,
)
from core.store.content.declarations import NEW_STUDY, Declaration, set_declaration
from tests.each import each

DECLARED = NEW_STUDY.version


def show(readable: str = "", **systems: str) -> pd.DataFrame:
    rows = [
        (name, "t", document, document in readable)
        for name, shown in systems.items()
        for document in shown
    ]
    return pd.DataFrame(rows, columns=["system", "topic_id", "document_id", "readable"])


def judge(**levels: int) -> pd.DataFrame:
    rows = [("t", document, level) for document, level in levels.items()]
    return pd.DataFrame(rows, columns=["topic_id", "document_id", "level"])


def test_a_document_that_both_show_decides_nothing():
    first = show("abc", ahead="ab", behind="cb")
    assert count_undecided(first, judge(a=1, c=0)) == Undecided(0, 1, 0)


def test_the_lower_passes_by_what_it_alone_shows():
    first = show("abcd", ahead="ab", behind="cde")
    found = count_undecided(first, judge(a=1, b=0))
    assert found == Undecided(1, 1, 3, 1)
    assert count_undecided(show(ahead="ab", behind="c"), judge(a=1, b=1)).pairs == 0


def test_systems_level_with_each_other_have_no_order_to_change():
    assert count_undecided(show(one="ab", other="cd"), judge(a=1, c=1)).of == 0


def test_topics_without_a_judgement_play_no_part():
    first = pd.concat([show(ahead="ab", behind="c"), show(behind="xy").assign(topic_id="u")])
    assert count_undecided(first, judge(a=1, b=1)) == Undecided(0, 1, 0)


@each("seed", range(6))
def test_it_is_what_trying_every_outcome_gives(seed):
    rng = np.random.default_rng(seed)
    names = list("abcdefghij")
    systems = {
        name: "".join(rng.choice(names, 5, replace=False)) for name in ("one", "two", "three")
    }
    levels = {name: int(rng.integers(0, 2)) for name in names[:5]}
    judged = judge(**levels)
    found = count_undecided(show(**systems), judged)
    unjudged = names[5:]
    turned = of = 0
    for one, other in combinations(systems.values(), 2):

        def lead(more, one=one, other=other):
            relevant = {**levels, **dict(zip(unjudged, more, strict=True))}
            return sum(relevant[d] for d in one) - sum(relevant[d] for d in other)

        now = lead([0] * 5)
        outcomes = [lead(more) for more in product([0, 1], repeat=5)]
        of += now != 0
        turned += any(now * after < 0 for after in outcomes)
    assert (found.pairs, found.of) == (turned, of)


def test_a_study_goes_by_its_labels_and_texts(scene):
    assert undecided_pairs(scene.study) == Undecided(0, 0, 0)
    scene.give("x", "t1", 1, 2)
    assert undecided_pairs(scene.study) == Undecided(1, 1, 3, version=DECLARED)


def test_it_goes_by_the_declared_version(scene):
    """By the higher level of t1d1 *up* leads; by the lower nobody does, and no order can turn."""
    scene.give("x", "t1", 1, 2)
    scene.give("y", "t1", 1, 0)
    found = {}
    for version in ("all, maximum", "all, minimum", "all, median, in whole levels"):
        declare(scene.study, {"version": version})
        found[version] = undecided_pairs(scene.study)
        assert found[version].version == version
    assert found["all, maximum"] == Undecided(1, 1, 3, version="all, maximum")
    assert (found["all, minimum"].pairs, found["all, minimum"].of) == (0, 0)
    assert (found[DECLARED].pairs, found[DECLARED].of) == (1, 1)
    assert "P@10 under *all, maximum*, relevant from level 1: 3 documents" in describe_undecided(
        found["all, maximum"]
    )


def test_relevant_is_what_is_relevant_to_the_declared_measure_on_the_declared_topics(scene):
    scene.give("x", "t1", 1, 1)
    scene.give("x", "t2", 6, 2)
    assert undecided_pairs(scene.study).of == 0  # one each
    declare(scene.study, {"measure": "P(rel=2)@5"})
    found = undecided_pairs(scene.study)
    assert (found.of, found.rel) == (1, 2)
    declare(scene.study, {"measure": "nDCG@10", "topics": ["t1"]})
    assert undecided_pairs(scene.study) == Undecided(1, 1, 3, version=DECLARED)


def test_only_labels_that_the_version_takes_count(scene):
    """A version that no label fits has nothing to tell; nor has one that is not there."""
    scene.give("x", "t1", 1, 1)
    for version in ("gone", "all, adjudicated"):
        set_declaration(scene.store, scene.collection_id, Declaration(version=version))
        assert undecided_pairs(scene.study) == Undecided(0, 0, 0)


def test_without_runs_no_pair_is_undecided(scene):
    scene.store.cursor().execute("DELETE FROM run_lines")
    scene.give("x", "t1", 1, 2)
    assert undecided_pairs(scene.study) == Undecided(0, 0, 0)


def test_words_say_how_much_hangs_on_what():
    text = describe_undecided(Undecided(12, 1200, 3456, 7))
    assert text == (
        "12 of 1,200 pairs of systems could change order by P@10, relevant from level 1: "
        "3,456 documents tell them apart and have no judgement, 7 of them no text either"
    )
    assert "text" not in describe_undecided(Undecided(1, 1, 1))


def test_one_document_tells_and_several_tell():
    assert describe_undecided(Undecided(1, 1, 1)) == (
        "1 of 1 pair of systems could change order by P@10, relevant from level 1: "
        "1 document tells them apart and has no judgement"
    )
