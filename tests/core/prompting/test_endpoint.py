import traceback

import pytest

from core.errors import BadInput
from core.prompting.endpoint import (
    ADDRESS_VARIABLE,
    KEY_VARIABLE,
    ApiKey,
    find_endpoint,
    read_endpoint,
    read_key,
)
from tests.each import each

SECRET = "sk-very-secret"


@each(
    ("text", "shown"),
    [
        ("https://api.example.org/v1", "https://api.example.org/v1"),
        ("https://api.example.org/v1/ ", "https://api.example.org/v1"),
        ("http://LOCALHOST:8000", "http://localhost:8000"),
        ("http://[::1]:8000/v1", "http://[::1]:8000/v1"),
    ],
)
def test_an_address_is_read(text: str, shown: str):
    endpoint = read_endpoint(text)
    assert str(endpoint) == shown
    assert read_endpoint(shown) == endpoint


@each(
    "text",
    [
        *("", "api.example.org", "ftp://api.example.org", "https://", "http://[::1", "http://a:b"),
        f"https://olga:{SECRET}@api.example.org/v1",
        f"https://{SECRET}@api.example.org/v1",
        f"https://api.example.org/v1?key={SECRET}",
        f"https://api.example.org/v1#{SECRET}",
        *("https://api.example.org/a b", "https://api.example.org/\u00e9"),
    ],
)
def test_what_is_no_address_is_refused_and_not_quoted(text: str):
    with pytest.raises(BadInput) as refusal:
        read_endpoint(text)
    assert refusal.value.field == "server"
    assert SECRET not in "".join(traceback.format_exception(refusal.value))


def test_a_key_comes_from_the_environment(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.delenv(KEY_VARIABLE, raising=False)
    assert read_key() == ApiKey()
    monkeypatch.setenv(KEY_VARIABLE, f" {SECRET}\n")
    monkeypatch.setenv("ANOTHER", "sk-another")
    assert read_key().value == SECRET
    assert read_key("ANOTHER").value == "sk-another"


@pytest.mark.parametrize("value", ["short", "two words", "line\nbreak", "\u00e9" * 9, "x" * 5000])
def test_what_is_no_key_is_refused_and_not_quoted(value: str, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv(KEY_VARIABLE, value)
    with pytest.raises(BadInput, match=KEY_VARIABLE) as refusal:
        read_key()
    assert value not in str(refusal.value)


def test_a_key_hides_itself():
    key = ApiKey(SECRET)
    assert SECRET not in f"{key!r} {key}"
    assert key.hide(f"no key {SECRET}!") == "no key [key]!"
    assert ApiKey().hide("nothing") == "nothing"


def test_a_text_without_the_key_stays_word_for_word():
    text = r"sk-very \u0073 \/ %41 &amp; &#115; c2stdmV {'a': [1]} \ud83d \\ "
    assert ApiKey(SECRET).hide(text) == text
    assert ApiKey(SECRET).hide(f"{text}{SECRET[1:9]}").endswith("[key]")


def test_the_address_that_may_be_asked_comes_from_the_environment(monkeypatch):
    monkeypatch.delenv(ADDRESS_VARIABLE, raising=False)
    assert find_endpoint() is None
    monkeypatch.setenv(ADDRESS_VARIABLE, " https://api.example.org/v1/ ")
    assert str(find_endpoint()) == "https://api.example.org/v1"
    monkeypatch.setenv(ADDRESS_VARIABLE, f"https://{SECRET}@api.example.org")
    with pytest.raises(BadInput, match=ADDRESS_VARIABLE) as refusal:
        find_endpoint()
    assert SECRET not in "".join(traceback.format_exception(refusal.value))
