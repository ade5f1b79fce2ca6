"""Whether enough is judged: how far today's ranking is from that of the fully judged pool.

What judging has cost, what the rest would cost, and what stopping now saves. How low and how high
every score can still be, whatever the rest of the pool is judged to be.

The rule by which an organiser wants to be told that enough is judged.
"""

from dataclasses import replace

import streamlit as st

from core.analysis.base.study import topics_of
from core.analysis.judging.enough import ask_enough, has_pool, list_versions
from core.analysis.judging.stop_proposal import usual_question
from core.analysis.results.qrels_choices import QrelsChoice
from core.analysis.results.scores import Scoring
from core.errors import BadInput, DissentError
from core.figures.stopping import (
    draw_expected_tau,
    draw_moving_topics,
    draw_reliability,
    draw_score_bounds,
)
from core.planning.cost import Price
from core.reports.enough import NO_DOUBT, Enough, EnoughQuestion
from core.stopping.drawn_levels import DOUBT, DRAWS
from core.stopping.stop_rule import BEST, LOWER, STOPS, STUDY, StopRule, studied_reliability
from core.store.content.saved_rules import set_stop_rule
from core.wording import plain, plain_with_facts
from pages.shared.figure import show_figure, show_table
from pages.shared.live import keep_fresh
from pages.shared.notice import begin, finish
from pages.shared.page import page
from pages.shared.scoring_widgets import tell_declared
from pages.shared.session import PageContext
from pages.shared.sheet import show_parts
from pages.shared.wording import needs_collection, refuse, show_notes

MOST_SYSTEMS = 40

PURPOSE = (
    "How far the ranking of the systems is from the one that judging the whole pool would give, "
    "and how probable it is that the best system stays best. Both are predictions by a model; "
    "*How this is computed* says which, and how often its limits held. An item is judged once it "
    "has every opinion that a round asks or asked for. A rule proposes to stop; it never stops."
)
MEASURES = ("AP", "P@10", "nDCG@10", "RBP", "nDCG")
MOST_TOPICS = 15
PART = "enough-part"


@page("enough", "Judging", "Is it enough?", "organiser")
def draw(context: PageContext) -> None:
    """Show what can be told of the full pool's ranking, and the rule by which to stop."""
    keep_fresh(context)
    begin(context, PURPOSE)
    if needs_collection(context):
        return
    if not has_pool(context.study):
        context.sheet.tell("A ranking needs two runs. Import runs on the page *Contents*.")
        return
    versions = list_versions(context.study)
    if not versions:
        context.sheet.tell("Nothing is judged yet. The answer appears here with the first labels.")
        return
    key, question = _ask(context, versions)
    tell_declared(context, measure=question.measure, choice=versions[key])
    try:
        with st.spinner("Drawing what the rest of the pool may hold"):
            found = ask_enough(context.study, versions[key], question)
            answer = found.answer
    except DissentError as error:
        reason = str(error)
        context.sheet.tell(plain(f"{reason[:1].upper()}{reason[1:].removesuffix('.')}."))
        return
    context.sheet.answer(plain_with_facts(answer))
    show_notes(found.notes)
    _show_history(found)
    show_parts(
        PART,
        {
            "Topics": lambda: _show_topics(context, found),
            "Bounds": lambda: show_bounds(found),
            "Cost": lambda: show_cost(found),
            "Rule": lambda: edit_rule(context, question, key),
        },
    )
    _explain(found, versions[key])


