"""What preferences between documents or systems say."""

from collections.abc import Mapping

import pandas as pd

from core.errors import BadInput
from core.preference.choices import MODELS
from core.preference.selection import decided_preferences, preference_parts
from core.reports.preferences import PreferenceQuestion, Preferences


def preferences(
    given: pd.DataFrame,
    *,
    kind: str = "",
    facet: str = "",
    model: str = MODELS[0],
    labels: pd.DataFrame | None = None,
    weights: Mapping[int, float] | None = None,
    alpha: float = PreferenceQuestion.alpha,
) -> Preferences:
    """Analyse preferences of one kind and facet.

    Parameters
    ----------
    given : DataFrame
        As `read_preferences` or a store's ``preferences`` gives them.
    kind : {'', 'documents', 'systems'}
        What was compared; needed where there are both.
    facet : {'', 'page', 'snippet', 'panel'}
        What of it was shown; needed where there are several.
    model : {'bradley-terry', 'davidson'}
        How strengths treat ties: half a win each, or an outcome of its own.
    labels : DataFrame, optional
        As `read_labels` or a store's ``labels`` gives them: levels of the same documents, against
        which preferences are set.
    weights : mapping of level to weight, optional
        Sets preferences against what the levels weigh, too; see `weights`.
    alpha : float, default 0.05
        Below which p of the sign test, corrected, a pair has a clear winner.

    Returns
    -------
    Preferences
        ``answer``, ``notes``, and the tables ``outcomes, outcomes_by_topic, strengths, triples,
        intransitive, agreement, agreement_by_pair, sides, repeats`` and, with labels, ``by_level,
        by_weight, slopes``, computed when first asked for.

    Raises
    ------
    BadInput
        The kind or facet is left open where there are several, or α is not between 0 and 1.
    TooLittleData
        Nobody has given a preference of that kind.

    Examples
    --------
    >>> import pandas as pd
    >>> given = pd.DataFrame({
    ...     "topic_id": "t1", "kind": "documents", "facet": "page", "first": ["a", "a", "b"],
    ...     "second": ["b", "c", "c"], "left": ["a", "c", "b"], "choice": ["first"] * 3,
    ...     "strength": 0, "assessor_id": "ann", "occasion": 0, "state": "level",
    ... })
    >>> preferences(given).outcomes[["first", "second", "wins", "losses"]]
      first second  wins  losses
    0     a      b     1       0
    1     a      c     1       0
    2     b      c     1       0
    """
    chosen = given
    for name, wanted in (("kind", kind), ("facet", facet)):
        chosen = chosen[chosen[name] == wanted] if wanted else chosen
    parts = preference_parts(decided_preferences(chosen))
    if len(parts) > 1:
        listed = ", ".join(f"{one} ({shown})" for one, shown in parts)
        raise BadInput(f"say which of {listed}", field="kind")
    (own,) = parts
    of_part = (chosen["kind"] == own[0]) & (chosen["facet"] == own[1])
    question = PreferenceQuestion(model, alpha, tuple((weights or {}).items()))
    return Preferences(chosen[of_part].reset_index(drop=True), question, given_labels=labels)
