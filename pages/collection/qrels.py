"""The organiser's page of qrels versions: what each is based on, and rules of one's own."""

import pandas as pd
import streamlit as st

from core.analysis.base.labels import names_of, round_names
from core.analysis.base.moments import describe_moment
from core.analysis.base.study import labels_of_all
from core.analysis.results.basis import count_judged, describe_export
from core.analysis.results.past_versions import Made, versions_at
from core.analysis.results.qrels_choices import QrelsChoice, level_names
from core.collection.qrels_and_runs.trec import write_qrels
from core.figures.distributions import draw_level_distributions
from core.store.events.current_labels import LATEST
from core.store.events.moments import find_event, read_moment
from core.versions.judgements import level_distribution
from core.versions.versions import QrelsVersion, make_whole
from core.versions.wording import describe_rule
from core.wording import count, plain
from pages.collection.rules_form import edit_rules, left_out
from pages.shared.facet_widgets import choose_aspect, choose_facet
from pages.shared.figure import hide_in_name, show_figure, show_table
from pages.shared.live import keep_fresh
from pages.shared.page import page
from pages.shared.scoring_widgets import choose_users
from pages.shared.session import PageContext, while_signed_in
from pages.shared.sheet import show_parts
from pages.shared.wording import needs_collection, tell_left_out

PURPOSE = (
    "A qrels version has one level for each judged pair of topic and document. Every score on the "
    "later pages is computed with one version, and the choice may change the results. No version "
    "is the truth: they differ in whose labels count, and in how differing labels are combined."
)
USUAL = 6
PART = "qrels-part"


@page("qrels", "Collection", "Qrels versions", "organiser", "viewer")
def draw(context: PageContext) -> None:
    """Show every version with its levels, as of now or of an earlier event."""
    keep_fresh(context)
    context.sheet.explain(PURPOSE)
    if needs_collection(context):
        return
    context = choose_aspect(context, "qrels-aspect")
    facet = choose_facet(context, "qrels-facet")
    with context.sheet.options:
        until = _choose_event(context)
    model = choose_users(context, facet)
    tell_left_out(context)
    made = versions_at(context.study, facet, model, until)
    if not made:
        context.sheet.tell(f"Up to then no {facet} was judged, and no qrels are imported.")
        return
    if _versions_of(made):
        context.sheet.answer(_count_versions(facet, made))
    else:
        context.sheet.tell("There is no version to show; the table says why.")
    levels, explanation = _spread_levels(context, facet, made)
    if len(levels):
        show_figure(draw_level_distributions(levels), levels, "qrels-levels", explanation)
    parts = {
        "All versions": lambda: _show_versions(context, facet, made),
        "Take away": lambda: _offer_export(context, made, until),
    }
    if len(levels):
        parts["Levels"] = lambda: _list_levels(levels, explanation)
    if context.may_change:
        names = {one.choice.name for one in made.values()}
        parts["Versions of your own"] = lambda: edit_rules(context, facet, model, names)
    show_parts(PART, parts)


def _count_versions(facet: str, made: dict[str, Made]) -> str:
    """Return in Markdown how many versions there are, and how many say something of their own."""
    versions = _versions_of(made).values()
    contents = len({one.content_hash for one in versions})
    gone = len(made) - len(versions)
    return (
        f"**{count(len(versions), 'version')}** of the judgements of {facet}s, with "
        f"{count(contents, 'different content')}"
        f"{f'; {gone} cannot be made, the table says why' if gone else ''}."
    )


def _choose_event(context: PageContext) -> int:
    """Return the last label event to consider, as the store counts; LATEST for the present."""
    latest = read_moment(context.store, context.collection_id).number
    number = st.number_input(
        f"As of label event (of {latest:,})",
        min_value=0,
        value=None,
        placeholder="latest",
        width=220,
        help="Labels are events, numbered as they come into a collection and never overwritten. "
        f"The latest: {describe_moment(context.study)}. An earlier number "
        "restores the versions as they were then, with the same content hash. Groups, names, the "
        "scale, saved rules and imported qrels are the current ones.",
        key="qrels-event",
    )
    if number is None:
        return LATEST
    return find_event(context.store, context.collection_id, int(number))


def _show_versions(context: PageContext, facet: str, made: dict[str, Made]) -> None:
    everybody = set(
        labels_of_all(context.study).query("facet == @facet and state == 'level'")["assessor_id"]
    )
    rows = pd.DataFrame([_describe(context, one, everybody) for one in made.values()])
    show_table(
        rows,
        "qrels-versions",
        "One row for each version. *Content* is a hash of its judgements: the same hash means the "
        "same judgements. *Rule hash* identifies a rule whatever its name. *Last event* is the "
        "last label event that was considered; set *As of label event* to it to get the same "
        "content again. *Undecided* counts items that an adjudicated version leaves out because "
        "assessors disagree and nobody has adjudicated. *Left out* names assessors whose labels "
        "this version does not use. A version of snippet and page is made from pairs of labels: "
        "*unpaired* counts snippet labels whose assessor gave the page no level, *unweighed* "
        "those whose two levels have no weight together.",
        column_config={
            "version": st.column_config.TextColumn(pinned=True),
            "rule": st.column_config.TextColumn(width="large"),
            "content_hash": st.column_config.TextColumn("content", width="small"),
            "rule_hash": st.column_config.TextColumn("rule hash", width="small"),
            "left_out": st.column_config.TextColumn("left out", width="medium"),
            "last_event": "last event",
            "reason": "why there is none" if rows["reason"].any() else None,
        },
        column_order=[name for name in rows if _says_something(rows[name])],
    )


