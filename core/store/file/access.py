"""Whether this account may use a store's files as its work needs; told before any work begins."""

import os
from pathlib import Path

from core.errors import BadInput, StoreUnusable
from core.store.file.write_ahead_log import log_of

_COPY = (
    "copy the store, with its .key and its .wal where there is one, to a folder that the account "
    "can write. 'dissent check' reads a store where it is."
)


def require_access(store: Path) -> None:
    """Raise StoreUnusable where a store cannot be worked on, and say what to do about it."""
    folder = store.absolute().parent
    if folder.is_dir() and not _is_writable(folder):
        raise StoreUnusable(
            f"The folder {folder} cannot be written by this account, and the store's log has to be "
            f"in it. Let the account write there (chown, chmod u+rwx), or {_COPY}"
        )
    for file in (store, log_of(store)):
        if file.exists() and not os.access(file, os.R_OK | os.W_OK):
            raise StoreUnusable(
                f"The store's file {file} cannot be read and written by this account. Make the "
                f"account its owner (chown, chmod 600), or {_COPY}"
            )
    key = store.with_name(store.name + ".key")
    if key.exists() and not os.access(key, os.R_OK):
        raise StoreUnusable(
            f"The signing key {key} cannot be read by this account. Make the account its owner "
            "(chown, chmod 600)."
        )


def require_writable(folder: Path) -> None:
    """Raise BadInput where nothing can be put into a folder."""
    if not folder.is_dir():
        raise BadInput(f"there is no folder {folder}; make it first, or choose another")
    if not _is_writable(folder):
        raise BadInput(
            f"the folder {folder} cannot be written by this account; let it write there (chown, "
            "chmod u+rwx), or choose another"
        )


def _is_writable(folder: Path) -> bool:
    return os.access(folder, os.W_OK | os.X_OK)
