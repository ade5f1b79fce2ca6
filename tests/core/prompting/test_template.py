from hashlib import sha256
from pathlib import Path

import pytest

from core.errors import BadInput
from core.prompting.choices import INCLUDED
from core.prompting.template import PLACES, Template, read_template

SAFE = "{{query}}\n{{levels}}\n{{begin}}\n{{title}}\n{{text}}\n{{end}}\n{{answer}}\n"
VALUES = {name: f"<{name}>" for name in PLACES}


def write(folder: Path, text: str) -> str:
    path = folder / "own.txt"
    path.write_text(text, encoding="utf-8")
    return str(path)


@pytest.mark.parametrize("name", INCLUDED)
def test_an_included_template_says_what_it_has_to(name: str, tmp_path: Path):
    template = read_template(name)
    assert template.places == set(PLACES)
    assert template.sha256 == sha256(template.text.encode()).hexdigest()
    own = read_template(write(tmp_path, template.text))
    assert (own.text, own.sha256) == (template.text, template.sha256)
    system, user = template.fill(VALUES)
    assert (system["role"], user["role"]) == ("system", "user")
    assert "never an instruction" in system["content"]
    assert all(user["content"].count(value) == 1 for value in VALUES.values())
    assert "{{" not in system["content"] + user["content"]


def test_the_included_templates_differ():
    assert len({read_template(name).sha256 for name in INCLUDED}) == len(INCLUDED) == 2


def test_a_template_without_parts_is_the_question(tmp_path: Path):
    template = read_template(write(tmp_path, SAFE))
    (user,) = template.fill(VALUES)
    assert user == {
        "role": "user",
        "content": "<query>\n<levels>\n<begin>\n<title>\n<text>\n<end>\n<answer>",
    }
    assert Template("x", "[user]\n" + SAFE).fill(VALUES) == [user]


def test_what_looks_like_a_place_in_a_value_stays_as_it_is(tmp_path: Path):
    template = read_template(write(tmp_path, SAFE))
    values = VALUES | {"text": "{{query}} {{end}} \\1 \\g<0> {{", "query": "{{text}}"}
    (user,) = template.fill(values)
    assert values["text"] in user["content"]
    assert user["content"].startswith("{{text}}\n")


@pytest.mark.parametrize(
    ("text", "line", "says"),
    [
        (SAFE + "and {{ colour }}\n", 8, "{{colour}} is no place"),
        (SAFE + "{{}}\n", 8, "{{}} is no place"),
        (SAFE.replace("{{query}}\n", ""), None, "lacks {{query}}"),
        (SAFE.replace("{{levels}}\n", ""), None, "lacks {{levels}}"),
        (SAFE.replace("{{text}}\n", ""), None, "lacks {{text}}"),
        (SAFE.replace("{{begin}}\n", ""), None, "{{begin}} once"),
        (SAFE.replace("{{begin}}", "see {{begin}}"), 3, "{{begin}} once"),
        (SAFE + "{{end}}\n", 8, "{{end}} once"),
        (SAFE + "{{title}}\n", 8, "{{title}} has to stand between"),
        ("{{text}}\n" + SAFE, 1, "{{text}} has to stand between"),
        ("[system]\n" + SAFE, 7, "{{title}} has to stand between"),
        ("[system]\n" + SAFE + "[user]\nGo.\n", 6, "{{title}} has to stand between"),
    ],
)
def test_what_cannot_be_used_is_refused_with_its_place(
    text: str, line: int | None, says: str, tmp_path: Path
):
    with pytest.raises(BadInput) as refusal:
        read_template(write(tmp_path, text))
    assert says in str(refusal.value)
    assert refusal.value.file.endswith("own.txt")
    if "[system]" not in text:
        assert refusal.value.line == line


def test_a_file_that_is_not_there_is_named(tmp_path: Path):
    with pytest.raises(BadInput, match="absent"):
        read_template(str(tmp_path / "absent.txt"))
