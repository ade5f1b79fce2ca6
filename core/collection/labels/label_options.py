"""What labels consist of, what files call it, and what a caller may choose."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field

from core.collection.files.columns import FileColumn
from core.collection.files.numbers import parse_number
from core.collection.records import FACETS, PAGE, Scale
from core.errors import BadInput

KEY = ("topic_id", "document_id", "facet", "engine", "assessor_id", "occasion")
LABEL = (*KEY, "level", "state", "group", "sequence", "time", "dwell_ms", "comment")

ANSWER = ("answer", "reason", "cost", "input_tokens", "output_tokens")
"""What a machine said of which a label was read, and what it cost: columns of its labels."""

DESCRIPTION = ("model", "version", "prompt", "parameters", "date")
"""What a file may say of the machine whose labels it has."""

ROUND = "round_id"
"""The round that a label was given in: a column of labels that not all have."""

KIND = "assessor_kind"
"""What kind of assessor a label is by; exports of everybody's labels have it as ``kind``."""

ASPECT = "aspect"
"""Of which aspect a level is, in a file with a row for each label and aspect."""

JUDGED, CANNOT_JUDGE = "level", "cannot judge"
STATES = (JUDGED, CANNOT_JUDGE, "later", "unjudged")

INVALID_ANSWER = "invalid answer"
"""The state of a label of which no level could be read; only machines give such answers."""

GOLD = "gold"
"""The assessor whom the labels of a gold column are given to."""

ASSESSOR = FileColumn(
    "assessor_id",
    ("assessor", "annotator", "worker", "rater", "judge"),
    required=True,
    hints=("user", "email", "mail", "person", "coder", "labeler", "expert", "participant"),
)
TOPIC = FileColumn("topic_id", ("topic", "query_id", "qid", "query"), required=True)
DOCUMENT = FileColumn(
    "document_id",
    ("document", "docid", "doc_id", "docno"),
    required=True,
    hints=("doc", "passage", "item"),
)
LEVEL = FileColumn(
    "level",
    ("label", "rating", "grade"),
    required=True,
    blank=True,
    hints=("relevance", "judgement", "judgment", "score"),
)
OTHERS = (
    FileColumn("facet"),
    FileColumn("engine", ("system",)),
    FileColumn("occasion"),
    FileColumn("state"),
    FileColumn("group"),
    FileColumn("sequence"),
    FileColumn("time", ("timestamp",)),
    FileColumn("dwell_ms"),
    FileColumn("comment", ("comments",), exact=True),
    FileColumn(ROUND, ("round",)),
    FileColumn(ASPECT),
    FileColumn(KIND, ("kind",)),
)


@dataclass(frozen=True)
class LabelOptions:
    """How labels are read.

    Parameters
    ----------
    columns : mapping
        The file's names for columns: ``{"assessor": "workerID", "level": "label"}``.
    missing : collection
        Values of the level column that mean that there is no label: ``(-2,)``.
    scales : mapping
        The scale of each facet. Without one, levels are numbers from 0.
    cannot_judge : collection of str
        Words in the level column for an item that could not be judged.
    facet : {'page', 'snippet'}
        What was judged, where the file does not say.
    gold : str
        A column with one more label an item; it becomes an assessor of its own.
        An empty cell, a missing value or a negative number there means that none is known.
    raters : str
        For tables with a column a rater: a pattern with ``*`` for the names of those columns.
    texts : bool
        Also take the topics and documents that such a table holds.
    aspect : str
        Of a file with a row for each label and aspect, the aspect whose rows are read.
    beyond : bool
        Take numbers from 0 that are on no scale, too, for somebody to look at.
    machine : str
        The machine whose labels these are, by the id that it is to have. Its files may be qrels
        of TREC, or have columns of its raw answers and of what it is.
    description : mapping
        What is known of the machine, by the names in `DESCRIPTION`; parameters as text.
    mapped : mapping
        What values of a machine mean that are on no scale: a level, ``invalid`` (an answer of which
        no level can be read) or ``cannot`` (cannot judge): ``{"5": "3", "10": "invalid"}``.
    """

    columns: Mapping[str, str] = field(default_factory=dict)
    missing: Collection[str | float] = ()
    scales: Mapping[str, Scale] = field(default_factory=dict)
    cannot_judge: Collection[str] = (CANNOT_JUDGE,)
    facet: str = PAGE
    gold: str = ""
    raters: str = ""
    texts: bool = False
    beyond: bool = False
    aspect: str = ""
    machine: str = ""
    description: Mapping[str, str] = field(default_factory=dict)
    mapped: Mapping[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if self.facet not in FACETS:
            raise BadInput(f"a facet is {' or '.join(FACETS)}", field="facet")
        if (self.mapped or self.description) and not self.machine:
            raise BadInput("only labels of a machine are mapped and described", field="machine")
        if self.machine != self.machine.strip() or not self.machine.isprintable():
            raise BadInput("the name of a machine is one line of text", field="machine")
        if unknown := [one for one in self.mapped.values() if not _is_target(one)]:
            reason = f"'{unknown[0]}' is no level, nor invalid or cannot"
            raise BadInput(reason, field="mapped")

    def is_missing(self, text: str) -> bool:
        """Whether a cell of the level column holds one of the missing values."""
        number = parse_number(text)
        return any(str(value) == text or _number(value) == number for value in self.missing)

    @property
    def names(self) -> dict[str, str]:
        """The file's names for columns, the gold column among them."""
        return dict(self.columns) | ({GOLD: self.gold} if self.gold else {})

    @property
    def gold_columns(self) -> tuple[FileColumn, ...]:
        """The gold column, if one is asked for."""
        return (FileColumn(GOLD),) if self.gold else ()


def _is_target(text: str) -> bool:
    return text in ("invalid", "cannot") or parse_number(text) >= 0


def _number(value: str | float) -> float:
    return parse_number(str(value).strip())


SECONDS = 15.0
"""What a judgement is assumed to take while there is no label with a time."""
