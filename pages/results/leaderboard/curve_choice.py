"""What curves are drawn of: some systems, over all topics or on one."""

from dataclasses import dataclass
from typing import Any

import pandas as pd
import streamlit as st

from core.analysis.results.basis import ScoreBasis
from core.analysis.results.scores import Scoring
from pages.shared.figure import show_figure
from pages.shared.session import PageContext
from pages.shared.topic_names import ALL, choose_topic

BEST, MOST, DEPTH = 6, 8, 20


@dataclass(frozen=True, eq=False)
class CurveChoice:
    """The systems, the topic (or ``ALL``) and the last rank of the curves in view."""

    context: PageContext
    basis: ScoreBasis
    scoring: Scoring
    systems: tuple[str, ...]
    topic: str
    depth: int

    @property
    def averaged(self) -> bool:
        """Whether the curves are over all topics."""
        return self.topic == ALL

    def pick(self, curve: pd.DataFrame) -> pd.DataFrame:
        """Return the curves of these systems, in this order, and of this topic."""
        position = {system: number for number, system in enumerate(self.systems)}
        chosen = curve[curve["system"].isin(self.systems)]
        if not self.averaged:
            chosen = chosen[chosen["topic_id"] == self.topic]
        return chosen.sort_values("system", key=lambda names: names.map(position), kind="stable")

    def show(
        self,
        figure: Any,
        curve: pd.DataFrame,
        name: str,
        explanation: str,
        *,
        measure: str,
        topics: int,
        depth: int | None,
    ) -> None:
        """Show a figure of curves, with what it is based on in words and in its data.

        Parameters
        ----------
        measure : str
            What is drawn.
        topics : int
            How many topics a curve over all topics is the mean of.
        depth : int, optional
            The rank up to which lists are looked at; to their ends when absent.
        """
        topics = topics if self.averaged else 1
        judged = self.basis.judged_share(depth, self.topic)
        data = curve.assign(measure=measure, judged=curve["system"].map(judged), topics=topics)
        show_figure(figure, self.basis.add_columns(data, self.context.study), name, explanation)
        st.caption(self.basis.note(measure, topics, judged[list(curve["system"].unique())]))


def choose_curves(
    context: PageContext, basis: ScoreBasis, scoring: Scoring, ordered: list[str]
) -> CurveChoice:
    """Return whose curves the organiser wants to see; ``ordered`` has the best systems first."""
    best = ordered[:BEST]
    with st.container(horizontal=True, vertical_alignment="bottom"):
        chosen = st.multiselect(
            "Systems",
            ordered,
            placeholder=f"The best {len(best)} of the table",
            max_selections=MOST,
            key="curve-systems",
        )
        topic = choose_topic(context, basis, "curve-topic", whole=True)
    depth = min(DEPTH, int(basis.rankings.length.max()))
    return CurveChoice(context, basis, scoring, tuple(chosen or best), topic, depth)
