"""How each assessor judges: beside the others, beside gold items, and in the course of time.

Taking over imported gold labels as gold items.

What of it is more than chance gives: beside labels that are dealt anew.

One assessor: levels beside the others', active time by level, and drift over time.
"""

import pandas as pd
import streamlit as st

from core.agreement.drift import FEWEST_LABELS
from core.agreement.topics import FEWEST_ITEMS
from core.analysis.base.labels import gold_of, names_of
from core.analysis.base.study import scales_of
from core.analysis.people.assessors import ask_assessors, gold_labels_of
from core.analysis.people.groups import ask_groups
from core.collection.records import counted_levels
from core.errors import BadInput, TooLittleData
from core.figures.agreement import draw_intervals
from core.figures.assessors import draw_drift, draw_level_shares, draw_times
from core.figures.distributions import draw_spread
from core.numerals import write_limits
from core.reports.assessors import AssessorQuality
from core.store.content.gold import take_over_gold
from core.wording import count, plain, plain_with_facts
from pages.shared.facet_widgets import TWO_ASSESSORS, choose_facet, tell_labels
from pages.shared.figure import show_figure, show_report, show_table
from pages.shared.live import keep_fresh
from pages.shared.page import page
from pages.shared.session import PageContext
from pages.shared.sheet import show_parts
from pages.shared.wording import needs_collection, refuse, tell_left_out

PURPOSE = (
    "How each assessor judges, compared with the others and with gold items. Nothing is corrected "
    "here, and no label counts less because of it. Somebody who differs may be careless, may have "
    "understood the task differently, or may be right: read some of their items and comments "
    "before you conclude anything."
)
LEAVING_OUT = (
    "**To leave an assessor out**, open *Qrels versions* and save a version under *Versions of "
    "your own* for which you choose the assessors whose labels count. The version's rule says "
    "whose labels it uses; all labels are kept, and other versions still use them. A machine is "
    "left out everywhere: mark it under *Roster*."
)
CHANCE = (
    "What is found of each assessor, beside what it comes to where labels are dealt anew, with the "
    "middle 95 % of the dealings. *Within items* the labels of an item go anew to those who judged "
    "it: nobody has a way of judging of their own. *Within topics* all that a person did in a "
    "topic goes, as a whole, to one of those who judged there: each may read a topic in a way of "
    "their own, and nobody differs on the whole. That takes 5 topics. *Within people* everybody "
    "keeps how often they give each level, and labels tell nothing of items; of **drift**, change "
    "over the labels, the order alone is dealt anew. **p**: that chance gives as much, corrected "
    "for all assessors, the larger one of two tests: of κ within items and within topics, of "
    "leniency and drift of the values themselves and of labels dealt anew. Of whom it is not "
    "*beyond chance*, nothing is said."
)
LEFT_OUT = (
    "Leaving out who agrees least raises agreement even where there is none, as whoever agreed by "
    "chance stays. So the same choice is made on labels dealt anew: only what is beyond it is the "
    "choice's merit. Judgements that differ are left out as well, whether they are wrong or not."
)
RANKING = (
    "**τ-b** is how alike systems rank by the labels of those who stay and by all labels, scored "
    "by the declared measure and version. Leaving out labels that differ moves a ranking in any "
    "case, so the same choice is made on labels dealt anew."
)
SIGNS = (
    "Signs of careless responding (see *Everybody*), beside what others give on the same items: "
    "what was noted of each label is dealt anew among those who judged the item."
)
CARELESS = (
    " **under 1 s**, **longest run** and **same spot** are of labels given on the judging screen: "
    "which share came less than a second after the whole item was shown, with less than a second "
    "of active time in all; how many in a row were given by the button at one place; and of those "
    "pressed by mouse, finger or pen, which share at the spot of the one before, to 0.5 % of the "
    "window. Who clicks at random often stands out here. So may somebody who judges a clear topic "
    "by one key: look at their agreement, and at their items."
)
PART = "assessors-part"
MANY_ROWS, FARTHEST = 30, 20
"""Up to how many assessors each is drawn; of more, how many of those who differ most."""

_DATA = ["name", "n", "value", "low", "high", "units", "reason"]


