"""The same hostile texts in every field of every form of the pages, on both engines.

Whatever is typed, it is stored as it was typed, or the page says in a sentence why not; no page
breaks, and what was there before is there afterwards.
"""

import ast
import shutil
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import mkdtemp
from typing import Any

import pytest
from streamlit.proto.Common_pb2 import StringArray
from streamlit.proto.WidgetStates_pb2 import WidgetState
from streamlit.testing.v1 import AppTest
from streamlit.testing.v1.element_tree import Multiselect, Selectbox

from core.assessment.class_mode import ITEMS
from core.assessment.rounds.rounds import Plan, open_round
from core.collection.files.source import Source
from core.collection.formats import read_import
from core.prompting.endpoint import ADDRESS_VARIABLE
from core.settings import ROOT
from core.store.content.collections import create_collection
from core.store.content.imports import write_import
from core.store.people.consent import set_consent_text
from core.store.people.members import add_member
from core.store.people.people import add_person, list_people
from core.store.store import Store
from pages.people import people
from tests.core.command.whole_store import FILES, build_study
from tests.faults.test_every_field import TEXTS, read_rows
from tests.pages.conftest import draw_page, serve_copy
from tests.pages.seen_study import judge_in_pairs
from tests.short import few

pytestmark = [pytest.mark.contract, pytest.mark.timeout(1_800)]

TYPED = [text for text in TEXTS if text != "\ud800"]
"""A browser can send all but half a character."""

ALWAYS = ("\x00", "a\r\nb", "x" * 100_000)
"""In every field; of the others each field has some, and all come in each kind of field."""

NOBODY = "http://127.0.0.1:9/v1"
"""Where a machine would be asked, were it."""

CHOSEN = {"selection": {"rows": [0], "columns": []}}
PASSWORD = "a cat, a hat and a bat"
RUNS = "t1 Q0 d1 1 2.5 s1\nt1 Q0 d3 2 1.5 s1\nt2 Q0 d2 1 3.5 s1\n"


def be_plain(at: AppTest) -> AppTest:
    """Judge with plain buttons."""
    return at.sidebar.toggle[0].set_value(True).run()


def upload(kind: str, text: str) -> Callable[[AppTest], AppTest]:
    """Return what uploads a file to be imported; of labels it says that they are a machine's."""

    def do(at: AppTest) -> AppTest:
        at.file_uploader[0].set_value((f"{kind}.txt", text.encode(), "text/plain")).run()
        if kind == "labels":
            next(one for one in at.checkbox if one.label == "Labels of a machine").check().run()
        return at

    return do


def press(label: str) -> Callable[[AppTest], AppTest]:
    """Return what presses a button."""
    return lambda at: next(one for one in at.button if one.label == label).click().run()


def agree(at: AppTest) -> AppTest:
    """Agree to a round of documents that are in another one, too."""
    asked = "Judge them in this round, too"
    return next(one for one in at.checkbox if one.label == asked).check().run()


def set_password(at: AppTest) -> AppTest:
    """Have a password, so that the page asks for it."""
    for box in at.text_input:
        if "password" in box.label:
            box.set_value(PASSWORD)
    return press("Set")(at)


@dataclass(frozen=True)
class Form:
    """Fields that are sent together, and what sends them.

    ``kept`` are the labels of those whose texts are stored as they are; ``read`` of those that are
    looked for, read as something else or kept secret. ``others`` has what stands in fields
    meanwhile; # becomes a number, as some texts may come once only. Where ``once`` is set, what is
    sent cannot be sent again in the same store. ``small``: it is a form of the small collection.
    """

    path: str
    press: str = ""
    kept: tuple[str, ...] = ()
    read: tuple[str, ...] = ()
    others: dict[str, str] = field(default_factory=dict)
    state: dict[str, Any] = field(default_factory=dict)
    address: dict[str, str] = field(default_factory=dict)
    who: str = "Olga"
    open: Callable[[AppTest], AppTest] = lambda at: at
    once: bool = False
    small: bool = False

    def __str__(self) -> str:
        told = [one for one in self.state.values() if isinstance(one, str)]
        return " ".join(filter(None, [self.path, *told, self.press or self.read[0]]))


