"""Files that pages hand out go by a hash of all that is in them."""

import sys

from streamlit.runtime import memory_media_file_storage as storage

_NAME = "_PARTIAL_HASH_THRESHOLD"


def tell_files_apart() -> None:
    """Have Streamlit hash the whole of each file, as it takes two with one hash for the same.

    Of more than a MiB it would read the beginning, the middle and the end: whoever downloads their
    labels, revises one in between and downloads them again would be given the old ones.
    """
    if hasattr(storage, _NAME):
        setattr(storage, _NAME, sys.maxsize)
