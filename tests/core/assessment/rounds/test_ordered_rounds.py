"""Rounds in which an order chooses: exactly k, nothing twice, the budget kept, all recorded."""

import io
import shutil
import threading
import uuid
from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from datetime import timedelta
from pathlib import Path

import pandas as pd
import pytest

import core.assessment.rounds.chosen_batches as chosen_batches
from core.analysis.base.study import Study
from core.analysis.collection.exported_files import Wanted, export_file
from core.analysis.judging.outlook import outlook_of
from core.analysis.judging.progress import ask_progress
from core.analysis.judging.waiting import count_to_come, waiting_for
from core.analysis.overview.attention import find_late
from core.assessment.afterwards import list_ready_topics
from core.assessment.handing_out.next_assignment import hand_out_ahead, next_assignment
from core.assessment.handing_out.queue import (
    Assignment,
    finish_assignment,
    hold_more,
    read_share,
    take_assignment,
)
from core.assessment.handing_out.steps import lay_out
from core.assessment.intake.judging import Intake, grant_of
from core.assessment.rounds.growth import add_judges, top_up
from core.assessment.rounds.ordered_rounds import set_order
from core.assessment.rounds.rounds import Plan, close_round, open_round
from core.collection.files.source import Source
from core.collection.formats import read_import
from core.errors import BadInput
from core.store.content.collections import create_collection
from core.store.content.scales import get_scales
from core.store.content.webhook_deliveries import queue_finished
from core.store.content.webhooks import make_webhook
from core.store.events.afterwards import Seeing, allow_seeing
from core.store.people.members import add_member
from core.store.people.roster import RosterEntry, edit_roster
from core.store.rounds.judgements import read_batch_sizes
from core.store.rounds.orders import find_order_state, read_choices
from core.store.rounds.rounds import get_round, list_rounds, read_pool, read_slots
from core.store.store import Store, utc_now
from tests.core.assessment.conftest import ASSESSORS, Small, documents
from tests.each import each
from tests.short import few, long

POOL = 16
"""Documents: six of two topics, and four of one that only the results are about."""

GOOD, OTHER, POOR = [1, 2, 3, 4, 5, 6], [5, 6], [6, 5, 4, 3, 2, 1]


def run(name: str, ranks: list[int], topics: tuple[str, ...] = ("t1", "t2")) -> str:
    return "".join(
        f"{topic} Q0 {topic}d{number} {rank} {10 - rank} {name}\n"
        for topic in topics
        for rank, number in enumerate(ranks, start=1)
    )


@pytest.fixture(scope="module")
def ranked_store(
    small_store: tuple[Path, str], tmp_path_factory: pytest.TempPathFactory
) -> tuple[Path, str]:
    """The store to be copied: with three runs of two topics, beside its results."""
    path, collection_id = small_store
    with closing(Store(Path(shutil.copy(path, tmp_path_factory.mktemp("ranked"))))) as store:
        for name, ranks in (("good", GOOD), ("other", OTHER), ("poor", POOR)):
            Small(store, collection_id).add("runs", run(name, ranks), f"{name}.run")
        return store.path, collection_id


@pytest.fixture
def ranked(tmp_path: Path, ranked_store: tuple[Path, str]) -> Iterator[Small]:
    """A collection with three runs of two topics, beside its results; all of ``other`` is poor."""
    path, collection_id = ranked_store
    with closing(Store(Path(shutil.copy(path, tmp_path)))) as store:
        yield Small(store, collection_id)


def open_ordered(ranked: Small, **plan: object) -> str:
    wanted = {"judges": 2, "flow": "page only", "order": "max-mean", "batch_size": 2, **plan}
    return open_round(ranked.store, ranked.collection_id, Plan(**wanted))


def take(ranked: Small, assessor: str, minutes: float = 0) -> Assignment | None:
    now = utc_now() + timedelta(minutes=minutes)
    return take_assignment(ranked.store, ranked.collection_id, assessor, now)


