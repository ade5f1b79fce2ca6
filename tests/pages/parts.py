"""The parts of pages, of which one is drawn at a time: what looks at every page looks at each."""

from collections.abc import Iterable, Iterator

import pytest

from tests.short import long

PARTS = {
    "agreement": (
        "agreement-part",
        ("All pairs", "One pair", "Topics", "Rounds", "Coefficients"),
    ),
    "assessors": ("assessors-part", ("Everybody", "One assessor", "Gold items")),
    "clicks": ("clicks-part", ("Preferences", "Levels", "Models", "Contradictions")),
    "collection": (
        "collection-part",
        (
            "Contents",
            "Import",
            "Declared",
            "Texts",
            "Scales",
            "Practice",
            "Reasons",
            "New collection",
        ),
    ),
    "effectiveness": (
        "closer",
        ("Scores", "Curves", "Topic by topic", "Two systems", "Distributions"),
    ),
    "export": (
        "export-part",
        ("Files", "Other tools", "Public page", "Bundle and paper", "Webhooks", "Backup"),
    ),
    "enough": ("enough-part", ("Topics", "Bounds", "Cost", "Rule")),
    "informativeness": ("informativeness-closer", ("Run by run", "One ranking")),
    "interleaving": (
        "interleaving-part",
        ("Numbers", "Lists needed", "Beside a measure", "A log"),
    ),
    "machines": (
        "machines-part",
        ("Against people", "Alternative annotator test", "Conclusions", "Estimate"),
    ),
    "plan": ("plan-part", ("Topics", "Agreement", "Opinions", "Votes", "Cost")),
    "qrels": ("qrels-part", ("All versions", "Take away", "Levels", "Versions of your own")),
}
"""By the address of a page: the key of its tabs, and their titles."""

View = tuple[str, dict[str, str]]


def list_views(paths: Iterable[str]) -> list[View]:
    """Return every page as it opens, and then with each of its other parts open."""
    views: list[View] = []
    for path in paths:
        key, titles = PARTS.get(path, ("", ("",)))
        views.append((path, {}))
        views += [(path, {key: title}) for title in titles[1:]]
    return views


def name_view(value: object) -> str | None:
    """Return what a test of a view is called; None for what is no view."""
    if not isinstance(value, tuple):
        return None
    path, state = value
    return " ".join([path, *map(str, state.values())])


def mark_views(
    views: Iterable[View], kept: set[str]
) -> Iterator[tuple[View, list[pytest.MarkDecorator]]]:
    """Yield each view with its marks: the short form takes those of these names only."""
    named = [(view, name_view(view)) for view in views]
    assert kept <= {name for _, name in named}
    for view, name in named:
        yield view, [] if name in kept else [long]
