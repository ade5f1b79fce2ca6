"""What may be chosen where topics are planned."""

METHODS = ("paired-t", "tukey", "two-way-anova", "one-way-anova", "interval-width")
"""The designs in the order in which they are shown."""
