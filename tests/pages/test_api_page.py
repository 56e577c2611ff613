"""The commands in docs/api.md work as documented."""

import json
import re
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.servers import ROOT, Server

PAGE = (ROOT / "docs" / "api.md").read_text()
# A command, with the answer below it if one is shown.
STEP = re.compile(r"```sh\n(?P<command>.*?)```\n(?:```(?P<kind>json)?\n(?P<answer>.*?)```\n)?", re.DOTALL)
BETWEEN = "--- the next command ---"


@pytest.fixture
def server(demo_file: Path, tmp_path: Path, serve: Callable[..., Server]) -> Server:
    """A server with the demonstration data, as `make run` starts it."""
    file = tmp_path / "demo.db"
    shutil.copy(demo_file, file)
    return serve(f"sqlite:///{file}")


@pytest.mark.skipif(not shutil.which("curl"), reason="the page's commands are curl's: install curl")
def test_the_commands_of_the_page_return_the_shown_answers(server: Server, tmp_path: Path) -> None:
    steps = list(STEP.finditer(PAGE))
    assert len(steps) > 10
    script = f"echo '{BETWEEN}'\n".join(step["command"] for step in steps)
    script = script.replace("http://127.0.0.1:8000", server.address)
    ran = subprocess.run(["bash", "-euc", script], cwd=tmp_path, capture_output=True, text=True, check=True)
    for step, answer in zip(steps, ran.stdout.split(BETWEEN), strict=True):
        if step["kind"]:
            assert_alike(json.loads(step["answer"]), json.loads(answer), step["command"])
        elif step["answer"]:
            lines = (re.escape(line).replace("…", ".*") for line in step["answer"].splitlines())
            plain = answer.replace("\r", "").replace("\N{BYTE ORDER MARK}", "").strip()
            assert re.fullmatch("\n".join(lines), plain), step["command"]


def assert_alike(said: Any, answered: Any, command: str) -> None:
    """Compare values, except times, days and parts omitted on the page."""
    if isinstance(said, dict):
        assert list(said) == list(answered), command
        for name in said:
            assert_alike(said[name], answered[name], command)
    elif isinstance(said, list):
        shown = [item for item in said if item != "…"]
        assert len(answered) == len(shown) or (shown != said and len(answered) > len(shown)), command
        for item, other in zip(shown, answered, strict=False):
            assert_alike(item, other, command)
    elif isinstance(said, str) and (said.endswith("…") or re.match(r"\d{4}-\d\d-\d\d|Wy", said)):
        assert isinstance(answered, str), command
    else:
        assert said == answered, command
