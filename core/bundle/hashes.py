"""The hashes of a bundle's entries, written down twice, so that one changed byte has a name."""

import json
import re
from collections.abc import Mapping
from hashlib import sha256
from typing import Any

from core.bundle.crate import METADATA

MANIFEST = "manifest-sha256.txt"
_LINE = re.compile(r"([0-9a-f]{64})  (\S+)")


def write_manifest(entries: Mapping[str, bytes]) -> bytes:
    """Return a line for each entry, as ``sha256sum`` reads it."""
    lines = (f"{sha256(entries[name]).hexdigest()}  {name}\n" for name in sorted(entries))
    return "".join(lines).encode()


def find_changes(entries: Mapping[str, bytes], metadata: bytes = b"") -> dict[str, str]:
    """Return what is wrong with each entry that is not as it was published, by its name.

    The manifest lists every entry but itself, the crate's metadata every entry but itself and the
    manifest: of three hashes two have to be the same, and the odd one was changed.

    Parameters
    ----------
    entries : mapping of str to bytes
        What is in the archive.
    metadata : bytes
        The crate's metadata as it has to be for these entries, where that is known: it tells
        whether it or its line in the manifest was changed.
    """
    if MANIFEST not in entries or METADATA not in entries:
        missing = [one for one in (MANIFEST, METADATA) if one not in entries]
        return dict.fromkeys(missing, "is missing")
    listed, is_sound = _read_manifest(entries[MANIFEST])
    twice = _read_metadata(entries[METADATA])
    found: dict[str, str] = {} if is_sound else {MANIFEST: "has lines that are no hashes"}
    actual = {name: sha256(own).hexdigest() for name, own in entries.items() if name != MANIFEST}
    for name, digest in actual.items():
        known = {listed.get(name), twice.get(name)} if name != METADATA else {listed.get(name)}
        if known == {digest}:
            continue
        if name == METADATA:
            whose = MANIFEST if entries[METADATA] == metadata else METADATA
        elif digest in known:
            whose = MANIFEST if listed.get(name) != digest else METADATA
        else:
            whose = name
        found.setdefault(whose, "is not what was published")
    for name in sorted({*listed, *twice} - actual.keys() - {MANIFEST}):
        if name in listed and name in twice:
            found[name] = "is missing"
        else:
            found.setdefault(MANIFEST if name in listed else METADATA, "is not what was published")
    return found


def _read_manifest(content: bytes) -> tuple[dict[str, str], bool]:
    """Return hashes by name, and whether every line is one."""
    lines = content.decode("utf-8", "replace").split("\n")
    found = [match for line in lines[:-1] if (match := _LINE.fullmatch(line))]
    is_sound = len(found) == len(lines) - 1 and lines[-1] == ""
    return {match[2]: match[1] for match in found}, is_sound


def _read_metadata(content: bytes) -> dict[str, str]:
    """Return the hashes that the crate states; none where it cannot be read."""
    try:
        graph: list[dict[str, Any]] = json.loads(content)["@graph"]
        return {str(one["@id"]): str(one["sha256"]) for one in graph if "sha256" in one}
    except (LookupError, ValueError, TypeError, RecursionError):
        return {}
