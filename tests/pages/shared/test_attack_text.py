"""Names and texts of people and files are shown as they are, never read as Markdown."""

import re
from dataclasses import replace

import pytest

from core.assessment.rounds.rounds import Plan, open_round
from core.collection.files.source import Source
from core.collection.formats import read_import
from core.collection.records import Level
from core.errors import BadInput
from core.store.content.collections import create_collection
from core.store.content.imports import write_import
from core.store.content.practice import PracticeItem, add_practice_item
from core.store.content.saved_rules import save_rule
from core.store.content.scales import get_scales, replace_scale
from core.store.people.members import add_member
from core.store.people.people import add_person
from core.store.store import Store
from core.versions.rules import QrelsRule
from pages.shared import navigation as catalogue
from pages.shared import page as page_module
from tests.pages.conftest import FILES, OpenPage, lasting_store
from tests.pages.parts import View, list_views, mark_views, name_view

store = lasting_store
HOSTILE = "![x](http://evil.example/a.png) :material/bomb: ` ![y](http://evil.example/b.png)"
READ = re.compile(r"(?<!\\)!\[|(?<!\\):material/bomb")
PAGES = {
    role: [page.path for page in page_module.PAGES if role in page.roles]
    for role in ("organiser", "assessor")
}

KEPT = {
    "organiser": {
        *("agreement Topics", "assessors One assessor", "collection"),
        *("effectiveness", "export", "matrix", "people", "qrels"),
    },
    "assessor": {"judge", "history"},
}


@pytest.fixture(scope="module")
def people(store: Store) -> dict[str, str]:
    """A store in which everything that has a name has a hostile one."""
    collection_id = create_collection(store, HOSTILE, simulated=HOSTILE, guidelines=HOSTILE)
    for facet, levels in get_scales(store, collection_id).items():
        scale = [Level(n, f"{n} {HOSTILE}", HOSTILE, str(n), n) for n in range(len(levels))]
        replace_scale(store, collection_id, facet, scale)
    files = {**FILES, "topics": f"id\tquery\nt1\t{HOSTILE}\nt2\t{HOSTILE}\n"}
    files["labels"] = files["labels"].replace("a1", HOSTILE).replace("a2", "2" + HOSTILE)
    files["qrels"] = "t1 0 d1 1\nt1 0 d2 0\n"
    for kind, text in files.items():
        options = {"scales": get_scales(store, collection_id)} if kind == "labels" else {}
        imported = read_import(kind, Source(HOSTILE, text.encode()), **options)
        write_import(store, collection_id, imported)
    ids = {role: add_person(store, f"{role} {HOSTILE}", role) for role in PAGES}
    add_member(store, collection_id, ids["assessor"], HOSTILE, group=HOSTILE)
    add_practice_item(store, collection_id, PracticeItem("t1", "d1", "page", "", 1, HOSTILE))
    rule = QrelsRule(HOSTILE, assessors=(HOSTILE,))
    save_rule(store, collection_id, HOSTILE, rule.to_json())
    open_round(store, collection_id, Plan(HOSTILE, judges=1, assessors=(ids["assessor"],)))
    return ids


def read_as_markdown(at) -> list[str]:
    """Return the texts of a page that the browser reads as Markdown."""
    kinds = ("markdown", "caption", "title", "header", "subheader", "error", "info", "warning",
             "success")  # fmt: skip
    texts = [str(one.value) for kind in kinds for one in at.get(kind)]
    widgets = [*at.button, *at.radio, *at.toggle, *at.checkbox, *at.metric, *at.expander]
    texts += [str(one.label) for one in widgets]
    return texts + [str(option) for radio in at.radio for option in radio.options]


@pytest.mark.parametrize(
    ("role", "view"),
    [
        pytest.param(role, view, marks=marks)
        for role, paths in PAGES.items()
        for view, marks in mark_views(list_views(paths), KEPT[role])
    ],
    ids=name_view,
)
def test_no_page_reads_what_others_wrote(
    open_page: OpenPage, people: dict[str, str], role: str, view: View
):
    address, state = view
    at = open_page(address, people[role], **state)
    assert not at.exception
    texts = read_as_markdown(at)
    assert any("evil" in text for text in texts)
    assert [text for text in texts if READ.search(text)] == []


def test_an_error_of_a_page_is_shown_word_for_word(
    open_page: OpenPage, people: dict[str, str], monkeypatch: pytest.MonkeyPatch
):
    def fail(_visit) -> None:
        raise BadInput(HOSTILE, file=HOSTILE)

    failing = [replace(one, draw=fail) for one in page_module.PAGES]
    monkeypatch.setattr(catalogue, "PAGES", failing)
    at = open_page("monitor", people["organiser"])
    (error,) = at.error
    assert "evil" in error.value
    assert not READ.search(error.value)
