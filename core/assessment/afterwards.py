"""Disagreements seen afterwards: by whom, when, and what of others' labels they are shown.

Nothing here is for anybody who could still be influenced. A topic is open to an assessor only once
nothing of it is left to them, and nothing of it can be handed out to them again. Before anything is
shown it is on disk that they have seen it, so that what they say there later carries a mark.
"""

import hashlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

import pandas as pd

from core.assessment.handing_out.next_assignment import is_judged
from core.assessment.handing_out.queue import batch_of, may_judge
from core.collection.labels.label_options import GOLD
from core.collection.records import FACETS
from core.errors import NotAllowed
from core.language.translate import t
from core.store.content.gold import list_gold
from core.store.events.afterwards import (
    Seeing,
    get_seeing,
    list_arrivals,
    list_topics_seen,
    note_item_seen,
    note_topic_seen,
)
from core.store.events.current_labels import write_out
from core.store.events.labels import CurrentLabel, Key
from core.store.people.roster import read_left_out
from core.store.rounds.holders import Batch, read_judged_before
from core.store.rounds.lessons import lesson_of
from core.store.rounds.orders import read_unchosen_topics
from core.store.rounds.rounds import Round, Slot, list_rounds, read_slots
from core.store.store import Store

NOT_NOW = "What others said of this topic cannot be seen now."

_PLACE = ["document_id", "facet", "engine"]


@dataclass(frozen=True)
class OtherLabel:
    """What somebody else said of an item, as they gave it; ``name`` holds in this topic only."""

    name: str
    level: int
    comment: str


@dataclass(frozen=True)
class DisputedItem:
    """An item on which others differ from somebody, and what all of them said.

    ``given`` is the level before others' labels were seen; ``event_id``, ``level`` (None where
    there is none) and ``comment`` are of the label that stands.
    """

    key: Key
    event_id: str
    given: int
    level: int | None
    comment: str
    others: tuple[OtherLabel, ...]


def list_ready_topics(store: Store, collection_id: str, assessor_id: str) -> list[str]:
    """Return the topics of which somebody may see others' labels now, in order of their ids.

    Whether anybody differs there plays no part: that is told to who opens a topic, and no sooner.
    """
    return list(_find_ready(store, collection_id, assessor_id))


def has_ready_topics(store: Store, collection_id: str, assessor_id: str) -> bool:
    """Tell whether there is any topic of which somebody may see others' labels now."""
    return next(_find_ready(store, collection_id, assessor_id), None) is not None


def open_topic(
    store: Store, collection_id: str, assessor_id: str, topic_id: str
) -> tuple[DisputedItem, ...]:
    """Return the items of a topic on which others differ from somebody, in order of judging.

    From now on whatever they say in this topic is marked as said after seeing others. Levels are
    those that were given before anybody saw others' labels. Items that are gold, and those that
    were shown to them twice, are never among them; nor are labels of machines, or of gold.

    Raises
    ------
    NotAllowed
        The organiser does not allow it, or the topic is not finished: something of it is left to
        them, or may be handed out to them.
    """
    _require_ready(store, collection_id, assessor_id, topic_id)
    note_topic_seen(store, collection_id, assessor_id, topic_id)
    # Something may have been taken back, or handed out, until the moment that was written down.
    _require_ready(store, collection_id, assessor_id, topic_id)
    seeing = get_seeing(store, collection_id)
    return _find_disputed(store, collection_id, assessor_id, topic_id, seeing)


def show_item_of(store: Store, collection_id: str, item: DisputedItem) -> None:
    """Take down that an item was shown; raises NotAllowed where its topic is not open."""
    key = item.key
    if key.topic_id not in list_topics_seen(store, collection_id, key.assessor_id):
        raise NotAllowed(t(NOT_NOW))
    note_item_seen(store, collection_id, key)


def _find_ready(store: Store, collection_id: str, assessor_id: str) -> Iterator[str]:
    """Yield the topics that may be seen, where seeing is allowed at all."""
    if not _is_open(store, collection_id, assessor_id):
        return
    mine = store.labels.current(collection_id, assessor_id)
    judged = {key.topic_id for key, one in mine.items() if _is_level(key, one)}
    judged -= {key.topic_id for key, one in mine.items() if _is_open_item(key, one)}
    rounds = {one.round_id: one for one in list_rounds(store, collection_id)}
    slots: dict[str, list[Slot]] = {topic_id: [] for topic_id in sorted(judged)}
    for slot in read_slots(store.cursor(), collection_id):
        if slot.topic_id in slots:
            slots[slot.topic_id].append(slot)
    unchosen = read_unchosen_topics(store.cursor(), collection_id)
    for topic_id, places in slots.items():
        if topic_id not in unchosen and not _may_come(store, assessor_id, places, rounds):
            yield topic_id


def _is_level(key: Key, label: CurrentLabel) -> bool:
    return label.state == "level" and key.occasion >= 0 and key.facet in FACETS


def _is_open_item(key: Key, label: CurrentLabel) -> bool:
    """Tell whether something was put off, or taken back: its batch may count as finished."""
    return not is_judged(label) and key.occasion >= 0


def _is_open(store: Store, collection_id: str, assessor_id: str) -> bool:
    """Tell whether somebody may see anything: a person, in no class, where it is allowed."""
    return (
        get_seeing(store, collection_id).is_allowed
        and may_judge(store, collection_id, assessor_id)
        and lesson_of(store, collection_id) is None
        and assessor_id not in read_left_out(store, collection_id)
    )


