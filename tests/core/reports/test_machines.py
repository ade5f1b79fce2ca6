"""The audit of several machines: one table for each question, nothing found out late."""

import pandas as pd
import pytest

from core.agreement.base import suggest_coefficients
from core.agreement.coefficients import Alpha, Kappa
from core.errors import BadInput, TooLittleData
from core.machines.alternative_test import alternative_test
from core.machines.audit import agreement_with_machine, compare_with_people
from core.machines.joined_labels import join_labels
from core.numerals import ABSENT
from core.reports.machines import EACH_ALONE, MachineAudit
from core.wording import drop_marks
from tests.core.machines.made_up import LEVELS, make_machine, make_people, simulate
from tests.each import each
from tests.short import long


@pytest.fixture(scope="module")
def given():
    people, machine = simulate()
    worse = [
        (topic, document, (level + place % 3) % 4)
        for place, (topic, document, level) in enumerate(machine)
    ]
    kept = [(topic, document, 9 if document == "d1" else level) for topic, document, level in worse]
    return make_people(people), {"good": make_machine(machine), "poor": make_machine(kept[5:])}


@pytest.fixture(scope="module")
def found(given):
    return MachineAudit(*given, "page", LEVELS)


def test_tables_have_the_rows_of_all_machines(found, given):
    labels, machines = given
    assert found.scale == LEVELS
    assert found.coverage["machine"].tolist() == ["good", "poor"]
    assert found.coverage["invalid"].tolist() == [0, 7]
    assert (found.invalid["value"] == 9).all()
    assert set(found.invalid["machine"]) == {"poor"}
    suggested = [str(one) for part in suggest_coefficients(LEVELS) for one in part]
    assert found.pairs["coefficient"].tolist() == suggested * 8
    assert found.people.groupby("machine", sort=False).size().to_dict() == {
        "good": 6 * len(suggested),
        "poor": 6 * len(suggested),
    }
    for table in (found.shifts, found.topics, found.distributions, found.near, found.differences):
        assert table["machine"].unique().tolist() == ["good", "poor"]
        assert {"low", "high", "interval", "unit", "units", "reason"} <= set(table)
    poor = join_labels(labels, LEVELS, "poor", machines["poor"])
    alone = agreement_with_machine(poor, [Kappa("linear")])
    rows = found.pairs[(found.pairs["machine"] == "poor")]
    rows = rows[rows["coefficient"] == "kappa(linear)"].reset_index(drop=True)
    pd.testing.assert_frame_equal(rows, alone)
    tests = found.alternative_tests
    assert tests["poor"].annotators.equals(alternative_test(poor).annotators)


def test_that_several_machines_are_each_compared_alone_is_said(given, found):
    assert EACH_ALONE in found.notes
    labels, machines = given
    one = MachineAudit(labels, {"good": machines["good"]}, "page", LEVELS)
    assert EACH_ALONE not in one.notes
    alone = MachineAudit(labels[labels["assessor_id"] == "a"], machines, "page", LEVELS)
    assert EACH_ALONE not in alone.notes, "nothing is compared where one person judged"


def test_levels_of_machines_stand_side_by_side_in_a_row_for_each_of_people(found):
    of = found.tables["distributions"]
    _, wide = of.side_by_side(found.distributions[found.distributions["machine"] == "good"])
    assert wide["level"].tolist() == list(LEVELS)
    assert wide[[f"{level}: value" for level in LEVELS]].notna().all(axis=None)
    assert wide["cases"].sum() == found.distributions.query("machine == 'good'")["n"].sum()


@long
def test_verdicts_are_of_linear_kappa_whatever_is_chosen(given):
    labels, machines = given
    found = MachineAudit(labels, machines, "page", LEVELS, [Alpha("ordinal"), Kappa()])
    assert set(found.pairs["coefficient"]) == {"alpha(ordinal)", "kappa"}
    assert found.differences["coefficient"].tolist() == ["kappa", "kappa"]
    assert found.verdicts["good"].startswith("good: linear weighted κ with people is")
    joined = join_labels(labels, LEVELS, "poor", machines["poor"])
    (row,) = compare_with_people(joined, [Kappa("linear")]).to_dict("records")
    assert (row["shown"] == "lower") == ("shown to be lower" in found.verdicts["poor"])


def test_the_scale_is_that_of_the_people(given):
    labels, machines = given
    low = labels[labels["level"] < 3]
    found = MachineAudit(low, machines, "page")
    assert found.scale == (0, 1, 2)
    assert 3 in set(found.invalid["value"])


def test_hidden_repeats_do_not_count(given):
    labels, machines = given
    repeats = labels.assign(occasion=1, level=0)
    twice = MachineAudit(pd.concat([labels, repeats]), machines, "page", LEVELS)
    once = MachineAudit(labels, machines, "page", LEVELS)
    assert twice.shifts.equals(once.shifts)


@long
def test_faults_are_found_at_once(given):
    labels, machines = given
    MachineAudit(labels, machines, "page").check()
    with pytest.raises(TooLittleData, match="no person gave a snippet a level"):
        MachineAudit(labels, machines, "snippet", LEVELS).check()
    with pytest.raises(BadInput, match="there is no machine"):
        MachineAudit(labels, {}, "page").check()
    with pytest.raises(BadInput, match="chosen in one of these ways"):
        MachineAudit(labels, machines, "page", chosen="pooled").check()
    with pytest.raises(BadInput, match="a person is called 'a'"):
        MachineAudit(labels, {"a": machines["good"]}, "page").check()


@each(
    ("settings", "says"),
    [
        ({"epsilon": 1}, "from 0 and below 1"),
        ({"scoring": "f1"}, "'f1' is no way to score"),
        ({"fewest_people": 1}, "at least 2 people"),
    ],
)
def test_tests_that_cannot_be_made_are_refused_at_once(given, settings, says):
    with pytest.raises(BadInput, match=says):
        MachineAudit(*given, "page", LEVELS, **settings).check()


def test_a_machine_may_be_called_by_a_number(given):
    labels, machines = given
    found = MachineAudit(labels, {7: machines["good"]}, "page", LEVELS)
    assert found.answer.startswith("7: linear weighted κ")
    assert list(found.alternative_tests) == ["7"]


def test_the_answer_is_of_all_machines_and_gaps_are_noted(found):
    said = [*found.verdicts.values()]
    assert drop_marks(found.answer) == " ".join(said)
    assert "poor: labels that are not on the scale, left out: 7" in found.notes
    assert found.notes[-1] == found.sampling


def test_the_alternative_tests_of_all_machines_are_one_table(found, given):
    table = found.table("alternative")
    assert table["machine"].unique().tolist() == ["good", "poor"]
    write = found.tables["alternative"].columns["p"].write
    assert (write(0.5), write(float("nan"))) == ("0.500", ABSENT)
    labels, machines = given
    two = labels[labels["assessor_id"].isin(labels["assessor_id"].unique()[:2])]
    assert len(MachineAudit(two, machines, "page", LEVELS).alternative) == 4
    assert MachineAudit(two, machines, "page", LEVELS, fewest_people=3).alternative.empty
