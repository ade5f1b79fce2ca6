"""What interleaving has unless somebody says otherwise."""

LENGTH = 10
"""How many documents a list shows, unless somebody says otherwise."""

IMPRESSIONS = 1_000
"""How many lists are shown, unless somebody says otherwise."""