@page("assessors", "People", "Quality", "organiser", "viewer")
def draw(context: PageContext) -> None:
    """Show all assessors, one of them, and gold items."""
    keep_fresh(context)
    context.sheet.explain(PURPOSE)
    if needs_collection(context):
        return
    facet = choose_facet(context, "assessors-facet")
    found = ask_assessors(context.study, facet)
    table = found.assessors.copy()
    if table.empty:
        context.sheet.tell(f"{found.answer} {TWO_ASSESSORS}")
        return
    table.insert(1, "assessor", table["assessor_id"].map(names_of(context.study)))
    rows = _common(table)
    if rows.empty:
        context.sheet.tell(f"No two assessors have judged the same items yet. {TWO_ASSESSORS}")
    else:
        context.sheet.answer(plain_with_facts(found.answer))
        tell_labels(context, facet)
        st.markdown(plain_with_facts(found.leniency_answer))
        _show_leniency(rows)
    tell_left_out(context)
    show_parts(
        PART,
        {
            "Everybody": lambda: _show_table(_join_careless(context, found, table)),
            "Beside chance": lambda: _show_chance(context, found),
            "One assessor": lambda: show_assessor(context, facet, table),
            "Groups": lambda: show_groups(context, facet),
            "Gold items": lambda: _show_gold(context, facet),
        },
    )


def _common(table: pd.DataFrame) -> pd.DataFrame:
    """Return those whose leniency is known, the most lenient first, as figures take them."""
    rows = table[table["leniency"].notna()].sort_values("leniency", ascending=False)
    return rows.assign(
        name=rows["assessor"],
        value=rows["leniency"],
        n=rows["common"],
        counted=rows["common"] >= FEWEST_ITEMS,
    )


def _show_leniency(rows: pd.DataFrame) -> None:
    if len(rows) <= MANY_ROWS:
        _show_forest(rows)
        return
    left, right = st.columns(2)
    with left:
        show_figure(
            draw_spread(rows["value"], x="leniency (steps of the scale)", y="assessors"),
            rows[_DATA],
            "assessors-spread",
            f"How leniency spreads over the {len(rows):,} assessors who share items with others; "
            "the line is the median. Some share few items, so the spread is wider than that of "
            "the assessors' true values.",
        )
    with right:
        counted = rows[rows["counted"]]
        farthest = counted["value"].abs().nlargest(FARTHEST).index
        st.markdown(f"The {min(FARTHEST, len(counted))} who differ most, from 10 items on:")
        _show_forest(rows[rows.index.isin(farthest)])


def _show_forest(rows: pd.DataFrame) -> None:
    show_figure(
        draw_intervals(rows, x="leniency (steps of the scale)"),
        rows[_DATA],
        "assessors-leniency",
        "**Leniency**: over the items that an assessor and somebody else judged, the mean of "
        "the assessor's level minus the mean level of the others on the same item, in steps of "
        "the scale, with a 95 % interval over topics (jackknife): to the right of 0 is more "
        "lenient than the others, to the left stricter. An interval that covers 0 is "
        "compatible with neither, and of many assessors some have one that does not by chance. "
        "The comparison is with the other assessors, not with the truth: where everybody else is "
        "strict, a fair assessor looks lenient. Hollow dots are based on fewer than 10 common "
        "items; a dot without a line has all its items in one topic.",
    )


def _join_careless(
    context: PageContext, found: AssessorQuality, table: pd.DataFrame
) -> pd.DataFrame:
    """Add signs of careless responding, where any are known, for those who may see them."""
    known = found.careless if context.may_change else pd.DataFrame()
    return table if known.empty else table.merge(known, on="assessor_id", how="left")


def _show_table(table: pd.DataFrame) -> None:
    number = st.column_config.NumberColumn
    why, gold = table["reason"].any(), table["gold_n"].any()
    careless = CARELESS if "answers" in table else ""
    show_table(
        table,
        "assessors-table",
        "**leniency** as in the figure, with its 95 % interval, over so many **topics**; **p**, "
        "that it is 0, is corrected for the number of assessors (Holm). **mean κ** is the plain "
        "mean of linear weighted κ with every other assessor who shares 10 items or more, "
        "**lowest** and **highest** its range. **gold items**: how many of them the assessor "
        "judged; **same as gold** is the share that got the gold level, **κ with gold** the "
        "linear weighted κ, from 10 gold items on. These columns appear once somebody "
        "has judged a gold item. *why empty* says why a number is missing." + careless,
        column_config={
            "assessor_id": None,
            "common": "common items",
            "leniency": number("leniency", format="%+.3f"),
            "low": number("from", format="%+.3f"),
            "high": number("to", format="%+.3f"),
            "p": number("p", format="%.3f"),
            "units": "topics",
            **dict.fromkeys(("interval", "unit")),
            "pairs": "pairs that count",
            "kappa_mean": "mean κ",
            "kappa_lowest": "lowest",
            "kappa_highest": "highest",
            "gold_n": "gold items" if gold else None,
            "gold_raw": number("same as gold", format="percent") if gold else None,
            "gold_kappa": "κ with gold" if gold else None,
            "answers": None,
            "fast": number("under 1 s", format="percent"),
            "longest_run": number("longest run"),
            "same_spot": number("same spot", format="percent"),
            "reason": "why empty" if why else None,
        },
    )
    st.markdown(LEAVING_OUT)


