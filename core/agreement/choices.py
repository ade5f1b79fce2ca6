"""What may be chosen where agreement is computed."""

ANALYTIC = ("analytic", "fleiss1969")
"""The intervals of a pair by formula, which take items for what is sampled."""

INTERVALS = ("jackknife", "bootstrap", *ANALYTIC)
"""All intervals of a pair; the first two take topics for what is sampled."""
