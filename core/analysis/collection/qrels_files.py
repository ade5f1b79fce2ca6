"""A qrels version as a file: TREC's, NTCIR's, or the whole collection as BEIR has it."""

from collections.abc import Callable

import pandas as pd

from core.analysis.base.study import Study
from core.analysis.collection.exported_files import read_texts
from core.analysis.results.qrels_choices import QrelsChoice, as_filed
from core.analysis.results.sampled_qrels import describe_left_out, sampled_qrels_of
from core.collection.export.exported_kinds import QRELS_FORMATS, SAMPLED_FORMATS
from core.collection.qrels_and_runs.beir import write_beir
from core.collection.qrels_and_runs.ntcir import write_ntcir
from core.collection.qrels_and_runs.sampled_qrels import (
    write_prels,
    write_sample_table,
    write_strata,
)
from core.collection.qrels_and_runs.trec import write_qrels
from core.errors import BadInput
from core.store.events.frames import read_topics
from core.store.store import Store


def write_qrels_as(
    store: Store, collection_id: str, name: str, qrels: pd.DataFrame, version: str = ""
) -> bytes:
    """Return qrels in a format of `QRELS_FORMATS`.

    ``version`` is what they are called; a format that has room for it says so. TREC's and NTCIR's
    have none: not every program passes over a comment.

    Raises
    ------
    BadInput
        There is no such format, or it has no place for these levels.
    """
    if name not in QRELS_FORMATS:
        raise BadInput(f"'{name}' is none of {', '.join(QRELS_FORMATS)}", field="format")
    return _WRITE[name](store, collection_id, qrels, version)


def _write_beir(store: Store, collection_id: str, qrels: pd.DataFrame, version: str) -> bytes:
    if "iteration" in qrels and qrels["iteration"].nunique() > 1:
        reason = "BEIR has one level for each pair; these qrels have one for each subtopic"
        raise BadInput(reason, field="format")
    readable = read_texts(store, collection_id).documents
    documents = pd.DataFrame(
        [(document, *texts) for document, texts in readable.items()],
        columns=["document_id", "title", "text"],
        dtype="str",
    )
    return write_beir(read_topics(store, collection_id), documents, qrels, version)


_Write = Callable[[Store, str, pd.DataFrame, str], bytes]

_WRITERS: tuple[_Write, ...] = (
    lambda _store, _collection_id, qrels, _version: write_qrels(qrels),
    lambda _store, _collection_id, qrels, _version: write_ntcir(qrels),
    _write_beir,
)
_WRITE = dict(zip(QRELS_FORMATS, _WRITERS, strict=True))


def write_sample_as(study: Study, choice: QrelsChoice, name: str) -> bytes:
    """Return the topics of a version with a sample of their pool in one of `SAMPLED_FORMATS`.

    Raises
    ------
    BadInput
        There is no such format, no topic has a sample, or the format has no place for these levels.
    """
    if name not in SAMPLED_FORMATS:
        raise BadInput(f"'{name}' is none of {', '.join(SAMPLED_FORMATS)}", field="format")
    qrels = sampled_qrels_of(study, as_filed(study, choice))
    if qrels.sampled.empty:
        why = "; ".join(describe_left_out(qrels))
        raise BadInput(f"'{choice.name}' has no sample to write: {why}", field="format")
    return _WRITE_SAMPLE[name](qrels.sampled)


_WRITE_SAMPLE: dict[str, Callable[[pd.DataFrame], bytes]] = dict(
    zip(SAMPLED_FORMATS, (write_strata, write_prels, write_sample_table), strict=True)
)
