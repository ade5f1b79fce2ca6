"""The organiser's choice whether others may be seen afterwards, and what came of it."""

import pytest

from core.assessment.afterwards import open_topic
from core.store.audit.audit import AuditFilter, read_audit
from core.store.events.afterwards import Seeing, allow_seeing, get_seeing, note_item_seen
from core.store.people.members import add_viewer
from core.store.people.people import add_person
from core.store.store import Store
from tests.pages.seen_study import Pair, judge_in_pairs
from tests.short import long

LEVELS = "Who has finished a topic may see where others differ"
COMMENTS = "Also what others commented there"


@pytest.fixture
def pair(store: Store, filled: str) -> Pair:
    found = judge_in_pairs(store, filled)
    allow_seeing(store, filled, Seeing())
    return found


@pytest.fixture
def changed(pair: Pair) -> Pair:
    """Anna has seen that others gave 2 and 3 where she gave 0, and gave 3."""
    allow_seeing(pair.store, pair.collection_id, Seeing(True))
    open_topic(pair.store, pair.collection_id, pair.anna, "t1")
    note_item_seen(pair.store, pair.collection_id, pair.key())
    pair.revise(3)
    return pair


def press(at, label: str):
    return next(one for one in at.button if one.label == label).click().run()


def toggle(at, label: str):
    return next(one for one in at.toggle if one.label == label)


def texts(at) -> str:
    return "\n".join(one.value for one in (*at.markdown, *at.caption, *at.success))


def test_nothing_is_seen_until_the_organiser_says_so(open_page, organiser, store, filled, pair):
    at = open_page("assignments", organiser)
    assert not at.exception
    assert not toggle(at, LEVELS).value
    assert toggle(at, COMMENTS).disabled
    assert next(one for one in at.button if one.label == "Set this").disabled
    toggle(at, LEVELS).set_value(True).run()
    at = press(at, "Set this")
    assert get_seeing(store, filled) == Seeing(True, comments=False)
    assert at.success[0].value.endswith("may see there where others differ, without comments.")
    toggle(at, COMMENTS).set_value(True).run()
    at = press(at, "Set this")
    assert get_seeing(store, filled) == Seeing(True, comments=True)
    toggle(at, LEVELS).set_value(False).run()
    at = press(at, "Set this")
    assert get_seeing(store, filled) == Seeing()
    assert at.success[0].value == "Assessors see nothing of each other."


@long
def test_the_choice_is_on_record_with_its_author(open_page, organiser, store, filled, pair):
    at = open_page("assignments", organiser)
    toggle(at, LEVELS).set_value(True).run()
    press(at, "Set this")
    entry = read_audit(store, AuditFilter(kind="seen afterwards"), 9).iloc[0]
    assert (entry["person_id"], entry["what"]) == (organiser, "edit")
    assert "levels: no → yes" in entry["change"]


@long
def test_what_was_seen_and_said_is_on_record(store, changed: Pair):
    told = read_audit(store, AuditFilter(person_id=changed.anna), 9)
    assert told[["what", "subject"]].iloc[:2].to_numpy().tolist() == [
        ["revise after seeing others", "topic t1, document d1, page"],
        ["see", "topic t1"],
    ]


@long
def test_the_organiser_is_told_how_much_was_looked_at(open_page, organiser, changed):
    at = open_page("assignments", organiser)
    assert "1 assessor opened 1 topic in all, and made 1 judgement there since." in texts(at)


@long
def test_agreement_names_which_labels_count_only_where_some_were_changed(
    open_page, organiser, pair: Pair
):
    at = open_page("agreement", organiser)
    assert "Labels as given" not in texts(at)
    assert "Seen afterwards" not in [one.label for one in at.tabs]
    allow_seeing(pair.store, pair.collection_id, Seeing(True))
    open_topic(pair.store, pair.collection_id, pair.anna, "t1")
    pair.revise(3)
    for page in ("agreement", "disagreement"):
        at = open_page(page, organiser)
        assert (
            "Labels as given; 1 judgement that assessors made after seeing others' labels is left "
            "out." in texts(at)
        )


@long
def test_what_was_changed_and_towards_whom_is_shown(open_page, organiser, changed: Pair):
    at = open_page("agreement", organiser, address={"agreement-part": "Seen afterwards"})
    assert not at.exception
    said = texts(at)
    assert (
        "1 assessor opened 1 topic in all, and looked again at **1 page** on which others differ. "
        "**1** was changed: 1 to the majority's level." in said
    )
    names = [one.label for one in at.metric]
    assert [one.partition(", ")[2] for one in names[-2:]] == ["as given", "after discussion"]
    assert at.metric[-1].delta == "not independent"
    row = at.dataframe[-1].value.iloc[0]
    assert row[["assessor", "outcome"]].tolist() == ["Anna", "to the majority's level"]
    assert row[["given", "said", "majority"]].tolist() == ["Non", "Key or Nav", "Key or Nav"]


@long
def test_a_viewer_sees_the_same_under_codes(open_page, store, filled, changed: Pair):
    viewer = add_person(store, "Vera", "viewer")
    add_viewer(store, filled, viewer)
    at = open_page("agreement", viewer, address={"agreement-part": "Seen afterwards"})
    assert not at.exception
    row = at.dataframe[-1].value.iloc[0]
    assert row["outcome"] == "to the majority's level"
    for told in ("Anna", changed.anna):
        assert told not in str(at.dataframe[-1].value.to_dict())


@long
@pytest.mark.parametrize("page", ["qrels", "export"])
def test_files_and_versions_ask_which_labels_only_where_it_matters(
    open_page, organiser, pair: Pair, page: str
):
    asked = "Labels of who saw others' afterwards"
    assert asked not in [one.label for one in open_page(page, organiser).radio]
    allow_seeing(pair.store, pair.collection_id, Seeing(True))
    open_topic(pair.store, pair.collection_id, pair.anna, "t1")
    pair.revise(3)
    parts = {"qrels-part": "Versions of your own"} if page == "qrels" else {}
    at = open_page(page, organiser, address=parts)
    assert not at.exception
    assert asked in [one.label for one in at.radio]
