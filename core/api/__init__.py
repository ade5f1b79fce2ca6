"""The public Python API: what ``import dissent`` gives."""

from core.api.store_frames import StoreFrames, open_store
from core.errors import (
    BadInput,
    DissentError,
    NotFound,
    StoreInUse,
    StoreUnusable,
    TooLittleData,
)
from core.version import __version__

__all__ = [
    "BadInput",
    "DissentError",
    "NotFound",
    "StoreFrames",
    "StoreInUse",
    "StoreUnusable",
    "TooLittleData",
    "__version__",
    "open_store",
]
