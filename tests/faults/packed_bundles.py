"""Small bundles that unpack to very much, each made from an honest one when it is asked for."""

import io
import json
import zipfile
from collections.abc import Callable, Mapping

from core.bundle.archive import write_archive
from tests.core.bundle.conftest import seal
from tests.faults.packed_files import MIB, names, noise

Entries = Mapping[str, bytes]
Made = Callable[[Entries], bytes]

LABELS, RUN, QRELS = "labels/labels.csv", "runs/001-s0.run", "qrels/02-all-maximum.qrels"


def instead(name: str, make: Callable[[bytes], bytes]) -> Made:
    """Return what replaces one entry, with hashes that fit."""
    return lambda entries: write_archive(seal({**entries, name: make(entries[name])}))


def unsealed(name: str, make: Callable[[bytes], bytes]) -> Made:
    return lambda entries: write_archive({**entries, name: make(entries[name])})


def long_study(content: bytes) -> bytes:
    about = json.loads(content)
    about["runs"] = about["runs"] * 100_000
    return json.dumps(about).encode()


def repacked(kind: int, **changed: bytes) -> Made:
    def make(entries: Entries) -> bytes:
        out = io.BytesIO()
        with zipfile.ZipFile(out, "w", kind) as archive:
            for name, content in {**entries, **changed}.items():
                archive.writestr(name, content)
        return out.getvalue()

    return make


def many_entries(number: int, length: int) -> Made:
    def make(entries: Entries) -> bytes:
        out = io.BytesIO()
        with zipfile.ZipFile(out, "w") as archive:
            for one in range(number):
                archive.writestr(f"{one:0{length}d}", b"")
        return out.getvalue()

    return make


def lines(line: bytes, size: int) -> Callable[[bytes], bytes]:
    return lambda content: content + line * (size // len(line))


ZIP: dict[str, Made] = {
    "a run of 4 MB": instead(RUN, lines(b"q1 Q0 d 1 2.0 s\n", 3 * MIB)),
    "a run of other documents": instead(RUN, lambda _: names(b"1 Q0 %x 1 1 s0\n", MIB // 4)),
    "qrels of 4 MB": instead(QRELS, lines(b"q1 0 d 1\n", 3 * MIB)),
    "labels of 4 MB": instead(LABELS, lines(b"a,,,,,,,\n", 3 * MIB)),
    "labels of one cell": instead(LABELS, lines(b"\n", 3 * MIB)),
    "labels of many columns": instead(LABELS, lambda _: names(b"%x,", MIB // 2) + b"\n"),
    "labels in quotes": instead(LABELS, lines(b'"', 3 * MIB)),
    "labels beside noise": instead(LABELS, lines(noise() + b"\n" + b",\n" * (50 * MIB), 150 * MIB)),
    "a table of many cells": instead("tables/scores.csv", lines(b",", 3 * MIB)),
    "a table of many lines": instead("tables/means.csv", lines(b"1\n", 3 * MIB)),
    "a table beside noise": instead("tables/means.csv", lambda _: noise() + b",\n" * (50 * MIB)),
    "a long study": instead("study.json", long_study),
    "lists in the study": instead("study.json", lambda _: b"[" * (3 * MIB)),
    "objects in the metadata": unsealed(
        "ro-crate-metadata.json", lambda _: b'{"@graph":[%s{}]}' % (b"{}," * MIB)
    ),
    "a long list of hashes": unsealed("manifest-sha256.txt", lines(b"0" * 64 + b"  a\n", 3 * MIB)),
    "objects in a figure": instead("figures/means-01.json", lambda _: b"[%s0]" % (b"{}," * MIB)),
    "packed with LZMA": repacked(zipfile.ZIP_LZMA, x=bytes(900 * MIB)),
    "packed with bzip2": repacked(zipfile.ZIP_BZIP2, x=bytes(300 * MIB)),
    "200,000 entries": many_entries(200_000, 6),
    "long names": many_entries(400, 60_000),
}
