"""Words on pages."""

from core.wording import name_with_role, plain
from tests.each import each


@each(
    ("name", "role", "shown"),
    [
        ("Organiser", "organiser", "Organiser"),
        ("Demo organiser 3", "organiser", "Demo organiser 3"),
        ("Ada", "assessor", "Ada, assessor"),
    ],
)
def test_a_role_is_said_once(name: str, role: str, shown: str):
    assert name_with_role(name, role) == shown


@each("mark", list("\\`*_{}[]()#+-.!|<>~$:&"))
def test_marks_of_markdown_are_letters(mark: str):
    assert plain(f"a{mark}b") == f"a\\{mark}b"


@each(
    "text",
    ["http://a.example", "HTTPS://a.example", "www.a.example", "ada@a.example", ":smile:",
     ":material/home:", ":+1:"],
)  # fmt: skip
def test_what_is_looked_for_after_markdown_is_not_found(text: str):
    """No backslash keeps an address from becoming a link; what has no width between does."""
    assert "\u2060" in plain(text)
    assert plain(text).replace("\u2060", "").replace("\\", "") == text


@each("text", ["k = 10", "t1: 5 of 7", "BM25 (k1 = 1.2)", "wwww", "3:45"])
def test_another_text_has_nothing_between(text: str):
    assert "\u2060" not in plain(text)


@each("end", ["\n", "\r\n", "\u2028", "\x85", " \n\n "])
def test_a_name_stays_in_one_line(end: str):
    assert plain(f"A{end}===") == "A ==="
