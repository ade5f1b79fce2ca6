"""What stands in the container's files and in the citation: checked as text, built by hand."""

import json
import re
import tomllib

import pytest

from core.command.main import main
from core.settings import ROOT
from core.version import __version__

CONTAINER = ROOT / ".container"
TEXT = (CONTAINER / "Containerfile").read_text("utf-8")
STEPS = [
    (words[0], words[1])
    for line in re.sub(r"\\\n", " ", TEXT).splitlines()
    if len(words := line.split(None, 1)) == 2 and words[0].isupper()
]


def steps(name: str) -> list[str]:
    return [text for step, text in STEPS if step == name]


def test_the_base_is_pinned_by_its_release():
    (base,) = steps("FROM")
    assert re.fullmatch(r"docker\.io/library/python:3\.\d+\.\d+-slim-\w+", base)


def test_packages_are_installed_by_their_hashes():
    (first, *_) = steps("RUN")
    assert "--require-hashes" in first


def test_nobody_is_root_there_and_the_store_is_kept():
    names = [step for step, _ in STEPS]
    (user,) = steps("USER")
    assert user == "dissent"
    assert names.index("USER") < names.index("ENTRYPOINT")
    (volume,) = steps("VOLUME")
    command = json.loads(steps("CMD")[-1])
    assert command[command.index("--store") + 1].startswith(f"{volume}/")
    assert f"-g dissent {volume}" in " ".join(steps("RUN"))


def test_the_command_is_one_that_dissent_takes(capsys):
    words = json.loads(steps("ENTRYPOINT")[0])[1:] + json.loads(steps("CMD")[-1])
    with pytest.raises(SystemExit) as ended:
        main([*words, "--help"])
    assert ended.value.code == 0
    shown = capsys.readouterr().out
    assert all(word in shown for word in words if word.startswith("--"))


def test_its_health_is_looked_at_where_it_listens():
    (check,) = steps("HEALTHCHECK")
    command = json.loads(steps("CMD")[-1])
    port = command[command.index("--port") + 1]
    assert f":{port}/api/health" in check
    assert steps("EXPOSE") == [port]


def test_there_are_no_secrets_in_it():
    both = TEXT + (CONTAINER / "compose.yaml").read_text("utf-8")
    assert not re.search(r"(?i)secret|password|token|api_key", both)


def test_only_what_the_wheel_is_made_of_is_copied():
    """So neither a store, nor a secret, nor a history that lies in the checkout gets into it."""
    sources = {name for text in steps("COPY") for name in text.split()[:-1]}
    assert all((ROOT / name).exists() for name in sources)
    wheel = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["hatch"]["build"]
    needed = set(wheel["targets"]["wheel"]["only-include"])
    others = {"pyproject.toml", "README.md", ".build", ".github/LICENSE", ".requirements/run.txt"}
    assert sources == needed | others


def test_compose_builds_it_and_keeps_the_store():
    text = (CONTAINER / "compose.yaml").read_text("utf-8")
    assert "dockerfile: .container/Containerfile" in text
    assert f"- study:{steps('VOLUME')[0]}" in text
    (port,) = steps("EXPOSE")
    assert f'"127.0.0.1:{port}:{port}"' in text


def test_the_citation_has_the_version():
    text = (ROOT / ".github" / "CITATION.cff").read_text("utf-8")
    assert f"\nversion: {__version__}\n" in text
    for name in ("cff-version", "message", "title", "authors"):
        assert re.search(rf"^{name}:", text, re.MULTILINE)


def test_several_servers_share_a_database_and_wait_for_it():
    text = (CONTAINER / "several.yaml").read_text("utf-8")
    assert re.findall(r"^  (server\d): \*server$", text, re.MULTILINE) == [
        *("server1", "server2", "server3"),
    ]
    assert "/api/ready" in text
    assert "condition: service_healthy" in text
    assert "DISSENT_STORE: postgresql://dissent@database/study" in text
    assert set(re.findall(r"PASSWORD: (.*)", text)) == {"${POSTGRES_PASSWORD:?set it}"}
    ignored = {line.strip() for line in (ROOT / ".gitignore").read_text("utf-8").splitlines()}
    assert {".container/tls/", ".container/nginx.conf"} <= ignored