FORMS = (
    Form("people", "Save the text", ("Consent text",)),
    Form("judge", "Rel", ("Comment",), who="Cara", open=be_plain, once=True, small=True),
    Form("people", "Invite", ("Name or pseudonym", "Group"), others={"Name or pseudonym": "P#"}),
    Form("collection", "Create", ("Name", "Description", "Guidelines"), others={"Name": "C#"},
         state={"collection-part": "New collection"}),
    Form("audit", read=("Search", "Topic", "Document or pair")),
    Form("people", "Invite all", read=("One person a line: name, group, e-mail",)),
    Form("people", "Let in", ("Their group here",), once=True),
    Form("people", "Invite as a viewer", ("Name of the viewer",)),
    Form("people", "Invite as an organiser", ("Name of the organiser",)),
    Form("people", "Save the address", read=("E-mail for single sign-on",)),
    Form("people", "", read=("Type the name to confirm",), state={"erase-asked": "Bob"}),
    Form("account", "Set", read=("A new password", "Repeat the new password"),
         others={"A new password": PASSWORD, "Repeat the new password": PASSWORD}),
    Form("account", "Change", read=("Current password",), open=lambda at: set_password(at),
         others={"A new password": PASSWORD, "Repeat the new password": PASSWORD}),
    Form("account", "Make the token", ("What it is for",), who="Bob"),
    Form("questions", "Answer", ("Answer",), once=True),
    Form("questions", "Announce", ("Announcement",)),
    Form("assignments", "Open this round", ("Name",), open=agree, once=True, small=True),
    Form("assignments", "Withdraw this run", ("Reason",), once=True),
    Form("adjudicate", "Rel", ("Reason (saved with the decision)",), once=True, small=True),
    Form("machine-judge", "Show what would be sent",
         read=("Model", "Name of the machine", "Parameters"), others={"Model": "m"}),
    Form("machine-judge", "Show what would be sent", read=("Your prompt",), others={"Model": "m"},
         state={"machine-prompt": "own"}),
    Form("collection", "Save",
         ("Name", "What changed in the guidelines", "Description", "Guidelines"),
         others={"Name": "C#", "Guidelines": "G#"}, state={"collection-part": "Texts"}),
    Form("collection", "Add", ("Name", "Question"), others={"Name": "a#", "Question": "Why?"},
         state={"collection-part": "Scales"}),
    Form("collection", "Add", ("Why, in one line",), state={"collection-part": "Practice"},
         once=True),
    Form("collection", "Offer these reasons", ("Reasons, one a line",),
         state={"collection-part": "Reasons"}),
    Form("collection", "Import", ("Name of the machine", "Model", "Version", "Prompt"),
         read=("Date", "Parameters", "Levels outside the scale"),
         others={"Name of the machine": "m#"}, state={"collection-part": "Import"},
         open=upload("labels", FILES["labels"])),
    Form("collection", "Import", ("What are these qrels called?",),
         state={"collection-part": "Import"}, open=upload("qrels", "t1 0 d1 1\nt2 0 d2 0\n")),
    Form("qrels", "Save this rule for pages", ("Name",), others={"Name": "r#"},
         state={"qrels-part": "Versions of your own"}),
    Form("collection", "Declare",
         read=("Primary measure", "Qrels version", "Groups of assessors are by"),
         state={"collection-part": "Declared"}),
    Form("export", "Make the results public", read=("Measure",),
         state={"export-part": "Public page"}),
    Form("export", read=("Licence",), state={"export-part": "Bundle and paper"}),
    Form("export", "Add the webhook", read=("Address",), state={"export-part": "Webhooks"}),
    Form("glossary", read=("Search",)),
    Form("class-mode", "Start a class",
         ("Query", "What students are told it is meant to be, if anything"),
         (f"Pages, up to {ITEMS}",), state={"class-source": "My own pages"},
         others={"Query": "q#", f"Pages, up to {ITEMS}": "Cats\nA cat.\n---\nDogs\nA dog."},
         once=True, small=True),
    Form("judge", "Send", ("Ask the organiser about this item",), who="Cara", open=be_plain,
         small=True),
    Form("history", "Save", ("Comment",), who="Anna", state={"history": CHOSEN}, small=True),
    Form("history", read=("Words in title or comment",), who="Anna"),
    Form("history", "Keep", ("Comment",), who="Anna", address={"shown": "others"},
         open=press("See what others said"), once=True, small=True),
    Form("unpooled", read=("Teams", "Measure")),
    *(
        Form(path, read=("Measure",))
        for path in ("enough", "judging-orders", "machines", "ranking", "comparison")
    ),
    *(Form(path, read=("Measures",)) for path in ("effectiveness", "informativeness")),
    Form("plan", read=("Measure", "Difference to find")),
)  # fmt: skip


