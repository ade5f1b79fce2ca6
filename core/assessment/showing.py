"""On which pages of a round an assessor is told a machine's level, once all of it is judged."""

import hashlib
from dataclasses import dataclass

from core.assessment.handing_out.next_assignment import left_to_judge
from core.assessment.handing_out.queue import Assignment
from core.assessment.handing_out.steps import lay_out
from core.collection.records import PAGE
from core.store.events.labels import Key
from core.store.rounds.showing import Showing, find_showing, record_revealed
from core.store.store import Store


@dataclass(frozen=True)
class RevealedLevel:
    """What an assessor is told of a page: what the machine is called, and its level."""

    key: Key
    called: str
    level: int


def is_drawn(showing: Showing, key: Key) -> bool:
    """Tell whether a page is in the half of which an assessor is told the machine's level.

    It is drawn for each assessor and page by itself: so every assessor has both halves in every
    topic, what sets assessors apart or makes a topic hard is the same in both, and two who judge
    the same page are not moved by the same telling. The draw is a keyed hash: nothing of it is
    stored but the round's key, which never leaves the server, so no assessor can work it out. The
    round's seed would not do: it is often 1. Only pages are drawn, and no repeats.

    Parameters
    ----------
    showing : Showing
        The round.
    key : Key
        The page, and the assessor.

    Returns
    -------
    bool
        True with probability one half; always the same for the same round, assessor and page.
    """
    if key.facet != PAGE or key.occasion != 0:
        return False
    text = "\x1f".join((showing.round_id, key.assessor_id, key.topic_id, key.document_id))
    digest = hashlib.blake2b(text.encode(), key=showing.draw_key.encode(), digest_size=8).digest()
    return digest[0] % 2 == 0


def shows_machine(store: Store, assignment: Assignment) -> bool:
    """Tell whether somebody will be told a machine's levels in what was handed out to them."""
    showing = find_showing(store, assignment.rules.round_id)
    return showing is not None and showing.is_open


def reveal_levels(store: Store, assignment: Assignment) -> list[RevealedLevel]:
    """Return what a machine said of the pages of an assignment that are drawn, in their order.

    Nothing as long as anything of it is left to be judged: no label is given with a level of the
    machine in sight. It is on disk that they are told before this returns, and what was told once
    is told again.
    """
    showing = find_showing(store, assignment.rules.round_id)
    if showing is None or not showing.is_open:
        return []
    content, who = lay_out(store, assignment), assignment.assessor_id
    current = store.labels.current(showing.collection_id, who)
    if left_to_judge(content, current, who):
        return []
    keys = [key for step in content.steps if is_drawn(showing, key := step.key(who))]
    revealed = record_revealed(store, showing.collection_id, who, showing.machine_id, keys)
    return [RevealedLevel(key, showing.called, revealed[key]) for key in keys if key in revealed]
