"""One version of the judgements has one ERR, whoever asks: the scale goes with the levels.

Three levels are used of a scale of four, so that whoever takes the highest level that occurs for
the scale's highest has another ERR.
"""

import json
from io import BytesIO
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

import dissent
from core.analysis.base.study import Study
from core.analysis.results.qrels_choices import find_choice, version_of
from core.analysis.results.scores import scores_of
from core.bundle.archive import read_archive
from core.bundle.choices import Choices
from core.bundle.making import make_bundle
from core.command.main import main
from core.store.people.people import add_person
from core.store.people.tokens import make_token
from core.store.store import Store
from tests.pages.api.v1.described_client import DescribedClient, open_client
from tests.pages.api.v1.test_connect import served

SCALE = (0, 1, 2, 3)
LABELS = "topic\tdocument\tassessor\tlevel\nt1\td1\tann\t2\nt1\td2\tann\t1\nt1\td3\tann\t0\n"
FILES = {
    "topics.tsv": "id\tquery\nt1\tjaguar\n",
    "labels.tsv": LABELS,
    "r.run": "t1 Q0 d2 1 3 r\nt1 Q0 d1 2 2 r\nt1 Q0 d3 3 1 r\n",
}
VERSION = "all, maximum"
BY_HAND = {
    # A document of level g satisfies with probability g / (3 + 1): 1/4 at rank 1, 2/4 at rank 2.
    "ERR@10": 1 / 4 + 1 / 2 * (3 / 4 * 2 / 4),
    # The ideal ranking has level 2 first.
    "nERR@10": (1 / 4 + 1 / 2 * (3 / 4 * 2 / 4)) / (2 / 4 + 1 / 2 * (2 / 4 * 1 / 4)),
    # Each gain is a share of the scale's highest, 3.
    "RBP(gain='linear')": (1 - 0.8) * (1 / 3 + 2 / 3 * 0.8),
}  # fmt: skip
TAKEN = {"ERR@10": 1 / 3 + 1 / 2 * (2 / 3 * 2 / 3)}
"""What it would be with 2, the highest level that occurs, for the scale's highest."""


@pytest.fixture
def collection(store: Store) -> tuple[DescribedClient, str, str]:
    token = make_token(store, add_person(store, "Olga", "organiser"), "study", ["read", "write"])
    client = DescribedClient(open_client(), token)
    made = client.ask("createCollection", {"name": "Cats", "scales": {"page": list(SCALE)}})
    for name, text in FILES.items():
        client.ask("importFile", text.encode(), collection=made["collection"], file=name)
    return client, made["collection"], token


def by_measure(means: pd.DataFrame) -> dict[str, Any]:
    return dict(zip(means["measure"], means["value"].astype(float), strict=True))


def test_every_door_has_the_score_by_hand(
    collection: tuple[DescribedClient, str, str],
    store: Store,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
):
    client, made, token = collection
    study = Study(store, made, is_masked=True)
    choice = find_choice(study, VERSION)
    wanted = {name: pytest.approx(value, rel=1e-12) for name, value in BY_HAND.items()}

    assert by_measure(scores_of(study, choice, tuple(BY_HAND))) == wanted

    rest = client.ask("readScores", collection=made, version=VERSION, measure=list(BY_HAND))
    assert by_measure(pd.DataFrame(rest["means"])) == wanted

    bundle = make_bundle(study, Choices(measures=tuple(BY_HAND), versions=(VERSION,)))
    means = pd.read_csv(BytesIO(read_archive(bundle.content, "made")["tables/means.csv"]))
    assert by_measure(means) == {name: round(value, 4) for name, value in BY_HAND.items()}

    with served() as address:
        answered = dissent.connect(address, token)
        runs, qrels = answered.runs(), answered.qrels(VERSION)
    assert by_measure(dissent.evaluate(runs, qrels, list(BY_HAND)).means) == wanted

    (tmp_path / "r.run").write_text(FILES["r.run"])
    (tmp_path / "v.qrels").write_bytes(client.ask("readQrels", collection=made, version=VERSION))
    words = ["evaluate", "--qrels", str(tmp_path / "v.qrels"), "--run", str(tmp_path / "r.run")]
    words += ["--measure", *BY_HAND, "--format", "json"]
    capsys.readouterr()
    assert main([*words, "--scale", ",".join(map(str, SCALE))]) == 0
    assert by_measure(pd.DataFrame(json.loads(capsys.readouterr().out)["scores"])) == wanted

    # A file that comes without its scale has another value, and the note says what was taken.
    assert main(words) == 0
    told = json.loads(capsys.readouterr().out)
    assert by_measure(pd.DataFrame(told["scores"]))["ERR@10"] == pytest.approx(TAKEN["ERR@10"])
    assert any("the highest level that occurs, 2, is taken" in note for note in told["notes"])


def test_a_version_is_filed_only_as_it_is(
    collection: tuple[DescribedClient, str, str], store: Store
):
    """A file holds whole levels: those of another version, which is scored by its own name."""
    client, made, _ = collection
    second = LABELS.replace("ann", "bob").replace("d1\tbob\t2", "d1\tbob\t1")
    client.ask("importFile", second.encode(), collection=made, file="second.tsv", kind="labels")
    answer = client.send("readQrels", collection=made, version="all, median")
    assert answer.status_code == 422
    assert "1 of its 3 levels are not whole" in answer.text
    assert "'all, median, in whole levels', which is another version" in answer.text
    whole = "all, median, in whole levels"
    file = client.ask("readQrels", collection=made, version=whole).decode()
    assert [line.split()[-1] for line in file.splitlines()] == ["2", "1", "0"]
    study = Study(store, made, is_masked=True)
    halves, rounded = (version_of(study, find_choice(study, one)) for one in ("all, median", whole))
    assert halves.frame["level"].tolist() == [1.5, 1, 0]
    assert rounded.frame["level"].tolist() == [2, 1, 0]
    assert halves.content_hash != rounded.content_hash
    scores = [
        scores_of(study, find_choice(study, one), ("P(rel=2)@1", "ERR@10"))
        for one in ("all, median", whole)
    ]
    assert not scores[0]["value"].equals(scores[1]["value"])


def test_a_coefficient_is_what_is_answered(
    collection: tuple[DescribedClient, str, str], store: Store
):
    """Also one of any number of assessors, of each two and of each topic; or it is refused."""
    client, made, token = collection
    second = LABELS.replace("ann", "bob").replace("d3\tbob\t0", "d3\tbob\t1")
    client.ask("importFile", second.encode(), collection=made, file="second.tsv", kind="labels")
    alpha = "alpha(ordinal)"
    rows = {
        table: client.ask("readAgreement", collection=made, coefficient=[alpha], table=table)[
            "rows"
        ]
        for table in ("overall", "pairs", "topics")
    }
    assert {name: [one["coefficient"] for one in own] for name, own in rows.items()} == {
        name: [alpha] for name in rows
    }
    assert len({round(own[0]["value"], 12) for own in rows.values()}) == 1
    with served() as address:
        labels = dissent.connect(address, token).labels()
    found = dissent.agreement(labels, [alpha], levels=SCALE)
    for table in (found.overall, found.pairs, found.topics):
        assert table["coefficient"].tolist() == [alpha]
        assert table["value"].iloc[0] == pytest.approx(rows["pairs"][0]["value"], rel=1e-12)
    refused = client.send(
        "readAgreement", collection=made, coefficient=["alpha(ordinal, p=0.8)"], table="pairs"
    )
    assert refused.status_code == 422
    assert "weighs items by rank" in refused.text
