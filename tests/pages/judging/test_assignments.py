"""Looking at a pool, opening a round over it, and following it."""

import pytest
from streamlit.testing.v1 import AppTest

from core.assessment.queue import take_assignment
from core.collection.formats import read_import
from core.collection.source import Source
from core.store.content.imports import write_import
from core.store.events.frames import count_contents
from core.store.people.members import add_member
from core.store.people.people import add_person
from core.store.rounds.rounds import list_rounds, read_pool, read_slots


@pytest.fixture
def judges(store, filled) -> list[str]:
    ids = []
    for name in ("Anna", "Bob", "Cleo"):
        ids.append(add_person(store, name, "assessor"))
        add_member(store, filled, ids[-1], name)
    return ids


def press(at: AppTest, label: str) -> AppTest:
    next(button for button in at.button if button.label == label).click()
    return at.run()


def field(elements, label: str):
    return next(one for one in elements if one.label == label)


def test_the_preview_counts_the_pool(open_page, organiser, filled):
    at = open_page("assignments", organiser)
    counts = {one.label: one.value for one in at.metric}
    assert counts == {
        "Pairs of topic and document": "4",
        "Can be judged": "3",
        "Without text": "1",
        "Already labelled": "2",
        "Topics": "2",
    }
    field(at.number_input, "Depth").set_value(1).run()
    assert at.metric[1].value == "2"


def test_opens_a_round_of_an_open_queue(open_page, store, organiser, filled, judges):
    at = open_page("assignments", organiser)
    field(at.text_input, "Name").set_value("First")
    field(at.number_input, "Documents handed out together").set_value(1)
    field(at.slider, "Hidden repeats, %").set_value(10)
    field(at.selectbox, "The page is judged").select(2)
    press(at, "Open this round")
    assert not at.exception
    (rules,) = list_rounds(store, filled)
    assert (rules.name, rules.judges, rules.depth, rules.batch_size) == ("First", 2, 10, 1)
    assert (rules.page_from, rules.repeat_share, rules.flow) == (2, 0.1, "snippet then page")
    assert at.dataframe[0].value["open"].tolist() == [6]


def test_opens_a_round_by_name_and_shows_who_holds_what(
    open_page, store, organiser, filled, judges
):
    at = open_page("assignments", organiser)
    names = field(at.multiselect, "Assessors by name")
    assert names.options == ["Anna", "Bob", "Cleo"]
    names.set_value(judges[:2])
    press(at, "Open this round")
    take_assignment(store, filled, judges[0])
    at.run()
    summary, holders = at.dataframe[0].value, at.dataframe[1].value
    assert summary[["finished", "taken", "reserved", "open"]].values.tolist() == [[0, 1, 3, 0]]
    taken = holders[holders["state"] == "taken"]
    assert taken["assessor"].tolist() == ["Anna"]
    assert taken["lease ends"].notna().all()
    assert set(holders["assessor"]) == {"Anna", "Bob"}


def test_too_few_names_are_refused(open_page, store, organiser, filled, judges):
    at = open_page("assignments", organiser)
    field(at.multiselect, "Assessors by name").set_value(judges[:1])
    press(at, "Open this round")
    assert "2 different assessors" in at.code[0].value
    assert list_rounds(store, filled) == []


def test_a_new_run_tops_the_round_up(open_page, store, organiser, filled, judges):
    at = press(open_page("assignments", organiser), "Open this round")
    press(at, "Top up the pool")
    assert "nothing to add" in at.success[0].value
    run = Source("new.run", b"t2 Q0 d1 1 9.5 s2\n")
    write_import(store, filled, read_import("runs", run))
    press(at, "Top up the pool")
    assert "1 pair added" in at.success[0].value
    assert len(read_pool(store, list_rounds(store, filled)[0].round_id)) == 4


def test_closes_and_reopens_a_round(open_page, store, organiser, filled, judges):
    at = press(open_page("assignments", organiser), "Open this round")
    press(at, "Close this round")
    assert read_slots(store.cursor(), filled) == []
    assert at.dataframe[0].value["round is"].tolist() == ["closed"]
    press(at, "Reopen this round")
    assert len(read_slots(store.cursor(), filled)) == 4


def test_real_data_have_the_known_pool(open_page, store, organiser, filled, shared_data):
    folder = shared_data / "dl19"
    for kind, files in {
        "topics": [folder / "topics.tsv"],
        "documents": [folder / "documents.jsonl.gz"],
        "runs": sorted((folder / "runs").iterdir()),
        "labels": [folder / "labels.tsv"],
    }.items():
        sources = [Source.at(file) for file in files]
        # The runs of the small collection stay beside these; its topics are left out below.
        write_import(store, filled, read_import(kind, sources))
    assert count_contents(store, filled)["runs"] == 37 + 1 + 2
    at = open_page("assignments", organiser)
    counts = {one.label: one.value for one in at.metric}
    assert counts["Pairs of topic and document"] == f"{1348 + 4:,}"
    assert counts["Without text"] == str(591 + 1)
    assert counts["Already labelled"] == str(743 + 2)


def test_opens_a_round_of_pairs(open_page, store, organiser, filled, judges):
    at = open_page("assignments", organiser)
    at.segmented_control(key="round-way").set_value("two").run()
    assert not at.exception
    assert any("1 pair in 1 topic chosen" in one.value for one in at.caption)
    at.selectbox(key="pair-flow").set_value("systems side by side").run()
    systems = next(one.value for one in at.caption if "chosen, of" in one.value)
    assert "3 pairs in 1 topic chosen, of 4 possible between 5 candidates" in systems
    pressed = next(one for one in at.button if one.label == "Open this round")
    pressed.click().run()
    assert not at.exception
    (rules,) = list_rounds(store, filled)
    assert rules.pair_facets == ("panel pair",)
    pool = store.cursor().execute("SELECT count(*) FROM pool").fetchone()
    assert pool == (3,)
    at.selectbox(key="pair-flow").set_value("systems side by side").run()
    assert any("nothing left to compare" in one.value for one in at.info)


def test_pairs_that_cannot_be_chosen_say_why(open_page, organiser, filled):
    at = open_page("assignments", organiser)
    at.segmented_control(key="round-way").set_value("two").run()
    at.selectbox(key="pair-method").set_value("adaptive").run()
    assert not at.exception
    assert not at.error
    assert any(one.value.startswith("No pairs can be chosen in this way: ") for one in at.info)
