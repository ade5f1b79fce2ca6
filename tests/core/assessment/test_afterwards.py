"""What others said, seen afterwards: when, by whom, and what it does to labels."""

import uuid
from contextlib import closing
from dataclasses import replace

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

pytestmark = pytest.mark.contract

PAGES = {"judges": 2, "flow": "page only", "depth": 3}
"""Each topic has the pages d1 to d4, judged by two."""


@pytest.fixture
def seen(small: Small) -> Small:
    """The small collection with one round, in which others may be seen afterwards."""
    allow_seeing(small.store, small.collection_id, Seeing(True, comments=False))
    open_round(small.store, small.collection_id, Plan(**PAGES, assessors=ASSESSORS[:2]))
    return small


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
        for step in left_to_judge(content, current, who):
            answer = said.get(step.document_id[2:], level)
            state = {"state": "level", "level": answer}
            if answer is None:
                state = {"state": "cannot judge"}
            send(small, grant, step.key(who), **state)
    next_assignment(small.store, small.collection_id, who)


def send(small: Small, grant: Grant, key: Key, **said: object) -> str:
    standing = small.store.labels.current(small.collection_id, key.assessor_id).get(key)
    event = {
        "event_id": str(uuid.uuid4()), "topic": key.topic_id, "document": key.document_id,
        "facet": key.facet, "engine": "", "occasion": key.occasion,
        "supersedes": standing.event_id if standing else None, **said,
    }  # fmt: skip
    (ack,) = Intake(small.store).accept(grant, [event])
    assert ack["status"] == "saved", ack
    return str(event["event_id"])


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


def test_who_is_done_sees_where_others_differ_and_may_change_it(seen: Small):
    judge_both(seen)
    assert ready(seen) == ["t1", "t2", "t3"]
    (item,) = look(seen)
    assert (item.key, item.given, item.level) == (Key("t1", "t1d1", "page", "", "anna", 0), 1, 1)
    assert [(one.name, one.level, one.comment) for one in item.others] == [("A", 3, "")]
    event = revise(seen, item.key, state="level", level=3, comment="I overlooked it.")
    assert levels(seen)["t1d1"] == 1
    assert levels(seen, discussed=True)["t1d1"] == 3
    marked = seen.store.database.run("SELECT event_id::VARCHAR FROM labels_after_seeing")
    assert marked == [(event,)]
    (again,) = look(seen)
    assert (again.given, again.level, again.comment) == (1, 3, "I overlooked it.")


def test_what_is_said_elsewhere_carries_no_mark(seen: Small):
    judge_both(seen)
    look(seen)
    revise(seen, Key("t2", "t2d1", "page", "", "anna", 0), state="level", level=2)
    revise(seen, Key("t1", "t1d1", "page", "", "bob", 0), state="level", level=2)
    assert count_marked(seen.store, seen.collection_id) == 0
    assert levels(seen)["t2d1"] == 2


def test_nobody_sees_anything_unless_it_was_allowed(seen: Small):
    judge_both(seen)
    allow_seeing(seen.store, seen.collection_id, Seeing())
    assert ready(seen) == []
    with pytest.raises(NotAllowed):
        look(seen)
    assert list_topics_seen(seen.store, seen.collection_id, "anna") == {}


def test_comments_of_others_are_seen_only_if_they_may_be(seen: Small):
    judge_both(seen)
    revise(seen, Key("t1", "t1d1", "page", "", "bob", 0), state="level", level=3, comment="Ha!")
    assert look(seen)[0].others[0].comment == ""
    allow_seeing(seen.store, seen.collection_id, Seeing(True, comments=True))
    assert look(seen)[0].others[0].comment == "Ha!"


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


def test_undoing_a_label_closes_its_topic_again(seen: Small):
    judge_both(seen)
    key = Key("t1", "t1d2", "page", "", "anna", 0)
    for state in ("unjudged", "later"):
        revise(seen, key, state=state)
        assert ready(seen) == ["t2", "t3"]
        with pytest.raises(NotAllowed):
            look(seen)
    revise(seen, key, state="level", level=1)
    assert len(look(seen)) == 1
    revise(seen, key, state="unjudged")
    with pytest.raises(NotAllowed):
        look(seen)
    assert levels(seen)["t1d2"] == 1


