"""Whether enough is judged: what is asked of a study, and what it rests on."""

import uuid

import numpy as np
import pytest

from core.analysis.base.study import Study
from core.analysis.judging.enough import (
    MOMENTS,
    bounds_of,
    costs_of,
    enough_of,
    has_pool,
    history_of,
    list_versions,
    usual_depth,
    usual_measure,
)
from core.analysis.judging.stop_proposal import answer, find_proposal, tell_figures
from core.collection.files.source import Source
from core.collection.formats import read_import
from core.errors import TooLittleData
from core.stopping.costs import Price
from core.stopping.stop_rule import StopRule
from core.store.content.collections import create_collection
from core.store.content.declarations import Declaration, set_declaration
from core.store.content.imports import write_import
from core.store.content.stop_rules import set_stop_rule
from core.store.events.labels import Key, LabelEvent
from core.store.store import Store
from tests.short import long

TOPICS, SYSTEMS, DEPTH = 4, 4, 6


def make_runs() -> str:
    rng = np.random.default_rng(2)
    lines = []
    for topic in range(TOPICS):
        for system in range(SYSTEMS):
            found = rng.permutation(12)[:DEPTH]
            lines += [
                f"t{topic} Q0 t{topic}d{document} {rank} {100 - rank} s{system}"
                for rank, document in enumerate(found, start=1)
            ]
    return "\n".join(lines) + "\n"


@pytest.fixture
def here(store: Store) -> str:
    made = create_collection(store, "pool")
    topics = "id\tquery\n" + "".join(f"t{one}\tquery {one}\n" for one in range(TOPICS))
    for kind, text in (("topics", topics), ("runs", make_runs())):
        write_import(store, made, read_import(kind, Source(f"{kind}.txt", text.encode())))
    return made


def label(store: Store, here: str, topic: str, document: str, level: int, by: str = "a1") -> None:
    key = Key(topic, document, "page", "", by, 0)
    event = LabelEvent(str(uuid.uuid4()), None, key, "level", level, dwell_ms=20_000)
    store.labels.append(here, [event])


@pytest.fixture
def study(store: Store, here: str) -> Study:
    for topic in range(TOPICS):
        for document in range(5):
            label(store, here, f"t{topic}", f"t{topic}d{document}", (topic + document) % 3)
    label(store, here, "t0", "nowhere", 2)
    return Study(store, here, is_masked=False)


def asked(study: Study, measure: str = "AP", depth: int = DEPTH):
    return next(iter(list_versions(study).values())), measure, depth, ()


@long
def test_it_rests_on_the_pool_of_that_depth(study: Study):
    found = enough_of(study, *asked(study))
    assert found.outside == 2
    assert 0 < found.judged < found.items
    assert found.share == found.judged / found.items
    assert found.topics["part"].sum() == pytest.approx(1)
    assert found.topics["judged"].sum() == found.judged
    assert (found.pairs, found.expected.best[0]) == (6, "s")
    assert 0 <= found.sure <= found.pairs
    shallow = enough_of(study, *asked(study, depth=2))
    assert shallow.items < found.items


@long
def test_history_ends_today_and_begins_with_few(study: Study):
    rows = history_of(study, *asked(study))
    today = enough_of(study, *asked(study))
    assert 2 <= len(rows) <= MOMENTS + 1
    again = history_of(study, *asked(study))
    assert rows.equals(again)
    assert rows["judged"].is_monotonic_increasing
    assert rows.iloc[-1]["tau"] == today.expected.tau
    assert rows.iloc[-1]["share"] == pytest.approx(today.share)


@long
def test_imported_judgements_have_no_history(store: Store, study: Study, here: str):
    qrels = "".join(f"t{one} 0 t{one}d{two} {two % 2}\n" for one in range(4) for two in range(6))
    read = read_import("qrels", Source("q.qrels", qrels.encode()))
    write_import(store, here, read, name="official")
    later = Study(store, here, is_masked=False)
    (choice,) = [one for one in list_versions(later).values() if one.rule is None]
    assert len(history_of(later, choice, "AP", DEPTH, ())) == 1


@long
def test_bounds_hold_the_scores_of_today(study: Study):
    found = bounds_of(study, *asked(study))
    assert (found.low <= found.today + 1e-9).all()
    assert (found.today <= found.high + 1e-9).all()


@long
def test_costs_are_of_what_was_given_and_what_is_left(study: Study):
    found = enough_of(study, *asked(study))
    costs = costs_of(study, asked(study)[0], found, Price(hour=36, label=0.5))
    assert costs["so far"].labels == 21
    rest = costs["to the full pool"]
    assert rest.labels == found.items - found.judged
    assert rest.hours == pytest.approx(rest.labels * 20 / 3600)
    assert rest.money == pytest.approx(rest.hours * 36 + rest.labels * 0.5)


def test_the_usual_depth_is_that_of_the_runs(study: Study):
    assert usual_depth(study) == DEPTH
    assert has_pool(study)


def test_it_begins_with_what_is_declared_where_that_can_be_drawn(store: Store, study: Study, here):
    assert usual_measure(study) == "nDCG@10"
    assert next(iter(list_versions(study))).startswith("all, median")
    for measure, usual in (("P@5", "P@5"), ("ERR@10", "AP"), ("RBP(gain='linear')", "AP")):
        set_declaration(store, here, Declaration(measure=measure, version="all, maximum"))
        later = Study(store, here, is_masked=False)
        assert usual_measure(later) == usual
        assert next(iter(list_versions(later))) == "all, maximum"


def test_a_collection_without_runs_has_no_pool(store: Store):
    empty = Study(store, create_collection(store, "empty"), is_masked=False)
    assert not has_pool(empty)
    assert usual_depth(empty) == 100
    assert find_proposal(empty) == ()


def test_labels_without_runs_are_told(store: Store):
    made = create_collection(store, "no runs")
    topics = read_import("topics", Source("topics.txt", b"id\tquery\nt1\tq\n"))
    write_import(store, made, topics)
    label(store, made, "t1", "d1", 1)
    study = Study(store, made, is_masked=False)
    with pytest.raises(TooLittleData, match="no runs"):
        enough_of(study, *asked(study))


def test_the_answer_says_not_yet_or_enough_and_by_which_rule(study: Study):
    found = enough_of(study, *asked(study))
    assert answer(found, StopRule(1.0, 1.0)).startswith("**Not yet**")
    assert answer(found, StopRule(0, -0.99)).startswith("**Enough, by the rule**")
    assert tell_figures(found.expected) in answer(found, None)


@long
def test_nothing_relevant_is_said_in_the_answer(store: Store, here: str):
    label(store, here, "t0", "t0d1", 0)
    study = Study(store, here, is_masked=False)
    found = enough_of(study, *asked(study))
    assert answer(found, None).startswith("Not yet: nothing relevant is judged")


@long
def test_the_overview_looks_again_when_a_part_of_the_pool_has_come(store, study, here):
    assert find_proposal(study) == ()
    set_stop_rule(store, here, StopRule(0, -0.99, "P@5", DEPTH).to_json())
    (found,) = find_proposal(Study(store, here, is_masked=False))
    assert "proposes to stop" in found.what
    assert found.page == "enough"
    set_stop_rule(store, here, StopRule(0, -0.99, "P@5", DEPTH, "gone").to_json())
    assert find_proposal(Study(store, here, is_masked=False)) == ()
