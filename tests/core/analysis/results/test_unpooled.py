"""What an unpooled run would lose, in words, and under a version of the store."""

import pandas as pd
import pytest

from core.analysis.results.unpooled import (
    BESIDE,
    answer_unpooled,
    describe_unpooled,
    examine_unpooled,
    list_measures,
)
from core.comparison.left_out_runs import LeftOutRuns
from core.errors import BadInput
from core.measures.catalogue import parse_measure
from core.versions.judgements import put_on_scale
from tests.core.comparison.test_left_out_runs import DEPTH, study
from tests.each import each

__all__ = ["study"]


def test_the_depth_is_told_from_the_judgements(study):
    measures = [parse_measure("AP")]
    found, given = (
        examine_unpooled(study[0], put_on_scale(study[1]), measures, depth=depth)
        for depth in (None, DEPTH)
    )
    assert found.depth == given.depth == DEPTH
    pd.testing.assert_frame_equal(found.falls, given.falls)
    runs, qrels = study
    with pytest.raises(BadInput, match="say the depth"):
        examine_unpooled(
            runs, put_on_scale(qrels.assign(document_id="x" + qrels["document_id"])), measures
        )


def test_a_team_of_a_system_without_a_run_is_refused(study):
    with pytest.raises(BadInput, match="no run of system 'z9'"):
        examine_unpooled(
            study[0], put_on_scale(study[1]), [parse_measure("AP")], teams={"a1": "a", "z9": "z"}
        )


def test_condensed_lists_stand_beside():
    assert list_measures("P@5") == ("P@5", "P(judged_only=True)@5", *BESIDE)
    condensed = "AP(judged_only=True)"
    assert list_measures("AP") == ("AP", condensed, "nDCG@10", "bpref", *BESIDE[4:])
    assert list_measures(condensed)[:2] == (condensed, "AP")
    assert list_measures("bpref") == ("bpref", "AP", "nDCG@10", *BESIDE[3:])


def made_of(fall, ranks, worst, systems=(1, 1)):
    """Return what was found of two runs whose mean falls are these."""
    falls = pd.DataFrame(
        {
            **{"team": ["x", "y"], "system": ["x", "y"], "measure": "AP", "topics": 5},
            **{"fall": [fall, fall], "rank_fall": [worst, 2 * ranks - worst]},
            **{"lost": 0, "significant": 1},
        }
    )
    shares = pd.DataFrame({"team": ["x", "y"], "systems": systems})
    return LeftOutRuns(falls, shares, 10)


@each(
    ("found", "says"),
    [
        (
            made_of(0.0123, 2.5, 4),
            "A run that had not contributed to the pool would lose 0.012 AP and 2.5 ranks on "
            "average over 2 runs; at worst 4 ranks (x).",
        ),
        (
            made_of(-0.0123, 0.5, 1, (2, 1)),
            "A run whose team had not contributed to the pool would gain 0.012 AP and lose 0.5 "
            "ranks on average over 2 runs; at worst 1 rank (x).",
        ),
        (
            made_of(0.5, -1, -1),
            "A run that had not contributed to the pool would lose 0.500 AP and gain 1.0 ranks on "
            "average over 2 runs; no run would fall in rank.",
        ),
        (
            made_of(-0.5, -1, -1),
            "A run that had not contributed to the pool would gain 0.500 AP and 1.0 ranks on "
            "average over 2 runs; no run would fall in rank.",
        ),
    ],
)
def test_the_answer_is_a_sentence(found, says):
    assert describe_unpooled(found, "AP") == says
    assert "**0\\.012 AP**" in answer_unpooled(made_of(0.0123, 2.5, 4), "AP")
