"""A student's own view of a class: waiting for the others, and their levels beside the class's."""

from html import escape
from pathlib import Path

import streamlit as st

from core.analysis.learn.lesson import Own, level_names, own_of, summary_of
from core.language.translate import t, tn
from core.store.people.members import list_members
from core.store.rounds.lessons import Lesson, lesson_of
from core.wording import plain
from pages.shared.level_bars import draw_bars
from pages.shared.live import SECONDS
from pages.shared.session import PageContext

_MANY = 50
_LEVELS = Path(__file__).parent.parent / "shared" / "styles" / "levels.css"


def follow_class(context: PageContext, lesson: Lesson) -> None:
    """Draw the page again once the lecturer reveals the labels, or lets the class judge on.

    Nothing else of the class is looked at: with each label of forty students, every one of their
    pages would be drawn anew. The more students there are, the more rarely each page looks.
    """
    seen = lesson.revealed_at is not None
    students = len(list_members(context.store, context.collection_id))

    @st.fragment(run_every=SECONDS * max(1.0, students / _MANY))
    def watch() -> None:
        now = lesson_of(context.store, context.collection_id)
        if now is not None and (now.revealed_at is not None) != seen:
            st.rerun()

    watch()


def tell_waiting() -> None:
    """Say that all is judged and what comes next."""
    st.title(t("Judged"))
    st.success(
        t(
            "You have judged every page of the class. As soon as your lecturer reveals the labels, "
            "you see here how yours stand beside those of the class. Until then you can change "
            "them under *History*."
        )
    )


def show_own(context: PageContext) -> None:
    """Show a student's level of each page beside the class's, and how often they agreed."""
    own = own_of(context.study, context.person_id)
    st.title(t("You and your class"))
    summary = summary_of(context.study)
    st.markdown(_tell(own, summary.raw))
    for names in summary.united:
        st.caption(
            plain(
                t(
                    "{levels} count as one level here: both are the best.",
                    levels=t(" and ").join(names),
                )
            )
        )
    st.html(_LEVELS)
    levels = level_names(context.study)
    st.html("".join(_draw(one, levels) for one in own))


def _tell(own: tuple[Own, ...], raw: float | None) -> str:
    """Return in Markdown how often a student agreed with the others, and these with each other."""
    given = [one for one in own if one.level]
    shared = [one for one in given if one.others]
    if not given:
        return t("You gave no page a level. These are the levels that the class gave.")
    if not shared:
        return tn(
            len(given),
            "You judged {n} page, and nobody else judged it.",
            "You judged {n} pages, and nobody else judged them.",
        )
    rate = sum(one.same / one.others for one in shared) / len(shared)
    sentence = t(
        "On **{share}** of the pages, on average, another student gave the level that you gave.",
        share=f"{rate:.0%}",
    )
    if raw is not None:
        sentence += " " + t(
            "In the whole class, two students agree on {share}.", share=f"{raw:.0%}"
        )
    return f"{sentence} " + t("There is no single right answer: where you differ, ask why.")


def _draw(one: Own, levels: list[str]) -> str:
    title = escape(one.item.title or one.item.name)
    level = f"<b>{escape(one.level)}</b>" if one.level else ""
    if not level:
        verdict = t("You gave it no level.")
    elif one.others:
        verdict = t(
            "You said {level}; {same} of {others} others agree.",
            level=level, same=one.same, others=one.others,
        )  # fmt: skip
    else:
        verdict = t("You said {level}; nobody else judged it.", level=level)
    bars = draw_bars(one.item.counts, levels, one.level)
    return f'<section class="own-page"><h2>{title}</h2><p>{verdict}</p>{bars}</section>'
