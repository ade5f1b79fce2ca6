"""What a comparison is based on: a table on the page, and columns in every file from it."""

from dataclasses import dataclass
from functools import cached_property

import pandas as pd
import streamlit as st

from core.reports.conditions import tabulate_conditions
from core.reports.report import JUDGED
from pages.results.significance.scored_conditions import ShownComparison
from pages.shared.figure import show_table
from pages.shared.session import PageContext

MEANING = (
    "A row for each condition. *Topics* are those that count; topics *left out* are judged, but "
    "have no relevant document, or do not count under another condition. *Judged share* is that "
    "of the documents that the measure looks at; the others count as not relevant. "
    "*Unanswered* counts pairs of system and topic without results, which score 0. *Content* is "
    "the start of a hash of the judgements: the same hash means the same judgements."
)
SHORT = 12


@dataclass(frozen=True, eq=False)
class ComparisonBasis:
    """What is shown, and where it comes from."""

    context: PageContext
    shown: ShownComparison

    @cached_property
    def facts(self) -> pd.DataFrame:
        """What each condition is based on, a row each."""
        return tabulate_conditions(self.shown.report.scored)

    @property
    def measure(self) -> str:
        """The measure of all conditions; empty where it differs."""
        measures = self.shown.question.measures
        return measures[0] if len(measures) == 1 else ""

    def of_conditions(self, frame: pd.DataFrame) -> pd.DataFrame:
        """Return a frame that has a column ``condition`` with what each is based on."""
        names = ["condition", "version", "content_hash", "topic_set", "measure", "topics", "judged"]
        new = [name for name in names if name == "condition" or name not in frame]
        return self._stamp(frame.merge(self.facts[new], on="condition", how="left"))

    def of_pairs(self, frame: pd.DataFrame) -> pd.DataFrame:
        """Return a frame of ``first`` and ``second`` condition with what both are based on."""
        for side in ("first", "second"):
            facts = self.facts[["condition", "content_hash", "topic_set", "measure", "topics"]]
            facts = facts.add_prefix(f"{side}_").rename(columns={f"{side}_condition": side})
            frame = frame.merge(facts, on=side, how="left")
        return self._stamp(frame)

    def of_columns(self, frame: pd.DataFrame) -> pd.DataFrame:
        """Return a frame with columns for each condition with more for what each is based on."""
        told = {
            f"{fact['condition']}: {name}": fact[name]
            for fact in self.facts.to_dict("records")
            for name in ("content_hash", "topic_set", "measure", "topics", "judged")
        }
        return self._stamp(frame.assign(**told))

    def show(self) -> None:
        """Show the facts."""
        st.header("What this is based on", anchor=False)
        facts = self.facts.assign(content=self.facts["content_hash"].str[:SHORT])
        show_table(
            self._stamp(facts),
            "comparison-basis",
            MEANING,
            column_config={
                "condition": st.column_config.TextColumn(pinned=True),
                "topic_set": "topic set",
                "left_out": "left out",
                "judged": JUDGED,
                "judged_documents": "judged documents",
                "last_event": "last event",
            },
            column_order=[
                "condition", "version", "content", "topic_set", "measure", "topics", "left_out",
                "judged", "unanswered", "judged_documents", "labels", "last_event",
            ],
        )  # fmt: skip

    def _stamp(self, frame: pd.DataFrame) -> pd.DataFrame:
        return frame.assign(
            **self.shown.question.significance.settings,
            collection=self.context.collection.name,
            simulated=bool(self.context.collection.simulated),
        )
