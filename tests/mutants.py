"""Faults put in by hand, of which each has to be found: ``python -m tests.mutants [NAME …]``.

Each is one edit: a guard left out, a number a little off, a column gone from a door, a text not
escaped. It is made in a copy of the last commit; the tests named with it run there in the short
form, and the first that fails has found it. Told with it is whether ``--changed`` would have run
this test. The suite itself looks only that each edit still fits.
"""

import os
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from tests.changed import Change, find_tests, list_files
from tests.definitions import CACHE, Graph
from tests.trees import ROOT, check_out, make_python


@dataclass(frozen=True)
class Mutant:
    """One edit: a text that occurs once in a file, what stands there instead, and who finds it."""

    name: str
    file: str
    old: str
    new: str
    tests: tuple[str, ...]

    def put_in(self, text: str) -> str:
        """Return the text of the file with the fault."""
        if text.count(self.old) != 1:
            raise ValueError(f"{self.name}: what is changed does not stand once in {self.file}")
        return text.replace(self.old, self.new)


MUTANTS = (
    Mutant(
        "strangers pass the gate",
        "pages/server/gate.py",
        "        if person is None:\n",
        "        if False:\n",
        ("tests/pages/server/test_gate.py",),
    ),
    Mutant(
        "forms of other sites are taken",
        "pages/server/forms.py",
        'site in ("same-origin", "none")',
        'site in ("same-origin", "none", "cross-site")',
        ("tests/pages/api/test_route_doors.py",),
    ),
    Mutant(
        "pages open to every role",
        "pages/shared/page.py",
        "if not self.open_to(context):",
        "if False:",
        ("tests/pages/test_doors.py",),
    ),
    Mutant(
        "the API asks for no role",
        "pages/api/v1/guard.py",
        "if person.role not in operation.allowed:",
        "if False:",
        ("tests/pages/api/v1/test_doors.py",),
    ),
    Mutant(
        "the API asks for the role's scopes, not the token's",
        "pages/api/v1/guard.py",
        "not in set(token.scopes) & set(SCOPES[person.role]):",
        "not in set(SCOPES[person.role]):",
        ("tests/pages/api/v1/test_doors.py",),
    ),
    Mutant(
        "a page's address serves another session",
        "pages/api/page.py",
        "if person is None or not compare_digest(session_id, hash_token(cookie)):",
        "if person is None:",
        ("tests/pages/api/test_page.py",),
    ),
    Mutant(
        "a bundle holds any path",
        "core/bundle/archive.py",
        "if not _NAME.fullmatch(part.filename):",
        "if False:",
        ("tests/core/bundle/test_hostile.py", "tests/core/bundle/test_archive.py"),
    ),
    Mutant(
        "a backup holds other parts",
        "core/store/backup/backup.py",
        "if sorted(part.filename for part in parts) != expected:",
        "if not {part.filename for part in parts} >= set(expected):",
        ("tests/core/store/backup",),
    ),
    Mutant(
        "a store with foreign parts is opened",
        "core/store/schema/catalogue.py",
        "if found := find_foreign(held, steps):",
        "if found := find_foreign(held, steps)[:0]:",
        ("tests/core/store/schema/test_catalogue.py",),
    ),
    Mutant(
        "κ over all items",
        "core/agreement/pairwise.py",
        "chance_agreement(*margins(matrix), weights)\n"
        "    return agreed - by_chance, items - by_chance",
        "chance_agreement(*margins(matrix), weights)\n    return agreed - by_chance, items",
        ("tests/core/agreement/test_pairwise.py", "tests/core/agreement/test_oracles.py"),
    ),
    Mutant(
        "α without its correction for few labels",
        "core/agreement/multi_rater.py",
        "labels.sum(axis=-1) - 1)",
        "labels.sum(axis=-1))",
        ("tests/core/agreement/test_multi_rater.py", "tests/core/agreement/test_oracles.py"),
    ),
    Mutant(
        "intervals of 90 %",
        "core/agreement/intervals.py",
        "_UPPER = 0.975",
        "_UPPER = 0.95",
        ("tests/core/agreement/test_intervals.py",),
    ),
    Mutant(
        "nDCG discounts one rank late",
        "core/measures/cumulated_gain.py",
        '"log": lambda rank: 1 / np.log2(rank + 1)',
        '"log": lambda rank: 1 / np.log2(rank + 2)',
        ("tests/core/measures/test_oracles.py",),
    ),
    Mutant(
        "UDM counts the assessor twice",
        "core/disagreement/user_disagreement.py",
        "others, needed = users - 1, at_least - 1 if is_top else at_least",
        "others, needed = users, at_least - 1 if is_top else at_least",
        ("tests/core/disagreement/test_user_disagreement.py",),
    ),
    Mutant(
        "p of Tukey can be 0",
        "core/comparison/tukey.py",
        "p = (1 + samples - np.searchsorted(largest, least)) / (samples + 1)",
        "p = (samples - np.searchsorted(largest, least)) / (samples + 1)",
        ("tests/core/comparison/test_tukey.py",),
    ),
    Mutant(
        "exported labels lack the time taken",
        "core/collection/export/label_export.py",
        '        ("dwell_ms", "", _write_number),\n',
        "",
        ("tests/core/collection/export", "tests/core/collection/labels"),
    ),
    Mutant(
        "the API's scores lack a limit",
        "pages/api/v1/results.py",
        'means = _rows(found, "means")',
        'means = [{**row, "low": None} for row in _rows(found, "means")]',
        ("tests/pages/api/v1/test_connect.py", "tests/pages/api/v1/test_study.py"),
    ),
    Mutant(
        "a bundle's rank correlations lack p",
        "core/bundle/tables.py",
        '"interval", "unit", "units", "p"]',
        '"interval", "unit", "units"]',
        ("tests/core/bundle",),
    ),
    Mutant(
        "a document's text is HTML",
        "pages/api/page.py",
        "return mark_terms(escape(block), query)",
        "return mark_terms(block, query)",
        ("tests/pages/api/test_plain_text.py",),
    ),
    Mutant(
        "exported cells are formulas",
        "core/collection/export/delimited.py",
        'return neutralise(_BREAK.sub("\\n", whole).replace("\\0", "\\ufffd"))',
        'return _BREAK.sub("\\n", whole).replace("\\0", "\\ufffd")',
        ("tests/core/collection/export",),
    ),
    Mutant(
        "a refusal in other words",
        "pages/shared/page.py",
        "You are not allowed to see this page. Sign in with another invitation.",
        "You may not see this page. Sign in with another invitation.",
        ("tests/core/language/test_catalogues.py",),
    ),
)


