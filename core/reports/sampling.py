"""What every interval by resampling shares, whoever asks for it: page, command or program."""

import numpy as np

SAMPLES = 1_000
"""How often labels are drawn again for an interval."""

SEED = 1


def new_rng(seed: int = SEED) -> np.random.Generator:
    """Return the generator that an analysis begins with: the same labels, the same interval."""
    return np.random.default_rng(seed)
