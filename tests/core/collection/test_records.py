"""Scales."""

import pytest

from core.collection.records import default_scales, numeric_scale, preference_scale
from core.errors import BadInput
from core.language.translate import speaking
from tests.each import each


def test_default_scales():
    scales = default_scales()
    assert [level.name for level in scales["snippet"]] == ["No", "Unlikely", "Maybe", "Sure"]
    assert [level.name for level in scales["page"]] == ["Non", "Rel", "HRel", "Key", "Nav"]
    assert [level.counts_as for level in scales["page"]] == [0, 1, 2, 3, 3]
    for scale in scales.values():
        assert [level.level for level in scale] == list(range(len(scale)))
        assert [level.key for level in scale] == [str(n + 1) for n in range(len(scale))]
        assert all(level.meaning.endswith(".") for level in scale)


def test_usual_words_are_in_the_language_spoken_and_levels_and_keys_are_the_same():
    english = [*default_scales().values(), preference_scale()]
    with speaking("de"):
        german = [*default_scales().values(), preference_scale()]
    assert [level.name for level in german[0]] == ["Nein", "Kaum", "Vielleicht", "Sicher"]
    assert german[2][0].meaning == "Links ist deutlich besser."
    for ours, theirs in zip(english, german, strict=True):
        for one, other in zip(ours, theirs, strict=True):
            assert (one.level, one.key, one.counts_as) == (other.level, other.key, other.counts_as)
            assert one.name != other.name
            assert one.meaning != other.meaning


def test_numeric_scale_uses_the_digit_as_key():
    scale = numeric_scale([3, 0, 1, 2, 2])
    assert [(level.level, level.name, level.key, level.counts_as) for level in scale] == [
        (n, str(n), str(n), n) for n in range(4)
    ]


def test_numeric_scale_beyond_digits_has_one_key_a_level():
    scale = numeric_scale(range(-1, 14))
    assert [level.level for level in scale] == list(range(-1, 14))
    assert len({level.key for level in scale}) == 15


@each("levels", [[], [1], range(99)])
def test_numeric_scale_needs_a_choice(levels):
    with pytest.raises(BadInput, match="2 to"):
        numeric_scale(levels)