def test_what_somebody_gave_no_level_is_not_shown_to_them(seen: Small):
    judge(seen, "bob", 3)
    judge(seen, "anna", 1, d1=None)
    assert [one.key.document_id for one in look(seen)] == ["t1d2", "t1d3", "t1d4"]


def test_who_cannot_judge_anything_sees_nothing(seen: Small):
    judge(seen, "bob", 3)
    judge(seen, "anna", 1, d1=None, d2=None, d3=None, d4=None)
    assert ready(seen) == []
    with pytest.raises(NotAllowed):
        look(seen)


def test_a_level_given_afterwards_opens_nothing_more(seen: Small):
    judge(seen, "bob", 3)
    judge(seen, "anna", 1, d1=None)
    look(seen)
    revise(seen, Key("t1", "t1d1", "page", "", "anna", 0), state="level", level=1)
    assert [one.key.document_id for one in look(seen)] == ["t1d2", "t1d3", "t1d4"]


def test_others_are_shown_as_they_gave_it_not_as_they_changed_it(seen: Small):
    judge_both(seen)
    (item,) = look(seen, "bob")
    revise(seen, item.key, state="level", level=1)
    assert look(seen, "anna")[0].others[0].level == 3


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


def test_the_labels_of_a_gold_column_are_not_shown_though_nobody_has_taken_them_over(seen: Small):
    gold = "assessor\ttopic\tdocument\tlevel\ngold\tt1\tt1d1\t3\n"
    seen.add("labels", gold, scales=get_scales(seen.store, seen.collection_id))
    judge(seen, "anna", 1)
    judge(seen, "bob", 1)
    assert look(seen) == ()
    assert set(name_others(seen.store, seen.collection_id, "anna", "t1")) == {"bob"}


def test_who_was_taken_off_sees_nothing(seen: Small):
    judge_both(seen)
    drop_member(seen.store, seen.collection_id, "anna")
    assert ready(seen) == []


@pytest.mark.parametrize("facet", FACETS)
def test_a_round_that_still_asks_for_a_topic_closes_it(seen: Small, facet: str):
    """Whichever facet it asks for: what others said of a page tells of its snippet, too."""
    judge_both(seen)
    again = Plan("Again", 1, 3, f"{facet} only", assessors=("anna",))
    open_round(seen.store, seen.collection_id, again)
    assert ready(seen) == []


@pytest.mark.parametrize("flow", ["snippet only", "page only"])
def test_what_may_still_be_handed_out_is_closed(seen: Small, flow: str):
    """Also what an overlapping round bars somebody from only while both rounds are open."""
    judge_both(seen)
    open_round(seen.store, seen.collection_id, Plan("Open queue", 2, 4, flow))
    assert ready(seen) == []
    close_round(seen.store, list_rounds(seen.store, seen.collection_id)[1].round_id, closed=True)
    assert ready(seen) == ["t1", "t2", "t3"]


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


def test_what_others_still_have_to_judge_does_not_wait_for_them(small: Small):
    """Nobody judges a batch twice, so places of others there never come to somebody."""
    allow_seeing(small.store, small.collection_id, Seeing(True))
    open_round(small.store, small.collection_id, Plan(**PAGES))
    judge(small, "anna")
    assert ready(small) == ["t1", "t2", "t3"]


def test_a_round_for_those_who_lack_labels_closes_nothing_to_who_gave_some(seen: Small):
    judge_both(seen)
    more = Plan("More", 3, 3, "page only", lacking=3)
    open_round(seen.store, seen.collection_id, more)
    assert ready(seen) == ["t1", "t2", "t3"]


def test_labels_in_a_later_round_are_marked_where_others_were_seen(seen: Small):
    judge_both(seen)
    look(seen)
    deeper = Plan("Deeper", 1, 4, "snippet only", assessors=("anna",))
    open_round(seen.store, seen.collection_id, deeper)
    judge_snippets(seen)
    given = read_labels(seen.store, seen.collection_id, assessor_id="anna")
    said = read_labels(seen.store, seen.collection_id, assessor_id="anna", discussed=True)
    assert set(given.loc[given["facet"] == "snippet", "topic_id"]) == {"t2", "t3"}
    assert set(said.loc[said["facet"] == "snippet", "topic_id"]) == {"t1", "t2", "t3"}


