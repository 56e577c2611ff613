"""CSV tables of the demonstration hospital."""

import csv
from importlib.resources import files


def table(name: str) -> list[dict[str, str]]:
    """Return the rows of a table as dictionaries by column."""
    text = (files(__package__) / "data" / f"{name}.csv").read_text("utf-8")
    return list(csv.DictReader(text.splitlines()))
