"""The machines among the assessors: which model, asked how, how much, and at what cost."""

import streamlit as st

from core.store.machines.counts import count_machine_labels
from core.wording import count, plain
from pages.shared.session import PageContext
from pages.shared.table import draw_table

_TEXT = (
    "Labels of a machine count only in a qrels version whose rule names it. An *invalid answer* is "
    "one of which no level could be read; it counts as no level. Costs are those of all answers."
)
_COSTS = ("cost", "input_tokens", "output_tokens")
_HASH = 12


def show_machines(context: PageContext) -> None:
    """List the machines of the collection, each with its prompt; nothing where there is none."""
    machines = count_machine_labels(context.store, context.collection_id)
    if machines.empty:
        return
    st.header("Machines", anchor=False)
    known = [one for one in _COSTS if machines[one].notna().any()]
    draw_table(
        machines.assign(prompt_hash=machines["prompt_hash"].str[:_HASH]),
        column_order=[
            "name", "model", "version", "prompt_hash", "parameters", "judged_on", "labels",
            "cannot_judge", "invalid_answers",
            *known,
            "assessor_id",
        ],
        column_config={
            "name": st.column_config.TextColumn("machine", pinned=True),
            "prompt_hash": st.column_config.TextColumn(
                "prompt", help="The first signs of its SHA-256; the text is below."
            ),
            "judged_on": "judged on",
            "cannot_judge": "cannot judge",
            "invalid_answers": "invalid answers",
            "cost": st.column_config.NumberColumn(format="%.4f"),
            "input_tokens": "input tokens",
            "output_tokens": "output tokens",
            "assessor_id": "id",
        },
    )  # fmt: skip
    st.caption(_TEXT)
    for name, prompt, digest in machines[["name", "prompt", "prompt_hash"]].to_numpy().tolist():
        if prompt:
            with st.expander(f"Prompt of {plain(name)}, {count(len(prompt), 'character')}"):
                st.code(prompt, language=None, wrap_lines=True)
                st.caption(f"SHA-256 `{digest}`")
