"""Whether enough is judged: what is asked of a study, and what it rests on."""

import uuid
from itertools import combinations

import numpy as np
import pandas as pd
import pytest

from core.analysis.base.study import Study
from core.analysis.judging.enough import (
    ask_enough,
    has_pool,
    list_versions,
    missing_opinions,
    pool_in_numbers,
    unmet_opinions,
    usual_depth,
    usual_measure,
)
from core.analysis.judging.stop_proposal import (
    CAREFULLY,
    choose_version,
    find_proposal,
    usual_question,
)
from core.analysis.results.qrels_choices import find_choice
from core.assessment.handing_out.queue import finish_assignment, take_assignment
from core.assessment.handing_out.steps import lay_out
from core.assessment.rounds.pair_rounds import open_pair_round
from core.assessment.rounds.rounds import Plan, close_round, open_round
from core.collection.files.source import Source
from core.collection.formats import read_import
from core.errors import BadInput, TooLittleData
from core.planning.cost import Price
from core.reports.enough import Enough, EnoughQuestion
from core.stopping.stop_rule import StopRule
from core.store.content.collections import create_collection
from core.store.content.declarations import Declaration, set_declaration
from core.store.content.imports import write_import
from core.store.content.saved_rules import set_stop_rule
from core.store.events.labels import Key, LabelEvent
from core.store.people.members import add_member, drop_member
from core.store.people.people import add_person
from core.store.store import Store
from core.wording import drop_marks, plain_with_facts

TOPICS, SYSTEMS, DEPTH = 4, 4, 6
PAIR = ["topic_id", "kind", "first", "second"]


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


def ask(study: Study, measure: str = "AP", depth: int = DEPTH, rule: StopRule | None = None):
    question = EnoughQuestion(measure, depth, rule)
    return ask_enough(study, next(iter(list_versions(study).values())), question)


def test_it_rests_on_the_pool_of_that_depth(study: Study):
    found = ask(study)
    assert found.outside == 2
    assert 0 < found.judged < found.items
    assert ask(study, depth=2).items < found.items


def test_history_is_of_the_order_in_which_labels_came_and_is_looked_at_once(study: Study, store):
    rows = ask(study).history
    assert len(rows) > 2
    looked = []

    def count_looks(look):
        def counting(*asked):
            looked.append(asked)
            return look(*asked)

        return counting

    label(store, study.collection_id, "t3", "t3d11", 1)
    later = Study(store, study.collection_id, is_masked=False)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Enough, "_look_back", count_looks(Enough._look_back))
        again = ask(later).history
    assert again["judged"].tolist()[:2] == rows["judged"].tolist()[:2]
    assert len(looked) <= len(again) - len(rows)


def test_imported_judgements_have_no_history(store: Store, study: Study, here: str):
    qrels = "".join(f"t{one} 0 t{one}d{two} {two % 2}\n" for one in range(4) for two in range(6))
    read = read_import("qrels", Source("q.qrels", qrels.encode()))
    write_import(store, here, read, name="official")
    later = Study(store, here, is_masked=False)
    (choice,) = [one for one in list_versions(later).values() if one.rule is None]
    found = ask_enough(later, choice, EnoughQuestion("AP", DEPTH))
    assert len(found.history) == 1
    assert found.lacking == 0


def test_costs_are_of_what_was_given_and_what_is_left(study: Study):
    found = ask(study)
    first, rest = found.cost_at(Price(hour=36, label=0.5)).to_dict("records")
    assert first["labels"] == 21
    assert rest["labels"] == found.items - found.judged
    assert rest["hours"] == pytest.approx(rest["labels"] * 20 / 3600)
    assert rest["money"] == pytest.approx(rest["hours"] * 36 + rest["labels"] * 0.5)


