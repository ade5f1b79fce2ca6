"""Aspects on the organiser's pages: defined, changed, ended; made into qrels and files."""

import csv
import io

import pytest

from core.analysis.collection.exported_files import export_file
from core.store.content.aspects import list_aspects
from core.store.content.collections import create_collection
from core.store.content.saved_rules import list_rules
from core.versions.rules import QrelsRule
from tests.core.judged_aspects import build
from tests.short import long

SCALES = {"collection-part": "Scales"}


def press(at, key: str):
    at.button(key=key).click()
    return at.run()


@pytest.fixture
def fresh(store) -> str:
    return create_collection(store, "Fresh")


@pytest.fixture
def judged(store) -> str:
    return build(store)


def test_an_organiser_adds_an_aspect(open_page, organiser, store, fresh):
    at = open_page("collection", organiser, **SCALES)
    at.text_input(key="aspect-name").set_value(" trust ")
    at.text_input(key="aspect-question-").set_value("Would you trust it?")
    at.selectbox(key="aspect-from--pages").select(2)
    at.checkbox(key="aspect-leave-").check()
    at = press(at, "add-aspect")
    assert not at.exception
    (made,) = list_aspects(store, fresh)
    assert (made.name, made.facets, made.from_level) == ("trust", ("page",), 2)
    assert made.may_be_left_out
    assert [one.level for one in made.levels] == [0, 1, 2, 3]
    assert "trust is saved." in at.success[0].value


def test_what_does_not_fit_is_said_and_nothing_is_stored(open_page, organiser, store, fresh):
    at = open_page("collection", organiser, **SCALES)
    at.text_input(key="aspect-name").set_value("trust")
    at = press(at, "add-aspect")
    assert at.error[0].value == "The aspects stay as they were."
    assert "needs a question" in at.code[0].value
    assert list_aspects(store, fresh) == ()


@long
def test_one_without_labels_can_be_changed_and_any_can_be_ended(
    open_page, organiser, store, judged
):
    at = open_page("collection", organiser, **SCALES)
    assert any("only its levels can be changed" in one.value for one in at.caption)
    assert not [one for one in at.text_input if one.key == "aspect-question-trust"]
    at = press(at, "end-aspect-trust")
    assert not at.exception
    trust, age = list_aspects(store, judged)
    assert trust.ended_at
    assert age.ended_at is None
    assert any(one.value.startswith("trust, asked until") for one in at.caption)


@long
def test_qrels_of_an_aspect_are_named_for_it(open_page, organiser, store, judged):
    at = open_page("qrels", organiser, **{"qrels-aspect": "trust"})
    assert not at.exception
    names = at.dataframe[0].value["version"].tolist()
    assert "trust: all, maximum" in names
    assert all(one.startswith("trust: ") for one in names)
    plain = open_page("qrels", organiser)
    assert not [one for one in plain.dataframe[0].value["version"] if "trust" in one]


@long
@pytest.mark.parametrize("page", ["qrels", "export"])
def test_what_was_chosen_of_relevance_does_not_hinder_an_aspect(
    open_page, organiser, store, judged, page
):
    at = open_page(page, organiser)
    at.selectbox(key="udm-top-page").select(2).run()
    at.selectbox(key=f"{page}-aspect").select("trust").run()
    assert not at.exception
    assert at.selectbox(key="udm-top-page").value == 1
    at.selectbox(key=f"{page}-aspect").select("").run()
    assert not at.exception


@long
def test_a_rule_of_ones_own_is_of_the_aspect_in_view(open_page, organiser, store, judged):
    own = {"qrels-part": "Versions of your own", "qrels-aspect": "trust"}
    at = open_page("qrels", organiser, **own)
    at.text_input(key="rule-name").set_value("mine").run()
    at = press(at, "rule-save")
    assert not at.exception
    rule = QrelsRule.from_json(list_rules(store, judged)["mine"])
    assert (rule.aspect, rule.combine) == ("trust", "maximum")
    assert any("of the aspect trust" in one.value for one in at.markdown)


@long
def test_the_export_page_has_aspects_as_a_file(open_page, organiser, store, judged):
    at = open_page("export", organiser, **{"export-aspect": "trust"})
    assert not at.exception
    assert "Aspects" in [one.value for one in at.header]
    rows = list(csv.DictReader(io.StringIO(export_file(store, judged, "aspects").content.decode())))
    assert {row["aspect"] for row in rows} == {"trust", "age"}
    assert not {"anna", "bob", "carla"} & {row["assessor"] for row in rows}


@long
def test_without_aspects_pages_are_as_they_were(open_page, organiser, filled):
    for page in ("qrels", "export"):
        at = open_page(page, organiser)
        assert "Aspect" not in [one.label for one in at.selectbox]
        assert "Aspects" not in [one.value for one in at.header]
