"""A client that was written from the document alone takes a study from nothing to its results."""

import json
import uuid
from typing import Any

import pytest
from openapi_spec_validator import validate

from core.store.audit.audit import AuditFilter, read_audit
from core.store.events.frames import read_labels
from core.store.people.people import add_person
from core.store.people.tokens import make_token
from core.store.store import Store
from pages.api.v1.table import OPERATIONS
from tests.pages.api.v1.described_client import DescribedClient, open_client

FILES = {
    "topics.tsv": "id\tquery\nt1\tjaguar\nt2\tpuma\n",
    "documents.jsonl": "".join(
        json.dumps({"id": f"d{n}", "title": f"Title {n}", "text": f"Text {n}."}) + "\n"
        for n in range(1, 5)
    ),
    "first.run": "".join(f"t{t} Q0 d{d} {d} {5 - d} first\n" for t in (1, 2) for d in range(1, 5)),
    "second.run": "".join(
        f"t{t} Q0 d{d} {5 - d} {d} second\n" for t in (1, 2) for d in range(4, 0, -1)
    ),
}


@pytest.fixture
def organiser_client(store: Store) -> DescribedClient:
    person = add_person(store, "Olga", "organiser")
    return DescribedClient(open_client(), make_token(store, person, "study", ["read", "write"]))


def judge_everything(client: DescribedClient, collection: str, level_of: Any) -> int:
    """Judge what is handed out until nothing is; returns how many judgements were saved."""
    saved = 0
    while work := client.ask("nextAssignment", collection=collection)["handed_out"]:
        events = [
            {
                **{name: step[name] for name in ("topic", "document", "facet", "engine")},
                "occasion": step["occasion"],
                "event_id": str(uuid.uuid4()),
                "supersedes": None,
                "state": "level",
                "level": level_of(step),
                "dwell_ms": 900,
                "comment": "",
            }
            for step in work["steps"]
        ]
        told = client.ask(
            "judge", {"assignment": work["assignment"], "events": events}, collection=collection
        )
        assert {ack["status"] for ack in told["acks"]} == {"saved"}, told
        saved += len(told["acks"])
    return saved


def test_the_document_is_valid_openapi():
    document = DescribedClient(open_client()).document
    validate(document)
    assert document["openapi"].startswith("3.1")
    described = [one["operationId"] for path in document["paths"].values() for one in path.values()]
    assert sorted(described) == sorted(one.name for one in OPERATIONS)


def test_a_document_with_a_fault_is_not_valid():
    document = DescribedClient(open_client()).document
    del document["info"]["version"]
    with pytest.raises(Exception, match="version"):
        validate(document)


def test_a_whole_study(organiser_client: DescribedClient, store: Store):
    olga = organiser_client
    scales = {"page": [0, 1, 2]}
    made = olga.ask("createCollection", {"name": "Cats", "scales": scales})["collection"]
    for name, text in FILES.items():
        told = olga.ask("importFile", text.encode(), collection=made, file=name)
        assert told["already_there"] == 0
    assert olga.ask("showCollection", collection="Cats")["contents"]["documents"] == 4
    people = [{"name": "Anna", "group": "experts"}, {"name": "Bob"}]
    invited = olga.ask("invitePeople", {"people": people}, collection=made)["people"]
    plan = {"judges": 2, "depth": 3, "flow": "page only", "name": "First"}
    opened = olga.ask("openRound", plan, collection=made)["round"]
    for number, one in enumerate(invited):
        newcomer = DescribedClient(olga.client)
        body = {"invitation": one["link"], "name": "my program"}
        token = newcomer.ask("acceptInvitation", body)["token"]
        assessor = DescribedClient(olga.client, token)
        assert [each["name"] for each in assessor.ask("listCollections")["collections"]] == ["Cats"]

        def level_of(step: dict[str, Any], number: int = number) -> int:
            return min(int(step["document"][1]) + number, 4) // 2

        assert judge_everything(assessor, made, level_of) == 8
        assert newcomer.send("acceptInvitation", body).status_code == 403
    progress = olga.ask("showRound", collection=made, round=opened, names=True)
    assert (progress["places"], progress["finished"]) == (4, 4)
    assert {one["assessor_id"]: one["finished"] for one in progress["people"]} == {
        one["assessor_id"]: 2 for one in invited
    }
    assert olga.ask("changeRound", {"closed": True}, collection=made, round=opened)["closed_at"]

    events, after = [], 0
    while True:
        portion = olga.ask("listLabels", collection=made, after=after, limit=5)
        events += portion["events"]
        after = portion["last"]
        if not portion["more"]:
            break
    assert [one["sequence"] for one in events] == sorted(one["sequence"] for one in events)
    assert len(events) == len(read_labels(store, made)) == 16
    assert not {one["assessor_id"] for one in events} & {one["assessor_id"] for one in invited}
    qrels = olga.ask("readQrels", collection=made, version="all, maximum").decode()
    assert sorted(qrels.splitlines())[0].split() == ["t1", "0", "d1", "1"]
    versions = olga.ask("listQrelsVersions", collection=made)["versions"]
    assert "all, maximum" in [one["version"] for one in versions]
    scores = olga.ask(
        "readScores", collection=made, version="all, maximum", measure=["nDCG@3", "AP"]
    )
    assert {(one["system"], one["measure"]) for one in scores["means"]} == {
        (system, measure) for system in ("first", "second") for measure in ("nDCG@3", "AP")
    }
    found = olga.ask("readAgreement", collection=made, coefficient=["kappa(linear)"])["rows"]
    assert found[0]["value"] == pytest.approx(0.2727, abs=1)
    assert b"level" in olga.ask("readFile", collection=made, kind="labels")
    history = read_audit(store, AuditFilter(), 200)
    assert {"make token", "open", "import", "invite"} <= set(history["what"])


def test_an_import_is_refused_whole_and_says_where(
    organiser_client: DescribedClient, filled: str, store: Store
):
    before = organiser_client.ask("showCollection", collection=filled)["contents"]
    bad = b"t1 Q0 d1 1 2.5 new\nt1 Q0 d2 2 high new\n"
    answer = organiser_client.send(
        "importFile", bad, collection=filled, file="bad.run", kind="runs"
    )
    organiser_client.check("importFile", answer)
    told = answer.json()
    assert (answer.status_code, told["file"], told["line"]) == (422, "bad.run", 2)
    assert told["field"]
    assert "nothing was stored" in told["advice"]
    assert organiser_client.ask("showCollection", collection=filled)["contents"] == before
    left = [one.name for one in store.path.parent.rglob("sent")]
    assert left == []