@pytest.fixture
def round_of_two(store: Store, here: str) -> tuple[str, list[str]]:
    """A round that asks two people for every page of the pool of depth 2, and who they are."""
    documents = "".join(f"t{one}d{two}\tT\tText\n" for one in range(TOPICS) for two in range(12))
    read = read_import("documents", Source("d.tsv", f"id\ttitle\ttext\n{documents}".encode()))
    write_import(store, here, read)
    people = [add_person(store, name, "assessor") for name in ("Anna", "Bert")]
    for one in people:
        add_member(store, here, one, one)
    plan = Plan(judges=2, depth=2, flow="page only", batch_size=100, assessors=tuple(people))
    return open_round(store, here, plan), people


def judge_round(store: Store, here: str, person: str, *, but: int = 0) -> None:
    """Have somebody judge their places of the round, but the last few pages of the first."""
    while taken := take_assignment(store, here, person):
        steps = lay_out(store, taken).steps
        for step in steps[: len(steps) - but]:
            level = int(step.document_id[-1]) % 3
            label(store, here, step.topic_id, step.document_id, level, person)
        finish_assignment(store, taken)
        but = 0


def test_a_round_that_is_half_done_is_not_enough_and_one_that_is_done_is(
    store: Store, here: str, round_of_two: tuple[str, list[str]]
):
    """After the first of two people every item has a label; enough it is only after the second."""
    _, (anna, bert) = round_of_two
    rule = StopRule(0.5, 0.5, "AP", 2)
    set_stop_rule(store, here, rule.to_json())

    def look() -> Study:
        return Study(store, here, is_masked=False)

    judge_round(store, here, anna)
    half = ask(look(), depth=2, rule=rule)
    assert not np.isnan(half.level).any()
    assert half.rule.proposes(half.figures)  # so it would be enough by the labels alone
    assert (half.judged, half.lacking) == (0, half.items)
    assert drop_marks(half.answer).startswith(
        f"Not yet: {half.items} of {half.items} items of the pool lack opinions"
    )
    assert find_proposal(look()) == ()
    first, rest = half.cost.to_dict("records")
    assert (first["labels"], rest["labels"]) == (half.items, half.items)
    judge_round(store, here, bert)
    done = ask(look(), depth=2, rule=rule)
    assert (done.judged, done.lacking) == (done.items, 0)
    assert drop_marks(done.answer).startswith("Enough, by the rule (P(best stays) ≥ 0.5")
    (found,) = find_proposal(look())
    assert found.what == f"{plain_with_facts(done.answer.removesuffix('.'))}; {CAREFULLY}"
    assert done.cost["labels"].tolist() == [2 * done.items, 0]


def test_the_last_opinion_decides(
    store: Store, here: str, round_of_two: tuple[str, list[str]], monkeypatch: pytest.MonkeyPatch
):
    """The proposal comes with it, and not when another part of the pool has been judged."""
    monkeypatch.setattr("core.analysis.judging.stop_proposal.PARTS", 0)
    _, (anna, bert) = round_of_two
    set_stop_rule(store, here, StopRule(0.5, 0.5, "AP", 2).to_json())
    judge_round(store, here, anna)
    judge_round(store, here, bert, but=1)
    study = Study(store, here, is_masked=False)
    (left,) = missing_opinions(study).to_dict("records")
    assert (left["facet"], left["missing"]) == ("page", 1)
    assert ask(study, depth=2).lacking == 1
    two = pd.DataFrame([("t0", "documents", "t0d1", "t0d2")], columns=PAIR)
    open_pair_round(store, here, Plan(judges=1, flow="pages side by side"), two)
    assert find_proposal(Study(store, here, is_masked=False)) == ()
    label(store, here, left["topic_id"], left["document_id"], 0, bert)
    assert len(find_proposal(Study(store, here, is_masked=False))) == 1


