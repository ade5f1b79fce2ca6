"""What all measures by intent share: scores of single intents, averaged."""

from dataclasses import dataclass

from core.measures.base import BinaryMeasure, divide
from core.measures.intents import Intents
from core.measures.ranked import Floats, Numbers
from core.measures.ranking import Rankings


@dataclass(frozen=True)
class IntentMeasure(BinaryMeasure):
    """Base of the measures that score each intent of a topic and average.

    The intents of a topic are the iterations of the qrels (their subtopics) in which a document
    is relevant; all M of them have the weight 1/M. Judgements of one iteration are one intent.

    Parameters
    ----------
    cutoff : int, optional
        How many ranks are looked at; all of them when absent.
    rel : float, default 1
        The level from which a document counts as relevant to an intent.
    intents : str, default 'each'
        ``each`` intent for itself, or ``any``: a document relevant to any intent is relevant to
        the one intent there is. That is the measure without intents.
    """

    intents: str = "each"

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.intents not in ("each", "any"):
            raise ValueError("intents is each or any")

    def separate_intents(self, rankings: Rankings) -> Intents:
        """Return the rankings by intent as this measure sees them."""
        if self.intents == "any":
            return Intents.as_one(rankings.retrieved, rankings.ideal)
        return rankings.intents

    def average(self, rankings: Rankings, values: Numbers) -> Floats:
        """Return the mean of one value per ranking and intent, NaN without an intent."""
        intents = self.separate_intents(rankings)
        count = (intents.relevant(self.rel) > 0).sum(axis=1)
        return divide(intents.total(values), count[rankings.topic])
