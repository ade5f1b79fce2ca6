"""The flow of the architecture: imports only point back along it, each library has one home.

SQL has one home, too, and the folders of pages do not reach into each other.
"""

import ast
import re
from collections.abc import Iterator
from functools import cache
from itertools import islice
from pathlib import Path

from tests.each import each
from tests.short import long

ROOT = Path(__file__).parent.parent
FLOW = [
    *("errors", "glossary", "place", "settings", "processes", "discovery", "registry"),
    *("numerals", "language", "wording"),
    *("registered", "published"),
    *("collection", "store", "orders", "assessment", "prompting", "agreement"),
    *("disagreement", "versions", "measures", "comparison", "planning", "stopping", "preference"),
    *(
        "informativeness",
        "clicks",
        "interleaving",
        "machines",
        "reports",
        "analysis",
        "figures",
        "version",
        "paper",
        "bundle",
        "api",
        "demo",
        "command",
        "pages",
    ),
]
HOMES = {
    "duckdb": "core/store/",
    "psycopg": "core/store/shared/",
    "psycopg_pool": "core/store/shared/",
    "plotly": "core/figures/",
    "matplotlib": "core/figures/",
    "streamlit": "pages/",
    "starlette": "pages/",
    "itsdangerous": "pages/",
    "defusedxml": "core/collection/",
}
SQL_HOME = "core/store/"
STATEMENT = re.compile(
    r"""[\s(]* (?: --.*\s+ )* (?:
        SELECT \s
        | INSERT \s+ (?: OR \s+ \w+ \s+ )? INTO \s
        | UPDATE \s+ \S+ \s+ SET \s
        | DELETE \s+ FROM \s
        | (?: CREATE | ALTER | DROP ) \s+ (?: [A-Z]+ \s+ )*
            (?: TABLE | VIEW | INDEX | SEQUENCE | SCHEMA | MACRO | FUNCTION | TYPE ) \b
        | WITH \s+ (?: RECURSIVE \s+ )? \w+ (?: \s* \([^)]*\) )? \s+ AS \s+ (?: [A-Z]+ \s+ )* \(
        | PRAGMA \s
        | (?: FORCE \s+ )? (?: BEGIN | COMMIT | ROLLBACK | CHECKPOINT | VACUUM )
            (?: \s+ TRANSACTION )? \s* ;? \s* $
        | SET \s+ (?: GLOBAL | SESSION | LOCAL ) \s
        | FROM \s+ [a-z_({"]
        | (?: WHERE | HAVING | ORDER \s+ BY | GROUP \s+ BY ) \s+ [a-z_({"]
        | (?: [A-Z]+ \s+ )? JOIN \s+ [a-z_({"]
    )""",
    re.VERBOSE,
)
"""How statements, and the clauses that they are put together from, begin."""

ON_CURSORS = {
    *("execute", "executemany", "sql", "commit", "rollback"),
    *("fetchone", "fetchmany", "fetchall", "fetchdf", "to_arrow_table"),
}
OF_DATABASE = {"fetch", "fetch_frame", "transaction"}
"""What `core.store.file.database` has for statements: the store's own."""

LIKE_SQL = re.compile(
    rf"\.(?:{'|'.join(ON_CURSORS)}|run)\b | core\.store\.file\.database"
    r"| SELECT|INSERT|UPDATE|DELETE|CREATE|ALTER|DROP|WITH|PRAGMA|BEGIN|COMMIT|ROLLBACK|CHECKPOINT"
    r"| VACUUM|SET|FROM|WHERE|HAVING|ORDER|GROUP|JOIN",
    re.VERBOSE,
)
"""What stands wherever any of them does, so that most modules need not be parsed."""

BETWEEN_PAGES = {
    ("pages.api", "pages.server"): "routes answer for the running server and write its log",
    ("pages.server", "pages.api"): "the gate before all routes answers with their plain pages",
    ("pages.api.judging", "pages.judge.assignment"): "a device keeps what the screen is given",
    ("pages.api.offline", "pages.judge.screen_files"): "the screen is shown without Streamlit, too",
    ("pages.shared", "pages.server"): "what pages share asks the running server and logs",
    ("pages.collection.export", "pages.server.log"): "the log notes when a backup is taken away",
}
"""Which pages know another folder of pages than ``pages.shared``, and why."""