def test_a_round_closed_before_it_was_done_is_not_enough(
    store: Store, here: str, round_of_two: tuple[str, list[str]]
):
    """What it asked for is no longer asked for, but who closed it has not got it either."""
    rules, (anna, bert) = round_of_two
    rule = StopRule(0.5, 0.5, "AP", 2)
    set_stop_rule(store, here, rule.to_json())
    judge_round(store, here, anna)
    close_round(store, rules, closed=True)
    study = Study(store, here, is_masked=False)
    assert missing_opinions(study).empty
    closed = ask(study, depth=2, rule=rule)
    assert closed.rule.proposes(closed.figures)
    assert (closed.judged, closed.lacking) == (0, closed.items)
    told = drop_marks(closed.answer)
    assert told.startswith(
        f"Not yet: {closed.items} of {closed.items} items of the pool lack opinions that rounds "
        f"asked for before they were closed, {closed.items} opinions in all, which"
    )
    assert find_proposal(study) == ()
    told = drop_marks(closed.tell_cost(Price()))
    assert f"({closed.items} of them opinions that rounds asked for before" in told
    open_round(store, here, Plan(judges=2, depth=2, flow="page only", batch_size=100,
                                 assessors=(anna, bert)))  # fmt: skip
    both = ask(Study(store, here, is_masked=False), depth=2, rule=rule)
    assert "opinions that open rounds ask for" in both.answer
    judge_round(store, here, bert)
    done = Study(store, here, is_masked=False)
    assert unmet_opinions(done).empty  # others gave what the closed round asked for
    assert ask(done, depth=2, rule=rule).proposes
    assert len(find_proposal(done)) == 1


def test_open_and_closed_rounds_are_both_named(
    store: Store, here: str, round_of_two: tuple[str, list[str]]
):
    rules, (anna, _) = round_of_two
    judge_round(store, here, anna)
    close_round(store, rules, closed=True)
    plan = Plan(judges=1, depth=1, flow="page only", batch_size=100,
                assessors=(add_person(store, "Cleo", "assessor"),))  # fmt: skip
    add_member(store, here, plan.assessors[0], plan.assessors[0])
    open_round(store, here, plan)
    found = ask(Study(store, here, is_masked=False), depth=2)
    assert "that rounds ask for, or asked for before they were closed" in found.answer
    assert found.lacks.max() == 1  # what is open fills what was left


@pytest.mark.parametrize("judges", [1, 2, 3])
def test_nothing_is_proposed_before_the_last_of_k(
    store: Store, here: str, round_of_two: tuple[str, list[str]], judges: int
):
    rules, (anna, bert) = round_of_two
    close_round(store, rules, closed=True)
    cleo = add_person(store, "Cleo", "assessor")
    add_member(store, here, cleo, cleo)
    people = (anna, bert, cleo)[:judges]
    plan = Plan(judges=judges, depth=2, flow="page only", batch_size=100, assessors=people)
    open_round(store, here, plan)
    rule = StopRule(0.5, 0.5, "AP", 2)
    set_stop_rule(store, here, rule.to_json())
    for at, one in enumerate(people, start=1):
        judge_round(store, here, one)
        study = Study(store, here, is_masked=False)
        needs = max(judges, 2)  # the round that was closed asked for two
        assert ask(study, depth=2, rule=rule).proposes == (at == needs)
        assert len(find_proposal(study)) == (at == needs)


def test_who_withdraws_or_skips_leaves_an_opinion_missing(
    store: Store, here: str, round_of_two: tuple[str, list[str]]
):
    _, (anna, bert) = round_of_two
    rule = StopRule(0.5, 0.5, "AP", 2)
    set_stop_rule(store, here, rule.to_json())
    judge_round(store, here, anna)
    judge_round(store, here, bert)
    assert len(find_proposal(Study(store, here, is_masked=False))) == 1
    key = Key("t0", "t0d9", "page", "", bert, 0)

    def revise(state: str, before: str | None) -> str:
        event = LabelEvent(str(uuid.uuid4()), before, key, state, None, dwell_ms=9)
        (receipt,) = store.labels.append(here, [event])
        assert not receipt.stale
        return event.event_id

    query = "SELECT event_id FROM labels WHERE assessor_id = ? AND document_id = 't0d9'"
    ((given,),) = store.cursor().execute(query, [bert]).fetchall()
    later = revise("later", str(given))
    skipped = Study(store, here, is_masked=False)
    assert ask(skipped, depth=2, rule=rule).lacking == 1
    assert find_proposal(skipped) == ()
    revise("cannot judge", later)
    answered = Study(store, here, is_masked=False)
    found = ask(answered, depth=2, rule=rule)
    assert (found.lacking, found.proposes) == (0, True)
    assert (
        "items of the pool that somebody could not judge, which is an answer and no level: 1"
        in found.notes
    )
    assert len(find_proposal(answered)) == 1