def say(ranked: Small, assignment: Assignment, level: int = 1, state: str = "level") -> list[str]:
    """Judge everything of an assignment; good documents are those that come early in `good`."""
    events = []
    for step in lay_out(ranked.store, assignment).steps:
        event = {"event_id": str(uuid.uuid4()), "topic": step.topic_id,
                 "document": step.document_id, "facet": step.facet, "engine": step.engine,
                 "state": state}  # fmt: skip
        if step.occasion:
            event["occasion"] = step.occasion
        if state == "level":
            event["level"] = level
        known = ranked.store.labels.current(ranked.collection_id, assignment.assessor_id)
        if (label := known.get(step.key(assignment.assessor_id))) is not None:
            event["supersedes"] = label.event_id
        events.append(event)
    acks = Intake(ranked.store).accept(grant_of(assignment), events)
    return [ack["status"] for ack in acks]


def judge(ranked: Small, assessor: str, level: int = 1) -> Assignment | None:
    assignment = take(ranked, assessor)
    if assignment is not None:
        assert set(say(ranked, assignment, level)) == {"saved"}
        finish_assignment(ranked.store, assignment)
    return assignment


def choices(ranked: Small) -> list[tuple[str, str]]:
    frame = read_choices(ranked.store, ranked.collection_id)
    return list(zip(frame["topic_id"], frame["document_id"], strict=True))


@long
def test_nothing_is_handed_out_before_somebody_asks(ranked: Small):
    round_id = open_ordered(ranked)
    rules = get_round(ranked.store, round_id)
    assert (rules.order, rules.budget, rules.relevant_from) == ("max-mean", None, 1)
    assert read_pool(ranked.store, round_id).empty
    state = find_order_state(ranked.store.cursor(), round_id)
    assert (state.candidates, state.chosen, state.wanted, state.left) == (POOL, 0, POOL, POOL)


def test_who_asks_gets_a_batch_with_exactly_k_places(ranked: Small):
    round_id = open_ordered(ranked)
    first = take(ranked, "anna")
    assert (first.topic_id, first.batch) == ("t1", 0)
    assert len(read_pool(ranked.store, round_id)) == 2
    assert [one.assessor_id for one in read_slots(ranked.store.cursor(), ranked.collection_id)] == [
        *("anna", None),
    ]
    assert take(ranked, "bob").batch == first.batch
    assert len(choices(ranked)) == 2


@long
def test_five_documents_are_a_batch_unless_it_is_said(ranked: Small):
    round_id = open_ordered(ranked, batch_size=None)
    assert get_round(ranked.store, round_id).batch_size == chosen_batches.BATCH == 5
    take(ranked, "anna")
    assert len(choices(ranked)) == 5


def test_what_is_chosen_says_by_which_order_when_and_from_which_run(ranked: Small):
    begun = utc_now()
    round_id = open_ordered(ranked)
    take(ranked, "anna")
    frame = read_choices(ranked.store, ranked.collection_id)
    assert set(frame["round_id"]) == {round_id}
    assert frame["place"].tolist() == [1, 2]
    assert set(frame["order"]) == {"max-mean"}
    assert frame["chosen_at"].between(begun - timedelta(seconds=1), utc_now()).all()
    assert frame["probability"].isna().all()
    assert frame["stratum"].isna().all()
    assert set(frame["system"]) <= {"good", "other", "poor", "one", "two"}


@pytest.mark.contract
def test_a_round_is_judged_to_the_end_by_exactly_k_and_nothing_twice(ranked: Small):
    round_id = open_ordered(ranked)
    while any([judge(ranked, assessor) for assessor in ASSESSORS]):
        pass
    found = choices(ranked)
    assert len(found) == len(set(found)) == POOL
    frame = read_choices(ranked.store, ranked.collection_id)
    assert frame["place"].tolist() == list(range(1, POOL + 1))
    pool = read_pool(ranked.store, round_id)
    assert set(zip(pool["topic_id"], pool["document_id"], strict=True)) == set(found)
    rows = ranked.store.database.run(
        "SELECT topic_id, document_id, count(*), count(DISTINCT assessor_id) FROM labels "
        "GROUP BY ALL"
    )
    assert {row[2:] for row in rows} == {(2, 2)}
    assert len(rows) == POOL
    assert all(one.finished_at for one in read_slots(ranked.store.cursor(), ranked.collection_id))


