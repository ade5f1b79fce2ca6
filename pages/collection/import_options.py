"""How files of a kind are read: which column is which, and what each kind lets one choose.

Files of a machine's labels: which machine it is, and what its stray values mean.
"""

from typing import Any

import streamlit as st

from core.collection.files.columns import FileColumn
from core.collection.files.likeness import column_values
from core.collection.files.numbers import parse_number
from core.collection.labels.label_options import ASSESSOR, GOLD
from core.collection.records import FACETS
from core.errors import BadInput
from core.store.content.aspects import read_aspect_scales
from core.store.content.scales import get_scales
from pages.collection.import_files import Group
from pages.shared.session import PageContext
from pages.shared.wording import refuse

RATINGS = "ratings CSV"
_NONE = ""
_IN_A_ROW = 4


def choose_options(context: PageContext, group: Group) -> dict[str, Any] | None:
    """Show what a group of files lets one choose; return it as `read_import` takes it.

    None while a column that has to be there is not named.
    """
    if group.kind == "runs":
        return {"system_from": _choose_system(group), "duplicates": _choose_duplicates(group)}
    machine = choose_machine(group) if group.kind in ("labels", "qrels") else {}
    if machine and group.kind == "qrels":
        return _choose_qrels_options(context, group) | machine
    columns = _choose_columns(group, is_of_machine=machine != {})
    # Drawn even while a column is missing, so that what was chosen here is kept.
    choose = {
        "labels": _choose_label_options,
        "aspects": _choose_aspect_options,
        "clicks": _choose_click_options,
    }.get(group.kind)
    options = choose(context, group) if choose else {}
    if columns is None or machine is None:
        return None
    return options | machine | ({"columns": columns} if columns else {})


def _choose_system(group: Group) -> str:
    names = {"tag": "the tag in its last column", "file": "the name of its file"}
    chosen: str = st.radio(
        "A system is called by",
        list(names),
        format_func=names.get,
        horizontal=True,
        key=f"import-system-{group.key}",
    )
    return chosen


def _choose_duplicates(group: Group) -> str:
    is_taken = st.checkbox(
        "Take the higher line where a ranking has a document twice",
        help="Otherwise such a file is refused. How many lines were left out is said and recorded.",
        key=f"import-duplicates-{group.key}",
    )
    return "first" if is_taken else "refuse"


def _choose_columns(group: Group, *, is_of_machine: bool) -> dict[str, str] | None:
    """Return the file's names for columns where they are not those that the format knows.

    Labels of a machine need not say whose they are.
    """
    header, columns = group.layout.header, group.layout.entry.columns
    if is_of_machine:
        columns = tuple(one for one in columns if one.name != ASSESSOR.name)
    if not header or not columns:
        return {}
    needed = [column for column in columns if column.required]
    others = [column for column in columns if not column.required]
    is_known = all(column.find_in(header) for column in needed)
    title = "Columns" if is_known else "The file names its columns differently: which is which?"
    with st.expander(title, expanded=not is_known):
        chosen = _choose_each(group, needed, _IN_A_ROW)
        if others:
            with st.popover("Other columns"):
                chosen |= _choose_each(group, others, 2)
    missing = [_word(column) for column in needed if not chosen[column.name]]
    if missing:
        st.warning(f"Say which column holds: {', '.join(missing)}.")
        return None
    return {
        column.name: chosen[column.name]
        for column in columns
        if chosen[column.name] != column.find_in(header)
    }


def _choose_each(group: Group, columns: list[FileColumn], beside: int) -> dict[str, str]:
    """Show a list of the file's columns for each column that is wanted, a few beside another."""
    header = [_NONE, *dict.fromkeys(name for name in group.layout.header if name)]
    chosen = {}
    for start in range(0, len(columns), beside):
        row = columns[start : start + beside]
        for place, column in zip(st.columns(beside), row, strict=False):
            guess = group.layout.found.get(column.name, _NONE)
            chosen[column.name] = place.selectbox(
                _word(column).capitalize(),
                header,
                index=header.index(guess),
                format_func=lambda name: name or "–",
                key=f"import-column-{group.key}-{column.name}",
            )
    return chosen


def _word(column: FileColumn) -> str:
    return column.name.removesuffix("_id").replace("_", " ")


def _choose_label_options(context: PageContext, group: Group) -> dict[str, Any]:
    header, is_ratings = group.layout.header, group.layout.entry.name == RATINGS
    key, facet, texts, raters = group.key, FACETS[-1], False, ""
    places = iter(st.columns(3))
    if not _column(group, "facet"):
        with next(places):
            facet = _choose_facet(group)
    with next(places):
        missing = _choose_missing(group, _level_values(group))
    names = [_NONE, *dict.fromkeys(name for name in header if name)]
    guess = group.layout.found.get(GOLD, _NONE)
    gold = next(places).selectbox(
        "FileColumn of a gold label",
        names,
        index=names.index(guess),
        format_func=lambda name: name or "–",
        help="Its labels are those of gold, no person: they stay out of agreement and versions.",
        key=f"import-gold-{key}",
    )
    if is_ratings:
        raters = st.text_input(
            "Columns of the raters",
            placeholder="agent_*_rating",
            help="A pattern with * for their names; without one they are found by the word rating.",
            key=f"import-raters-{key}",
        )
        texts = st.checkbox(
            "Also take its topics and documents",
            help="Its query, title and description become topics and documents.",
            key=f"import-texts-{key}",
        )
    return {
        "scales": get_scales(context.store, context.collection_id),
        "facet": facet,
        "missing": missing,
        "gold": gold,
        "raters": raters.strip(),
        "texts": texts,
        "beyond": True,
    }


