"""What may be chosen where topics are planned."""

METHODS = ("paired-t", "tukey", "two-way-anova", "one-way-anova", "interval-width")
"""The designs in the order in which they are shown."""

USUAL_TOPICS, USUAL_DEPTH = 50, 10
"""Where a plan does not say how many topics there will be, and how deep pools are."""

ALIKE, WIDTH = 0.05, 0.1
"""How alike items of a topic are taken to be without a pilot; how wide limits of κ may be."""
