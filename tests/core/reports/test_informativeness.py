"""What measures tell about rankings, as a report: its tables are the study's."""

import pytest

from core.errors import BadInput
from core.informativeness.study import measure_informativeness
from core.informativeness.verdict import reach_verdict
from core.measures.ranking import compile_rankings
from core.reports.informativeness import Informativeness
from core.versions.judgements import put_on_scale
from core.wording import drop_marks, plain_with_facts
from tests.core.informativeness.problems import QRELS, RUNS
from tests.core.informativeness.test_verdict import simulate


@pytest.fixture(scope="module")
def report() -> Informativeness:
    rankings = compile_rankings(RUNS, put_on_scale(QRELS))
    return Informativeness(measure_informativeness(rankings, ["AP", "P@5"], depth=5), ("a gap",))


def test_its_tables_are_those_of_the_study(report):
    study = report.study
    assert report.table("curve_errors") is study.curve_errors
    assert report.table("inference") is study.inference
    assert report.table("problems") is study.problems
    assert report.table("statuses").equals(study.statuses())
    assert report.means is study.means
    assert report.notes == ("a gap",)
    for name, table in report.tables.items():
        assert set(table.columns) <= {*report.table(name)}, name


def test_alpha_is_that_of_the_sentences():
    study = measure_informativeness(simulate(8, 20), ["ERR", "P@2"])
    strict = Informativeness(study, alpha=1e-12)
    assert strict.verdict == list(reach_verdict(study, alpha=1e-12))
    assert drop_marks(strict.answer) == strict.verdict[0] != Informativeness(study).verdict[0]
    with pytest.raises(BadInput, match="between 0 and 1"):
        Informativeness(study, alpha=1.0)


def test_the_answer_is_the_first_sentence_of_what_was_found(report):
    assert report.verdict == list(reach_verdict(report.study))
    assert drop_marks(report.answer) == report.verdict[0]
    assert "**" in plain_with_facts(report.answer)
    assert report.names == {"AP@5": "AP", "P@5": "P"}
