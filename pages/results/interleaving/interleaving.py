"""The page of interleaving: which of two runs users would click, and how soon that shows.

What is asked of interleaving: judgements, two runs, a method, users and how many lists. Its parts:
numbers, power, Δ beside a measure, and a log of interleaved lists that people clicked, which is
read, told, and not kept.
"""

from dataclasses import dataclass

import pandas as pd
import streamlit as st

from core.analysis.base.declared import declared_of
from core.analysis.base.moments import describe_moment
from core.analysis.base.study import runs_of
from core.analysis.clicks.beside_judges import logs_of
from core.analysis.results.basis import ScoreBasis
from core.analysis.results.declared import offer_versions
from core.analysis.results.interleaving import (
    NAVIGATIONAL,
    PAIRS,
    TEAM_DRAFT,
    InterleavingQuestion,
    beside_measure,
    power_of,
    preference_in_log,
    preference_of,
    preferences_of_users,
)
from core.analysis.results.qrels_choices import QrelsChoice, version_of
from core.analysis.results.scores import rankings_of
from core.clicks.choices import USUAL
from core.collection.click_logs.ab_log import read_ab_log
from core.collection.click_logs.interleaving_log import read_interleaving_log
from core.collection.files.source import Source
from core.errors import DissentError
from core.figures.interleaving import draw_beside_measure, draw_power_by_lists, draw_preferences
from core.interleaving.base import METHODS
from core.interleaving.power import ENOUGH, find_enough
from core.interleaving.users import USERS
from core.reports.ab_test import USUAL as USUAL_TEST
from core.reports.ab_test import ABQuestion, ABTest
from core.reports.interleaving import TESTED_BY, Interleaving, count_agreement, tell_agreement
from core.wording import count, plain, plain_with_facts
from pages.shared.facet_widgets import choose_facet, key_for
from pages.shared.figure import show_figure, show_report
from pages.shared.page import page
from pages.shared.scoring_widgets import (
    choose_users,
    choose_version,
    open_results,
    tell_declared,
    tell_unjudged,
)
from pages.shared.session import PageContext
from pages.shared.sheet import show_parts
from pages.shared.wording import refuse, say_why_not, show_notes

MOST = 10_000
"""Lists that a page shows to simulated users."""


@dataclass(frozen=True, eq=False)
class InterleavingContext:
    """A question, whose judgements count, and what the answer is based on."""

    context: PageContext
    choice: QrelsChoice
    question: InterleavingQuestion

    @property
    def basis(self) -> ScoreBasis:
        """What the answer is based on."""
        study = self.context.study
        version = version_of(study, self.choice)
        moment = describe_moment(study, version.last_sequence)
        return ScoreBasis(self.choice, version, rankings_of(study, self.choice), (), moment)


def ask(context: PageContext) -> InterleavingContext | None:
    """Let somebody choose; None, with a word why, as long as nothing can be shown."""
    systems = sorted(map(str, runs_of(context.study)["system"].unique()))
    if len(systems) < 2:
        context.sheet.tell("There is one run only. Import another one on the page *Contents*.")
        return None
    facet = choose_facet(context, "scores-facet")
    choices = offer_versions(context.study, facet, choose_users(context, facet))
    if not choices:
        context.sheet.tell(tell_unjudged(context, facet))
        return None
    first_two = _begin_with(systems, declared_of(context.study).baseline)
    with context.sheet.choices:
        first, second = (
            _choose_run(systems, systems.index(one), name)
            for one, name in zip(first_two, ("first", "second"), strict=True)
        )
    with context.sheet.options:
        key = key_for(context, f"interleaving-version-{facet}")
        choice = choose_version(choices, key, "What simulated users find useful.")
        method = _choose_method()
        user, log = _choose_user(logs_of(context.study))
        impressions = st.number_input(
            "Lists shown",
            10,
            MOST,
            1_000,
            key="interleaving-impressions",
            bind="query-params",
            help="Each is shown in a session of its own, for a topic drawn at random.",
        )
    if first == second:
        context.sheet.tell("Choose two different runs.")
        return None
    tell_declared(context, choice=choice, facet=facet)
    question = InterleavingQuestion(first, second, method, user, int(impressions), log=log)
    return InterleavingContext(context, choice, question)


