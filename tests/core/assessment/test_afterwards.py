"""What others said, seen afterwards: when, by whom, and what it does to labels."""

import shutil
import uuid
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from core.assessment.afterwards import (
    DisputedItem,
    has_ready_topics,
    list_ready_topics,
    name_others,
    open_topic,
    show_item_of,
)
from core.assessment.handing_out.next_assignment import left_to_judge, next_assignment
from core.assessment.intake.judging import Grant, Intake
from core.assessment.rounds.rounds import Plan, close_round, open_round
from core.collection.records import FACETS
from core.errors import NotAllowed
from core.store.content.gold import GoldItem, mark_gold
from core.store.content.scales import get_scales
from core.store.events.afterwards import (
    Seeing,
    allow_seeing,
    count_marked,
    list_topics_seen,
    read_items_seen,
)
from core.store.events.frames import read_labels
from core.store.events.labels import Key, LabelEvent
from core.store.people.members import add_member, drop_member
from core.store.people.roster import MACHINE, RosterEntry, edit_roster
from core.store.rounds.rounds import list_rounds
from core.store.store import Store
from tests.core.assessment.conftest import ASSESSORS, Small
from tests.short import few, long

PAGES = {"judges": 2, "flow": "page only", "depth": 3}
"""Each topic has the pages d1 to d4, judged by two."""


@pytest.fixture
def seen(small: Small) -> Small:
    """The small collection with one round, in which others may be seen afterwards."""
    return let_see(small)


def let_see(small: Small) -> Small:
    allow_seeing(small.store, small.collection_id, Seeing(True, comments=False))
    open_round(small.store, small.collection_id, Plan(**PAGES, assessors=ASSESSORS[:2]))
    return small


@pytest.fixture(scope="module")
def both_store(
    small_store: tuple[Path, str], tmp_path_factory: pytest.TempPathFactory
) -> tuple[Path, str]:
    """The store to be copied in which both have judged all there is."""
    path, collection_id = small_store
    with closing(Store(Path(shutil.copy(path, tmp_path_factory.mktemp("both"))))) as store:
        judge_both(let_see(Small(store, collection_id)))
        return store.path, collection_id


@pytest.fixture
def both(tmp_path: Path, both_store: tuple[Path, str]) -> Iterator[Small]:
    """The same, once Bob gave the first page of each topic 3, and all others were given 1."""
    path, collection_id = both_store
    store = Store(Path(shutil.copy(path, tmp_path)))
    yield Small(store, collection_id)
    store.close()


def judge(small: Small, who: str, level: int = 1, topics: int = 99, **said: object) -> None:
    """Judge what is handed out to the end, or so many topics of it; other levels by document."""
    for _ in range(topics):
        given = next_assignment(small.store, small.collection_id, who)
        if given is None:
            return
        assignment, content = given
        grant = Grant(
            small.collection_id, who, assignment.rules.round_id, assignment.topic_id,
            assignment.batch,
        )  # fmt: skip
        current = small.store.labels.current(small.collection_id, who)
        events = []
        for step in left_to_judge(content, current, who):
            answer = said.get(step.document_id[2:], level)
            state = {"state": "level", "level": answer}
            if answer is None:
                state = {"state": "cannot judge"}
            events.append(event_of(small, step.key(who), **state))
        accept(small, grant, events)
    next_assignment(small.store, small.collection_id, who)


def send(small: Small, grant: Grant, key: Key, **said: object) -> str:
    event = event_of(small, key, **said)
    accept(small, grant, [event])
    return str(event["event_id"])


def event_of(small: Small, key: Key, **said: object) -> dict[str, object]:
    standing = small.store.labels.current(small.collection_id, key.assessor_id).get(key)
    return {
        "event_id": str(uuid.uuid4()), "topic": key.topic_id, "document": key.document_id,
        "facet": key.facet, "engine": "", "occasion": key.occasion,
        "supersedes": standing.event_id if standing else None, **said,
    }  # fmt: skip


def accept(small: Small, grant: Grant, events: list[dict[str, object]]) -> None:
    acks = Intake(small.store).accept(grant, events)
    assert {ack["status"] for ack in acks} == {"saved"}, acks


