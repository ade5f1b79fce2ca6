"""Whatever scores systems does so on the topics that the study declares, and counts no other."""

import json

import pandas as pd
import pytest

from core.analysis.base.study import Study, runs_of
from core.analysis.collection.declaring import declare
from core.analysis.judging.enough import ask_enough
from core.analysis.judging.planning import depths_of, pilot_of
from core.analysis.judging.simulated_judging import count_pool, simulate_orders
from core.analysis.machines.conclusions import (
    MachineQuestion,
    conclusions_of,
    estimation_of,
    lineage_of,
    list_people_versions,
)
from core.analysis.results.declared import asked_choice
from core.analysis.results.interleaving import (
    InterleavingQuestion,
    beside_measure,
    preference_of,
)
from core.analysis.results.qrels_choices import version_of
from core.analysis.results.scores import ask_scores, ask_unpooled
from core.command.main import main
from core.errors import TooLittleData
from core.measures.catalogue import parse_measure
from core.orders.base import parse_order
from core.reports.enough import EnoughQuestion
from core.reports.judging_orders import JudgingQuestion
from core.reports.scores import judge_runs
from core.reports.unpooled import Unpooled, UnpooledQuestion
from pages.server.running import stop
from tests.core.analysis.machines.conftest import build_judged
from tests.pages.test_declared_doors import (  # noqa: F401
    ALPHA,
    MEASURE,
    TOPICS,
    VERSION,
    files,
    person,
    said,
    study,
)


@pytest.fixture
def declared(study: Study) -> Study:  # noqa: F811
    """A study that declares five of its eight topics."""
    declare(study, {"topics": TOPICS})
    return study


def only(frame: pd.DataFrame) -> pd.DataFrame:
    return frame[frame["topic_id"].isin(TOPICS)]


def test_unpooled_runs_are_scored_on_them(declared):
    choice = asked_choice(declared)
    found = ask_unpooled(declared, choice, (MEASURE,), (), 5, 0, ())
    judged = version_of(declared, choice).on_topics(TOPICS)
    expected = Unpooled(
        only(runs_of(declared)), judged, UnpooledQuestion((MEASURE,), 5, alpha=ALPHA)
    )
    pd.testing.assert_frame_equal(found.falls, expected.falls)
    pd.testing.assert_frame_equal(found.shares, expected.shares)


def test_users_are_shown_lists_for_them(declared):
    asked = InterleavingQuestion("s0", "s4", impressions=50)
    found = preference_of(declared, asked_choice(declared), asked)
    assert (found.topics, found.left_out) == (len(TOPICS), ())
    scores = ask_scores(declared, asked_choice(declared), (MEASURE,)).means.set_index("system")
    for row in beside_measure(declared, asked_choice(declared), asked).to_dict("records"):
        apart = scores["value"][row["first"]] - scores["value"][row["second"]]
        assert row["difference"] == pytest.approx(apart)


def test_the_command_shows_lists_for_them(store, declared, capsys):
    stop()
    store.close()
    place = ["--store", str(store.path), "--collection", declared.collection_id]
    words = ["interleave", *place, "--first", "s0", "--second", "s4", "--simulate", "perfect"]
    assert main([*words, "--format", "json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert (told["topics"], told["notes"]) == (len(TOPICS), [])


def test_enough_looks_at_their_pool(declared):
    found = ask_enough(declared, asked_choice(declared), EnoughQuestion(MEASURE, 5))
    assert set(found.candidates.topics) == set(TOPICS)
    assert found.outside < len(version_of(declared, asked_choice(declared)).on_topics(TOPICS).frame)


def test_orders_are_tried_on_their_pool(declared):
    choice = asked_choice(declared)
    question = JudgingQuestion((parse_order("depth-first"),), parse_measure(MEASURE), 5, seeds=1)
    found = simulate_orders(declared, choice, question)
    assert found.topics == len(TOPICS)
    assert found.pool == count_pool(declared, choice, 5)


def test_a_pilot_is_of_them_at_every_depth(declared):
    pilot = pilot_of(declared, asked_choice(declared), MEASURE, ())
    depths = depths_of(declared, asked_choice(declared), MEASURE, ())
    assert pilot.topics == len(TOPICS)
    assert set(depths["topics"]) == {len(TOPICS)}


def test_what_is_not_declared_is_not_called_unjudged(declared, person, open_page):  # noqa: F811
    """The other topics have judgements, and there are more of these than count."""
    choice = asked_choice(declared)
    assert ask_scores(declared, choice, (MEASURE,)).notes == ()
    runs, version = runs_of(declared), version_of(declared, choice)
    assert judge_runs(runs, version, VERSION, topics=TOPICS).notes == ()
    at = open_page("effectiveness", person, declared.collection_id)
    assert f"in 8 topics, of which {len(TOPICS)} count." in said(at)


def test_a_machine_is_set_beside_people_on_them(store):
    here = Study(store, build_judged(store), is_masked=False)
    people = next(iter(list_people_versions(here, "page").values()))
    question = MachineQuestion("page", "llm", people, "P@5")
    whole = conclusions_of(here, question)
    assert set(whole.sources["topics"]) == {6}
    declare(here, {"topics": ("t0", "t1", "t2", "t3", "t7")})
    found = conclusions_of(here, question)
    assert set(found.sources["topics"]) == {4}
    means = ask_scores(here, people, ("P@5",)).means.set_index("system")["value"]
    told = found.scores[found.scores["source"] == "people"].set_index("system")["value"]
    assert told.to_dict() == pytest.approx(means.to_dict())
    (over_topics, _) = lineage_of(here, question, ("good",))
    assert over_topics.units == 4
    estimated = estimation_of(here, question, False)
    assert set(estimated.systems["n_human"]) == {4}
    declare(here, {"topics": ("t0", "t1", "t2", "t3")})
    why = "on the 4 topics that the study declares, there is no topic that only the machine judged"
    with pytest.raises(TooLittleData, match=why):
        estimation_of(here, question, False)
