"""Statistics have three decimals everywhere, so that a number is the same wherever it is read."""

import re

from core.settings import ROOT

PLACES = ("pages", "core/figures", "core/analysis", "core/command/printing")

TAUGHT = re.compile(r"(^|/)(learn|lesson)(/|\.py$|_)")
"""Lessons write numbers as their textbooks do."""

PAID = re.compile(r"people/hours\.py$")
"""Hours and what is paid for them are counted in hundredths."""

OTHER = re.compile(r"(?:%\+?|:[+,]*)\.[246]f")


def test_no_statistic_has_other_decimals():
    paths = [path for place in PLACES for path in (ROOT / place).rglob("*.py")]
    assert len(paths) > 150
    assert [
        f"{path.relative_to(ROOT)}: {found[0]}"
        for path in paths
        if not TAUGHT.search(path.relative_to(ROOT).as_posix()) and not PAID.search(path.as_posix())
        for line in path.read_text(encoding="utf-8").splitlines()
        for found in OTHER.finditer(line)
        if "rgba" not in line  # a shade is no statistic
    ] == []
