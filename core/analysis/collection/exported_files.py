"""What people said and wrote in a collection, as files, other tools' among them."""

import io
from collections.abc import Callable
from dataclasses import dataclass

import pandas as pd

from core.analysis.clicks.logs import choose_log
from core.collection.annotation_tools.texts import Texts
from core.collection.annotation_tools.writers import (
    LABEL_WRITERS,
    PREFERENCE_WRITERS,
    find_writer,
)
from core.collection.click_logs.jsonl import write_click_log
from core.collection.export.exported_kinds import EXPORTED
from core.collection.export.label_export import write_labels_csv, write_rows_csv
from core.collection.export.preference_export import write_preferences, write_reasons
from core.collection.labels.label_options import CANNOT_JUDGE, JUDGED
from core.collection.topics_and_documents.page_text import read_page_text
from core.errors import BadInput
from core.store.clicks.click_logs import (
    list_click_logs,
    read_blocks,
    read_click_items,
    read_click_queries,
)
from core.store.content.aspects import find_aspect, list_aspects
from core.store.content.guidelines import list_versions, read_versions
from core.store.events.aspect_labels import list_aspect_levels, read_aspect_labels
from core.store.events.frames import read_documents, read_results, read_topics
from core.store.events.paradata import has_paradata, read_paradata
from core.store.events.passages import read_passages
from core.store.events.preference_reasons import read_reasons
from core.store.events.questions import read_words
from core.store.machines.machines import read_answers
from core.store.people.pseudonyms import hide_assessors, hide_groups
from core.store.people.roster import add_kinds, count_left_out, keep_persons
from core.store.rounds.label_rounds import read_labels_by_round
from core.store.rounds.orders import join_choices, read_choices
from core.store.rounds.pairs import read_preferences
from core.store.store import Store


@dataclass(frozen=True)
class Wanted:
    """What is to be in a file.

    Parameters
    ----------
    names : bool
        Ids of people, and names where the file has them, in place of codes.
    everybody : bool
        Also what is of machine members and of gold, which count nowhere; a column ``kind`` (of
        preferences ``assessor_kind``) says which that is.
    discussed : bool
        As things stand after assessors have seen what others said; as given without it.
    aspect : str
        Of aspects, only this one.
    parquet : bool
        Labels as Parquet, not as CSV.
    tool : str
        Labels or preferences as another tool reads them: one of `LABEL_WRITERS` or
        `PREFERENCE_WRITERS`.
    log : str
        Of click logs, this one; it may be left out where there is one only.
    """

    names: bool = False
    everybody: bool = False
    discussed: bool = False
    aspect: str = ""
    parquet: bool = False
    tool: str = ""
    log: str = ""


@dataclass(frozen=True)
class ExportedFile:
    """A file, how many rows it has, and how many assessors it leaves out as no persons."""

    content: bytes
    rows: int
    left_out: int


_Read = Callable[[Store, str, Wanted], pd.DataFrame]
_Write = Callable[[Store, str, Wanted, pd.DataFrame], tuple[bytes, int]]


@dataclass(frozen=True)
class _File:
    """How one kind of file is made.

    Parameters
    ----------
    is_there : callable
        Whether the collection has anything of it.
    read, write : callable
        From the store to a frame with ids, and from a frame as it is shown to bytes and rows.
    """

    is_there: Callable[[Store, str], bool]
    read: _Read
    write: _Write


def is_there(store: Store, collection_id: str, kind: str) -> bool:
    """Tell whether a collection has anything of a kind of `EXPORTED`."""
    return _FILES[kind].is_there(store, collection_id)


def export_file(
    store: Store, collection_id: str, kind: str, wanted: Wanted | None = None
) -> ExportedFile:
    """Return a file of a collection.

    Parameters
    ----------
    kind : str
        One of `EXPORTED`.
    wanted : Wanted, optional
        What is to be in it; the usual, without.

    Raises
    ------
    BadInput
        There is no such kind, or it does not take what is wanted.
    NotFound
        There is no such aspect.
    """
    if kind not in EXPORTED:
        raise BadInput(f"'{kind}' is none of {', '.join(EXPORTED)}", field="kind")
    options, chosen = EXPORTED[kind].options, wanted or Wanted()
    for name, value in vars(chosen).items():
        if value and name not in options:
            raise BadInput(f"{kind} take no '{name}'", field=name)
    frame = hide_groups(store, collection_id, _FILES[kind].read(store, collection_id, chosen))
    left_out = 0
    if "everybody" in options and not chosen.everybody:
        left_out = count_left_out(store, collection_id, frame)
        frame = keep_persons(store, collection_id, frame)
    elif chosen.everybody:
        frame = add_kinds(store, collection_id, frame)
    if not chosen.names:
        frame = hide_assessors(store, collection_id, frame).drop(columns="name", errors="ignore")
    content, rows = _FILES[kind].write(store, collection_id, chosen, frame)
    return ExportedFile(content, rows, left_out)


def _read_labels(store: Store, collection_id: str, wanted: Wanted) -> pd.DataFrame:
    labels = read_labels_by_round(store, collection_id, discussed=wanted.discussed)
    return join_choices(labels, read_choices(store, collection_id)).rename(
        columns={"assessor": "name"}
    )


