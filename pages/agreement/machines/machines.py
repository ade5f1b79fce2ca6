"""Whether a machine may judge in place of people: agreement, conclusions, estimates.

Whether a machine may stand in for any one of several people: the alternative annotator test.
"""

from collections.abc import Mapping

import pandas as pd
import streamlit as st

from core.analysis.agreement.machine_anchoring import showing_rounds_of
from core.analysis.base.declared import declared_of
from core.analysis.base.study import runs_of
from core.analysis.machines.audit import (
    AlternativeSettings,
    alternative_test_of,
    audit_of,
    compare_machines,
)
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
from core.machines.alternative_test import FALSE_DISCOVERY, AlternativeTest
from core.machines.choices import FEWEST_PEOPLE, SCORINGS
from core.reports.machines import MachineAudit
from core.wording import mark_fact, plain, plain_with_facts
from pages.agreement.machines.machine_anchoring import show_anchoring
from pages.agreement.machines.machine_conclusions import show_conclusions, show_estimate
from pages.agreement.machines.machine_people import show_people
from pages.shared.facet_widgets import choose_facet
from pages.shared.figure import show_figure, show_report
from pages.shared.live import keep_fresh
from pages.shared.page import page
from pages.shared.scoring_widgets import choose_version, tell_declared
from pages.shared.session import PageContext
from pages.shared.sheet import show_parts
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
        reason = str(error)
        context.sheet.tell(plain(f"{reason[:1].upper()}{reason[1:]}."))
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
        people = choose_version(
            versions,
            f"machines-people-{facet}",
            "How the labels of people are combined, where they stand beside the machine's.",
            label="People's judgements",
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
    scored_by = next(iter(measures), usual)
    tell_declared(context, measure=scored_by, choice=people, facet=facet)
    return MachineQuestion(facet, machine, people, scored_by)


def _answer(
    context: PageContext, facet: str, machine: str, question: MachineQuestion | None
) -> str:
    """Return how the machine compares with people, and whether conclusions change."""
    answer = plain_with_facts(audit_of(context.study, facet, machine).answer)
    if question is None:
        return answer
    try:
        with st.spinner("Comparing conclusions"):
            found = conclusions_of(context.study, question)
    except DissentError as error:
        return f"{answer} Conclusions are not compared: {plain(str(error).removesuffix('.'))}."
    return f"{answer} {plain_with_facts(found.tell(machines_of(context.study, facet)[machine]))}"


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


EPSILONS = {0.2: "experts (0.2)", 0.15: "skilled people (0.15)", 0.1: "a crowd (0.1)"}
SCORED_BY = dict(
    zip(SCORINGS, ("share with the same level", "root mean squared difference"), strict=True)
)
MEANING = (
    "Each person is left out in turn; on items that others judged, too, person and machine "
    "are compared with these others. **machine as close**: the share of items on which the "
    "machine is at least as close to them as the person. The hypothesis is that the person is "
    "better by ε or more, for what people's labels cost; where it is **rejected**, the machine is "
    "shown to be no worse by ε. **p over items** takes items for the sample, as the authors do; "
    "**p over topics** is stricter, as items of one topic are alike. Both are corrected over "
    f"people (Benjamini and Yekutieli, q = {FALSE_DISCOVERY:g}). Calderon, Reichart and Dror "
    "(2025), arXiv:2501.10970."
)


def show_alternative_test(context: PageContext, facet: str, machine: str) -> None:
    """Show the test under the settings that are chosen, or why it is not defined here."""
    settings = _choose_settings()
    test = alternative_test_of(context.study, facet, machine, settings)
    if not test.defined:
        st.info(
            f"The test is not defined here: {plain(test.reason)}. It needs items that two people "
            "or more judged, besides the machine: on the page *Rounds*, open a round with two "
            "assessors to a topic or more."
        )
        return
    st.markdown(plain_with_facts(test.describe(mark_fact)))
    _show_people(test)


def _choose_settings() -> AlternativeSettings:
    with st.container(horizontal=True, vertical_alignment="bottom"):
        epsilon = st.selectbox(
            "People are",
            list(EPSILONS),
            format_func=EPSILONS.__getitem__,
            key="machines-epsilon",
            bind="query-params",
            help="ε: what people may be better by and the machine still stand in for them, as "
            "people's labels cost more. The authors suggest these values.",
        )
        scoring = st.selectbox(
            "Closeness",
            SCORINGS,
            format_func=SCORED_BY.__getitem__,
            key="machines-scoring",
            bind="query-params",
        )
        fewest = st.number_input(
            "Fewest items", 1, 10_000, 1, key="machines-fewest", help="Who has fewer takes no part."
        )
        people = st.number_input(
            "Fewest people an item",
            2,
            100,
            FEWEST_PEOPLE,
            key="machines-people",
            help="Items with labels of fewer people take no part: 2 as in the authors' program; 3 "
            "compares each person with two others or more.",
        )
    return AlternativeSettings(float(epsilon), str(scoring), int(fewest), int(people))


def _show_people(test: AlternativeTest) -> None:
    show_report(
        MachineAudit, "alternative", "machine-alternative-test", MEANING, rows=test.annotators
    )
