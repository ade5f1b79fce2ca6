"""What users' clicks say beside position, and beside the levels that people gave."""

from collections.abc import Callable

import streamlit as st

from core.analysis.clicks.beside_judges import (
    ClickChoice,
    clicks_of,
    list_judgements,
    logs_of,
)
from core.analysis.results.qrels_choices import level_names
from core.clicks.click_model import CLICK_MODELS
from core.figures.clicks import draw_click_rates
from core.reports.clicks import USUAL, ClickAnalysis, ClickQuestion
from core.wording import count, plain_with_facts
from pages.agreement.clicks.click_contradictions import show_contradictions
from pages.agreement.clicks.click_levels import show_levels
from pages.agreement.clicks.click_models import show_models
from pages.agreement.clicks.click_preferences import show_preferences
from pages.shared.facet_widgets import choose_facet
from pages.shared.figure import show_figure
from pages.shared.live import keep_fresh
from pages.shared.page import page
from pages.shared.parts import show_parts
from pages.shared.session import PageContext
from pages.shared.wording import needs_collection

PURPOSE = (
    "What is shown higher is clicked more, whatever it is: clicks are set here against what "
    "position alone gives. Click models take position out, each in its own way, and are compared "
    "in sessions that they were not fitted to. Sessions are what is sampled, unless it says "
    "otherwise. Clicks tell what attracted a user in a list, not whether it served them."
)
EMPTY = (
    "There is no click log yet. Import one on the page *Contents*, part *Import*: sessions with "
    "their queries, the results that were shown, and clicks."
)
UNJUDGED = (
    "No result of this log has a level or a preference here: its queries and documents have to be "
    "topics and documents of this collection. The page *Contents* says which are."
)
PART = "clicks-part"
MOST_LEVELS = 8
"""Lines in a figure."""

FEW = 30
"""Showings without which a point is not drawn."""


def _has_tab(context: PageContext) -> bool:
    return bool(context.collection_id) and bool(logs_of(context.study))


@page("clicks", "Agreement", "Clicks", "organiser", "viewer", tabbed=_has_tab)
def draw(context: PageContext) -> None:
    """Show a click log beside position, models, and people."""
    keep_fresh(context)
    context.sheet.explain(PURPOSE)
    if needs_collection(context):
        return
    logs = logs_of(context.study)
    if not logs:
        context.sheet.tell(EMPTY)
        return
    choice, question = _ask(context, logs)
    with st.spinner("Reading clicks"):
        found = clicks_of(context.study, choice, question)
        context.sheet.answer(plain_with_facts(found.answer))
    names = _name_levels(context, choice)
    _show_rates(found, names)
    show_parts(PART, _list_parts(found, names))


def _list_parts(found: ClickAnalysis, names: dict[float, str]) -> dict[str, Callable[[], None]]:
    """Return what draws each part; without judgements there are models only."""
    parts: dict[str, Callable[[], None]] = {}
    if found.levels is not None or found.opinions:
        parts["Preferences"] = lambda: show_preferences(found)
    else:
        st.info(UNJUDGED)
    if found.levels is not None:
        parts["Levels"] = lambda: show_levels(found, names)
    parts["Models"] = lambda: show_models(found)
    if found.levels is not None:
        parts["Contradictions"] = lambda: show_contradictions(found, names)
    return parts


def _ask(context: PageContext, logs: tuple[str, ...]) -> tuple[ClickChoice, ClickQuestion]:
    log = logs[0]
    if len(logs) > 1:
        with context.sheet.choices:
            log = st.selectbox(
                "Click log",
                logs,
                label_visibility="collapsed",
                width=300,
                key="clicks-log",
                bind="query-params",
            )
    facet = choose_facet(context, "clicks-facet")
    judgements = list_judgements(context.study, facet)
    chosen = ""
    with context.sheet.options:
        if judgements:
            chosen = st.selectbox(
                "People's judgements",
                list(judgements),
                format_func=lambda one: judgements[one].name,
                key=f"clicks-judgements-{facet}",
                bind="query-params",
                help="How labels are combined into the levels that clicks are set against.",
            )
        models = st.multiselect(
            "Click models",
            [one for entry in CLICK_MODELS if not entry.needs_levels for one in entry.suggested],
            list(USUAL.models),
            key="clicks-models",
            bind="query-params",
            help="Set against the click-through rate by rank. DCM, SDBN and DBN take their time. "
            "The first with attractiveness tells that of levels and of single results.",
        )
    question = ClickQuestion(tuple(models) or USUAL.models)
    return ClickChoice(str(log), facet, judgements.get(chosen)), question


def _name_levels(context: PageContext, choice: ClickChoice) -> dict[float, str]:
    if choice.judgements is None:
        return {}
    names = level_names(context.study, choice.facet, choice.judgements)
    return {float(level): name for level, name in names.items()}


def _show_rates(found: ClickAnalysis, names: dict[float, str]) -> None:
    """Show the share that was clicked by rank, of each level where there are any."""
    apart = found.levels is not None and len(found.by_level) <= MOST_LEVELS
    rates = found.by_level_and_rank if apart else found.by_rank
    judged = ", a line for each level that people gave" if apart else ""
    log = found.log
    show_figure(
        draw_click_rates(rates, names, least=FEW),
        rates,
        "click-rates",
        f"How often a result at each rank was clicked{judged}, with 95 % intervals; sessions are "
        "what is sampled (each is left out in turn). Lines that fall together mean that position "
        "alone decides; lines apart at the same rank, that users tell levels apart. What was shown "
        f"fewer than {FEW} times stands in the data only.",
        nobody=NOBODY,
    )
    st.caption(
        f"{count(len(set(log.session.tolist())), 'session')}, {count(len(log), 'page')} of "
        f"results, {count(int(log.clicked.sum()), 'click')}."
    )


NOBODY: tuple[str, ...] = ("unit", "interval", "reason")
