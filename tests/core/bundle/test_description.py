"""What a bundle says of itself is read back whole, so that what was asked is asked anew."""

import json
from dataclasses import MISSING, fields, replace

import pytest

from core.bundle.archive import read_archive
from core.bundle.description import (
    FILE,
    Description,
    PublishedLabels,
    Run,
    Version,
    read_description,
)
from core.bundle.making import make_bundle
from core.comparison.significance_test import SignificanceTest
from core.reports.agreement import AgreementQuestion
from core.reports.compare import CompareQuestion
from core.reports.level_weights import WeightsQuestion
from core.reports.preferences import PreferenceQuestion
from core.reports.scores import ScoresQuestion
from core.reports.user_model import UserModel
from core.store.content.declarations import Declaration
from tests.core.bundle.conftest import OPEN

ASKED = SignificanceTest("bootstrap", "bonferroni", 700, 0.01, 5, over_conditions=True)
DECLARED = Declaration("page", "AP", "all, median", 5, 2, 0.1, "s1", ("t1", "t2"), "age", True)
STATED = Description(
    collection="c",
    date="2026-01-02",
    licence="l",
    levels={"page": (0, 1)},
    labels=PublishedLabels(True, 3, 2, False, "machines"),
    versions=(Version("v", "qrels/01-v.qrels", "{}", 9, 8, 2.0, ((1, 0.5),)),),
    runs=(Run("s", "runs/001-s.run", "0" * 64, 7, True),),
    measures=("AP",),
    samples=ASKED.samples,
    seed=ASKED.seed,
    alpha=ASKED.alpha,
    users=4,
    at_least=2,
    simulated="yes",
    software={"dissent": "1"},
    level_names={"page": ("no", "yes")},
    declared=DECLARED,
    reports=("agreement",),
    tested_by=ASKED.test,
    corrected_by=ASKED.correction,
    over_conditions=True,
)
"""One with nothing as usual."""

AS_USUAL = {
    AgreementQuestion: {"coefficients": (), "binary_at": None, "interval": "jackknife", "seed": 1},
    CompareQuestion: {"tau_unit": "topic", "common_topics": False, "rope": 0.01},
    PreferenceQuestion: {"model": "bradley-terry", "alpha": 0.05, "weights": ()},
    ScoresQuestion: {"empty_topics": False},
    UserModel: {"weighting": "item", "keep_lowest": False},
    WeightsQuestion: {"part": "", "topics": (), "other_top": None},
}
"""What nobody chooses for a bundle, with what it is in bundles made so far."""

RECORDED = {
    AgreementQuestion: (),
    CompareQuestion: ("test",),
    PreferenceQuestion: (),
    ScoresQuestion: ("measures",),
    UserModel: ("top", "users", "at_least"),
    WeightsQuestion: ("model",),
}
"""What a description says of each, the highest of its levels being the top."""


def value_of(one):
    return one.default if one.default_factory is MISSING else one.default_factory()


@pytest.mark.parametrize(
    "whole", [STATED, ASKED, DECLARED, STATED.labels, *STATED.versions, *STATED.runs]
)
def test_nothing_is_as_usual(whole):
    """A new field has to be given another value here, which the tests below then read back."""
    as_usual = [one.name for one in fields(whole) if getattr(whole, one.name) == value_of(one)]
    assert as_usual == []


def test_every_field_is_read_back():
    assert read_description(STATED.to_json(), FILE) == STATED
    assert STATED.test == ASKED


def test_the_test_that_is_chosen_is_the_test_of_the_bundle(made):
    bundle = make_bundle(made.study, replace(OPEN, test=ASKED)).content
    assert read_description(read_archive(bundle, "b.zip")[FILE], FILE).test == ASKED


def test_bundles_of_earlier_releases_do_not_correct_for_versions():
    stated = json.loads(STATED.to_json())
    del stated["over_conditions"]
    found = read_description(json.dumps(stated).encode(), FILE)
    assert found.test == replace(ASKED, over_conditions=False)


@pytest.mark.parametrize("question", AS_USUAL, ids=lambda question: question.__name__)
def test_a_question_has_nothing_that_is_neither_recorded_nor_as_it_was(question):
    others = [one for one in fields(question) if one.name not in RECORDED[question]]
    assert {one.name: value_of(one) for one in others} == AS_USUAL[question]
