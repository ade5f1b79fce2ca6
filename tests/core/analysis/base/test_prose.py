"""Guidelines as people paste them: no stray marks, and nothing lost that is no mark."""

from core.analysis.base.prose import strip_marks
from tests.each import each


@each(
    ("written", "shown"),
    [
        ("## Whom you judge for\nA *patient* person.", "Whom you judge for\n\nA patient person."),
        ("- **Key**: the page\n- `Nav`: __home__", "• Key: the page\n• Nav: home"),
        ("see [the manual](https://x.test/m)", "see the manual (https://x.test/m)"),
        ("1. first\n2. second", "1. first\n2. second"),
        ("> quoted\n\n---\n\n```\ncode\n```\nend", "quoted\n\ncode\n\nend"),
        ("_really_ a_b_c and a * b * c, 2 ** 3", "really a_b_c and a * b * c, 2 ** 3"),
        (r"a \*star\* \# and C:\new", r"a *star* # and C:\new"),
        ("#tag and <b>no</b> &amp;", "#tag and <b>no</b> &amp;"),
        ("", ""),
    ],
)
def test_marks_go_and_words_stay(written: str, shown: str):
    assert strip_marks(written) == shown


@each("part", ["*", "_", "**a", "[", "`", "# ", "[a](", "- " * 3, "\\"])
def test_no_text_takes_long(part: str):
    assert len(strip_marks(part * 20_000)) <= len(part) * 20_000
