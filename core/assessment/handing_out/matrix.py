"""Topics × people of a round: whose slot is how far."""

import pandas as pd

from core.store.rounds.judgements import read_batch_sizes, read_shares
from core.store.rounds.rounds import Round, read_slot_frame
from core.store.store import Store

_BATCH = ["topic_id", "batch"]


def read_slot_states(store: Store, collection_id: str) -> pd.DataFrame:
    """Return the slots of every round with a ``state``: open, reserved, taken or finished.

    Reserved ones are somebody's who has not begun. ``closed`` says that the round is: nobody will
    fill what is open there.
    """
    slots = read_slot_frame(store, collection_id)
    state = pd.Series("open", index=slots.index)
    state = state.mask(slots["assessor_id"].notna(), "reserved")
    state = state.mask(slots["assessor_id"].notna() & slots["leased_until"].notna(), "taken")
    return slots.assign(state=state.mask(slots["finished_at"].notna(), "finished"))


def read_places(store: Store, rules: Round) -> pd.DataFrame:
    """Return every slot of a round with how far its holder is.

    Returns
    -------
    DataFrame
        topic_id, batch, slot, assessor_id (None where it is open), state (open; reserved: not
        begun; taken; finished), documents (of the batch), steps (judgements that it asks for),
        judged (those that the holder has given; at most ``steps``), share (judged of steps, 0 to
        1; 1 where it is finished, NaN where it is open), leased_until, finished_at.
    """
    slots = read_slot_states(store, rules.collection_id)
    slots = slots[slots["round_id"] == rules.round_id]
    slots = slots.merge(read_batch_sizes(store, rules), how="left", on=_BATCH)
    shares = read_shares(store, rules).drop(columns="steps")
    slots = slots.merge(shares, how="left", on=[*_BATCH, "assessor_id"])
    whole = {name: slots[name].fillna(0).astype("int64") for name in ("steps", "judged")}
    slots = slots.assign(**whole)
    is_finished = slots["state"] == "finished"
    share = (slots["judged"] / slots["steps"].clip(lower=1)).mask(is_finished, 1.0)
    slots = slots.assign(share=share.where(slots["state"] != "open"))
    order = [*_BATCH, "slot"]
    columns = ["assessor_id", "state", "documents", "steps", "judged", "share"]
    return slots.sort_values(order, ignore_index=True)[
        [*order, *columns, "leased_until", "finished_at"]
    ]


def share_by_cell(places: pd.DataFrame) -> pd.DataFrame:
    """Return how far each person is with each topic that they hold slots at.

    Parameters
    ----------
    places : DataFrame
        From ``read_places``.

    Returns
    -------
    DataFrame
        topic_id, assessor_id, slots, finished (of them), steps, judged, share (0 to 1, of the
        judgements that their slots ask for; what is finished counts whole).
    """
    held = places[places["assessor_id"].notna()]
    done = held["judged"].mask(held["state"] == "finished", held["steps"])
    held = held.assign(done=done, finished=held["state"] == "finished")
    cells = held.groupby(["topic_id", "assessor_id"]).agg(
        slots=("slot", "size"),
        finished=("finished", "sum"),
        steps=("steps", "sum"),
        judged=("judged", "sum"),
        done=("done", "sum"),
    )
    share = cells.pop("done") / cells["steps"].clip(lower=1)
    share = share.mask(cells["finished"] == cells["slots"], 1.0)
    return cells.assign(share=share).reset_index()


def count_open(places: pd.DataFrame) -> "pd.Series[int]":
    """Return how many slots are open, by topic; 0 where all are somebody's."""
    is_open = (places["state"] == "open").astype("int64")
    return is_open.groupby(places["topic_id"]).sum().rename("open")


def summarise_people(places: pd.DataFrame) -> pd.DataFrame:
    """Return how far each holder of slots is in all: for rounds too wide for a matrix.

    Returns
    -------
    DataFrame
        assessor_id, topics, slots, finished, steps, judged, share (0 to 1); least done first.
    """
    cells = share_by_cell(places)
    done = cells["share"] * cells["steps"]
    people = (
        cells.assign(done=done)
        .groupby("assessor_id")
        .agg(
            topics=("topic_id", "size"),
            slots=("slots", "sum"),
            finished=("finished", "sum"),
            steps=("steps", "sum"),
            judged=("judged", "sum"),
            done=("done", "sum"),
        )
    )
    share = people.pop("done") / people["steps"].clip(lower=1)
    people = people.assign(share=share.mask(people["finished"] == people["slots"], 1.0))
    return people.sort_values("share", kind="stable").reset_index()
