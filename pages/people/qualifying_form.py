"""The qualifying test: its pass mark, how everybody stands, and letting somebody in anyway."""

import pandas as pd
import streamlit as st

from core.analysis.base.wording import count, plain
from core.assessment.qualifying import Standing, read_standings
from core.store.content.practice import list_practice_items
from core.store.people.members import list_members
from core.store.people.qualifying import admit, get_pass_mark, set_pass_mark
from pages.shared.notice import finish
from pages.shared.session import PageContext

_USUAL = 80
_PURPOSE = (
    "Practice items can be a test: everybody answers them before anything else is handed out, and "
    "whoever has fewer right than the mark is given no slots until you let them in. The first "
    "answer to an item counts; it is right when it counts as the same level."
)


def show_test(context: PageContext) -> None:
    """Offer a pass mark, and show how everybody stands once there is one."""
    items = len(list_practice_items(context.store, context.collection_id))
    mark = get_pass_mark(context.store, context.collection_id)
    st.markdown(_PURPOSE)
    if not items:
        st.info("There are no practice items. Add some under *Collection*, *Contents*.")
    if items or mark is not None:
        _ask_mark(context, mark)
    standings = read_standings(context.store, context.collection_id)
    if standings:
        _show_standings(context, standings)
        _let_in(context, standings)


def _ask_mark(context: PageContext, mark: float | None) -> None:
    with st.container(horizontal=True, vertical_alignment="bottom"):
        share = st.number_input(
            "Pass mark (% of the items)",
            min_value=1,
            max_value=100,
            value=round(100 * mark) if mark is not None else _USUAL,
            width=220,
        )
        if st.button("Save the mark" if mark is not None else "Begin to test"):
            set_pass_mark(context.store, context.collection_id, share / 100, by=context.person_id)
            finish(f"Slots are given from {share} % right answers on.")
        if mark is not None and st.button("End the test"):
            set_pass_mark(context.store, context.collection_id, None, by=context.person_id)
            finish("There is no test any more; everybody is given slots.")


def _show_standings(context: PageContext, standings: dict[str, Standing]) -> None:
    below = sum(one.is_barred for one in standings.values())
    passed = sum(one.is_qualified for one in standings.values())
    said = f"{count(passed, 'person', 'people')} may judge, {below} below the mark."
    st.markdown(said)
    names = _names(context)
    st.dataframe(
        pd.DataFrame(
            {
                "name": names.get(one, one),
                "test": standing.told,
                "right": standing.right,
                "answered": standing.answered,
                "items": standing.items,
                "needed": standing.needed,
            }
            for one, standing in standings.items()
        ),
        hide_index=True,
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
