"""What a lesson comes to, against independent programs and by hand."""

import uuid
from itertools import combinations

import krippendorff
import numpy as np
import pytest
from sklearn.metrics import cohen_kappa_score

from core.analysis.base.study import Study
from core.analysis.learn.lesson import STRENGTHS, items_of, own_of, summary_of, tell_strength
from core.assessment.class_mode import join_lesson, start_own_lesson
from core.store.events.labels import Key, LabelEvent
from core.store.people.people import find_session
from core.store.rounds.lessons import Lesson, lesson_code
from core.store.rounds.rounds import read_pool
from core.store.store import Store
from tests.each import each
from tests.short import long

TWO = ((3, 3, 2, 2, 1, 1, 0, 0, 3, 0), (3, 2, 2, 2, 0, 1, 0, 1, 3, 0))


@pytest.fixture
def lesson(store: Store) -> Lesson:
    return start_own_lesson(store, "mercury", [f"Title {n}\ntext {n}" for n in range(10)])


def judge(store: Store, lesson: Lesson, levels: tuple[int, ...], name: str, comment: str = ""):
    person = find_session(store, join_lesson(store, lesson_code(store, lesson), name))
    pages = sorted(read_pool(store, lesson.round_id)["document_id"])
    events = [
        LabelEvent(str(uuid.uuid4()), None, Key("own", page, "page", "", person.person_id, 0),
                   "level", level, comment=comment)
        for page, level in zip(pages, levels, strict=False)
    ]  # fmt: skip
    store.labels.append(lesson.collection_id, events)
    return person.person_id


def study(store: Store, lesson: Lesson) -> Study:
    return Study(store, lesson.collection_id, False)


def test_the_summary_is_what_independent_programs_say(store: Store, lesson: Lesson):
    for place, levels in enumerate(TWO):
        judge(store, lesson, levels, f"s{place}")
    found = summary_of(study(store, lesson))
    assert found.raw == pytest.approx(np.mean(np.equal(*TWO)))
    assert found.kappa == pytest.approx(cohen_kappa_score(*TWO))
    assert found.linear == pytest.approx(cohen_kappa_score(*TWO, weights="linear"))
    alpha = krippendorff.alpha(np.array(TWO), level_of_measurement="ordinal")
    assert found.alpha == pytest.approx(alpha)
    assert found.united == (("Key", "Nav"),)


@long
def test_levels_that_count_as_one_do_not_disagree(store: Store, lesson: Lesson):
    judge(store, lesson, (4, 3), "a")
    judge(store, lesson, (3, 4), "b")
    found = summary_of(study(store, lesson))
    assert found.raw == 1
    assert found.disputed is None


@long
def test_the_most_disputed_page_is_the_one_on_which_fewest_pairs_agree(
    store: Store, lesson: Lesson
):
    labels = ((3, 3, 0), (3, 0, 0), (3, 0, 2), (3, 1, 0))
    for place, levels in enumerate(labels):
        judge(store, lesson, levels, f"s{place}")
    shares = [
        np.mean([one == other for one, other in combinations(page, 2)])
        for page in zip(*labels, strict=True)
    ]
    assert int(np.argmin(shares)) == 1
    assert summary_of(study(store, lesson)).disputed.title == "Title 1"


@long
def test_before_two_have_judged_there_is_nothing_to_sum_up(store: Store, lesson: Lesson):
    judge(store, lesson, (3,), "a")
    found = summary_of(study(store, lesson))
    assert (found.raw, found.kappa, found.alpha, found.disputed) == (None, None, None, None)


def test_an_item_says_who_said_what_and_why(store: Store, lesson: Lesson):
    judge(store, lesson, (0,), "Ann", comment=" too short ")
    judge(store, lesson, (4,), "Bob", comment="the very one")
    judge(store, lesson, (4,), "Cem")
    item = items_of(study(store, lesson))[0]
    assert item.counts == {"Nav": 2, "Key": 0, "HRel": 0, "Rel": 0, "Non": 1}
    assert [(one.student, one.level, one.comment) for one in item.answers] == [
        ("Bob", "Nav", "the very one"),
        ("Ann", "Non", "too short"),
    ]
    assert item.tell_split() == "2 said Nav, 1 said Non. Why?"
    assert items_of(study(store, lesson))[1].tell_split() == ""


@long
def test_ones_own_levels_stand_beside_those_of_the_others(store: Store, lesson: Lesson):
    ann = judge(store, lesson, (4, 0, 2), "Ann")
    judge(store, lesson, (3, 0), "Bob")
    judge(store, lesson, (1, 1), "Cem")
    own = own_of(study(store, lesson), ann)
    assert [(one.level, one.same, one.others) for one in own[:4]] == [
        ("Nav", 1, 2),
        ("Non", 1, 2),
        ("HRel", 0, 0),
        ("", 0, 0),
    ]


@each(
    ("value", "word"),
    [(-0.1, "poor"), (0.0, "slight"), (0.1, "slight"), (0.2, "slight"),
     (0.21, "fair"), (0.5, "moderate"), (0.8, "substantial"), (0.81, "almost perfect"),
     (1.0, "almost perfect")],
)  # fmt: skip
def test_strengths_are_those_of_landis_and_koch(value: float, word: str):
    assert tell_strength(value) == word
    assert [most for most, _ in STRENGTHS] == sorted(most for most, _ in STRENGTHS)
