"""Files of topic ids, one a line."""

from core.command.files.reading import open_source
from core.errors import BadInput


def read_topic_ids(path: str) -> tuple[str, ...]:
    """Return the topics of a file, each once; raises BadInput where a line has two."""
    topics = []
    for number, line in open_source(path).lines():
        words = line.split()
        if len(words) > 1:
            raise BadInput("a topic file has one topic id a line", file=path, line=number)
        topics += words
    return tuple(dict.fromkeys(topics))
