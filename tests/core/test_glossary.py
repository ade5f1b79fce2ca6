"""The glossary: each term once, in order, told in one sentence, with its source."""

import re
import unicodedata

from core.glossary import GLOSSARY, Term
from tests.each import each

EXPECTED = {
    *("agreement matrix", "AP", "assessor", "bpref", "depth", "effect size", "facet", "gain"),
    *("gold label", "informativeness", "intent", "level", "nDCG", "novelty", "p(top | level)"),
    *("pool", "preference", "Q-measure", "qrels version", "randomised Tukey HSD", "RBO", "run"),
    *("common items", "judged share", "raw agreement", "side bias", "significance test", "system"),
    *("topic", "UDM weight", "κ (Cohen's kappa)", "τ_AP"),
}


def test_it_has_the_terms_of_the_product_each_once():
    terms = [one.term for one in GLOSSARY]
    assert len(terms) == len(set(terms)) >= 35
    assert set(terms) >= EXPECTED


def test_terms_are_in_alphabetical_order_with_greek_letters_last():
    def place(one: Term) -> tuple[bool, str]:
        is_greek = unicodedata.name(one.term[0]).startswith("GREEK")
        return is_greek, one.term.casefold()

    assert sorted(GLOSSARY, key=place) == list(GLOSSARY)


@each("term", GLOSSARY, ids=lambda term: term.term)
def test_a_meaning_is_one_sentence_with_a_source(term: Term):
    assert re.fullmatch(r"[A-Zκ].*[^.]\.", term.meaning)
    assert not re.search(r"[.!?] [A-Z]", term.meaning)
    assert re.search(r"\(\d{4}\)|ed\., ch\. \d|Dissent", term.source)
    assert ";" not in term.source or term.source.count("(") > 1