def _show_chance(context: PageContext, found: AssessorQuality) -> None:
    """Show what of the findings is beyond chance. It takes seconds with very many labels."""
    written = {"assessor_id": names_of(context.study).__getitem__}
    if found.chance_answer:
        st.markdown(plain_with_facts(found.chance_answer))
    show_report(found, "chance", "assessors-chance", CHANCE, written=written)
    if len(found.leaving_out):
        show_report(found, "leaving_out", "assessors-leaving-out", LEFT_OUT)
    with st.spinner("Systems are ranked by the labels of those who stay."):
        ranking = found.ranking_answer
    if ranking:
        st.markdown(plain_with_facts(ranking))
        show_report(found, "leaving_out_ranking", "assessors-left-out-ranking", RANKING)
    if context.may_change and found.careless_answer:
        st.markdown(plain_with_facts(found.careless_answer))
        show_report(found, "careless_chance", "assessors-signs", SIGNS, written=written)


def _show_gold(context: PageContext, facet: str) -> None:
    gold = gold_of(context.study, facet)
    st.markdown(
        f"{count(len(gold), f'{facet} is', f'{facet}s are')} marked as gold: items for which you "
        "have set the correct level. Mark them on the page *Pairs and topics*, under the items of "
        "a topic. A gold level is used for this comparison only; it is not a label and is part of "
        "no qrels version."
    )
    if missing := int(gold["level"].isna().sum()):
        st.warning(
            f"{count(missing, 'gold item')} left out: the level is no longer on the scale. Mark "
            "them again."
        )
    offer_take_over(context)


def offer_take_over(context: PageContext) -> None:
    """Offer to make gold items of the labels of an assessor called gold, where there is one."""
    found = gold_labels_of(context.study)
    if not found or not context.may_change:
        return
    st.markdown(
        f"An assessor called **gold** has {count(found, 'label')} on items that are not gold yet. "
        "Taking them over marks these items as gold. The labels stay as they are, but gold is then "
        "no assessor: agreement and qrels versions do without it, unless a version names it."
    )
    if st.button(f"Take over {count(found, 'label')} of gold", icon=":material/star:"):
        taken = take_over_gold(context.store, context.collection_id, context.person_id)
        st.toast(f"Taken over: {count(taken, 'gold item')}.")
        st.rerun()


def show_assessor(context: PageContext, facet: str, table: pd.DataFrame) -> None:
    """Let the organiser choose an assessor, and show how they judge.

    ``table`` has assessor_id, labels, leniency, low, high; most labels first.
    """
    names = names_of(context.study)
    chosen = st.selectbox(
        "Assessor, most labels first",
        table["assessor_id"].tolist(),
        format_func=names.__getitem__,
        key=f"assessor-{facet}",
    )
    row = table[table["assessor_id"] == chosen].iloc[0]
    _say_assessor(row, names[chosen], facet)
    left, right = st.columns(2)
    with left:
        _show_levels(context, facet, chosen)
    with right:
        _show_times(context, facet, chosen)
    _show_drift(context, facet, chosen)


def _say_assessor(row: pd.Series, name: str, facet: str) -> None:
    sentence = "leniency is not defined because nobody else judged the same items."
    if pd.notna(row["leniency"]):
        which = "above" if row["leniency"] >= 0 else "below"
        sentence = (
            f"on the {count(row['common'], 'item')} that others judged, too, their levels lie "
            f"{abs(row['leniency']):.3f} steps {which} the others' on average"
        )
        limits = f" (95 % interval over topics {write_limits(row['low'], row['high'])})."
        sentence += limits if pd.notna(row["low"]) else "; one topic gives no interval."
    st.markdown(f"**{plain(name)}** gave {count(row['labels'], f'{facet} label')}; {sentence}")


