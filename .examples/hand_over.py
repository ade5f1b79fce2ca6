"""From a store to pandas and to other tools: the labels as a book for Quepid."""

import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

import dissent

FILES = {
    "topics.tsv": "id\tquery\nt1\tbig cats\n",
    "labels.tsv": "assessor\ttopic\tdocument\tlevel\n"
    "ann\tt1\td1\t3\nbea\tt1\td1\t2\nann\tt1\td2\t0\n",
}

with TemporaryDirectory() as name:
    folder = Path(name)
    for file, text in FILES.items():
        (folder / file).write_text(text, encoding="utf-8")
    store = folder / "study.duckdb"
    subprocess.run(
        [
            *(sys.executable, "-m", "dissent", "import", *(folder / file for file in FILES)),
            *("--store", store, "--collection", "Pets", "--create", "--scale", "page=0,1,2,3"),
        ],
        check=True,
        capture_output=True,
    )
    with dissent.open_store(store, names=True) as opened:
        labels = opened.labels("Pets")
        book = opened.export("labels", "Pets", tool="quepid")
print(labels.groupby("assessor_id")["level"].mean().to_string(header=False))
print(book.decode())
