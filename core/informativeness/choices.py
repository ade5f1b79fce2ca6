"""What may be chosen where measures are asked what they tell."""

RECURSIONS = {
    "exact": "the expected value under independent relevance",
    "paper": "the recursion as printed in 2011, with its missing α restored",
}
"""How cascade measures are expected."""

DEPTHS = (2, 50)
"""The least and the greatest depth."""

PAPER = ("AP", "DCG", "P@5", "ERR", "cRBP", "AP-IA", "ERR-IA", "NRBP", "alpha-DCG")
"""The nine measures to begin with: without intents, then by intent."""
