"""The page of machines: what it answers, its parts, and who sees it."""

import pandas as pd
import pytest
from streamlit.testing.v1 import AppTest

from core.analysis.base.declared import declared_of
from core.analysis.base.study import Study, runs_of
from core.analysis.machines.audit import compare_machines
from core.analysis.machines.conclusions import (
    MachineQuestion,
    conclusions_of,
    lineage_of,
    list_people_versions,
)
from core.collection.files.source import Source
from core.collection.formats import read_import
from core.machines.conclusions import KEPT, NEITHER
from core.store.content.collections import create_collection
from core.store.content.imports import write_import
from core.store.content.saved_rules import save_rule
from core.store.content.scales import get_scales
from core.store.machines.machines import count_machine_labels
from core.store.people.members import add_viewer
from core.store.people.people import add_person
from core.store.people.pseudonyms import assessor_codes
from core.store.store import Store
from core.versions.rules import QrelsRule
from tests.pages.conftest import OpenPage, lasting_demo, lasting_organiser
from tests.pages.drawn_figures import figure_of, numbers, said
from tests.pages.judging_machine import NAME, judge_by_machine
from tests.pages.named_people import everything
from tests.pages.parts import PARTS
from tests.short import few, long

store, organiser = lasting_demo, lasting_organiser

PART, TITLES = PARTS["machines"]
FEW = "five topics"


@pytest.fixture(scope="module")
def collection(store: Store, demo_store: tuple[object, str]) -> str:
    judge_by_machine(store, demo_store[1])
    rule = QrelsRule(FEW, topics=tuple(f"t{number:02}" for number in range(1, 6)))
    save_rule(store, demo_store[1], rule.name, rule.to_json())
    return demo_store[1]


@pytest.fixture
def seen(store: Store, collection: str) -> Study:
    return Study(store, collection, is_masked=False)


@pytest.fixture(scope="module")
def viewer(store: Store, collection: str) -> str:
    person = add_person(store, "Vera", "viewer")
    add_viewer(store, collection, person)
    return person


def draw(open_page: OpenPage, person: str, part: str = TITLES[0], **state: object) -> AppTest:
    at = open_page("machines", person, **{PART: part}, **state)
    assert not at.exception
    assert not at.error
    return at


def table_of(at: AppTest, *columns: str) -> pd.DataFrame:
    return next(one.value for one in at.dataframe if {*columns} <= {*one.value.columns})


def test_it_answers_before_anything_else(open_page, organiser, collection, seen):
    at = draw(open_page, organiser)
    assert at.title[0].value == "Machines"
    row = compare_machines(seen, "page").iloc[0]
    written = f"**{row['value']:.3f}**".replace(".", r"\.")
    assert rf"{NAME} \(machine\)\: linear weighted κ with people is {written}" in said(at)
    assert "By nDCG@" in said(at)
    assert numbers(figure_of(at, "linear")["data"][0]["x"])[0] == pytest.approx(row["value"])


def test_it_says_what_was_judged_and_never_makes_a_level_of_an_invalid_answer(
    open_page, organiser, collection, store
):
    counted = count_machine_labels(store, collection)
    (invalid,) = counted["invalid_answers"]
    assert invalid > 0
    at = draw(open_page, organiser)
    assert f"*cannot judge* and {invalid} invalid answers, which count in nothing below" in said(at)
    assert "It is not said how the judged items were chosen" in said(at)
    pairs = table_of(at, "machine", "person", "n", "raw: value", "alpha(ordinal): value")
    assert set(pairs["machine"]) == {f"{NAME} (machine)"}


def test_the_alternative_annotator_test_follows_its_settings(open_page, organiser, collection):
    at = draw(open_page, organiser, TITLES[1])
    assert "over items the alternative annotator test is **" in said(at)
    assert len(table_of(at, "advantage", "topic_p")) == 6
    at.number_input(key="machines-fewest").set_value(10_000).run()
    assert "The test is not defined here: nobody has 10,000 items" in said(at).replace("\\", "")


def first_of_people(study):
    """Return the version that the page begins with: the declared one."""
    first = next(iter(list_people_versions(study, "page").values()))
    assert first.name == declared_of(study).version
    return first


def test_conclusions_are_those_of_the_question(open_page, organiser, collection, seen):
    at = draw(open_page, organiser, TITLES[2])
    question = MachineQuestion("page", NAME, first_of_people(seen), "nDCG@10")
    found = conclusions_of(seen, question)
    rows = table_of(at, "Kendall's τ-b: value")
    taus = found.rankings[found.rankings["coefficient"] == "tau"]["value"]
    assert rows["Kendall's τ-b: value"].tolist() == pytest.approx(taus.tolist())
    counts = table_of(at, "kept", "vanished")
    assert counts["kept"].tolist() == found.significant["kept"].tolist()
    assert "No run is shown to agree with the machine" in said(at)