@long
@pytest.mark.parametrize("budget", few([5, 1, 7, 100]))
def test_no_more_than_the_budget_is_chosen(ranked: Small, budget: int):
    open_ordered(ranked, budget=budget)
    while any([judge(ranked, assessor) for assessor in ASSESSORS]):
        pass
    assert len(choices(ranked)) == min(budget, POOL)


@long
def test_what_is_open_comes_before_more_is_chosen(ranked: Small):
    open_ordered(ranked, judges=3)
    taken = [take(ranked, name) for name in ASSESSORS]
    assert [(one.topic_id, one.batch) for one in taken] == [*[("t1", 0)] * 3, ("t2", 0)]


def copy_of(ranked: Small, folder: Path) -> Small:
    """Return the same at this moment, in a process that knows nothing else of it."""
    ranked.store.database.cursor().execute("CHECKPOINT")
    path = folder / f"{uuid.uuid4()}.duckdb"
    shutil.copy(ranked.store.path, path)
    shutil.copy(f"{ranked.store.path}.key", f"{path}.key")
    return Small(Store(path), ranked.collection_id)


@long
@pytest.mark.file_only
@pytest.mark.parametrize("order", ["depth-first", "max-mean", "max-mean(topics='shared')"])
def test_a_server_that_starts_anew_chooses_as_the_one_before(
    ranked: Small, tmp_path: Path, order: str
):
    open_ordered(ranked, order=order, judges=1)
    for number in range(4):
        judge(ranked, ASSESSORS[number], level=number % 2)
        other = copy_of(ranked, tmp_path)
        take(ranked, "dan")
        take(other, "dan")
        assert choices(other) == choices(ranked)
        other.store.close()
        finish_assignment(ranked.store, take(ranked, "dan"))


def next_documents(ranked: Small, held: Assignment) -> list[str]:
    """Return what is chosen after a batch is finished."""
    finish_assignment(ranked.store, held)
    before = choices(ranked)
    take(ranked, "dan")
    return [document for topic, document in choices(ranked) if (topic, document) not in before]


@pytest.fixture(scope="module")
def apart_store(
    small_store: tuple[Path, str], tmp_path_factory: pytest.TempPathFactory
) -> tuple[Path, str]:
    path, _ = small_store
    with closing(Store(Path(shutil.copy(path, tmp_path_factory.mktemp("apart"))))) as store:
        made = Small(store, create_collection(store, "Apart"))
        made.add("topics", "t1\tfirst query\n")
        made.add("documents", documents(("t1",)))
        for name, ranks in (("a", [1, 2, 3]), ("b", [4, 5, 6])):
            made.add("runs", run(name, ranks, ("t1",)), f"{name}.run")
        for name in ASSESSORS:
            add_member(made.store, made.collection_id, name, name)
        return store.path, made.collection_id


@pytest.fixture
def apart(tmp_path: Path, apart_store: tuple[Path, str]) -> Iterator[Small]:
    """A collection of one topic with two runs that have nothing in common: d1 to d3, d4 to d6."""
    path, collection_id = apart_store
    with closing(Store(Path(shutil.copy(path, tmp_path)))) as store:
        yield Small(store, collection_id)


def runs_of(found: list[str]) -> set[str]:
    return {"a" if int(one[-1]) <= 3 else "b" for one in found}


Begun = tuple[Small, Assignment, set[str]]


