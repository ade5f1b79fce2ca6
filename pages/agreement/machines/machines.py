"""Whether a machine may judge in place of people: agreement, conclusions, estimates."""

from collections.abc import Mapping

import pandas as pd
import streamlit as st

from core.analysis.agreement.machine_anchoring import showing_rounds_of
from core.analysis.base.declared import declared_of
from core.analysis.base.study import runs_of
from core.analysis.machines.audit import audit_of, compare_machines
from core.analysis.machines.conclusions import (
    MachineQuestion,
    conclusions_of,
    list_people_versions,
)
from core.analysis.machines.machine_labels import has_machines, machines_of
from core.analysis.results.declared import declared_measures
from core.analysis.results.scores import SUGGESTED, Scoring
from core.errors import DissentError, TooLittleData
from core.figures.agreement import draw_intervals
from core.wording import plain, plain_with_facts
from pages.agreement.machines.machine_anchoring import show_anchoring
from pages.agreement.machines.machine_conclusions import show_conclusions
from pages.agreement.machines.machine_estimate import show_estimate
from pages.agreement.machines.machine_people import show_people
from pages.agreement.machines.machine_test import show_alternative_test
from pages.shared.facet_widgets import choose_facet
from pages.shared.figure import show_figure
from pages.shared.live import keep_fresh
from pages.shared.page import page
from pages.shared.parts import show_parts
from pages.shared.session import PageContext
from pages.shared.wording import needs_collection

PURPOSE = (
    "How far a machine's labels agree with those of people, beside how far people agree with each "
    "other on the same items, and whether systems would be ranked the same. All of it holds for "
    "the items that were judged. A machine that agrees with people as well as they do may still "
    "favour systems of its own kind, and a difference that is not shown is not shown to be nought: "
    "look at *Conclusions* before its labels stand in for those of people."
)
EMPTY = (
    "No machine has judged anything here yet. Import a machine's labels on the page *Contents*, "
    "part *Import* (choose that they are of a machine), or have a model judge: under *Judging*, "
    "*Machine judge*, or with *dissent judge* from a terminal. How its labels agree with people's "
    "is then shown here; they count nowhere else unless a rule names the machine."
)
NO_MACHINE_HERE = "No machine has given a {facet} a level."
PART = "machines-part"


def _has_tab(context: PageContext) -> bool:
    return bool(context.collection_id) and has_machines(context.study)


@page("machines", "Agreement", "Machines", "organiser", "viewer", tabbed=_has_tab)
def draw(context: PageContext) -> None:
    """Show how one machine compares with people, and what follows from its labels."""
    keep_fresh(context)
    context.sheet.explain(PURPOSE)
    if needs_collection(context):
        return
    if not has_machines(context.study):
        context.sheet.tell(EMPTY)
        return
    facet = choose_facet(context, "machines-facet")
    machines = machines_of(context.study, facet)
    if not machines:
        context.sheet.tell(NO_MACHINE_HERE.format(facet=facet))
        return
    machine = _choose_machine(context, machines)
    question = _ask(context, facet, machine)
    try:
        audit_of(context.study, facet, machine)
    except TooLittleData as error:
        said = str(error)
        context.sheet.tell(plain(f"{said[:1].upper()}{said[1:]}."))
        return
    context.sheet.answer(_answer(context, facet, machine, question))
    _show_machines(compare_machines(context.study, facet))
    parts = {
        "Against people": lambda: show_people(context, facet, machine),
        "Alternative annotator test": lambda: show_alternative_test(context, facet, machine),
        "Conclusions": lambda: show_conclusions(context, question),
        "Estimate": lambda: show_estimate(context, question),
    }
    if showing_rounds_of(context.study):
        parts["Anchoring"] = lambda: show_anchoring(context)
    show_parts(PART, parts)


def _choose_machine(context: PageContext, machines: Mapping[str, str]) -> str:
    if len(machines) == 1:
        return next(iter(machines))
    with context.sheet.choices:
        chosen = st.selectbox(
            "Machine",
            list(machines),
            format_func=machines.__getitem__,
            label_visibility="collapsed",
            width=300,
            key="machines-machine",
            bind="query-params",
        )
    return str(chosen)


def _ask(context: PageContext, facet: str, machine: str) -> MachineQuestion | None:
    """Let the organiser choose people's version and the measure; None without any runs."""
    versions = list_people_versions(context.study, facet)
    if runs_of(context.study).empty or not versions:
        return None
    with context.sheet.options:
        key = st.selectbox(
            "People's judgements",
            list(versions),
            format_func=lambda one: versions[one].name,
            key=f"machines-people-{facet}",
            bind="query-params",
            help="How the labels of people are combined, where they stand beside the machine's.",
        )
        measure = st.selectbox(
            "Measure",
            declared_measures(context.study, SUGGESTED),
            accept_new_options=True,
            key="machines-measure",
            bind="query-params",
            help="What systems are scored by. Type any other, as `P@20`.",
        )
    usual = declared_of(context.study).measure
    measures, wrong = Scoring().read([measure or usual])
    for reason in wrong:
        st.error(plain(reason))
    return MachineQuestion(facet, machine, versions[key], next(iter(measures), usual))


def _answer(
    context: PageContext, facet: str, machine: str, question: MachineQuestion | None
) -> str:
    """Return how the machine compares with people, and whether conclusions change."""
    said = plain_with_facts(audit_of(context.study, facet, machine).answer)
    if question is None:
        return said
    try:
        with st.spinner("Comparing conclusions"):
            found = conclusions_of(context.study, question)
    except DissentError as error:
        return f"{said} Conclusions are not compared: {plain(str(error).removesuffix('.'))}."
    return f"{said} {plain_with_facts(found.tell(machines_of(context.study, facet)[machine]))}"


def _show_machines(rows: pd.DataFrame) -> None:
    show_figure(
        draw_intervals(rows),
        rows,
        "machines",
        "Linear weighted κ of each machine with people, pooled over pairs, and of people with each "
        "other on those of its items that two of them or more judged, where there are any. 95 % "
        "intervals; topics are what is sampled. Intervals of machine and people may overlap and "
        "the two still differ: the sentence above is of their difference. Hollow dots are based on "
        "fewer than 10 common items.",
        nobody=("name", "machine", "whose", "unit"),
    )
