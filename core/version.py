"""The version of Dissent. It stands here and nowhere else."""

__version__ = "0.9.0"
