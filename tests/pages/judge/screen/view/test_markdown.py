"""Guidelines in Markdown, as nodes."""

import pytest
from playwright.sync_api import Page

from tests.pages.judge.screen.conftest import Run

pytestmark = pytest.mark.browser

SHOW = """const node = document.createElement("div"); fillMarkdown(node, given);
    document.body.replaceChildren(node); return node.innerHTML"""


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("# One\ntwo\nthree\n\nfour", "<h3>One</h3><p>two three</p><p>four</p>"),
        ("- a\n- **b**\n\n* c", "<ul><li>a</li><li><strong>b</strong></li><li>c</li></ul>"),
        ("3. a\n4) b\nend", '<ol start="3"><li>a</li><li>b</li></ol><p>end</p>'),
        ("- a\n  goes on\n\nend", "<ul><li>a goes on</li></ul><p>end</p>"),
        ("a *b* _c_ `e*f*`", "<p>a <em>b</em> <em>c</em> <code>e*f*</code></p>"),
        ("__a__ b", "<p><strong>a</strong> b</p>"),
        ("2 * 3 * 4, a_b_c, \\*d\\*", "<p>2 * 3 * 4, a_b_c, *d*</p>"),
        ("a [b](https://c.example) d", "<p>a b (https://c.example) d</p>"),
        ("```\n# a\n*b*\n```\n> c\n***\nd", "<pre># a\n*b*\n</pre><p>c</p><p>d</p>"),
        ("", ""),
    ],
)
def test_what_organisers_write_is_set(run: Run, text: str, shown: str):
    assert run("view/markdown.js", script=SHOW, given=text) == shown


HOSTILE = (
    "<img src=x onerror=window.hurt=1>",
    "# <script>window.hurt=2</script>",
    "- **<b onclick=x>c</b>**",
    "[a](javascript:window.hurt=3)",
    "![a](https://evil.example/x.png)",
    "`<svg onload=window.hurt=4>`",
)


def test_nothing_in_it_is_markup(blank: Page, run: Run):
    run("view/markdown.js", script=SHOW, given="\n\n".join(HOSTILE))
    assert blank.locator("img, script, b, a, svg").count() == 0
    assert blank.evaluate("window.hurt === undefined")
    assert "<b onclick=x>c</b>" in blank.locator("li").inner_text()
