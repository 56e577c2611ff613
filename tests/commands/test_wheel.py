"""The wheel with the built client, installed without network."""

import os
import re
import shutil
import subprocess
import sys
import sysconfig
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from tests.pace import PATIENCE
from tests.servers import ROOT, run_on_free_port
from tools.build_client import is_outdated

UV = Path(sys.executable).with_name("uv")
# Neither a network nor another folder with modules.
ALONE = {"UV_OFFLINE": "1", "PYTHONPATH": ""}


def run(*command: str | Path, folder: Path, **more: str) -> str:
    settings = {name: value for name, value in os.environ.items() if not name.startswith("CONSUMO_")}
    done = subprocess.run(
        command, cwd=folder, env=settings | ALONE | more, capture_output=True, text=True, timeout=PATIENCE
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """An environment with the wheel, and this one's packages without Consumo."""
    folder = tmp_path_factory.mktemp("wheel")
    run(
        UV,
        "build",
        "--wheel",
        "--no-build-isolation",
        "--python",
        sys.executable,
        "--out-dir",
        folder,
        ROOT,
        folder=folder,
    )
    (wheel,) = folder.glob("*.whl")
    environment = folder / "environment"
    run(UV, "venv", "--python", sys.executable, environment, folder=folder)
    python = environment / "bin" / "python"
    run(UV, "pip", "install", "--python", python, "--no-index", "--no-deps", wheel, folder=folder)
    (packages,) = environment.glob("lib/*/site-packages")
    # Links of an added folder are not followed, so that the checkout stays out of reach.
    (packages / "others.pth").write_text(sysconfig.get_path("purelib") + "\n")
    yield environment
    shutil.rmtree(folder)


def test_the_wheel_serves_the_client_and_signs_in(installed: Path, tmp_path: Path) -> None:
    python, consumo = installed / "bin" / "python", installed / "bin" / "consumo"
    assert run(python, "-c", "import adapters; print(adapters.__file__)", folder=tmp_path).startswith(str(installed))
    database_url = f"sqlite:///{tmp_path / 'consumo.db'}"
    run(consumo, "migrate", folder=tmp_path, CONSUMO_DATABASE_URL=database_url)
    run(consumo, "demo", folder=tmp_path, CONSUMO_DATABASE_URL=database_url)
    with run_on_free_port(
        lambda port: [str(consumo), "serve"], database_url, tmp_path, ALONE, ready="/health/ready", port=0
    ) as server:
        page = httpx.get(server.address)
        script = re.search(r'src="(/assets/[^"]+\.js)"', page.text)
        assert script is not None
        assert httpx.get(server.address + script[1]).status_code == 200
        account = {"email": "user@consumo.test", "password": "consumo-demo-2026"}
        assert httpx.post(f"{server.address}/api/auth/login", json=account).is_success


def test_an_outdated_client_is_not_packed(tmp_path: Path) -> None:
    assert is_outdated(tmp_path)
    page, source = tmp_path / "ui" / "dist" / "index.html", tmp_path / "ui" / "src" / "main.tsx"
    for file in (source, page):
        file.parent.mkdir(parents=True)
        file.touch()
    os.utime(source, (1, 1))
    assert not is_outdated(tmp_path)
    os.utime(page, (0, 0))
    assert is_outdated(tmp_path)
