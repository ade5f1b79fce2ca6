"""What scores are based on, in words under a table and in columns of a file."""

from dataclasses import dataclass
from functools import cached_property

import pandas as pd

from core.analysis.base.study import Study
from core.analysis.results.qrels_choices import Pairs, QrelsChoice
from core.measures.judged import JudgedShare
from core.measures.ranking import Rankings
from core.versions.rules import WHOLE
from core.versions.versions import QrelsVersion
from core.versions.wording import describe_rounding, describe_ties
from core.wording import count, name_some, plain


@dataclass(frozen=True, eq=False)
class ScoreBasis:
    """What scores are based on: a version, runs against it, and the UDM's weights if they count.

    ``moment`` says in words when the version's last label came; it may be left out.
    """

    choice: QrelsChoice
    version: QrelsVersion
    rankings: Rankings
    weights: Pairs = ()
    moment: str = ""

    @property
    def title(self) -> str:
        """The version's name and the first digits of its content hash, in Markdown."""
        return f"**{plain(self.choice.name)}** (content `{self.version.content_hash[:12]}`)"

    @cached_property
    def missing(self) -> pd.DataFrame:
        """Which system gave no answer to which topic."""
        return self.rankings.missing()

    def describe(self) -> str:
        """Return in Markdown what scores are based on, as far as their report does not say it."""
        return "  \n".join([self._describe_version(), *self._warn()])

    def add_columns(self, scores: pd.DataFrame, study: Study) -> pd.DataFrame:
        """Return scores with what they are based on as columns.

        With a column ``system`` there is the number of topics that it did not answer, without one
        that of all systems; they count as nothing found.
        """
        return scores.assign(
            missing_topics=self._count_missing(scores),
            judged_topics=len(self.rankings.topics),
            unjudged_topics=len(self.rankings.unknown_topics),
            collection=study.collection.name,
            version=self.choice.name,
            rule=self.choice.rule_text,
            content_hash=self.version.content_hash,
            last_sequence=self.version.last_sequence,
            labels=self.version.n_labels,
            weights=str(dict(self.weights)) if self.weights else "",
            simulated=bool(study.collection.simulated),
        )

    def note(self, measure: str, topics: int, judged: "pd.Series[float]") -> str:
        """Return in one line of Markdown what a figure is based on.

        Parameters
        ----------
        measure : str
            The measure's text, or what else is drawn.
        topics : int
            How many topics count.
        judged : Series of float
            The judged share of each system in view.
        """
        whole = len(self.rankings.topics)
        lowest, highest = (f"{100 * share:.0f}" for share in (judged.min(), judged.max()))
        shares = lowest if lowest == highest else f"{lowest} to {highest}"
        parts = [
            plain(measure),
            self.title,
            f"{shares} % judged",
            f"{topics:,} of {whole:,} topics",
        ]
        if missing := len(self.missing):
            parts.append(f"{count(missing, 'missing answer')} among all systems")
        return " · ".join(parts)

    def judged_share(self, depth: int | None = None, topic: str = "") -> "pd.Series[float]":
        """Return by system the judged share of the documents up to a rank, to the end without one.

        It is that of one topic, or the mean over all.
        """
        rankings = self.rankings
        share = JudgedShare(depth).score(rankings).reshape(len(rankings.systems), -1)
        shown = share[:, rankings.topics.index(topic)] if topic else share.mean(axis=1)
        return pd.Series(shown, index=list(rankings.systems))

    @property
    def _by_engine(self) -> bool:
        return "engine" in self.version.frame

    def _without_snippets(self) -> list[str]:
        """Return the systems that are no engine with judged snippets, where that matters."""
        if not self._by_engine:
            return []
        engines = set(self.version.frame["engine"])
        return [] if "" in engines else [one for one in self.rankings.systems if one not in engines]

    def _count_missing(self, scores: pd.DataFrame) -> "pd.Series[int] | int":
        missing = self.missing["system"]
        if "system" not in scores or missing.empty:
            return len(missing)
        return scores["system"].map(missing.value_counts()).fillna(0).astype(int)

    def _describe_version(self) -> str:
        made = (
            f"{count(self.version.n_labels, 'imported line')}"
            if self.choice.rule is None
            else f"{count_labels(self.version)}{self.moment and f' up to {self.moment}'}"
        )
        documents = count_judged(self.version)
        scored, judged = len(self.rankings.topics), self.version.frame["topic_id"].nunique()
        counted = f", of which {scored:,} count" if scored < judged else ""
        return f"Based on {self.title}: {made}, {documents} in {count(judged, 'topic')}{counted}."

    def _warn(self) -> list[str]:
        warnings = []
        if self.weights:
            shown = " · ".join(f"level {level} {weight:.3f}" for level, weight in self.weights)
            warnings.append(f"Gain of a level by the UDM: {shown}.")
        warnings += [f":material/gavel: {words}" for words in describe_ties(self.version)]
        warnings += describe_pairs(self.version)
        if strangers := self._without_snippets():
            warnings.append(
                ":material/warning: A judgement of snippet and page holds for the engine that "
                "showed the snippet, so there is none for the results of these systems, and they "
                f"score as if they had found nothing: {plain(name_some(strangers))}."
            )
        return warnings


def count_labels(version: QrelsVersion) -> str:
    """Return in words how many labels a version is based on; pairs of them where it is of pairs."""
    if "engine" in version.frame:
        return count(version.n_labels, "pair of labels", "pairs of labels")
    return count(version.n_labels, "label")


def count_judged(version: QrelsVersion) -> str:
    """Return in words how many documents a version judges, each counted once for each topic."""
    noun = "judged {} of topic and document"
    return count(version.n_documents, noun.format("pair"), noun.format("pairs"))


def describe_export(version: QrelsVersion) -> str:
    """Return in words, after a space, what a file holds where it cannot hold the version itself."""
    if version.is_whole:
        return ""
    name = f"{plain(version.rule.name)}, {WHOLE}"
    how = describe_rounding(version.rule)
    words = f" Files of qrels have whole levels: they hold *{name}* ({how})."
    if "engine" in version.frame:
        words += " They have no engines: a document has the level of its best engine."
    return words


def describe_pairs(version: QrelsVersion) -> list[str]:
    """Return in words which labels a version of snippet and page leaves out, and why."""
    words = []
    if version.unpaired:
        words.append(
            ":material/link_off: Left out because the same assessor gave the page no level: "
            f"{count(version.unpaired, 'snippet label')}. So the levels hold only for pages that "
            "an assessor has opened."
        )
    if version.unweighed:
        words.append(
            ":material/link_off: Left out because no item with these two levels has a second "
            f"assessor, so that they have no weight: {count(version.unweighed, 'snippet label')}."
        )
    return words
