"""Rounds that show a machine's levels: what is told, when, to whom, and what is written down."""

import shutil
import uuid
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from core.assessment.handing_out.assignment_content import Step
from core.assessment.handing_out.blinding import engine_code
from core.assessment.handing_out.queue import take_assignment
from core.assessment.handing_out.steps import lay_out
from core.assessment.intake.judging import Grant, Intake, grant_of
from core.assessment.rounds.rounds import Plan, close_round, open_round
from core.assessment.showing import is_drawn, reveal_levels
from core.errors import BadInput
from core.store.check.check_attachments import AFTERWARDS
from core.store.events.frames import read_labels
from core.store.events.labels import Key, LabelEvent
from core.store.file.database import fetch
from core.store.machines.machines import Machine, describe_machine
from core.store.people.members import add_member
from core.store.people.roster import RosterEntry, edit_roster
from core.store.rounds.rounds import PAGE_ONLY, SNIPPET_ONLY, get_round
from core.store.rounds.showing import Showing, find_showing, list_showings, read_beside
from core.store.store import Store
from tests.core.assessment.chosen_draw import choose_draw
from tests.core.assessment.conftest import Small
from tests.each import each
from tests.engines import FILE
from tests.short import long

MACHINE = "llm"
LEVEL = 3
"""What the machine says of every page."""

PAGES = Plan(judges=2, flow=PAGE_ONLY, seed=5, shows_machine=MACHINE)
Send = Callable[..., dict[str, Any]]


class Desk:
    """One assessor before a batch of pages, some of which are drawn."""

    def __init__(self, small: Small, round_id: str, intake: Intake, who: str = "anna") -> None:
        self.small, self.intake, self.who = small, intake, who
        self.assignment = take_assignment(small.store, small.collection_id, who)
        self.grant = grant_of(self.assignment)
        self.steps = lay_out(small.store, self.assignment).steps
        keys = [step.key(who) for step in self.steps if step.facet == "page"]
        choose_draw(small.store, round_id, {key: place % 2 == 0 for place, key in enumerate(keys)})
        self.showing = find_showing(small.store, round_id)

    def drawn(self, is_shown: bool = True, place: int = 0) -> Step:
        """Return a page that is drawn, or one that is not."""
        keys = [step.key(self.who) for step in self.steps]
        found = [is_drawn(self.showing, key) == is_shown for key in keys]
        return [step for step, is_it in zip(self.steps, found, strict=True) if is_it][place]

    def event(self, step: Step, level: int = 1, **other: Any) -> dict[str, Any]:
        return {
            "event_id": str(uuid.uuid4()),
            "supersedes": None,
            "topic": step.topic_id,
            "document": step.document_id,
            "facet": step.facet,
            "engine": engine_code(self.small.store.secret, step.key(self.who)),
            "occasion": step.occasion,
            "state": "level",
            "level": level,
            **other,
        }

    def send(self, *events: dict[str, Any], grant: Grant | None = None) -> list[dict[str, Any]]:
        return self.intake.accept(grant or self.grant, events)

    def judge(self, step: Step) -> dict[str, Any]:
        (ack,) = self.send(self.event(step))
        return ack

    def judge_rest(self, but: Step | None = None) -> None:
        """Judge whatever of the batch is open."""
        known = self.small.store.labels.current(self.small.collection_id, self.who)
        for step in self.steps:
            if step != but and step.key(self.who) not in known:
                assert self.judge(step)["status"] == "saved"

    def tell_keys(self) -> dict[Key, int]:
        """Ask what the machine said, as the card at the end does."""
        return {one.key: one.level for one in reveal_levels(self.small.store, self.assignment)}

    def tell(self) -> dict[str, int]:
        return {key.document_id: level for key, level in self.tell_keys().items()}

    @property
    def told(self) -> list[str]:
        """The ids of the events with which a level was told, as the store has them."""
        rows = fetch(self.small.store.cursor(), "SELECT event_id::VARCHAR AS id FROM machine_shown")
        return [row["id"] for row in rows]

    @property
    def marked(self) -> set[str]:
        sql = "SELECT event_id::VARCHAR AS id FROM labels_after_seeing"
        return {row["id"] for row in fetch(self.small.store.cursor(), sql)}


