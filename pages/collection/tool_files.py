"""Labels and preferences for other tools, as a part of the page *Export*."""

from core.collection.annotation_tools.writers import LABEL_WRITERS, PREFERENCE_WRITERS
from pages.collection.data_files import Download, FilesPart

TOOLS = FilesPart(
    "tool",
    "Labels for other tools",
    "The levels of all labels that stand, with the query, title and text of each item, as these "
    "tools read them. Each file can be imported here again. A book for Quepid has a row for each "
    "query and document and a column for each assessor; it holds no snippets and no repeats.",
    tuple(
        Download(one.title, "labels", one.ending, one.media_type, tool)
        for tool, one in LABEL_WRITERS.items()
    ),
    "Ids instead of codes.",
    "There are no labels yet.",
)
TOOL_PAIRS = FilesPart(
    "tool-pair",
    "Preferences for other tools",
    "Pairs as tasks of Label Studio's *Pairwise*, with what was chosen.",
    tuple(
        Download(one.title, "preferences", one.ending, one.media_type, tool)
        for tool, one in PREFERENCE_WRITERS.items()
    ),
    "Ids instead of codes.",
)