def _choose_qrels_options(context: PageContext, group: Group) -> dict[str, Any]:
    """Show how qrels that a machine made are read as its labels."""
    left, right = st.columns(2)
    with left:
        facet = _choose_facet(group)
    with right:
        missing = _choose_missing(group, [])
    scales = get_scales(context.store, context.collection_id)
    return {"scales": scales, "facet": facet, "missing": missing}


def _choose_missing(group: Group, values: list[str]) -> tuple[str, ...]:
    chosen = st.multiselect(
        "Values that mean no label",
        values,
        default=[one for one in values if parse_number(one) < 0],
        format_func=lambda one: one or "an empty cell",
        accept_new_options=True,
        key=f"import-missing-{group.key}-{_column(group, 'level')}",
    )
    return tuple(chosen)


def _choose_aspect_options(context: PageContext, group: Group) -> dict[str, Any]:
    facet = FACETS[-1] if _column(group, "facet") else _choose_facet(group)
    scales = read_aspect_scales(context.store, context.collection_id)
    return {"scales": scales, "facet": facet, "beyond": True}


def _choose_click_options(_context: PageContext, group: Group) -> dict[str, Any]:
    lenient = st.checkbox(
        "Leave malformed sessions out",
        help="A session with a click before any page or on what was not shown, times that go back, "
        "a repeated document or an empty list is left out whole and counted, with its line. "
        "Otherwise the first of them refuses the file.",
        key=f"import-lenient-{group.key}",
    )
    return {"lenient": lenient}


def _choose_facet(group: Group) -> str:
    chosen: str = st.segmented_control(
        "The labels are for the",
        FACETS,
        default=FACETS[-1],
        required=True,
        key=f"facet-{group.key}",
    )
    return chosen


def _column(group: Group, name: str) -> str:
    """Return the file's name for a column as it was just chosen, or as it was found."""
    found = group.layout.found.get(name, _NONE)
    return str(st.session_state.get(f"import-column-{group.key}-{name}", found))


def _level_values(group: Group) -> list[str]:
    """Return the values of the level column at the beginning of the first file."""
    name = _column(group, "level")
    if not name or name not in group.layout.header:
        return []
    return sorted(column_values(group.sources[0].sample(), name))


_HELP = (
    "The machine becomes an assessor of its own. Its labels stay out of agreement and of qrels "
    "versions, except for a version whose rule names it."
)
_RULE_HELP = (
    "What values mean that are on no scale: a level, *invalid* (an answer of which no level can be "
    "read) or *cannot* (cannot judge). Without a rule such values are refused. The rule is "
    "recorded with the import and with the machine."
)


def choose_machine(group: Group) -> dict[str, Any] | None:
    """Ask whether labels are a machine's, and of which; None while it has no name.

    Returns
    -------
    dict
        Options as `read_import` takes them; none where these are no machine's labels.
    """
    key = f"import-machine-{group.key}"
    if not st.checkbox("Labels of a machine", key=key, help=_HELP):
        return {}
    names = ("Name of the machine", "Model", "Version", "Date")
    name, model, version, date = (
        place.text_input(title, key=f"{key}-{title}").strip()
        for place, title in zip(st.columns(4), names, strict=True)
    )
    prompt = st.text_area("Prompt", key=f"{key}-prompt", height=100)
    left, right = st.columns(2)
    parameters = left.text_input(
        "Parameters", placeholder="temperature=0, seed=7", key=f"{key}-parameters"
    ).strip()
    rule = right.text_input(
        "Levels outside the scale", placeholder="5=3, 10=invalid", help=_RULE_HELP, key=f"{key}-map"
    )
    if not name:
        st.warning("Say what the machine is called.")
        return None
    description = {
        "model": model,
        "version": version,
        "prompt": prompt,
        "parameters": parameters,
        "date": date,
    }
    try:
        mapped = read_rule(rule)
    except BadInput as error:
        refuse(error, "Levels outside the scale:")
        return None
    return {
        "machine": name,
        "description": {field: text for field, text in description.items() if text.strip()},
        "mapped": mapped,
    }


def read_rule(text: str) -> dict[str, str]:
    """Return ``5=3, 10=invalid`` as a mapping; raises BadInput where it is written otherwise."""
    parts = [word.partition("=") for word in text.split(",") if word.strip()]
    for value, _, target in parts:
        if not (value.strip() and target.strip()):
            raise BadInput("write value=level, as in 5=3, 10=invalid", field="mapped")
    return {value.strip(): target.strip() for value, _, target in parts}
