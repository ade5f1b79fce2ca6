"""What a collection holds as frames: the same from Python as from a running server."""

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import astuple, fields
from functools import partial
from typing import Any

import pandas as pd

from core.analysis.base.declared import declared_of, model_of
from core.analysis.base.study import Study, scales_of
from core.analysis.collection.exported_files import Wanted, export_file
from core.analysis.judging.progress import ask_progress
from core.analysis.results.declared import asked_choice, offer_versions
from core.analysis.results.qrels_choices import (
    after_discussion,
    version_of,
)
from core.collection.aspects import Aspect
from core.collection.records import Level
from core.errors import BadInput, NotFound
from core.reports.progress import ProgressQuestion
from core.store.content.aspects import find_aspect, list_aspects
from core.store.content.collections import Collection, find_collection, list_collections
from core.store.content.gold import GoldItem, list_gold
from core.store.events import frames
from core.store.events.adjudications import read_adjudications
from core.store.events.aspect_labels import read_aspect_labels, replace_levels
from core.store.events.paradata import read_paradata
from core.store.events.passages import read_passages
from core.store.events.preference_reasons import read_reasons
from core.store.machines.machines import count_machine_labels, read_answers
from core.store.people.consent import read_roster
from core.store.people.pseudonyms import hide_assessors, hide_groups
from core.store.people.roster import add_kinds, keep_persons
from core.store.rounds.label_rounds import read_labels_by_round
from core.store.rounds.pairs import read_preferences
from core.store.rounds.rounds import Round, list_rounds
from core.store.store import Store
from core.versions.judgements import GMAX


