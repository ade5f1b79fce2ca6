"""What can be exported, and in which formats: what there is to choose from."""

from dataclasses import dataclass


@dataclass(frozen=True)
class ExportedKind:
    """One kind of file.

    Parameters
    ----------
    noun : str
        What its rows are, for a count.
    options : tuple of str
        Which fields of ``Wanted`` it takes; see ``core.analysis.collection.exported_files``.
    """

    noun: str
    options: tuple[str, ...]


_PEOPLE = ("names", "everybody")

EXPORTED = {
    "labels": ExportedKind("labels", (*_PEOPLE, "discussed", "parquet", "tool")),
    "aspects": ExportedKind("levels of aspects", (*_PEOPLE, "discussed", "aspect")),
    "preferences": ExportedKind("preferences", (*_PEOPLE, "discussed", "tool")),
    "reasons": ExportedKind("reasons of preferences", (*_PEOPLE, "discussed")),
    "passages": ExportedKind("passages", _PEOPLE),
    "paradata": ExportedKind("labels with paradata", _PEOPLE),
    "machine-answers": ExportedKind("raw answers of machines", ("names",)),
    "questions": ExportedKind("questions, answers and announcements", ("names",)),
    "guidelines": ExportedKind("versions of the guidelines", ("names",)),
    "clicks": ExportedKind("pages of a click log", ("names", "log")),
}
"""What can be exported, by the name of its kind."""

LABEL_TOOLS = ("quepid", "label-studio", "doccano", "argilla", "potato")
"""The tools that labels can be written for."""

QRELS_FORMATS = ("trec", "ntcir", "beir")
"""How qrels can be written, by name."""

SAMPLED_FORMATS = ("strata", "prels", "sample")
"""How qrels of samples can be written, by name."""
