"""What the page of machines answers, in words."""

import dataclasses

import pandas as pd
import pytest

from core.analysis.base.study import Study
from core.analysis.machines.answers import answer_agreement, answer_conclusions
from core.analysis.machines.audit import comparison_of
from core.analysis.machines.conclusions import (
    MachineQuestion,
    conclusions_of,
    list_people_versions,
)
from tests.short import long

SHOWN = {
    **{"machine": "m_1", "coefficient": "kappa(linear)", "reason": "", "units": 12},
    **{"machine_value": 0.3, "people_value": 0.5, "difference": -0.2, "low": -0.3, "high": -0.1},
    "shown": "lower",
}


def test_a_difference_that_is_shown_stands_out():
    said = answer_agreement(pd.Series(SHOWN))
    assert r"m\_1" in said
    assert r"**0\.300**" in said
    assert "**shown to be lower**" in said


def test_what_is_not_shown_says_what_would_have_been():
    said = answer_agreement(pd.Series({**SHOWN, "low": -0.45, "high": 0.05, "shown": ""}))
    assert "**not shown to differ**" in said
    assert r"a difference above about 0\.250 would have been shown" in said


@pytest.fixture
def found(study: Study):
    people = list_people_versions(study, "page")["all, median"]
    return conclusions_of(study, MachineQuestion("page", "llm", people, "P@5"))


@long
def test_orders_and_significant_differences_are_told(found):
    said = answer_conclusions(found, "llm (machine)")
    row = found.significant.set_index("source").loc["llm (machine)"]
    held = row["kept"] + row["vanished"] + row["turned"]
    assert said.startswith("By P@")
    assert "the order of 3 systems under its labels" in said
    assert f"of {held:,} significant difference" in said
    assert f"and **{row['appeared']}** appear" in said


def test_what_was_not_tested_is_said(found):
    untested = found.orders.assign(differ=pd.array([pd.NA] * len(found.orders), "boolean"))
    nothing = pd.array([pd.NA] * len(found.significant), "Int64")
    counts = found.significant.assign(kept=nothing, reason="too few topics")
    found = dataclasses.replace(found, orders=untested, significant=counts)
    said = answer_conclusions(found, "llm (machine)")
    assert "was not tested against people's" in said
    assert r"significant differences cannot be compared\: too few topics" in said


def test_people_of_a_study_are_told_of(study):
    said = answer_agreement(comparison_of(study, "page", "llm").iloc[0])
    assert r"llm \(machine\)" in said
