"""What is chosen where curves are asked for: the usual gain and depth, and how topics are averaged.

This imports nothing, so that help is quick.
"""

from typing import Literal

GAIN = "nDCG"
DEPTH = 20

Average = Literal["topics", "ratio"]

AVERAGES: dict[Average, str] = {
    "topics": "mean of the topics' values",
    "ratio": "mean gain ÷ mean ideal (textbook)",
}