def _says_something(column: pd.Series) -> bool:
    return not column.isin(["", 0, None]).all()


def _describe(context: PageContext, made: Made, everybody: set[str]) -> dict[str, object]:
    rule, version = made.choice.rule, made.version
    gone = left_out(context, version, everybody) if version and rule else []
    number = (
        read_moment(context.store, context.collection_id, version.last_sequence).number
        if version and rule
        else None
    )
    return {
        "version": made.choice.name,
        "documents": version.n_documents if version else None,
        "topics": version.frame["topic_id"].nunique() if version else None,
        "labels": version.n_labels if version else None,
        "left_out": ", ".join(gone),
        "undecided": version.undecided if version else None,
        "tied": version.tied if version else None,
        "unpaired": version.unpaired if version else None,
        "unweighed": version.unweighed if version else None,
        "last_event": number,
        "content_hash": version.content_hash if version else "",
        "rule": describe_rule(rule, names_of(context.study), round_names(context.study))
        if rule
        else "Imported as it is.",
        "rule_hash": rule.rule_hash if rule else "",
        "reason": made.reason,
    }


def _spread_levels(
    context: PageContext, facet: str, made: dict[str, Made]
) -> tuple[pd.DataFrame, str]:
    """Return how the levels of the chosen versions are spread, and what that shows."""
    versions = _versions_of(made)
    if not versions:
        return pd.DataFrame(), ""
    with context.sheet.options:
        chosen = _choose_shown(facet, made, versions)
    keys = [key for key in chosen or list(versions)[:USUAL] if key in versions]
    rows = pd.concat(
        [_distribute(context, facet, made[key].choice, versions[key]) for key in keys],
        ignore_index=True,
    )
    explanation = (
        "How many judged pairs of topic and document each version puts on each level, with their "
        "number on the bar (compare Sakai 2017, Table 2). A lenient rule moves pairs to the right, "
        "a strict one to the left. Scales differ: a sum can exceed every single level, and a mean "
        "UDM weight lies between 0 and 1; versions with many different values are counted in five "
        "bins."
    )
    if any("engine" in versions[key].frame for key in keys):
        explanation += (
            " A version of snippet and page counts a pair once for each engine that returned the "
            "document."
        )
    return rows, explanation


def _choose_shown(
    facet: str, made: dict[str, Made], versions: dict[str, QrelsVersion]
) -> list[str]:
    return st.multiselect(
        "Versions",
        list(versions),
        format_func=lambda key: made[key].choice.name,
        placeholder=f"the first {min(USUAL, len(versions))}",
        key=f"qrels-shown-{facet}",
    )


def _list_levels(rows: pd.DataFrame, explanation: str) -> None:
    show_table(
        rows,
        "qrels-levels-table",
        explanation,
        column_config={
            "written": "level",
            "share": st.column_config.NumberColumn(format="percent"),
        },
        column_order=["version", "written", "documents", "share"],
    )


def _versions_of(made: dict[str, Made]) -> dict[str, QrelsVersion]:
    """Return what could be made, by key."""
    return {key: one.version for key, one in made.items() if one.version is not None}


def _distribute(
    context: PageContext, facet: str, choice: QrelsChoice, version: QrelsVersion
) -> pd.DataFrame:
    """Return the distribution of one version, with the names of its levels where it has some."""
    table = level_distribution(version)
    names = level_names(context.study, facet, choice)
    if set(table["level"]) <= set(names):
        table["written"] = table["level"].map(names)
    table.insert(0, "version", choice.name)
    return table.assign(content_hash=version.content_hash)


def _offer_export(context: PageContext, made: dict[str, Made], until: int) -> None:
    versions = _versions_of(made)
    if not versions:
        return
    with st.container(horizontal=True, vertical_alignment="bottom"):
        key = st.selectbox(
            "Take away",
            list(versions),
            format_func=lambda key: made[key].choice.name,
            width=360,
            key="qrels-export",
        )
        choice, version = made[key].choice, versions[key]
        filed = make_whole(version)
        st.download_button(
            "TREC qrels",
            data=while_signed_in(lambda: write_qrels(filed.frame)),
            file_name=_name_file(choice, filed),
            mime="text/plain",
            icon=":material/download:",
            on_click="ignore",
        )
    then = "" if until == LATEST else f" As it was on {describe_moment(context.study, until)}."
    st.caption(
        f"{plain(choice.name)}: {count_judged(version)}, content "
        f"`{version.content_hash[:12]}`.{then}{describe_export(version)}"
    )


def _name_file(choice: QrelsChoice, version: QrelsVersion) -> str:
    """Return the version's name, without the names in it, and where its content hash begins."""
    name = hide_in_name(version.rule.name if version.rule.whole else choice.name)
    words = "".join(sign if sign.isalnum() else " " for sign in name).split()
    return f"{'-'.join(words).lower()}-{version.content_hash[:12]}.qrels"
