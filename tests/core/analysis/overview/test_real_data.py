"""The overview of a real collection: a round over its pool, with all its labels imported."""

import shutil
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pandas as pd
import pytest

from core.analysis.base.study import Study
from core.analysis.judging.progress import ask_progress
from core.analysis.overview.attention import find_attention
from core.analysis.overview.stability import ranking_stability
from core.assessment.rounds.rounds import Plan, open_round
from core.store.content.collections import list_collections
from core.store.store import Store
from core.wording import drop_marks
from tests.short import long


@pytest.fixture
def study(dl19_store: Path, tmp_path: Path) -> Iterator[Study]:
    with closing(Store(Path(shutil.copy(dl19_store, tmp_path)))) as store:
        (collection,) = list_collections(store)
        open_round(store, collection.collection_id, Plan(judges=2, depth=10, flow="page only"))
        yield Study(store, collection.collection_id, False)


@long
def test_5438_imported_labels_are_no_progress_of_1514(study):
    found = ask_progress(study, now=pd.Timestamp("2026-11-24 15:00"))
    assert drop_marks(found.answer) == (
        "Round 1: 0 of 1,514 judgements, 0 of 757 items fully judged; no forecast, as nothing "
        "has been judged; nobody is there to judge yet; 5,438 labels imported before."
    )
    topics = found.in_round
    assert len(topics) == 22
    assert topics["at_k"].sum() == 0
    assert topics["progress"].eq(0).all()


@long
def test_what_needs_attention_is_what_the_labels_and_runs_say(study):
    kinds = {one.kind: one.what for one in find_attention(study)}
    assert list(kinds) == [
        "Topics below k", "Agreement not shown", "Unjudged documents", "Disagreements",
    ]  # fmt: skip
    assert "22 topics cannot reach k = 2: nobody" in kinds["Topics below k"]
    assert "of 22 topics on pages not shown to agree" in kinds["Agreement not shown"]


@long
def test_the_ranking_comes_closer_to_today_with_more_labels(study):
    rows = ranking_stability(study)
    assert rows["systems"].eq(37).all()
    assert rows["tau"].iloc[-1] > 0.95 > rows["tau"].iloc[0]