def _show_levels(context: PageContext, facet: str, assessor_id: str) -> None:
    rows = _name_levels(context, facet, "level_shares", assessor_id)
    show_figure(
        draw_level_shares(rows, names_of(context.study)[assessor_id]),
        rows,
        "assessor-levels",
        "How often this assessor gave each level, compared with all other assessors together. "
        "Assessors judged different items, so a difference may come from the items; leniency "
        "compares on common items only and avoids this.",
        nobody=("name",),
    )


def _show_times(context: PageContext, facet: str, assessor_id: str) -> None:
    rows = _name_levels(context, facet, "active_time", assessor_id)
    if rows.empty:
        st.info("No active time was measured for this assessor, as with most imported labels.")
        return
    show_figure(
        draw_times(rows),
        rows,
        "assessor-times",
        "Active time of a label by level: the median, with a line from the lower to the upper "
        "quartile. Only time in which the item was on the screen and the assessor was active "
        "counts. Short times alone do not show carelessness: some items are clear at a glance.",
        nobody=("name",),
    )


def _show_drift(context: PageContext, facet: str, assessor_id: str) -> None:
    found = ask_assessors(context.study, facet)
    rows = _own(found.drift, assessor_id)
    st.header("Drift")
    if rows.empty:
        st.info(f"Drift is shown from {FEWEST_LABELS} labels on; this assessor has fewer.")
        return
    series = (
        ("leniency", "leniency (steps)", "No label is on an item that others judged, too.", 0.0),
        ("median_seconds", "median time (s)", "No active time was measured.", None),
    )
    for place, (column, title, nothing, usual) in zip(st.columns(2), series, strict=True):
        with place:
            if rows[column].isna().all():
                st.info(nothing)
                continue
            show_figure(
                draw_drift(rows, column, title, usual=usual),
                rows,
                f"assessor-drift-{column.replace('_', '-')}",
                "The assessor's labels in the order given, cut into ten equal parts. The others' "
                "labels are those of all times, so a change comes from this assessor. A steady "
                "rise or fall may be drift, but tenths are small and topics differ: a single high "
                "or low tenth is often due to one unusual topic. A gap means that there are no "
                "values.",
            )
    if drift := found.tell_drift(assessor_id):
        st.markdown(plain_with_facts(drift))


def _own(rows: pd.DataFrame, assessor_id: str) -> pd.DataFrame:
    return rows[rows["assessor_id"] == assessor_id].reset_index(drop=True)


def _name_levels(context: PageContext, facet: str, table: str, assessor_id: str) -> pd.DataFrame:
    """Return an assessor's rows of a table of the report, with the ``name`` of each level."""
    own = _own(ask_assessors(context.study, facet).table(table), assessor_id)
    return own.assign(name=own["level"].map(counted_levels(scales_of(context.study)[facet])))


ABOUT_GROUPS = (
    "Groups are those under *Roster*; the page *Collection* declares what they are by, and whether "
    "that is a personal attribute. People, with all their labels, are dealt anew to groups of the "
    "same sizes: **p** is the share of dealings in which two groups are at least as far apart. "
    "Systems are scored by the declared measure and version, made of one group's labels."
)
SHOWN_OF_GROUPS = {
    "orders": "**τ-b** is how alike two groups rank the systems; **dealt anew**, how alike two "
    "groups of these sizes do on average where nothing tells them apart.",
    "systems": "Mean scores over the topics that count for both groups; **p** is corrected for all "
    "systems (step-down), and for the pairs of groups.",
    "ranking": "Means with 95 % limits over topics, of topics that count for all groups.",
    "levels": "Only levels whose weight both groups tell; **p** is corrected for all of them.",
    "weights": "p(top | level) with 95 % limits over topics, the weight that follows, and the "
    "usual gains.",
    "groups": "Who has given labels that count.",
}
"""Tables in order, and what is to be known of each."""


def show_groups(context: PageContext, facet: str) -> None:
    """Say whether groups rank systems differently, and show the tables."""
    st.markdown(ABOUT_GROUPS)
    try:
        found = ask_groups(context.study, facet)
        with st.spinner("People are dealt anew to the groups."):
            answer = found.answer
    except TooLittleData as error:
        st.info(f"Groups are not compared: {plain(str(error))}.")
        return
    except BadInput as error:
        refuse(error, "Groups are not compared.")
        return
    st.markdown(plain_with_facts(answer))
    for note in found.notes:
        st.caption(plain(f"{note[:1].upper()}{note[1:]}."))
    for name, meaning in SHOWN_OF_GROUPS.items():
        if len(found.table(name)):
            st.subheader(found.tables[name].title)
            show_report(found, name, f"groups-{name}", meaning)
