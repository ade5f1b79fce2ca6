"""The README's pictures: ``python -m tests.pictures`` draws them anew from the demo.

Beside each picture lies what it shows, as text: what the page says, or for the judging screen the
files that it is made of. A test compares it with what is said and made today.
"""

import hashlib
import io
import re
import tempfile
from collections.abc import Callable
from pathlib import Path

from PIL import Image
from playwright.sync_api import Browser, Page, sync_playwright
from streamlit.testing.v1 import AppTest

from core.demo import load_demo
from core.settings import ROOT
from core.store.people.members import add_member
from core.store.people.people import add_person, begin_session, list_people
from core.store.store import Store
from tests.browser.chromium import ARGUMENTS, get_chromium
from tests.browser.conftest import begin
from tests.browser.study import Study
from tests.browser.views import look
from tests.docs import FOLDER
from tests.pages.conftest import draw_page, serve_copy

PICTURES = FOLDER / "pictures"
THEMES = ("light", "dark")
PAGES = {"agreement": "agreement", "leaderboard": "effectiveness"}
"""The addresses of the pages that are pictured, by the names of their pictures."""

NAMES = ("judging", *PAGES)
SIZE = (1280, 800)
QUALITY = 80
MOST = 600_000
"""Bytes of all pictures together."""

SCREEN = ROOT / "pages" / "judge" / "screen"
LOOKS = ROOT / ".streamlit" / "config.toml"


def main() -> None:
    """Draw all pictures, and write down what they show."""
    PICTURES.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        seats: dict[str, str] = {}
        study = Study(Path(folder), {}, lambda store: _fill(store, seats))
        with serve_copy(study.path, Path(tempfile.mkdtemp(dir=folder))) as store:
            told = describe_all(lambda path: draw_page(store, path, _find_organiser(store)))
        _draw(study, seats["assessor"])
    for name, text in told.items():
        (PICTURES / f"{name}.txt").write_text(text, encoding="utf-8")
    size = sum(path.stat().st_size for path in PICTURES.glob("*.webp"))
    print(f"{len(NAMES) * len(THEMES)} pictures in {PICTURES.name}, {size:,} bytes")


def _fill(store: Store, seats: dict[str, str]) -> dict[str, str]:
    collection = load_demo(store)
    assessor = add_person(store, "Ann", "assessor")
    add_member(store, collection, assessor, "Ann")
    seats["assessor"] = begin_session(store, assessor)
    return {"demo": collection}


def _find_organiser(store: Store) -> str:
    (found,) = [one.person_id for one in list_people(store) if one.role == "organiser"]
    return found


def _draw(study: Study, assessor: str) -> None:
    study.server.start()
    try:
        with sync_playwright() as playwright:
            chromium = playwright.chromium.launch(executable_path=get_chromium(), args=ARGUMENTS)
            for theme in THEMES:
                for name in NAMES:
                    page = _open(chromium, theme)
                    if name in PAGES:
                        study.enter(page, study.organiser)
                        look(page, study.server, PAGES[name])
                    else:
                        study.enter(page, assessor)
                        begin(page)
                        page.wait_for_timeout(1_000)
                    _keep(page, PICTURES / f"{name}-{theme}.webp")
                    page.context.close()
            chromium.close()
    finally:
        study.server.stop()


def _open(chromium: Browser, theme: str) -> Page:
    width, height = SIZE
    context = chromium.new_context(
        color_scheme=theme, viewport={"width": width, "height": height}, reduced_motion="reduce"
    )
    return context.new_page()


def _keep(page: Page, path: Path) -> None:
    with Image.open(io.BytesIO(page.screenshot())) as seen:
        seen.convert("RGB").save(path, "WEBP", quality=QUALITY, method=6)


def describe_all(draw: Callable[[str], AppTest]) -> dict[str, str]:
    """Return what each picture shows today, by its name."""
    pages = {name: describe_page(draw(path)) for name, path in PAGES.items()}
    return {"judging": describe_screen(), **pages}


def describe_screen() -> str:
    """Return the files of the judging screen, with their hashes."""
    files = [path for path in sorted(SCREEN.rglob("*")) if path.suffix in {".js", ".css", ".html"}]
    lines = []
    for path in [LOOKS, *files]:
        if not path.name.startswith("test_"):
            digest = hashlib.sha256(path.read_bytes()).hexdigest()[:12]
            lines.append(f"{digest} {path.relative_to(ROOT).as_posix()}\n")
    return "".join(lines)


def describe_page(at: AppTest) -> str:
    """Return what a page says: its words, its controls, and the titles of its figures."""
    assert not at.exception
    words = [
        *(str(one.value) for one in [*at.title, *at.header, *at.subheader, *at.markdown]),
        *(str(one.value) for one in [*at.caption, *at.info, *at.success, *at.warning]),
        *(f"{one.label}: {one.value}" for one in at.metric),
        *(one.label for one in [*at.button, *at.selectbox, *at.multiselect, *at.toggle]),
        *(
            f"figure: {title}"
            for one in at.get("plotly_chart")
            for title in _titles(one.proto.spec)
        ),
    ]
    text = "\n".join(" ".join(one.split()) for one in words if one.strip())
    text = re.sub(r"\d+ \w+ 20\d\d, \d\d:\d\d UTC", "today", text)
    return re.sub(r"(collection=)\w+", r"\1…", text) + "\n"


def _titles(spec: str) -> list[str]:
    return re.findall(r'"title":\{"text":"((?:[^"\\]|\\.)*)"', spec)


if __name__ == "__main__":
    main()
