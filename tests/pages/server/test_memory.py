"""One heap for all threads, where the C library has the setting; and what stays for good."""

import gc
import platform

from pages.server.memory import keep_for_good, share_one_heap


def test_it_is_set_where_the_library_has_it():
    assert share_one_heap() == (platform.libc_ver()[0] == "glibc")


def test_what_is_there_is_passed_over():
    before = gc.get_freeze_count()
    there = [[] for _ in range(10)]
    keep_for_good()
    assert gc.get_freeze_count() >= before + len(there)
