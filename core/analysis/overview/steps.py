"""What is to be done until the first label comes."""

from dataclasses import dataclass

from core.analysis.base.study import Study, follows_labels
from core.store.events.frames import count_contents
from core.store.people.members import list_assessors
from core.store.rounds.rounds import list_rounds
from core.wording import count


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
