"""Importing files: drop them, look at what they hold, then store all of it or nothing.

The levels that labels use beside those that the scale defines, before anything is stored.
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import pandas as pd
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from core.collection.formats import read_import
from core.collection.labels.level_use import (
    compare_levels,
    is_as_defined,
    levels_beyond,
    list_facets,
    plain_scale,
)
from core.collection.records import Import, Scale
from core.errors import BadInput
from core.store.content.aspects import read_aspect_scales
from core.store.content.imports import NAMED, Incoming, write_imports
from core.store.content.scales import get_scales, levels_in_use
from core.wording import count, plain
from pages.collection.contents import without_empty
from pages.collection.import_files import Group, sort_files
from pages.collection.import_options import choose_options
from pages.shared.notice import finish
from pages.shared.session import PageContext
from pages.shared.table import WHOLE, draw_table
from pages.shared.wording import refuse

_READ, _REHEARSED = "import-read", "import-rehearsed"
_UPLOADS = "import-uploads"
_SHOWN_ROWS = 20
PACKED = {"click_blocks", "click_apart"}
"""What of a click log says nothing as a table; a note tells what was left out of it."""


def show_import(context: PageContext) -> None:
    """Take files, show what they hold, and store them when told to."""
    uploads = st.session_state.setdefault(_UPLOADS, 0)
    files = st.file_uploader(
        "Files of any kind, several at once, also packed as .gz",
        accept_multiple_files=True,
        key=f"import-{uploads}",
    )
    if not files:
        _forget()
        context.sheet.tell("Drop files: nothing is stored before you have seen what they hold.")
        return
    head = st.container()
    try:
        _look_through(context, files, head)
    except BadInput as error:
        refuse(error, "Nothing was stored. This is the first fault:")


def _forget() -> None:
    for key in (_READ, _REHEARSED):
        st.session_state.pop(key, None)


def _look_through(context: PageContext, files: Sequence[Any], head: DeltaGenerator) -> None:
    """Show each group of files as it is going to be read; offer to store them when all is said."""
    groups, waiting = sort_files(files)
    if waiting:
        which = "1 file holds: its beginning does not tell."
        several = f"{waiting:,} files hold: their beginnings do not tell."
        context.sheet.tell(f"Say what {which if waiting == 1 else several}")
    chosen = [_choose(context, group) for group in groups]
    if waiting or not groups or None in chosen:
        return
    incoming = _read(context, groups, [one for one in chosen if one is not None])
    with head:
        imports = [one.imported for one in incoming]
        scales = settle_levels(context, imports)
        are_aspects_settled = settle_aspects(context, imports)
    if scales is None or not are_aspects_settled:
        context.sheet.tell("Say what the levels of the labels mean; nothing is stored yet.")
    else:
        _offer(context, incoming, scales, head)
    for one in incoming:
        _show_rows(one.imported)


def _choose(context: PageContext, group: Group) -> dict[str, Any] | None:
    """Show how a group is read; what is chosen beside the reader's options is the name."""
    with st.container(border=True):
        st.markdown(f"**{group.kind.capitalize()}** ({group.layout.entry.name}): {group.title}")
        options = choose_options(context, group)
        if group.kind in NAMED and options is not None and "machine" not in options:
            name = st.text_input(
                "What are these qrels called?" if group.kind == "qrels" else "What is it called?",
                placeholder="the name of the file",
                key=f"import-name-{group.key}",
            )
            options["name"] = name.strip()
    return options


def _read(
    context: PageContext, groups: Sequence[Group], chosen: Sequence[dict[str, Any]]
) -> list[Incoming]:
    """Read every group, each once for each choice."""
    before: dict[str, Import] = st.session_state.get(_READ, {})
    read, incoming = {}, []
    bar = st.empty()
    for group, options in zip(groups, chosen, strict=True):
        name = options.pop("name", "")
        # Qrels that a machine made are its labels.
        kind = "labels" if "machine" in options else group.kind
        what = repr((context.collection_id, kind, [one.file_id for one in group.files]))
        what += repr(options)
        read[what] = before.get(what) or read_import(
            kind,
            group.sources,
            format_name=group.layout.entry.name if kind == group.kind else "",
            progress=_tell(bar),
            **options,
        )
        incoming.append(Incoming(read[what], name))
    bar.empty()
    st.session_state[_READ] = read
    return incoming