@dataclass(frozen=True)
class Made:
    """A store to be copied: a study in which there is everything, and one that nobody touches."""

    path: Path
    study: str
    bystander: str
    people: dict[str, str]


def add_bystander(store: Store) -> str:
    """Add a collection that nobody touches."""
    bystander = create_collection(store, "Bystander")
    for kind in ("topics", "documents", "results"):
        source = Source(f"{kind}.tsv", FILES[kind].encode())
        write_import(store, bystander, read_import(kind, source))
    return bystander


def list_names(store: Store) -> dict[str, str]:
    """Return everybody's id by name."""
    return {one.name: one.person_id for one in list_people(store)}


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory) -> Made:
    path = tmp_path_factory.mktemp("study") / "store.duckdb"
    study, _ = build_study(path)
    with closing(Store(path)) as store:
        for name in ("s1", "s2"):
            source = Source(f"{name}.run", RUNS.replace("s1", name).encode())
            write_import(store, study, read_import("runs", source))
        add_person(store, "Nobody's", "assessor")
        return Made(path, study, add_bystander(store), list_names(store))


@pytest.fixture(scope="module")
def small(filled_store: tuple[Path, str], tmp_path_factory: pytest.TempPathFactory) -> Made:
    """A collection without practice and aspects, of which two people have judged all."""
    path = Path(shutil.copy(filled_store[0], tmp_path_factory.mktemp("small")))
    with closing(Store(path)) as store:
        add_person(store, "Olga", "organiser")
        judge_in_pairs(store, filled_store[1])
        cara = add_person(store, "Cara", "assessor")
        add_member(store, filled_store[1], cara, "Cara")
        open_round(store, filled_store[1], Plan(judges=1, flow="page only", assessors=(cara,)))
        return Made(path, filled_store[1], add_bystander(store), list_names(store))


def list_columns(store: Store) -> dict[str, list[str]]:
    """Return the columns of each table that hold texts; what is told of changes is left out."""
    rows = store.cursor().execute(
        "SELECT table_name, column_name FROM duckdb_columns() JOIN duckdb_tables() "
        "USING (table_name) WHERE data_type IN ('VARCHAR', 'VARCHAR[]') "
        "AND NOT duckdb_columns.internal AND table_name <> 'changes' ORDER BY ALL"
    )
    columns: dict[str, list[str]] = {}
    for table, column in rows.fetchall():
        columns.setdefault(table, []).append(column)
    return columns


def count_cells(store: Store) -> Counter[str]:
    """Return how often each text stands in the store."""
    cells: Counter[str] = Counter()
    for table, columns in list_columns(store).items():
        named = ", ".join(f'"{one}"' for one in columns)
        for row in store.cursor().execute(f"SELECT {named} FROM {table}").fetchall():
            for cell in row:
                cells.update(cell if isinstance(cell, list) else [cell] if cell else [])
    return cells


