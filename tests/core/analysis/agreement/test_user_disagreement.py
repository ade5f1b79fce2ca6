"""The parts of a collection that chances can be estimated from."""

import pytest

from core.analysis.agreement.user_disagreement import strata_names
from core.analysis.base.study import Study
from core.demo import load_demo
from core.store.store import Store


@pytest.fixture
def study(store: Store) -> Study:
    return Study(store, load_demo(store), is_masked=False)


def test_parts_are_named_by_kind_of_topic_then_quality_and_rank(study: Study):
    names = strata_names(study, "page", 3)
    assert len(names) == len(set(names))
    kinds = [name for name in names if name.endswith(" topics")]
    assert kinds == names[: len(kinds)]
    assert {"ambiguous topics", "high quality", "top 5", "top 5, high quality"} <= set(names)