def _begin_with(systems: list[str], baseline: str) -> tuple[str, str]:
    """Return the first two systems, or the first other one and the declared baseline."""
    if baseline not in systems:
        return systems[0], systems[1]
    return next(one for one in systems if one != baseline), baseline


def _choose_run(systems: list[str], at: int, name: str) -> str:
    chosen = st.selectbox(
        f"{name.capitalize()} run",
        systems,
        index=at,
        label_visibility="collapsed",
        width=200,
        key=f"interleaving-{name}",
        bind="query-params",
    )
    return str(chosen)


def _choose_method() -> str:
    methods = {text: entry for entry in METHODS for text in entry.suggested}
    method = st.selectbox(
        "Method",
        list(methods),
        index=list(methods).index(TEAM_DRAFT),
        key="interleaving-method",
        bind="query-params",
        help="  \n".join(f"**{name}**: {one.description}" for name, one in methods.items()),
    )
    return str(method)


def _choose_user(logs: tuple[str, ...]) -> tuple[str, str]:
    """Return a kind of users, and the click log that they are learnt from; '' for the others."""
    named = {text: entry for entry in USERS for text in entry.suggested}
    learnt = {f"{model}, fitted to {log}": (model, log) for log in logs for model in USUAL}
    users = [f"**{name}**: {plain(one.description)}" for name, one in named.items()]
    if learnt:
        users.append("**fitted**: click on each level as the users of a click log did")
    chosen = str(
        st.selectbox(
            "Simulated users",
            [*named, *learnt],
            index=list(named).index(NAVIGATIONAL),
            key="interleaving-user",
            bind="query-params",
            help="  \n".join(users),
        )
    )
    return learnt.get(chosen, (chosen, ""))


FIXED = ("first", "second", "user", "method", "test", "agrees", "unit")
ABOUT_NUMBERS = (
    "Lists that either run wins, by user and method; Δ with 95 % limits over sessions. *p* is of a "
    "sign test of sessions without ties; *ties half* gives each run half of them; "
    "*bootstrap* draws sessions again. Probabilistic interleaving knows only how probable it is "
    "that a run wins a list, so its counts are sums of probabilities. p are not corrected for "
    "several users and methods."
)
ABOUT_POWER = (
    "The share of simulated studies in which a test finds a difference at p < {alpha:g}, by how "
    "many lists users are shown. Interleaving: a sign test. A/B: half the users see one run and "
    "half the other, and Welch's t compares the number of clicks, whether there is any "
    "(abandonment), and 1/rank of the first click. A study looks once, at its end: looking again "
    "and again finds differences that are not there. Dotted: 80 %."
)
ABOUT_BESIDE = (
    f"Pairs of runs, at most {PAIRS}, spread evenly over their differences. Horizontal: by how "
    "much the means by the measure differ, the better run first; filled where that is significant "
    f"({TESTED_BY} test, corrected for all pairs; topics are sampled). Vertical: Δ of the same "
    "simulated users, with 95 % limits for each pair alone; sessions are sampled. Above 0 users "
    "prefer the run that is better by the measure."
)


def show_numbers(asked: InterleavingContext, rows: pd.DataFrame) -> None:
    """Show who wins how many lists."""
    show_report(
        Interleaving,
        "preference",
        "interleaving-numbers",
        ABOUT_NUMBERS,
        rows=rows,
        stamp=lambda one: asked.basis.add_columns(one, asked.context.study),
    )


def show_power(asked: InterleavingContext) -> None:
    """Show how many lists it takes until a difference shows."""
    with st.spinner("Simulating studies"):
        power = power_of(asked.context.study, asked.choice, asked.question)
    st.markdown(_say_enough(power, asked.question))
    alpha = declared_of(asked.context.study).alpha
    show_figure(
        draw_power_by_lists(power, ENOUGH, alpha),
        asked.basis.add_columns(_add_question(power, asked), asked.context.study),
        "interleaving-power",
        ABOUT_POWER.format(alpha=alpha),
        nobody=FIXED,
    )
    studies = count(int(power["simulations"].iloc[0]), "simulated study", "simulated studies")
    st.caption(f"{studies} a point, of {plain(asked.question.users)}.")


