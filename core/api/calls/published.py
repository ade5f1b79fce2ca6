"""Settings of the papers behind this, as arguments of a call."""

from typing import Any

from core.comparison.significance_test import SignificanceTest
from core.errors import BadInput
from core.published import PUBLISHED

_OF_TEST = {"test": "test", "permutations": "samples", "alpha": "alpha"}
_CALLED = {"measure": "measures", "tau_interval": "tau_unit"}
"""What options are called where a call has another name for them."""


def published(paper: str, call: str) -> dict[str, Any]:
    """Return the settings of a paper that a call takes.

    Parameters
    ----------
    paper : {'sakai2017', 'demeester2014', 'ashkan2011'}
        The paper.
    call : str
        The name of the call, such as 'compare'; the command of this name takes the same
        settings by ``--as``.

    Returns
    -------
    dict
        Arguments by name.

    Raises
    ------
    BadInput
        No such paper, or it has no settings for this call.

    Examples
    --------
    >>> published("demeester2014", "weights")
    {'users': 3, 'at_least': 1}
    >>> published("sakai2017", "compare")["test"].test
    'tukey'
    """
    if paper not in PUBLISHED:
        raise BadInput(f"'{paper}' is none of {', '.join(PUBLISHED)}", field="paper")
    settings = PUBLISHED[paper].settings
    if call not in settings:
        text = f"{paper} has settings for {', '.join(settings)}, not for '{call}'"
        raise BadInput(text, field="call")
    found: dict[str, Any] = {
        _CALLED.get(name, name): list(value) if isinstance(value, tuple) else value
        for name, value in settings[call].items()
    }
    if "test" in found:
        of_test = {_OF_TEST[name]: found.pop(name) for name in _OF_TEST}
        found["test"] = SignificanceTest(**of_test)
    return found
