"""The text of a page in HTML: what is read, line by line, and nothing of its markup."""

from core.collection.topics_and_documents.page_text import read_page_text
from tests.each import each


@each(
    ("html", "text"),
    [
        ("<p>Cats  are\n<b>e</b>ager.</p><p>Not dogs.", "Cats are eager.\nNot dogs."),
        ("a<br>b<br/>c", "a\nb\nc"),
        ("<title>T</title><style>p{}</style>x<script>'<p>y'</script>", "x"),
        ("1 &lt; 2 &amp; a&nbsp;b &#128512; &eacute;", "1 < 2 & a b \U0001f600 é"),
        ("a < b <!-- <p>no --> c", "a < b c"),
        ('<img alt="x > y">z', "z"),
        ("<textarea>no <b>it</b></textarea><template><p>no</template>yes", "yes"),
        ("<table><tr><td>1<td>2</table>", "1\n2"),
        ("x<script>never closed", "x"),
        ("a\0b\ufeff", "ab"),
        ("", ""),
    ],
)
def test_what_is_read(html: str, text: str):
    assert read_page_text(html) == text
    assert read_page_text(html) == text