STRANGERS = [
    *({"agreement", "measures"}, {"disagreement", "measures"}, {"versions", "agreement"}),
    *({"api", "command"}, {"api", "pages"}),
]
NUMERIC = {
    *("agreement", "disagreement", "versions", "measures", "comparison", "preference", "figures"),
    *("informativeness", "machines", "orders", "planning", "stopping", "clicks", "interleaving"),
}


def sources() -> list[Path]:
    return [path for part in ("core", "pages") for path in (ROOT / part).rglob("*.py")]


LIKE_IMPORT = re.compile(r"(?:^|[;:])[ \t]*(?:from|import)[ \t]+([\w.]+)", re.MULTILINE)
"""What looks like an import, with what it names: all that are, and a few lines of prose."""


def like_imports(path: Path) -> set[str]:
    return {*LIKE_IMPORT.findall(path.read_text(encoding="utf-8"))}


def imports(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: relative import"
            yield node.module or ""


def floor(name: str) -> str:
    parts = name.split(".")
    return "pages" if parts[0] == "pages" else parts[1]


@each("path", sources(), ids=lambda path: str(path.relative_to(ROOT)))
def test_imports_keep_to_the_flow(path: Path):
    """Only where something looks like a fault is the module parsed, to see whether it is one."""
    if any(find_fault(path, name) for name in like_imports(path)):
        assert [fault for name in imports(path) if (fault := find_fault(path, name))] == []


def find_fault(path: Path, name: str) -> str:
    """Return what is wrong with a module's import of another, or nothing."""
    here = floor(".".join(path.relative_to(ROOT).with_suffix("").parts))
    root, _, rest = name.partition(".")
    if not root:
        return "relative import"
    if root in HOMES and not str(path.relative_to(ROOT)).startswith(HOMES[root]):
        return f"{name} has another home"
    if root not in ("core", "pages"):
        return ""
    there = floor(name) if rest or root == "pages" else ""
    if there not in FLOW or FLOW.index(there) > FLOW.index(here):
        return f"{here} may not import {name}"
    if {here, there} in STRANGERS:
        return f"{here} and {there} do not know each other"
    return f"{here} may not know the store" if here in NUMERIC and there == "store" else ""


@each(
    ("place", "name", "fault"),
    [
        ("core/agreement/a.py", "duckdb", "has another home"),
        ("core/figures/a.py", "plotly.io", ""),
        ("core/agreement/a.py", "core.measures.a", "may not import"),
        ("core/disagreement/a.py", "core.agreement.a", ""),
        ("core/measures/a.py", "core.disagreement.a", "do not know each other"),
        ("core/agreement/a.py", "core.store.store", "may not know the store"),
        ("core/api/a.py", "pages", "may not import"),
        ("core/api/a.py", "core", "may not import"),
        ("core/api/a.py", ".a", "relative import"),
        ("pages/judge/a.py", "core.api.a", "do not know each other"),
        ("pages/judge/a.py", "core.store.store", ""),
    ],
)
def test_a_fault_of_an_import_is_found(place: str, name: str, fault: str):
    told = find_fault(ROOT / place, name)
    assert fault in told
    assert bool(fault) == bool(told)


@long
def test_what_looks_like_an_import_is_all_that_are():
    for path in sources():
        assert {*imports(path)} <= like_imports(path), path


def test_reports_are_handed_what_is_in_a_store():
    """They compute from frames, whose source they do not know; a type may name it."""
    for path in (ROOT / "core" / "reports").glob("*.py"):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        named = [one.module for one in tree.body if isinstance(one, ast.ImportFrom) and one.module]
        assert [one for one in named if one.startswith("core.store")] == [], path


def test_the_walk_sees_the_whole_house():
    assert len(sources()) > 40
    assert {floor(".".join(p.relative_to(ROOT).with_suffix("").parts)) for p in sources()} <= set(
        FLOW
    )


def find_sql(source: str) -> list[int]:
    """Return the lines of a module where SQL stands or is sent to the database."""
    if not LIKE_SQL.search(source):
        return []
    tree = ast.parse(source)
    told = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    return sorted(
        {
            node.lineno
            for node in ast.walk(tree)
            if id(node) not in told and (_is_statement(node) or _is_sending(node))
        }
    )


def _is_statement(node: ast.AST) -> bool:
    if isinstance(node, ast.JoinedStr):
        parts = [one.value if isinstance(one, ast.Constant) else "{}" for one in node.values]
        return bool(STATEMENT.match("".join(map(str, parts))))
    return (
        isinstance(node, ast.Constant)
        and isinstance(node.value, str)
        and bool(STATEMENT.match(node.value))
    )


def _is_sending(node: ast.AST) -> bool:
    if isinstance(node, ast.ImportFrom):
        return node.module == "core.store.file.database" and bool(
            OF_DATABASE & {alias.name for alias in node.names}
        )
    called = node.func if isinstance(node, ast.Call) else None
    if not isinstance(called, ast.Attribute):
        return False
    owner = called.value.attr if isinstance(called.value, ast.Attribute) else ""
    return called.attr in ON_CURSORS or (called.attr, owner) == ("run", "database")


def test_sql_has_one_home():
    strays = [
        f"{path.relative_to(ROOT)}:{line}"
        for path in sources()
        if not str(path.relative_to(ROOT)).startswith(SQL_HOME)
        for line in find_sql(path.read_text(encoding="utf-8"))
    ]
    assert not strays, f"SQL belongs into {SQL_HOME}: {', '.join(strays)}"


@each(
    "source",
    [
        'x = "SELECT 1 FROM labels"',
        'x = """\n    SELECT *\n    FROM labels"""',
        'x = "(SELECT 1)"',
        'x = "-- all of them\\nSELECT 1"',
        'x = "INSERT OR REPLACE INTO gold VALUES (?)"',
        'x = "UPDATE rounds SET closed_at = ?"',
        'x = "DELETE FROM labels WHERE sequence > ?"',
        'x = "CREATE OR REPLACE TEMP TABLE kept AS FROM labels"',
        'x = "ALTER TABLE results ADD COLUMN vertical VARCHAR"',
        'x = "WITH a AS (SELECT 1), b AS (SELECT 2) FROM a"',
        'x = "WITH RECURSIVE a(n) AS MATERIALIZED (SELECT 1) FROM a"',
        'x = "PRAGMA database_size"',
        'x = "BEGIN TRANSACTION;"',
        'x = "COMMIT"',
        'x = "FORCE CHECKPOINT"',
        'x = "SET GLOBAL threads = 1"',
        'x = "FROM practice WHERE collection_id = ?"',
        'x = "WHERE collection_id = ?"',
        'x = "LEFT JOIN topics USING (topic_id)"',
        'x = f"SELECT count(*) FROM {table}"',
        'x = f"UPDATE {table} SET level = 1"',
        'x = f"{start} UPDATE slots SET batch = 1"',
        "x = cursor.execute(statement)",
        "x = store.cursor().sql(statement)",
        "x = store.database.run(statement)",
        "from core.store.file.database import Cursor, fetch as look",
    ],
)
def test_a_statement_is_found(source: str):
    lines = ["import re", "", source, "y = 1"]
    assert find_sql("\n".join(lines)) == [3]


@each(
    "source",
    [
        'x = "Select a level, or update the set of labels."',
        'x = "With two labels an item as (say) in the demo"',
        'x = "FROM 0 TO 3"',
        'x = "BEGIN WITH THE FIRST ITEM"',
        'x = "CREATE A COLLECTION FIRST"',
        'x = "UPDATE THE SCALE, THEN SET THE LEVEL"',
        'x = "COMMITTED"',
        'x = "Labels are read from the log: SELECT is not needed."',
        'x = f"Delete {name} from the collection"',
        '"""SELECT 1 FROM labels"""',
        'def f():\n    """SELECT 1 FROM labels"""',
        'x = 1\n"""FROM labels, a note below an assignment"""',
        "x = server.run(app)",
        "from core.store.file.database import Cursor, first_line",
    ],
)
def test_an_ordinary_sentence_is_passed_over(source: str):
    assert find_sql(source) == []


def test_the_store_has_what_the_search_looks_for():
    homes = [path for path in sources() if str(path.relative_to(ROOT)).startswith(SQL_HOME)]
    finding = (path for path in homes if find_sql(path.read_text(encoding="utf-8")))
    assert len([*islice(finding, 21)]) > 20


def dotted(path: Path) -> str:
    return ".".join(path.relative_to(ROOT).with_suffix("").parts)


def find_reaches(name: str, source: str) -> Iterator[tuple[int, str]]:
    """Return line and name of what a page imports from folders that are neither its own nor shared.

    Modules at the top of ``pages`` are in no folder, so any folder is another's to them.
    """
    own = name.split(".")[1]
    like = {tuple(one.split(".")[:2]) for one in LIKE_IMPORT.findall(source)}
    if {one for one in like if one[0] == "pages"} <= {("pages", own), ("pages", "shared")}:
        return
    for node in ast.walk(ast.parse(source)):
        targets = []
        if isinstance(node, ast.Import):
            targets = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            targets = [f"{node.module}.{alias.name}" for alias in node.names]
        for target in targets:
            root, _, rest = target.partition(".")
            if root == "pages" and rest.split(".")[0] not in (own, "shared"):
                yield node.lineno, target


def reason_for(importer: str, imported: str) -> tuple[str, str] | None:
    """Return the exception that covers an import, if there is one."""
    covering = (
        (here, there)
        for here, there in BETWEEN_PAGES
        if f"{importer}.".startswith(f"{here}.") and f"{imported}.".startswith(f"{there}.")
    )
    return next(covering, None)


@cache
def reaches() -> list[tuple[str, str, str]]:
    """Return place, importer and imported of every import from another folder of pages."""
    return [
        (f"{path.relative_to(ROOT)}:{line}", dotted(path), target)
        for path in (ROOT / "pages").rglob("*.py")
        for line, target in find_reaches(dotted(path), path.read_text(encoding="utf-8"))
    ]


def test_folders_of_pages_share_by_way_of_the_shared_one():
    strays = [
        f"{place} imports {imported}"
        for place, importer, imported in reaches()
        if reason_for(importer, imported) is None
    ]
    assert not strays, f"move what is shared to pages/shared: {'; '.join(strays)}"


def test_no_exception_between_pages_is_left_over():
    used = {reason_for(importer, imported) for _, importer, imported in reaches()}
    assert used >= BETWEEN_PAGES.keys()


@each(
    ("name", "source", "found"),
    [
        ("pages.judge.item", "from pages.api.page import show_page", "pages.api.page.show_page"),
        ("pages.judge.item", "import pages.people.people", "pages.people.people"),
        ("pages.judge.item", "from pages import people", "pages.people"),
        (
            "pages.judge.item",
            "def f():\n    from pages.people import people",
            "pages.people.people",
        ),
        ("pages.shared.page", "from pages.judge.item import x", "pages.judge.item.x"),
        (
            "pages.results.a.b",
            "from pages.agreement.user_disagreement.disagreement import x",
            "pages.agreement.user_disagreement.disagreement.x",
        ),
        ("pages.main", "from pages.judge.item import x", "pages.judge.item.x"),
    ],
)
def test_a_reach_into_another_folder_is_found(name: str, source: str, found: str):
    assert [target for _, target in find_reaches(name, source)] == [found]
    assert reason_for(name, found) is None


@each(
    ("name", "source"),
    [
        ("pages.judge.item", "from pages.judge.plain import x"),
        ("pages.judge.item", "from pages.shared.page import x"),
        ("pages.results.a.b", "from pages.results.c.d import x"),
        ("pages.judge.item", "from core.store.store import Store"),
    ],
)
def test_a_folder_may_use_its_own_and_the_shared_one(name: str, source: str):
    assert not list(find_reaches(name, source))


def test_an_exception_covers_its_own_pages_only():
    assert reason_for("pages.collection.export", "pages.server.log.log")
    assert reason_for("pages.collection.backups", "pages.server.log.log") is None
    assert reason_for("pages.collection.export", "pages.server.logs.log") is None
    assert reason_for("pages.people.people", "pages.server.running.server") is None
