"""What a password must be like."""

from domain.checks import Checks
from domain.refusal import Code

SHORTEST = 12
LONGEST = 128

# Of the scores from 0 to 4 with which passwords are judged: from here on many millions of guesses are needed.
LEAST_SCORE = 3


def check_length(checks: Checks, field: str, password: str | None) -> bool:
    """12 to 128 characters, whichever."""
    length = len(password or "")
    if length == 0:
        checks.refuse(Code.REQUIRED, field)
    elif length < SHORTEST:
        checks.refuse(Code.PASSWORD_TOO_SHORT, field, least=SHORTEST)
    elif length > LONGEST:
        checks.refuse(Code.PASSWORD_TOO_LONG, field, most=LONGEST)
    return SHORTEST <= length <= LONGEST