def test_where_somebody_withdraws_before_the_end_it_is_not_enough(
    store: Store, here: str, round_of_two: tuple[str, list[str]]
):
    _, (anna, bert) = round_of_two
    set_stop_rule(store, here, StopRule(0.5, 0.5, "AP", 2).to_json())
    judge_round(store, here, anna)
    drop_member(store, here, bert)
    study = Study(store, here, is_masked=False)
    found = ask(study, depth=2)
    assert (found.lacking, found.proposes, find_proposal(study)) == (found.items, False, ())


def test_imported_judgements_do_not_end_a_round(
    store: Store, here: str, round_of_two: tuple[str, list[str]]
):
    """All of the pool has one; but who is told to stop is who judges the round."""
    _, (anna, bert) = round_of_two
    qrels = "".join(f"t{one} 0 t{one}d{two} {two % 2}\n" for one in range(4) for two in range(12))
    read = read_import("qrels", Source("q.qrels", qrels.encode()))
    write_import(store, here, read, name="official")
    rule = StopRule(0.5, 0.5, "AP", 2, "imported: official")
    set_stop_rule(store, here, rule.to_json())
    judge_round(store, here, anna)

    def look() -> tuple[Study, Enough]:
        study = Study(store, here, is_masked=False)
        return study, ask_enough(study, choose_version(study, rule), usual_question(study))

    study, half = look()
    assert (half.lacking, find_proposal(study)) == (half.items, ())
    assert (
        f"{half.items} opinions in all; these judgements are imported and do not change with them."
        in drop_marks(half.answer)
    )
    judge_round(store, here, bert)
    study, done = look()
    assert (done.proposes, len(find_proposal(study))) == (True, 1)


def test_an_opinion_taken_back_takes_back_the_proposal_in_the_overview(
    store: Store, here: str, round_of_two: tuple[str, list[str]], monkeypatch: pytest.MonkeyPatch
):
    """Also where other items lack opinions all the time: those outside the pool do not count."""
    monkeypatch.setattr("core.analysis.judging.stop_proposal.PARTS", 0)
    _, (anna, bert) = round_of_two
    set_stop_rule(store, here, StopRule(0.01, -0.99, "AP", 1).to_json())
    judge_round(store, here, anna)
    pool = pool_in_numbers(Study(store, here, is_masked=False), 1)
    first = {
        (pool.topics[topic], one) for topic, one in zip(pool.topic, pool.document, strict=True)
    }
    events = {}
    for topic, document in sorted(first):
        key = Key(topic, document, "page", "", bert, 0)
        level = int(document[-1]) % 3
        event = LabelEvent(str(uuid.uuid4()), None, key, "level", level, dwell_ms=9)
        store.labels.append(here, [event])
        events[key] = event.event_id
    study = Study(store, here, is_masked=False)
    assert not missing_opinions(study).empty
    assert len(find_proposal(study)) == 1
    key, given = events.popitem()
    event = LabelEvent(str(uuid.uuid4()), given, key, "later", None, dwell_ms=9)
    store.labels.append(here, [event])
    assert find_proposal(Study(store, here, is_masked=False)) == ()


def open_pairs(store: Store, here: str, *assessors: str) -> tuple[str, int]:
    """Open a round in which two people compare pages; returns its id and the number of pairs."""
    pool = pool_in_numbers(Study(store, here, is_masked=False), 2)
    rows = []
    for place, topic in enumerate(pool.topics):
        own = sorted(pool.document[pool.topic == place])[:4]
        rows += [(topic, "documents", *two) for two in combinations(own, 2)]
    plan = Plan(judges=2, flow="pages side by side", batch_size=100, assessors=assessors)
    return open_pair_round(store, here, plan, pd.DataFrame(rows, columns=PAIR)), len(rows)


