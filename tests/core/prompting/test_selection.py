import numpy as np
import pytest

from core.errors import BadInput, NotFound
from core.prompting.selection import Item, Selection, select_items
from core.store.events.labels import Key, LabelEvent
from core.store.machines.machines import Machine, describe_machine
from tests.core.prompting.collection import Study
from tests.each import each

JUDGED = ["t1d0001", "t1d0002"]


def select(study: Study, part: Selection | None = None, machine: str = "llm") -> list[Item]:
    rng = np.random.default_rng(1)
    return select_items(study.store, study.collection_id, part or Selection(), machine, rng)


def documents(items: list[Item]) -> list[str]:
    return [one.document_id for one in items]


def test_the_unjudged_part_of_the_pool_comes_in_the_order_of_topics_and_ranks(study: Study):
    expected = [f"t1d{n:04d}" for n in range(3, 7)] + [f"t2d{n:04d}" for n in range(1, 7)]
    assert documents(select(study)) == expected
    assert documents(select(study, Selection(depth=3))) == ["t1d0003", *expected[4:7]]
    assert select(study)[0] == Item("t1", "t1d0003", "page", "")


def test_what_people_have_judged_is_for_an_audit(study: Study):
    assert documents(select(study, Selection("judged", depth=1))) == JUDGED
    assert documents(select(study, Selection("pool", topics=("t1",), depth=3))) == [
        *JUDGED,
        "t1d0003",
    ]


def test_labels_of_machines_are_nobody_s_judgements(study: Study):
    describe_machine(study.store, study.collection_id, "other", Machine("other"))
    keys = [Key("t1", one, "page", "", "other", 0) for one in ("t1d0003", "t1d0001")]
    events = [
        LabelEvent(f"00000000-0000-0000-0000-00000000000{n}", None, key, "level", 1)
        for n, key in enumerate(keys)
    ]
    study.store.labels.append(study.collection_id, events)
    assert "t1d0003" in documents(select(study))
    assert documents(select(study, Selection("judged"))) == JUDGED
    assert "t1d0003" not in documents(select(study, machine="other")), "it has judged that itself"
    assert documents(select(study, Selection("judged"), "other")) == ["t1d0002"]


def test_snippets_are_judged_under_each_engine(study: Study):
    items = select(study, Selection(facet="snippet", topics=("t2",), depth=3))
    assert [(one.document_id[-1], one.engine) for one in items] == [
        *(("1", "one"), ("1", "two"), ("2", "one"), ("2", "two"), ("3", "one")),
    ]
    with pytest.raises(BadInput, match="no person has given a snippet of it a level"):
        select(study, Selection("judged", facet="snippet"))
    event = "00000000-0000-0000-0000-000000000001"
    key = Key("t2", "t2d0002", "snippet", "two", "anna", 0)
    study.store.labels.append(study.collection_id, [LabelEvent(event, None, key, "level", 1)])
    assert select(study, Selection("judged", facet="snippet")) == [
        Item("t2", "t2d0002", "snippet", "two")
    ]


def test_a_sample_is_drawn_and_keeps_the_order(study: Study):
    everything, some = select(study), select(study, Selection(sample=4))
    assert len(some) == 4
    assert some == [one for one in everything if one in some] == select(study, Selection(sample=4))
    assert select(study, Selection(sample=99)) == everything


def test_what_cannot_be_selected_is_said(study: Study):
    with pytest.raises(NotFound, match="There is no topic t8"):
        select(study, Selection(topics=("t1", "t8")))
    with pytest.raises(BadInput, match="no page of this part of the pool is left"):
        select(study, Selection(depth=2, topics=("t1",)))
    machine = Machine("llm")
    describe_machine(study.store, study.collection_id, "llm", machine)
    for place, document in enumerate(JUDGED):
        event = f"00000000-0000-0000-0000-00000000000{place}"
        key = Key("t1", document, "page", "", "llm", 0)
        label = LabelEvent(event, None, key, "invalid answer", None)
        study.store.labels.append(study.collection_id, [label])
    with pytest.raises(BadInput, match="this machine has judged all of it"):
        select(study, Selection("judged"))
    with study.store.database.write() as cursor:
        cursor.execute("UPDATE documents SET text = '', html = ''")
    with pytest.raises(BadInput, match="it has no text of what the runs found"):
        select(study)
    with pytest.raises(BadInput, match="no person has given"):
        select(study, Selection("judged"), "other")


@each("given", [{"which": "all"}, {"facet": "panel"}, {"depth": 0}, {"sample": 0}])
def test_a_part_that_makes_no_sense_is_refused(given: dict[str, object]):
    with pytest.raises(BadInput):
        Selection(**given)
