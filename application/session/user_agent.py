"""User agents: what browsers and systems are called, found in a browser's name of itself."""

import re

# The first one that is found: many call themselves by the names of others, too.
_BROWSERS = (
    ("Edg(?:e|A|iOS)?/", "Edge"),
    ("OPR/|Opera", "Opera"),
    ("SamsungBrowser/", "Samsung Internet"),
    ("Firefox/|FxiOS/", "Firefox"),
    ("Chrome/|CriOS/|Chromium/", "Chrome"),
    ("Version/.* Safari/", "Safari"),
)
_SYSTEMS = (
    ("Windows", "Windows"),
    ("Android", "Android"),
    ("iPhone", "iPhone"),
    ("iPad", "iPad"),
    ("CrOS", "ChromeOS"),
    ("Macintosh|Mac OS X", "macOS"),
    ("Linux|X11", "Linux"),
)


def browser_of(client: str) -> str | None:
    """Which browser that is; None for another program."""
    return _first(_BROWSERS, client)


def system_of(client: str) -> str | None:
    """On which system it runs, where it tells."""
    return _first(_SYSTEMS, client)


def _first(names: tuple[tuple[str, str], ...], client: str) -> str | None:
    return next((name for pattern, name in names if re.search(pattern, client)), None)
