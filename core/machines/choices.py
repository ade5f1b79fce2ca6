"""What may be chosen where machines are set against people."""

EPSILON = 0.2
"""What people may be better by, for what their labels cost: the authors suggest .2 for experts, .15
for skilled people and .1 for a crowd."""

SAMPLING = {
    "unknown": "It is not said how the judged items were chosen: all figures hold for these items "
    "only, and may be others on items that nobody judged.",
    "random": "The judged items were drawn at random: all figures are estimates for the items they "
    "were drawn from, and for no others.",
    "selected": "The judged items were not drawn at random: all figures hold for these items only, "
    "and may be others on items that nobody judged.",
}
"""What figures hold for, by how the items were chosen."""

FEWEST_PEOPLE = 2
"""Labels that an item needs for the alternative annotator test, as its authors' program has it."""

SCORINGS = ("accuracy", "rmse")
