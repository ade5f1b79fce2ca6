"""A study without a browser: files into a store, qrels out of it, by the command ``dissent``."""

import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

FILES = {
    "topics.tsv": "id\tquery\nt1\tbig cats\nt2\tdogs\n",
    "labels.tsv": "assessor\ttopic\tdocument\tlevel\n"
    "ann\tt1\td1\t3\nbea\tt1\td1\t2\nann\tt1\td2\t0\nbea\tt1\td2\t0\nann\tt2\td3\t1\n",
}


def dissent(*words: object) -> str:
    """Return what a command prints."""
    command = [sys.executable, "-m", "dissent", *map(str, words)]
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, encoding="utf-8").stdout


with TemporaryDirectory() as name:
    folder = Path(name)
    for file, text in FILES.items():
        (folder / file).write_text(text, encoding="utf-8")
    study = ("--store", folder / "study.duckdb", "--collection", "Pets")
    print(
        dissent(
            *("import", folder / "topics.tsv", folder / "labels.tsv", *study),
            *("--create", "--scale", "page=0,1,2,3"),
        )
    )
    print(dissent("export", "qrels", *study, "--combine", "median"))
