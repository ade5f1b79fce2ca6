from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing

import pytest

from tests.core.prompting.chat_server import Behaviour, ChatServer

Serve = Callable[[Behaviour], ChatServer]


@pytest.fixture
def serve() -> Iterator[Serve]:
    """Start servers that behave as given."""
    with ExitStack() as stack:
        yield lambda behave: stack.enter_context(closing(ChatServer(behave)))
