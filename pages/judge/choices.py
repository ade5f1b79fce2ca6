"""Aspects and reasons to choose in Streamlit's own elements.

Aspects are asked one after the other, or all in a form. The reasons of a preference can be chosen,
and listed.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import pandas as pd
import streamlit as st

from core.assessment.handing_out.assignment_content import Step
from core.assessment.intake.aspects import open_aspects
from core.collection.aspects import Aspect
from core.collection.records import PAIR, Level
from core.language.translate import t
from core.store.content.aspects import list_aspects
from core.store.events.labels import PRACTICE, AspectLevels
from core.store.events.preference_reasons import (
    list_reason_choices,
    read_given_reasons,
    read_reasons,
)
from core.wording import plain
from pages.judge.item import word_level
from pages.shared.session import PageContext

_LEFT_OUT = "left out"
"""What stands for no answer among levels: nothing at all is what was not chosen yet."""


@dataclass
class BegunSet:
    """The level of an item whose aspects are being asked, and what was said of them so far."""

    level: Level
    given: dict[str, int | None] = field(default_factory=dict)

    def left(self, aspects: Iterable[Aspect], facet: str) -> list[Aspect]:
        """Return what is still to be asked."""
        asked = [one for one in aspects if one.is_asked(facet, self.level.level)]
        return [one for one in asked if one.name not in self.given]


def find_begun(step: Step) -> BegunSet | None:
    """Return what was begun of a step, if anything was."""
    begun: BegunSet | None = st.session_state.get(_key(step))
    return begun


def begin_set(context: PageContext, step: Step, level: Level) -> bool:
    """Ask for the aspects of an item with this level from now on; false where there are none."""
    begun = BegunSet(level)
    aspects = list_aspects(context.store, context.collection_id)
    if step.occasion == PRACTICE or not begun.left(aspects, step.facet):
        return False
    st.session_state[_key(step)] = begun
    return True


def ask_next(context: PageContext, step: Step, begun: BegunSet) -> bool:
    """Show the next question of a set that was begun; true once there is none left."""
    aspects = list_aspects(context.store, context.collection_id)
    left = begun.left(aspects, step.facet)
    if not left:
        return True
    aspect = left[0]
    st.caption(f"✓ {plain(begun.level.name)}")
    st.markdown(f"**{plain(aspect.name)}**: {plain(aspect.question)}")
    for level in aspect.levels:
        if st.button(word_level(level), key=f"{aspect.name}-{level.level}-{step}"):
            return _say(begun, aspect, level.level, last=len(left) == 1)
    with st.container(horizontal=True):
        out = aspect.may_be_left_out and st.button(t("Leave out"), key=f"leave-{step}")
        if out:
            return _say(begun, aspect, None, last=len(left) == 1)
        if st.button(t("Back"), key=f"back-{step}"):
            del st.session_state[_key(step)]
            st.rerun()
    return False


def end_set(step: Step) -> dict[str, Any]:
    """Return what of a begun set goes into its judgement; nothing is begun afterwards."""
    begun: BegunSet | None = st.session_state.pop(_key(step), None)
    return {"aspects": begun.given, "asked": list(begun.given)} if begun else {}


def _say(begun: BegunSet, aspect: Aspect, level: int | None, *, last: bool) -> bool:
    begun.given[aspect.name] = level
    if not last:
        st.rerun()
    return True


def _key(step: Step) -> str:
    return f"aspects-{step}"


def choose_aspects(context: PageContext, facet: str, levels: AspectLevels) -> dict[str, int | None]:
    """Ask for each aspect of such items in a form; what was said of those that ended stays."""
    given = dict(levels)
    for aspect in open_aspects(list_aspects(context.store, context.collection_id), facet):
        names: dict[int | str, str] = {one.level: word_level(one) for one in aspect.levels}
        names |= {_LEFT_OUT: t("left out")} if aspect.may_be_left_out else {}
        before: int | str | None = given.get(aspect.name)
        if before is None and aspect.name in given:
            before = _LEFT_OUT
        choice = st.radio(
            f"{plain(aspect.name)}: {plain(aspect.question)}",
            list(names),
            format_func=names.__getitem__,
            index=next((i for i, one in enumerate(names) if one == before), None),
            key=f"aspect-{aspect.name}-{facet}-{hash(levels)}",
        )
        if choice is not None:
            given[aspect.name] = None if choice == _LEFT_OUT else int(choice)
    return given


def keep_asked(
    context: PageContext, facet: str, level: int, given: Mapping[str, int | None]
) -> dict[str, Any]:
    """Return what of these aspects goes into a judgement with a level, and which are asked."""
    aspects = list_aspects(context.store, context.collection_id)
    out_of_reach = {
        one.name for one in aspects if one.from_level is not None and level < one.from_level
    }
    kept = {name: value for name, value in given.items() if name not in out_of_reach}
    return {"aspects": kept, "asked": [one.name for one in aspects if one.is_asked(facet, level)]}


def choose_reasons(context: PageContext, facet: str, event_id: str | None) -> dict[str, Any]:
    """Offer the reasons of a preference, those of a label event chosen; what its event says.

    Nothing is offered, and nothing said, of what does not stand side by side, or where there are
    no reasons to choose from.
    """
    if not facet.endswith(PAIR):
        return {}
    here = context.store, context.collection_id
    given = read_given_reasons(*here, [event_id]).get(event_id, []) if event_id else []
    offered = list(dict.fromkeys([*list_reason_choices(*here), *given]))
    if not offered:
        return {}
    label = t("Why one is better")
    chosen = st.multiselect(label, offered, given, format_func=plain, key=f"why-{event_id}")
    return {"reasons": chosen}


def word_reasons(context: PageContext, sequences: Iterable[int]) -> Sequence[str]:
    """Return the reasons of each of these preferences of one's own, as a text; often none."""
    reasons = read_reasons(context.store, context.collection_id)
    joined: pd.Series[str] = reasons.groupby("sequence")["reason"].agg(", ".join)
    return [str(joined.get(one, "")) for one in sequences]
