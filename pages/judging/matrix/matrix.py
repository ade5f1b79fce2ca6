"""The organiser's page about who judges which topic: topics × people of one round.

The cells of topics × people: what stands in them, and how they are shaded.
"""

from dataclasses import dataclass
from typing import TYPE_CHECKING

import pandas as pd
import streamlit as st

from core.analysis.base.labels import mark_machines, name_assessors
from core.analysis.base.study import topics_of
from core.analysis.judging.deadlines import tell_deadline
from core.analysis.judging.progress import ask_progress
from core.assessment.handing_out.matrix import (
    count_open,
    read_places,
    share_by_cell,
    summarise_people,
)
from core.reports.progress import Progress, ProgressQuestion
from core.store.people.members import list_assessors, list_members
from core.store.rounds.rounds import Round, list_rounds
from core.store.store import utc_now
from core.wording import plain_with_facts
from pages.judging.matrix.slot_form import change_slot, follow_click
from pages.shared.figure import show_table
from pages.shared.notice import begin
from pages.shared.page import page
from pages.shared.session import PageContext
from pages.shared.wording import needs_collection

if TYPE_CHECKING:
    from pandas.io.formats.style import Styler

MOST_PEOPLE, MOST_TOPICS = 40, 60
FINISHED, RESERVED = "✓", "reserved"
OPEN = "open"
_BLUE = "47, 111, 171"
_LEAST, _MOST = 0.06, 0.75
"""How much of the blue covers the page: text keeps the theme's colour, in light and in dark."""


@dataclass(frozen=True)
class MatrixCells:
    """A row for each topic and a column for each person, by id.

    ``text`` has ``topic`` and ``open`` before the people; ``shares`` has the people only, 0 to 1,
    NaN where a cell is not theirs. ``topics`` are the ids of the rows.
    """

    text: pd.DataFrame
    shares: pd.DataFrame
    topics: list[str]


def lay_out_cells(
    held: pd.DataFrame, still_open: "pd.Series[int]", topics: pd.DataFrame, people: list[str]
) -> MatrixCells:
    """Return the cells of a round.

    Parameters
    ----------
    held : DataFrame
        From ``share_by_cell``.
    still_open : Series
        From ``count_open``: its topics are the rows, in the order of the collection.
    topics : DataFrame
        topic_id and query, in their order.
    people : list of str
        The columns.
    """
    known = topics[topics["topic_id"].isin(still_open.index)]
    rows = known["topic_id"].tolist()
    facts = zip(held["share"], held["judged"], held["slots"], held["finished"], strict=True)
    worded = held.assign(text=[_word(*one) for one in facts])
    text = worded.pivot(index="topic_id", columns="assessor_id", values="text")
    text = text.reindex(index=rows, columns=people).astype("str").fillna("")
    shares = held.pivot(index="topic_id", columns="assessor_id", values="share")
    shares = shares.reindex(index=rows, columns=people).astype("float64")
    named = [f"{topic}  {query}" for topic, query in zip(rows, known["query"], strict=True)]
    text.insert(0, "topic", named)
    text.insert(1, OPEN, [int(still_open[topic]) for topic in rows])
    return MatrixCells(text.reset_index(drop=True), shares.reset_index(drop=True), rows)


def shade_cells(text: pd.DataFrame, shares: pd.DataFrame) -> "Styler":
    """Return the cells, darker where more is done; the text says the same without colour."""
    shades = shares.map(_shade).astype("str").reindex(columns=text.columns, fill_value="")
    return text.style.apply(lambda _: shades, axis=None)


def _word(share: float, judged: int, slots: int, finished: int) -> str:
    if finished == slots:
        return FINISHED
    if judged == 0 and finished == 0:
        return RESERVED
    return f"{min(share, 0.99):.0%}"


def _shade(share: float) -> str:
    if pd.isna(share):
        return ""
    return f"background-color: rgba({_BLUE}, {_LEAST + (_MOST - _LEAST) * share:.2f})"


PURPOSE = "Who judges which topic, and how much of it is done."
ROW, TALLEST = 35, 388
"""Pixels of a row, and of the whole matrix: what acts on a cell stays in view below it."""

TOPIC = 240
"""Pixels of the topic: as it stays in view, it must leave room beside it on a phone."""

NARROWEST, WIDEST, PER_LETTER = 76, 140, 8
"""Pixels of a column of cells: as many as the name above it needs."""

_CLICKED = "matrix-cells"
_LEGEND = (
    "✓ is finished, % is the share judged so far, *reserved* is somebody's but not begun; an empty "
    "cell is not theirs. *Open* counts the slots that anybody may take. Click a cell to assign, "
    "move or free a slot."
)
_COLUMNS = {
    "share": st.column_config.ProgressColumn("share done", format="percent"),
    "leased_until": st.column_config.DatetimeColumn("lease ends (UTC)", format="D MMM, HH:mm"),
    "finished_at": st.column_config.DatetimeColumn("finished (UTC)", format="D MMM, HH:mm"),
}


