"""Made-up runs and judgements of any size for the benchmarks."""

from pathlib import Path

import numpy as np
import pandas as pd

DEPTH = 1000
CANDIDATES = 2500
POOL = 20
THRESHOLDS = (1.8, 2.3, 2.8)
"""The quality, normally distributed, from which a candidate is of level 1, 2 and 3."""


def draw(topics: int, systems: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Return made-up rankings of documents (system, topic, rank) and levels (topic, candidate).

    Document ``topic * CANDIDATES + candidate`` is a topic's candidate. The better ones tend to
    stand higher; the first ranks of every system are judged, about 1 candidate in 30 is relevant;
    a level below 0 stands for no judgement.
    """
    rng = np.random.default_rng(seed)
    quality = rng.standard_normal((topics, CANDIDATES), dtype=np.float32)
    shown = np.empty((systems, topics, DEPTH), dtype=np.int32)
    judged = np.zeros((topics, CANDIDATES), dtype=bool)
    for system in range(systems):
        noise = rng.standard_normal((topics, CANDIDATES), dtype=np.float32)
        shown[system] = np.argsort(-(quality + noise), axis=1)[:, :DEPTH]
        np.put_along_axis(judged, shown[system][:, :POOL], True, axis=1)
    shown += np.arange(topics, dtype=np.int32)[:, None] * CANDIDATES
    return shown, np.where(judged, np.digitize(quality, THRESHOLDS), -1)


def lay_out_qrels(level: np.ndarray) -> pd.DataFrame:
    """Return the judgements as a frame."""
    document = np.flatnonzero(level >= 0)
    return pd.DataFrame(
        {
            "topic_id": pd.Series([name_topic(one // CANDIDATES) for one in document], dtype="str"),
            "iteration": "0",
            "document_id": pd.Series([name_document(one) for one in document], dtype="str"),
            "level": level.ravel()[document],
        }
    )


def lay_out_runs(shown: np.ndarray) -> pd.DataFrame:
    """Return the runs as a frame whose ids are categories: the only form that 1 GB holds."""
    systems, topics, depth = shown.shape
    rank = np.arange(1, depth + 1, dtype=np.int16)
    codes = {
        "system": np.repeat(np.arange(systems, dtype=np.int16), topics * depth),
        "topic_id": np.tile(np.repeat(np.arange(topics, dtype=np.int16), depth), systems),
        "document_id": shown.ravel(),
    }
    number = pd.Series(np.arange(topics * CANDIDATES)).astype("str")
    names = {
        "system": pd.Series([f"run{one:03}" for one in range(systems)], dtype="str"),
        "topic_id": pd.Series([name_topic(one) for one in range(topics)], dtype="str"),
        "document_id": "made-up-" + number.str.zfill(8),
    }
    columns = {name: pd.Categorical.from_codes(codes[name], names[name]) for name in names}
    return pd.DataFrame(columns | {"rank": np.tile(rank, systems * topics)}, copy=False)


def name_topic(number: int) -> str:
    """Return a topic's id."""
    return f"{number + 1}"


def name_document(number: int) -> str:
    """Return a document's id, about as long as real ones."""
    return f"made-up-{number:08}"


def write_runs(shown: np.ndarray, folder: Path) -> list[Path]:
    """Write one run file a system."""
    files = []
    for system, lists in enumerate(shown):
        tail = f"run{system:03}"
        lines = [
            f"{name_topic(topic)} Q0 {name_document(one)} {rank} {30 - rank / 64:.6f} {tail}"
            for topic, ranked in enumerate(lists.tolist())
            for rank, one in enumerate(ranked, start=1)
        ]
        files.append(folder / f"run{system:03}.run")
        files[-1].write_text("\n".join(lines) + "\n")
    return files