def test_preferences_of_a_round_half_done_are_not_enough(
    store: Store, here: str, round_of_two: tuple[str, list[str]]
):
    """Judgements made of preferences lack those that the round of pairs asks for, and no others."""
    _, (anna, bert) = round_of_two
    _, number = open_pairs(store, here, anna, bert)

    def compare(person: str) -> None:
        for topic, code in store.cursor().execute("SELECT topic_id, pair_id FROM pairs").fetchall():
            key = Key(str(topic), str(code), "page pair", "first", person, 0)
            event = LabelEvent(str(uuid.uuid4()), None, key, "level", 1, dwell_ms=9)
            store.labels.append(here, [event])

    def look() -> Enough:
        study = Study(store, here, is_masked=False)
        choice = find_choice(study, "preferences, pages")
        return ask_enough(study, choice, EnoughQuestion("AP", 2, StopRule(0, -0.99, "AP", 2)))

    compare(anna)
    half = look()
    assert (half.proposes, half.lacks.sum()) == (False, number)
    assert f"lack opinions that open rounds ask for, {number} opinions in all" in half.answer
    compare(bert)
    assert look().lacking == 0  # though the round of single pages has not begun


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
        ask(study)


def test_a_rule_says_what_is_asked_and_of_which_judgements(study: Study, store: Store, here: str):
    usual = usual_question(study)
    assert (usual.measure, usual.depth, usual.rule) == ("nDCG@10", DEPTH, None)
    assert find_proposal(study) == ()
    rule = StopRule(0, -0.99, "P@5", 3)
    set_stop_rule(store, here, rule.to_json())
    asked = usual_question(study)
    assert (asked.measure, asked.depth, asked.rule) == ("P@5", 3, rule)
    (found,) = find_proposal(Study(store, here, is_masked=False))
    assert (found.kind, found.page) == ("Enough is judged", "enough")
    set_stop_rule(store, here, StopRule(0, -0.99, "P@5", DEPTH, "gone").to_json())
    later = Study(store, here, is_masked=False)
    assert find_proposal(later) == ()
    with pytest.raises(BadInput, match="any more"):
        choose_version(later, usual_question(later).rule)


@pytest.mark.parametrize("outside", [1, 2])
def test_preferences_of_others_make_up_for_a_round_of_pairs_closed_early(
    store: Store, here: str, round_of_two: tuple[str, list[str]], outside: int
):
    """As levels do: whoever gives what was asked for, the pair lacks nothing then."""
    _, (anna, bert) = round_of_two
    rules, number = open_pairs(store, here, anna, bert)
    pairs = store.cursor().execute("SELECT topic_id, pair_id FROM pairs").fetchall()

    def compare(person: str, left: str, state: str = "level") -> None:
        for topic, code in pairs:
            key = Key(str(topic), str(code), "page pair", left, person, 0)
            said = (1 if left == "first" else -1) if state == "level" else None
            event = LabelEvent(str(uuid.uuid4()), None, key, state, said, dwell_ms=9)
            store.labels.append(here, [event])

    def look() -> Enough:
        study = Study(store, here, is_masked=False)
        choice = find_choice(study, "preferences, pages")
        return ask_enough(study, choice, EnoughQuestion("AP", 2, StopRule(0, -0.99, "AP", 2)))

    if outside == 1:
        compare(anna, "first")
    close_round(store, rules, closed=True)
    others = [add_person(store, name, "assessor") for name in ("Cleo", "Dora")]
    for one in others:
        add_member(store, here, one, one)
    if outside == 2:
        compare(others[0], "first")
    found = look()
    assert found.lacks.sum() == number
    assert "asked for before they were closed" in found.answer
    compare(others[1], "second", "cannot judge")
    assert look().lacks.sum() == number  # an answer, but no preference, and not of the round
    add_member(store, here, other := add_person(store, "Emil", "assessor"), other)
    compare(other, "second")
    assert look().lacking == 0
    study = Study(store, here, is_masked=False)
    pair = unmet_opinions(study)
    assert pair[pair["facet"] == "page pair"].empty