@page("matrix", "Judging", "Topics × people", "organiser")
def draw(context: PageContext) -> None:
    """Show who is how far with what, and move what is not finished."""
    begin(context, PURPOSE)
    if needs_collection(context):
        return
    rules = _choose_round(context)
    if rules is None:
        context.sheet.tell("No round is open yet. Plan the first one under *Rounds*.")
        return
    places = read_places(context.store, rules)
    progress = ask_progress(context.study, ProgressQuestion(rules.round_id))
    context.sheet.answer(_answer(rules, progress))
    names = _name_people(context)
    _show_matrix(context, places, names)
    change_slot(context, rules, places, names)
    _show_slots(context, places, names)


def _choose_round(context: PageContext) -> Round | None:
    """Return the latest round that is open, or another that is asked for."""
    rounds = {
        one.round_id: one for one in reversed(list_rounds(context.store, context.collection_id))
    }
    if not rounds:
        return None
    still_open = [one for one, rules in rounds.items() if rules.closed_at is None]
    first = next(iter(still_open or rounds))
    if len(rounds) == 1:
        return rounds[first]
    chosen = context.sheet.choices.selectbox(
        "Round",
        list(rounds),
        index=list(rounds).index(first),
        format_func=lambda one: rounds[one].name,
        key="matrix-round",
        bind="query-params",
        label_visibility="collapsed",
        width=260,
    )
    return rounds[chosen]


def _answer(rules: Round, progress: Progress) -> str:
    """Return how far a round is, in a sentence."""
    sentence = f"{progress.say_places(rules.round_id, with_states=True)}; {progress.say_judged()}."
    due = tell_deadline(rules, progress.count_unfinished(rules.round_id)[0], utc_now())
    closed = " It is closed." if rules.closed_at else ""
    return f"{plain_with_facts(sentence)}{closed}{due and f' {due}'}"


def _name_people(context: PageContext) -> dict[str, str]:
    """Return the names of everybody in the collection by id, no two alike."""
    members = list_members(context.store, context.collection_id)
    names = name_assessors(members.rename(columns={"name": "assessor"}))
    return mark_machines(names, dict(zip(members["assessor_id"], members["kind"], strict=True)))


def _show_matrix(context: PageContext, places: pd.DataFrame, names: dict[str, str]) -> None:
    """Show a cell for each topic and person; above a certain size, a row for each person."""
    holders = set(places["assessor_id"].dropna())
    present = list_assessors(context.store, context.collection_id)
    people = sorted(holders.union(present), key=names.__getitem__)
    if len(people) > MOST_PEOPLE:
        people = [one for one in people if one in holders]
    if len(people) > MOST_PEOPLE or places["topic_id"].nunique() > MOST_TOPICS:
        _show_summary(places, names)
        return
    topics = topics_of(context.study)
    cells = lay_out_cells(share_by_cell(places), count_open(places), topics, people)
    shown = cells.text.rename(columns=names)
    clicked = st.dataframe(
        shade_cells(shown, cells.shares.rename(columns=names)),
        hide_index=True,
        width="content",
        height=min(ROW * (len(shown) + 1) + 3, TALLEST),
        key=_CLICKED,
        on_select="rerun",
        selection_mode="single-cell",
        column_config={
            "topic": st.column_config.TextColumn(pinned=True, width=TOPIC),
            **{
                name: st.column_config.TextColumn(width=_find_width(name))
                for name in shown.columns[2:]
            },
        },
    )
    st.caption(_LEGEND)
    ids = {name: one for one, name in names.items()}
    follow_click(clicked.selection.cells, places, cells.topics, ids)


def _find_width(name: str) -> int:
    return min(max(NARROWEST, PER_LETTER * len(name) + 16), WIDEST)


def _show_summary(places: pd.DataFrame, names: dict[str, str]) -> None:
    people = summarise_people(places)
    show_table(
        people.assign(assessor=people["assessor_id"].map(names)),
        "matrix-people",
        f"Each holder of slots, least done first: there are more than {MOST_PEOPLE} people or "
        f"{MOST_TOPICS} topics, too many for a matrix. The share is of the judgements that all "
        "their slots ask for.",
        column_order=["assessor", "topics", "slots", "finished", "judged", "steps", "share"],
        column_config=_COLUMNS | {"steps": "judgements asked for"},
    )


def _show_slots(context: PageContext, places: pd.DataFrame, names: dict[str, str]) -> None:
    queries = topics_of(context.study).set_index("topic_id")["query"]
    with st.expander("Every slot"):
        show_table(
            places.assign(
                query=places["topic_id"].map(queries),
                assessor=places["assessor_id"].map(names),
                batch=places["batch"] + 1,
                slot=places["slot"] + 1,
            ),
            "matrix-slots",
            "A *slot* is one assessor's place at one topic, or at one batch of it. The share is of "
            "the judgements that the slot asks for; hidden repeats are not counted.",
            column_order=["topic_id", "query", "batch", "slot", "state", "assessor", "judged",
                          "steps", "share", "leased_until", "finished_at"],
            column_config=_COLUMNS,
        )  # fmt: skip