def let_machine_judge(small: Small, level: int = LEVEL, documents: int = 6) -> None:
    """Store the machine's levels of all pages."""
    keys = [
        Key(topic, f"{topic}d{number}", "page", "", MACHINE, 0)
        for topic in ("t1", "t2", "t3")
        for number in range(1, documents + 1)
    ]
    events = [LabelEvent(str(uuid.uuid4()), None, key, "level", level) for key in keys]
    small.store.labels.append(small.collection_id, events)


def say(small: Small, key: Key, level: int | None, state: str = "level") -> None:
    before = small.store.labels.current(small.collection_id, key.assessor_id).get(key)
    event_id = str(uuid.uuid4())
    event = LabelEvent(event_id, before.event_id if before else None, key, state, level)
    small.store.labels.append(small.collection_id, [event])


@pytest.fixture(scope="module")
def judged_store(
    small_store: tuple[Path, str], tmp_path_factory: pytest.TempPathFactory
) -> tuple[Path, str]:
    """The store to be copied in which a machine has judged all pages."""
    path, collection_id = small_store
    with closing(Store(Path(shutil.copy(path, tmp_path_factory.mktemp("judged"))))) as store:
        describe_machine(store, collection_id, MACHINE, Machine("LLM", "model-7"))
        let_machine_judge(Small(store, collection_id))
        return store.path, collection_id


@pytest.fixture
def judged(tmp_path: Path, judged_store: tuple[Path, str]) -> Iterator[Small]:
    path, collection_id = judged_store
    small = Small(Store(Path(shutil.copy(path, tmp_path))), collection_id)
    yield small
    small.store.close()


@pytest.fixture
def desk(judged: Small) -> Desk:
    round_id = open_round(judged.store, judged.collection_id, PAGES)
    return Desk(judged, round_id, Intake(judged.store))


@pytest.mark.contract
def test_nothing_is_told_before_all_of_the_batch_is_judged(desk: Desk):
    *others, last = desk.steps
    for step in others:
        assert "machine" not in desk.judge(step)
        assert desk.tell() == {}
    later = desk.event(last, state="later", level=None)
    desk.send(later)
    assert desk.tell() == {}
    assert desk.told == []
    desk.send(desk.event(last, supersedes=later["event_id"]))
    drawn = {step.document_id for step in desk.steps if is_drawn(desk.showing, step.key(desk.who))}
    assert 0 < len(drawn) < len(desk.steps)
    assert desk.tell() == dict.fromkeys(drawn, LEVEL)
    assert len(desk.told) == len(drawn)
    assert desk.marked == set()


@pytest.mark.contract
def test_what_is_said_of_such_a_page_afterwards_is_marked_and_counts_apart(desk: Desk):
    step, other, revised = desk.drawn(), desk.drawn(False), desk.drawn(place=1)
    first, second, slip = desk.event(step, 1), desk.event(other, 1), desk.event(revised, 0)
    desk.send(first, second, slip)
    meant = desk.event(revised, 2, supersedes=slip["event_id"])
    desk.send(meant)
    desk.judge_rest()
    assert desk.tell()[step.document_id] == LEVEL
    assert desk.marked == set(), "what was revised before was not said after seeing"
    changed = desk.event(step, 3, supersedes=first["event_id"])
    again = desk.event(other, 2, supersedes=second["event_id"])
    desk.send(changed)
    desk.send(again, grant=Grant(desk.small.collection_id, "anna"))
    assert desk.marked == {changed["event_id"]}
    given = levels(desk.small)
    assert [given[one.document_id] for one in (step, other, revised)] == [1, 2, 2]
    after = levels(desk.small, discussed=True)
    assert [after[one.document_id] for one in (step, other, revised)] == [3, 2, 2]
    assert AFTERWARDS.check(desk.small.store).faults == ()


