"""What people said and wrote in a collection, as files to download: one part of the page a kind."""

import re
from dataclasses import dataclass

import streamlit as st

from core.analysis.base.labels import describe_left_out
from core.analysis.collection.exported_files import Wanted, export_file, is_there
from core.collection.export.exported_kinds import EXPORTED
from core.store.clicks.click_logs import list_click_logs
from pages.shared.session import PageContext, while_signed_in
from pages.shared.wording import ask_discussed

CSV, TSV = "text/csv", "text/tab-separated-values"
PARQUET = "application/vnd.apache.parquet"


@dataclass(frozen=True)
class Download:
    """A button: label, kind of file, the end of the file's name, media type, and for which tool."""

    label: str
    kind: str
    ending: str
    media_type: str = CSV
    tool: str = ""


@dataclass(frozen=True)
class FilesPart:
    """A part of the page; without ``if_none`` it is not there where the collection has nothing.

    ``has_people`` tells whether the files have people in them, by code or by name.
    """

    key: str
    title: str
    text: str
    downloads: tuple[Download, ...]
    names_help: str = ""
    if_none: str = ""
    has_people: bool = True


LABELS = FilesPart(
    "label",
    "Labels",
    "One row for each current label, with its comment and time. Assessors appear as codes, the "
    "same in every file of this collection. Comments are as people wrote them. The CSV can be "
    "imported again; Parquet has column types and two more columns: the level as given, before "
    "*counts as*, and the source.",
    (
        Download("CSV", "labels", "labels.csv"),
        Download("Parquet", "labels", "labels.parquet", PARQUET),
    ),
    "Ids instead of codes, and names in a separate column. If the file is imported into this "
    "collection again, labels with ids belong to the same assessors, labels with codes to new "
    "ones.",
    "There are no labels yet.",
)
ASPECTS = FilesPart(
    "aspect",
    "Aspects",
    "One row for each label and aspect, with the label's relevance beside it. Where an aspect was "
    "left out the level is empty. *dissent agreement --aspect* reads this file, and it can be "
    "imported where its labels have been.",
    (Download("Aspects", "aspects", "aspects.csv"),),
)
PREFERENCES = FilesPart(
    "preference",
    "Preferences",
    "One row for each pair that somebody judged side by side: the left and right item, which was "
    "chosen and how clearly. Assessors appear as the same codes as in the files of labels. The "
    "file can be imported again. Why one was preferred: one row for each reason that was given.",
    (
        Download("TSV", "preferences", "preferences.tsv", TSV),
        Download("Reasons, TSV", "reasons", "reasons.tsv", TSV),
    ),
    "In place of the codes.",
)
PASSAGES = FilesPart(
    "passage",
    "Passages",
    "What assessors marked as the passages that decided. *start* and *end* count Unicode code "
    "points of the snippet or the page's text, *text_hash* is the SHA-256 of that text. Where the "
    "collection holds another version of it, *quote* is empty.",
    (Download("Passages", "passages", "passages.csv"),),
)
PARADATA = FilesPart(
    "paradata",
    "How labels came about",
    "Paradata: one row for each label or preference given on the judging screen, with the time "
    "from when the whole item was shown to the answer (*shown_ms*), the active time "
    "(*dwell_ms*), by what it was given, which button it was, where a pointer pressed it, and how "
    "much of the item had been in view. *sequence* is that of the label in its file.",
    (Download("Paradata", "paradata", "paradata.csv"),),
)
ANSWERS = FilesPart(
    "answer",
    "Answers of machines",
    "What machines said, word for word, a row for each of their labels, also for those that were "
    "replaced: with the state (*invalid answer* where no level could be read), what it cost, and "
    "the SHA-256 of the prompt.",
    (Download("Machine answers", "machine-answers", "machine-answers.csv"),),
)
CLICKS = FilesPart(
    "click",
    "Click logs",
    "One JSON object for each page of results: which documents it showed, and at which ranks "
    "something was clicked. Sessions are numbers; times and the sessions' own names were never "
    "stored. The file can be imported again.",
    (Download("JSONL", "clicks", "clicks.jsonl", "application/x-ndjson"),),
    has_people=False,
)
WORDS = FilesPart(
    "word",
    "Questions and guidelines",
    "What assessors asked with what was said to them, and every version of the guidelines. A "
    "label was given under the latest version whose *after_sequence* is below the label's "
    "*sequence*. People appear as codes, texts are as people wrote them.",
    (
        Download("Questions", "questions", "questions.csv"),
        Download("Guidelines", "guidelines", "guidelines.csv"),
    ),
)


def offer_files(context: PageContext, part: FilesPart) -> None:
    """Offer the files of a part, each where there is something."""
    place = context.store, context.collection_id
    there = [one for one in part.downloads if is_there(*place, one.kind)]
    if not there and not part.if_none:
        return
    st.header(part.title, anchor=False)
    if not there:
        st.info(part.if_none)
        return
    st.markdown(part.text)
    wanted = _ask(context, part, EXPORTED[there[0].kind].options)
    with st.container(horizontal=True):
        for one in there:
            _offer(context, one, wanted)


def _ask(context: PageContext, part: FilesPart, options: tuple[str, ...]) -> Wanted:
    """Let the organiser choose what goes into the files, where it makes a difference."""
    key = f"export-{part.key}"
    names = part.has_people and st.checkbox(
        "With ids and names", key=f"{key}-names", help=part.names_help or None
    )
    left_out = describe_left_out(context.study) if "everybody" in options else ""
    everybody = bool(left_out) and st.checkbox(
        "With labels that count nowhere",
        key=f"{key}-everybody",
        help=f"Otherwise {left_out}, as from agreement and qrels versions.",
    )
    discussed = "discussed" in options and ask_discussed(context, f"{key}-discussed")
    log = _choose_log(context, key) if "log" in options else ""
    return Wanted(names, everybody, discussed, log=log)


def _choose_log(context: PageContext, key: str) -> str:
    """Let the organiser choose a click log where there are several."""
    names = list_click_logs(context.store, context.collection_id)["name"].tolist()
    if len(names) == 1:
        return str(names[0])
    return str(st.selectbox("Which log", names, key=f"{key}-log"))


def _offer(context: PageContext, one: Download, wanted: Wanted) -> None:
    place = context.store, context.collection_id
    chosen = Wanted(
        **vars(wanted) | {"parquet": one.media_type == PARQUET, "tool": one.tool},
    )
    st.download_button(
        one.label,
        data=while_signed_in(lambda: export_file(*place, one.kind, chosen).content),
        file_name=file_name(context, one.ending),
        mime=one.media_type,
        on_click="ignore",
    )


def file_name(context: PageContext, ending: str) -> str:
    """Return the name of a file of this collection."""
    words = re.sub(r"[^\w.]+", "-", f"{context.collection.name} {ending}")
    return words.strip("-").lower()