def _require_ready(store: Store, collection_id: str, assessor_id: str, topic_id: str) -> None:
    if topic_id not in _find_ready(store, collection_id, assessor_id):
        raise NotAllowed(t(NOT_NOW))


def _may_come(
    store: Store, assessor_id: str, slots: list[Slot], rounds: Mapping[str, Round]
) -> bool:
    """Tell whether anything of a topic's places is left to somebody, or can come to them again.

    ``slots`` are those of one topic in all open rounds. A place that somebody else holds without
    its being reserved may lapse, and that at an overlapping batch is only barred for now.
    """
    own = {batch_of(one) for one in slots if one.assessor_id == assessor_id}
    for slot in slots:
        if slot.finished_at is not None:
            continue
        if slot.assessor_id == assessor_id:
            return True
        is_theirs = slot.reserved and slot.assessor_id is not None
        closed = own | _closed_to(store, rounds[slot.round_id], assessor_id)
        if not is_theirs and batch_of(slot) not in closed:
            return True
    return False


def _closed_to(store: Store, rules: Round, assessor_id: str) -> set[Batch]:
    """Return the batches that a round will never give to somebody: it asks for other people."""
    if rules.lacking is None:
        return set()
    return read_judged_before(store.cursor(), rules, assessor_id)


def _find_disputed(
    store: Store, collection_id: str, assessor_id: str, topic_id: str, seeing: Seeing
) -> tuple[DisputedItem, ...]:
    held = store.current_labels.get(collection_id, store.state(collection_id)[0])
    labels = write_out(held[held["topic_id"] == topic_id])
    labels = labels[~labels["assessor_id"].isin(list(_list_unseen(store, collection_id)))]
    is_own = labels["assessor_id"] == assessor_id
    hidden = _list_hidden(store, collection_id, topic_id, labels[is_own])
    is_counted = (labels["state"] == "level") & (labels["occasion"] == 0)
    names = name_others(store, collection_id, assessor_id, topic_id)
    current = store.labels.current(collection_id, assessor_id)
    by_place = {place: rows for place, rows in labels[is_counted & ~is_own].groupby(_PLACE)}
    found = []
    for row in labels[is_counted & is_own].to_dict("records"):
        place = (row["document_id"], row["facet"], row["engine"])
        others = by_place.get(place)
        if place in hidden or others is None or (others["level"] == row["level"]).all():
            continue
        key = Key(topic_id, *place, assessor_id, 0)
        stands, changed = current[key], _name_labels(others, names, seeing)
        own = stands.event_id, int(row["given_level"]), stands.level, stands.comment
        found.append(DisputedItem(key, *own, changed))
    return tuple(found)


def _name_labels(
    labels: pd.DataFrame, names: Mapping[str, str], seeing: Seeing
) -> tuple[OtherLabel, ...]:
    """Return labels of an item under the names of the topic, in the order of these."""
    columns = labels[["assessor_id", "given_level", "comment"]]
    others = [
        OtherLabel(names[one], int(level), comment if seeing.comments else "")
        for one, level, comment in columns.itertuples(index=False, name=None)
    ]
    return tuple(sorted(others, key=lambda one: (len(one.name), one.name)))


def _list_unseen(store: Store, collection_id: str) -> set[str]:
    """Return whose labels nobody sees: of machines, and of gold before it is taken over, too."""
    return {GOLD, *read_left_out(store, collection_id)}


def _list_hidden(
    store: Store, collection_id: str, topic_id: str, own: pd.DataFrame
) -> set[tuple[str, ...]]:
    """Return the items that are never shown: gold, and what was shown to somebody twice."""
    gold = {
        (one.document_id, one.facet, one.engine)
        for one in list_gold(store, collection_id)
        if one.topic_id == topic_id
    }
    twice = own.loc[own["occasion"] > 0, _PLACE]
    return gold | set(twice.itertuples(index=False, name=None))


def name_others(
    store: Store, collection_id: str, assessor_id: str, topic_id: str
) -> dict[str, str]:
    """Return a letter for each other assessor of a topic, by their id.

    Letters are drawn anew for each topic and each who looks, so nobody can be followed from topic
    to topic, or talked about by letter. Within a topic they stay: who comes later has a later one.
    """
    since = list_topics_seen(store, collection_id, assessor_id).get(topic_id, 0)
    left_out = {assessor_id, *_list_unseen(store, collection_id)}
    arrivals = {
        one: first
        for one, first in list_arrivals(store, collection_id, topic_id).items()
        if one not in left_out
    }
    there = [one for one, first in arrivals.items() if first <= since]
    parts = (collection_id, assessor_id, topic_id)
    there.sort(key=lambda one: _draw(store.secret, (*parts, one)))
    ordered = [*there, *(one for one in arrivals if arrivals[one] > since)]
    return {one: _letter(place) for place, one in enumerate(ordered)}


def _draw(secret: str, parts: Iterable[str]) -> str:
    text = "\x1f".join(("seen afterwards", *parts))
    return hashlib.blake2b(text.encode(), key=secret.encode()[:64], digest_size=8).hexdigest()


def _letter(place: int) -> str:
    """Return A to Z, then AA, AB and so on."""
    text = ""
    place += 1
    while place:
        place, last = divmod(place - 1, 26)
        text = chr(ord("A") + last) + text
    return text
