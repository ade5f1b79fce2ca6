"""What may be chosen where preferences are ranked."""

MODELS = ("bradley-terry", "davidson")
