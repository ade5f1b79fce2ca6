"""How much to judge: topics, items judged twice, hours, from what a pilot says.

Whose judgements a plan takes its scores from.

How many topics every design asks for, and the power by their number.
"""

from dataclasses import dataclass, replace

import pandas as pd
import streamlit as st

from core.analysis.base.declared import declared_of, judged_facets, model_of
from core.analysis.base.study import runs_of
from core.analysis.judging.planning import Pilot, pilot_of
from core.analysis.results.declared import offer_versions
from core.analysis.results.qrels_choices import QrelsChoice
from core.analysis.results.scores import Scoring
from core.errors import BadInput, DissentError
from core.figures.planning import draw_detectable, draw_power
from core.planning.choices import METHODS
from core.planning.designs import Requirement, parse_design
from core.planning.variance import ScoreVariance, given_variance
from core.reports.planning import TopicPlan, plan_topics
from core.wording import plain, plain_with_facts
from pages.judging.planning.planning_cost import show_agreement, show_cost
from pages.judging.planning.planning_opinions import show_opinions, show_votes
from pages.shared.figure import show_figure, show_report
from pages.shared.live import keep_fresh
from pages.shared.page import page
from pages.shared.scoring_widgets import choose_measure, choose_version, tell_declared
from pages.shared.session import PageContext
from pages.shared.sheet import show_parts
from pages.shared.wording import needs_collection

PURPOSE = (
    "How many topics, items judged twice and hours a collection needs, before they are judged. The "
    "scores and labels that are there serve as a pilot; where there are none, values are assumed "
    "that you can change. A plan takes the next topics to be like the pilot's. It holds for the "
    "measure and the difference that you name: which difference matters is yours to say, and not "
    "to be read off the pilot's own scores."
)
EFFECTS = ("0.01", "0.02", "0.03", "0.05", "0.08", "0.1", "0.15", "0.2")
POWERS = (0.7, 0.8, 0.9, 0.95)
PART = "plan-part"
SPREAD = 0.2
"""The standard deviation of differences that is assumed: about that of nDCG@10 in many tracks."""


@dataclass(frozen=True)
class Basis:
    """What a plan is made from: the pilot, or why there is none, and what is assumed then."""

    measure: str
    variance: ScoreVariance
    choice: QrelsChoice | None
    pilot: Pilot | None
    why_none: str

    @property
    def topics(self) -> int:
        """How many topics have scores."""
        return self.pilot.topics if self.pilot else 0


@page("plan", "Judging", "Plan", "organiser")
def draw(context: PageContext) -> None:
    """Say how many topics are needed, and then all that goes with it."""
    keep_fresh(context)
    context.sheet.explain(PURPOSE)
    if needs_collection(context):
        return
    basis = _find_basis(context)
    try:
        wanted, method = _ask(context, basis)
    except BadInput as error:
        context.sheet.tell(plain(f"{error}."))
        return
    tell_declared(context, measure=basis.measure, choice=basis.choice, alpha=wanted.alpha)
    plan = plan_topics(basis.variance, wanted, method=method, measure=basis.measure)
    context.sheet.answer(_answer(basis, plan))
    _show_detectable(basis, plan, method)
    show_parts(
        PART,
        {
            "Topics": lambda: show_designs(plan, basis.topics),
            "Agreement": lambda: show_agreement(context),
            "Opinions": lambda: show_opinions(context),
            "Votes": lambda: show_votes(context),
            "Cost": lambda: show_cost(context, plan, method, basis.choice, basis.measure),
        },
    )


def _find_basis(context: PageContext) -> Basis:
    """Let the organiser choose the measure and the judgements, and return what they say."""
    with context.sheet.choices:
        tip = "What systems are scored by. Type any other, as `P@20`."
        text = choose_measure(context, "plan-measure", tip)
    usual = declared_of(context.study).measure
    measures, wrong = Scoring().read([text or usual])
    for reason in wrong:
        st.error(plain(reason))
    measure = next(iter(measures), usual)
    choice = None if runs_of(context.study).empty else find_version(context)
    if choice is None:
        return _assume(measure, None, "no run has scores here yet")
    try:
        pilot = pilot_of(context.study, choice, measure, ())
    except DissentError as error:
        return _assume(measure, choice, str(error).removesuffix("."))
    if not pilot.variance.residual.value > 0:
        return _assume(measure, choice, "all systems differ alike on every topic")
    return Basis(measure, pilot.variance, choice, pilot, "")


def _assume(measure: str, choice: QrelsChoice | None, reason: str) -> Basis:
    """Return a basis of a standard deviation that the organiser gives."""
    with st.container():
        spread = st.number_input(
            "Standard deviation of the difference of two systems over topics",
            min_value=0.001,
            max_value=1_000.0,
            value=SPREAD,
            format="%.3f",
            width=420,
            key="plan-spread",
            help="Assumed while there is no pilot. For nDCG@10 and AP between systems of one kind "
            "it is often .1 to .25.",
        )
    variance = given_variance(differences=float(spread) ** 2)
    return Basis(measure, variance, choice, None, reason)