def _say_enough(power: pd.DataFrame, question: InterleavingQuestion) -> str:
    """Return from how many lists each test finds the difference in most studies."""
    enough = find_enough(power)
    sentences = []
    for measure, number in zip(enough["measure"], enough["impressions"], strict=True):
        name = f"A/B test of {measure}" if measure else f"{plain(question.method)} interleaving"
        own = power.loc[power["measure"] == measure, "found"]
        if own.isna().all():
            many = "not known, as no study could be tested"
        elif pd.isna(number):
            many = f"over {question.impressions:,}"
        else:
            many = f"**{int(number):,}**"
        sentences.append(f"{name} {many}")
    return f"Lists needed to find this difference in 80 % of studies: {'; '.join(sentences)}."


def show_beside(asked: InterleavingContext) -> None:
    """Show Δ of pairs of runs beside the difference of their means by a measure."""
    declared = declared_of(asked.context.study)
    measure = declared.measure
    with st.spinner("Interleaving pairs of runs"):
        pairs = beside_measure(asked.context.study, asked.choice, asked.question)
    counted = count_agreement(pairs, declared.alpha)
    st.markdown(plain_with_facts(tell_agreement(counted, measure)))
    show_figure(
        draw_beside_measure(pairs, measure, declared.alpha),
        asked.basis.add_columns(_add_question(pairs, asked), asked.context.study),
        "interleaving-beside-measure",
        ABOUT_BESIDE,
        nobody=FIXED,
    )


def _add_question(rows: pd.DataFrame, asked: InterleavingContext) -> pd.DataFrame:
    """Return rows with what was simulated as columns."""
    question = asked.question
    named = rows.assign(
        user=question.user, log=question.log, lists=question.impressions, seed=question.seed
    )
    if "method" not in named:
        named["method"] = question.method
    return named


LAYOUT = (
    "TSV or CSV with the columns `session`, `topic`, `rank`, `document`, `clicked` and `team` "
    "(first or second), a list beginning at rank 1; or JSONL, a list a line, with `session`, "
    "`topic`, `shown`, `clicks` (ids or ranks) and `teams`. Balanced and probabilistic "
    "interleaving need no teams. The lists have to be made of the two runs chosen above, by the "
    "method chosen under *Options*. The file is not kept."
)
SHOWN_OF_LOG = (
    "Δ of the lists in the log, with its 95 % limits: sessions are sampled. It holds for the users "
    "and topics of the log; whether they are like others is not known here."
)


def show_log(asked: InterleavingContext) -> None:
    """Let somebody give a log, and say whom its users prefer."""
    file = st.file_uploader(
        "Log of interleaved lists",
        type=["tsv", "csv", "txt", "jsonl", "json", "gz"],
        help=LAYOUT,
        key="interleaving-log",
    )
    if file is None:
        st.caption(LAYOUT)
        return
    source = Source(file.name, file.getvalue())
    try:
        lists = read_interleaving_log(source)
        found = preference_in_log(asked.context.study, lists, asked.question, source.name)
    except DissentError as error:
        refuse(error, "Nothing was read.")
        return
    st.markdown(plain_with_facts(found.answer))
    show_notes(found.notes)
    show_figure(
        draw_preferences(found.preference),
        found.preference,
        "interleaving-of-log",
        SHOWN_OF_LOG,
        nobody=FIXED,
    )
    if found.comparison.reason:
        st.caption(f"Missing: {found.comparison.reason}.")


