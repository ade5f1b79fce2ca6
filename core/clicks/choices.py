"""What is chosen where nobody says otherwise: click models."""

USUAL = ("PBM", "UBM")
"""The models that are fitted unless others are named."""