@long
def test_differences_that_change_are_listed(open_page, organiser, collection, seen):
    at = draw(open_page, organiser, TITLES[2], **{"machines-measure": "P@5"})
    people = first_of_people(seen)
    changes = conclusions_of(seen, MachineQuestion("page", NAME, people, "P@5")).differences
    changed = changes[~changes["change"].isin((KEPT, NEITHER))]
    assert len(changed)
    assert table_of(at, "difference_people")["change"].tolist() == changed["change"].tolist()


def test_a_lineage_has_a_verdict_and_stays_in_the_address(open_page, organiser, collection, seen):
    systems = sorted(map(str, runs_of(seen)["system"].unique()))
    address = {"machines-lineage": systems[0]}
    at = draw(open_page, organiser, TITLES[2], address=address)
    assert at.multiselect(key="machines-lineage").value == systems[:1]
    question = MachineQuestion("page", NAME, first_of_people(seen), "nDCG@10")
    by_topic, _ = lineage_of(seen, question, (systems[0],))
    assert by_topic.sentence[:40] in said(at).replace("\\", "")
    at.multiselect(key="machines-lineage").set_value(systems).run()
    assert "not none and not all" in said(at)


@long
def test_an_estimate_needs_topics_that_only_the_machine_judged(open_page, organiser, collection):
    at = draw(open_page, organiser, TITLES[3])
    assert "there is no topic that only the machine judged" in said(at)
    at = draw(open_page, organiser, TITLES[3], **{"machines-people-page": FEW})
    assert "People judged **5 topics**, only the machine **9** more" in said(at)
    assert set(figure_of(at, "mean width")["data"][1]["x"])


@long
def test_another_measure_is_read_or_refused(open_page, organiser, collection):
    at = draw(open_page, organiser, **{"machines-measure": "P@5"})
    assert "By P@" in said(at)
    at = open_page("machines", organiser, **{"machines-measure": "nonsense"})
    assert at.error
    assert "By nDCG@" in said(at)


def test_a_measure_that_compares_no_systems_is_said(open_page, organiser, collection):
    at = open_page("machines", organiser, **{"machines-measure": "GMAP", PART: "Conclusions"})
    assert not at.exception
    assert "Conclusions are not compared" in said(at)
    assert any(one.value.startswith("Nothing to compare") for one in at.info)


@long
@pytest.mark.parametrize("part", few(TITLES))
def test_a_viewer_sees_all_parts_with_codes_for_names(
    open_page, viewer, collection, store, part: str
):
    at = draw(open_page, viewer, part)
    sent = everything(at)
    code = assessor_codes(store, collection, [NAME])[NAME]
    assert code.encode() in sent
    assert b"simulated-1" not in sent


def test_an_assessor_does_not_see_it(open_page, store, collection):
    at = open_page("machines", add_person(store, "Anna", "assessor"))
    assert "Machines" not in [title.value for title in at.title]


def test_a_facet_that_no_machine_judged_is_said(open_page, organiser, collection):
    at = draw(open_page, organiser, **{"machines-facet": "snippet"})
    assert any("No machine has given a snippet a level" in one.value for one in at.info)


@pytest.fixture(scope="module")
def labels_alone(store: Store) -> str:
    """A collection of labels without runs: of two people, and of two machines."""
    made = create_collection(store, "Labels alone")
    scales = get_scales(store, made)
    people = [f"{who}\tt1\td{place}\t{place % 3}" for who in "ab" for place in range(12)]
    for text, options in (
        ("\n".join(["assessor\ttopic\tdocument\tlevel", *people]) + "\n", {}),
        ("t1 0 d1 1\nt1 0 d2 0\n", {"machine": "near"}),
        ("t9 0 d1 1\n", {"machine": "far"}),
    ):
        source = Source("labels.txt", text.encode())
        write_import(store, made, read_import("labels", source, scales=scales, **options))
    return made


@long
def test_of_several_machines_one_is_chosen(open_page, organiser, labels_alone):
    here = {"collection_id": labels_alone}
    at = draw(open_page, organiser, **here, **{"machines-machine": "near"})
    assert at.selectbox(key="machines-machine").options == ["far (machine)", "near (machine)"]
    assert r"near \(machine\)\: linear weighted κ with people" in said(at)
    assert "By nDCG" not in said(at)
    at = draw(open_page, organiser, **here, **{"machines-machine": "far"})
    assert "and people have no item in common" in at.info[0].value
    assert not at.tabs


@long
@pytest.mark.parametrize("part", few(TITLES[2:]))
def test_without_runs_nothing_is_concluded(open_page, organiser, labels_alone, part: str):
    state = {"machines-machine": "near"}
    at = draw(open_page, organiser, part, collection_id=labels_alone, **state)
    assert any(one.value.startswith("Conclusions need runs") for one in at.info)


def test_a_collection_without_machines_says_how_to_bring_one(open_page, organiser, store):
    other = create_collection(store, "Of people")
    at = open_page("machines", organiser, collection_id=other)
    assert not at.exception
    assert "No machine has judged anything here yet" in at.info[0].value
