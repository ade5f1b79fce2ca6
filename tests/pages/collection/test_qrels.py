"""The page of qrels versions, drawn on a small collection without a browser."""

import re
import uuid

import pytest

from core.agreement.ratings import ratings_from_labels
from core.analysis.base.study import Study
from core.analysis.results.past_versions import versions_at
from core.assessment.adjudication import adjudicate
from core.assessment.rounds.rounds import Plan, open_round
from core.collection.files.source import Source
from core.collection.formats import read_import
from core.demo import load_demo
from core.disagreement.strata import select_stratum, strata_by_quality
from core.reports.level_weights import LevelLabels, LevelWeights, WeightsQuestion
from core.reports.user_model import UserModel
from core.store.content.collections import create_collection
from core.store.content.imports import write_import
from core.store.content.saved_rules import list_rules, save_rule
from core.store.events.frames import read_labels, read_results
from core.store.events.labels import Key, LabelEvent
from core.store.people.people import add_person
from core.versions.rules import QrelsRule
from tests.short import long

PAGE = "qrels"
MODEL = UserModel(top=3, users=3, at_least=1, weighting="item", keep_lowest=False)


def texts(at) -> str:
    parts = [*at.markdown, *at.caption, *at.info, *at.warning]
    return "\n".join(part.value for part in parts).replace("\\", "")


OWN = {"qrels-part": "Versions of your own"}


def versions(at):
    return at.dataframe[0].value.set_index("version")


def judge(store, filled, level, document="d2", assessor="a2", supersedes=None, topic="t1"):
    key = Key(topic, document, "page", "", assessor, 0)
    event = LabelEvent(str(uuid.uuid4()), supersedes, key, "level", level)
    return store.labels.append(filled, [event])[0]


def standing(store, filled, assessor, document):
    key = Key("t1", document, "page", "", assessor, 0)
    return store.labels.current(filled, assessor)[key].event_id


def hashes(store, filled, until):
    made = versions_at(Study(store, filled, is_masked=True), "page", MODEL, until)
    return {key: one.version.content_hash for key, one in made.items() if one.version}


def test_an_assessor_never_sees_it(store, filled, open_page):
    at = open_page(PAGE, add_person(store, "Ann", "assessor"))
    assert not at.dataframe
    assert "Qrels versions" not in [title.value for title in at.title]


def test_every_version_is_listed_with_what_it_rests_on(store, filled, organiser, open_page):
    qrels = Source("official.qrels", b"t1 0 d1 1\nt1 0 d3 1\n")
    write_import(store, filled, read_import("qrels", qrels), name="official")
    save_rule(store, filled, "only a1", QrelsRule("only a1", assessors=("a1",)).to_json())
    at = open_page(PAGE, organiser)
    assert not at.exception
    table = versions(at)
    assert {"all, maximum", "UDM, 1 of 3", "only a1", "imported: official"} <= set(table.index)
    row = table.loc["only a1"]
    assert (row["documents"], row["topics"], row["labels"], row["last_event"]) == (2, 1, 2, 3)
    assert row["left_out"] == "a2"
    assert "only a1" in row["rule"]
    assert len(row["content_hash"]) == len(row["rule_hash"]) == 64
    assert table.loc["imported: official", "rule"] == "Imported as it is."


@long
def test_levels_are_counted_by_name(store, filled, organiser, open_page):
    at = open_page(
        PAGE, organiser, **{"qrels-shown-page": ["all, maximum"], "qrels-part": "Levels"}
    )
    table = at.dataframe[0].value
    assert table["written"].tolist() == ["Non", "Rel", "HRel", "Key or Nav"]
    assert table["documents"].tolist() == [1, 0, 0, 1]
    assert table["share"].sum() == 1


@long
def test_an_old_event_brings_back_the_same_hashes(store, filled, organiser, open_page):
    before = hashes(store, filled, 3)
    judge(store, filled, 1)
    judge(store, filled, 0, "d1", "a2", standing(store, filled, "a2", "d1"))
    now = hashes(store, filled, 5)
    assert all(now[key] != before[key] for key in ("all, maximum", "UDM"))
    assert hashes(store, filled, 3) == before
    at = open_page(PAGE, organiser, **{"qrels-event": 3})
    assert not at.exception
    table = versions(at)
    assert table.loc["all, maximum", "content_hash"] == before["all, maximum"]
    assert table.loc["all, maximum", "last_event"] == 3
    at = open_page(PAGE, organiser, **{"qrels-event": 3, "qrels-part": "Take away"})
    assert re.search(r"As it was on \d+ \w+ \d{4}, \d\d:\d\d UTC \(label event 3\)\.", texts(at))


