from pages.api.page import drop_connections
from tests.each import each


@each("tag", ["<link rel=x>", "<LINK rel=x>", "<link/rel=x>", "<link\nrel=x>"])
def test_no_link_is_left(tag: str):
    assert drop_connections(f"<p>{tag}</p>") == f"<p><param{tag[5:]}</p>"


def test_no_frame_is_left():
    framed = "<IFRAME src=//a.example></iframe><frameset><frame src=x></frameset>"
    expected = "<x-frame src=//a.example></x-frame><frameset><param src=x></frameset>"
    assert drop_connections(framed) == expected


@each("text", ["<p>link</p>", "<linked>", "&lt;link rel=x&gt;", "an <iframe"])
def test_everything_else_stays(text: str):
    assert drop_connections(text) == text
