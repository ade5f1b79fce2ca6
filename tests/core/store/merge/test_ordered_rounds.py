"""A round with an order that went on at two sites: joined, or refused where both chose."""

import shutil
from contextlib import closing
from pathlib import Path

import pytest

from core.assessment.handing_out.queue import take_assignment
from core.assessment.rounds.rounds import Plan, open_round
from core.command.check import check_store
from core.errors import BadInput
from core.store.merge.merge import merge_stores
from core.store.rounds.orders import find_order_state, read_choices
from core.store.store import Store
from tests.core.assessment.conftest import small_store  # noqa: F401
from tests.short import long


@pytest.fixture
def copies(small_store: tuple[Path, str], tmp_path: Path) -> tuple[Path, Path, str]:  # noqa: F811
    """Two copies of a store with a round in which nothing is chosen yet."""
    source, collection_id = small_store
    paths = [tmp_path / name for name in ("here.duckdb", "there.duckdb")]
    shutil.copy(source, paths[0])
    with closing(Store(paths[0])) as store:
        assert store.secret
        plan = Plan(judges=1, flow="page only", order="depth-first", batch_size=2, budget=4)
        open_round(store, collection_id, plan)
    for part in tmp_path.glob("here.duckdb*"):
        shutil.copy(part, tmp_path / part.name.replace("here", "there"))
    return paths[0], paths[1], collection_id


def take(path: Path, collection_id: str, times: int = 1) -> None:
    with closing(Store(path)) as store:
        for name in ("anna", "bob", "carla")[:times]:
            assert take_assignment(store, collection_id, name)


@long
def test_what_one_site_chose_is_in_the_merged_store(copies: tuple[Path, Path, str], tmp_path: Path):
    here, there, collection_id = copies
    take(there, collection_id, 2)
    both = tmp_path / "both.duckdb"
    merge_stores(here, there, both)
    with closing(Store(both)) as store:
        choices = read_choices(store, collection_id)
        assert choices["place"].tolist() == [1, 2, 3, 4]
        (round_id,) = set(choices["round_id"])
        state = find_order_state(store.cursor(), round_id)
        assert (state.chosen, state.left) == (4, 0)
    assert [one.proof for one in check_store(both, by_use=False) if one.faults] == []


@long
def test_the_same_document_chosen_differently_is_refused(
    copies: tuple[Path, Path, str], tmp_path: Path
):
    here, there, collection_id = copies
    for path in (here, there):
        take(path, collection_id)
    with pytest.raises(BadInput, match="choice of document"):
        merge_stores(here, there, tmp_path / "both.duckdb")
