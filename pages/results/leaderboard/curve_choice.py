"""What curves are drawn of: some systems, over all topics or on one."""

from dataclasses import dataclass
from typing import Any

import pandas as pd
import streamlit as st

from core.analysis.results.basis import ScoreBasis
from core.analysis.results.curves import ask_curves
from core.analysis.results.scores import Scoring
from core.reports.curves import CurvesQuestion, RankingCurves
from core.wording import plain_with_facts
from pages.shared.figure import show_figure
from pages.shared.session import PageContext
from pages.shared.topic_names import ALL, choose_topic

BEST, MOST = 6, 8


@dataclass(frozen=True, eq=False)
class CurveChoice:
    """The systems and the topic (or ``ALL``) of the curves in view."""

    context: PageContext
    basis: ScoreBasis
    scoring: Scoring
    systems: tuple[str, ...]
    topic: str

    @property
    def averaged(self) -> bool:
        """Whether the curves are over all topics."""
        return self.topic == ALL

    @property
    def told_of(self) -> tuple[str, tuple[str, ...]]:
        """The topic, '' for all, and the systems of which the report is to tell."""
        return "" if self.averaged else self.topic, self.systems

    def ask(self, question: CurvesQuestion) -> RankingCurves:
        """Return the curves of all systems and topics."""
        given = self.context.study, self.basis.choice
        return ask_curves(*given, question, self.scoring.weights)

    def pick(self, report: RankingCurves, name: str) -> pd.DataFrame:
        """Return the curves of these systems, in this order, and of this topic."""
        position = {system: number for number, system in enumerate(self.systems)}
        by_topic = not self.averaged and f"{name}_by_topic" in report.tables
        curve = report.table(f"{name}_by_topic" if by_topic else name)
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
        told: str = "",
        depth: int | None = None,
    ) -> None:
        """Show a figure of curves, with what it is based on in words and in its data.

        Parameters
        ----------
        measure : str
            What is drawn.
        told : str
            What the report says of it.
        depth : int, optional
            The rank up to which lists are looked at; to their ends when absent.
        """
        topics = int(curve["topics"].iloc[0]) if self.averaged else 1
        if told:
            st.markdown(plain_with_facts(told))
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
    return CurveChoice(context, basis, scoring, tuple(chosen or best), topic)