@long
def test_a_version_names_the_revision_it_rests_on(store, filled):
    """The named event, taken as the last one, gives the very content that it was named with."""
    revised = judge(store, filled, 1, "d1", "a2", standing(store, filled, "a2", "d1"))
    context = Study(store, filled, is_masked=True)
    version = versions_at(context, "page", MODEL)["all, maximum"].version
    assert version.last_sequence == revised.sequence == 4
    judge(store, filled, 3)
    assert hashes(store, filled, version.last_sequence)["all, maximum"] == version.content_hash


@long
def test_before_the_first_label_there_is_nothing(store, filled, organiser, open_page):
    at = open_page(PAGE, organiser, **{"qrels-event": 0})
    assert not at.exception
    assert "Up to then no page was judged" in texts(at)


@long
def test_without_a_collection_or_labels_it_says_so(store, organiser, open_page):
    assert "no collection yet" in texts(open_page(PAGE, organiser))
    create_collection(store, "New")
    at = open_page(PAGE, organiser)
    assert "no page was judged" in texts(at)
    assert not at.exception


@long
def test_a_rule_can_be_saved_and_deleted(store, filled, organiser, open_page):
    at = open_page(PAGE, organiser, **OWN)
    at.text_input(key="rule-name").set_value("second best").run()
    at.selectbox(key="rule-combine").select("median").run()
    at.button(key="rule-save").click().run()
    assert not at.exception
    saved = list_rules(store, filled)
    assert QrelsRule.from_json(saved["second best"]) == QrelsRule("second best", combine="median")
    assert "second best" in versions(open_page(PAGE, organiser)).index
    at.button(key="delete-rule-second best").click().run()
    assert list_rules(store, filled) == {}


@long
def test_who_is_left_out_is_said_before_saving(store, filled, organiser, open_page):
    at = open_page(PAGE, organiser, **OWN)
    assert not at.warning
    at.multiselect(key="rule-assessors-page").select("a1").run()
    assert at.warning[0].value == "Left out: a2."


@long
def test_a_name_that_is_taken_or_absent_is_refused(store, filled, organiser, open_page):
    at = open_page(PAGE, organiser, **OWN, **{"rule-name": "all, maximum"})
    at.button(key="rule-save").click().run()
    assert "there already" in at.error[0].value
    at = open_page(PAGE, organiser, **OWN)
    at.button(key="rule-save").click().run()
    assert "was not saved" in at.error[0].value
    assert list_rules(store, filled) == {}


@long
def test_a_rule_of_which_nothing_comes_cannot_be_saved(store, filled, organiser, open_page):
    at = open_page(PAGE, organiser, **OWN, **{"rule-combine": "sum"})
    assert not at.error
    assert "No version comes of these choices yet: " in texts(at)
    assert at.button(key="rule-save").disabled


@long
def test_weights_are_saved_with_where_they_come_from(store, filled, organiser, open_page):
    judge(store, filled, 0)
    at = open_page(PAGE, organiser, **OWN, **{"rule-combine": "udm", "rule-name": "mine"})
    at.button(key="rule-save").click().run()
    assert not at.exception
    rule = QrelsRule.from_json(list_rules(store, filled)["mine"])
    assert dict(rule.weights)[3] == 1
    expected = (
        r"all topics, pages, up to .* UTC \(label event 4\): Key or Nav for at least 1 of 3 users"
    )
    assert re.fullmatch(expected, rule.weights_from)


@long
def test_weights_need_double_judgements(store, filled, organiser, open_page):
    write_import(store, filled, read_import("topics", Source("t.tsv", b"id\tquery\nt3\tx\n")))
    store.cursor().execute("UPDATE topics SET type = 'odd' WHERE topic_id = 't3'")
    chosen = {"rule-combine": "udm", "rule-weights-page": "topics of type odd"}
    at = open_page(PAGE, organiser, **OWN, **chosen)
    assert not at.exception
    assert "give no weights" in texts(at)