def _read_aspects(store: Store, collection_id: str, wanted: Wanted) -> pd.DataFrame:
    aspects = read_aspect_labels(store, collection_id, discussed=wanted.discussed)
    rows = list_aspect_levels(_read_labels(store, collection_id, wanted), aspects)
    if wanted.aspect:
        rows = rows[rows["aspect"] == find_aspect(store, collection_id, wanted.aspect).name]
    return rows


def _read_preferences(store: Store, collection_id: str, wanted: Wanted) -> pd.DataFrame:
    found = read_preferences(store, collection_id, discussed=wanted.discussed)
    return found[found["state"].isin([JUDGED, CANNOT_JUDGE])].reset_index(drop=True)


def _write_labels(
    store: Store, collection_id: str, wanted: Wanted, labels: pd.DataFrame
) -> tuple[bytes, int]:
    if wanted.tool:
        return write_labels_for(store, collection_id, wanted.tool, labels)
    if not wanted.parquet:
        return write_labels_csv(labels), len(labels)
    out = io.BytesIO()
    labels.to_parquet(out, index=False)
    return out.getvalue(), len(labels)


def _write_preferences(
    store: Store, collection_id: str, wanted: Wanted, preferences: pd.DataFrame
) -> tuple[bytes, int]:
    if wanted.tool:
        return write_preferences_for(store, collection_id, wanted.tool, preferences)
    return write_preferences(preferences), len(preferences)


def _write_reasons(
    store: Store, collection_id: str, _wanted: Wanted, preferences: pd.DataFrame
) -> tuple[bytes, int]:
    reasons = read_reasons(store, collection_id)
    given = int(reasons["sequence"].isin(preferences["sequence"]).sum())
    return write_reasons(preferences, reasons), given


def _plain(
    kind: str,
    read: Callable[[Store, str], pd.DataFrame],
    is_there: Callable[[Store, str], bool] | None = None,
) -> _File:
    """Return a kind of which each row of the store is one of the file."""
    return _File(
        is_there or (lambda *here: not read(*here).empty),
        lambda store, collection_id, _wanted: read(store, collection_id),
        lambda _store, _collection_id, _wanted, frame: (write_rows_csv(kind, frame), len(frame)),
    )


def _write_clicks(
    store: Store, collection_id: str, wanted: Wanted, queries: pd.DataFrame
) -> tuple[bytes, int]:
    name = choose_log(store, collection_id, wanted.log)
    items = read_click_items(store, collection_id, name)
    blocks = read_blocks(store, collection_id, name)
    content = write_click_log(queries["text"], items, blocks)
    return content, content.count(b"\n")


_FILES = {
    "labels": _File(
        lambda store, collection_id: bool(store.state(collection_id)[0]),
        _read_labels,
        _write_labels,
    ),
    "aspects": _File(
        lambda store, collection_id: bool(list_aspects(store, collection_id)),
        _read_aspects,
        lambda _store, _collection_id, _wanted, rows: (write_labels_csv(rows), len(rows)),
    ),
    "preferences": _File(
        lambda *here: not read_preferences(*here, discussed=True).empty,
        _read_preferences,
        _write_preferences,
    ),
    "reasons": _File(
        lambda *here: not read_reasons(*here).empty,
        _read_preferences,
        _write_reasons,
    ),
    "passages": _plain("passages", read_passages),
    "paradata": _plain("paradata", read_paradata, has_paradata),
    "machine-answers": _plain("machine-answers", read_answers),
    "questions": _plain("questions", read_words),
    "guidelines": _plain("guidelines", read_versions, lambda *here: bool(list_versions(*here))),
    "clicks": _File(
        lambda *here: not list_click_logs(*here).empty,
        lambda store, collection_id, wanted: read_click_queries(
            store, collection_id, choose_log(store, collection_id, wanted.log)
        ),
        _write_clicks,
    ),
}


def write_labels_for(
    store: Store, collection_id: str, tool: str, labels: pd.DataFrame
) -> tuple[bytes, int]:
    """Return labels as a tool reads them, and how many they are.

    Raises
    ------
    BadInput
        There is no such tool, or it has no place for such labels.
    """
    writer = find_writer(LABEL_WRITERS, tool)
    judged = labels[labels["state"].isin([JUDGED, CANNOT_JUDGE])]
    level = judged["given_level"] if "given_level" in judged else judged["level"]
    frame = judged.assign(level=level)
    return writer.write(frame, read_texts(store, collection_id)), len(frame)


def write_preferences_for(
    store: Store, collection_id: str, tool: str, preferences: pd.DataFrame
) -> tuple[bytes, int]:
    """Return preferences as a tool reads them, and how many they are; raises as for labels."""
    writer = find_writer(PREFERENCE_WRITERS, tool)
    return writer.write(preferences, read_texts(store, collection_id)), len(preferences)


def read_texts(store: Store, collection_id: str) -> Texts:
    """Return what the topics, documents and snippets of a collection say."""
    topics = read_topics(store, collection_id)
    documents = read_documents(store, collection_id)
    results = read_results(store, collection_id)
    keys = zip(results["topic_id"], results["engine"], results["document_id"], strict=True)
    texts = (
        (title, text or read_page_text(html))
        for title, text, html in zip(
            documents["title"], documents["text"], documents["html"], strict=True
        )
    )
    return Texts(
        dict(zip(topics["topic_id"], topics["query"], strict=True)),
        dict(zip(documents["document_id"], texts, strict=True)),
        dict(zip(keys, results["snippet"], strict=True)),
    )
