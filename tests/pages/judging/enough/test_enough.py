"""Is it enough? What the page says, and the rule that proposes."""

import uuid

import pytest

from core.analysis.base.study import Study
from core.analysis.judging.enough import ask_enough, list_versions, missing_opinions
from core.analysis.judging.stop_proposal import (
    CAREFULLY,
    choose_version,
    find_proposal,
    rule_of,
    usual_question,
)
from core.errors import BadInput
from core.reports.enough import PEOPLE, PROBABLE, UNJUDGED
from core.stopping.stop_rule import StopRule
from core.store.content.collections import create_collection
from core.store.content.saved_rules import find_stop_rule, set_stop_rule
from core.store.events.labels import Key, LabelEvent
from core.wording import drop_marks, plain, plain_with_facts
from tests.short import long

EASY = StopRule(best_stays=0.01, tau_low=-0.99, measure="P@10", depth=2)


def texts(at) -> str:
    said = [*at.markdown, *at.caption, *at.info, *at.success, *at.error]
    return "\n".join(part.value for part in said)


def judge(store, collection, topic, document, level) -> None:
    key = Key(topic, document, "page", "", "a1", 0)
    store.labels.append(collection, [LabelEvent(str(uuid.uuid4()), None, key, "level", level)])


def test_the_page_answers_first(store, judged, organiser, open_page):
    at = open_page("enough", organiser)
    assert not at.exception
    said = texts(at)
    assert "stays best with P" in said
    assert "How often it held" in said
    for note in (UNJUDGED, PROBABLE, PEOPLE):
        assert plain(note[1:]) in said
    assert at.get("plotly_chart")[0].key == "enough"


def test_a_demo_half_done_is_not_enough(store, live_demo, organiser, open_page):
    """Every page has a label, by which nothing is in doubt; but rounds ask for more of each."""
    set_stop_rule(store, live_demo, StopRule(0.5, 0.5, "nDCG@10", 10).to_json())
    at = open_page("enough", organiser, **{"enough-part": "Cost"})
    assert not at.exception
    study = Study(store, live_demo, is_masked=False)
    found = ask_enough(study, choose_version(study, None), usual_question(study))
    told = drop_marks(found.answer)
    assert told.startswith("Not yet: 399 of 399 items of the pool lack opinions")
    assert told.endswith("; 399 of 399 items with a level.")
    assert plain_with_facts(found.answer) in texts(at)
    missing = missing_opinions(study).query("facet == 'page'")["missing"].sum()
    assert missing > 399
    assert f"Stopping now would save about **{missing:,} labels**" in texts(at)
    progress = texts(open_page("monitor", organiser))
    assert "Round 1" in progress
    assert "Enough" not in progress


@long
@pytest.mark.parametrize(
    ("part", "words"),
    [("Bounds", "cannot turn any more"), ("Cost", "Stopping now"), ("Rule", "proposes")],
)
def test_each_part_is_drawn(store, judged, organiser, open_page, part, words):
    at = open_page("enough", organiser, address={"enough-measure": "AP"}, **{"enough-part": part})
    assert not at.exception
    assert words in texts(at)


def test_other_measures_are_refused_in_words(store, judged, organiser, open_page):
    at = open_page("enough", organiser, address={"enough-measure": "ERR@10"})
    assert not at.exception
    assert "choose one of them" in texts(at)


@long
def test_graded_measures_have_two_scenarios(store, judged, organiser, open_page):
    at = open_page(
        "enough", organiser, address={"enough-measure": "nDCG@10"}, **{"enough-part": "Bounds"}
    )
    assert not at.exception
    assert "two scenarios only" in texts(at)


def test_without_runs_or_labels_the_page_says_what_is_missing(store, organiser, open_page):
    here = create_collection(store, "empty")
    at = open_page("enough", organiser, here)
    assert "needs two runs" in texts(at)


def test_a_rule_is_set_shown_and_ended(store, judged, organiser, open_page):
    at = open_page("enough", organiser, **{"enough-part": "Rule"})
    next(one for one in at.number_input if "best stays" in one.label).set_value(0.8)
    next(one for one in at.button if one.label == "Set this rule").click()
    at.run()
    assert not at.exception
    rule = StopRule.from_json(find_stop_rule(store, judged))
    assert (rule.best_stays, rule.tau_low, rule.measure) == (0.8, 0.9, "nDCG@10")
    assert "Now: **P(best stays) ≥ 0.8" in texts(at)
    next(one for one in at.button if one.label == "No rule").click()
    at.run()
    assert find_stop_rule(store, judged) == ""


@long
def test_a_rule_that_asks_for_nothing_is_refused(store, judged, organiser, open_page):
    at = open_page("enough", organiser, **{"enough-part": "Rule"})
    next(one for one in at.number_input if "best stays" in one.label).set_value(0.0)
    next(one for one in at.number_input if "Lower limit" in one.label).set_value(-1.0)
    next(one for one in at.button if one.label == "Set this rule").click()
    at.run()
    assert find_stop_rule(store, judged) == ""
    assert "The rule was not changed." in texts(at)


@long
def test_a_rule_that_is_met_is_told_in_the_overview_and_nothing_is_done(
    store, judged, organiser, open_page
):
    set_stop_rule(store, judged, EASY.to_json())
    (found,) = find_proposal(Study(store, judged, is_masked=False))
    rounds = store.cursor().execute("FROM rounds").fetchall()
    assert f"**Enough is judged**: {found.what}." in texts(open_page("monitor", organiser))
    assert store.cursor().execute("FROM rounds").fetchall() == rounds
    assert found.what.startswith("**Enough**, by the rule")
    assert found.what.endswith(f"; {CAREFULLY}")
    told = found.what.removesuffix(f"; {CAREFULLY}")
    assert f"{told}\\." in texts(open_page("enough", organiser))


@long
def test_a_rule_that_is_not_met_or_cannot_be_followed_is_silent(store, judged):
    study = Study(store, judged, is_masked=False)
    assert find_proposal(study) == ()
    set_stop_rule(store, judged, StopRule(1.0, 1.0, "P@10", 2).to_json())
    assert find_proposal(study) == ()
    set_stop_rule(store, judged, StopRule(0.01, -1, "ERR@10", 2).to_json())
    assert find_proposal(study) == ()


@long
def test_a_rule_names_its_judgements(store, judged):
    study = Study(store, judged, is_masked=False)
    versions = list_versions(study)
    key = list(versions)[-1]
    assert choose_version(study, StopRule(version=key)) == versions[key]
    with pytest.raises(BadInput, match="any more"):
        choose_version(study, StopRule(version="gone"))
    with pytest.raises(BadInput, match="nothing is judged"):
        choose_version(Study(store, create_collection(store, "empty"), is_masked=False), StopRule())
    assert rule_of(study) is None
