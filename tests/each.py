"""Cheap cases in one test: to collect and report a test costs more than such a case takes."""

import functools
import inspect
from collections.abc import Callable, Iterable
from typing import Any

Test = Callable[..., None]


def each(
    names: str | tuple[str, ...],
    values: Iterable[Any],
    ids: Iterable[str] | Callable[[Any], str] | None = None,
) -> Callable[[Test], Test]:
    """Run a test with each of the values, as ``pytest.mark.parametrize`` does, but as one test.

    The first case that fails ends it, and is named. All cases have the same fixtures, so this is
    for tests that change none.
    """
    words = [one.strip() for one in names.split(",")] if isinstance(names, str) else list(names)
    cases = [tuple(one) if len(words) > 1 else (one,) for one in values]
    if callable(ids):
        told = ["-".join(str(ids(value)) for value in case) for case in cases]
    else:
        told = list(ids or map(repr, cases))
    if not cases or len(told) != len(cases):
        raise ValueError(f"{len(cases)} cases, {len(told)} names of cases")

    def decorate(test: Test) -> Test:
        @functools.wraps(test)
        def run(**given: Any) -> None:
            for name, case in zip(told, cases, strict=True):
                try:
                    test(**given, **dict(zip(words, case, strict=True)))
                except BaseException as error:
                    error.add_note(f"the case: {', '.join(words)} = {name}")
                    raise

        signature = inspect.signature(test)
        left = [one for name, one in signature.parameters.items() if name not in words]
        run.__signature__ = signature.replace(parameters=left)  # type: ignore[attr-defined]
        return run

    return decorate
