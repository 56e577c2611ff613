"""Password rules."""

from domain.common.errors import Code
from domain.common.validation import Validator

SHORTEST = 12
LONGEST = 128

# Passwords are scored from 0 to 4. With this score, many millions of guesses are needed.
MIN_SCORE = 3


def check_length(checks: Validator, field: str, password: str | None) -> bool:
    """Report a password that is missing, shorter than 12 or longer than 128.

    Any characters are allowed.
    """
    length = len(password or "")
    if length == 0:
        checks.add_error(Code.REQUIRED, field)
    elif length < SHORTEST:
        checks.add_error(Code.PASSWORD_TOO_SHORT, field, least=SHORTEST)
    elif length > LONGEST:
        checks.add_error(Code.PASSWORD_TOO_LONG, field, most=LONGEST)
    return SHORTEST <= length <= LONGEST
