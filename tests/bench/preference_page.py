"""Server time of the preferences page: ``python -m tests.bench.preference_page``.

What is timed is the script's own thread, from reading the preferences to the last figure.
"""

import argparse
import os
import tempfile
import uuid
from pathlib import Path
from unittest.mock import patch

import numpy as np
import pandas as pd
from streamlit.runtime.scriptrunner.script_runner import ScriptRunner
from streamlit.testing.v1 import AppTest
from streamlit.util import calc_hash

from core.collection.records import Import
from core.store.content.collections import create_collection
from core.store.content.imports import write_import
from core.store.events.labels import Key, LabelEvent
from core.store.people.people import add_person, begin_session
from core.store.rounds.pairs import list_pairs, name_pairs
from pages.server.running import server, stop
from tests.bench.agreement_page import MAIN, timed
from tests.bench.clients import percentile

ASSESSORS = 20


def main() -> None:
    """Draw the page again after each of some preferences and print the times."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--preferences", type=int, default=100_000)
    parser.add_argument("--items", type=int, default=2_000)
    parser.add_argument("--topics", type=int, nargs="+", default=[20, 1])
    parser.add_argument("--runs", type=int, default=5)
    chosen = parser.parse_args()
    for topics in chosen.topics:
        with tempfile.TemporaryDirectory() as folder:
            os.environ["DISSENT_STORE"] = str(Path(folder) / "store.duckdb")
            times = time_page(chosen.preferences, chosen.items, topics, chosen.runs)
            stop()
        print(
            f"{chosen.preferences:,} preferences, {chosen.items:,} items, {topics} topics:", end=" "
        )
        print(
            f"ms p50 {percentile(times, 0.5):.0f} least {min(times):.0f} largest {max(times):.0f}"
        )


def time_page(count: int, items: int, topics: int, runs: int) -> list[float]:
    """Return the milliseconds of each drawing of the page, the first left out."""
    store = server().store
    collection_id = create_collection(store, "Bench")
    frame = make_preferences(count, items, topics)
    read = Import("preferences", "made", {"preferences": frame}, {}, (), "0" * 64)
    write_import(store, collection_id, read)
    at = AppTest.from_file(MAIN, default_timeout=120)
    organiser = add_person(store, "Organiser", "organiser")
    at.session_state["session_token"] = begin_session(store, organiser)
    at._page_hash = calc_hash("preferences")
    at.run()
    named = name_pairs(
        store.secret, list_pairs(store, collection_id, "documents").assign(kind="documents")
    )
    times: list[float] = []
    with patch.object(ScriptRunner, "_run_script_thread", timed(times)):
        for number in range(runs):
            pair = named.iloc[number]
            key = Key(pair["topic_id"], pair["pair_id"], "page pair", "first", "new", 0)
            store.labels.append(
                collection_id, [LabelEvent(str(uuid.uuid4()), None, key, "level", 1)]
            )
            at.run()
    if at.exception or not at.dataframe:
        raise RuntimeError("the page could not be drawn")
    return times


def make_preferences(count: int, items: int, topics: int) -> pd.DataFrame:
    """Return preferences between items of a known strength, sides at random."""
    rng = np.random.default_rng(1)
    per_topic = items // topics
    strength = rng.normal(size=items)
    topic = rng.integers(0, topics, count)
    one, step = rng.integers(0, per_topic, count), rng.integers(1, per_topic, count)
    low = topic * per_topic + np.minimum(one, (one + step) % per_topic)
    high = topic * per_topic + np.maximum(one, (one + step) % per_topic)
    wins = rng.random(count) < 1 / (1 + np.exp(strength[high] - strength[low]))
    names = pd.array([f"d{number:04}" for number in range(items)], dtype="str")
    first, second = names.take(low), names.take(high)
    frame = pd.DataFrame(
        {
            "topic_id": pd.array([f"t{number:02}" for number in range(topics)], dtype="str").take(
                topic
            ),
            "kind": "documents",
            "facet": "page",
            "first": first,
            "second": second,
            "left": np.where(rng.random(count) < 0.5, first, second),
            "choice": np.where(rng.random(count) < 0.1, "tie", np.where(wins, "first", "second")),
            "strength": 1,
            "assessor_id": pd.array([f"a{n:02}" for n in range(ASSESSORS)], dtype="str").take(
                rng.integers(0, ASSESSORS, count)
            ),
            "occasion": 0,
            "state": "level",
        }
    )
    frame["strength"] = frame["strength"].where(frame["choice"] != "tie", 0)
    return frame.drop_duplicates(["topic_id", "first", "second", "assessor_id"], ignore_index=True)


if __name__ == "__main__":
    main()