def main(names: list[str]) -> int:
    """Put in the faults one by one; returns how many were not found."""
    survived = 0
    with check_out("HEAD") as copy:
        python = make_python(copy.with_name("python"))
        if (ROOT / CACHE).is_file():
            (copy / CACHE).parent.mkdir()
            shutil.copy(ROOT / CACHE, copy / CACHE)
        graph = Graph(copy, list_files(copy))
        for mutant in MUTANTS:
            if names and mutant.name not in names:
                continue
            killer = try_out(mutant, copy, python)
            survived += not killer
            told = f"found by {killer}" if killer else "SURVIVED"
            if killer and not is_chosen(graph, mutant, killer, copy):
                told += ", which --changed leaves out"
            print(f"{mutant.name}: {told}", flush=True)
    return survived


def try_out(mutant: Mutant, copy: Path, python: Path) -> str:
    """Run the tests on a copy with the fault; returns the first that failed, or nothing."""
    path = copy / mutant.file
    text = path.read_text(encoding="utf-8")
    path.write_text(mutant.put_in(text), encoding="utf-8")
    command = [str(python), "-m", "pytest", "-x", "-q", *mutant.tests]
    environment = {**os.environ, "PYTHONPATH": str(copy)}
    try:
        done = subprocess.run(command, cwd=copy, env=environment, capture_output=True, text=True)
    finally:
        path.write_text(text, encoding="utf-8")
    failed = re.search(r"^(?:FAILED|ERROR) (tests\S+)", done.stdout, re.MULTILINE)
    if done.returncode and not failed:
        raise RuntimeError(f"{mutant.name}: the tests did not run:\n{done.stdout}{done.stderr}")
    return failed[1] if failed else ""


def is_chosen(graph: Graph, mutant: Mutant, test: str, copy: Path) -> bool:
    """Tell whether the tests that ``--changed`` runs of this edit have the one that found it."""
    text = (copy / mutant.file).read_text(encoding="utf-8")
    chosen = find_tests(graph, Change("", {mutant.file: (text, mutant.put_in(text))}))
    return not {test.partition("[")[0], test.partition("::")[0], "tests"}.isdisjoint(chosen)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
