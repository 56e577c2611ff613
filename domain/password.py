"""What a password must be like."""

from domain.errors import Code
from domain.validation import Validator

SHORTEST = 12
LONGEST = 128

# Of the scores from 0 to 4 with which passwords are judged: from here on many millions of guesses are needed.
MIN_SCORE = 3


def check_length(checks: Validator, field: str, password: str | None) -> bool:
    """12 to 128 characters, whichever."""
    length = len(password or "")
    if length == 0:
        checks.add_error(Code.REQUIRED, field)
    elif length < SHORTEST:
        checks.add_error(Code.PASSWORD_TOO_SHORT, field, least=SHORTEST)
    elif length > LONGEST:
        checks.add_error(Code.PASSWORD_TOO_LONG, field, most=LONGEST)
    return SHORTEST <= length <= LONGEST