@pytest.fixture
def begun(apart: Small) -> Begun:
    """A round of which the first two documents of one of the runs were given to Anna."""
    open_ordered(apart, judges=1)
    first = take(apart, "anna")
    of = runs_of([document for _, document in choices(apart)])
    assert len(of) == 1
    return apart, first, of


@long
def test_documents_that_are_relevant_call_for_more_of_their_run(begun: Begun):
    apart, first, of = begun
    say(apart, first, level=1)
    assert runs_of(next_documents(apart, first)[:1]) == of


@long
def test_documents_that_are_not_call_for_those_of_another_run(begun: Begun):
    apart, first, of = begun
    say(apart, first, level=0)
    assert runs_of(next_documents(apart, first)) == {"a", "b"} - of


@long
def test_a_level_below_the_chosen_one_is_not_relevant(apart: Small):
    open_ordered(apart, judges=1, relevant_from=2)
    first = take(apart, "anna")
    of = runs_of([document for _, document in choices(apart)])
    say(apart, first, level=1)
    assert runs_of(next_documents(apart, first)) == {"a", "b"} - of


@long
def test_taking_a_label_back_changes_what_comes_next(begun: Begun):
    apart, first, of = begun
    say(apart, first, level=0)
    assert set(say(apart, first, state="unjudged")) == {"saved"}
    assert runs_of(next_documents(apart, first)[:1]) == of


@long
def test_cannot_judge_is_no_label(begun: Begun):
    apart, first, of = begun
    say(apart, first, level=0)
    say(apart, first, state="cannot judge")
    assert runs_of(next_documents(apart, first)[:1]) == of


@long
def test_a_label_that_comes_late_is_learnt_from(begun: Begun):
    apart, first, of = begun
    other = take(apart, "bob", minutes=61)
    assert (other.topic_id, other.batch) == (first.topic_id, first.batch)
    say(apart, first, level=0)
    assert runs_of(next_documents(apart, other)) == {"a", "b"} - of


def test_labels_of_machines_do_not_decide(begun: Begun):
    apart, first, of = begun
    say(apart, first, level=0)
    edit_roster(apart.store, apart.collection_id, {"anna": RosterEntry("", "machine")})
    assert runs_of(next_documents(apart, first)[:1]) == of


@long
def test_labels_that_were_there_before_are_learnt_from_once_chosen(apart: Small):
    earlier = open_round(apart.store, apart.collection_id, Plan(judges=1, flow="page only"))
    while judge(apart, "carla", level=0):
        pass
    close_round(apart.store, earlier, closed=True)
    open_ordered(apart, judges=1)
    first = take(apart, "anna")
    of = runs_of([document for _, document in choices(apart)])
    assert runs_of(next_documents(apart, first)) == {"a", "b"} - of


def test_what_a_given_up_transaction_chose_is_chosen_again(ranked: Small):
    open_ordered(ranked)
    store, now = ranked.store, utc_now()
    (rules,) = list_rounds(store, ranked.collection_id)

    def choose_and_fail() -> None:
        with store.database.write() as cursor:
            assert chosen_batches.choose_batch(store, cursor, rules, now)
            raise RuntimeError("the server went away")

    with pytest.raises(RuntimeError):
        choose_and_fail()
    assert choices(ranked) == []
    take(ranked, "anna")
    assert len(choices(ranked)) == 2
    assert len(read_pool(store, rules.round_id)) == 2


@pytest.mark.contract
def test_who_ask_at_once_do_not_have_the_same_chosen_twice(ranked: Small):
    for number in range(8):
        add_member(ranked.store, ranked.collection_id, f"p{number}", f"p{number}")
    round_id = open_ordered(ranked, judges=2)
    held: list[tuple[str, int, str]] = []

    def work(assessor: str) -> None:
        while assignment := take(ranked, assessor):
            held.append((assignment.topic_id, assignment.batch, assessor))
            say(ranked, assignment)
            finish_assignment(ranked.store, assignment)

    threads = [threading.Thread(target=work, args=(f"p{number}",)) for number in range(8)]
    for one in threads:
        one.start()
    for one in threads:
        one.join()
    assert len(choices(ranked)) == len(set(choices(ranked))) == POOL
    assert len(held) == len(set(held))
    places = Counter(batch[:2] for batch in held)
    assert set(places.values()) == {2}
    assert len(read_pool(ranked.store, round_id)) == POOL


