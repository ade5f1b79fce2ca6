"""The qualifying test: its rules, how everybody stands, and letting somebody in anyway."""

import pandas as pd
import streamlit as st

from core.assessment.handing_out.qualifying import Standing, read_standings
from core.store.content.practice import list_practice_items
from core.store.people.members import list_members
from core.store.people.qualifying import (
    MOST_ATTEMPTS,
    TestRules,
    admit,
    get_test_rules,
    set_test_rules,
)
from core.wording import count, plain
from pages.shared.notice import finish
from pages.shared.session import PageContext

_USUAL = TestRules(0.8)
_WITHIN = {0: "the same level", 1: "the same level, or one off"}
_PURPOSE = (
    "Practice items can be a test: everybody answers them before anything else is handed out, and "
    "whoever has fewer right than the mark is given no slots until a later attempt passes or you "
    "let them in. The first answer to an item counts; levels that count as the same are the same. "
    "After an attempt its score is shown, and each item that differed with your level and reason. "
    "Another attempt takes other items where there are enough."
)


def show_test(context: PageContext) -> None:
    """Offer the rules of a test, and show how everybody stands once there is one."""
    items = len(list_practice_items(context.store, context.collection_id))
    rules = get_test_rules(context.store, context.collection_id)
    st.markdown(_PURPOSE)
    if not items:
        st.info("There are no practice items. Add some under *Collection*, *Contents*.")
    if items or rules is not None:
        _ask_rules(context, rules, items)
    standings = read_standings(context.store, context.collection_id)
    if standings:
        _show_standings(context, standings)
        _let_in(context, standings)


def _ask_rules(context: PageContext, rules: TestRules | None, items: int) -> None:
    known = rules or _USUAL
    with st.container(horizontal=True, vertical_alignment="bottom"):
        share = st.number_input(
            "Pass mark (% of the items)", 1, 100, round(100 * known.mark), width=200
        )
        within = st.selectbox(
            "What is right",
            list(_WITHIN),
            format_func=_WITHIN.__getitem__,
            index=known.within,
            width=230,
        )
        attempts = st.number_input("Attempts", 1, MOST_ATTEMPTS, known.attempts, width=140)
        drawn = st.number_input(
            "Items an attempt",
            0,
            max(items, known.drawn or 0),
            known.drawn or 0,
            width=140,
            help="0 asks for all. With fewer, each attempt draws others where there are enough.",
        )
    asked = TestRules(share / 100, within, int(attempts), int(drawn) or None)
    with st.container(horizontal=True):
        if st.button("Save the rules" if rules is not None else "Begin to test"):
            set_test_rules(context.store, context.collection_id, asked, by=context.person_id)
            finish(f"Slots are given from {share} % right answers on.")
        if rules is not None and st.button("End the test"):
            set_test_rules(context.store, context.collection_id, None, by=context.person_id)
            finish("There is no test any more; everybody is given slots.")


def _show_standings(context: PageContext, standings: dict[str, Standing]) -> None:
    below = sum(one.is_barred for one in standings.values())
    passed = sum(one.is_qualified for one in standings.values())
    sentence = f"{count(passed, 'person', 'people')} may judge, {below} below the mark."
    st.markdown(sentence)
    names = _names(context)
    st.dataframe(
        pd.DataFrame(
            {
                "name": names.get(one, one),
                "test": standing.summary,
                "right": standing.right,
                "answered": standing.answered,
                "items": standing.shown.items,
                "needed": standing.needed,
                "attempts": len(standing.tried),
                "left": standing.left,
                "scores": ", ".join(f"{each.right}/{each.answered}" for each in standing.tried),
            }
            for one, standing in standings.items()
        ),
        hide_index=True,
        column_config={
            "left": st.column_config.NumberColumn("attempts left"),
            "scores": st.column_config.TextColumn(
                help="Right answers of those given, attempt by attempt."
            ),
        },
    )


def _let_in(context: PageContext, standings: dict[str, Standing]) -> None:
    """Offer to let in who has not passed, and to leave it to the test again."""
    open_to = [
        one for one, known in standings.items() if known.is_admitted or not known.is_qualified
    ]
    if not open_to:
        return
    names = _names(context)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        chosen = st.selectbox(
            "Whatever the test says",
            open_to,
            format_func=lambda one: names.get(one, one),
            width=300,
            key="test-person",
        )
        is_in = standings[chosen].is_admitted
        if st.button("Leave it to the test" if is_in else "Let in to judge"):
            admit(
                context.store,
                context.collection_id,
                chosen,
                admitted=not is_in,
                by=context.person_id,
            )
            name = plain(names.get(chosen, chosen))
            finish(f"The test decides about {name}." if is_in else f"{name} can judge.")


def _names(context: PageContext) -> dict[str, str]:
    members = list_members(context.store, context.collection_id)
    return dict(zip(members["assessor_id"], members["name"], strict=True))