def revise(small: Small, key: Key, **said: object) -> str:
    return send(small, Grant(small.collection_id, key.assessor_id), key, **said)


def ready(small: Small, who: str = "anna") -> list[str]:
    found = list_ready_topics(small.store, small.collection_id, who)
    assert has_ready_topics(small.store, small.collection_id, who) == bool(found)
    return found


def look(small: Small, who: str = "anna", topic: str = "t1") -> tuple[DisputedItem, ...]:
    return open_topic(small.store, small.collection_id, who, topic)


def levels(small: Small, who: str = "anna", **how: bool) -> dict[str, int]:
    frame = read_labels(small.store, small.collection_id, assessor_id=who, **how)
    return dict(zip(frame["document_id"], frame["given_level"], strict=True))


def judge_both(small: Small) -> None:
    judge(small, "bob", 1, d1=3)
    judge(small, "anna", 1)


@pytest.mark.contract
def test_who_is_done_sees_where_others_differ_and_may_change_it(both: Small):
    assert ready(both) == ["t1", "t2", "t3"]
    (item,) = look(both)
    assert (item.key, item.given, item.level) == (Key("t1", "t1d1", "page", "", "anna", 0), 1, 1)
    assert [(one.name, one.level, one.comment) for one in item.others] == [("A", 3, "")]
    event = revise(both, item.key, state="level", level=3, comment="I overlooked it.")
    assert levels(both)["t1d1"] == 1
    assert levels(both, discussed=True)["t1d1"] == 3
    marked = both.store.database.run("SELECT event_id::VARCHAR FROM labels_after_seeing")
    assert marked == [(event,)]
    (again,) = look(both)
    assert (again.given, again.level, again.comment) == (1, 3, "I overlooked it.")


@long
def test_what_is_said_elsewhere_carries_no_mark(both: Small):
    look(both)
    revise(both, Key("t2", "t2d1", "page", "", "anna", 0), state="level", level=2)
    revise(both, Key("t1", "t1d1", "page", "", "bob", 0), state="level", level=2)
    assert count_marked(both.store, both.collection_id) == 0
    assert levels(both)["t2d1"] == 2


def test_nobody_sees_anything_unless_it_was_allowed(both: Small):
    allow_seeing(both.store, both.collection_id, Seeing())
    assert ready(both) == []
    with pytest.raises(NotAllowed):
        look(both)
    assert list_topics_seen(both.store, both.collection_id, "anna") == {}


def test_comments_of_others_are_seen_only_if_they_may_be(both: Small):
    revise(both, Key("t1", "t1d1", "page", "", "bob", 0), state="level", level=3, comment="Ha!")
    assert look(both)[0].others[0].comment == ""
    allow_seeing(both.store, both.collection_id, Seeing(True, comments=True))
    assert look(both)[0].others[0].comment == "Ha!"


def test_a_topic_is_closed_until_all_of_it_is_judged(seen: Small):
    judge(seen, "bob", d1=3)
    given = next_assignment(seen.store, seen.collection_id, "anna")
    assert given is not None
    assert ready(seen) == []
    judge(seen, "anna", topics=1)
    assert ready(seen) == [given[0].topic_id]
    other = next(one for one in ("t1", "t2", "t3") if one != given[0].topic_id)
    with pytest.raises(NotAllowed):
        look(seen, topic=other)


def test_undoing_a_label_closes_its_topic_again(both: Small):
    key = Key("t1", "t1d2", "page", "", "anna", 0)
    for state in ("unjudged", "later"):
        revise(both, key, state=state)
        assert ready(both) == ["t2", "t3"]
        with pytest.raises(NotAllowed):
            look(both)
    revise(both, key, state="level", level=1)
    assert len(look(both)) == 1
    revise(both, key, state="unjudged")
    with pytest.raises(NotAllowed):
        look(both)
    assert levels(both)["t1d2"] == 1


@long
def test_what_somebody_gave_no_level_is_not_shown_to_them(seen: Small):
    judge(seen, "bob", 3)
    judge(seen, "anna", 1, d1=None)
    assert [one.key.document_id for one in look(seen)] == ["t1d2", "t1d3", "t1d4"]


