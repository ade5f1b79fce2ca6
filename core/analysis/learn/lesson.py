"""What the labels of a class come to; computed once for each state of its collection."""

from dataclasses import dataclass

import pandas as pd

from core.agreement.coefficients import Alpha, Kappa, Raw
from core.agreement.multi_rater_counts import level_counts
from core.agreement.overall import panel_agreement
from core.agreement.pooled import agreement_on_items, part_items
from core.analysis.base.labels import ratings_of
from core.analysis.base.study import Study, follows_labels, labels_of, scales_of
from core.collection.records import PAGE, counted_levels
from core.errors import DissentError
from core.language.translate import speaking, t
from core.reports.level_weights import LevelLabels, LevelWeights, WeightsQuestion
from core.reports.user_model import usual_model
from core.store.content.documents import get_document
from core.store.events.frames import read_topics
from core.store.people.members import list_members
from core.store.rounds.lessons import ORIGIN
from core.store.rounds.rounds import list_rounds, read_pool

CHOSEN = (Kappa("linear"), Kappa())
TOGETHER = Alpha("ordinal")

BELOW_CHANCE = "poor"
STRENGTHS = (
    (0.2, "slight"),
    (0.4, "fair"),
    (0.6, "moderate"),
    (0.8, "substantial"),
    (1.0, "almost perfect"),
)
"""What values of κ from 0 are called, up to and including each: Landis and Koch (1977), Biometrics
33(1), doi:10.2307/2529310. A convention, and no test."""


@dataclass(frozen=True)
class StudentAnswer:
    """What one student said of an item, and why."""

    student: str
    level: str
    comment: str


@dataclass(frozen=True)
class LessonItem:
    """One item of a lesson with the labels of the class.

    Parameters
    ----------
    document_id, name, title : str
        Its id, what it is called in the lesson, and its own title.
    counts : dict of str to int
        How many students gave it each level, the highest level first.
    said : tuple of StudentAnswer
        The comments, the highest level first.
    """

    document_id: str
    name: str
    title: str
    counts: dict[str, int]
    answers: tuple[StudentAnswer, ...]

    @property
    def labels(self) -> int:
        """How many students gave it a level."""
        return sum(self.counts.values())

    def tell_split(self) -> str:
        """Return the two largest camps in a sentence; empty where all agree or nobody judged."""
        camps = sorted(self.counts.items(), key=lambda one: -one[1])
        (first, most), (second, fewer) = camps[:2]
        if not fewer:
            return ""
        return t(
            "{most} said {first}, {fewer} said {second}. Why?",
            most=most,
            first=first,
            fewer=fewer,
            second=second,
        )


@dataclass(frozen=True)
class Summary:
    """What a lesson comes to, in numbers; None where they cannot be told.

    ``raw``: the share of items on which two students agree, over all pairs of students.
    ``linear`` and ``kappa``: κ with near misses counted in part, and without. ``alpha``: ordinal.
    ``united``: the levels that count as one, if any. ``disputed``: the item with the least
    agreement.
    """

    raw: float | None
    linear: float | None
    kappa: float | None
    alpha: float | None
    united: tuple[tuple[str, ...], ...]
    disputed: LessonItem | None


@dataclass(frozen=True)
class Own:
    """One student's level of an item beside the class's.

    ``level``: as given; empty where there is none. ``same`` of ``others`` gave the same level, or
    one that counts as the same.
    """

    item: LessonItem
    level: str
    same: int
    others: int


@follows_labels
def count_students(study: Study) -> dict[str, int]:
    """Return how many students there are, how many are done, and their labels."""
    members = list_members(study.store, study.collection_id)
    students = members[(members["origin"] == ORIGIN) & members["dropped_at"].isna()]
    given = _given(study)
    answered = given[given["state"].isin(["level", "cannot judge"])]
    done = answered.groupby("assessor_id").size() >= len(_documents(study))
    levels = int((given["state"] == "level").sum())
    return {"students": len(students), "done": int(done.sum()), "labels": levels}


@follows_labels
def agreement_of(study: Study) -> pd.DataFrame:
    """Return both κ over all pairs of students; without rows before two have judged."""
    try:
        return agreement_on_items(ratings_of(study, PAGE), CHOSEN)
    except DissentError:
        return pd.DataFrame()


@follows_labels
def weights_of(study: Study, users: int, at_least: int) -> pd.DataFrame:
    """Return ``level, name, cases, p, low, high, weight, written``, lowest level first."""
    with speaking(study.collection.language):
        names = counted_levels(scales_of(study)[PAGE])
    labels = LevelLabels(PAGE, part_items(ratings_of(study, PAGE)), names)
    table = LevelWeights(labels, WeightsQuestion(usual_model(names, users, at_least))).levels
    written = ["?" if value != value else f"{value:.2f}" for value in table["weight"]]
    return table.assign(written=written)


@follows_labels
def labels_by_item(study: Study) -> pd.DataFrame:
    """Return ``document_id, item, title, level, labels`` for every item and level."""
    documents = _documents(study)
    titles = [get_document(study.store, study.collection_id, known)["title"] for known in documents]
    with speaking(study.collection.language):  # the same for whoever asks first
        called = [t("Page {letter}", letter=chr(ord("A") + n)) for n in range(len(documents))]
    items = pd.DataFrame(
        {
            "document_id": documents,
            "item": called,
            "title": titles,
        }
    )
    names = {level.level: level.name for level in scales_of(study)[PAGE]}
    given = _given(study)
    given = given[given["state"] == "level"]
    counts = given.groupby(["document_id", "given_level"]).size().rename("labels").reset_index()
    counts["level"] = counts["given_level"].map(names)
    grid = items.merge(pd.DataFrame({"level": list(names.values())}), how="cross")
    merged = grid.merge(counts[["document_id", "level", "labels"]], how="left")
    return merged.assign(labels=merged["labels"].fillna(0).astype("int64"))


