"""One heap for all threads, where the C library has the setting; and what stays for good."""

import gc
import platform
import subprocess
import sys

import pytest

from pages.server.process import keep_for_good, share_one_heap

IS_GLIBC = platform.libc_ver()[0] == "glibc"
BELOW_WHAT_STAYS = """
import re
from pathlib import Path
from pages.server.process import give_back, share_one_heap

def held():
    return int(re.search(r"RssAnon:\\s+(\\d+)", Path("/proc/self/status").read_text())[1]) / 1024

share_one_heap()
drawn = [bytes(100_000) for _ in range(1_000)]
stays = bytes(100_000)
before = held()
del drawn
freed = held()
assert give_back()
print(before, freed, held())
"""


def test_it_is_set_where_the_library_has_it():
    assert share_one_heap() == IS_GLIBC


def test_what_is_there_is_passed_over():
    before = gc.get_freeze_count()
    there = [[] for _ in range(10)]
    keep_for_good()
    assert gc.get_freeze_count() >= before + len(there)


@pytest.mark.skipif(not IS_GLIBC, reason="no other library is asked")
def test_what_lies_free_below_something_that_stays_is_given_back():
    done = subprocess.run(
        [sys.executable, "-c", BELOW_WHAT_STAYS], capture_output=True, text=True, check=True
    )
    before, freed, after = done.stdout.split()
    assert float(freed) > 0.7 * float(before), "given back by itself: this shows nothing"
    assert float(after) < 0.4 * float(before)
