"""Texts as Markdown shows them."""

from core.wording import mark_fact, plain, plain_with_facts


def test_only_marked_facts_are_bold_whatever_they_are_called():
    said = f"The best system is {mark_fact('a*b_1')} of 4 *systems*."
    assert plain_with_facts(said) == f"{plain('The best system is ')}**{plain('a*b_1')}**" + plain(
        " of 4 *systems*."
    )
    assert plain_with_facts("a **b**") == plain("a **b**")
