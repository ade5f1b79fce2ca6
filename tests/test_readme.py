"""The README tells of every measure, coefficient and file format what the code says itself."""

from tests.readme import README, make_tables, put_in


def test_its_tables_follow_from_the_registries():
    text = README.read_text(encoding="utf-8")
    for name, table in make_tables().items():
        _, _, rest = text.partition(f"<!-- {name} -->\n")
        found = rest.partition("<!-- end -->")[0]
        assert found == table, f"renew it by python -m tests.readme; it should be:\n{table}"
    assert put_in(text) == text
