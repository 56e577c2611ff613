"""What time it is."""

from collections.abc import Callable
from datetime import datetime

Clock = Callable[[], datetime]
"""The moment now, aware and in UTC."""
