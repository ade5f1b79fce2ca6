"""Study bundles: making one, and computing one anew."""

import os
from collections.abc import Sequence

from core.api.calls.arguments import as_list
from core.api.calls.files import Paths
from core.api.calls.store_frames import StoreFrames
from core.bundle.choices import MEASURES, WHOLE, Choices
from core.bundle.making import make_bundle
from core.bundle.reproduction import Reproduction
from core.bundle.reproduction import reproduce as compute_anew
from core.collection.files.source import Source
from core.comparison.significance_test import SignificanceTest
from core.errors import NotFound
from core.place import expand_home


def bundle(
    store: StoreFrames,
    collection: str = "",
    *,
    versions: str | Sequence[str] = (),
    labels: bool = False,
    imported_labels: bool = False,
    runs: str = WHOLE,
    measures: str | Sequence[str] = MEASURES,
    test: SignificanceTest | None = None,
    licence: str = "",
) -> bytes:
    """Return a collection as a study bundle: a ZIP archive, an RO-Crate 1.1.

    Nobody's name is in it, however the store was opened.

    Parameters
    ----------
    store : StoreFrames
        From `open_store`.
    collection : str
        Its name or id; may be left out where the store has only one.
    versions : str or sequence of str
        Qrels versions by name; the usual ones without.
    labels : bool
        With the labels of those who consented, under codes.
    imported_labels : bool
        With ``labels``: also those of assessors known by imported files only.
    runs : {'whole', 'hashes'}
        Whether runs are in the bundle, or only their hashes.
    measures : str or sequence of str
        What runs are scored by.
    test : SignificanceTest, optional
        Samples, seed and α of the test of differences.
    licence : str
        What others may do with it: an address or a text.

    Raises
    ------
    NotFound
        There is no such collection or version.
    BadInput
        A choice cannot be used.
    TooLittleData
        There are neither qrels nor labels to publish.
    """
    choices = Choices(
        versions=as_list(versions),
        labels=labels,
        imported_labels=imported_labels,
        runs=runs,
        measures=as_list(measures),
        test=test or SignificanceTest(),
        licence=licence,
    )
    return make_bundle(store._study(collection), choices).content


def reproduce(path: str | os.PathLike[str], runs: Paths = ()) -> Reproduction:
    """Compute the tables, figures and qrels of a study bundle anew and compare them.

    Parameters
    ----------
    path : path
        The bundle.
    runs : path or sequence of paths
        Runs that the bundle has the hashes of only.

    Returns
    -------
    Reproduction
        ``is_reproduced``, ``changes`` (entries that are not as published), ``parts`` (each entry
        that was computed anew, with the cells that differ) and ``software``.

    Raises
    ------
    NotFound
        There is no such file.
    BadInput
        It is no bundle, or a run is not the one that was scored.
    """
    file = expand_home(path)
    if not file.is_file():
        raise NotFound(f"There is no file {file}.")
    listed = [runs] if isinstance(runs, str | os.PathLike) else list(runs)
    return compute_anew(file, [Source.at(expand_home(one)) for one in listed])