@follows_labels
def items_of(study: Study) -> tuple[LessonItem, ...]:
    """Return the items of the class with what was said of each, in the order of their ids."""
    rows = labels_by_item(study)
    names = {level.level: level.name for level in scales_of(study)[PAGE]}
    given = _given(study)
    given = given[(given["state"] == "level") & (given["comment"].str.strip() != "")]
    items = []
    for document, part in rows.groupby("document_id", sort=False):
        labels = given[given["document_id"] == document].sort_values("given_level", ascending=False)
        items.append(
            LessonItem(
                str(document),
                str(part["item"].iloc[0]),
                str(part["title"].iloc[0]),
                dict(zip(part["level"][::-1], map(int, part["labels"][::-1]), strict=True)),
                tuple(
                    StudentAnswer(student, names[int(level)], comment.strip())
                    for student, level, comment in zip(
                        labels["assessor"], labels["given_level"], labels["comment"], strict=True
                    )
                ),
            )
        )
    return tuple(items)


@follows_labels
def summary_of(study: Study) -> Summary:
    """Return what the class's labels come to as a whole."""
    ratings = part_items(ratings_of(study, PAGE))
    united = tuple(
        tuple(level.name for level in scales_of(study)[PAGE] if level.counts_as == counted)
        for counted in counted_levels(scales_of(study)[PAGE])
    )
    united = tuple(names for names in united if len(names) > 1)
    try:
        pairs = agreement_on_items(ratings_of(study, PAGE), (Raw(), *CHOSEN))["value"]
        alpha = panel_agreement(level_counts(ratings), [TOGETHER])["value"].iloc[0]
    except DissentError:
        return Summary(None, None, None, None, united, None)
    raw, linear, kappa = (_known(value) for value in pairs)
    judged = [item for item in items_of(study) if item.labels > 1]
    disputed = min(judged, key=lambda item: _alike(study, item), default=None)
    if disputed is not None and _alike(study, disputed) == 1:
        disputed = None
    return Summary(raw, linear, kappa, _known(alpha), united, disputed)


@follows_labels
def own_of(study: Study, assessor_id: str) -> tuple[Own, ...]:
    """Return a student's own level of every item beside the class's."""
    names = {level.level: level.name for level in scales_of(study)[PAGE]}
    given = _given(study)
    given = given[(given["state"] == "level") & (given["assessor_id"] == assessor_id)]
    levels = given.set_index("document_id")["given_level"].map(names).to_dict()
    rows = []
    for item in items_of(study):
        level = str(levels.get(item.document_id, ""))
        alike = _unite(study, item).get(_counted(study).get(level, ""), 0)
        rows.append(Own(item, level, max(0, alike - bool(level)), item.labels - bool(level)))
    return tuple(rows)


def tell_strength(value: float) -> str:
    """Return in words how strong an agreement is that κ puts so high."""
    if value < 0:
        return t(BELOW_CHANCE)
    return t(next(name for most, name in STRENGTHS if value <= most + 1e-9))


def _known(value: float) -> float | None:
    return None if pd.isna(value) else float(value)


def _alike(study: Study, item: LessonItem) -> float:
    """Return the share of pairs of students who agree on an item."""
    pairs = sum(number * (number - 1) for number in _unite(study, item).values())
    return pairs / (item.labels * (item.labels - 1))


def _unite(study: Study, item: LessonItem) -> dict[str, int]:
    """Return how many students gave an item each level that counts."""
    united: dict[str, int] = {}
    for level, number in item.counts.items():
        counted = _counted(study)[level]
        united[counted] = united.get(counted, 0) + number
    return united


def _counted(study: Study) -> dict[str, str]:
    """Return as which level each level counts, by name."""
    names = {level.level: level.name for level in scales_of(study)[PAGE]}
    return {level.name: names[level.counts_as] for level in scales_of(study)[PAGE]}


def count_pages(study: Study) -> int:
    """Return how many pages a class judges."""
    return len(_documents(study))


def student_names(study: Study) -> list[str]:
    """Return the nicknames of who has joined, in the order of the alphabet."""
    members = list_members(study.store, study.collection_id)
    return list(members.loc[(members["origin"] == ORIGIN) & members["dropped_at"].isna(), "name"])


def _documents(study: Study) -> list[str]:
    rules = list_rounds(study.store, study.collection_id)[0]
    return sorted(read_pool(study.store, rules.round_id)["document_id"])


def level_names(study: Study) -> list[str]:
    """Return the names of the page levels, lowest first."""
    return [level.name for level in scales_of(study)[PAGE]]


def query_of(study: Study) -> tuple[str, str]:
    """Return the query that is judged, and what students are told about it."""
    topic = read_topics(study.store, study.collection_id).iloc[0]
    return str(topic["query"]), str(topic["description"])


def _given(study: Study) -> pd.DataFrame:
    labels = labels_of(study)
    return labels[(labels["facet"] == PAGE) & (labels["occasion"] == 0)]