def _ask(context: PageContext, basis: Basis) -> tuple[Requirement, str]:
    """Let the organiser say what the topics are to achieve.

    Raises
    ------
    BadInput
        The difference is not a number above 0.
    """
    with context.sheet.choices:
        effect = st.selectbox(
            "Difference to find",
            EFFECTS,
            index=EFFECTS.index(f"{Requirement.effect:g}"),
            format_func=lambda one: f"difference {one}",
            accept_new_options=True,
            label_visibility="collapsed",
            width=170,
            key="plan-effect",
            bind="query-params",
            help="Of two systems' mean scores. Type any other number.",
        )
        power = st.selectbox(
            "Power",
            POWERS,
            index=POWERS.index(Requirement.power),
            format_func=lambda one: f"power {one:g}",
            label_visibility="collapsed",
            width=130,
            key="plan-power",
            help="How often the difference is to be found where it is there.",
        )
    with context.sheet.options:
        method = st.selectbox(
            "Planned by",
            METHODS,
            format_func=lambda one: parse_design(one).title,
            key="plan-method",
            bind="query-params",
            help="The paired t-test is of two systems alone. Tukey's test is of one pair among all "
            "pairs, as on the page *Significance*; it needs more topics.",
        )
        declared = declared_of(context.study).alpha
        levels = sorted({0.01, 0.05, 0.1, declared})
        alpha = st.selectbox(
            "Significance level α", levels, index=levels.index(declared), key="plan-alpha"
        )
        systems = st.number_input(
            "Systems",
            2,
            200,
            max(2, basis.variance.systems),
            key=f"plan-systems-{basis.variance.systems}",
            help="How many are compared, for all designs but those of two systems.",
        )
    try:
        number = float(effect or Requirement.effect)
    except ValueError as error:
        raise BadInput(f"'{effect}' is not a difference; write a number, as 0.05") from error
    return Requirement(number, float(power), float(alpha), int(systems)), str(method)


def _answer(basis: Basis, plan: TopicPlan) -> str:
    answer = plain_with_facts(plan.answer)
    if basis.pilot:
        return answer
    deviation = basis.variance.differences.value**0.5
    return (
        f"{answer} Assumed: differences with a standard deviation of {deviation:.3g} over topics "
        f"({plain(basis.why_none)})."
    )


def _show_detectable(basis: Basis, plan: TopicPlan, method: str) -> None:
    curve = plan.curve[plan.curve["method"] == method]
    row = plan.designs.set_index("method").loc[[method]].iloc[0]
    effect = plan.wanted.effect if parse_design(method).has_power else row["width"] / 2
    limits = (
        f"The band is at the 95 % limits of the variance ({row['interval']}; topics are what is "
        f"sampled, {row['units']} of them). "
        if basis.pilot
        else "The variance is assumed, so that there is no band. "
    )
    show_figure(
        draw_detectable(curve, effect, float(row["topics"]), basis.topics, basis.measure),
        curve,
        "plan-detectable",
        f"The least difference of two mean scores that is found with power {plan.wanted.power:g} "
        f"at α = {plan.wanted.alpha:g}, by the number of topics; {row['title']}. Dotted: the "
        "difference that you want to find, and the topics with scores now. "
        f"{limits}Power is exact where scores are normal, and nearly so for the means of more than "
        "some twenty topics.",
        nobody=("method",),
    )


def find_version(context: PageContext) -> QrelsChoice | None:
    """Let the organiser choose a qrels version of a facet; None without."""
    for facet in judged_facets(context.study):
        model = model_of(context.study, facet)
        if choices := offer_versions(context.study, facet, model):
            return _choose(context, facet, choices)
    return None


def _choose(context: PageContext, facet: str, choices: dict[str, QrelsChoice]) -> QrelsChoice:
    with context.sheet.options:
        tip = "The judgements that the pilot's scores rest on."
        return choose_version(choices, f"plan-version-{facet}", tip)


NOBODY = ("method", "title", "varies", "unit", "reason")


def show_designs(plan: TopicPlan, present: int) -> None:
    """Show the table of designs beside the curves of their power."""
    left, right = st.columns(2, gap="medium")
    with left:
        _show_table(plan)
    with right:
        _show_power(plan, present)
    if present >= 2:
        _show_reached(replace(plan, present=present))


def _show_table(plan: TopicPlan) -> None:
    show_report(
        plan,
        "designs",
        "plan-designs",
        "Topics by every design, for the same difference, power and α. **Paired t-test**: two "
        "systems, nothing else is tested. **Tukey's test**: one given pair among all pairs, at a "
        "level that holds for all together. **Two-way ANOVA**: that the systems are not all alike, "
        "where the best and the worst differ so far and all others lie in the middle. **One-way "
        "ANOVA** takes every system as if on topics of its own and needs more topics than one on "
        "the same topics. **Width**: the 95 % interval of a difference is twice the difference "
        "wide on average. Sakai (2016) has the first, the fourth and the last. *From* and *to* are "
        "at the 95 % limits of the variance, by χ² with degrees of freedom from topics; topics are "
        "what is sampled.",
        without=["effect", "width", "variance"],
    )


def _show_reached(plan: TopicPlan) -> None:
    st.markdown("**What the topics with scores tell**")
    show_report(
        plan,
        "reached",
        "plan-reached",
        "The power of so many topics to find the difference, and the least difference that "
        "they tell with the power that you want; at the 95 % limits of the variance, too.",
    )


def _show_power(plan: TopicPlan, present: int) -> None:
    titles = dict(zip(plan.designs["method"], plan.designs["title"], strict=True))
    curve: pd.DataFrame = plan.curve.assign(title=plan.curve["method"].map(titles))
    show_figure(
        draw_power(curve, plan.wanted.power, present),
        curve,
        "plan-power-curves",
        f"How often a difference of {plan.wanted.effect:g} is found at α = {plan.wanted.alpha:g}, "
        "by the number of topics. Dotted: the power that you want, and the topics with scores now. "
        "The data have the power at the limits of the variance, too.",
        nobody=NOBODY,
    )
