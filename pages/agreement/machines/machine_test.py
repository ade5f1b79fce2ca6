"""Whether a machine may stand in for any one of several people: the alternative annotator test."""

import streamlit as st

from core.analysis.machines.audit import AlternativeSettings, alternative_test_of
from core.machines.alternative_test import FALSE_DISCOVERY, AlternativeTest
from core.machines.choices import FEWEST_PEOPLE, SCORINGS
from core.reports.machines import MachineAudit
from core.wording import mark_fact, plain, plain_with_facts
from pages.shared.figure import show_report
from pages.shared.session import PageContext

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