@long
def test_ahead_goes_one_batch_beyond_the_current_one(ranked: Small):
    open_ordered(ranked, judges=1)
    for _ in range(2):
        assert len(hold_more(ranked.store, ranked.collection_id, "anna", 6)) == 2
    assert len(choices(ranked)) == 4
    ahead = hand_out_ahead(ranked.store, ranked.collection_id, "anna")
    assert len(ahead) == 2


@long
def test_the_fair_share_counts_what_is_not_chosen_yet(ranked: Small):
    open_ordered(ranked, judges=1, budget=14)
    for name in ASSESSORS:
        assert take(ranked, name)
    # Seven batches for four people: none has a second one ahead.
    held = [hold_more(ranked.store, ranked.collection_id, name, 6) for name in ASSESSORS]
    assert [len(one) for one in held] == [1] * 4


def test_ones_share_counts_what_is_not_chosen_yet(ranked: Small):
    round_id = open_ordered(ranked, judges=1)
    assert read_share(ranked.store, ranked.collection_id, "anna").free == 8
    take(ranked, "anna")
    share = read_share(ranked.store, ranked.collection_id, "anna")
    assert (share.finished, share.held, share.free) == (0, 1, 7)
    close_round(ranked.store, round_id, closed=True)
    assert read_share(ranked.store, ranked.collection_id, "anna").free == 0


@long
def test_who_has_judged_some_of_it_elsewhere_has_no_more_chosen_for_them(ranked: Small):
    plan = Plan(judges=1, flow="page only", assessors=("anna",))
    open_round(ranked.store, ranked.collection_id, plan)
    while judge(ranked, "anna"):
        pass
    open_ordered(ranked)
    for _ in range(3):
        assert take(ranked, "anna") is None
    assert len(choices(ranked)) <= 2


def test_the_budget_is_raised_and_lowered_and_that_is_recorded(ranked: Small):
    round_id = open_ordered(ranked, budget=2)
    judge(ranked, "anna")
    assert judge(ranked, "anna") is None
    after = set_order(ranked.store, round_id, "max-mean", 4, by="olga")
    assert after == get_round(ranked.store, round_id)
    assert judge(ranked, "anna")
    with pytest.raises(BadInput, match="4 documents were chosen already"):
        set_order(ranked.store, round_id, "max-mean", 3)
    rows = ranked.store.database.run(
        "SELECT person_id, detail FROM changes WHERE what = 'set order'"
    )
    assert rows == [("olga", "budget: 2 → 4")]


@long
def test_what_another_order_chooses_later_says_so(ranked: Small):
    round_id = open_ordered(ranked, judges=1)
    judge(ranked, "anna")
    set_order(ranked.store, round_id, "depth-first")
    judge(ranked, "anna")
    frame = read_choices(ranked.store, ranked.collection_id)
    assert frame["order"].tolist() == ["max-mean", "max-mean", "depth-first", "depth-first"]
    assert frame["place"].tolist() == [1, 2, 3, 4]
    assert set(frame.loc[2:, "system"]) == {""}


@long
def test_the_order_of_a_round_that_is_closed_or_has_none_stays(ranked: Small):
    round_id = open_ordered(ranked)
    close_round(ranked.store, round_id, closed=True)
    with pytest.raises(BadInput, match="closed"):
        set_order(ranked.store, round_id, "depth-first")
    plain = open_round(ranked.store, ranked.collection_id, Plan(judges=1))
    with pytest.raises(BadInput, match="handed out when it was opened"):
        set_order(ranked.store, plain, "depth-first")


