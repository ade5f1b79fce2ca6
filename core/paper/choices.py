"""What a paper takes where nobody says otherwise."""

MEASURES = ("nDCG@10", "AP")
"""What runs are scored by where nobody has chosen."""
