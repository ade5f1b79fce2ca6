"""``dissent groups`` on files, and ``dissent declare`` of what groups are by."""

import json
from pathlib import Path

import numpy as np
import pytest

from core.collection.qrels_and_runs.trec import write_run
from core.store.content.collections import create_collection
from core.store.store import Store
from tests.calibration.groups import PeopleModel
from tests.core.command.conftest import Dissent

SCALE = ("--scale", "page=0,1,2,3")


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    labels, runs = PeopleModel("", 0.3).draw(12, np.random.default_rng(1))
    folder = tmp_path_factory.mktemp("groups")
    called = {"assessor_id": "assessor", "topic_id": "topic", "document_id": "document"}
    columns = [*called.values(), "level", "group"]
    labels.rename(columns=called)[columns].to_csv(folder / "labels.csv", index=False)
    runs = runs.assign(score=100.0 - runs["rank"])
    lines = [write_run(own) for _, own in runs.groupby("system")]
    Path(folder / "all.run").write_bytes(b"".join(lines))
    return [str(folder / "labels.csv"), "--run", str(folder / "all.run"), *SCALE]


def test_it_says_whether_groups_rank_differently(dissent: Dissent, files: list[str]):
    told = dissent("groups", *files, "--permutations", 99)
    assert told.status == 0
    assert told.out.startswith("page: experts and others are not shown to rank the systems")
    for title in ("Rankings of two groups", "Mean scores by two groups", "Weights and gains"):
        assert title in told.out
    assert "the test takes people for exchangeable" in told.err


def test_users_alpha_and_seed_are_those_asked_for(dissent: Dissent, files: list[str]):
    def ask(*words: object) -> dict:
        return json.loads(dissent("groups", *files, "--format", "json", *words).out)

    usual = ask("--permutations", 99)
    assert {row["dealings"] for row in usual["orders"]} == {99}
    more = ask("--permutations", 99, "--seed", 2, "--users", 5, "--at-least", 2)
    assert more["orders"] != usual["orders"]
    assert more["weights"] != usual["weights"]
    assert more["ranking"] == usual["ranking"]
    every = ask("--permutations", 99, "--alpha", 0.999)["answers"][0]["answer"]
    assert "are shown to rank the systems differently" in every


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (("--by", "employer"), "no column 'employer'"),
        (("--version", "slot 1"), "is not written as"),
        (("--version", "all, sum"), "cannot be made of one group's labels"),
        (("--measure", "TBG"), "needs more than levels"),
    ],
)
def test_what_cannot_be_done_is_said(dissent: Dissent, files: list[str], words, why):
    told = dissent("groups", *files, *words, "--permutations", 99)
    assert why in told.err + told.out


def test_a_study_declares_what_its_groups_are_by(dissent: Dissent, tmp_path: Path):
    store = Store(tmp_path / "s.duckdb")
    create_collection(store, "mine")
    store.close()
    here = ("--store", tmp_path / "s.duckdb", "--collection", "mine")
    told = dissent("declare", *here, "--groups", "hobby", "--personal", "yes")
    assert told.status == 0
    rows = [line.split() for line in told.out.splitlines()]
    assert ["groups", "hobby"] in rows
    assert ["personal", "yes"] in rows
    declared = json.loads(dissent("declare", *here, "--personal", "no", "--format", "json").out)
    assert (declared["groups"], declared["personal"]) == ("hobby", False)
