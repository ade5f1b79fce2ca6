"""What is to be done: steps to the first label, then what needs attention, worst first."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import pandas as pd

from core.agreement.drift import FEWEST_LABELS
from core.agreement.multi_rater_counts import level_counts
from core.agreement.topics import TOPIC_COEFFICIENT, alpha_by_topic
from core.analysis.base.declared import declared_first
from core.analysis.base.labels import names_of, ratings_of
from core.analysis.base.study import (
    Study,
    coded_labels_of,
    follows_facet,
    follows_labels,
    scales_of,
    topics_of,
)
from core.analysis.judging.deadlines import write_time
from core.analysis.judging.progress import keep_progress
from core.analysis.judging.questions import questions_of
from core.analysis.overview.findings import DOUBTFUL, OPEN, STOPS, Finding
from core.analysis.overview.undecided import describe_undecided, undecided_pairs
from core.analysis.people.assessors import ask_assessors
from core.collection.labels.counted_labels import counted_labels
from core.numerals import write_number
from core.reports.progress import Progress
from core.store.content.webhook_deliveries import (
    DELIVERED,
    GIVEN_UP,
    Delivery,
    list_deliveries,
)
from core.store.events.adjudications import read_adjudications
from core.store.events.current_labels import write_out
from core.store.events.frames import count_contents
from core.store.people.members import list_assessors
from core.store.rounds.rounds import Round, list_rounds
from core.wording import count, plain

NAMED = 3
"""How many are named; of others there is the number."""

SILENT_DAYS = 3

_ITEM = ["topic_id", "document_id", "engine"]


@follows_labels
def find_attention(study: Study) -> tuple[Finding, ...]:
    """Return everything that needs attention, worst first."""
    found = [*_in_round(study), *_in_labels(study), *_unanswered(study)]
    return tuple(sorted(found, key=lambda one: (one.grade, -one.share)))


def find_silence(progress: Progress) -> tuple[Finding, ...]:
    """Return that nobody has judged in a round for three days, if that is so."""
    rules = progress.rules
    if rules is None or rules.closed_at or not progress.left:
        return ()
    last = progress.times[-1] if len(progress.times) else rules.created_at
    days = (progress.now - pd.Timestamp(last)) // pd.Timedelta(days=1)
    if days < SILENT_DAYS:
        return ()
    left = count(progress.left, "judgement")
    return (
        Finding("Nobody judges", f"nobody has judged for {days} days; {left} left", "people",
                STOPS, 1.0),
    )  # fmt: skip


def _in_round(study: Study) -> Iterator[Finding]:
    progress = keep_progress(study)
    rules = progress.rules
    if rules is None:
        return
    if rules.closed_at is None:
        yield from _name_idle(progress, rules)
        yield from _beyond_reach(study, progress, rules)
        yield from _far_behind(progress)
    yield from _below_k(progress, rules)


def _name_idle(progress: Progress, rules: Round) -> Iterator[Finding]:
    idle = find_idle(progress, rules)
    if len(idle):
        left = int(idle["left"].sum())
        what = (
            f"{_list(idle['assessor'])}: {count(left, 'judgement')} left, none since each of the "
            f"others gave {idle['others'].min():.0f} or more"
        )
        yield Finding("Idle people", what, "assignments", STOPS, left / max(progress.left, 1))


def _beyond_reach(study: Study, progress: Progress, rules: Round) -> Iterator[Finding]:
    """Find topics with more free places than there are people who could take them."""
    able = len(list_assessors(study.store, study.collection_id))
    by = progress.places.groupby(["topic_id", "batch"])["assessor_id"]
    free, held = by.agg(lambda who: who.isna().sum()), by.nunique()
    short = free[free > np.maximum(able - held, 0)].reset_index()["topic_id"].nunique()
    if short:
        k = rules.judges
        people = count(able, "person", "people") if able else "nobody"
        what = f"{count(short, 'topic')} cannot reach k = {k}: {people} can judge here"
        yield Finding(
            "Topics below k", what, "people", STOPS, short / progress.places["topic_id"].nunique()
        )


def _far_behind(progress: Progress) -> Iterator[Finding]:
    """Find topics that nobody has begun though half of the round is judged."""
    topics = progress.in_round
    untouched = topics[(topics["judged"] == 0) & (topics["required"] > 0)]
    if len(untouched) and progress.judged >= progress.left:
        what = f"nobody has begun {count(len(untouched), 'topic')}: {_list(untouched['topic_id'])}"
        yield Finding("Topics behind", what, "assignments", STOPS, len(untouched) / len(topics))


def _below_k(progress: Progress, rules: Round) -> Iterator[Finding]:
    k, topics = rules.judges, progress.in_round
    lacking = topics["items"] - topics["at_k"] if rules.closed_at else topics["lacking"]
    below, items = topics[lacking > 0], int(lacking.sum())
    if len(below):
        why = "the round is closed" if rules.closed_at else "their places are finished"
        what = (
            f"{count(items, 'item')} in {count(len(below), 'topic')} below k = {k} though {why}: "
            f"{_list(below['topic_id'])}"
        )
        yield Finding("Topics below k", what, "assignments", OPEN, items / topics["items"].sum())


def _in_labels(study: Study) -> Iterator[Finding]:
    yield from _cannot_judge(study)
    for facet in declared_first(study, scales_of(study)):
        if len(ratings_of(study, facet).item):
            yield from _drift(study, facet)
            yield from _low_agreement(study, facet)
            yield from _disagreements(study, facet)
    yield from _undecided(study)


def _cannot_judge(study: Study) -> Iterator[Finding]:
    """Find items that people here could not judge."""
    labels = coded_labels_of(study)
    ours = labels[(labels["source"] == "judged") & (labels["occasion"] == 0)]
    refused = write_out(ours.loc[ours["state"] == "cannot judge", [*_ITEM, "facet"]])
    if refused.empty:
        return
    times = refused.groupby([*_ITEM, "facet"]).size()
    several = int((times > 1).sum())
    more = f", {several:,} of them by two assessors or more" if several else ""
    what = f"{count(len(times), 'item')} could not be judged{more}; the remarks below say why"
    yield Finding("Cannot judge", what, "collection", OPEN, len(refused) / len(ours))


@follows_facet
def _drifting(study: Study, facet: str) -> pd.DataFrame | None:
    """Return whose leniency has moved; None where nobody has given enough labels here."""
    labels = coded_labels_of(study)
    given = counted_labels(labels[["assessor_id", "source", "facet", "state", "occasion"]], facet)
    number = given.loc[given["source"] == "judged", "assessor_id"].value_counts()
    return ask_assessors(study, facet).drifting if number.max() >= FEWEST_LABELS else None


def _drift(study: Study, facet: str) -> Iterator[Finding]:
    """Find assessors whose leniency has moved."""
    drifting = _drifting(study, facet)
    if drifting is None:
        return
    if len(drifting):
        names = drifting["assessor_id"].map(names_of(study))
        rows = drifting[["change", "high"]].itertuples(index=False)
        changes = [f"{write_number(one, signed=True)}, ±{write_number(by)}" for one, by in rows]
        named = [f"{name} ({change})" for name, change in zip(names, changes, strict=True)]
        what = (
            f"leniency on {facet}s moves, in levels from first to last, beside what the same "
            f"labels give in any order: {_list(named)}"
        )
        labels = coded_labels_of(study)
        share = len(drifting) / labels.loc[labels["source"] == "judged", "assessor_id"].nunique()
        yield Finding("Drift", what, "assessors", DOUBTFUL, share)


@follows_facet
def _alphas(study: Study, facet: str) -> pd.DataFrame:
    return alpha_by_topic(ratings_of(study, facet))


def _low_agreement(study: Study, facet: str) -> Iterator[Finding]:
    topics = _alphas(study, facet)
    low = topics[topics["low"] <= 0]
    if len(low):
        worst = low.iloc[0]
        queries = topics_of(study).set_index("topic_id")["query"]
        where = queries.get(worst["topic_id"], worst["topic_id"])
        what = (
            f"{len(low):,} of {count(len(topics), 'topic')} on {facet}s not shown to agree beyond "
            f"chance; {TOPIC_COEFFICIENT} is {write_number(worst['value'])} on {plain(where)}"
        )
        yield Finding("Agreement not shown", what, "agreement", DOUBTFUL, len(low) / len(topics))


@follows_facet
def _differing(study: Study, facet: str) -> tuple[pd.DataFrame, int]:
    """Return the items whose labels differ, with by how much, and how many have several."""
    ratings = ratings_of(study, facet)
    counts = level_counts(ratings).counts
    used = counts > 0
    spread = used.shape[1] - 1 - used[:, ::-1].argmax(axis=1) - used.argmax(axis=1)
    spread = np.where(used.any(axis=1), spread, 0)
    several = int((counts.sum(axis=1) > 1).sum())
    return ratings.items.loc[spread > 0, _ITEM].assign(spread=spread[spread > 0]), several


@follows_labels
def _decided(study: Study) -> pd.DataFrame:
    decided = read_adjudications(study.store, study.collection_id)
    return decided[[*_ITEM, "facet"]].drop_duplicates()


def _disagreements(study: Study, facet: str) -> Iterator[Finding]:
    """Find items with different labels that nobody has decided."""
    items, several = _differing(study, facet)
    decided = _decided(study)
    decided = decided.loc[decided["facet"] == facet, _ITEM]
    open_ones = items["spread"]
    if len(decided):
        items = items.merge(decided, on=_ITEM, how="left", indicator=True)
        open_ones = items.loc[items["_merge"] == "left_only", "spread"]
    if len(open_ones):
        wide = int((open_ones > 1).sum())
        more = f", {wide:,} of them two levels apart or more" if wide else ""
        what = f"{count(len(open_ones), facet)} with different labels not decided{more}"
        share = len(open_ones) / max(several, 1)
        yield Finding("Disagreements", what, "adjudicate", OPEN, share)


def _unanswered(study: Study) -> Iterator[Finding]:
    """Find questions of assessors that nobody has answered."""
    questions = questions_of(study)
    waiting = questions[questions["is_open"]]
    if len(waiting):
        since = f"{waiting['asked_at'].min():%-d %B}"
        what = f"{count(len(waiting), 'question')} not answered, the first since {since}"
        yield Finding("Questions", what, "questions", OPEN, len(waiting) / len(questions))


def _undecided(study: Study) -> Iterator[Finding]:
    found = undecided_pairs(study)
    if found.pairs:
        what = describe_undecided(found)
        page = "collection" if found.unreadable == found.documents else "assignments"
        yield Finding("Unjudged documents", what, page, OPEN, found.pairs / found.of)


def _list(names: "pd.Series[str] | list[str]") -> str:
    """Return the first few names, plain, and how many more there are."""
    shown = ", ".join(map(plain, list(names)[:NAMED]))
    return f"{shown} and {len(names) - NAMED:,} more" if len(names) > NAMED else shown


FAILED_TRIES = 3
"""How often a message has to fail before it is worth a look: a server may be restarted."""

_DELIVERIES = 1000


def find_failing(study: Study) -> tuple[Finding, ...]:
    """Return that webhooks fail, if the latest that was tried of one did so three times or more.

    Addresses are not named: a viewer of the overview need not know them.
    """
    deliveries = list_deliveries(study.store, study.collection_id, _DELIVERIES)
    tried = [one for one in deliveries if one.attempts]
    latest = {one.webhook_id: one for one in reversed(tried)}
    failing = {webhook_id for webhook_id, one in latest.items() if _fails(one)}
    if not failing:
        return ()
    lost = sum(_fails(one) for one in tried if one.webhook_id in failing)
    addresses = count(len(failing), "address", "addresses")
    what = f"{addresses} not reached, {count(lost, 'message')} not delivered"
    return (Finding("Webhooks", what, "export", OPEN, len(failing) / len(latest)),)


def _fails(one: Delivery) -> bool:
    return one.state == GIVEN_UP or (one.state != DELIVERED and one.attempts >= FAILED_TRIES)


FEWEST_BY_OTHERS = 20
"""Of so many judgements by others on average somebody is silent before it is remarked on."""


def find_idle(progress: Progress, rules: Round) -> pd.DataFrame:
    """Find who is idle, compared with the others of its round.

    Somebody is idle who has judgements left, while each of the others who went on has given 20
    judgements on average since, for longer than the longest break that they made before. No clock
    is asked, so it holds for a class of an hour as for a round of weeks; where everybody is
    silent, nobody is idle.

    Returns
    -------
    DataFrame
        assessor_id, assessor, left, last (NaT for who has not begun), others (mean number of
        judgements of each of the others who went on, since then); most left first.
    """
    people, times = progress.holders, progress.times
    lasts = np.sort(people["last"].dropna().to_numpy("datetime64[us]"))
    waiting = people[(people["left"] > 0) & (people["held"] > 0)]
    begun = pd.Timestamp(rules.created_at)
    since = waiting["last"].fillna(begun)
    given = len(times) - np.searchsorted(times, since.to_numpy("datetime64[us]"), side="right")
    going_on = len(lasts) - np.searchsorted(lasts, since.to_numpy("datetime64[us]"), side="right")
    others = given / np.maximum(going_on, 1)
    latest = people["last"].max()
    breaks = _longest_breaks(progress.places)
    longest = np.array([breaks.get(str(one), 0.0) for one in waiting["assessor_id"]])
    silent = (latest - since).dt.total_seconds().to_numpy(np.float64)
    columns = ["assessor_id", "assessor", "left", "last"]
    is_idle = (others >= FEWEST_BY_OTHERS) & (silent > longest)
    found: pd.DataFrame = waiting[columns].assign(others=others)[is_idle]
    return found.reset_index(drop=True)


def _longest_breaks(places: pd.DataFrame) -> dict[str, float]:
    """Return the longest time between two judgements of each who has given any, in seconds."""
    given = places[places["times"].notna()].groupby("assessor_id")["times"]
    joined = {str(name): np.sort(np.concatenate([*parts])) for name, parts in given}
    return {
        name: float((np.diff(times) / np.timedelta64(1, "s")).max(initial=0.0))
        for name, times in joined.items()
    }


@dataclass(frozen=True)
class SetupStep:
    """A step: what to do, the address of its page, whether it is done, and what there is."""

    what: str
    page: str
    is_done: bool
    found: str = ""


def setup_steps(study: Study) -> tuple[SetupStep, ...]:
    """Return the steps from nothing to the first label, in order; there may be no collection."""
    return _list_steps(study) if study.collection_id else _FIRST


_FIRST = (
    SetupStep("Make a collection", "collection", False),
    SetupStep("Import topics, documents and runs or results", "collection", False),
    SetupStep("Invite people to judge", "people", False),
    SetupStep("Open a round", "assignments", False),
    SetupStep("Receive the first label", "people", False),
)


@follows_labels
def _list_steps(study: Study) -> tuple[SetupStep, ...]:
    store, collection_id = study.store, study.collection_id
    counts = count_contents(store, collection_id)
    ready = counts["topics"] and counts["documents"] and (counts["runs"] or counts["results"])
    contents = ", ".join(f"{counts[one]:,} {one}" for one in ("topics", "documents", "runs"))
    people = len(list_assessors(store, collection_id))
    rounds = len(list_rounds(store, collection_id))
    found = (
        (True, study.collection.name),
        (bool(ready), contents),
        (people > 0, count(people, "person", "people")),
        (rounds > 0, count(rounds, "round")),
        (study.sequence > 0, ""),
    )
    return tuple(
        SetupStep(step.what, step.page, done, text)
        for step, (done, text) in zip(_FIRST, found, strict=True)
    )


def find_late(progress: Progress) -> tuple[Finding, ...]:
    """Return each open round whose deadline has passed, with how many slots are left of it."""
    found = []
    for rules in progress.judging.rounds:
        left, places = progress.count_unfinished(rules.round_id)
        if rules.closed_at or rules.due_at is None or rules.due_at >= progress.now or not left:
            continue
        what = (
            f"{plain(rules.name)} was due by {write_time(rules.due_at)}; "
            f"{left:,} of {count(places, 'slot')} not finished"
        )
        found.append(Finding("Late", what, "assignments", STOPS, left / places))
    return tuple(found)


def find_too_slow(progress: Progress) -> tuple[Finding, ...]:
    """Return that the round will not be done by its deadline at this pace, if that is likely.

    It is where the median of the forecast lies beyond the deadline.
    """
    rules, forecast = progress.rules, progress.forecast
    if rules is None or isinstance(forecast, str):
        return ()
    due = rules.due_at
    if due is None or due < progress.now or forecast.median <= due:
        return ()
    what = (
        f"{plain(rules.name)} is due by {write_time(due)}; at this pace it is more "
        f"likely to end later, about {write_time(forecast.median)}"
    )
    share = progress.left / max(progress.required, 1)
    return (Finding("Too slow", what, "assignments", STOPS, share),)
