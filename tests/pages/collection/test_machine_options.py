"""A machine's labels come in on the page: from qrels and tables, its strays by a rule only."""

import pytest
from streamlit.testing.v1 import AppTest

from core.errors import BadInput
from core.store.events.frames import list_qrels, read_labels
from core.store.machines.machines import list_machines
from pages.collection.import_options import read_rule
from tests.short import long

QRELS = b"t1 0 d1 3\nt1 0 d2 9\nt2 0 d2 0\n"
TABLE = b"topic\tdocument\tlevel\tanswer\nt1\td1\t3\t3!\nt1\td2\t0\t0!\n"


@pytest.fixture
def open_import(open_page, organiser):
    def draw() -> AppTest:
        return open_page("collection", organiser, **{"collection-part": "Import"})

    return draw


def fill(at: AppTest, label: str, value: str) -> None:
    fields = [*at.text_input, *at.text_area]
    next(one for one in fields if one.label == label).set_value(value)


def is_offered(at: AppTest) -> bool:
    return "Import" in [button.label for button in at.button]


def describe(at: AppTest, content: bytes, kind: str = "") -> AppTest:
    """Upload a file, and say that it holds the labels of a machine."""
    at.file_uploader[0].upload("f", content)
    at.run()
    if kind:
        next(one for one in at.selectbox if "what does it hold" in one.label).set_value(kind)
        at.run()
    next(one for one in at.checkbox if one.label == "Labels of a machine").check()
    return at.run()


@long
def test_qrels_of_a_machine_become_its_labels(open_import, store, filled):
    at = describe(open_import(), QRELS)
    assert "Say what the machine is called." in [one.value for one in at.warning]
    assert not is_offered(at)
    fill(at, "Name of the machine", "llm")
    at.run()
    assert "1 of 3 levels are not on the scale" in at.code[0].value
    assert not is_offered(at)
    fill(at, "Levels outside the scale", "9=invalid")
    fill(at, "Model", "a model")
    fill(at, "Prompt", "How good?")
    fill(at, "Parameters", "seed=1")
    at.run()
    assert not at.exception
    next(one for one in at.button if one.label == "Import").click()
    at.run()
    assert "Imported: 3 labels" in at.success[0].value
    assert list_qrels(store, filled) == []
    (machine,) = list_machines(store, filled).values()
    assert (machine.model, machine.prompt) == ("a model", "How good?")
    assert machine.parameters == {"seed": 1, "levels mapped": "9=invalid"}
    labels = read_labels(store, filled)
    assert labels[labels["assessor_id"] == "llm"]["state"].tolist() == [
        *("level", "invalid answer", "level"),
    ]


@long
def test_a_table_need_not_name_the_machine(open_import, store, filled):
    at = describe(open_import(), TABLE, "labels")
    fill(at, "Name of the machine", "llm")
    at.run()
    assert not at.exception
    assert not at.error
    next(one for one in at.button if one.label == "Import").click()
    at.run()
    assert "Imported: 2 labels and 2 machine answers" in at.success[0].value


def test_a_rule_is_written_as_pairs():
    assert read_rule(" 5=3, 10 = invalid ,") == {"5": "3", "10": "invalid"}
    assert read_rule("") == {}
    for text in ("5", "=3", "5="):
        with pytest.raises(BadInput, match="value=level"):
            read_rule(text)
