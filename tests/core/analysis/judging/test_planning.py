"""A collection as the pilot of its own plan."""

from collections.abc import Iterator
from contextlib import closing

import numpy as np
import pytest

from core.agreement.coefficients import Kappa
from core.agreement.overall import measure_agreement
from core.analysis.base.labels import ratings_of
from core.analysis.base.study import Study, scales_of
from core.analysis.judging.outlook import SECONDS
from core.analysis.judging.planning import (
    depths_of,
    figures_of,
    pilot_of,
    plan_agreement_of,
    plan_opinions_of,
    plan_votes_of,
    pools_of,
    seconds_of,
)
from core.analysis.results.qrels_choices import QrelsChoice, list_choices
from core.collection.records import counted_levels
from core.errors import TooLittleData
from core.reports.opinions import USUAL
from core.reports.planning import DEPTHS
from core.reports.user_model import usual_model
from core.store.content.collections import create_collection
from core.store.store import Store
from tests.core.analysis.machines.conftest import (
    DOCUMENTS,
    PEOPLE,
    SYSTEMS,
    TOPICS,
    blur,
    bring,
    list_runs,
    say_levels,
)


@pytest.fixture(scope="module")
def stored(tmp_path_factory) -> Iterator[tuple[Store, str]]:
    """Three people who judged all of eight topics, and three systems."""
    rng = np.random.default_rng(3)
    true = say_levels(rng)
    with closing(Store(tmp_path_factory.mktemp("plan") / "store.duckdb")) as store:
        collection = create_collection(store, "Pilot")
        bring(store, collection, "topics", ["id\tquery", *(f"{one}\tq {one}" for one in TOPICS)])
        lines = [
            f"{who}\t{topic}\t{document}\t{blur(level, rng)}"
            for who in PEOPLE
            for (topic, document), level in true.items()
        ]
        bring(store, collection, "labels", ["assessor\ttopic\tdocument\tlevel", *lines])
        bring(store, collection, "runs", list_runs(true, rng))
        yield store, collection


@pytest.fixture
def study(stored) -> Study:
    return Study(*stored, is_masked=False)


@pytest.fixture
def empty(stored) -> Study:
    return Study(stored[0], create_collection(stored[0], "Empty"), is_masked=False)


@pytest.fixture
def choice(study) -> QrelsChoice:
    model = usual_model(counted_levels(scales_of(study)["page"]))
    return next(iter(list_choices(study, "page", model).values()))


def test_scores_are_a_pilot(study, choice):
    found = pilot_of(study, choice, "nDCG@10", ())
    assert (found.topics, found.systems) == (len(TOPICS), len(SYSTEMS))
    assert found.variance.residual.low < found.variance.residual.value


def test_pools_and_variances_by_depth(study, choice):
    table = depths_of(study, choice, "nDCG@10", ())
    assert table["depth"].tolist() == list(DEPTHS)
    assert tuple(table["pool"]) == pools_of(study)
    assert table["pool"].iloc[-1] == len(DOCUMENTS)
    whole = pilot_of(study, choice, "nDCG@10", ()).variance.residual.value
    assert table["residual"].iloc[-1] == pytest.approx(whole)


@pytest.mark.parametrize("key", ["kappa(linear)", "kappa", "kappa(quadratic)"])
def test_kappa_is_that_of_the_page_agreement(study, key):
    plan = plan_agreement_of(study, "page", key, 0.2)
    table = measure_agreement(ratings_of(study, "page"), [Kappa(*_weighting(key))])
    assert plan.spread.value == pytest.approx(table["value"].iloc[0])
    assert "κ" in plan.figure


def _weighting(key: str) -> list[str]:
    return [key.removeprefix("kappa").strip("()")] if "(" in key else []


def test_levels_are_named(study):
    names = figures_of(study, "page")
    levels = counted_levels(scales_of(study)["page"])
    top, lowest = max(levels), min(levels)
    assert names[str(top)] == f"p(top | {levels[top]})"
    assert plan_agreement_of(study, "page", str(lowest), 0.1).spread.least == 0


def test_an_empty_collection_is_no_pilot(empty, choice):
    assert pools_of(empty) == ()
    assert seconds_of(empty) == SECONDS
    with pytest.raises(TooLittleData, match="no label"):
        depths_of(empty, choice, "nDCG@10", ())
    with pytest.raises(TooLittleData):
        plan_agreement_of(empty, "page", "kappa", 0.1)


def test_opinions_are_those_of_the_facet(study):
    plan = plan_opinions_of(study, "page", USUAL)
    assert plan.now.people == len(PEOPLE)
    assert plan.known.topics == len(TOPICS)
    assert plan.equal_cost["topics"].max() == len(TOPICS) * len(PEOPLE)


def test_without_votes_and_labels_there_is_no_plan(empty):
    with pytest.raises(TooLittleData, match="nothing has been judged"):
        _ = plan_opinions_of(empty, "page", USUAL).answer
    with pytest.raises(TooLittleData, match="preference"):
        _ = plan_votes_of(empty).answer
