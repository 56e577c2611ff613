"""Store passkeys and their single-use secrets, in memory."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import datetime

from adapters.memory.data import MemoryData
from domain.errors import Code, Reason, Refused
from domain.passkey import Passkey, PasskeySecret, SecretPurpose


class MemoryPasskeys:
    """Passkeys."""

    def __init__(self, data: MemoryData) -> None:
        self._data = data
        self._passkeys = data.passkeys

    def add(self, passkey: Passkey) -> None:
        """Store a passkey and set its id."""
        if self.lock(passkey.credential_id):
            raise Refused(Reason(Code.PASSKEY_TAKEN))
        passkey.id = self._data.last_ids["passkeys"] = self._data.last_ids.get("passkeys", 0) + 1
        self._passkeys[passkey.id] = replace(passkey)

    def of_user(self, user_id: int) -> list[Passkey]:
        """List the passkeys of an account, the oldest first."""
        return [replace(one) for one in self._passkeys.values() if one.user_id == user_id]

    def lock(self, credential_id: bytes) -> Passkey | None:
        """Return a passkey. No lock is needed: units of work run one at a time."""
        return next((replace(one) for one in self._passkeys.values() if one.credential_id == credential_id), None)

    def save(self, passkey: Passkey) -> None:
        """Store a changed passkey."""
        self._passkeys[passkey.id] = replace(passkey)

    def remove(self, ids: Sequence[int]) -> None:
        """Delete passkeys."""
        for number in ids:
            self._passkeys.pop(number, None)

    def remove_all(self, user_id: int) -> None:
        """Delete all passkeys of an account."""
        self.remove([one.id for one in self._passkeys.values() if one.user_id == user_id])


class MemoryPasskeySecrets:
    """Challenges and registration links."""

    def __init__(self, data: MemoryData) -> None:
        self._secrets = data.passkey_secrets

    def add(self, secret: PasskeySecret) -> None:
        self._secrets[secret.digest] = secret

    def get(self, digest: str, purpose: SecretPurpose) -> PasskeySecret | None:
        """Return the secret with that digest and purpose."""
        secret = self._secrets.get(digest)
        return secret if secret and secret.purpose is purpose else None

    def consume(self, digest: str, purpose: SecretPurpose) -> PasskeySecret | None:
        """Return the secret with that digest and purpose, and delete it."""
        return self._secrets.pop(digest) if self.get(digest, purpose) else None

    def revoke_all(self, user_id: int, purpose: SecretPurpose | None = None) -> None:
        """Delete the secrets of that account, or those for one purpose."""
        self._keep_unless(lambda secret: secret.user_id == user_id and purpose in (None, secret.purpose))

    def purge(self, before: datetime) -> None:
        """Delete secrets that expired before that moment."""
        self._keep_unless(lambda secret: secret.expires_at < before)

    def _keep_unless(self, unwanted: Callable[[PasskeySecret], bool]) -> None:
        for secret in [secret for secret in self._secrets.values() if unwanted(secret)]:
            del self._secrets[secret.digest]
