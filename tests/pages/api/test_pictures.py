"""Pictures that are not stored: said to be, in a box that is no text of the page."""

from html import escape

from core.collection.topics_and_documents.page_text import read_page_text
from core.language.translate import speaking
from pages.api.page import explain_pictures
from tests.each import each

MISSING = "Picture not stored"


@each(
    ("tag", "said"),
    [
        ("<img src=a.png>", MISSING),
        (
            "<IMG SRC='https://x.example/a.png' ALT='A  cat\n asleep' />",
            f"A cat asleep · {MISSING}",
        ),
        ("<img alt='a > b &quot;c&quot;' src=a.png>", f'a > b "c" · {MISSING}'),
        ("<img/src=a.png/alt=cat>", MISSING),
        ("<img alt=it's src=a.png>", f"it's · {MISSING}"),
        ("<img alt='' data-src=a.png>", MISSING),
        ("<img src='data:image/gif;base64,R0' srcset='a.png 2x'>", MISSING),
        ("<img src=' java\nscript:alert(1)' onerror=alert(1)>", MISSING),
        ("<img width=600 height='400' src=a.png>", MISSING),
    ],
)
def test_a_picture_from_elsewhere_is_a_box_that_says_so(tag: str, said: str):
    shown = explain_pictures(f"<p>Before {tag} behind</p>")
    assert "<img" not in shown.lower()
    assert f'aria-label="{escape(said)}" data-not-stored="{escape(said)}"' in shown
    assert read_page_text(shown) == "Before behind"


@each(
    "kept",
    [
        "<img src='data:image/png;base64,AAAA' alt='A cat'>",
        "<img src='&#100;ata:image/png;base64,AAAA'>",
        f"<img src='data:image/png;base64,{'A' * 9_000}'>",
        "<textarea><img src=a.png></textarea>",
        "<!-- <img src=a.png> -->",
        "<script>'<img src=a.png>'</script>",
        "<imgs src=a.png>",
        "<img src='a.png>never closed",
    ],
)
def test_what_is_stored_or_no_picture_stays(kept: str):
    assert explain_pictures(kept) == kept


@each("tag", ["<img src=a.gif width=1 height=1>", "<img src=a.gif height='0px'>"])
def test_what_nobody_could_see_is_left_out(tag: str):
    assert explain_pictures(f"a{tag}b") == "ab"


def test_it_speaks_the_language_of_the_page():
    with speaking("de"):
        assert 'aria-label="Bild nicht gespeichert"' in explain_pictures("<img src=a.png>")
