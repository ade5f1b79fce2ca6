"""A name is held by one server at a time, and given up however its holder ends."""

from contextlib import closing

import psycopg
import pytest

from core.errors import StoreInUse
from core.place import Address


def test_a_name_is_held_by_one_of_several_servers(open_server):
    one, other = open_server(), open_server()
    with one.database.hold("job 1") as is_held:
        assert is_held()
        with pytest.raises(StoreInUse), other.database.hold("job 1"):
            pass
        with other.database.hold("job 2") as is_other:
            assert is_other()
    with other.database.hold("job 1") as is_held:
        assert is_held()


def test_whoever_loses_the_connection_loses_the_name(open_server, address: Address):
    one, other = open_server(), open_server()
    with one.database.hold("job 1") as is_held:
        with closing(psycopg.connect(address.url, autocommit=True)) as link:
            link.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_locks JOIN pg_stat_activity USING (pid) "
                "WHERE locktype = 'advisory' AND datname = current_database() "
                "AND state = 'idle'"
            )
        assert not is_held()
        with other.database.hold("job 1") as is_other:
            assert is_other()
