"""What each paper behind this chose where it is chosen otherwise here: its settings by one name.

A setting is called as the option of the command is, so that a command takes the words of it as if
they had been typed. What a setting cannot bring back, its paper's data and programs, stands beside.
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

Setting = str | int | float | tuple[str, ...]
Settings = Mapping[str, Setting]


class Published(NamedTuple):
    """A paper and its settings.

    Parameters
    ----------
    key : str
        What it is called by, as in the bibliography: ``sakai2017``.
    cited : str
        What it is called in a sentence.
    settings : mapping of str to Settings
        By command; several values of an option are a tuple.
    besides : str
        What else the paper did, that no option says.
    """

    key: str
    cited: str
    settings: Mapping[str, Settings]
    besides: str

    def words(self, command: str, given: Sequence[str] = ()) -> list[str]:
        """Return what to type for a command; options that are among ``given`` are left out."""
        typed = {word.partition("=")[0] for word in given}
        words = []
        for name, value in self.settings[command].items():
            option = f"--{name.replace('_', '-')}"
            if option not in typed:
                values = value if isinstance(value, tuple) else (value,)
                words += [option, *map(str, values)]
        return words


SAKAI_MEASURES = ("nDCG@10", "Q@10", "nERR@10")
"""What Sakai (2017) scores by."""

PUBLISHED = {
    one.key: one
    for one in (
        Published(
            "sakai2017",
            "Sakai (2017)",
            {
                "agreement": {"interval": "analytic", "binary_at": 1},
                "evaluate": {"measure": SAKAI_MEASURES},
                "compare": {
                    "measure": SAKAI_MEASURES,
                    "test": "tukey",
                    "permutations": 10_000,
                    "alpha": 0.05,
                    "tau_interval": "hollander-wolfe",
                },
            },
            "its qrels are sums of the assessors' levels (rule all, sum); its topic sets are those "
            "of high and low agreement, as 'dissent agreement' lists them",
        ),
        Published(
            "demeester2014",
            "Demeester et al. (2014)",
            {
                "weights": {"users": 3, "at_least": 1},
                "verify": {"min_labels": 6, "repeats": 50, "group_by": "document"},
            },
            "its weights are of pairs of snippet and page levels too (--combined), and of lists "
            "with a top result only",
        ),
        Published(
            "ashkan2011",
            "Ashkan & Clarke (2011)",
            {
                "informativeness": {
                    "measure": ("AP", "ERR", "cRBP", "AP-IA", "ERR-IA", "NRBP", "alpha-DCG"),
                    "depth": 10,
                    "recursion": "paper",
                    "most_topics": 25,
                    "most_systems": 30,
                }
            },
            "its intents are equally likely, which is so without --intents",
        ),
    )
}
"""The papers by key."""


def list_published(command: str) -> list[Published]:
    """Return the papers that have settings for a command."""
    return [one for one in PUBLISHED.values() if command in one.settings]