def test_a_closed_round_chooses_nothing(ranked: Small):
    round_id = open_ordered(ranked)
    close_round(ranked.store, round_id, closed=True)
    assert take(ranked, "anna") is None
    close_round(ranked.store, round_id, closed=False)
    assert take(ranked, "anna")


@long
def test_new_runs_bring_more_to_choose_from(ranked: Small):
    round_id = open_ordered(ranked, judges=1, depth=3)
    before = find_order_state(ranked.store.cursor(), round_id)
    ranked.add("runs", run("new", [4, 5, 6]), "new.run")
    brought = top_up(ranked.store, round_id)
    after = find_order_state(ranked.store.cursor(), round_id)
    assert after.candidates - before.candidates == brought
    assert top_up(ranked.store, round_id) == 0
    while judge(ranked, "anna"):
        pass
    assert len(choices(ranked)) == after.candidates


@long
def test_further_assessors_judge_what_was_chosen_and_what_will_be(ranked: Small):
    round_id = open_ordered(ranked, judges=1)
    judge(ranked, "anna")
    assert add_judges(ranked.store, round_id, 2) == 1
    assert judge(ranked, "bob").batch == 0
    judge(ranked, "anna")
    slots = read_slots(ranked.store.cursor(), ranked.collection_id)
    assert set(Counter((one.topic_id, one.batch) for one in slots).values()) == {2}


def test_what_is_on_screen_tells_nothing_of_the_order(ranked: Small):
    """Documents come in an order of the assessor's own, and the content names no run or place."""
    open_ordered(ranked, batch_size=6, judges=4)
    orders = set()
    for name in ASSESSORS:
        _, content = next_assignment(ranked.store, ranked.collection_id, name)
        orders.add(tuple(step.document_id for step in content.steps))
        assert "max-mean" not in repr(content)
    assert len(orders) > 1


@long
def test_hidden_repeats_come_with_their_batch(ranked: Small):
    open_ordered(ranked, repeat_share=0.5)
    _, content = next_assignment(ranked.store, ranked.collection_id, "anna")
    assert [step.occasion for step in content.steps].count(1) == 1


@each(
    ("plan", "reason"),
    [
        ({"order": "best-first"}, "is not an? order of judging"),
        ({"flow": "pages side by side"}, "no pairs of things"),
        ({"assessors": ("anna", "bob")}, "name no assessors"),
        ({"lacking": 1}, "leave out what has labels"),
        ({"budget": 0}, "at least one document"),
        ({"order": None, "budget": 5}, "needs an order"),
        ({"relevant_from": 0}, "says relevant from a level"),
        ({"relevant_from": 9}, "says relevant from a level"),
    ],
)
def test_a_plan_that_cannot_be_is_refused(ranked: Small, plan: dict, reason: str):
    with pytest.raises(BadInput, match=reason):
        open_ordered(ranked, **plan)
    assert list_rounds(ranked.store, ranked.collection_id) == []


def export(ranked: Small, **wanted: bool) -> bytes:
    file = export_file(ranked.store, ranked.collection_id, "labels", Wanted(**wanted))
    return file.content


def test_an_export_says_of_each_label_what_chose_its_item(ranked: Small):
    open_ordered(ranked, judges=1)
    judge(ranked, "anna")
    rows = pd.read_csv(io.BytesIO(export(ranked, names=True)))
    assert set(rows["order"]) == {"max-mean"}
    assert sorted(rows["place"]) == [1, 2]
    assert set(rows["chosen_from"]) <= {"good", "other", "poor", "one", "two"}
    assert rows["probability"].isna().all()
    assert pd.to_datetime(rows["chosen_at"]).notna().all()
    stored = pd.read_parquet(io.BytesIO(export(ranked, names=True, parquet=True)))
    assert stored["place"].tolist() == rows["place"].tolist()


