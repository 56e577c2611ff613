"""What a password must be like (contract, section 4)."""

from domain.checks import Checks
from domain.refusal import Code

SHORTEST = 12
LONGEST = 128

# Of the passwords that lead the lists of stolen ones, those with 12 characters or more: shorter ones fall anyway.
_COMMON_ONES = """
    123456789012 1234567890123 12345678901234 123456789012345 1234567890123456 qwertyuiop12 qwertyuiop123
    qwertyuiopas qwertyuiop[] qwerty123456 qwertyqwerty 1qaz2wsx3edc 1q2w3e4r5t6y 1q2w3e4r5t6y7u8i q1w2e3r4t5y6
    zaq12wsxcde3 passwordpassword password1234 password12345 password123456 passw0rd1234 mypassword123 contraseña123
    contraseña1234 contrasena123 contrasena1234 contrasenacontrasena administrador administrador1 administrador123
    administrator administrator1 admin1234567 admin12345678 adminadminadmin adminadmin123 hospital1234 hospital12345
    hospital2025 hospital2026 hospitalhospital enfermeria12 enfermeria123 enfermeria1234 enfermera123 iloveyou1234
    iloveyouiloveyou letmeinletmein welcome12345 welcome123456 bienvenido123 bienvenidos1 teamotequiero
    teamomucho123 abcdefghijkl abcdefghijklm abcdefghijklmn abcd12345678 abc123456789 aaaaaaaaaaaa 111111111111
    000000000000 123123123123 121212121212 112233445566 123456123456 987654321098 098765432109 asdfghjklñ12
    asdfghjkl123 asdfghjklzxc asdfasdfasdf 147258369147 football1234 barcelona123 realmadrid123 superman1234
    princess1234
"""
COMMON = frozenset(_COMMON_ONES.split())


def check_password(checks: Checks, field: str, password: str | None, *, email: str) -> None:
    """12 to 128 characters, any characters, not a common one, not the email."""
    if not password:
        checks.refuse(Code.REQUIRED, field)
    elif len(password) < SHORTEST:
        checks.refuse(Code.PASSWORD_TOO_SHORT, field, least=SHORTEST)
    elif len(password) > LONGEST:
        checks.refuse(Code.PASSWORD_TOO_LONG, field, most=LONGEST)
    elif password.casefold() == email.casefold():
        checks.refuse(Code.PASSWORD_IS_EMAIL, field)
    elif password.casefold() in COMMON:
        checks.refuse(Code.PASSWORD_COMMON, field)