PURPOSE = (
    "Interleaving shows users one list made of two runs and credits their clicks to either. Here "
    "users are simulated: they click by the relevance of one qrels version. So this says what such "
    "users would prefer if the judgements were right, how many lists it would take until that "
    "shows, and how it compares with an A/B test and a measure; it is no evidence of what people "
    "want. A log of lists that people clicked can be read under *A log*, that of an A/B test under "
    "*An A/B test*. Clicks speak of the topics asked for: more lists do not make a difference hold "
    "for other topics."
)
SHOWN = (
    "Δ is the share of lists that the first run wins, ties counting half, less one half: 0.5 if it "
    "wins all, −0.5 if the second does. Each kind of simulated user and each method has 95 % "
    "limits, by drawing sessions again. **Perfect** users click all that is relevant and nothing "
    "else; **navigational** ones look for one good document; **informational** ones click much; a "
    "click model's, under *Options*, click as those of a click log did on results of each level. "
    "Limits grow narrower with more lists; they say nothing about other topics, nor about people."
)


@page("interleaving", "Results", "Interleaving", "organiser", "viewer")
def draw(context: PageContext) -> None:
    """Show whom simulated users prefer, then power, nDCG, and logs."""
    if (opened := open_results(context, PURPOSE)) is None:
        return
    context = opened
    asked = ask(context)
    if asked is None:
        return
    try:
        with st.spinner("Showing lists to simulated users"):
            _show(asked)
    except DissentError as error:
        say_why_not(error, "Nothing can be interleaved from these choices:")


def _show(asked: InterleavingContext) -> None:
    study, question = asked.context.study, asked.question
    found = preference_of(study, asked.choice, question)
    rows = preferences_of_users(study, asked.choice, question)
    asked.context.sheet.answer(plain_with_facts(found.answer))
    show_figure(
        draw_preferences(rows),
        asked.basis.add_columns(rows, study),
        "interleaving",
        SHOWN,
        nobody=FIXED,
    )
    show_notes(found.notes)
    show_parts(
        "interleaving-part",
        {
            "Numbers": lambda: show_numbers(asked, rows),
            "Lists needed": lambda: show_power(asked),
            "Beside a measure": lambda: show_beside(asked),
            "A log": lambda: show_log(asked),
            "An A/B test": lambda: show_ab_log(declared_of(asked.context.study).alpha),
        },
    )


AB_LAYOUT = (
    "TSV, CSV or JSONL with a row for each visit: `user`, `arm` (two of them), `outcome` (a "
    "number, such as clicks, or yes and no) and perhaps `before`, the user's outcome before the "
    "test. The file is not kept."
)
SHOWN_OF_AB = {
    "difference": "The other arm less the one it is compared with, with 95 % limits; users are "
    "what is sampled, and those with many visits weigh more. **Adjusted** takes away what the "
    "outcomes before the test foretell.",
    "arms": "Visits weigh alike in the outcome.",
    "split": "**p** is exact, of the binomial distribution of users.",
    "needed": "With users who vary as these do.",
}
"""Tables in order, and what is to be known of each."""


def show_ab_log(alpha: float) -> None:
    """Let somebody give the log of an A/B test, and say whether its arms differ."""
    file = st.file_uploader(
        "Log of an A/B test",
        type=["tsv", "csv", "txt", "jsonl", "json", "gz"],
        help=AB_LAYOUT,
        key="interleaving-ab-log",
    )
    if file is None:
        st.caption(AB_LAYOUT)
        return
    try:
        log = read_ab_log(Source(file.name, file.getvalue()))
        found = ABTest(log, _choose_question(ABTest(log).names, alpha))
        answer = found.answer
    except DissentError as error:
        refuse(error, "Nothing was read.")
        return
    st.markdown(plain_with_facts(answer))
    show_notes(found.notes)
    for name, meaning in SHOWN_OF_AB.items():
        if len(found.table(name)):
            st.subheader(found.tables[name].title)
            show_report(found, name, f"ab-{name}", meaning)


def _choose_question(arms: tuple[str, str], alpha: float) -> ABQuestion:
    first, share = st.columns(2)
    return ABQuestion(
        first.selectbox("Arm that the other is compared with", arms, key="interleaving-ab-first"),
        share.number_input(
            "Users planned for the other arm, in %",
            0.1,
            99.9,
            100 * USUAL_TEST.share,
            5.0,
            format="%g",
            key="interleaving-ab-share",
            help="The split is tested against this plan.",
        )
        / 100,
        alpha,
    )