def _tell(place: DeltaGenerator) -> Callable[[float, str], None]:
    return lambda share, doing: (place.progress(share, text=plain(doing)), None)[1]


def _offer(
    context: PageContext,
    incoming: Sequence[Incoming],
    scales: Mapping[str, Scale],
    head: DeltaGenerator,
) -> None:
    """Rehearse storing, say what it would add, and do it when told to."""
    what = repr((context.collection_id, context.sequence, list(st.session_state[_READ])))
    what += repr(([one.name for one in incoming], scales))
    known = st.session_state.get(_REHEARSED)
    if known is None or known[0] != what:
        with head, st.spinner("Comparing with what is stored"):
            added = _write(context, incoming, scales, rehearse=True)
        st.session_state[_REHEARSED] = known = (what, added)
    held = " and ".join(_describe_contents(one.imported) for one in incoming)
    context.sheet.answer(
        f"The files hold {held}. Importing would add {describe_added(known[1])}. "
        "Nothing is stored yet."
    )
    if head.button("Import", type="primary", icon=":material/download:"):
        with head, st.spinner("Storing"):
            added = _write(context, incoming, scales)
        st.session_state[_UPLOADS] += 1
        _forget()
        finish(f"Imported: {describe_added(added)}.")


def _write(
    context: PageContext,
    incoming: Sequence[Incoming],
    scales: Mapping[str, Scale],
    *,
    rehearse: bool = False,
) -> dict[str, int]:
    """Store everything in one transaction, or only count; return the rows added by table."""
    written = write_imports(
        context.store,
        context.collection_id,
        incoming,
        scales=scales,
        by=context.person_id,
        rehearse=rehearse,
    )
    total: Counter[str] = Counter()
    for counts in written:
        total.update(counts)
    return dict(total)


def _describe_contents(imported: Import) -> str:
    counts = [f"**{number:,}** {noun}" for noun, number in imported.counts.items() if number]
    return ", ".join(counts)


def describe_added(added: Mapping[str, int]) -> str:
    """Return in words what is new, by table, and how much is there already."""
    rows = [
        count(number, table.replace("_", " ").removesuffix("s"))
        for table, number in sorted(added.items())
        if number and table != "already there"
    ]
    stored = added["already there"]
    already = f"; {count(stored, 'row is', 'rows are')} there already" if stored else ""
    named = " and ".join(filter(None, [", ".join(rows[:-1]), *rows[-1:]]))
    return (named or "nothing") + already


def _show_rows(imported: Import) -> None:
    """Show the first rows as they were read, and what the reader has to say of them."""
    for note in imported.notes:
        st.caption(f":material/info: {plain(note)}")
    shown = {title: frame for title, frame in imported.frames.items() if title not in PACKED}
    for title, frame in shown.items():
        part = f"the first {min(len(frame), _SHOWN_ROWS)} of {count(len(frame), 'row')}"
        named = title.replace("_", " ").capitalize()
        with st.expander(f"{named}: {part}", expanded=title == imported.kind):
            draw_table(
                without_empty(frame.head(_SHOWN_ROWS)),
                column_config={
                    name: name.removesuffix("_id").replace("_", " ") for name in map(str, frame)
                },
            )


KEEP, REPLACE = "keep", "replace"
_IN_USE = (
    "Labels of this scale are stored already, so it cannot be replaced here. Add the level under "
    "*Scales*, or name the values that mean no label."
)
_OF_AN_ASPECT = "The scale of an aspect cannot be replaced here. Add the level under *Scales*."
_COLUMNS = {
    "level": st.column_config.NumberColumn("level", format="%g"),
    "name": st.column_config.TextColumn("name on the scale"),
    "labels": st.column_config.NumberColumn("labels", format=WHOLE),
}


