"""The text of a page in a frame: read and marked whatever names the page gives to its parts."""

import pytest
from playwright.sync_api import Page

from tests.pages.judge.screen.conftest import Run

pytestmark = pytest.mark.browser

TAKEN = ("parentNode", "parentElement", "nodeName", "closest", "normalize", "childNodes")
ALL = " ".join(f"<input name={name}><img name={name}>" for name in TAKEN)
PAGES = {
    "fields of a form": f"<form>{ALL}<p>Cats</p>sleep</form>",
    "forms of a document": "".join(f"<form name={name}></form>" for name in TAKEN) + "Cats sleep",
    "both": f"<form name=parentNode>{ALL}Cats<script>no</script> sleep</form>",
}
READ = """
const node = document.createElement("iframe");
node.setAttribute("sandbox", "allow-same-origin");
node.srcdoc = given;
const loaded = new Promise((done) => node.addEventListener("load", done, {once: true}));
document.body.append(node);
await loaded;
const page = node.contentDocument;
const text = new FrameText("Cats sleep", node);
text.draw([[0, 4]]);
const drawn = [...page.querySelectorAll("u")].map((one) => one.firstChild.data);
text.draw([]);
const form = page.forms[0];
return {
  taken: page.parentNode !== null || form.normalize !== Node.prototype.normalize,
  isWhole: text.isWhole, drawn, left: page.querySelectorAll("u").length,
};
"""


@pytest.mark.parametrize("name", PAGES)
def test_no_name_of_a_part_stands_in_for_what_the_document_says(blank: Page, run: Run, name: str):
    found = run("view/frame_text.js", script=READ, given=PAGES[name])
    assert (found["isWhole"], found["drawn"], found["left"]) == (True, ["Cats"], 0)
    assert found["taken"], "a form or the document has a part in place of what it says"
