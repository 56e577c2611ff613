"""Hatch build hook: include the built client in the wheel."""

from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

CLIENT = Path("ui") / "dist"
# What the client and its manual are built from.
SOURCES = (
    *(f"ui/{name}" for name in ("src", "manual", "public", "index.html", "package-lock.json")),
    "ui/vite.config.ts",
    "ui/libraryFiles.ts",
    "docs/manual",
)


class ClientHook(BuildHookInterface[Any]):
    """Adds ``ui/dist`` to the wheel, where the server looks for it."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Include the client. Raise ``RuntimeError`` if it is missing or outdated."""
        if version == "editable":
            return  # the server finds the client of a checkout in ui/dist
        folder = Path(self.root)
        if is_outdated(folder):
            raise RuntimeError("The client in ui/dist is missing or older than its sources: run make wheel.")
        build_data["force_include"][str(folder / CLIENT)] = "adapters/http/client"


def is_outdated(folder: Path) -> bool:
    """Return whether the client of a checkout has to be built again."""
    page = folder / CLIENT / "index.html"
    if not page.is_file():
        return True
    built_at = page.stat().st_mtime
    found = (folder / name for name in SOURCES)
    files = (file for one in found for file in ([one] if one.is_file() else one.rglob("*")) if file.is_file())
    return any(file.stat().st_mtime > built_at for file in files)
