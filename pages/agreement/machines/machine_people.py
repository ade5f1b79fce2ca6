"""A machine beside each person: coefficients, levels, level shift and topics."""

import pandas as pd
import streamlit as st

from core.analysis.base.study import scales_of
from core.analysis.machines.audit import LINEAR, audit_of
from core.analysis.machines.machine_labels import count_states
from core.collection.labels.label_options import CANNOT_JUDGE, INVALID_ANSWER, JUDGED
from core.collection.records import counted_levels
from core.figures.machines import draw_level_shift, draw_machine_agreement, draw_machine_levels
from core.reports.machines import MachineAudit
from core.wording import count
from pages.shared.figure import show_figure, show_report
from pages.shared.session import PageContext

MOST_DRAWN = 20
"""Pairs of either kind in a figure: those with the most common items."""

NOBODY = ("machine", "whose", "unit", "machine_level")


def show_people(context: PageContext, facet: str, machine: str) -> None:
    """Show what was judged, and then a machine beside each person."""
    found = audit_of(context.study, facet, machine)
    _tell_judged(context, facet, machine, found)
    left, right = st.columns(2)
    with left:
        _show_pairs(found)
    with right:
        _show_levels(context, facet, found)
    left, right = st.columns(2)
    with left:
        _show_shift(found)
    with right:
        _show_near(context, facet, found)
    _show_coefficients(found)
    _show_topics(found)


def _tell_judged(context: PageContext, facet: str, machine: str, found: MachineAudit) -> None:
    """Say how many items there are, what became of the others, and how they were chosen."""
    states = count_states(context.study, facet, machine)
    row = found.coverage.iloc[0]
    unread = count(states[INVALID_ANSWER], "invalid answer")
    common, alone = ("has" if row[one] == 1 else "have" for one in ("items", "only_machine"))
    sentence = (
        f"It gave **{count(states[JUDGED], 'level')}**, {count(states[CANNOT_JUDGE], 'time')} "
        f"*cannot judge* and {unread}, which count in nothing below. "
        f"**{count(row['items'], 'item')}** {common} a level of the machine and of one of "
        f"{count(row['people'], 'person', 'people')}; {row['only_machine']:,} {alone} one of the "
        f"machine only, {row['only_people']:,} of people only."
    )
    st.markdown(f"{sentence} {found.sampling}")


def _show_pairs(found: MachineAudit) -> None:
    pairs, people = (
        rows[rows["coefficient"] == str(LINEAR)] for rows in (found.pairs, found.people)
    )
    drawn = [rows.nlargest(MOST_DRAWN, "n", keep="first") for rows in (pairs, people)]
    show_figure(
        draw_machine_agreement(*drawn),
        pd.concat([pairs, people], ignore_index=True),
        "machine-pairs",
        "Linear weighted κ of the machine with each person, and, hollow, of every two people on "
        "the items that the machine judged. 95 % intervals; the pair's topics are what is sampled. "
        f"At most {MOST_DRAWN} of either kind, those with the most common items; *Data* has all.",
        nobody=NOBODY,
    )


def _show_levels(context: PageContext, facet: str, found: MachineAudit) -> None:
    names = counted_levels(scales_of(context.study)[facet])
    show_figure(
        draw_machine_levels(found.distributions, names),
        found.distributions,
        "machine-levels",
        "Each label of a person is in one cell: its row is the level that the person gave, its "
        "column that of the machine for the same item. Under the count is the share of the row. "
        "On the diagonal both said the same; more on its right means that the machine is more "
        "lenient. Limits of the shares are in the data; topics are what is sampled.",
        nobody=NOBODY,
    )


def _show_shift(found: MachineAudit) -> None:
    rows = found.shifts
    drawn = rows.nlargest(MOST_DRAWN, "n", keep="first")
    show_figure(
        draw_level_shift(drawn),
        rows,
        "machine-shift",
        "The mean of the machine's level less the person's over the items of both, with its 95 % "
        "interval; topics are what is sampled. Above 0 the machine is more lenient than that "
        "person, below 0 stricter. A shift alone need not change the order of systems.",
        nobody=NOBODY,
    )


def _show_near(context: PageContext, facet: str, found: MachineAudit) -> None:
    names = counted_levels(scales_of(context.study)[facet])
    show_report(
        found,
        "near",
        "machine-near",
        "For each level of people, how often the machine's is at most one step of the scale away, "
        "with its 95 % interval; topics are what is sampled.",
        without=["machine"],
        written={"level": names.__getitem__},
    )


def _show_coefficients(found: MachineAudit) -> None:
    st.header("Every coefficient", anchor=False)
    show_report(
        found,
        "differences",
        "machine-differences",
        "Pooled over pairs, on the items that two people or more judged (on all, where there are "
        "none): the machine **with people**, people with each other, and the difference with its "
        "95 % interval, in which each topic is left out of both at once. *shown to be* is empty "
        "where the interval has 0 in it: a difference is then not shown, which does not mean that "
        "there is none. Each interval is of that coefficient alone.",
        without=["machine"],
    )
    st.header("Person by person", anchor=False)
    show_report(
        found,
        "pairs",
        "machine-coefficients",
        "The machine with each person on the items of both; the pair's topics are what is sampled. "
        "Where coefficients disagree, look at how unevenly the levels are used. α is "
        "Krippendorff's, of the two.",
        without=["machine"],
    )


def _show_topics(found: MachineAudit) -> None:
    st.header("Topic by topic", anchor=False)
    show_report(
        found,
        "topics",
        "machine-topics",
        "Linear weighted κ of the machine with each person on each topic, lowest first, with its "
        "95 % interval, in which items are what is sampled. *counted* is off below ten common "
        "items, or where κ is not defined.",
        rows=found.topics.sort_values(
            ["counted", "value"], ascending=[False, True], ignore_index=True
        ),
        without=["machine"],
    )