def levels(small: Small, *, discussed: bool = False) -> dict[str, int]:
    labels = read_labels(small.store, small.collection_id, assessor_id="anna", discussed=discussed)
    return dict(zip(labels["document_id"], labels["given_level"], strict=True))


@pytest.mark.contract
def test_it_is_told_as_often_as_is_asked_and_written_down_once(desk: Desk):
    desk.judge_rest()
    told, rows = desk.tell(), desk.told
    assert told
    say(desk.small, desk.drawn().key(MACHINE), 0)
    assert desk.tell() == told, "as it was then"
    assert desk.told == rows


@long
def test_what_cannot_be_judged_is_told_and_what_was_taken_back_is_waited_for(desk: Desk):
    cannot, back = desk.drawn(), desk.drawn(place=1)
    desk.send(desk.event(cannot, state="cannot judge", level=None, comment="no"))
    first = desk.event(back)
    desk.judge_rest(but=back)
    desk.send(first)
    undone = desk.event(back, state="unjudged", level=None, supersedes=first["event_id"])
    desk.send(undone)
    assert desk.tell() == {}
    desk.send(desk.event(back, supersedes=undone["event_id"]))
    assert {cannot.document_id, back.document_id} <= set(desk.tell())


@pytest.mark.contract
def test_where_a_label_came_too_late_beside_that_which_stands_nothing_is_told(desk: Desk):
    step = desk.drawn()
    desk.judge_rest()
    (ack,) = desk.send(desk.event(step, 0))
    assert ack["status"] == "stale"
    assert step.document_id not in desk.tell()
    assert desk.marked == set()
    assert AFTERWARDS.check(desk.small.store).faults == ()
    stale = desk.event(desk.drawn(place=1), 0)
    desk.send(stale)
    assert desk.marked == {stale["event_id"]}, "that one came after it was told"
    assert AFTERWARDS.check(desk.small.store).faults == ()


def test_after_a_restart_what_was_shown_is_still_known(desk: Desk):
    step, first = desk.drawn(), desk.event(desk.drawn())
    desk.send(first)
    desk.judge_rest()
    told = desk.tell()
    place = desk.small.store.place
    desk.small.store.close()
    desk.small.store = Store(place)
    desk.intake = Intake(desk.small.store)
    changed = desk.event(step, 2, supersedes=first["event_id"])
    desk.send(changed)
    assert desk.marked == {changed["event_id"]}
    assert desk.tell() == told


def test_a_closed_round_tells_nothing(desk: Desk):
    desk.judge_rest()
    close_round(desk.small.store, desk.grant.round_id, closed=True)
    assert desk.tell() == {}
    assert desk.told == []


@long
def test_another_round_of_the_same_pages_tells_nothing(desk: Desk):
    plan = replace(PAGES, shows_machine=None)
    plain = open_round(desk.small.store, desk.small.collection_id, plan)
    desk.judge_rest()
    rules = get_round(desk.small.store, plain)
    assert reveal_levels(desk.small.store, replace(desk.assignment, rules=rules)) == []


@long
def test_without_a_level_of_the_machine_there_is_nothing_to_tell(desk: Desk):
    step = desk.drawn()
    say(desk.small, step.key(MACHINE), None, "invalid answer")
    desk.judge_rest()
    assert step.document_id not in desk.tell()


@long
def test_snippets_are_told_nothing(judged: Small):
    plan = Plan(judges=1, shows_machine=MACHINE)
    round_id = open_round(judged.store, judged.collection_id, plan)
    desk = Desk(judged, round_id, Intake(judged.store))
    for step in (one for one in desk.steps if one.facet == "snippet"):
        say(judged, Key(step.topic_id, step.document_id, "snippet", step.engine, MACHINE, 0), 2)
    desk.judge_rest()
    assert {key.facet for key in desk.tell_keys()} == {"page"}


