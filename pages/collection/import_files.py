"""The files to import: what each holds, told from how it begins, or else asked."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import streamlit as st

from core.collection.detection import Detection, Layout, detect_kind, find_layout
from core.collection.files.source import Source
from core.collection.formats import KINDS, explain_kind
from core.wording import count, plain

LEAVE = "nothing to import"
_NAMED = 3
_IN_A_ROW = 3
_KNOWN = "import-known"


@dataclass(frozen=True)
class Group:
    """Files of a kind that are laid out alike and are read as one."""

    kind: str
    layout: Layout
    files: tuple[Any, ...]

    @property
    def sources(self) -> list[Source]:
        """The files, to be read."""
        return [Source(file.name, file.getvalue()) for file in self.files]

    @property
    def key(self) -> str:
        """What tells the group from others, for the keys of its controls."""
        return f"{self.kind}-{self.files[0].file_id}"

    @property
    def title(self) -> str:
        """The first names of the files, in Markdown."""
        return name_files([file.name for file in self.files])


def name_files(names: Sequence[str]) -> str:
    """Return the first of some names in Markdown, and how many more there are."""
    listed = ", ".join(plain(name) for name in names[:_NAMED])
    more = len(names) - _NAMED
    return f"{listed} and {count(more, 'more file')}" if more > 0 else listed


def sort_files(files: Sequence[Any]) -> tuple[list[Group], int]:
    """Return the files in groups by kind and layout; and how many somebody has to name a kind for.

    Raises
    ------
    BadInput
        A file cannot be read, is empty, or is no text.
    """
    known = _Known(files)
    alike: dict[tuple[str, str, str], list[Any]] = {}
    for file in files:
        detected = known.detect(file)
        alone = "" if detected.kind else file.file_id
        alike.setdefault((detected.kind, detected.format_name, alone), []).append(file)
    groups: dict[tuple[str, str, tuple[str, ...]], list[Any]] = {}
    waiting = 0
    for number, same in enumerate(alike.values()):
        if number % _IN_A_ROW == 0:
            row = st.columns(_IN_A_ROW)
        with row[number % _IN_A_ROW]:
            kind = _ask_kind(known.detect(same[0]), same)
        waiting += len(same) if kind is None else 0
        for file in same if kind in KINDS else ():
            layout = known.lay_out(file, str(kind))
            groups.setdefault((str(kind), layout.entry.name, layout.header), []).append(file)
    found = [
        Group(kind, known.lay_out(same[0], kind), tuple(same))
        for (kind, *_), same in groups.items()
    ]
    return sorted(found, key=lambda group: KINDS.index(group.kind)), waiting


class _Known:
    """What the beginnings of uploaded files tell, looked at once for each upload."""

    def __init__(self, files: Sequence[Any]) -> None:
        ids = {file.file_id for file in files}
        before: dict[tuple[str, str], Any] = st.session_state.get(_KNOWN, {})
        self._known = {key: description for key, description in before.items() if key[0] in ids}
        st.session_state[_KNOWN] = self._known

    def detect(self, file: Any) -> Detection:
        """Return what a file seems to hold."""
        key = (file.file_id, "")
        if key not in self._known:
            self._known[key] = detect_kind(Source(file.name, file.getvalue()))
        detected: Detection = self._known[key]
        return detected

    def lay_out(self, file: Any, kind: str) -> Layout:
        """Return how a file of a kind is laid out."""
        key = (file.file_id, kind)
        if key not in self._known:
            self._known[key] = find_layout(kind, Source(file.name, file.getvalue()))
        layout: Layout = self._known[key]
        return layout


def _ask_kind(detected: Detection, files: Sequence[Any]) -> str | None:
    """Show what some files seem to hold, to be changed; None until somebody has said it."""
    others = [LEAVE, *(kind for kind in KINDS if kind not in detected.candidates)]
    listed = " or ".join(detected.candidates[:_NAMED])
    chosen: str | None = st.selectbox(
        f"{name_files([file.name for file in files])}: what "
        + ("do they hold?" if len(files) > 1 else "does it hold?"),
        [*detected.candidates, *others],
        index=0 if detected.kind else None,
        placeholder=f"Not clear: {listed}?" if listed else "Not known: choose",
        help="\n\n".join(f"**{kind}** {explain_kind(kind)}" for kind in detected.candidates)
        or None,
        key=f"import-kind-{files[0].file_id}",
    )
    return chosen