def is_kept(sent: Any, text: str, before: Counter[str], after: Counter[str]) -> bool:
    """Tell whether a text was stored; only space may be gone: around it, and between lines of one.

    A field ends where its length does, as it does in a browser.
    """
    whole = text[: getattr(sent.proto, "max_chars", 0) or None]
    if sent.label.endswith("one a line"):
        return all(after[one.strip()] for one in whole.split("\n"))
    forms = {whole, whole.strip()}
    if sent.type == "text_input":
        forms.add(" ".join(whole.split()))
    return any(after[one] > before[one] for one in forms)


def find(at: AppTest, label: str, form: Form) -> Any:
    """Return the field of a label, the one beside the button or the last."""
    boxes = [box for box in (*at.selectbox, *at.multiselect) if box.proto.accept_new_options]
    found = [one for one in (*at.text_input, *at.text_area, *boxes) if one.label == label]
    sent = {one.form_id for one in find_buttons(at, form)}
    return next((one for one in found if one.form_id in sent - {""}), found[-1] if found else None)


def find_buttons(at: AppTest, form: Form) -> list[Any]:
    """Return the buttons that can send a form."""
    if not form.press:
        return []
    named = [one for one in at.button if one.label.startswith(form.press)]
    return [one for one in named if one.label == form.press] or named


class TypedOne(Selectbox[str]):
    """A box in which something was typed that is no option: a browser sends it as it is."""

    text: str

    @property
    def _widget_state(self) -> WidgetState:
        return WidgetState(id=self.id, string_value=self.text)


class TypedMany(Multiselect[str]):
    """As `TypedOne`, where several can be chosen."""

    text: str

    @property
    def _widget_state(self) -> WidgetState:
        return WidgetState(id=self.id, string_array_value=StringArray(data=[self.text]))


def write(widget: Any, text: str) -> None:
    """Type a text."""
    if isinstance(widget, Selectbox | Multiselect):
        widget.__class__ = TypedOne if isinstance(widget, Selectbox) else TypedMany
        widget.text = text
    else:
        widget.set_value(text)


def send(at: AppTest, label: str, text: str, form: Form, number: int) -> Any:
    """Fill in a form, one field with a text, send it, and return the field."""
    for name, usual in form.others.items():
        if name != label:
            write(find(at, name, form), usual.replace("#", str(number)))
    typed = find(at, label, form)
    write(typed, text)
    if not typed.form_id:
        at.run()
    for button in find_buttons(at, form)[:1]:
        if not button.proto.disabled:
            button.click().run()
    return typed


def choose_texts(place: int, *, whole: bool) -> list[str]:
    """Return the texts for the field at a place; in the short form one."""
    if not whole:
        return [TYPED[7 * place % len(TYPED)]]
    return list(dict.fromkeys([*ALWAYS, *TYPED[place % 4 :: 4]]))


def try_field(
    store: Store, made: Made, form: Form, label: str, texts: list[str]
) -> Iterator[tuple[str, str]]:
    """Yield what became of each text in a field: kept, refused or read."""
    at = None
    for number, text in enumerate(texts):
        if at is None or find(at, label, form) is None:
            at = open_form(store, made, form)
        before, said = count_cells(store), list_aspect_levels(at)
        typed = send(at, label, text, form, number)
        assert not at.exception, (label, text[:40], at.exception[0].message)
        if is_kept(typed, text, before, count_cells(store)):
            yield text, "kept"
        else:
            yield text, "refused" if at.error or list_aspect_levels(at) - said else "read"


def list_aspect_levels(at: AppTest) -> set[str]:
    """Return the sentences in which a page says why something is not so."""
    return {one.value for one in (*at.error, *at.warning, *at.info)}


def open_form(store: Store, made: Made, form: Form) -> AppTest:
    """Draw the page with a form on it."""
    person, state = made.people[form.who], form.state
    if "erase-asked" in state:
        erased = made.people[state["erase-asked"]]
        state = {"erase-person": erased, "erase-asked": erased}
    at = draw_page(store, form.path, person, made.study, address=form.address, **state)
    assert not at.exception
    return form.open(at)


