"""What somebody is told of a class before they join it."""

from dataclasses import dataclass

from core.analysis.base.study import Study
from core.analysis.judging.outlook import seconds_by_facet
from core.collection.records import PAGE
from core.errors import NotFound
from core.language.translate import t, tn
from core.store.content.collections import get_collection
from core.store.people.people import find_person
from core.store.rounds.lessons import Lesson
from core.store.rounds.rounds import read_pool
from core.store.store import Store
from core.wording import tell_hours

SECONDS = 30.0
"""What the guidelines of a class give a page, until students have taken their time."""


@dataclass(frozen=True)
class Outline:
    """A class as its students-to-be see it: whose it is, what it is called, and how long it is."""

    name: str
    lecturer: str
    pages: int
    seconds: float
    is_assumed: bool

    def tell_size(self) -> str:
        """Return how many pages there are, and about how long they take."""
        how = t("half a minute each") if self.is_assumed else t("at the median time so far")
        pages = tn(self.pages, "{n} page", "{n} pages")
        hours = tell_hours(self.pages * self.seconds / 3600)
        return t("{pages}, about {hours} ({how})", pages=pages, hours=hours, how=how)


def outline_of(store: Store, lesson: Lesson) -> Outline:
    """Return what is told of a class before somebody joins it."""
    known = seconds_by_facet(Study(store, lesson.collection_id, False)).get(PAGE)
    return Outline(
        get_collection(store, lesson.collection_id).name,
        _name_lecturer(store, lesson),
        len(read_pool(store, lesson.round_id)),
        known or SECONDS,
        known is None,
    )


def _name_lecturer(store: Store, lesson: Lesson) -> str:
    try:
        person = find_person(store, lesson.started_by)
    except NotFound:
        return ""
    return "" if person.erased_at else person.name
