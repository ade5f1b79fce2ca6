"""The bundle as an RO-Crate: what each entry is, for programs that know no Dissent.

References
----------
RO-Crate Metadata Specification 1.1, https://w3id.org/ro/crate/1.1, doi:10.5281/zenodo.4541002.
"""

import json
from collections.abc import Mapping
from hashlib import sha256
from typing import Any

from core.bundle.description import Description
from core.bundle.figures import tell_paper

METADATA = "ro-crate-metadata.json"
_CONTEXT = "https://w3id.org/ro/crate/1.1/context"
_PROFILE = "https://w3id.org/ro/crate/1.1"
_SHA256 = "https://w3id.org/ro/terms/workflow-run#sha256"

NO_LICENCE = "No licence was stated. Ask whoever published this before you use it."

_MEDIA_TYPES = {
    "bib": "application/x-bibtex",
    "csv": "text/csv",
    "json": "application/json",
    "md": "text/markdown",
    "pdf": "application/pdf",
    "qrels": "text/plain",
    "run": "text/plain",
    "svg": "image/svg+xml",
    "tsv": "text/tab-separated-values",
    "txt": "text/plain",
}


def write_metadata(
    about: Description, entries: Mapping[str, bytes], purposes: Mapping[str, str]
) -> bytes:
    """Return ``ro-crate-metadata.json`` for the entries of a bundle.

    Parameters
    ----------
    about : Description
        The study.
    entries : mapping of str to bytes
        Every entry but this one and the manifest.
    purposes : mapping of str to str
        What each entry is, in words.
    """
    licence = about.licence or NO_LICENCE
    is_address = licence.startswith(("https://", "http://"))
    root = {
        "@id": "./",
        "@type": "Dataset",
        "name": f"Study bundle of {about.collection}",
        "description": " ".join(
            [
                "Relevance judgements, what they were made from, and tables and figures that rest "
                "on them. 'dissent reproduce' computes the tables anew.",
                *tell_paper(about.software, entries),
            ]
        ),
        "datePublished": about.date,
        "license": {"@id": licence} if is_address else licence,
        "hasPart": [{"@id": name} for name in sorted(entries)],
        "mentions": {"@id": "#dissent"},
    }
    graph: list[dict[str, Any]] = [
        {
            "@id": METADATA,
            "@type": "CreativeWork",
            "conformsTo": {"@id": _PROFILE},
            "about": {"@id": "./"},
        },
        root,
        *(_describe(name, entries[name], purposes[name]) for name in sorted(entries)),
        {
            "@id": "#dissent",
            "@type": "SoftwareApplication",
            "name": "Dissent",
            "version": about.software["dissent"],
        },
    ]
    if is_address:
        name = {"@type": "CreativeWork", "name": licence, "description": "The licence of this."}
        graph.append({"@id": licence, **name})
    context = [_CONTEXT, {"sha256": _SHA256}]
    crate = {"@context": context, "@graph": graph}
    return (json.dumps(crate, indent=1, ensure_ascii=False) + "\n").encode()


def _describe(name: str, content: bytes, purpose: str) -> dict[str, Any]:
    return {
        "@id": name,
        "@type": "File",
        "name": purpose,
        "encodingFormat": _MEDIA_TYPES[name.rpartition(".")[2]],
        "contentSize": str(len(content)),
        "sha256": sha256(content).hexdigest(),
    }
