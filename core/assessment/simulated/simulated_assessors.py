"""Simulated assessors: what level each gives to what, and how long it takes them.

The model is that of ``sample_data/demo/simulate.py``. An item has a level that its author intended.
An assessor sees it shifted by a personal leniency and by a taste, blurs it by normal noise whose
width is the assessor's own, and rounds it to the scale. The taste is drawn once for an assessor and
a page: its width is how ambiguous the topic is, and its mean is raised where an engine returned the
page of which the assessor is fond. Snippets have six tenths of it. Now and then a key slips and any
level is given.
"""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from core.assessment.handing_out.assignment_content import Step
from core.assessment.rounds.rounds import seeded
from core.collection.records import SNIPPET
from core.store.rounds.rounds import Round

TOP = 3
"""The highest level that is seen, of snippets and of pages alike."""

_FONDNESS = 0.8
_SNIPPET_TASTE = 0.6
_SPREAD = 0.6
"""The standard deviation of the logarithm of the seconds that a judgement takes."""
_SHARES = {True: 0.6, False: 1.4}
"""What a snippet, and a page, takes of an assessor's usual seconds."""


@dataclass(frozen=True)
class Simulated:
    """One made-up assessor.

    ``leniency`` and ``noise`` are in levels, ``slips`` is a probability, ``seconds`` is the median
    time of a judgement, and ``fond_of`` an engine whose pages they see higher.
    """

    assessor_id: str
    group: str
    leniency: float
    noise: float
    slips: float
    seconds: float
    fond_of: str = ""


@dataclass(frozen=True)
class Intended:
    """What the authors of pages and snippets had in mind.

    Parameters
    ----------
    pages : mapping
        Level by (topic, document). One above ``TOP`` is given where a page is seen at ``TOP``.
    snippets : mapping
        Level by (topic, document, engine).
    ambiguity : mapping
        The standard deviation of taste, in levels, by topic.
    """

    pages: Mapping[tuple[str, str], int]
    snippets: Mapping[tuple[str, str, str], int]
    ambiguity: Mapping[str, float]

    def level_of(self, step: Step) -> int | None:
        """Return the intended level of what a step asks for; None where nobody said."""
        if step.facet == SNIPPET:
            return self.snippets.get((step.topic_id, step.document_id, step.engine))
        return self.pages.get((step.topic_id, step.document_id))


@dataclass(frozen=True)
class Given:
    """A simulated judgement: its level (None: cannot judge), and the seconds that it took."""

    level: int | None
    seconds: float


def judge(one: Simulated, step: Step, intended: Intended, rules: Round) -> Given:
    """Return what an assessor says to a step; the same whenever, and in whatever order, asked.

    What came into the collection later has no intended level and cannot be judged.
    """
    about = (one.assessor_id, step.topic_id, step.document_id)
    rng = seeded(rules, *about, step.facet, step.engine, str(step.occasion))
    taste = _draw_taste(one, step, intended, seeded(rules, *about, "taste"))
    is_snippet = step.facet == SNIPPET
    seconds = float(one.seconds * rng.lognormal(0, _SPREAD) * _SHARES[is_snippet])
    truth = intended.level_of(step)
    if truth is None:
        return Given(None, seconds)
    level = see(min(truth, TOP), taste * (_SNIPPET_TASTE if is_snippet else 1), one, TOP, rng)
    return Given(truth if truth > TOP and level == TOP else level, seconds)


def see(level: int, taste: float, one: Simulated, top: int, rng: np.random.Generator) -> int:
    """Return the level, from 0 to ``top``, that an assessor gives to something intended at one."""
    if rng.random() < one.slips:
        return int(rng.integers(0, top + 1))
    seen = level + one.leniency + taste + rng.normal(0, one.noise)
    return int(np.clip(np.rint(seen), 0, top))


def _draw_taste(one: Simulated, step: Step, intended: Intended, rng: np.random.Generator) -> float:
    is_fond = (step.topic_id, step.document_id, one.fond_of) in intended.snippets
    return float(rng.normal(_FONDNESS if is_fond else 0, intended.ambiguity.get(step.topic_id, 0)))
