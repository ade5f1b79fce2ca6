"""The modules of the screen as a whole: what belongs to it, and who imports from whom."""

import re

from pages.judge.module_linker import link, link_script, read_module
from tests.pages.judge.screen.loopback import SCREEN

ORDER = ("language", "storage", "outbox", "judging", "keys", "view", "window", "")
"""Folders of the screen; a module imports from its own and from those before it."""

NO_CODE = re.compile(r'"(?:[^"\\\n]|\\.)*"|/\*(?s:.*?)\*/|//.*')
NAME = re.compile(r"(?<![\w$\\])(?<!(?<!\.\.)\.)[\w$]+\b(?!\s*:)")
"""A word that is no property: after no dot but those of a spread, before no colon."""


def test_every_script_of_the_screen_is_part_of_it():
    texts = [
        link(SCREEN, "main.js"),
        link_script(SCREEN, "alone.js"),
        link_script(SCREEN, "worker.js"),
    ]
    found = {one for text in texts for one in re.findall(r"^// (\S+\.js)$", text, re.MULTILINE)}
    assert found == {path.relative_to(SCREEN).as_posix() for path in SCREEN.rglob("*.js")}


def test_every_export_is_used_and_every_name_of_another_module_imported():
    modules = {path: read_module(path) for path in SCREEN.rglob("*.js")}
    homes = {name: path for path, module in modules.items() for name in module.exports}
    wanted = {name for one in modules.values() for _, names in one.imports for name in names}
    assert wanted == set(homes)
    for path, module in modules.items():
        code = NO_CODE.sub("", module.code)
        used = set(NAME.findall(code)) & set(homes)
        imported = {name for _, names in module.imports for name in names}
        assert used - set(module.exports) == imported, path.name


def test_folders_of_the_screen_import_in_one_direction():
    for path in SCREEN.rglob("*.js"):
        place = ORDER.index(path.relative_to(SCREEN).as_posix().rpartition("/")[0])
        for other, _ in read_module(path).imports:
            there = other.relative_to(SCREEN).as_posix().rpartition("/")[0]
            assert ORDER.index(there) <= place, f"{path.name} imports {other.name}"


def test_no_two_nodes_of_the_screen_have_one_name():
    names = re.findall(r'data-ref="(\w+)"', (SCREEN / "screen.html").read_text("utf-8"))
    assert sorted(names) == sorted(set(names))


def test_no_part_holds_the_screen():
    for path in SCREEN.rglob("*.js"):
        code = read_module(path).code
        assert not re.search(r"this\.screen\b|this\.\w+ = (?:screen|parts);", code), path.name
    handed_on = re.findall(r"new (\w+)\(this[,)]", read_module(SCREEN / "screen.js").code)
    assert handed_on == ["Input"], "it takes the parts that commands are for, and no more"