@long
def test_who_cannot_judge_anything_sees_nothing(seen: Small):
    judge(seen, "bob", 3)
    judge(seen, "anna", 1, d1=None, d2=None, d3=None, d4=None)
    assert ready(seen) == []
    with pytest.raises(NotAllowed):
        look(seen)


@long
def test_a_level_given_afterwards_opens_nothing_more(seen: Small):
    judge(seen, "bob", 3)
    judge(seen, "anna", 1, d1=None)
    look(seen)
    revise(seen, Key("t1", "t1d1", "page", "", "anna", 0), state="level", level=1)
    assert [one.key.document_id for one in look(seen)] == ["t1d2", "t1d3", "t1d4"]


@long
def test_others_are_shown_as_they_gave_it_not_as_they_changed_it(both: Small):
    (item,) = look(both, "bob")
    revise(both, item.key, state="level", level=1)
    assert look(both, "anna")[0].others[0].level == 3


def test_gold_and_what_was_shown_twice_are_never_shown(small: Small):
    allow_seeing(small.store, small.collection_id, Seeing(True))
    plan = Plan(**PAGES, assessors=("anna", "bob"), repeat_share=0.25)
    open_round(small.store, small.collection_id, plan)
    judge(small, "bob", 3)
    judge(small, "anna", 1)
    frame = read_labels(small.store, small.collection_id, assessor_id="anna")
    (twice,) = frame.loc[(frame["occasion"] == 1) & (frame["topic_id"] == "t1"), "document_id"]
    gold = next(f"t1d{n}" for n in range(1, 5) if f"t1d{n}" != twice)
    mark_gold(small.store, small.collection_id, GoldItem("t1", gold, "page", "", 2))
    shown = {one.key.document_id for one in look(small)}
    assert shown == {"t1d1", "t1d2", "t1d3", "t1d4"} - {twice, gold}


@long
def test_machines_neither_see_nor_are_seen(seen: Small):
    add_member(seen.store, seen.collection_id, "bot", "Bot")
    edit_roster(seen.store, seen.collection_id, {"bot": RosterEntry("", MACHINE)})
    key = Key("t1", "t1d1", "page", "", "bot", 0)
    event = LabelEvent(str(uuid.uuid4()), None, key, "level", 3)
    seen.store.labels.append(seen.collection_id, [event])
    judge(seen, "anna", 1)
    judge(seen, "bob", 1)
    assert look(seen) == ()
    assert set(name_others(seen.store, seen.collection_id, "anna", "t1")) == {"bob"}
    assert ready(seen, "bot") == []


@long
def test_the_labels_of_a_gold_column_are_not_shown_though_nobody_has_taken_them_over(seen: Small):
    gold = "assessor\ttopic\tdocument\tlevel\ngold\tt1\tt1d1\t3\n"
    seen.add("labels", gold, scales=get_scales(seen.store, seen.collection_id))
    judge(seen, "anna", 1)
    judge(seen, "bob", 1)
    assert look(seen) == ()
    assert set(name_others(seen.store, seen.collection_id, "anna", "t1")) == {"bob"}


def test_who_was_taken_off_sees_nothing(both: Small):
    drop_member(both.store, both.collection_id, "anna")
    assert ready(both) == []


@pytest.mark.parametrize("facet", few(FACETS))
def test_a_round_that_still_asks_for_a_topic_closes_it(both: Small, facet: str):
    """Whichever facet it asks for: what others said of a page tells of its snippet, too."""
    again = Plan("Again", 1, 3, f"{facet} only", assessors=("anna",))
    open_round(both.store, both.collection_id, again)
    assert ready(both) == []


@pytest.mark.parametrize("flow", few(["snippet only", "page only"]))
def test_what_may_still_be_handed_out_is_closed(both: Small, flow: str):
    """Also what an overlapping round bars somebody from only while both rounds are open."""
    open_round(both.store, both.collection_id, Plan("Open queue", 2, 4, flow))
    assert ready(both) == []
    close_round(both.store, list_rounds(both.store, both.collection_id)[1].round_id, closed=True)
    assert ready(both) == ["t1", "t2", "t3"]


