"""What scores rest on, in words under a table and in columns of a file."""

from dataclasses import dataclass

import pandas as pd

from core.measures.ranking import Rankings
from core.versions.versions import QrelsVersion
from pages.analyse.versions import Offer
from pages.shared.session import Visit
from pages.shared.wording import count, plain

SHOWN = 5


@dataclass(frozen=True, eq=False)
class Basis:
    """What scores rest on: a version and the runs against it."""

    offer: Offer
    version: QrelsVersion
    rankings: Rankings

    @property
    def title(self) -> str:
        """The version's name and the first digits of its content hash, in Markdown."""
        return f"**{plain(self.offer.name)}** (content `{self.version.content_hash[:12]}`)"

    def describe(self, scores: pd.DataFrame) -> str:
        """Return in Markdown what these scores per topic rest on, and what is left out."""
        lines = [self._describe_version(), self._describe_topics(scores), *self._warn()]
        return "  \n".join(lines)

    def add_columns(self, scores: pd.DataFrame, visit: Visit) -> pd.DataFrame:
        """Return scores with what they rest on as columns."""
        return scores.assign(
            collection=visit.collection.name,
            version=self.offer.name,
            rule=self.offer.choice[1],
            content_hash=self.version.content_hash,
            last_sequence=self.version.last_sequence,
            labels=self.version.n_labels,
            simulated=bool(visit.collection.simulated),
        )

    def _describe_version(self) -> str:
        made = (
            f"{count(self.version.n_labels, 'imported line')}"
            if self.offer.rule is None
            else f"{count(self.version.n_labels, 'label')} up to event "
            f"{self.version.last_sequence:,}"
        )
        documents = count(len(self.version.frame), "judged document")
        return (
            f"Rests on {self.title}: {made}, {documents} in "
            f"{count(len(self.rankings.topics), 'topic')}."
        )

    def _describe_topics(self, scores: pd.DataFrame) -> str:
        left_out = []
        for measure in scores["measure"].unique():
            kept = set(scores.loc[scores["measure"] == measure, "topic_id"])
            gone = [topic for topic in self.rankings.topics if topic not in kept]
            if gone:
                left_out.append(f"{plain(measure)}: {_name(gone)}")
        if not left_out:
            return "Every judged topic has something relevant, so none is left out."
        return f"Left out, for nothing relevant is judged there: {'; '.join(left_out)}."

    def _warn(self) -> list[str]:
        warnings = []
        if self.version.undecided:
            warnings.append(
                ":material/gavel: Left out, for assessors disagree and nobody has adjudicated: "
                f"{count(self.version.undecided, 'item')}."
            )
        missing = self.rankings.missing()
        if len(missing):
            systems = missing["system"].nunique()
            warnings.append(
                f":material/warning: Counted as 0: {count(len(missing), 'answer')} that "
                f"{count(systems, 'system')} did not give ({_name(_pairs(missing))})."
            )
        if unknown := self.rankings.unknown_topics:
            warnings.append(
                f"Topics of the runs without any judgement, not scored: {_name(unknown)}."
            )
        return warnings


def _pairs(missing: pd.DataFrame) -> list[str]:
    return [f"{row.system} in {row.topic_id}" for row in missing.itertuples()]


def _name(names: list[str] | tuple[str, ...]) -> str:
    """Return a few names, with how many more there are."""
    shown = plain(", ".join(names[:SHOWN]))
    return f"{shown} and {len(names) - SHOWN} more" if len(names) > SHOWN else shown