def test_who_is_no_machine_any_more_is_not_shown(small: Small):
    add_member(small.store, small.collection_id, MACHINE, "LLM")
    with kind_of_machine(small):
        let_machine_judge(small)
        round_id = open_round(small.store, small.collection_id, PAGES)
        desk = Desk(small, round_id, Intake(small.store))
        desk.judge_rest()
        (called,) = {one.called for one in reveal_levels(small.store, desk.assignment)}
        assert called == "LLM"
    assert desk.tell() == {}


@contextmanager
def kind_of_machine(small: Small) -> Iterator[None]:
    """Have it said in the roster that a member is a machine, for as long as this lasts."""
    edit_roster(small.store, small.collection_id, {MACHINE: RosterEntry("", "machine")})
    yield
    edit_roster(small.store, small.collection_id, {MACHINE: RosterEntry("", "person")})


@each(
    ("change", "reason"),
    [
        ({"flow": SNIPPET_ONLY}, "pages are judged"),
        ({"flow": "pages side by side"}, "pages are judged"),
        ({"repeat_share": 0.2}, "hidden repeats"),
        ({"shows_machine": "anna"}, "no machine"),
        ({"shows_machine": "nobody"}, "no machine"),
    ],
)
def test_a_plan_that_cannot_show_is_refused(judged: Small, change: dict[str, Any], reason: str):
    with pytest.raises(BadInput, match=reason):
        open_round(judged.store, judged.collection_id, replace(PAGES, **change))
    assert list_showings(judged.store, judged.collection_id) == []


def test_the_draw_is_a_half_of_its_own_for_each_assessor_and_page():
    showing = Showing("r", "c", MACHINE, "ab" * 32, "LLM", True)
    keys = [
        Key(f"t{topic}", f"d{document}", "page", "", who, 0)
        for who in ("anna", "bob")
        for topic in range(20)
        for document in range(50)
    ]
    drawn = [is_drawn(showing, key) for key in keys]
    assert drawn == [is_drawn(showing, key) for key in keys]
    assert 0.45 < sum(drawn) / len(drawn) < 0.55
    same = sum(one == other for one, other in zip(drawn[:1000], drawn[1000:], strict=True))
    assert 0.45 < same / 1000 < 0.55
    other_key = replace(showing, draw_key="cd" * 32)
    assert drawn != [is_drawn(other_key, key) for key in keys]
    assert not is_drawn(showing, keys[0]._replace(facet="snippet"))
    assert not is_drawn(showing, keys[0]._replace(occasion=1))


def test_what_was_judged_beside_the_machine_is_read_with_what_it_said_then(desk: Desk):
    store, step, other = desk.small.store, desk.drawn(), desk.drawn(False)
    first = desk.event(step, 1)
    desk.send(first)
    desk.send(desk.event(other, state="cannot judge", level=None))
    desk.judge_rest()
    desk.tell()
    desk.send(desk.event(step, 3, supersedes=first["event_id"]))
    say(desk.small, Key(step.topic_id, step.document_id, "page", "", MACHINE, 0), 0)
    rows = read_beside(store, desk.showing).set_index("document_id")
    assert rows.loc[step.document_id, ["first", "last", "machine", "told"]].tolist() == [
        *(1, 3, LEVEL, True),
    ]
    assert rows.loc[other.document_id, ["machine", "told"]].tolist() == [LEVEL, False]
    assert rows.loc[other.document_id, ["first", "last"]].isna().all()
    assert list(rows["assessor_id"].unique()) == ["anna"]


@pytest.mark.contract
def test_what_one_server_has_told_another_marks(desk: Desk, request: pytest.FixtureRequest):
    if request.config.getoption("--engine") == FILE:
        pytest.skip("one server has a file to itself")
    with closing(Store(desk.small.store.place)) as other:
        step = desk.drawn()
        first = desk.event(step)
        desk.send(first)
        desk.judge_rest()
        assert desk.tell()
        other.refresh()
        changed = desk.event(step, 2, supersedes=first["event_id"])
        Intake(other).accept(desk.grant, [changed])
    desk.small.store.refresh()
    assert desk.marked == {changed["event_id"]}