@long
def test_a_topic_in_parts_is_closed_until_every_other_part_is_done(small: Small):
    """A part that somebody else holds may lapse, and come to whoever asks next."""
    allow_seeing(small.store, small.collection_id, Seeing(True))
    open_round(small.store, small.collection_id, Plan(**PAGES | {"judges": 1}, batch_size=2))
    held = next_assignment(small.store, small.collection_id, "bob")
    assert held is not None
    assert (held[0].topic_id, held[0].batch) == ("t1", 0)
    judge(small, "anna", topics=1)
    assert ready(small) == []
    judge(small, "bob", topics=1)
    assert ready(small) == ["t1"]


@long
def test_what_others_still_have_to_judge_does_not_wait_for_them(small: Small):
    """Nobody judges a batch twice, so places of others there never come to somebody."""
    allow_seeing(small.store, small.collection_id, Seeing(True))
    open_round(small.store, small.collection_id, Plan(**PAGES))
    judge(small, "anna")
    assert ready(small) == ["t1", "t2", "t3"]


@long
def test_a_round_for_those_who_lack_labels_closes_nothing_to_who_gave_some(both: Small):
    more = Plan("More", 3, 3, "page only", lacking=3)
    open_round(both.store, both.collection_id, more)
    assert ready(both) == ["t1", "t2", "t3"]


@long
def test_labels_in_a_later_round_are_marked_where_others_were_seen(both: Small):
    look(both)
    deeper = Plan("Deeper", 1, 4, "snippet only", assessors=("anna",))
    open_round(both.store, both.collection_id, deeper)
    judge_snippets(both)
    given = read_labels(both.store, both.collection_id, assessor_id="anna")
    said = read_labels(both.store, both.collection_id, assessor_id="anna", discussed=True)
    assert set(given.loc[given["facet"] == "snippet", "topic_id"]) == {"t2", "t3"}
    assert set(said.loc[said["facet"] == "snippet", "topic_id"]) == {"t1", "t2", "t3"}


def judge_snippets(small: Small) -> None:
    while given := next_assignment(small.store, small.collection_id, "anna"):
        for step in given[1].steps:
            event = LabelEvent(str(uuid.uuid4()), None, step.key("anna"), "level", 1)
            small.store.labels.append(small.collection_id, [event])


@long
def test_a_page_called_for_only_afterwards_does_not_lock_the_topic(small: Small):
    """It is not handed out, as its batch is finished; what others said stays open to see."""
    allow_seeing(small.store, small.collection_id, Seeing(True))
    plan = Plan(judges=2, depth=1, page_from=1, assessors=("anna", "bob"))
    open_round(small.store, small.collection_id, plan)
    for who, level in (("bob", 3), ("anna", 0)):
        while given := next_assignment(small.store, small.collection_id, who):
            for step in left_to_judge(
                given[1], small.store.labels.current(small.collection_id, who), who
            ):
                event = LabelEvent(str(uuid.uuid4()), None, step.key(who), "level", level)
                small.store.labels.append(small.collection_id, [event])
    items = look(small)
    assert {one.key.facet for one in items} == {"snippet"}
    stands = small.store.labels.current(small.collection_id, "anna")[items[0].key]
    event = LabelEvent(str(uuid.uuid4()), stands.event_id, items[0].key, "level", 2)
    small.store.labels.append(small.collection_id, [event])
    assert look(small)[0].level == 2


@long
def test_others_have_letters_that_hold_within_a_topic_and_tell_nothing_beyond(seen: Small):
    crowd = [f"someone {n}" for n in range(30)]
    for topic in ("t1", "t2", "t3"):
        for who in crowd:
            key = Key(topic, f"{topic}d1", "page", "", who, 0)
            event = LabelEvent(str(uuid.uuid4()), None, key, "level", 3)
            seen.store.labels.append(seen.collection_id, [event])
    judge_both(seen)
    here = seen.store, seen.collection_id
    names = {topic: {} for topic in ("t1", "t2", "t3")}
    for topic in names:
        look(seen, topic=topic)
        names[topic] = name_others(*here, "anna", topic)
    assert sorted(names["t1"].values(), key=lambda one: (len(one), one))[24:31] == [
        *("Y", "Z", "AA", "AB", "AC", "AD", "AE"),
    ]
    drawn = [tuple(one[who] for who in crowd) for one in names.values()]
    assert len(set(drawn)) == 3
    assert drawn[0] != tuple(name_others(*here, "bob", "t1")[who] for who in crowd)
    late = LabelEvent(str(uuid.uuid4()), None, Key("t1", "t1d1", "page", "", "aa", 0), "level", 2)
    seen.store.labels.append(seen.collection_id, [late])
    assert name_others(*here, "anna", "t1") == names["t1"] | {"aa": "AF"}


