"""The parts of the judging screen that need no browser, run by node where it is installed."""

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

FOLDER = Path(__file__).parent.parent.parent.parent / "pages" / "judge" / "screen"
NODE = shutil.which("node")

pytestmark = pytest.mark.skipif(NODE is None, reason="node is not installed")


def run(*files: str, script: str) -> Any:
    """Return what a script returns that runs after the given files."""
    source = "\n".join((FOLDER / name).read_text(encoding="utf-8") for name in files)
    wrapped = f"{source}\nconsole.log(JSON.stringify((() => {{{script}}})()))"
    done = subprocess.run(
        [NODE or "node", "-e", wrapped], capture_output=True, text=True, timeout=30, check=False
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def walk(script: str) -> Any:
    """Run a script on a queue of two linked documents, s1 p1 s2 p2, pages from level 2."""
    return run(
        "queue.js",
        script="""
        const step = (document, facet) => ({topic: "t", document, facet, occasion: 0, label: null,
          needs: facet === "page" ? {facet: "snippet", at_least: 2} : null});
        const steps = ["1", "2"].flatMap((d) => [step(d, "snippet"), step(d, "page")]);
        const queue = new Queue(steps);
        const name = () => queue.current ? queue.current.facet[0] + queue.current.document : "end";
        let number = 0;
        const answer = (state, level = null) => {
          number += 1;
          const event = {...queue.current, event_id: "e" + number, state, level, comment: ""};
          queue.record(event);
          queue.advance();
          return name();
        };
        """
        + script,
    )


@pytest.mark.parametrize(
    ("levels", "path"),
    [
        ([2, 0, 3, 1], ["p1", "s2", "p2", "end"]),
        ([1, 1], ["s2", "end"]),
        ([0, 2, 1], ["s2", "p2", "end"]),
    ],
)
def test_a_linked_page_is_asked_for_above_the_level_only(levels: list[int], path: list[str]):
    assert walk(f"return {levels}.map((level) => answer('level', level))") == path


def test_what_is_put_off_comes_last_with_its_page():
    script = """return [answer("later"), answer("level", 0), answer("level", 3),
        answer("level", 0)]"""
    assert walk(script) == ["s2", "s1", "p1", "end"]


def test_back_and_forward_stay_on_the_way():
    script = """answer("level", 0); const here = [];
        for (const move of ["back", "back", "forward", "forward"]) here.push(queue[move](), name());
        return here"""
    assert walk(script) == [True, "s1", False, "s1", True, "s2", False, "s2"]


def test_newly_handed_out_steps_keep_what_is_known_here():
    script = """answer("level", 3);
        queue.load(steps.map((one) => ({...one, label:
          {event_id: "x", state: "level", level: 0, comment: ""}})), new Map([["e1", 1]]));
        const known = [name(), queue.labels[0].level, queue.labels[2].level];
        queue.load(steps.slice(1));
        return [...known, name()]"""
    assert walk(script) == ["p1", 3, 0, "p1"]


def test_progress_counts_no_practice_and_no_page_passed_over():
    script = """const before = queue.progress(); answer("level", 0);
        const after = queue.progress();
        return [before, after].map(({place, total, possible, answered}) =>
          [place, total, possible, answered])"""
    assert walk(script) == [[1, 2, 2, 0], [2, 2, 1, 1]]


@pytest.mark.parametrize(
    ("query", "text", "hits"),
    [
        ("best cat food", "Cats eat food; bests do not.", ["Cats", "food"]),
        ("البيت", "في بيت البيت", ["بيت", "البيت"]),
        ("東京", "新東京駅", ["東京"]),
        ("the of", "the of the", []),
        ("café", "Cafe and CAFÉS", ["Cafe", "CAFÉS"]),
        ("a+b (c", "a+b (c", []),
    ],
)
def test_query_terms_are_found(query: str, text: str, hits: list[str]):
    script = f"""const text = {json.dumps(text)};
        return findHits(text, queryTerms({json.dumps(query)})).map(([a, b]) => text.slice(a, b))"""
    assert run("text.js", script=script) == hits


@pytest.mark.parametrize(
    ("url", "shown"),
    [
        ("https://www.example.org/a/b?x=1", "example.org › a › b"),
        ("example.org/a/b/c/d", "example.org › … › c › d"),
        ("javascript:alert(1)", "javascript:alert(1)"),
        ("http://[", "http://["),
        ("", ""),
    ],
)
def test_addresses_are_shown_as_result_pages_do(url: str, shown: str):
    assert run("text.js", script=f"return breadcrumb({json.dumps(url)})") == shown


def test_the_organisers_keys_come_before_the_commands():
    script = """return commandKeys({page: [{level: 0, key: "u"}, {level: 1, key: "L"},
        {level: 2, key: ""}]})"""
    keys = run("keys.js", script=script)
    assert (keys["undo"], keys["later"], keys["comment"]) == ("z", "s", "c")
    assert len(set(keys.values())) == len(keys)


def test_the_clock_counts_a_quiet_stretch_as_a_minute():
    script = """let now = 0; const clock = new Clock(() => now);
        now = 5000; clock.tick(); now = 200000; clock.setRunning(false);
        now = 300000; clock.setRunning(true); now = 301000; return [clock.take(), clock.take()]"""
    assert run("clock.js", script=script) == [66_000, 0]
