"""One assessor's labels scored by another's; part of the test of the model."""

import streamlit as st

from core.comparison.robustness import FEWEST_ITEMS
from core.errors import BadInput, TooLittleData
from core.reports.verification import ModelVerification
from core.wording import plain, plain_with_facts
from pages.shared.figure import show_report


def show_robustness(found: ModelVerification, facet: str) -> None:
    """Show how well one assessor's best ranking does by another assessor's labels."""
    st.header("How well can any system do?")
    try:
        with st.spinner("Scoring assessors against each other"):
            said = found.mutual_answer
    except TooLittleData:
        st.info(
            f"No two assessors have judged the same {FEWEST_ITEMS} {facet}s of a topic. Let two "
            "assessors judge the same topics to that depth; use five topics or more."
        )
        return
    except BadInput as error:
        st.info(plain(str(error)))
        return
    if not said:
        st.info("No topic has a score: neither assessor gives any item a level with a gain.")
        return
    st.markdown(plain_with_facts(said))
    show_report(
        found,
        "mutual",
        "robustness",
        "One assessor's labels rank the items, best level first, and another's score that "
        "ranking; mean and standard deviation over topics and the 95 % interval of the mean "
        "(topics are what is sampled), both ways round, ties in random order. A high mean with a "
        "small deviation shows a measure that is robust to disagreement. **N** is the number of "
        "users of the UDM weights, estimated on all other topics. The means of "
        "different measures are on different scales: a higher one alone does not make a measure "
        "better.",
    )
