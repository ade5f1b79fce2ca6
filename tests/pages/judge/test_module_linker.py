"""Joining modules: what is kept apart, and what is refused."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import Page

from pages.judge.module_linker import LinkError, link, read_module

START = 'import { two } from "./part/two.js";\nexport default function start() {}\n'


def write(folder: Path, **texts: str) -> Path:
    """Write modules; ``part_two`` is the file part/two.js."""
    for name, text in texts.items():
        path = folder / f"{name.replace('_', '/')}.js"
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return folder


def run(page: Page, text: str) -> object:
    """Load a joined module from a blob, as Streamlit does, and call its default export."""
    return page.evaluate(
        """async (text) => {
            const url = URL.createObjectURL(new Blob([text], {type: "text/javascript"}));
            return (await import(url)).default();
        }""",
        text,
    )


@pytest.mark.browser
def test_what_is_not_exported_stays_private(page: Page, tmp_path: Path):
    write(
        tmp_path,
        start='import {\n  two,\n} from "./part/two.js";\nimport { next } from "./part/three.js";\n'
        "const own = 1;\nexport default function start() {\n"
        "  return [own, two(), next(), typeof SIX];\n}\n",
        part_two='// Two\nimport { SIX, next } from "./three.js";\nconst own = 2;\n'
        "export function two() {\n  return [own, SIX, next()];\n} // the end",
        part_three="let own = 3;\nexport const SIX = 6; // two names\n"
        "export function next() {\n  return (own += 1);\n}",
    )
    assert run(page, link(tmp_path, "start.js")) == [1, [2, 6, 4], 5, "undefined"]


def test_a_module_that_two_need_is_there_once_and_before_them(tmp_path: Path):
    write(
        tmp_path,
        start='import { two } from "./part/two.js";\nimport { one } from "./one.js";\n'
        "export default function start() {}\n",
        one='import { THREE } from "./part/three.js";\nexport const one = THREE;\n',
        part_two='import { THREE } from "./three.js";\nexport const two = THREE;\n',
        part_three="export const THREE = 3;\n",
    )
    found = re.findall(r"^// (\S+\.js)$", link(tmp_path, "start.js"), re.MULTILINE)
    assert found == ["part/three.js", "part/two.js", "one.js", "start.js"]


def test_a_circle_is_refused_and_shown(tmp_path: Path):
    back = 'import { one } from "../one.js";\nexport const two = one;\n'
    forth = 'import { two } from "./part/two.js";\nexport const one = two;\n'
    write(tmp_path, start=START, part_two=back, one=forth)
    with pytest.raises(LinkError, match=r"circle: two\.js → one\.js → two\.js"):
        link(tmp_path, "start.js")


def test_a_name_that_is_not_exported_is_refused(tmp_path: Path):
    write(tmp_path, start=START, part_two="function two() {}\nexport const three = 3;\n")
    with pytest.raises(LinkError, match=r"start\.js: two\.js does not export two"):
        link(tmp_path, "start.js")


@pytest.mark.parametrize("address", ["./missing.js", "../outside.js"])
def test_a_module_that_is_missing_or_elsewhere_is_refused(tmp_path: Path, address: str):
    folder = tmp_path / "inside"
    folder.mkdir()
    write(tmp_path, outside="export const two = 2;\n")
    write(folder, start=START.replace("./part/two.js", address))
    with pytest.raises(LinkError, match=r"start\.js: there is no module"):
        link(folder, "start.js")


def test_only_the_entry_has_a_default_export(tmp_path: Path):
    two = "export function two() {}\nexport default function other() {}\n"
    write(tmp_path, start=START, part_two=two)
    with pytest.raises(LinkError, match=r"two\.js: only the entry"):
        link(tmp_path, "start.js")
    with pytest.raises(LinkError, match=r"part/none\.js: no default"):
        link(write(tmp_path, part_none="export const two = 2;\n"), "part/none.js")


@pytest.mark.parametrize(
    "form",
    [
        'import two from "./two.js";',
        'import * as two from "./two.js";',
        'import { one as two } from "./two.js";',
        'import "./two.js";',
        'import { two } from "elsewhere";',
        "export let two = 2;",
        "export { two };",
        'export * from "./two.js";',
        "export default () => 2;",
        'const two = await import("./two.js");',
        "const here = import.meta.url;",
    ],
)
def test_other_forms_are_refused(tmp_path: Path, form: str):
    write(tmp_path, one=f"const two = 2;\n{form}\n")
    with pytest.raises(LinkError, match=r"one\.js: cannot be joined"):
        read_module(tmp_path / "one.js")


def test_types_do_not_go_along(tmp_path: Path):
    write(
        tmp_path,
        start="// One line stays.\n/**\n * Text.\n * @param {import('x')} one\n */\n"
        "export default function start(/** @type {number} */ one) {\n"
        "  /** @type {string} */\n  const two = /** @type {string} */ (one);\n  return two;\n}\n",
    )
    joined = link(tmp_path, "start.js")
    assert "// One line stays.\nfunction start(one) {\n  const two = (one);\n" in joined
    assert "/**" not in joined
