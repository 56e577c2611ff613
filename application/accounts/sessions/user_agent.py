"""Names of browsers and systems in user agents."""

import re

# The first match counts, because many browsers include the names of others too.
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
    """Return the name of the browser; None for other programs."""
    return _first(_BROWSERS, client)


def system_of(client: str) -> str | None:
    """Return the name of the operating system, or None."""
    return _first(_SYSTEMS, client)


def _first(names: tuple[tuple[str, str], ...], client: str) -> str | None:
    return next((name for pattern, name in names if re.search(pattern, client)), None)