def judge_snippets(small: Small) -> None:
    while given := next_assignment(small.store, small.collection_id, "anna"):
        for step in given[1].steps:
            event = LabelEvent(str(uuid.uuid4()), None, step.key("anna"), "level", 1)
            small.store.labels.append(small.collection_id, [event])


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


def test_a_mark_is_on_disk_with_its_label_and_outlives_the_server(seen: Small):
    judge_both(seen)
    look(seen)
    seen.store.close()
    with closing(Store(seen.store.place)) as opened:
        again = replace(seen, store=opened)
        revise(again, Key("t1", "t1d1", "page", "", "anna", 0), state="level", level=2)
        assert count_marked(opened, seen.collection_id) == 1
        assert levels(again)["t1d1"] == 1
    # The fixture closes the store once more, which does nothing.


def test_a_label_that_cannot_be_marked_is_not_stored(seen: Small):
    """Neither alone: a mark that fails takes its label with it."""
    judge_both(seen)
    look(seen)
    key = Key("t1", "t1d1", "page", "", "anna", 0)
    event = LabelEvent(str(uuid.uuid4()), _standing(seen, key), key, "level", 3)
    values = [event.event_id, seen.collection_id]
    with seen.store.database.write() as cursor:
        cursor.execute("INSERT INTO labels_after_seeing VALUES (?, ?)", values)
    with pytest.raises(Exception, match=r"violates (primary key|unique constraint)"):
        seen.store.labels.append(seen.collection_id, [event])
    assert levels(seen, discussed=True)["t1d1"] == 1
    later = LabelEvent(str(uuid.uuid4()), _standing(seen, key), key, "level", 2)
    (receipt,) = seen.store.labels.append(seen.collection_id, [later])
    assert not receipt.stale


def _standing(small: Small, key: Key) -> str:
    return small.store.labels.current(small.collection_id, key.assessor_id)[key].event_id


def test_sent_twice_a_label_and_its_mark_are_there_once(seen: Small):
    judge_both(seen)
    look(seen)
    key = Key("t1", "t1d1", "page", "", "anna", 0)
    event = LabelEvent(str(uuid.uuid4()), _standing(seen, key), key, "level", 3)
    first, second = (seen.store.labels.append(seen.collection_id, [event]) for _ in range(2))
    assert first == second
    assert count_marked(seen.store, seen.collection_id) == 1


def test_the_first_time_an_item_was_shown_is_kept(seen: Small):
    judge_both(seen)
    (item,) = look(seen)
    for _ in range(2):
        show_item_of(seen.store, seen.collection_id, item)
    (row,) = read_items_seen(seen.store, seen.collection_id).to_dict("records")
    assert (row["assessor_id"], row["topic_id"], row["document_id"]) == ("anna", "t1", "t1d1")
    elsewhere = replace(item, key=item.key._replace(topic_id="t2"))
    with pytest.raises(NotAllowed):
        show_item_of(seen.store, seen.collection_id, elsewhere)


def test_labels_as_given_keep_up_while_others_are_marked(seen: Small):
    """The frame that is held takes in what is new, in both forms, as reading it anew does."""
    judge_both(seen)
    current = seen.store.current_labels
    forms = (False, True)
    for discussed in forms:
        current.get(seen.collection_id, last(seen), discussed=discussed)
    look(seen)
    revise(seen, Key("t1", "t1d1", "page", "", "anna", 0), state="level", level=3)
    revise(seen, Key("t2", "t2d1", "page", "", "anna", 0), state="level", level=2)
    for discussed in forms:
        held = current.get(seen.collection_id, last(seen), discussed=discussed)
        fresh = read_labels(seen.store, seen.collection_id, discussed=discussed)
        columns = ["topic_id", "document_id", "assessor_id", "given_level", "sequence"]
        assert held[columns].astype("str").equals(fresh[columns].astype("str"))


def last(small: Small) -> int:
    return small.store.labels.sequence(small.collection_id)
