"""A qrels version as NTCIR and BEIR have it, and as a sample, beside the one for TREC."""

from functools import partial

import pandas as pd
from streamlit.delta_generator import DeltaGenerator

from core.analysis.base.wording import plain
from core.analysis.collection.qrels_files import write_qrels_as, write_sample_as
from core.analysis.results.qrels_choices import QrelsChoice
from core.analysis.results.sampled_qrels import describe_left_out, sampled_qrels_of
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

_SAMPLED = {
    "strata": ("Sample, strata", "strata.qrels", "text/plain", "As NIST's sample_eval reads it."),
    "prels": ("Sample, prels", "prels", "text/plain", "With probabilities, for statAP."),
    "sample": (
        "Sample, TSV",
        "sample.tsv",
        "text/tab-separated-values",
        "With strata and probabilities, and what was pooled and not drawn (level -1).",
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


def offer_samples(
    context: PageContext, choice: QrelsChoice, name: str, place: DeltaGenerator
) -> str:
    """Offer the topics of a version of which a sample was judged; returns what is left out."""
    qrels = sampled_qrels_of(context.study, choice)
    if qrels.sampled.empty:
        return ""
    for key, (label, ending, mime, explained) in _SAMPLED.items():
        place.download_button(
            label,
            data=while_signed_in(partial(write_sample_as, context.study, choice, key)),
            file_name=file_name(context, f"{name}.{ending}"),
            mime=mime,
            help=explained,
            on_click="ignore",
        )
    return "".join(f" Not in samples: {plain(one)}." for one in describe_left_out(qrels))
