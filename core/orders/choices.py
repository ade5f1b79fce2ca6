"""What orders of judging, and their simulation, have unless somebody says otherwise."""

BATCH = 5
"""How many documents are handed out together where an order chooses, unless it is said."""

SHARES = (0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.4, 0.5, 0.7, 1.0)
"""Shares of the pool at which rankings are compared, where nobody says other ones."""

DEPTH, SEEDS, SIMULATED_BATCH = 100, 10, 1
"""What a simulation has where nobody says otherwise."""
