"""The page for deciding disagreements, drawn on a small collection without a browser."""

import uuid

from core.agreement.confusion import confusion_matrices
from core.analysis.base.labels import ratings_of
from core.analysis.base.study import Study
from core.analysis.results.past_versions import versions_at
from core.disagreement.user_disagreement import estimate_top_probability
from core.reports.user_model import UserModel
from core.store.content.collections import create_collection
from core.store.events.adjudications import read_adjudications
from core.store.events.labels import Key, LabelEvent
from core.store.people.people import add_person
from tests.short import long

PAGE = "adjudicate"
MODEL = UserModel(top=3, users=3, at_least=1, weighting="item", keep_lowest=False)


def texts(at) -> str:
    parts = [*at.markdown, *at.caption, *at.info, *at.success, *at.text, *at.header]
    read = [part.value for part in parts] + [part.proto.body for part in at.get("html")]
    return "\n".join(read).replace("\\", "")


def judge(store, filled, document, assessor, level, facet="page", engine="", comment=""):
    key = Key("t1", document, facet, engine, assessor, 0)
    event = LabelEvent(str(uuid.uuid4()), None, key, "level", level, comment=comment)
    store.labels.append(filled, [event])


def press(at, level, document):
    return at.button(key=f"adjudicate-{level}-t1-{document}-page-").click().run()


def test_an_assessor_never_sees_it(store, filled, open_page):
    at = open_page(PAGE, add_person(store, "Ann", "assessor"))
    assert "Adjudicate" not in [title.value for title in at.title]
    assert not at.dataframe


def test_the_widest_item_comes_first_with_everything_said(store, filled, organiser, open_page):
    judge(store, filled, "d2", "a2", 3, comment="The *best*")
    at = open_page(PAGE, organiser)
    assert not at.exception
    said = texts(at)
    assert "Item 1 of 2: 2 labels, 3 levels apart." in said
    assert "jaguar" in said
    assert "A car." in said
    table = at.dataframe[0].value
    assert table["assessor"].tolist() == ["a2", "a1"]
    assert table["level"].tolist() == ["Key", "Non"]
    assert table["comment"].tolist() == ["The *best*", ""]


def test_deciding_goes_on_to_the_next_until_all_are_done(store, filled, organiser, open_page):
    judge(store, filled, "d2", "a2", 3)
    at = open_page(PAGE, organiser)
    at.text_input(key="adjudicate-reason-t1-d2-page-").set_value("Both are right.").run()
    press(at, 1, "d2")
    assert not at.exception
    assert "A cat." in texts(at)
    press(at, 2, "d1")
    assert "All of them are decided" in texts(at)
    decided = at.dataframe[0].value.set_index("document_id")
    assert decided["decided"].to_dict() == {"d2": "Rel", "d1": "HRel"}
    assert decided.loc["d2", "comment"] == "Both are right."
    assert set(decided["by"]) == {"Olga"}


@long
def test_a_decision_can_be_changed_and_taken_back(store, filled, organiser, open_page):
    at = press(open_page(PAGE, organiser), 2, "d1")
    at.toggle(key="adjudicate-decided").set_value(True).run()
    assert "Decided: HRel" in texts(at)
    press(at, 0, "d1")
    assert read_adjudications(store, filled)["level"].tolist() == [0]
    at.button(key="adjudicate-undo-t1-d1-page-").click().run()
    assert read_adjudications(store, filled).empty
    assert not at.exception


@long
def test_one_can_go_on_without_deciding(store, filled, organiser, open_page):
    judge(store, filled, "d2", "a2", 3)
    at = open_page(PAGE, organiser)
    assert at.button(key="adjudicate-Previous").disabled
    at.button(key="adjudicate-Next").click().run()
    assert "Item 2 of 2" in texts(at)
    at.button(key="adjudicate-Previous").click().run()
    assert "Item 1 of 2" in texts(at)


@long
def test_the_item_in_view_stays_when_a_wider_one_comes_in(store, filled, organiser, open_page):
    at = open_page(PAGE, organiser)
    assert "A cat." in texts(at)
    judge(store, filled, "d2", "a2", 3)
    at.run()
    assert "A cat." in texts(at)
    assert "Item 2 of 2" in texts(at)


@long
def test_snippets_are_decided_by_engine(store, filled, organiser, open_page):
    judge(store, filled, "d1", "a1", 0, "snippet", "e2")
    judge(store, filled, "d1", "a2", 2, "snippet", "e2")
    at = open_page(PAGE, organiser, **{"adjudicate-facet": "snippet"})
    assert "Cats, *big*" in [part.value.strip() for part in at.text]
    at.button(key="adjudicate-1-t1-d1-snippet-e2").click().run()
    assert not at.exception
    row = read_adjudications(store, filled).iloc[0]
    assert (row["facet"], row["engine"], row["level"]) == ("snippet", "e2", 1)


def test_without_disagreement_it_says_so(store, organiser, open_page):
    assert "no collection yet" in texts(open_page(PAGE, organiser))
    create_collection(store, "New")
    at = open_page(PAGE, organiser)
    assert "No two assessors have given the same page different levels" in texts(at)
    assert not at.exception


def test_html_pages_are_shown_in_the_sandbox_only(store, filled, organiser, open_page):
    store.cursor().execute("UPDATE documents SET html = '<b>bold</b>' WHERE document_id = 'd1'")
    at = open_page(PAGE, organiser)
    assert not at.exception
    assert "bold" not in texts(at)
    assert len(at.get("iframe")) == 1


@long
def test_nothing_else_moves_when_an_item_is_decided(store, filled, organiser, open_page):
    judge(store, filled, "d2", "a2", 3)

    def everything():
        context = Study(store, filled, is_masked=True)
        ratings = ratings_of(context, "page")
        return (
            confusion_matrices(ratings).counts.tolist(),
            estimate_top_probability(ratings, 3).fillna(-1).values.tolist(),
            {
                key: (one.version.content_hash, one.version.last_sequence)
                for key, one in versions_at(context, "page", MODEL).items()
                if key != "all, adjudicated"
            },
        )

    before = everything()
    assert len(before[2]) >= 4
    press(press(open_page(PAGE, organiser), 1, "d2"), 1, "d1")
    assert len(read_adjudications(store, filled)) == 2
    assert everything() == before
    assert "all, adjudicated" in versions_at(Study(store, filled, is_masked=True), "page", MODEL)