def settle_aspects(context: PageContext, imports: Sequence[Import]) -> bool:
    """Show the levels of aspects; return whether it is settled what they mean."""
    frames = [one.frames["aspects"] for one in imports if "aspects" in one.frames]
    if not frames:
        return True
    aspects = pd.concat(frames)
    scales = read_aspect_scales(context.store, context.collection_id)
    use = compare_levels(aspects.assign(facet=aspects["aspect"]), scales)
    chosen = [
        _show_use(f"Levels of {plain(one)}", f"aspect {one}", own, _OF_AN_ASPECT)
        for one, own in list_facets(use).items()
    ]
    return all(one == KEEP for one in chosen)


def settle_levels(context: PageContext, imports: Sequence[Import]) -> dict[str, Scale] | None:
    """Show the levels of the labels; return the scales to replace, or None while that is open."""
    given = [one.frames for one in imports if "labels" in one.frames]
    frames = [one["labels"] for one in given if "machines" not in one]
    if not frames:  # what a machine says beyond the scale is refused, or mapped by a rule
        return {}
    scales = get_scales(context.store, context.collection_id)
    stored = levels_in_use(context.store, context.collection_id)
    replaced: dict[str, Scale] = {}
    is_settled = True
    for facet, use in list_facets(compare_levels(pd.concat(frames), scales)).items():
        choice = _show_use(f"Levels of a {facet}", facet, use, _IN_USE if facet in stored else "")
        is_settled = is_settled and choice is not None
        if choice == REPLACE:
            replaced[facet] = plain_scale(use)
    return replaced if is_settled else None


def _show_use(title: str, key: str, use: pd.DataFrame, fixed: str) -> str | None:
    """Show the levels that are used beside those defined, and ask where they differ.

    ``fixed`` says why the scale cannot be replaced; empty where it can.
    """
    st.header(title, anchor=False)
    table, question = st.columns([1, 2])
    table.dataframe(
        use.drop(columns="facet"),
        hide_index=True,
        placeholder="not on the scale",
        column_config=_COLUMNS,
        width="content",
    )
    with question:
        return KEEP if is_as_defined(use) else _ask(key, use, fixed)


def _ask(key: str, use: pd.DataFrame, fixed: str) -> str | None:
    """Ask what is to be done about levels that are not exactly those of the scale."""
    st.warning(_describe(use))
    options = _list_options(use, is_free=not fixed)
    if not options:
        st.error(
            fixed or "These levels make no scale. Name the values that mean no label, or map them."
        )
        return None
    chosen: str | None = st.radio(
        "What do these levels mean?",
        list(options),
        format_func=options.get,
        index=None,
        key=f"import-levels-{key}-{list(use['level'])}-{list(use['labels'] > 0)}",
    )
    return chosen


def _describe(use: pd.DataFrame) -> str:
    unused = [plain(str(name)) for name in use.loc[use["labels"] == 0, "name"]]
    beyond = [f"{level:g}" for level in levels_beyond(use)]
    reasons = [
        f"not on the scale: {', '.join(beyond)}" if beyond else "",
        f"on the scale but in no label: {', '.join(unused)}" if unused else "",
    ]
    return f"The levels used are not those of the scale: {'; '.join(filter(None, reasons))}."


def _list_options(use: pd.DataFrame, *, is_free: bool) -> dict[str, str]:
    options = {}
    if not levels_beyond(use):
        used = use[use["labels"] > 0]
        meant = ", ".join(
            f"{level:g} is {plain(str(name))}"
            for level, name in zip(used["level"], used["name"], strict=True)
        )
        options[KEEP] = f"Those of the scale: {meant}"
    if is_free:
        try:
            numbers = ", ".join(str(one.level) for one in plain_scale(use))
        except BadInput:
            return options
        options[REPLACE] = f"Plain numbers: replace the scale by {numbers}"
    return options
