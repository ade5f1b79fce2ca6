"""Files of a machine's labels: which machine it is, and what its stray values mean."""

from typing import Any

import streamlit as st

from core.errors import BadInput
from pages.collection.import_files import Group
from pages.shared.wording import refuse

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
    told = {
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
        "description": {field: text for field, text in told.items() if text.strip()},
        "mapped": mapped,
    }


def read_rule(text: str) -> dict[str, str]:
    """Return ``5=3, 10=invalid`` as a mapping; raises BadInput where it is written otherwise."""
    parts = [word.partition("=") for word in text.split(",") if word.strip()]
    for value, _, target in parts:
        if not (value.strip() and target.strip()):
            raise BadInput("write value=level, as in 5=3, 10=invalid", field="mapped")
    return {value.strip(): target.strip() for value, _, target in parts}
