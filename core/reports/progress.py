"""How far the judging of a study is, and when its round ends: the report of progress."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from core.collection.labels.counted_labels import counted_labels
from core.errors import NotFound, TooLittleData
from core.reports.forecast import Forecast, Times, describe_model, forecast_end, say_end
from core.reports.report import Column, Estimated, Report
from core.reports.sampling import new_rng
from core.wording import count, mark_fact, name_some

if TYPE_CHECKING:
    from core.store.rounds.rounds import Round

ACTIVE = pd.Timedelta(hours=24)
"""Who has judged something within this time is active."""

MOST_POINTS = 300
"""How many points a curve is drawn with at most."""

Flags = NDArray[np.bool_]

_STATES = ("finished", "taken", "reserved", "open")
_ITEM = ["facet", "topic_id", "document_id", "engine"]


@dataclass(frozen=True)
class ProgressQuestion:
    """Which round is asked about.

    Parameters
    ----------
    round : str
        Its name or id. The latest that is open, without; the latest of all where none is.
    """

    round: str = ""

    def choose(self, rounds: Sequence[Round]) -> Round | None:
        """Return the round among those of a study, oldest first; None where there is none.

        Raises
        ------
        NotFound
            No round is called so.
        """
        if self.round:
            named = [one for one in rounds if self.round in (one.round_id, one.name)]
            if not named:
                raise NotFound(f"There is no round '{self.round}' in this collection.")
            return named[-1]
        still_open = [one for one in rounds if one.closed_at is None]
        return next(iter((still_open or rounds)[::-1]), None)


LATEST = ProgressQuestion()
"""What is asked where nothing is chosen."""


@dataclass(frozen=True, eq=False)
class RoundAnswers:
    """What a round asks for, and what has been answered of it.

    Parameters
    ----------
    places : DataFrame
        From ``read_places``.
    items : DataFrame
        topic_id, items, complete, at_k, lacking; from ``read_items_at_k``.
    holders : DataFrame
        assessor_id, assessor (the name) of those who hold a place or could take one.
    to_come : int
        Where an order chooses: how many judgements what is not chosen yet will ask for.
    """

    places: pd.DataFrame
    items: pd.DataFrame
    holders: pd.DataFrame
    to_come: int = 0


@dataclass(frozen=True, eq=False)
class Judging:
    """The rounds of a study, its labels, and who judges.

    Parameters
    ----------
    rounds : sequence of Round
        Oldest first.
    slots : DataFrame
        round_id, topic_id, assessor_id, state (open, reserved, taken or finished): the places of
        all rounds.
    to_come : mapping of str to int
        How many places more the orders of open rounds will make, by round.
    answers : callable
        Returns those of a round.
    labels : callable
        Returns the labels that stand, as ``CurrentLabels`` has them.
    topics : callable
        Returns topic_id, query.
    members : callable
        Returns assessor_id, name, group, dropped_at of those who may judge, or did.
    """

    rounds: Sequence[Round]
    slots: pd.DataFrame
    to_come: Mapping[str, int]
    answers: Callable[[Round], RoundAnswers]
    labels: Callable[[], pd.DataFrame]
    topics: Callable[[], pd.DataFrame]
    members: Callable[[], pd.DataFrame]


_ROUND = {
    "judged": Column("judged"),
    "required": Column("required"),
}
_PLACES = {
    "places": Column("places"),
    "finished": Column("finished"),
    "taken": Column("under way"),
    "open": Column("not begun"),
}


def _write_time(time: Any) -> str:
    return "" if pd.isna(time) else f"{time:%Y-%m-%d %H:%M}"


@dataclass(frozen=True, eq=False)
class Progress(Report):
    """How far the judging of a study is: of one of its rounds, and of all labels.

    A judgement is one assessor's answer to one item: a level, or that it cannot be judged. What is
    required is every item of every place of the round, but pages that no snippet called for and
    what the holder had said before. Hidden repeats come on top; imported labels are no progress.

    Its tables are computed when first asked for: ``rounds``, ``topics``, ``people``, ``items``,
    ``course``, ``ahead``, ``end``.

    Parameters
    ----------
    judging : Judging
        What there is.
    now : Timestamp
        The time in UTC, without a zone.
    question : ProgressQuestion
        Which round.

    Raises
    ------
    NotFound
        There is no such round.
    """

    judging: Judging
    now: pd.Timestamp
    question: ProgressQuestion = LATEST

    name: ClassVar[str] = "progress"
    tables: ClassVar[Mapping[str, Estimated]] = {
        "rounds": Estimated(
            "Places of every round",
            "",
            {
                "round": Column("round"),
                "state": Column("round is"),
                **_PLACES,
                "to_come": Column("still to come", "places that an order has not made yet"),
                "share": Column(
                    "share finished", "of these places and those to come", percent=True
                ),
            },
        ),
        "end": Estimated(
            "When the round is done",
            "when the last judgement of the round comes",
            {
                "left": Column("judgements left"),
                "earliest": Column("at the earliest", "95 % limits", write=_write_time),
                "median": Column("median", write=_write_time),
                "latest": Column("at the latest", write=_write_time),
            },
        ),
        "topics": Estimated(
            "By topic",
            "",
            {
                "topic_id": Column("topic"),
                "query": Column("query", names="nobody"),
                "progress": Column("progress", percent=True),
                **_ROUND,
                "items": Column("items"),
                "complete": Column("fully judged", "items that lack no answer asked for"),
                "at_k": Column("at k", "items with as many levels as the round asks for"),
                **_PLACES,
                "labels": Column("labels", "all that stand, imported ones among them"),
                "imported": Column("imported"),
                "labelled": Column("items with a label"),
                "assessors": Column("assessors"),
                "cannot_judge": Column("cannot judge"),
            },
        ),
        "people": Estimated(
            "By assessor",
            "",
            {
                "assessor_id": Column("id"),
                "assessor": Column("assessor"),
                "group": Column("group", names="nobody"),
                "judged": Column("judged"),
                "left": Column("left"),
                **_PLACES,
                "labels": Column("labels", "all that stand, imported ones among them"),
                "topics": Column("topics"),
                "median_seconds": Column("pace (s)", "median active time of a label", digits=1),
                "last": Column("last label (UTC)", write=_write_time),
                "cannot_judge": Column("cannot judge"),
                "later": Column("later"),
            },
        ),
        "items": Estimated(
            "Items by how many have judged them",
            "",
            {
                "facet": Column("facet", names="nobody"),
                "assessors": Column("assessors"),
                "items": Column("items"),
                "standing": Column("", names="nobody"),
            },
        ),
        "course": Estimated(
            "Judgements of the round",
            "",
            {"time": Column("time (UTC)", write=_write_time), "judged": Column("judged")},
        ),
        "ahead": Estimated(
            "Judgements to expect",
            "how many judgements there are by then",
            {
                "time": Column("time (UTC)", write=_write_time),
                "value": Column("judgements", digits=0),
            },
        ),
    }

    @cached_property
    def rules(self) -> Round | None:
        """The round that is asked about; None before the first."""
        return self.question.choose(self.judging.rounds)

    @property
    def is_open(self) -> bool:
        """Whether there is such a round and it is open."""
        return self.rules is not None and self.rules.closed_at is None

    @cached_property
    def others_open(self) -> tuple[str, ...]:
        """The names of the open rounds besides this one, oldest first."""
        rounds = self.judging.rounds
        return tuple(one.name for one in rounds if one.closed_at is None and one != self.rules)

    @cached_property
    def _answers(self) -> RoundAnswers | None:
        return None if self.rules is None else self.judging.answers(self.rules)

    @cached_property
    def places(self) -> pd.DataFrame:
        """What ``read_places`` says of each place, and ``required``.

        That is how many judgements the place will have when it is done.
        """
        if self._answers is None:
            return pd.DataFrame()
        places = self._answers.places
        called_for = places["items"] - places["earlier"] - places["passed"]
        finished = places["finished_at"].notna()
        return places.assign(required=called_for.mask(finished, places["judged"]))

    @cached_property
    def judged(self) -> int:
        """How many judgements have been given in the round."""
        return 0 if self._answers is None else int(self.places["judged"].sum())

    @cached_property
    def required(self) -> int:
        """How many judgements there are when the round is done."""
        if self._answers is None:
            return 0
        return int(self.places["required"].sum()) + self._answers.to_come

    @property
    def left(self) -> int:
        """How many judgements are still to come."""
        return self.required - self.judged

    @cached_property
    def complete(self) -> tuple[int, int]:
        """How many items of the round lack no answer that it asks for, and how many it has."""
        if self._answers is None:
            return 0, 0
        items = self._answers.items
        return int(items["complete"].sum()), int(items["items"].sum())

    @cached_property
    def times(self) -> Times:
        """When each judgement of the round was first given, in order, in UTC."""
        none = np.empty(0, dtype="datetime64[us]")
        if self._answers is None:
            return none
        return np.sort(np.concatenate([none, *self.places["times"].dropna()]))

    @cached_property
    def imported(self) -> int:
        """How many of the labels that stand came by import: the baseline, never progress."""
        labels = self.judging.labels()
        return int(((labels["source"] != "judged") & (labels["state"] == "level")).sum())

    @cached_property
    def holders(self) -> pd.DataFrame:
        """Return assessor_id, assessor, held (places), judged, left, last; most left first.

        Of those who hold a place or could take one. ``last`` is when somebody last judged in the
        round, NaT before the first time.
        """
        columns = ["assessor_id", "assessor", "held", "judged", "left", "last"]
        if self._answers is None:
            return pd.DataFrame(columns=columns)
        by = self.places.groupby("assessor_id")
        counts = by[["judged", "required"]].sum()
        counts["held"] = by.size()
        counts["last"] = by["times"].agg(_find_last).astype("datetime64[us]")
        table = self._answers.holders.set_index("assessor_id").join(counts)
        whole = ["held", "judged", "required"]
        table[whole] = table[whole].fillna(0).astype("int64")
        table["left"] = table["required"] - table["judged"]
        ordered = table.sort_values(["left", "assessor"], ascending=[False, True])
        return ordered.reset_index()[columns]

    def count_active(self) -> int:
        """Return how many people have judged something in the last 24 hours."""
        return int((self.holders["last"] >= self.now - ACTIVE).sum())

    @cached_property
    def _slots(self) -> pd.DataFrame:
        slots = self.judging.slots
        return slots[slots["round_id"] == (self.rules.round_id if self.rules else "")]

    @cached_property
    def rounds(self) -> pd.DataFrame:
        """A row for each round, oldest first: its places by how far they are.

        ``round_id, round, state`` (open or closed)``, places, finished, taken`` (under way)``,
        open`` (not begun)``, reserved`` (somebody's, not begun)``, free`` (nobody's)``, to_come,
        share`` (finished ones of those of now and to come, in [0, 1]).
        """
        rounds = self.judging.rounds
        ids = [one.round_id for one in rounds]
        table = _count_places(self.judging.slots, "round_id").reindex(ids, fill_value=0)
        table.insert(0, "round", [one.name for one in rounds])
        table.insert(1, "state", ["closed" if one.closed_at else "open" for one in rounds])
        table["to_come"] = [self.judging.to_come.get(one, 0) for one in ids]
        every = table["places"] + table["to_come"]
        table["share"] = table["finished"] / every.clip(lower=1)
        return table.rename_axis("round_id").reset_index()

    @cached_property
    def in_round(self) -> pd.DataFrame:
        """A row for each topic of the round.

        ``topic_id, progress`` (share of judgements given, in [0, 1])``, judged, required, items,
        complete`` (lack no answer)``, at_k`` (with a level by each holder that the round asks
        for)``, lacking`` (fewer, though their places are finished)``, places, finished, taken,
        open`` (not begun)``, reserved, free`` (nobody's). No rows before the first round.
        """
        if self._answers is None:
            return pd.DataFrame(columns=["topic_id", *_IN_ROUND])
        given = self.places.groupby("topic_id")[["judged", "required"]].sum()
        table = _count_places(self._slots, "topic_id").join(given)
        table = table.join(self._answers.items.set_index("topic_id"))
        share = (table["judged"] / table["required"]).where(table["required"] > 0, 1.0)
        whole = [one for one in _IN_ROUND if one != "progress"]
        table[whole] = table[whole].fillna(0).astype("int64")
        table = table.assign(progress=share)[[*_IN_ROUND]]
        return table.rename_axis("topic_id").reset_index()

    @cached_property
    def topics(self) -> pd.DataFrame:
        """A row for each topic: those least done first, then what is not in the round.

        ``topic_id, query``; the columns of ``in_round``, missing where a topic is not in it;
        ``labels, imported`` (those of them that no one gave here)``, labelled`` (items with a
        label)``, assessors, cannot_judge``: of all that stand. Topics that only labels name come
        last, with an empty query.
        """
        counts = _labels_by_topic(self.judging.labels())
        known = self.judging.topics().set_index("topic_id")["query"]
        index = known.index.append(counts.index.difference(known.index))
        whole = dict.fromkeys([one for one in _IN_ROUND if one != "progress"], "Int64")
        table = self.in_round.set_index("topic_id").astype({**whole, "progress": "float64"})
        table = table.reindex(index).join(counts.reindex(index, fill_value=0))
        table.insert(0, "query", known.reindex(index).fillna(""))
        table = table.sort_values("progress", kind="stable")
        return table.rename_axis("topic_id").reset_index()

    @cached_property
    def people(self) -> pd.DataFrame:
        """A row for each who judges or did: those with most judgements in the round first.

        ``assessor_id, assessor`` (the name, or the id)``, group``; of the round ``judged, left``
        and ``places, finished, taken, open, reserved``; of all labels that stand ``labels, topics,
        cannot_judge, later, median_seconds`` (active time of a label, NaN where none was
        measured)``, last`` (time of a label, NaT before the first)``, dropped``.
        """
        known = self.judging.members().set_index("assessor_id")
        counts = _labels_by_assessor(self.judging.labels())
        places = _count_places(self._slots, "assessor_id").drop(columns="free")
        given = self.holders.set_index("assessor_id")[["judged", "left"]]
        index = known.index.union(counts.index).union(places.index)
        names = known["name"].reindex(index)
        table = pd.DataFrame(
            {
                "assessor": names.fillna(index.to_series()),
                "group": known["group"].reindex(index).fillna(""),
                **given.reindex(index, fill_value=0),
                **places.reindex(index, fill_value=0),
                **counts[[*_WHOLE]].reindex(index, fill_value=0),
                **counts[["median_seconds", "last"]].reindex(index),
                "dropped": known["dropped_at"].reindex(index).notna(),
            }
        )
        ordered = table.sort_values(["judged", "labels"], ascending=False, kind="stable")
        return ordered.rename_axis("assessor_id").reset_index()

    @cached_property
    def _labelled(self) -> pd.DataFrame:
        """Return facet, topic_id, document_id, engine, assessors: repeats are left out."""
        given = counted_labels(self.judging.labels())[_ITEM]
        sizes = given.groupby(_ITEM, observed=True).size()
        return sizes.rename("assessors").reset_index().astype(dict.fromkeys(_ITEM, "str"))

    @property
    def judges(self) -> int:
        """How many assessors the round asks for; 2 before the first."""
        return self.rules.judges if self.rules else 2

    @cached_property
    def items(self) -> pd.DataFrame:
        """``facet, assessors, items, standing``: how many items so many assessors gave a level.

        Imported labels count. ``standing`` is below k, at k, or surplus.
        """
        by = self._labelled.groupby(["facet", "assessors"])
        counts = by.size().rename("items").reset_index()
        standing = pd.Series("at k", index=counts.index)
        standing = standing.mask(counts["assessors"] < self.judges, "below k")
        return counts.assign(standing=standing.mask(counts["assessors"] > self.judges, "surplus"))

    @cached_property
    def course(self) -> pd.DataFrame:
        """``time, judged``: how many judgements of the round there were, from its opening on."""
        if self.rules is None:
            return pd.DataFrame({"time": self.times, "judged": 0})
        times = self.times
        keep = np.unique(np.linspace(0, len(times) - 1, min(len(times), MOST_POINTS)).astype(int))
        table = pd.DataFrame(
            {
                "time": [pd.Timestamp(self.rules.created_at), *times[keep]],
                "judged": [0, *(keep + 1)],
            }
        )
        if self.is_open:
            # A label of this minute came after it began.
            table.loc[len(table)] = [max(self.now, table["time"].iloc[-1]), self.judged]
        return table.astype({"time": "datetime64[us]", "judged": "int64"})

    @cached_property
    def forecast(self) -> Forecast | str:
        """When the round ends, or why there is no forecast."""
        if not self.is_open:
            return "the round is closed" if self.others_open else "no round is open"
        if self.left < 1:
            return "nothing is left"
        try:
            return forecast_end(self.times, self.left, self.now, new_rng())
        except TooLittleData as error:
            return str(error)

    @cached_property
    def ahead(self) -> pd.DataFrame:
        """``time, value, low, high, interval, unit, units, reason``: the course from now on.

        Until its band has reached the end, or twice as long as the median takes. No rows without a
        forecast.
        """
        found = self.forecast
        if isinstance(found, str):
            return pd.DataFrame(columns=["time", "value", "low", "high", *_SAMPLED, "reason"])
        course = found.course.rename(columns={"median": "value"})
        course[["value", "low", "high"]] += self.judged
        here = {"time": [self.now], "low": self.judged, "value": self.judged, "high": self.judged}
        span = 2 * (found.median - self.now)
        last = self.now + span if pd.isna(found.late) else min(found.late, self.now + span)
        inside = course["time"].shift(fill_value=self.now) < last
        table = pd.concat([pd.DataFrame(here), course[inside]], ignore_index=True)
        table = table.astype({one: "float64" for one in ("value", "low", "high")})
        return table.assign(**_describe_sample(found), reason="")

    @cached_property
    def end(self) -> pd.DataFrame:
        """``left, earliest, median, latest`` (95 % limits)``, interval, unit, units``: one row.

        ``latest`` is NaT where no end can be told. No row without a forecast.
        """
        found = self.forecast
        if isinstance(found, str):
            return pd.DataFrame(columns=["left", "earliest", "median", "latest", *_SAMPLED])
        ends = {"earliest": found.early, "median": found.median, "latest": found.late}
        row = {"left": self.left, **ends, **_describe_sample(found)}
        return pd.DataFrame([row]).astype(dict.fromkeys(ends, "datetime64[us]"))

    @property
    def notes(self) -> Sequence[str]:
        """What the forecast is made of, and what it takes for granted."""
        return () if isinstance(self.forecast, str) else (describe_model(self.forecast),)

    @cached_property
    def answer(self) -> str:
        """How far the round is, until when, and who is at it; what was imported before."""
        when = " before" if self.rules else ""
        imported = count(self.imported, "label")
        return self._say_round() + (f"; {imported} imported{when}." if self.imported else ".")

    def _say_round(self) -> str:
        if self.rules is None:
            return "Nothing is assigned: no round has been opened"
        name, done = mark_fact(self.rules.name), self.say_judged()
        if self.rules.closed_at:
            if self.others_open:
                still = f"still open: {name_some(self.others_open)}"
                return f"{name} was closed with {done}; {still}"
            return f"No round is open; {name} was closed with {done}"
        if not self.required:
            return f"{name}: nothing to judge is assigned"
        if self.left < 1:
            every = count(self.required, "judgement")
            given = f"the {every} is in" if self.required == 1 else f"all {every} are in"
            return f"{name} is done: {given}"
        people = len(self.holders)
        active = f"{self.count_active():,} of {count(people, 'person', 'people')} active"
        who = f"{active} in the last 24 hours" if people else "nobody is there to judge yet"
        return f"{name}: {done}; {say_end(self.forecast, self.now)}; {who}"

    def say_judged(self) -> str:
        """Return how many judgements there are, and how many items lack none, without a verb."""
        complete, items = self.complete
        return (
            f"{self.judged:,} of {count(self.required, 'judgement')}, {complete:,} of "
            f"{count(items, 'item')} fully judged"
        )

    def say_places(self, round_id: str, *, with_states: bool = False) -> str:
        """Return how many places of a round are finished, and if wanted how the others stand."""
        row = self._find_round(round_id)
        left, every = self.count_unfinished(round_id)
        places = f"{mark_fact(row['round'])}: {every - left:,} of {count(every, 'slot')} finished"
        parts = [
            f", {row[state]:,} {word}"
            for state, word in _WORDS.items()
            if with_states and row[state]
        ]
        return "".join([places, *parts])

    def count_unfinished(self, round_id: str) -> tuple[int, int]:
        """Return how many places of a round are not finished, and how many it will have."""
        row = self._find_round(round_id)
        every = int(row["places"] + row["to_come"])
        return every - int(row["finished"]), every

    def _find_round(self, round_id: str) -> dict[Hashable, Any]:
        (row,) = self.rounds[self.rounds["round_id"] == round_id].to_dict("records")
        return row


_IN_ROUND = (
    "progress", "judged", "required", "items", "complete", "at_k", "lacking",
    "places", "finished", "taken", "open", "reserved", "free",
)  # fmt: skip
_WORDS = {"taken": "begun", "reserved": "reserved", "free": "open", "to_come": "still to come"}
_WHOLE = ("labels", "topics", "cannot_judge", "later")
_SAMPLED = ("interval", "unit", "units")


def _describe_sample(found: Forecast) -> dict[str, Any]:
    pace = found.pace
    return {"interval": "bootstrap", "unit": pace.unit, "units": len(pace.counts)}


def _find_last(times: pd.Series[Any]) -> Any:
    return max((part[-1] for part in times.dropna()), default=pd.NaT)


def _count_places(slots: pd.DataFrame, column: str) -> pd.DataFrame:
    """Return places, finished, taken, open, reserved, free by what a column says.

    A place is finished, under way, or not begun: then it is reserved for somebody, or free.
    """
    is_in = {one: (slots["state"] == one).to_numpy() for one in _STATES}
    counted = {
        "places": np.ones(len(slots), dtype=np.bool_),
        "finished": is_in["finished"],
        "taken": is_in["taken"],
        "open": is_in["reserved"] | is_in["open"],
        "reserved": is_in["reserved"],
        "free": is_in["open"],
    }
    return _tally(slots[column], counted)


def _labels_by_topic(labels: pd.DataFrame) -> pd.DataFrame:
    """Return labels, imported, labelled, assessors, cannot_judge by topic."""
    levels = (labels["state"] == "level").to_numpy()
    counted = {
        "labels": levels,
        "imported": levels & (labels["source"] != "judged").to_numpy(),
        "labelled": _mark_first(labels[_ITEM], levels & (labels["occasion"] == 0).to_numpy()),
        "assessors": _mark_first(labels[["topic_id", "assessor_id"]], levels),
        "cannot_judge": (labels["state"] == "cannot judge").to_numpy(),
    }
    return _tally(labels["topic_id"], counted)


def _labels_by_assessor(labels: pd.DataFrame) -> pd.DataFrame:
    """Return labels, topics, cannot_judge, later, median_seconds, last by assessor."""
    levels = (labels["state"] == "level").to_numpy()
    counted = {
        "labels": levels,
        "topics": _mark_first(labels[["topic_id", "assessor_id"]], levels),
        **{
            state.replace(" ", "_"): (labels["state"] == state).to_numpy()
            for state in ("cannot judge", "later")
        },
    }
    table = _tally(labels["assessor_id"], counted)
    timed = labels.loc[levels & (labels["dwell_ms"] > 0).to_numpy(), ["assessor_id", "dwell_ms"]]
    seconds = timed.groupby("assessor_id", observed=True)["dwell_ms"].median() / 1000
    last = labels[["assessor_id", "time"]].groupby("assessor_id", observed=True)["time"].max()
    return table.assign(median_seconds=seconds.rename(index=str), last=last.rename(index=str))


def _tally(by: pd.Series[Any], counted: Mapping[str, Flags]) -> pd.DataFrame:
    """Return in how many rows each is true, by what a column says; rows without that are none."""
    codes, names = pd.factorize(by)
    known = codes >= 0
    columns = {
        name: np.bincount(codes[known & which], minlength=len(names))
        for name, which in counted.items()
    }
    return pd.DataFrame(columns, index=pd.Index(names).astype("str"))


def _mark_first(rows: pd.DataFrame, which: Flags) -> Flags:
    """Return some of the rows: the first of those that are alike."""
    code = np.zeros(len(rows), dtype=np.int64)
    for name in rows:
        codes, names = pd.factorize(rows[name])
        code = code * len(names) + codes
    chosen = np.flatnonzero(which)
    first = np.zeros(len(rows), dtype=np.bool_)
    first[chosen[np.unique(code[chosen], return_index=True)[1]]] = True
    return first
