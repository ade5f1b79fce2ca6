"""How the table of every two orders of systems is shown, the same on both pages that have one."""

import streamlit as st

_NUMBER = st.column_config.NumberColumn

ORDER_COLUMNS = {
    "first": st.column_config.TextColumn(pinned=True),
    "tau": _NUMBER("Kendall's τ-b", format="%.3f"),
    "low": _NUMBER("from", format="%.3f"),
    "high": _NUMBER("to", format="%.3f"),
    "differ": "shown to differ",
    "shown_below": _NUMBER("τ shown below", format="%.3f"),
    "limit_reason": "why no limits",
    "tau_ap": _NUMBER("τ_AP", format="%.3f"),
    "spearman": _NUMBER("Spearman's ρ", format="%.3f"),
    "rbo": _NUMBER("RBO", format="%.3f"),
    "rba": _NUMBER("RBA", format="%.3f"),
    "far": "moves > 2 ranks",
    "largest": "largest move",
    "mover": "system that moves most",
    "best_first": "best under first",
    "best_second": "best under second",
}
"""The labels and formats of the columns."""

_MOVES = ("far", "largest", "mover", "best_first", "best_second")

ORDER_SHOWN = [
    "first", "second", "systems", "tau", "low", "high", "p", "differ", "shown_below",
    "tau_ap", "spearman", "rbo", "rba", *_MOVES,
]  # fmt: skip
"""The columns in the order in which they are shown."""
