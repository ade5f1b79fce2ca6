"""What users' clicks say beside position, and beside the levels that people gave.

Preferences read from clicks, beside those of people. How attractive results of each level are to
users, and what clicks tell of levels. Click models of a log, side by side. Which results people
and clicks contradict each other about most.
"""

from collections.abc import Callable, Mapping

import pandas as pd
import streamlit as st

from core.analysis.clicks.beside_judges import (
    ClickChoice,
    clicks_of,
    list_judgements,
    logs_of,
)
from core.analysis.results.qrels_choices import level_names
from core.clicks.click_model import CLICK_MODELS
from core.clicks.likelihood import EXAMINATION, RANK
from core.errors import DissentError
from core.figures.agreement import draw_intervals
from core.figures.clicks import draw_click_rates, draw_examination, draw_perplexity, name_level
from core.reports.clicks import (
    AGAINST_WORDS,
    OF_FEW_SESSIONS,
    USUAL,
    ClickAnalysis,
    ClickQuestion,
)
from core.wording import count, plain, plain_with_facts
from pages.shared.facet_widgets import choose_facet
from pages.shared.figure import show_figure, show_report
from pages.shared.live import keep_fresh
from pages.shared.page import page
from pages.shared.scoring_widgets import choose_version, tell_declared
from pages.shared.session import PageContext
from pages.shared.sheet import show_parts
from pages.shared.wording import needs_collection, say_why_not

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
    chosen = None
    with context.sheet.options:
        if judgements:
            chosen = choose_version(
                judgements,
                f"clicks-judgements-{facet}",
                "How labels are combined into the levels that clicks are set against.",
                label="People's judgements",
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
    tell_declared(context, choice=chosen, facet=facet)
    question = ClickQuestion(tuple(models) or USUAL.models)
    return ClickChoice(str(log), facet, chosen), question


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


OF_RULES = ("rule", "title", "against", "unit")


def show_preferences(found: ClickAnalysis) -> None:
    """Show how often people prefer what clicks prefer, beside what position alone gives."""
    _draw_lift(found.lift)
    show_report(
        found,
        "lift",
        "click-lift",
        "Each rule reads clicks of a list as preferences between its results (Joachims et al. "
        "2005); a log does not have the order of clicks, so they are taken to go down the list. "
        "**agree**: the share of pairs in which people prefer the same; ties and pairs that nobody "
        "judged count in no share. **by position**: the share in all pages, whatever was clicked, "
        "at the same two ranks. **lift**: the first over the second; 1 means that clicks tell "
        "nothing beyond position. 95 % limits; sessions are what is sampled.",
    )


def _draw_lift(lift: pd.DataFrame) -> None:
    known = lift[lift["low"].notna()]
    if known.empty:
        return
    against = known["against"].map(AGAINST_WORDS).str.removeprefix("side-by-side ")
    rows = known.assign(
        name=known["title"] + ", " + against,
        n=known["pairs"],
        value=known["lift"],
        counted=True,
    )
    show_figure(
        draw_intervals(rows, x="lift over position", neutral=1, reach=2.0),
        lift,
        "click-lifts",
        "How many times more often people prefer what clicks prefer than position alone gives; "
        "right of the dotted line clicks tell more than position. 95 % intervals; sessions are "
        "what is sampled.",
        nobody=OF_RULES,
    )


def show_levels(found: ClickAnalysis, names: Mapping[float, str]) -> None:
    """Show clicks and attractiveness by level, and what both are worth for predicting levels."""
    left, right = st.columns(2)
    with left:
        _list_rates(found, names)
    with right:
        _show_attractiveness(found, names)
    st.header("Levels predicted from clicks", anchor=False)
    try:
        _list_predicted(found)
    except DissentError as error:
        say_why_not(error, "Nothing is predicted:")


def _list_rates(found: ClickAnalysis, names: Mapping[float, str]) -> None:
    show_report(
        found,
        "by_level",
        "click-levels",
        "How often results of each level were clicked, wherever they stood, with 95 % limits; "
        "sessions are what is sampled. A high level stands higher in lists, which alone brings "
        "clicks: the figure beside takes rank out.",
        written={"level": lambda level: name_level(level, names)},
    )


def _show_attractiveness(found: ClickAnalysis, names: Mapping[float, str]) -> None:
    rows = found.attractiveness
    drawn = rows[rows["low"].notna()]
    drawn = drawn.assign(
        name=[name_level(level, names) for level in drawn["level"]], n=drawn["items"], counted=True
    )
    if drawn.empty:
        st.caption(plain(f"No attractiveness by level: {rows['reason'].iloc[0]}."))
        return
    show_figure(
        draw_intervals(drawn, x=f"attractiveness, {found.leading}", neutral=0, reach=1.0),
        rows,
        "click-attractiveness",
        "How likely a result of each level is clicked once it is examined: the model is fitted as "
        "if all results of a level were one. 95 % intervals; sessions are what is sampled, with "
        "random weights (Bayesian bootstrap).",
    )


def _list_predicted(found: ClickAnalysis) -> None:
    show_report(
        found,
        "predicted",
        "click-predicting",
        "Of two results of a query with different levels: how often the one with the higher level "
        "has the higher prediction (the area under the ROC curve, AUC; .5 is chance), as the mean "
        "over topics that were held out, with 95 % limits; topics are what is sampled. A result "
        "of which clicks say little has the attractiveness of the mean, so that attractiveness "
        "alone says little of results that are shown low.",
    )


OF_MODELS = ("model", "interval", "unit", "reason")


def show_models(found: ClickAnalysis) -> None:
    """Show how well models predict clicks, what they say of ranks, and what they cannot tell."""
    try:
        with st.spinner("Fitting click models"):
            answer = found.tell("models")
    except DissentError as error:
        say_why_not(error, "Models are not compared:")
        return
    st.markdown(plain_with_facts(answer))
    _list_models(found)
    left, right = st.columns(2)
    with left:
        _show_perplexity(found.perplexity)
    with right:
        _show_examination(found)
    with st.expander("What these models cannot tell"):
        for model, what in found.cannot_tell.to_numpy():
            st.markdown(f"- **{plain(model)}**: {plain(what)}.")


def _list_models(found: ClickAnalysis) -> None:
    show_report(
        found,
        "models",
        "click-models",
        "How much clicks of held-out sessions surprise each model. **Perplexity** by the chance of "
        "a click whatever happens above: 1 is foresight, 2 is a coin; the mean over ranks. **Given "
        "clicks above**: by the chance given them. **From rank alone**: less that of the "
        "click-through rate by rank. 95 % limits by drawing sessions again, given the fits: "
        "sessions are what is sampled.",
    )


def _show_perplexity(by_rank: pd.DataFrame) -> None:
    show_figure(
        draw_perplexity(by_rank),
        by_rank,
        "click-perplexity",
        "The perplexity of each rank in held-out sessions: how much a click or its absence there "
        "surprises a model; lower is better. Where hardly anything is clicked no model is "
        "surprised. Estimates only: the table has limits of the mean.",
        nobody=OF_MODELS,
    )


def _show_examination(found: ClickAnalysis) -> None:
    fits = {
        name: fit.parameters[EXAMINATION]
        for name, fit in found.fits.items()
        if fit.likelihood.axes.get(EXAMINATION) == (RANK,)
    }
    if not fits:
        return
    rows = [
        {"model": name, "rank": rank, "examination": value}
        for name, values in fits.items()
        for rank, value in enumerate(values, start=1)
    ]
    show_figure(
        draw_examination(fits),
        pd.DataFrame(rows),
        "click-examination",
        "How likely a user looks at each rank, as the position-based model has it; the first rank "
        "is examined by the model's assumption. Estimates only: *dissent clicks* has all "
        "parameters of the models.",
        nobody=OF_MODELS,
    )


MOST_LISTED = 1_000


def show_contradictions(found: ClickAnalysis, names: Mapping[float, str]) -> None:
    """List results to look at, the most likely contradiction first."""
    try:
        result = found.contradictions
    except DissentError as error:
        say_why_not(error, "Nothing is listed:")
        return
    cut = name_level(result.cut, names)
    st.markdown(plain_with_facts(found.tell("contradicting", cut)))
    rows = result.frame.head(MOST_LISTED)
    if rows.empty:
        return
    show_report(
        found,
        "contradicting",
        "click-contradictions",
        f"A list to look at, by {found.leading}, the most likely contradiction first. Labels may "
        "be wrong, or users may be drawn by a title and then be let down: clicks do not tell. "
        "**probability**: that it contradicts, given its clicks and how attractive all results "
        "judged high, or low, are (empirical Bayes); so it allows for how many are looked at. "
        f"{OF_FEW_SESSIONS} "
        "**false up to here**: the share of this and all rows above that is expected to be chance.",
        rows=rows,
        written={"level": lambda level: name_level(level, names)},
    )
