"""Streamlit's notice of a lost connection does not stop the judging."""

import pytest

from tests.pages.judge.screen.conftest import Run

pytestmark = pytest.mark.browser

SETUP = """
window.ended = [];
const show = (text) => {
  const dialog = document.createElement("div");
  dialog.setAttribute("role", "dialog");
  dialog.innerHTML = `<p></p><button>Close</button>`;
  dialog.firstChild.textContent = text;
  dialog.lastChild.onclick = () => { ended.push(text); dialog.remove(); };
  document.body.append(dialog);
};
const settled = () => new Promise((done) => setTimeout(done, 0));
"""


def test_the_notice_is_closed_and_other_dialogs_stay(run: Run):
    script = """const end = new AbortController(); closeNotices(end.signal);
        show("Connection error: is the server running?"); await settled();
        show("Delete this?"); await settled(); document.body.replaceChildren();
        end.abort(); show("Connection failed"); await settled();
        return ended"""
    ended = run("window/window.js", script=SETUP + script)
    assert ended == ["Connection error: is the server running?"]
