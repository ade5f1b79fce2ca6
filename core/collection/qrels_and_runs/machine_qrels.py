"""Labels of a machine, from qrels: every whole number is taken, on a scale or not."""

from __future__ import annotations

from typing import TYPE_CHECKING

from core.collection.file_format import choose_format
from core.collection.files.checks import FILE, number_values, refuse_repeats
from core.collection.files.source import Source
from core.collection.qrels_and_runs.trec import QrelsOptions

if TYPE_CHECKING:
    from pandas import DataFrame

MACHINE_LABEL = ("topic_id", "document_id", "level")


def read_machine_labels(source: Source) -> DataFrame:
    r"""Read what a machine said of documents, from qrels of any known format.

    `read_import` takes negative levels of qrels for TREC's marks of what is not judged, and leaves
    them out. Of a machine they are answers that are on no scale, and stay.

    Parameters
    ----------
    source : Source
        The file.

    Returns
    -------
    DataFrame
        ``topic_id, document_id, level``; a row for each label, levels as they are. ``attrs`` has
        ``formats`` and ``notes``, as of all frames that are read.

    Raises
    ------
    BadInput
        A line cannot be used, or a topic has a document twice; file and line are named.

    Examples
    --------
    >>> read_machine_labels(Source("m.qrels", b"t1 0 d1 2\nt1 0 d2 -1\n"))["level"].tolist()
    [2, -1]
    """
    options = QrelsOptions()
    entry = choose_format("qrels", source, options)
    parsed = entry.read(source, options)
    item = MACHINE_LABEL[:2]
    frame = number_values(parsed.frames["qrels"].assign(**{FILE: 0}), item)
    refuse_repeats(frame, item, [source.name])
    labels = frame[[*MACHINE_LABEL]].reset_index(drop=True)
    labels.attrs |= {"formats": [entry.name], "notes": list(parsed.notes)}
    return labels
