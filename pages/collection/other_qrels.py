"""A qrels version as NTCIR and BEIR have it, beside the one for TREC."""

from functools import partial

import pandas as pd
from streamlit.delta_generator import DeltaGenerator

from core.analysis.collection.qrels_files import write_qrels_as
from pages.collection.data_files import file_name
from pages.shared.session import PageContext, while_signed_in

_OTHERS = {
    "ntcir": ("NTCIR qrels", "ntcir.qrels", "text/plain", "Levels are written L0, L1 and so on."),
    "beir": (
        "BEIR",
        "beir.zip",
        "application/zip",
        "Queries, corpus and qrels as Parquet, as the Hugging Face hub has them.",
    ),
}


def offer_other_qrels(
    context: PageContext, name: str, qrels: pd.DataFrame, place: DeltaGenerator
) -> None:
    """Offer a version in the other formats, each of which is made when its button is pressed."""
    for key, (label, ending, mime, explained) in _OTHERS.items():
        place.download_button(
            label,
            data=while_signed_in(
                partial(write_qrels_as, context.store, context.collection_id, key, qrels, name)
            ),
            file_name=file_name(context, f"{name}.{ending}"),
            mime=mime,
            help=explained,
            on_click="ignore",
        )