def _ask(context: PageContext, versions: dict[str, QrelsChoice]) -> tuple[str, EnoughQuestion]:
    """Return the version's key and what is asked; that of the rule at first."""
    keys, usual = list(versions), usual_question(context.study)
    named = usual.rule.version if usual.rule else ""
    measures = list(dict.fromkeys([usual.measure, *MEASURES]))
    with context.sheet.choices:
        typed = st.selectbox(
            "Measure",
            measures,
            accept_new_options=True,
            key="enough-measure",
            bind="query-params",
            label_visibility="collapsed",
            width=180,
        )
    with context.sheet.options:
        key = st.selectbox(
            "Judgements",
            keys,
            index=keys.index(named) if named in versions else 0,
            format_func=lambda one: versions[one].name,
            key="enough-version",
            bind="query-params",
            help="How the labels of an item become its level.",
        )
        depth = st.number_input(
            "Depth of the pool",
            1,
            1000,
            usual.depth,
            key="enough-depth",
            bind="query-params",
            help="The pool is all that any run has so far up; runs are scored as far down.",
        )
    read, wrong = Scoring().read([typed or measures[0]])
    for reason in wrong:
        st.error(plain(reason))
    return str(key), replace(usual, measure=next(iter(read), measures[0]), depth=int(depth))


def _show_history(found: Enough) -> None:
    with st.spinner("Looking back at earlier moments"):
        rows = found.history
    rule = found.question.rule
    if rows["tau"].notna().any():
        show_figure(
            draw_expected_tau(rows, rule.tau_low if rule and rule.tau_low > -1 else None),
            rows,
            "enough",
            "Kendall's τ-b between the ranking by what was judged up to a moment and that of the "
            "fully judged pool, as it could be predicted then, with its 95 % limits. Items count "
            "from when they first got a label, whatever else is asked for, at the level that they "
            "have today. The last point is today. What is sampled is the rest of the pool.",
            nobody=("best", "interval", "unit", "reason"),
        )


def _show_topics(context: PageContext, found: Enough) -> None:
    if found.topics["part"].isna().all():
        st.markdown(NO_DOUBT)
        return
    queries = topics_of(context.study).set_index("topic_id")["query"]
    names = found.topics["topic_id"].map(queries).fillna("")
    rows = found.topics.assign(name=found.topics["topic_id"] + " " + names)
    show_figure(
        draw_moving_topics(rows.head(MOST_TOPICS)),
        rows,
        "enough-topics",
        "How much of what is not known of the ranking each topic's unjudged items make out; all "
        "topics add up to 100 %. Judge where the bars are long. Pairs of systems count by how much "
        f"their order is in doubt. The first {MOST_TOPICS} are drawn; the data have all.",
        nobody=("name",),
    )


def _explain(found: Enough, choice: QrelsChoice) -> None:
    with st.expander("How this is computed"):
        st.markdown(
            f"**What it rests on.** The judgements *{plain(choice.name)}*. Runs are scored down to "
            f"rank {found.question.depth:,}; today, what is not judged counts as not relevant.\n\n"
            "**The model.** The level of every unjudged item is predicted from where the runs rank "
            "it, by a logistic regression fitted to the judged items, with effects of topics, of "
            "runs, and of runs in topics. Then the unjudged items are drawn "
            f"{DRAWS} times; each draw takes one value of all effects, so that what is not known "
            f"of a topic or a run moves all its items together. {DOUBT:g} in log odds is added for "
            "what the model may be wrong by. All runs are scored under each draw. τ is the mean of "
            "Kendall's τ-b between today's ranking and each drawn one; its limits leave 1 % of "
            "draws on either side. *P(best stays)* is the share of draws in which today's best "
            "system is best.\n\n"
            "**What it takes for granted.** Items may be judged in any order that depends on ranks "
            "and on labels only: given these the order tells nothing more. The rest is judged by "
            "the same people under the same rule; what other assessors would have said is not in "
            "the limits (see *Robustness* under *Agreement*).\n\n"
            "**How often it held.** On 25 topics and 38 runs of TREC-2, over random subsets of "
            "topics and runs, five orders of judging and shares from 5 % to 70 %, the limits held "
            "the true τ in 99 % of 240 stops, in 96 % or more for every order. On 22 topics and 37 "
            "runs of TREC 2019, with few judged documents a topic, they held it in 92 % of 720, "
            "for some orders in 83 to 88 %; where they missed it, the true τ was above them, but "
            "in 1 % of the stops. The handbook has all, under *Orders*.\n\n"
            f"{plain_with_facts(found.tell_order())}"
        )
        rows = studied_reliability()
        show_figure(
            draw_reliability(rows),
            rows,
            "enough-reliability",
            f"How often the best system stayed best, by what was told at {STOPS:,} stops "
            f"({STUDY}; random subsets of topics and runs). On the dashed line, what is told comes "
            "true as often as it says. 95 % limits of a share; stops of one subset are not "
            "independent, so they are rather too narrow.",
        )


