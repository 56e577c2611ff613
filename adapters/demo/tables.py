"""The tables in which the demonstration hospital is written down."""

import csv
from importlib.resources import files


def table(name: str) -> list[dict[str, str]]:
    """The rows of one of them, by column."""
    text = (files(__package__) / "data" / f"{name}.csv").read_text("utf-8")
    return list(csv.DictReader(text.splitlines()))
