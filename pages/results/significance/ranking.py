"""The organiser's page of orders: how systems rank under each qrels version."""

import pandas as pd
import streamlit as st

from core.analysis.results.declared import declared_test
from core.analysis.results.qrels_choices import QrelsChoice
from core.analysis.results.scores import scoring_of
from core.analysis.results.version_scores import score_version
from core.comparison.conditions import BY
from core.comparison.orders import largest_moves
from core.errors import DissentError
from core.figures.ranking import draw_rank_lines, draw_tau_matrix
from core.measures.catalogue import parse_measure
from core.reports.compare import CompareQuestion, SystemComparison
from core.reports.conditions import ScoredCondition, tabulate_conditions
from core.wording import count, plain, plain_with_facts
from pages.results.significance.scored_conditions import choose_common_topics, leave_out
from pages.shared.facet_widgets import key_for
from pages.shared.figure import show_figure, show_report, show_table
from pages.shared.page import page
from pages.shared.scoring_widgets import (
    choose_measure,
    choose_scoring,
    open_results,
    read_measures,
    tell_declared,
)
from pages.shared.session import PageContext

MOVERS = 6


PURPOSE = (
    "The order of the systems under each qrels version: does it matter whose judgements are "
    "used? If the order stays the same, conclusions about systems do not depend on one "
    "assessor. If it changes, do not trust a ranking that is based on one version alone. "
    "Unjudged documents count as not relevant under every version."
)


@page("ranking", "Results", "Robustness", "organiser", "viewer")
def draw(context: PageContext) -> None:
    """Show the order of systems under each version, and what moves."""
    if (opened := open_results(context, PURPOSE)) is None:
        return
    context = opened
    if found := _score_versions(context):
        _show_orders(context, found)


def _score_versions(context: PageContext) -> list[ScoredCondition]:
    """Return the scores under every chosen version; none, with a word why, without one."""
    facet, gain, model, choices = choose_scoring(context)
    if not choices:
        return []
    with context.sheet.choices:
        text = choose_measure(context, "ranking-measure")
    with context.sheet.options:
        rel = st.number_input("Relevant from", 0.01, value=1.0, step=1.0, key="ranking-cut")
        keys = st.multiselect(
            "Versions, from left to right",
            list(choices),
            default=_usual(choices),
            format_func=lambda key: choices[key].name,
            help="Made, compared and saved on the page *Qrels versions*.",
            key=key_for(context, f"ranking-versions-{facet}"),
            bind="query-params",
        )
    scoring = scoring_of(context.study, facet, model, [text], gain=gain, rel=rel)
    measures = read_measures([text], scoring)
    if measures and (chosen := parse_measure(measures[0])).geometric:
        st.error(f"{plain(chosen.obstacle)}.")
        measures = ()
    found = []
    for key in keys if measures else ():
        try:
            found.append(score_version(context.study, choices[key], measures[0], scoring.weights))
        except DissentError as error:
            leave_out(choices[key].name, str(error))
    if not found:
        context.sheet.tell("Choose a measure, and versions under *Options*.")
    elif measures:
        shown = next((choices[key] for key in keys), None)
        users = model if scoring.weights else None
        tell_declared(context, measure=measures[0], choice=shown, facet=facet, model=users)
    return found


def _usual(choices: dict[str, QrelsChoice]) -> list[str]:
    """Return the versions to begin with: all but those of single assessors and groups."""
    rules = {key: choice.rule for key, choice in choices.items()}
    return [key for key, rule in rules.items() if not (rule and (rule.assessors or rule.groups))]


def _show_orders(context: PageContext, found: list[ScoredCondition]) -> None:
    measure = str(found[0].facts["measure"])
    facts = _list_facts(found)
    common = choose_common_topics(context, found, "version", "ranking-common")
    question = CompareQuestion(declared_test(context.study), common_topics=common)
    report = SystemComparison(found, question)
    for note in report.notes:
        st.caption(plain(f"{note[:1].upper()}{note[1:]}."))
    ranked, pairs = report.ranked.rename(columns={BY: "version"}), report.orders
    if pairs.empty:
        context.sheet.tell("With one version there is nothing to compare its order with.")
    else:
        context.sheet.answer(plain_with_facts(report.tell_orders()))
    moves = largest_moves(ranked)
    movers = list(moves[moves["move"] > 0]["system"][:MOVERS])
    topics = frozenset().union(*(one.topics for one in report.scored))
    show_figure(
        draw_rank_lines(ranked, movers),
        ranked.assign(measure=measure),
        "rank-lines",
        f"Each line is a system; its height is its rank by mean {measure} over "
        f"{count(len(topics), 'topic')}, the best on top. The {len(movers)} "
        "systems that move most are thick, with bold names. Neighbouring systems often swap ranks "
        "because of differences that are far too small to matter.",
    )
    _show_ranks(ranked, facts, measure)
    if not pairs.empty:
        _show_pairs(pairs, list(facts["version"]))


def _list_facts(found: list[ScoredCondition]) -> pd.DataFrame:
    """Return what each version's scores are based on, before topics are set aside."""
    table = tabulate_conditions(found)
    return pd.DataFrame(
        {
            "version": table["version"],
            "topics": table["topics"],
            "judged documents": table["judged_documents"],
            "labels": table["labels"],
            "last event": table["last_event"],
            "unanswered": table["unanswered"],
            "content": table["content_hash"].str[:12],
        }
    )


def _show_ranks(ranked: pd.DataFrame, facts: pd.DataFrame, measure: str) -> None:
    show_report(
        SystemComparison,
        "ranking",
        "ranks",
        "The mean and the rank of every system under every version. Equal means share a rank. Do "
        "not compare means of different versions: their scales differ.",
        rows=ranked.rename(columns={"version": BY}),
        stamp=lambda rows: rows.assign(measure=measure),
    )
    st.markdown("**What these rankings are based on**")
    show_table(
        facts.assign(measure=measure),
        "ranking-versions",
        "One row for each version. *Topics* counts the topics with a relevant document, including "
        "those that are dropped because another version leaves them out. *Unanswered* counts the "
        "pairs of system and topic without an answer: they score 0. *Content* is the start of a "
        "hash of the judgements; the same hash means the same judgements.",
    )


def _show_pairs(pairs: pd.DataFrame, versions: list[str]) -> None:
    st.header("Similarity of the orders", anchor=False)
    show_figure(
        draw_tau_matrix(pairs, versions),
        pairs,
        "tau",
        "Kendall's τ-b of every two orders: 1 is the same order, 0 unrelated, −1 reversed. A swap "
        "at the bottom counts as much as one at the top, so look at the best systems as well.",
        listed=("first", "second"),
    )
    show_report(
        SystemComparison,
        "orders",
        "pairs",
        "Every two versions: Kendall's τ-b with its 95 % interval (topics are a sample: what "
        "studies with so many topics find on average); p of one true order, and below which τ the "
        "orders would have been shown to differ; τ_AP, RBO and RBA, which weigh the top of the "
        "order more; "
        "Spearman's ρ; how many systems move more than two ranks, and the system that moves most; "
        "which system is best under each.",
        rows=pairs,
    )