class CollectionFrames(ABC):
    """The content of a store's collections as frames.

    Most methods take the name or id of a collection, which may be left out where the store has
    only one. They raise NotFound where there is no such collection, and BadInput where several
    could be meant. Each call returns a frame of its own.

    Parameters
    ----------
    names : bool
        Show assessors by id and name; otherwise codes stand for both.
    """

    def __init__(self, *, names: bool) -> None:
        self._has_names = names

    @property
    @abstractmethod
    def _store(self) -> Store:
        """The open store."""

    def collections(self) -> pd.DataFrame:
        """Return every collection, oldest first, with its texts and when it was made and closed."""
        return _lay_out(Collection, list_collections(self._store))

    def topics(self, collection: str = "") -> pd.DataFrame:
        """Return topic_id, query, description, narrative, type in the order of import."""
        return frames.read_topics(self._store, self._find(collection))

    def subtopics(self, collection: str = "") -> pd.DataFrame:
        """Return topic_id, subtopic_id, type, text, probability (NaN where none is given)."""
        return frames.read_subtopics(self._store, self._find(collection))

    def documents(self, collection: str = "") -> pd.DataFrame:
        """Return document_id, title, url, text, html; what is not stored is empty."""
        return frames.read_documents(self._store, self._find(collection))

    def results(self, collection: str = "") -> pd.DataFrame:
        """Return topic_id, engine, document_id, rank, snippet, vertical of every result."""
        return frames.read_results(self._store, self._find(collection))

    def runs(self, collection: str = "") -> pd.DataFrame:
        """Return system, topic_id, document_id, score, rank of every run."""
        return frames.read_runs(self._store, self._find(collection))

    def scales(self, collection: str = "") -> pd.DataFrame:
        """Return facet, level, name, meaning, key, counts_as of every level, lowest first."""
        scales = scales_of(self._study(collection))
        rows = [(facet, *astuple(level)) for facet, levels in scales.items() for level in levels]
        return pd.DataFrame(rows, columns=["facet", *_names_of(Level)])

    def declaration(self, collection: str = "") -> dict[str, Any]:
        """Return what a collection declares, where its results begin.

        Keys are facet, measure, version, users, at_least, alpha, baseline (empty: none) and
        topics (a list; empty: all).
        """
        return declared_of(self._study(collection)).to_dict()

    def rounds(self, collection: str = "") -> pd.DataFrame:
        """Return the rounds of judging with their rules, oldest first."""
        return _lay_out(Round, list_rounds(self._store, self._find(collection)))

    def progress(
        self, collection: str = "", *, round: str = "", table: str = "topics"
    ) -> pd.DataFrame:
        """Return how far a round is, as the page *Progress* and ``dissent progress`` tell it.

        Parameters
        ----------
        collection : str
            As for all methods.
        round : str
            Its name or id; the latest that is open, without, else the latest of all.
        table : {'topics', 'people', 'rounds', 'items', 'course', 'ahead', 'end'}
            Each topic of the collection: the judgements and items of the round, its places, and
            all labels; each assessor likewise; the places of every round; how many items so many
            assessors labelled; how many judgements there were over time; how many to expect; when
            the round ends, with 95 % limits.

        Raises
        ------
        NotFound
            There is no such round.
        BadInput
            There is no such table.
        """
        found = ask_progress(self._study(collection), ProgressQuestion(round))
        return found.table(table).copy()

    def assessors(self, collection: str = "") -> pd.DataFrame:
        """Return assessor_id, name, group, origin, dropped_at, kind, consent, consent_at.

        One row for everybody who may judge. ``kind`` is person, machine or gold: qrels versions
        are made from labels of persons, unless a rule names others. ``consent`` to the use of
        their data is yes, no or not asked.
        """
        listed = self._hide(read_roster, collection)
        return listed.sort_values("name", ignore_index=True)

    def machines(self, collection: str = "") -> pd.DataFrame:
        """Return what each machine is, how much it has said, and what that has cost.

        Columns are assessor_id, name, model, version, prompt, prompt_hash (SHA-256), parameters
        (JSON), judged_on, labels, cannot_judge, invalid_answers, cost, input_tokens,
        output_tokens.
        """
        return self._hide(count_machine_labels, collection)

    def machine_answers(self, collection: str = "") -> pd.DataFrame:
        """Return what machines answered, word for word, a row for each of their label events.

        Columns are topic_id, document_id, facet, engine, assessor_id, name, occasion, sequence,
        time, state, level, stands (whether the label still holds), answer, reason, cost,
        input_tokens, output_tokens, model, version, prompt_hash.
        """
        return self._hide(read_answers, collection)

    def aspects(self, collection: str = "") -> pd.DataFrame:
        """Return name, facets, question, from_level, may_be_left_out, ended_at of every aspect."""
        listed = list_aspects(self._store, self._find(collection))
        return _lay_out(Aspect, list(listed)).drop(columns="levels")

    def labels(
        self,
        collection: str = "",
        *,
        everybody: bool = False,
        aspect: str = "",
        discussed: bool = False,
    ) -> pd.DataFrame:
        """Return the labels that stand, in the order in which they were first given.

        They are as given, before assessors saw what others said; with ``discussed``, as they
        stand after that. Those of machine members and of gold are left out, as from agreement
        and qrels versions on the pages, unless everybody's are wanted; then a column kind says by
        what each is: person, machine or gold.

        Columns are topic_id, document_id, facet, engine, assessor_id, occasion (0; 1 and above
        for hidden repeats), level (as counted), given_level, state, group, assessor (the name),
        sequence, time, dwell_ms, comment, source, round_id (the round in which it was given; empty
        for imported ones). Practice and adjudications are left out.

        With ``aspect`` the levels are those of that aspect, and labels without one are left out;
        raises NotFound where there is no such aspect.
        """
        by_round = partial(read_labels_by_round, discussed=discussed)
        read = _read_of(aspect, discussed) if aspect else by_round
        return self._hide(_choose_whose(read, everybody), collection)

    def passages(self, collection: str = "") -> pd.DataFrame:
        """Return the passages that persons marked with the labels that stand.

        Columns are topic_id, document_id, facet, engine, assessor_id, name, occasion, sequence,
        state, level, start, end (code points, the end not included), text_hash, quote, characters
        (of the text; 0, and no quote, where the store holds another version of it).
        """
        return self._hide(_choose_whose(read_passages, everybody=False), collection)

    def paradata(self, collection: str = "") -> pd.DataFrame:
        """Return how the labels and preferences of persons came about, as far as it is known.

        Columns are topic_id, document_id, facet, engine, assessor_id, name, occasion, sequence,
        state, level, dwell_ms (active time), shown_ms (from when the whole was shown to the
        answer), given_by (key, mouse, touch, pen, or button: pressed by a key), place (of the
        button, from 0), x, y (of the pointer, from 0 to 1000 of the window), furthest (how far a
        text had been in view, to 1000), first_side, both_sides (of a pair), text_only. What is
        not known is missing, and a label of which nothing is known has no row.
        """
        return self._hide(_choose_whose(read_paradata, everybody=False), collection)

    def adjudications(self, collection: str = "") -> pd.DataFrame:
        """Return the adjudicated levels that stand, one for each item.

        Columns are topic_id, document_id, facet, engine, assessor_id (of the organiser), level
        (as counted), given_level, sequence, time, comment.
        """
        return self._hide(read_adjudications, collection)

    def preferences(
        self, collection: str = "", *, everybody: bool = False, discussed: bool = False
    ) -> pd.DataFrame:
        """Return what was said of pairs, as it stands, in the order of judging.

        What machine members said is left out unless everybody's preferences are wanted (then a
        column assessor_kind says by what each is), and what was said after seeing others' labels
        unless ``discussed``.

        Columns are topic_id, pair_id, kind, facet, first, second, left, choice, strength, state,
        assessor_id, assessor, group, occasion, sequence, time, dwell_ms, comment, source.
        """
        read = partial(read_preferences, discussed=discussed)
        return self._hide(_choose_whose(read, everybody), collection)

    def reasons(
        self, collection: str = "", *, everybody: bool = False, discussed: bool = False
    ) -> pd.DataFrame:
        """Return why one of two things was preferred: a row for each reason that was given.

        Columns are those of ``preferences`` and reason. A preference without a reason has no row.
        """
        given = read_reasons(self._store, self._find(collection))
        preferences = self.preferences(collection, everybody=everybody, discussed=discussed)
        return preferences.merge(given, on="sequence")

    def export(
        self,
        kind: str,
        collection: str = "",
        *,
        everybody: bool = False,
        discussed: bool = False,
        aspect: str = "",
        parquet: bool = False,
        tool: str = "",
        log: str = "",
    ) -> bytes:
        """Return a file as the page *Export* and ``dissent export`` write it.

        Parameters
        ----------
        kind : str
            labels, aspects, preferences, reasons, passages, paradata, machine-answers,
            questions, guidelines or clicks.
        everybody, discussed : bool
            As for ``labels``.
        aspect : str
            Of aspects, only this one.
        parquet : bool
            Labels as Parquet.
        tool : str
            Labels as another tool reads them: quepid, label-studio, doccano, argilla or potato;
            preferences for label-studio.
        log : str
            Of clicks, this log; it may be left out where there is one only.

        Raises
        ------
        BadInput
            There is no such kind, or it does not take one of these.
        """
        wanted = Wanted(self._has_names, everybody, discussed, aspect, parquet, tool, log)
        return export_file(self._store, self._find(collection), kind, wanted).content

    def gold(self, collection: str = "") -> pd.DataFrame:
        """Return topic_id, document_id, facet, engine, level of the gold items."""
        return _lay_out(GoldItem, list_gold(self._store, self._find(collection)))

    def qrels_versions(
        self, collection: str = "", *, facet: str = "", aspect: str = ""
    ) -> pd.DataFrame:
        """Return the qrels versions on offer for labels of a facet: version, name, rule.

        ``version`` is what ``qrels`` asks for; the one that the study declares comes first, and
        without a facet they are of the declared one. ``rule`` is JSON, and empty for imported
        qrels. The UDM stands for the declared users. With ``aspect``, they are of that aspect.
        """
        study = self._study(collection, aspect)
        of = self._facet_of(study, facet)
        choices = offer_versions(study, of, model_of(study, of))
        rows = [(version, choice.name, choice.rule_text) for version, choice in choices.items()]
        return pd.DataFrame(rows, columns=["version", "name", "rule"])

    def qrels(
        self,
        version: str = "",
        collection: str = "",
        *,
        facet: str = "",
        aspect: str = "",
        discussed: bool = False,
    ) -> pd.DataFrame:
        """Return one qrels version: topic_id, iteration, document_id, level.

        Without a name it is the version that the study declares. It is made from labels as given
        unless its rule says otherwise, or with ``discussed`` from labels as they stand after
        assessors have seen what others said. A version of snippet and page together has a column
        engine before the level. With ``aspect``, levels are those of that aspect. ``attrs`` has
        the highest level of the scale, gmax, where it is known: measures such as ERR depend on it.

        Raises
        ------
        NotFound
            There is no such version.
        TooLittleData
            No label fits its rule.
        """
        study = self._study(collection, aspect)
        choice = asked_choice(study, version, facet and self._facet_of(study, facet))
        chosen = after_discussion(choice) if discussed else choice
        judged = version_of(study, chosen)
        frame = judged.frame.copy()
        frame.attrs["version"] = chosen.name  # goes with the frame into a Parquet file
        if not judged.is_gmax_taken:
            frame.attrs[GMAX] = judged.gmax
        return frame

    def _find(self, collection: str) -> str:
        if collection:
            return find_collection(self._store, collection)
        known = list_collections(self._store)
        if not known:
            raise NotFound("There is no collection in this store.")
        if len(known) > 1:
            listed = ", ".join(one.name for one in known)
            raise BadInput(f"say which of {listed}", field="collection")
        return known[0].collection_id

    def _study(self, collection: str, aspect: str = "") -> Study:
        collection_id = self._find(collection)
        if aspect:
            find_aspect(self._store, collection_id, aspect)
        return Study(self._store, collection_id, not self._has_names, aspect)

    def _hide(self, read: Callable[[Store, str], pd.DataFrame], collection: str) -> pd.DataFrame:
        """Return what a function reads of a collection, with codes unless names are wanted."""
        collection_id = self._find(collection)
        frame = hide_groups(self._store, collection_id, read(self._store, collection_id))
        return frame if self._has_names else hide_assessors(self._store, collection_id, frame)

    def _facet_of(self, study: Study, facet: str) -> str:
        """Return a facet that has a scale, the declared one where none is named."""
        facet, scales = facet or declared_of(study).facet, scales_of(study)
        if facet not in scales:
            raise BadInput(f"'{facet}' is none of {', '.join(scales)}", field="facet")
        return facet


_Read = Callable[[Store, str], pd.DataFrame]


def _read_of(aspect: str, discussed: bool) -> _Read:
    """Return what reads the labels with the levels of an aspect."""

    def read(store: Store, collection_id: str) -> pd.DataFrame:
        find_aspect(store, collection_id, aspect)
        labels = read_labels_by_round(store, collection_id, discussed=discussed)
        aspects = read_aspect_labels(store, collection_id, discussed=discussed)
        return replace_levels(labels, aspects, aspect)

    return read


def _choose_whose(read: _Read, everybody: bool) -> _Read:
    """Return what reads everybody's labels, or only those of persons."""
    if everybody:
        return lambda store, collection_id: add_kinds(
            store, collection_id, read(store, collection_id)
        )
    return lambda store, collection_id: keep_persons(
        store, collection_id, read(store, collection_id)
    )


def _names_of(record: Any) -> list[str]:
    return [field.name for field in fields(record)]


def _lay_out(record: Any, rows: list[Any]) -> pd.DataFrame:
    """Return records of a kind as a frame, with its columns also where there is none."""
    return pd.DataFrame([astuple(row) for row in rows], columns=_names_of(record))
