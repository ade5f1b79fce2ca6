"""What a level is worth to users who disagree: chances of the top level, and weights."""

import numpy as np
import pandas as pd
import streamlit as st

from core.disagreement.user_disagreement import estimate_top_probability, relevance_weights
from core.errors import TooLittleData
from core.figures.disagreement import draw_top_probability, draw_weights
from core.measures.gain import gain_levels
from pages.analyse.combined_weights import show_combined
from pages.analyse.facets import (
    NO_COLLECTION,
    TWO_ASSESSORS,
    choose_facet,
    counted_levels,
    ratings_of,
)
from pages.analyse.udm_choices import Choices, choose_model
from pages.manage.wording import plain
from pages.shared.figure import show_figure, show_table
from pages.shared.live import keep_fresh, kept, scales_of
from pages.shared.page import page
from pages.shared.session import Visit
