"""Steps of the schema that are in use stay as they are, and stores they made can be opened."""

from contextlib import closing
from hashlib import sha256
from pathlib import Path

import duckdb
import pytest

from core.command.check import check_store
from core.store.events.frames import count_contents, read_labels
from core.store.people.people import list_people
from core.store.rounds.rounds import list_rounds, read_pool
from core.store.schema.migrations import MIGRATIONS
from core.store.store import Store
from tests.short import long

EARLY = Path(__file__).with_name("first_four_steps.sql")

# A new step gets a line. A line never changes: stores that were made with it are in use.
PINNED = {
    "collections": "192bd03765ff96f4a614afc02cb7d4b23eea90f3ac813cd935c14cfcae43aa5c",
    "people": "3aa7ed026685fa3b471aa72eadd6c4a86bcf93c1bc4410222df787e9c5bc949b",
    "labels": "59e0f4fd8d3790e256d5fe92acc913cf3fc08225dd0cdf48eb176f3ab6a33088",
    "assessment": "39e92c4ab335ccc14c364516272b241fa50cd415f674eaada2a36c9136796e00",
    "gold": "1c31508eb6508a8c5580698fd7406920bf018f91466060a149e6cbc1db32f64e",
    "verticals": "545eda251f6107aed4698f201ba204e98d167d89d0371b8a0cada26ab7931fb3",
    "lessons": "9830946a573e7ba3a5a0039ff4ec629d4b1026439a5dd6e8c3950aa5f15efde0",
    "pairs": "b9a3e256baea7a44f5f726cc07c2082066b54a55b90860f44ad373d6657f5b2c",
    "signing in": "d15257c5116871a4e04883cf8b4a14eda6376471c4704c139028a96e913104a0",
    "rounds": "6b32724e82a51e5548d2b4d2dbb495ba04d784cadba605bcdfa49b9c5cc8a10e",
    "kinds of members": "2699dec57db0c4b9af70b63cc6ba8de0c60ca3310880b56487f2a9ce40c7f813",
    "erased people": "c95ef07b90cd611b9dcbbf200e5c4c3c8496948e9949e8df6fc1cc8ea8cb7e72",
    "qualifying tests": "b6f017f8c0938672dcf2078e2734a458c47075b62dd6b3cfee443f9b38119f42",
    "consents": "74f6334bb4adf33597b8f57ff66bf01f68cdeb0fd2e04ff99e1e86afa2dd8fbf",
    "steps of lessons": "744d612fac4969c88862a4c35887da7a576e70177bada008a9088eb46f962028",
    "languages of collections": "4fd11829386c3595ad852f795d541a8472f46dae52754cf16420bcf67ef022c3",
    "questions and guidelines": "ca393aaf37cd98c4ec75d424f379043ab96dd3f9a9308b4148501b859629627c",
    "aspects": "b7c44a60ca68ec6eed5939771ace695625e0e868ccbb2f1c30cccee930d8ea89",
    "rules of qualifying tests": "f808f297f678bd8d15013ac541fdd65e466cb01a0a61eba70fe7b533eef11ec2",
    "reasons of preferences": "2981dce712c048f060b491d171e24cfddd986e2a873d269a760332de898fcc98",
    "passages": "704bf9994195be4854565f7c998ab44415303a0c2ac9645cab7fc812ef160bd7",
    "seen afterwards": "e937a0738b0ad8df8a6927e9ad69d6d9263a1ce45b4c3ef941608fb29fe8a9be",
    "merged stores": "69f81b7a4a1de9698818c44da53dd27776d4494a00d2263923c0fb683aac9548",
    "public results": "bc42dd0f87fe8f55aa61e91f066848e4d4ed618ea80e7f1dc19789c9a9461036",
    "tokens": "a7c050098a5d63078dd08e728b380cc22a4ee45bb4c10d4efd14aab7b9fb0bd3",
    "bundles of public results": "4aa166d1637ca3e09dc90dbb0defe02112fd5609a849fb738da73e65721d9eec",
    "webhooks": "7afa075f7492c157c79be2c1f4a80e96e8a07cc13cf4fe0c166522d988fbe49c",
    "machines": "15b746780abed7acfebc75ae53fa69f4230001d99ef0f02c96c38b174a6c50f3",
    "jobs of machines": "4b3de31f5410643beb3a92d2b629977ec838aa7b18a47bb9a0edc42beaf8dace",
    "showing machines": "4b94dbb321bdf9ac325138b5db3244ddd5f7d261fdfcef4a4e98c2ac25ee839c",
    "orders of rounds": "fc11794af8b8d815757fee460c181ba56fc46a3b7f5ccd7d6ba573f1ddbdf270",
    "stop rules": "f2a21d8298597537d3f58b98a6732a6b061bb5e4869c8afab4f1c35bb6b2524a",
    "click logs": "4b7eb7fb569373f5c7122734c99ac201c3c2e179ffde04207a87e41a48e025f5",
    "renewed public pages": "776b24c8cc03dd4ae93c623b837c78cac66d4f6e804a219906c1093edafebed1",
    "paradata": "38d2cbedeaa828c0e530c6c0042db127d266ef21e07f69c63ae071ef296be6df",
    "declarations": "30b3ddeac59779a8c8ce224981bc7a47c76e4c4302cd3919c29493bfbfaf3cc2",
    "hidden pace": "7f9bedd85dc797f1ccac3ad6c2521187d4144c98b3ae85be14f12fde1063282f",
}


def test_no_step_was_edited_moved_or_left_out():
    """To change the schema append a step, and pin it with the hash that is printed here."""
    hashes = {step.name: sha256(step.statements.encode()).hexdigest() for step in MIGRATIONS}
    assert list(hashes.items()) == list(PINNED.items())


@pytest.fixture
def early(tmp_path: Path) -> Path:
    """A store that no code of this checkout has made: plain SQL, replayed."""
    path = tmp_path / "early.duckdb"
    with duckdb.connect(path) as database:
        database.execute(EARLY.read_text(encoding="utf-8"))
    return path


def test_a_store_of_the_first_four_steps_is_brought_up_to_date(early: Path):
    with closing(Store(early)) as store:
        steps = store.cursor().execute("SELECT name FROM migrations ORDER BY number").fetchall()
        assert [name for (name,) in steps] == list(PINNED)
        contents = count_contents(store, "c1")
        assert (contents["topics"], contents["documents"], contents["results"]) == (1, 2, 2)
        labels = read_labels(store, "c1").set_index("document_id")
        assert labels.loc["d1", ["level", "comment", "dwell_ms"]].tolist() == [
            *(1, "it is about cats", 6000),
        ]
        assert labels.loc["d2", "state"] == "cannot judge"
        assert {one.name: one.role for one in list_people(store)} == {
            "Olga": "organiser",
            "Anna": "assessor",
        }
        (rules,) = list_rounds(store, "c1")
        assert sorted(read_pool(store, rules.round_id)["document_id"]) == ["d1", "d2"]
        (vertical,) = store.cursor().execute("SELECT DISTINCT vertical FROM results").fetchall()
        assert vertical == ("",)


@long
def test_it_is_whole(early: Path):
    Store(early).close()
    findings = check_store(early)
    assert len(findings) > 5
    assert [one for one in findings if one.holds is not True] == []
