"""The organiser's page of fairness: what a run would lose that had not contributed to the pool."""

import streamlit as st

from core.analysis.base.declared import declared_of
from core.analysis.results.qrels_choices import QrelsChoice
from core.analysis.results.scores import ask_unpooled, scoring_of
from core.collection.files.source import Source
from core.collection.qrels_and_runs.teams import read_teams
from core.errors import DissentError
from core.figures.two_systems import draw_falls
from core.reports.unpooled import Unpooled, list_measures
from core.wording import plain_with_facts
from pages.shared.facet_widgets import key_for
from pages.shared.figure import show_figure, show_report
from pages.shared.page import page
from pages.shared.scoring_widgets import (
    choose_measure,
    choose_scoring,
    choose_version,
    open_results,
    read_measures,
    tell_declared,
)
from pages.shared.session import PageContext
from pages.shared.wording import say_why_not

PURPOSE = (
    "Whether the judgements are fair to runs that did not contribute to the pool. Each run is left "
    "out in turn, or each team's runs together: the pool is built anew from all others, what only "
    "that run brought counts as not judged, and all runs are scored again. Where runs fall far, do "
    "not compare new runs with these by these judgements."
)
MOST = 30
"""Runs in the figure; the table has them all."""


@page("unpooled", "Results", "Unpooled runs", "organiser", "viewer")
def draw(context: PageContext) -> None:
    """Show by how much each run would fall, and by which measures."""
    if (opened := open_results(context, PURPOSE)) is None:
        return
    context = opened
    facet, gain, model, choices = choose_scoring(context)
    if not choices:
        return
    choice, text = _ask_version(context, facet, choices)
    scoring = scoring_of(context.study, facet, model, [text], gain=gain)
    users = model if scoring.weights else None
    tell_declared(context, measure=text, choice=choice, facet=facet, model=users)
    if not (measures := read_measures([text], scoring)):
        return
    asked = _ask_teams(context)
    if asked is None:
        return
    try:
        listed = tuple(str(scoring.apply(one)) for one in list_measures(measures[0]))
        with st.spinner("Scoring without each team"):
            found = ask_unpooled(context.study, choice, listed, scoring.weights, *asked)
            _ = found.found
    except DissentError as error:
        say_why_not(error, "Not computed here:")
        return
    _show(context, found, listed)


def _ask_version(
    context: PageContext, facet: str, choices: dict[str, QrelsChoice]
) -> tuple[QrelsChoice, str]:
    """Return the version and the text of the measure."""
    with context.sheet.choices:
        choice = choose_version(choices, key_for(context, f"unpooled-version-{facet}"), width=260)
        text = choose_measure(context, "unpooled-measure")
    return choice, text or declared_of(context.study).measure


def _ask_teams(context: PageContext) -> tuple[int, int, tuple[tuple[str, str], ...]] | None:
    """Return depth, letters and named teams; None, with a word why, where these cannot be used."""
    with context.sheet.options:
        depth = st.number_input(
            "Depth of the pool",
            0,
            value=0,
            key="unpooled-depth",
            help="How far down the runs were pooled. 0: told from the judgements, as the last rank "
            "up to which nine in ten of the documents at every rank are judged.",
        )
        letters = st.number_input(
            "Letters that tell a team",
            0,
            value=0,
            key="unpooled-letters",
            help="Systems whose names begin with the same so many characters are left out "
            "together. 0: each run for itself.",
        )
        lines = st.text_area(
            "Teams",
            key="unpooled-teams",
            placeholder="system team",
            help="A line *system team* for each system of a team; goes before the letters.",
        )
    try:
        named = read_teams(Source("Teams", lines.encode())) if lines.strip() else {}
    except DissentError as error:
        say_why_not(error, "The teams cannot be read:")
        return None
    return int(depth), int(letters), tuple(named.items())


def _show(context: PageContext, found: Unpooled, measures: tuple[str, ...]) -> None:
    chosen = measures[0]
    context.sheet.answer(plain_with_facts(found.answer))
    own = found.falls[found.falls["measure"] == chosen]
    order = list(own.sort_values(["fall", "system"], ascending=[False, True])["system"])
    compared = [one for one in measures[:2] if one == chosen or _is_condensed(one, chosen)]
    rows = found.falls[found.falls["measure"].isin(compared)].sort_values(
        "system", key=lambda names: names.map(order.index), kind="stable"
    )
    cut = "" if len(order) <= MOST else f" The {MOST} of {len(order):,} runs that fall most."
    show_figure(
        draw_falls(rows[rows["system"].isin(order[:MOST])], chosen),
        found.falls,
        "unpooled-falls",
        f"By how much the mean {chosen} of each run falls if its team had not contributed to the "
        f"pool of depth {found.depth:,}; left of 0 it rises.{cut} On condensed lists documents "
        "without a judgement leave the list, which errs the other way: such runs tend to rise. "
        "Nothing is sampled: the figures are of these runs, topics and judgements.",
    )
    _show_measures(found)
    _show_shares(found)


def _is_condensed(measure: str, chosen: str) -> bool:
    return "judged_only=True" in measure and "judged_only=True" not in chosen


def _show_measures(found: Unpooled) -> None:
    st.markdown("**By measure**")
    show_report(
        found,
        "summary",
        "unpooled-measures",
        "The mean over all runs, and the run that fares worst. A fall below 0 is a rise. *Lost* "
        "counts significant differences that the run left out no longer has, of as many as it "
        f"had; sums over all runs; {found.notes[-1]}.",
    )


def _show_shares(found: Unpooled) -> None:
    st.markdown("**What each brought alone**")
    show_report(
        found,
        "shares",
        "unpooled-shares",
        "Judged documents in the pool of each team's runs, and those that are in the pool of no "
        "other team. A run of a kind of its own brings many alone, and would lose most.",
    )