def test_a_mark_is_on_disk_with_its_label_and_outlives_the_server(both: Small):
    look(both)
    both.store.close()
    with closing(Store(both.store.place)) as opened:
        again = replace(both, store=opened)
        revise(again, Key("t1", "t1d1", "page", "", "anna", 0), state="level", level=2)
        assert count_marked(opened, both.collection_id) == 1
        assert levels(again)["t1d1"] == 1
    # The fixture closes the store once more, which does nothing.


@pytest.mark.contract
def test_a_label_that_cannot_be_marked_is_not_stored(both: Small):
    """Neither alone: a mark that fails takes its label with it."""
    look(both)
    key = Key("t1", "t1d1", "page", "", "anna", 0)
    event = LabelEvent(str(uuid.uuid4()), _standing(both, key), key, "level", 3)
    values = [event.event_id, both.collection_id]
    with both.store.database.write() as cursor:
        cursor.execute("INSERT INTO labels_after_seeing VALUES (?, ?)", values)
    with pytest.raises(Exception, match=r"violates (primary key|unique constraint)"):
        both.store.labels.append(both.collection_id, [event])
    assert levels(both, discussed=True)["t1d1"] == 1
    later = LabelEvent(str(uuid.uuid4()), _standing(both, key), key, "level", 2)
    (receipt,) = both.store.labels.append(both.collection_id, [later])
    assert not receipt.stale


def _standing(small: Small, key: Key) -> str:
    return small.store.labels.current(small.collection_id, key.assessor_id)[key].event_id


def test_sent_twice_a_label_and_its_mark_are_there_once(both: Small):
    look(both)
    key = Key("t1", "t1d1", "page", "", "anna", 0)
    event = LabelEvent(str(uuid.uuid4()), _standing(both, key), key, "level", 3)
    first, second = (both.store.labels.append(both.collection_id, [event]) for _ in range(2))
    assert first == second
    assert count_marked(both.store, both.collection_id) == 1


@long
def test_the_first_time_an_item_was_shown_is_kept(both: Small):
    (item,) = look(both)
    for _ in range(2):
        show_item_of(both.store, both.collection_id, item)
    (row,) = read_items_seen(both.store, both.collection_id).to_dict("records")
    assert (row["assessor_id"], row["topic_id"], row["document_id"]) == ("anna", "t1", "t1d1")
    elsewhere = replace(item, key=item.key._replace(topic_id="t2"))
    with pytest.raises(NotAllowed):
        show_item_of(both.store, both.collection_id, elsewhere)


@long
def test_labels_as_given_keep_up_while_others_are_marked(both: Small):
    """The frame that is held takes in what is new, in both forms, as reading it anew does."""
    current = both.store.current_labels
    forms = (False, True)
    for discussed in forms:
        current.get(both.collection_id, last(both), discussed=discussed)
    look(both)
    revise(both, Key("t1", "t1d1", "page", "", "anna", 0), state="level", level=3)
    revise(both, Key("t2", "t2d1", "page", "", "anna", 0), state="level", level=2)
    for discussed in forms:
        held = current.get(both.collection_id, last(both), discussed=discussed)
        fresh = read_labels(both.store, both.collection_id, discussed=discussed)
        columns = ["topic_id", "document_id", "assessor_id", "given_level", "sequence"]
        assert held[columns].astype("str").equals(fresh[columns].astype("str"))


def last(small: Small) -> int:
    return small.store.labels.sequence(small.collection_id)