def show_cost(found: Enough) -> None:
    """Ask what an hour or a label costs, and show labels, hours and money."""
    left, right = st.columns(2)
    hour = left.number_input("Price of an hour", 0.0, key="enough-hour", step=1.0, format="%.2f")
    label = right.number_input(
        "Price of a label", 0.0, key="enough-label", step=0.01, format="%.2f"
    )
    price = Price(hour, label)
    st.markdown(plain_with_facts(found.tell_cost(price)))
    number = st.column_config.NumberColumn
    show_table(
        found.cost_at(price),
        "enough-cost",
        "Labels given here so far with the active time on record, and a forecast of what is left: "
        "the opinions that rounds ask or asked for, and the items of the pool that nobody judged "
        "or is asked to, at as many labels each as others have in the end; at the median time of a "
        "label. Imported labels cost nothing. Prices are not kept.",
        nobody=("what",),
        column_order=["what", "labels", "hours", *(("money",) if hour or label else ())],
        column_config={
            "what": "",
            "labels": number(format="%.0f"),
            "hours": number(format="%.1f"),
            "money": number(format="%.2f"),
        },
    )


def show_bounds(found: Enough) -> None:
    """Show the bounds of all scores, and how many pairs of systems are decided by them."""
    st.markdown(plain_with_facts(found.tell_bounds()))
    show_figure(
        draw_score_bounds(found.bounds.head(MOST_SYSTEMS), found.question.measure),
        found.bounds,
        "enough-bounds",
        "Mean scores where none of what is not judged is relevant (as today) and where all of it "
        "is, at the highest level seen. The bar holds every score that any judgement of the rest "
        "can give; it says nothing of how probable one is. A pair is decided where no judgement "
        "can turn it. For RBP, *residual* is what everything without a judgement, also documents "
        f"outside the pool, could add. The first {MOST_SYSTEMS} systems are drawn.",
    )


def edit_rule(context: PageContext, question: EnoughQuestion, version: str) -> None:
    """Show the rule, and set it for what is in view."""
    rule, measure, depth = question.rule, question.measure, question.depth
    st.markdown(
        "When the rule is met, this page and the *Overview* say so, with the figures it rests on. "
        "It proposes to stop; nothing is closed, and no assessor sees it."
    )
    if rule:
        st.markdown(
            f"Now: **{rule.tell()}**, by {plain(rule.measure)} in a pool of depth {rule.depth:,}."
        )
    with st.form(f"stop-rule-{context.collection_id}"):
        left, right = st.columns(2)
        best = left.number_input(
            "P(best stays) at least",
            0.0,
            1.0,
            rule.best_stays if rule else BEST,
            step=0.01,
            help="0 asks for nothing.",
        )
        low = right.number_input(
            "Lower limit of τ at least",
            -1.0,
            1.0,
            rule.tau_low if rule else LOWER,
            step=0.01,
            help="-1 asks for nothing.",
        )
        st.caption(f"By {plain(measure)} in a pool of depth {depth:,}, as in view above.")
        pressed = st.form_submit_button("Set this rule", type="primary")
    if pressed:
        _save(context, best, low, version, measure, depth)
    if rule and st.button("No rule"):
        set_stop_rule(context.store, context.collection_id, "", by=context.person_id)
        finish("There is no stop rule any more.")


def _save(
    context: PageContext, best: float, low: float, version: str, measure: str, depth: int
) -> None:
    try:
        rule = StopRule(best, low, measure, depth, version)
        set_stop_rule(context.store, context.collection_id, rule.to_json(), by=context.person_id)
    except BadInput as error:
        refuse(error, "The rule was not changed.")
        return
    finish(f"The rule is {rule.tell()}.")
