"""How long a test waits for what has to happen: a guard against hanging, never a measure."""

PATIENCE = 180.0
"""Seconds; a machine that is busy with other work is slow, not broken."""
