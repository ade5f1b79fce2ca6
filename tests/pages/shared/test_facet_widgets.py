"""Names of counted levels and of assessors."""

import pandas as pd

from core.analysis.base.labels import name_assessors
from core.collection.records import Level, counted_levels, default_scales


def test_a_level_that_counts_as_another_shows_beside_it():
    names = counted_levels(default_scales()["page"])
    assert names == {0: "Non", 1: "Rel", 2: "HRel", 3: "Key or Nav"}


def test_the_level_that_counts_comes_first_wherever_it_stands():
    scale = (Level(0, "Spam", "", "1", 1), Level(1, "Non", "", "2", 1), Level(2, "Rel", "", "3", 2))
    assert counted_levels(scale) == {1: "Non or Spam", 2: "Rel"}


def test_names_fall_back_to_ids_and_are_never_alike():
    labels = pd.DataFrame(
        {
            "assessor_id": ["p-1", "p-1", "p-2", "p-3", "a4"],
            "assessor": ["Anna", "Anna", "Anna", "Bob", ""],
        }
    )
    assert name_assessors(labels) == {
        "p-1": "Anna (p-1)",
        "p-2": "Anna (p-2)",
        "p-3": "Bob",
        "a4": "a4",
    }