@long
def test_an_export_without_orders_is_as_it_was(ranked: Small):
    open_round(ranked.store, ranked.collection_id, Plan(judges=1, flow="page only"))
    judge(ranked, "anna")
    header = export(ranked).decode().splitlines()[0]
    assert not {"order", "place", "chosen_at", "probability"} & set(header.split(","))


@long
def test_an_export_with_orders_is_read_again(ranked: Small):
    open_ordered(ranked, judges=1)
    judge(ranked, "anna")
    source = Source("labels.csv", export(ranked, names=True))
    again = read_import("labels", source, scales=get_scales(ranked.store, ranked.collection_id))
    assert len(again.frames["labels"]) == 2


@long
def test_of_an_order_what_will_be_asked_for_counts(ranked: Small):
    round_id = open_ordered(ranked, judges=2, budget=7)
    study = Study(ranked.store, ranked.collection_id, False)
    progress = ask_progress(study)
    assert (progress.judged, progress.required, progress.left) == (0, 14, 14)
    assert set(progress.holders["assessor_id"]) <= set(ASSESSORS)
    judge(ranked, "anna")
    progress = ask_progress(study)
    assert (progress.judged, progress.required, progress.left) == (2, 14, 12)
    waiting = waiting_for(ranked.store, ranked.collection_id, "anna")
    assert (waiting.items, waiting.is_shared) == (5, True)
    while any([judge(ranked, assessor) for assessor in ASSESSORS]):
        pass
    progress = ask_progress(study)
    assert (progress.judged, progress.required, progress.left) == (14, 14, 0)
    close_round(ranked.store, round_id, closed=True)
    assert count_to_come(ranked.store, get_round(ranked.store, round_id)) == 0


@long
def test_snippets_count_in_what_will_be_asked_for(ranked: Small):
    round_id = open_ordered(ranked, judges=2, share=0.1, flow="snippet then page")
    rules = get_round(ranked.store, round_id)
    # Six pages and the six results that two engines have of four of the documents.
    assert count_to_come(ranked.store, rules) == 2 * 12
    take(ranked, "anna")
    left = count_to_come(ranked.store, rules)
    found = read_batch_sizes(ranked.store, rules)["steps"].sum()
    assert left + 2 * found == 2 * 12


@long
def test_a_late_round_counts_what_is_not_chosen_yet(ranked: Small):
    open_ordered(ranked, judges=1, due_at=utc_now() - timedelta(days=1))
    study = Study(ranked.store, ranked.collection_id, False)
    (found,) = find_late(ask_progress(study))
    assert "8 of 8 slots not finished" in found.what


def test_a_plan_says_what_its_budget_comes_to(ranked: Small):
    study = Study(ranked.store, ranked.collection_id, False)
    plan = Plan(judges=2, flow="page only", order="max-mean", budget=5)
    outlook = outlook_of(study, plan)
    assert (outlook.documents, outlook.judgements) == (5, 10)


def test_nobody_sees_others_labels_of_a_topic_that_more_is_chosen_of(ranked: Small):
    allow_seeing(ranked.store, ranked.collection_id, Seeing(True, comments=False))
    round_id = open_ordered(ranked, judges=1, share=0.1)
    judged = judge(ranked, "anna")
    assert list_ready_topics(ranked.store, ranked.collection_id, "anna") == []
    set_order(ranked.store, round_id, "max-mean", 2)
    ready = list_ready_topics(ranked.store, ranked.collection_id, "anna")
    assert ready == [judged.topic_id]


@long
def test_webhooks_are_told_once_nothing_more_is_chosen(ranked: Small):
    make_webhook(ranked.store, ranked.collection_id, "https://example.org/hook")
    round_id = open_ordered(ranked, judges=1, budget=2)
    set_order(ranked.store, round_id, "max-mean", 4)
    judge(ranked, "anna")
    assert queue_finished(ranked.store, ranked.collection_id) == 0
    set_order(ranked.store, round_id, "max-mean", 2)
    assert queue_finished(ranked.store, ranked.collection_id) > 0
