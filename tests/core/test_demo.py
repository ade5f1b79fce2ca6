"""The demo collection: as large, as varied and as simulated as it says."""

import csv
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from datetime import timedelta
from pathlib import Path

import pytest

from core.demo import (
    ASSESSORS,
    SIMULATED_ROUND,
    find_simulated_round,
    load_demo,
    load_live_demo,
    read_intended,
)
from core.settings import DEMO_DATA
from core.store.content.collections import get_collection
from core.store.content.scales import get_scales
from core.store.events.frames import count_contents, read_labels, read_results, read_topics
from core.store.people.members import list_members
from core.store.rounds.rounds import list_rounds, read_slot_frame
from core.store.store import Store, utc_now
from tests.short import long

Loaded = tuple[Store, str]


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Loaded]:
    """A store with the demo, which no test changes, and the id of its collection."""
    with closing(Store(tmp_path_factory.mktemp("demo") / "store.duckdb")) as store:
        yield store, load_demo(store)


@long
def test_every_engine_answers_every_topic_with_ten_results(demo):
    store, collection_id = demo
    topics = read_topics(store, collection_id)
    assert len(topics) >= 12
    assert {"ambiguous", "faceted"} <= set(topics["type"])
    results = read_results(store, collection_id)
    counts = results.groupby(["topic_id", "engine"]).size()
    assert set(counts) == {10}
    assert len(counts) == 5 * len(topics)


def test_one_topic_is_in_a_right_to_left_script(demo):
    store, collection_id = demo
    queries = "".join(read_topics(store, collection_id)["query"])
    assert any("\u0590" <= letter <= "\u07ff" for letter in queries)


def test_six_assessors_are_simulated_and_say_so(demo):
    store, collection_id = demo
    members = list_members(store, collection_id)
    assert len(members) == 6
    assert members["name"].str.startswith("simulated-").all()
    assert "made by a program" in get_collection(store, collection_id).simulated
    labels = read_labels(store, collection_id)
    first = labels[labels["occasion"] == 0]
    judges = first.groupby("topic_id")["assessor_id"].nunique()
    assert judges.min() >= 2
    assert set(labels["occasion"]) == {0, 1}


def test_some_snippets_oversell_and_some_undersell_their_page():
    def rows(name: str) -> list[dict[str, str]]:
        with (DEMO_DATA / name).open(encoding="utf-8", newline="") as file:
            return list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))

    page = {(row["topic"], row["document"]): row["page"] for row in rows("page_levels.tsv")}
    pairs = [
        (row["snippet"], page[row["topic"], row["document"]]) for row in rows("snippet_levels.tsv")
    ]
    assert sum(snippet == "Sure" and level == "Non" for snippet, level in pairs) >= 20
    assert sum(snippet in ("No", "Unlikely") and level == "Key" for snippet, level in pairs) >= 20


def test_there_is_something_to_judge(demo):
    store, collection_id = demo
    assert list_rounds(store, collection_id)
    assert count_contents(store, collection_id)["runs"] == 5


@pytest.mark.parametrize(
    ("program", "made"),
    [
        ("simulate.py", "labels.tsv"),
        ("simulate_preferences.py", "preferences.tsv"),
        ("simulate_clicks.py", "clicks.tsv"),
    ],
)
def test_what_is_simulated_can_be_made_again(tmp_path: Path, program: str, made: str):
    for file in DEMO_DATA.iterdir():
        if file.is_file():
            (tmp_path / file.name).write_bytes(file.read_bytes())
    (tmp_path / made).unlink()
    subprocess.run([sys.executable, str(tmp_path / program)], check=True)
    assert (tmp_path / made).read_bytes() == (DEMO_DATA / made).read_bytes()


@pytest.fixture(scope="module")
def made_live(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """A store to be copied, with the demo as its server shows it; the id of its collection."""
    with closing(Store(tmp_path_factory.mktemp("live") / "store.duckdb")) as store:
        return store.path, load_live_demo(store)


@pytest.fixture
def live_demo(made_live: tuple[Path, str], tmp_path: Path) -> Iterator[Loaded]:
    path, collection_id = made_live
    with closing(Store(Path(shutil.copy(path, tmp_path)))) as store:
        yield store, collection_id


def test_the_live_demo_has_a_round_that_is_well_under_way(live_demo):
    store, collection_id = live_demo
    visitors, simulated = list_rounds(store, collection_id)
    assert (visitors.name, simulated.name) == ("Visitors", SIMULATED_ROUND)
    slots = read_slot_frame(store, collection_id).set_index("round")
    done = slots.loc[SIMULATED_ROUND, "finished_at"].notna()
    assert 1 / 4 < done.mean() < 1 / 2
    assert slots.loc["Visitors", "assessor_id"].isna().all()
    labels = read_labels(store, collection_id)
    mine = labels[labels["assessor_id"].isin([one.assessor_id for one in ASSESSORS])]
    assert mine["time"].between(simulated.created_at, utc_now()).all()
    assert mine["time"].max() - mine["time"].min() > timedelta(hours=2)
    assert mine.groupby("assessor_id").size().min() > 50


def test_who_judges_live_is_marked_as_simulated(live_demo):
    store, collection_id = live_demo
    members = list_members(store, collection_id).set_index("assessor_id")
    ids = [one.assessor_id for one in ASSESSORS]
    assert set(members.loc[ids, "origin"]) == {"simulated"}
    assert members["name"].str.startswith("simulated-").all()


def test_the_simulated_round_is_found_again(live_demo):
    store, collection_id = live_demo
    found = find_simulated_round(store)
    assert found is not None
    assert found.collection_id == collection_id
    before = found.count_given()
    assert found.judge_next()
    assert found.count_given() == before + 1


def test_without_a_live_demo_there_is_no_simulated_round(demo):
    assert find_simulated_round(demo[0]) is None


def test_everything_in_the_demo_has_an_intended_level(demo):
    store, collection_id = demo
    intended = read_intended()
    results = read_results(store, collection_id)
    keys = list(zip(results["topic_id"], results["document_id"], strict=True))
    assert set(keys) == set(intended.pages)
    assert set(zip(*zip(*keys, strict=True), results["engine"], strict=True)) == set(
        intended.snippets
    )
    assert set(intended.ambiguity) == set(results["topic_id"])
    scales = get_scales(store, collection_id)
    assert set(intended.pages.values()) == {one.level for one in scales["page"]}
    assert set(intended.snippets.values()) == {one.level for one in scales["snippet"]}
