"""The manual: its languages are alike, and it quotes texts of the client."""

import json
import re
from pathlib import Path
from typing import Any

import click
import pytest

from adapters.cli.main import main
from tests.servers import ROOT

MANUAL = ROOT / "docs" / "manual"
LANGUAGES = ("es", "en")
CONTENTS: dict[str, Any] = json.loads((MANUAL / "manual.json").read_text("utf-8"))
PAGES = [f"{book['key']}/{page}" for book in CONTENTS["books"] for page in book["pages"]]
PICTURE = re.compile(r"!\[(?P<shows>[^\]]*)\]\(\.\./\.\./pictures/(?P<language>\w+)/(?P<name>[\w-]+)\.webp\)")


def page(language: str, name: str) -> str:
    return (MANUAL / language / f"{name}.md").read_text("utf-8")


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_page_of_the_manual_is_in_its_contents(language: str) -> None:
    folder = MANUAL / language
    assert {str(file.relative_to(folder).with_suffix("")) for file in folder.rglob("*.md")} == set(PAGES)
    slugs = [
        (name.partition("/")[0], re.findall(r"^slug: (.+)$", page(language, name), re.MULTILINE)) for name in PAGES
    ]
    assert all(len(slug) == 1 for _, slug in slugs)
    assert len({(book, *slug) for book, slug in slugs}) == len(PAGES)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_screen_has_a_page_of_the_manual(language: str) -> None:
    """``ui/src/app/help.test.ts`` compares the screens with the routes."""
    for screen, place in CONTENTS["screens"].items():
        name, _, section = place.partition("#")
        assert name in PAGES, screen
        assert not section or f'<a id="{section}"></a>' in page(language, name), screen


@pytest.mark.parametrize("name", PAGES)
def test_both_languages_show_the_same(name: str) -> None:
    spanish, english = (page(language, name) for language in LANGUAGES)
    for language, text in zip(LANGUAGES, (spanish, english), strict=True):
        for found in PICTURE.finditer(text):
            assert found["language"] == language
            assert found["shows"]
    assert text_parts(spanish) == text_parts(english)


def text_parts(text: str) -> list[list[str]]:
    """What both languages share: pictures, sections, headings and links."""
    return [
        [found["name"] for found in PICTURE.finditer(text)],
        re.findall(r'<a id="([\w-]+)">', text),
        re.findall(r"^#+", text, re.MULTILINE),
        re.findall(r"\]\(([\w./-]+\.md#?[\w-]*)\)", text),
    ]


@pytest.mark.parametrize("language", LANGUAGES)
def test_books_by_role_begin_with_links_to_all_their_pages(language: str) -> None:
    """The book for the ward begins with those of the first day."""
    for book in CONTENTS["books"][1:]:
        linked = set(re.findall(r"\((?:\./)?([\w-]+)\.md\)", page(language, f"{book['key']}/start")))
        assert {"start", *linked} == set(book["pages"])


@pytest.mark.parametrize("language", LANGUAGES)
def test_quoted_commands_services_and_settings_exist(language: str) -> None:
    text = "\n".join(page(language, name) for name in PAGES)
    commands = re.findall(r"^consumo .+$|(?<=`)consumo [^`]+", text, re.MULTILINE)
    assert len(commands) > 10
    assert [command for command in commands if not is_command(command)] == []
    operations = ROOT / "docs" / "operations"
    timers = set(re.findall(r"consumo-[a-z-]+\.timer", text))
    services = {f"{name}.service" for name in re.findall(r"\bconsumo-(?:receive|send|litestream)[a-z-]*", text)}
    assert {name for name in timers | services if not (operations / name).exists()} == set()
    documented = (ROOT / "docs" / "configuration.md").read_text("utf-8")
    settings = {name.removesuffix("_FILE") for name in re.findall(r"CONSUMO_[A-Z_]+[A-Z]", text)} - {"CONSUMO_KEY"}
    assert {name for name in settings if f"`{name}`" not in documented} == set()


def is_command(line: str) -> bool:
    """Whether the command has these subcommands and options."""
    command: click.Command = main
    for word in line.split()[1:]:
        if word.startswith("-"):
            options = {name for parameter in command.params for name in parameter.opts}
            if word not in {*options, "--help"}:
                return False
        elif isinstance(command, click.Group):
            found = command.get_command(click.Context(command), word)
            if found is None:
                return False
            command = found
    return not isinstance(command, click.Group)


def test_every_picture_of_the_manual_is_used() -> None:
    for language in LANGUAGES:
        used = {found["name"] for name in PAGES for found in PICTURE.finditer(page(language, name))}
        assert used == {file.stem for file in (MANUAL / "pictures" / language).iterdir()}


@pytest.mark.parametrize("language", LANGUAGES)
def test_quoted_texts_are_on_the_screen(language: str) -> None:
    """Words in italics are a text of the client, or how one begins."""
    texts = [
        re.sub(r"^\W+", "", text) for file in client_texts(language) for text in json.loads(file.read_text()).values()
    ]
    wrong = []
    for name in PAGES:
        prose = re.sub(r"\*\*.*?\*\*", "", page(language, name))
        for quoted in re.findall(r"(?<![\w*])\*([^*\n]+(?:\n[^*\n]+)?)\*", prose):
            said = re.sub(r"^\W+", "", " ".join(quoted.split()))
            begins = re.compile(re.escape(said) + r"(?!\w)")
            if not any(begins.match(text) for text in texts):
                wrong.append((name, said))
    assert wrong == []


def client_texts(language: str) -> list[Path]:
    folder = ROOT / "ui" / "src" / "i18n"
    return [folder / f"{language}.json", folder / "later" / f"{language}.json"]
