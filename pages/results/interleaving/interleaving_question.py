"""What is asked of interleaving: judgements, two runs, a method, users and how many lists."""

from dataclasses import dataclass

import streamlit as st

from core.analysis.base.moments import describe_moment
from core.analysis.base.study import runs_of
from core.analysis.clicks.beside_judges import logs_of
from core.analysis.results.basis import ScoreBasis
from core.analysis.results.declared import offer_declared
from core.analysis.results.interleaving import NAVIGATIONAL, TEAM_DRAFT, InterleavingQuestion
from core.analysis.results.qrels_choices import QrelsChoice, list_choices, version_of
from core.analysis.results.scores import rankings_of
from core.clicks.choices import USUAL
from core.interleaving.base import METHODS
from core.interleaving.users import USERS
from core.wording import plain
from pages.shared.aspect_widgets import key_for
from pages.shared.declared import tell_declared
from pages.shared.facet_widgets import choose_facet
from pages.shared.scoring_widgets import choose_users, tell_unjudged
from pages.shared.session import PageContext

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
    choices = list_choices(context.study, facet, choose_users(context, facet))
    choices = offer_declared(context.study, facet, choices)
    if not choices:
        context.sheet.tell(tell_unjudged(context, facet))
        return None
    with context.sheet.choices:
        first, second = (
            _choose_run(systems, at, name) for at, name in enumerate(("first", "second"))
        )
    with context.sheet.options:
        key = st.selectbox(
            "Qrels version",
            list(choices),
            format_func=lambda one: choices[one].name,
            key=key_for(context, f"interleaving-version-{facet}"),
            bind="query-params",
            help="What simulated users find useful.",
        )
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
    tell_declared(context, choice=choices[key], facet=facet)
    question = InterleavingQuestion(first, second, method, user, int(impressions), log=log)
    return InterleavingContext(context, choices[key], question)


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
    told = [f"**{name}**: {plain(one.description)}" for name, one in named.items()]
    if learnt:
        told.append("**fitted**: click on each level as the users of a click log did")
    chosen = str(
        st.selectbox(
            "Simulated users",
            [*named, *learnt],
            index=list(named).index(NAVIGATIONAL),
            key="interleaving-user",
            bind="query-params",
            help="  \n".join(told),
        )
    )
    return learnt.get(chosen, (chosen, ""))