@pytest.mark.parametrize("form", few(FORMS, 2), ids=str)
def test_every_field_of_a_form_is_stored_or_refused(
    study: Made,
    small: Made,
    tmp_path: Path,
    form: Form,
    long_form: bool,
    monkeypatch: pytest.MonkeyPatch,
    record_property: Callable[[str, object], None],
):
    monkeypatch.setenv(ADDRESS_VARIABLE, NOBODY)
    made = small if form.small else study
    seen: Counter[str] = Counter()
    for place, label in enumerate((*form.kept, *form.read)):
        texts = ["An ordinary text", *choose_texts(FORMS.index(form) + place, whole=long_form)]
        for group in [[one] for one in texts] if form.once else [texts]:
            with serve_copy(made.path, Path(mkdtemp(dir=tmp_path))) as store:
                tables, before = list_columns(store), read_rows(store, made.bystander)
                for text, became in try_field(store, made, form, label, group):
                    seen[became] += 1
                    if label in form.kept:
                        usual = text == texts[0]
                        assert became == "kept" or (became == "refused" and not usual), (
                            label, text[:40], became)  # fmt: skip
                assert list_columns(store) == tables
                assert read_rows(store, made.bystander) == before
    record_property("counts", f"{form}: {dict(seen)}")


def test_a_page_that_changes_a_text_or_breaks_is_found_out(
    study: Made, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    """The comparison above sees it: here a text is escaped where nothing has to be."""

    def set_carelessly(store: Store, collection_id: str, text: str, *, by: str) -> None:
        set_consent_text(store, collection_id, text.replace("'", "''"), by=by)

    def break_down(*_: Any, **__: Any) -> None:
        raise ValueError("near DROP: syntax error")

    form = next(one for one in FORMS if one.press == "Save the text")
    (label,), text = form.kept, TEXTS[0]
    with serve_copy(study.path, tmp_path) as store:
        assert list(try_field(store, study, form, label, [text])) == [(text, "kept")]
        monkeypatch.setattr(people, "set_consent_text", set_carelessly)
        other = text.replace("labels", "levels")
        assert list(try_field(store, study, form, label, [other])) == [(other, "read")]
        monkeypatch.setattr(people, "set_consent_text", break_down)
        with pytest.raises(AssertionError, match="DROP TABLE"):
            list(try_field(store, study, form, label, [text]))


SOME_FILES = {"Columns of the raters", "Values that mean no label", "What is it called?"}
"""Asked for of some files only, and read as what stands in these."""


def list_labels() -> Counter[str]:
    """Return how often the pages' code asks for a text under each label."""
    found: Counter[str] = Counter()
    for path in (ROOT / "pages").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and _takes_text(node):
                found.update(_read_labels(node.args[0]))
    return found


def _takes_text(call: ast.Call) -> bool:
    name = call.func.attr if isinstance(call.func, ast.Attribute) else ""
    own = any(one.arg == "accept_new_options" for one in call.keywords)
    return name in ("text_input", "text_area", "chat_input") or own


def _read_labels(label: ast.expr) -> list[str]:
    """Return the texts that a label can be; none where it is made somewhere else."""
    match label:
        case ast.Constant(value=str(text)):
            return [text]
        case ast.Call(func=ast.Name(id="t"), args=[inner, *_]):
            return _read_labels(inner)
        case ast.IfExp(body=body, orelse=other):
            return _read_labels(body) + _read_labels(other)
    return []


def test_every_field_that_takes_a_text_is_tried():
    tried = Counter(label for form in FORMS for label in (*form.kept, *form.read))
    found = list_labels()
    assert found.total() > 60
    assert set(found - tried) == SOME_FILES
    assert set(found - (tried - Counter(["Reason"]))) == {*SOME_FILES, "Reason"}
