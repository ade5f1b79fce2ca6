"""How large the house is and what leads where: ``python -m tests.house [COMMIT …]``.

Of this checkout, and beside it of commits: files and lines of the product and of the tests, the
modules of ours that some doors reach by imports of any kind but those for types alone, the places
that compile rankings, and the imports that lead up or round.
"""

import ast
import subprocess
import sys
from collections.abc import Iterable, Iterator, Mapping
from contextlib import ExitStack
from pathlib import Path

from tests.trees import ROOT, check_out

ENDINGS = (".py", ".js", ".css")
PRODUCT = ("core/", "pages/", "app.py")
DOORS = {
    "page of agreement": "pages.agreement.coefficients.agreement",
    "dissent evaluate": "core.command.evaluate",
    "dissent.agreement": "core.api.calls.agreement",
}
RANKINGS = "compile_rankings"


def measure(root: Path) -> dict[str, int]:
    """Return what is measured of a tree of files, by what it is."""
    listed = subprocess.run(
        ["git", "ls-files"], cwd=root, check=True, capture_output=True, text=True
    ).stdout.splitlines()
    found: dict[str, int] = {}
    for name, begin in (("product", PRODUCT), ("tests", ("tests/",))):
        own = [one for one in listed if one.startswith(begin) and one.endswith(ENDINGS)]
        found[f"files, {name}"] = len(own)
        found[f"lines, {name}"] = sum(len((root / one).read_bytes().splitlines()) for one in own)
    trees = parse_product(root, listed)
    graph = graph_imports(trees)
    for title, module in DOORS.items():
        found[f"modules reached, {title}"] = len(reach(graph, module))
    calls = [_count_calls(tree, RANKINGS) for tree in trees.values()]
    found["places that compile rankings"] = sum(calls)
    found["modules with one of them"] = sum(map(bool, calls))
    found["imports"] = sum(map(len, graph.values()))
    found["modules in circles"] = sum(name in reach(graph, name) for name in graph)
    return found


def parse_product(root: Path, listed: Iterable[str]) -> dict[str, ast.Module]:
    """Return the modules of the product among the files that are listed, by their names."""
    modules = {
        ".".join(Path(one).with_suffix("").parts).removesuffix(".__init__"): root / one
        for one in listed
        if one.startswith(PRODUCT) and one.endswith(".py")
    }
    return {name: ast.parse(path.read_text("utf-8")) for name, path in modules.items()}


def graph_imports(trees: Mapping[str, ast.Module]) -> dict[str, set[str]]:
    """Return what each module imports of the others, wherever it does."""
    return {name: {*_imports(tree, trees)} - {name} for name, tree in trees.items()}


def _imports(tree: ast.AST, known: Mapping[str, object]) -> Iterator[str]:
    """Yield the modules of ours that are imported, wherever that is said, but for types."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.dump(node.test):
            continue
        if isinstance(node, ast.Import):
            yield from (one.name for one in node.names if one.name in known)
        elif isinstance(node, ast.ImportFrom) and node.module:
            inner = [f"{node.module}.{one.name}" for one in node.names]
            yield from {one if one in known else node.module for one in inner} & {*known}
        else:
            yield from _imports(node, known)


def reach(graph: dict[str, set[str]], start: str) -> set[str]:
    """Return all that a module leads to; itself only where something leads back."""
    reached, ahead = set[str](), [*graph.get(start, ())]
    while ahead:
        if (name := ahead.pop()) not in reached:
            reached.add(name)
            ahead += graph[name]
    return reached


def _count_calls(tree: ast.AST, name: str) -> int:
    return sum(
        isinstance(node, ast.Call)
        and name in (getattr(node.func, "id", ""), getattr(node.func, "attr", ""))
        for node in ast.walk(tree)
    )


def main(commits: list[str]) -> None:
    """Print the measures, a column for each commit and the last for this checkout."""
    with ExitStack() as stack:
        columns = [measure(stack.enter_context(check_out(one))) for one in commits]
    columns.append(measure(ROOT))
    print(f"{'':36}" + "".join(f"{one[:10]:>12}" for one in [*commits, "here"]))
    for name in columns[-1]:
        print(f"{name:36}" + "".join(f"{own.get(name, 0):>12,}" for own in columns))


if __name__ == "__main__":
    main(sys.argv[1:])