@long
def test_topics_can_be_chosen(store, filled, organiser, open_page):
    chosen = {"rule-topics-page": "topics that I choose", "rule-name": "some"}
    at = open_page(PAGE, organiser, **OWN, **chosen)
    assert "Choose topics." in texts(at)
    at.multiselect(key="rule-chosen").select("t1").run()
    at.button(key="rule-save").click().run()
    rule = QrelsRule.from_json(list_rules(store, filled)["some"])
    assert (rule.topics, rule.topic_set) == (("t1",), "chosen by hand")


@long
def test_sets_come_from_types_and_from_agreement(store, filled, organiser, open_page):
    store.cursor().execute("UPDATE topics SET type = 'wide' WHERE topic_id = 't1'")
    for number in range(20):
        for assessor in ("a1", "a2"):
            judge(store, filled, 3 * (number % 2), f"x{number}", assessor)
            judge(store, filled, 3 * (number % (3 if assessor == "a1" else 2) > 0), f"y{number}",
                  assessor, topic="t2")  # fmt: skip
    at = open_page(PAGE, organiser, **OWN)
    assert at.selectbox(key="rule-topics-page").options == [
        "all topics",
        "high-agreement topics",
        "low-agreement topics",
        "topics of type wide",
        "topics that I choose",
    ]
    at.selectbox(key="rule-topics-page").select("low-agreement topics").run()
    assert "Only 1 topic, low-agreement topics." in texts(at)


@long
@pytest.mark.parametrize("decided", [False, True])
def test_an_adjudicated_version_counts_what_is_open(store, filled, organiser, open_page, decided):
    if decided:
        adjudicate(store, filled, Key("t1", "d1", "page", "", organiser, 0), 2)
    at = open_page(PAGE, organiser, **OWN, **{"rule-combine": "adjudicated"})
    assert not at.exception
    assert ("nobody has adjudicated: 1 item" in texts(at)) is not decided
    listed = versions(open_page(PAGE, organiser))
    assert ("all, adjudicated" in listed.index) is decided
    if decided:
        assert listed.loc["all, adjudicated", "last_event"] == 4
        assert listed.loc["all, maximum", "last_event"] == 3


@long
def test_a_version_that_cannot_be_made_says_why(store, filled, organiser, open_page):
    save_rule(store, filled, "sums", QrelsRule("sums", combine="sum").to_json())
    at = open_page(PAGE, organiser)
    assert not at.exception
    row = versions(at).loc["sums"]
    assert row["content_hash"] == ""
    assert "do not have" in row["reason"]
    at = open_page(PAGE, organiser, **{"qrels-event": 0})
    assert not at.exception
    assert set(versions(at)["content_hash"]) == {""}
    assert "There is no version to show" in texts(at)


@long
def test_weights_may_come_from_good_result_lists_only(store, organiser, open_page):
    demo = load_demo(store)
    choice = {"rule-combine": "udm", "rule-name": "good lists"}
    at = open_page(PAGE, organiser, **OWN, **choice, **{"rule-weights-page": "high quality"})
    at.button(key="rule-save").click().run()
    assert not at.exception
    rule = QrelsRule.from_json(list_rules(store, demo)["good lists"])
    assert rule.weights_from.startswith("high quality, pages, up to ")
    ratings = ratings_from_labels(read_labels(store, demo), "page", [0, 1, 2, 3])
    lists = strata_by_quality(read_results(store, demo), ratings, 3)
    own = select_stratum(ratings, lists, "high quality")
    question = WeightsQuestion(MODEL)
    assert rule.weights == LevelWeights(LevelLabels("page", own), question).weights
    assert rule.weights != LevelWeights(LevelLabels("page", ratings), question).weights


@long
def test_a_rule_may_take_the_labels_of_one_round(store, filled, organiser, open_page):
    at = open_page(PAGE, organiser, **OWN)
    assert "rule-rounds-page" not in [one.key for one in at.multiselect]
    round_id = open_round(store, filled, Plan(name="Later", judges=1, flow="page only"))
    judge(store, filled, 1, assessor="a3")
    at = open_page(PAGE, organiser, **OWN, **{"rule-name": "later ones"})
    at.multiselect(key="rule-rounds-page").select(round_id).run()
    assert not at.exception
    assert "Only labels given in Later." in texts(at)
    assert "1 judged pair of topic and document from 1 label in 1 topic" in texts(at)
    at.button(key="rule-save").click().run()
    saved = QrelsRule.from_json(list_rules(store, filled)["later ones"])
    assert saved.rounds == (round_id,)
