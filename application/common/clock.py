"""The clock."""

from collections.abc import Callable
from datetime import datetime

Clock = Callable[[], datetime]
"""Returns the current time, aware and in UTC."""
