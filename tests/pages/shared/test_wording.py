"""Words on pages."""

import pytest

from pages.shared.wording import name_with_role


@pytest.mark.parametrize(
    ("name", "role", "shown"),
    [
        ("Organiser", "organiser", "Organiser"),
        ("Demo organiser 3", "organiser", "Demo organiser 3"),
        ("Ada", "assessor", "Ada, assessor"),
    ],
)
def test_a_role_is_said_once(name: str, role: str, shown: str):
    assert name_with_role(name, role) == shown
