"""Every call that takes α refuses what is none, and says which argument it is."""

import inspect
from typing import Any

import pandas as pd
import pytest

import dissent
from core.errors import BadInput

RUNS = pd.DataFrame(
    [(system, "t1", one, rank) for system in "ab" for rank, one in enumerate("xy", start=1)],
    columns=["system", "topic_id", "document_id", "rank"],
)
QRELS = pd.DataFrame({"topic_id": "t1", "document_id": ["x", "y"], "level": [1, 0]})
SAID = {
    "topic_id": "t1", "kind": "documents", "facet": "page", "first": "x", "second": "y",
    "left": "x", "choice": ["first"], "strength": 0, "assessor_id": "ann", "occasion": 0,
    "state": "level",
}  # fmt: skip
JUDGED = pd.DataFrame({
    "topic_id": "t1", "document_id": list("xy") * 4, "facet": "page", "engine": "",
    "assessor_id": sorted("abcd" * 2), "group": sorted("gh" * 4), "occasion": 0,
    "state": "level", "level": [0, 1] * 4,
})  # fmt: skip
VISITS = pd.DataFrame({"user": list("uvwx"), "arm": list("AABB"), "outcome": [0, 1, 1, 1]})

GIVEN: dict[str, tuple[tuple[Any, ...], dict[str, Any]]] = {
    "ab_test": ((VISITS,), {}),
    "groups": ((JUDGED,), {}),
    "informativeness": ((RUNS, QRELS, ["AP", "P@2"]), {}),
    "interleave": ((RUNS[:2], RUNS[2:]), {"judgements": QRELS, "impressions": 10}),
    "plan": ((), {"variance": 0.1}),
    "preferences": ((pd.DataFrame(SAID),), {}),
    "unpooled": ((RUNS, QRELS, "P@1"), {"depth": 1}),
}


def test_every_call_with_alpha_is_here():
    takes = {
        name
        for name in dissent.__all__
        if inspect.isfunction(one := getattr(dissent, name))
        and "alpha" in inspect.signature(one).parameters
    }
    assert takes == set(GIVEN)


@pytest.mark.parametrize("alpha", [0.0, 1.0, 5.0])
@pytest.mark.parametrize("call", GIVEN)
def test_what_is_no_alpha_is_refused(call: str, alpha: float):
    values, named = GIVEN[call]
    with pytest.raises(BadInput) as refused:
        getattr(dissent, call)(*values, **named, alpha=alpha)
    assert refused.value.field == "alpha"
