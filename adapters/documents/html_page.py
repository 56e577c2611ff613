"""A page of tables for browsers and paper, in one file without scripts."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from html import escape

_STYLE = (
    "body{font:15px/1.45 system-ui,sans-serif;margin:2rem auto;max-width:70rem;padding:0 1rem;color:#1a1a1a}"
    "h1{font-size:1.6rem}h2{font-size:1.2rem;margin-top:2rem}table{border-collapse:collapse;width:100%}"
    "th,td{border:1px solid #bbb;padding:.25rem .5rem;text-align:left;vertical-align:top;overflow-wrap:break-word}"
    "th{background:#eee}tr{break-inside:avoid}"
)
_POLICY = "default-src 'none'; style-src 'unsafe-inline'"


@dataclass(frozen=True, slots=True)
class Section:
    """A heading, sentences, and a table if it has rows."""

    title: str
    sentences: Sequence[str] = ()
    columns: Sequence[str] = ()
    rows: Sequence[Sequence[str]] = ()


def html_page(language: str, title: str, sections: Iterable[Section]) -> str:
    """Return the page. Every text is escaped."""
    body = "\n".join(map(_section, sections))
    return (
        f'<!doctype html>\n<html lang="{escape(language)}">\n<head><meta charset="utf-8">'
        f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">'
        f'<meta name="viewport" content="width=device-width"><title>{escape(title)}</title>'
        f"<style>{_STYLE}</style></head>\n<body>\n<h1>{escape(title)}</h1>\n{body}\n</body>\n</html>\n"
    )


def _section(section: Section) -> str:
    said = "".join(f"<p>{escape(sentence)}</p>\n" for sentence in section.sentences)
    table = ""
    if section.rows:
        rows = "\n".join(f"<tr>{_cells('td', row)}</tr>" for row in section.rows)
        table = f"<table>\n<thead><tr>{_cells('th', section.columns)}</tr></thead>\n<tbody>\n{rows}\n</tbody>\n</table>"
    return f"<h2>{escape(section.title)}</h2>\n{said}{table}"


def _cells(tag: str, texts: Sequence[str]) -> str:
    return "".join(f"<{tag}>{escape(text)}</{tag}>" for text in texts)
