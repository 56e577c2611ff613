"""Service accounts of programs, and their API keys."""

import hashlib
import secrets
import string
import zlib
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta, tzinfo

from application.accounts.views import MadeKeyView, OwnKeyView, ServiceAccountsView, ServiceAccountView
from application.accounts.work import Begin, Read, UnitOfWork
from application.audit.audit_log import entry
from application.common.clock import Clock
from application.common.draft import Draft
from application.common.entities import AuditAction
from application.common.use_case import permitted, retried
from domain.accounts.api_key import ApiKey, is_network
from domain.accounts.user import User
from domain.common.day import day_of, end_of
from domain.common.errors import Code, NotFound
from domain.common.policy import GRANTS, OF_EVERY_KEY, Actor, Permission, Role, with_implied_reads
from domain.common.text import unique_key
from domain.common.validation import Validator

# The prefix of every secret. It identifies a key that appears in a file or a log.
KEY_PREFIX = "cns_"
_LETTERS = string.digits + string.ascii_uppercase + string.ascii_lowercase
_PREFIX_LENGTH = 8
_RANDOM_LENGTH = 32
_CHECK_LENGTH = 6

# The maximum permissions of a key, in the order in which they are offered.
SCOPES = tuple(permission for permission in Permission if permission in GRANTS[Role.SERVICE_ACCOUNT] - OF_EVERY_KEY)
MAX_NETWORKS = 20

# The built-in account of `consumo receive`, and the permissions for applying messages.
RECEIVER = "hl7"
RECEIVER_SCOPES = frozenset(
    {Permission.OPEN_SHEETS, Permission.EDIT_SHEETS, Permission.WRITE_PATIENTS, Permission.MERGE_PATIENTS}
)


def is_key(token: str) -> bool:
    """Return whether the text has the format and checksum of a key.

    Only the store knows whether the key exists.
    """
    body, check = token[:-_CHECK_LENGTH], token[-_CHECK_LENGTH:]
    return token.startswith(KEY_PREFIX) and len(token) == len(_secret_of("", "")) and check == _check(body)


def digest_of(secret: str) -> str:
    """Return the digest of a secret for storage.

    A secret has 190 random bits, so a slow hash is not needed.
    """
    return hashlib.sha256(secret.encode()).hexdigest()


@dataclass(frozen=True, slots=True, kw_only=True)
class ServiceAccountDraft(Draft):
    """The form of a service account."""

    name: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ApiKeyDraft(Draft):
    """The form of a key.

    Permission to change an object includes reading it. ``expires_on`` is the last day on which the key is valid.
    Without one it is valid until it is revoked.
    """

    name: str | None = None
    scopes: tuple[str, ...] | None = None
    networks: tuple[str, ...] | None = None
    expires_on: date | None = None


@dataclass(frozen=True, slots=True)
class ListServiceAccounts:
    """List all service accounts with their keys, and the available scopes."""

    read: Read

    @permitted(Permission.MANAGE_SERVICE_ACCOUNTS)
    def __call__(self, actor: Actor) -> ServiceAccountsView:
        with self.read() as views:
            return ServiceAccountsView(items=views.service_accounts(), scopes=list(SCOPES))


@dataclass(frozen=True, slots=True)
class CreateServiceAccount:
    """Create an account for a program. It cannot be used for signing in."""

    begin: Begin
    clock: Clock

    @permitted(Permission.MANAGE_SERVICE_ACCOUNTS)
    def __call__(self, actor: Actor, draft: ServiceAccountDraft) -> ServiceAccountView:
        now = self.clock()
        with self.begin() as work:
            account = _account(checked_name(work, draft, id=0))
            work.users.add(account)
            work.audit_log.append(entry(actor, now, AuditAction.SERVICE_ACCOUNT_CREATED, after=account))
            return _view(work, account.id)


@dataclass(frozen=True, slots=True)
class UpdateServiceAccount:
    """Rename a service account. Its keys stay valid."""

    begin: Begin
    clock: Clock

    @permitted(Permission.MANAGE_SERVICE_ACCOUNTS)
    def __call__(self, actor: Actor, account_id: int, draft: ServiceAccountDraft) -> ServiceAccountView:
        now = self.clock()
        with self.begin() as work:
            before = _locked(work, account_id)
            account = replace(before, email=checked_name(work, draft, id=account_id))
            if account != before:
                work.users.save(account)
                action = AuditAction.SERVICE_ACCOUNT_UPDATED
                work.audit_log.append(entry(actor, now, action, before=before, after=account))
            return _view(work, account_id)


@dataclass(frozen=True, slots=True)
class DeleteServiceAccount:
    """Deactivate a service account, and revoke all its keys.

    Its name stays on what it did.
    """

    begin: Begin
    clock: Clock

    @permitted(Permission.MANAGE_SERVICE_ACCOUNTS)
    def __call__(self, actor: Actor, account_id: int) -> None:
        now = self.clock()
        with self.begin() as work:
            before = _locked(work, account_id)
            for key in work.api_keys.find_many("user_id", [account_id]):
                _revoke(work, actor, key, now)
            account = replace(before, deleted=True)
            work.users.save(account)
            work.audit_log.append(entry(actor, now, AuditAction.SERVICE_ACCOUNT_DELETED, before=before, after=account))


@dataclass(frozen=True, slots=True)
class CreateApiKey:
    """Create a key for a service account.

    The secret is only returned once. An account may have several valid keys, so that a new one can be in use before the
    old one is revoked.
    """

    begin: Begin
    clock: Clock
    zone: tzinfo

    @permitted(Permission.MANAGE_SERVICE_ACCOUNTS)
    def __call__(self, actor: Actor, account_id: int, draft: ApiKeyDraft) -> MadeKeyView:
        now = self.clock()
        secret = _secret_of(_random(_PREFIX_LENGTH), _random(_RANDOM_LENGTH))
        with self.begin() as work:
            account = _locked(work, account_id)
            name, scopes, networks, expires_at = self._validate(draft, now)
            key = ApiKey(
                user_id=account.id,
                name=name,
                prefix=secret[len(KEY_PREFIX) :][:_PREFIX_LENGTH],
                digest=digest_of(secret),
                scopes=scopes,
                networks=networks,
                created_at=now,
                created_by=actor.user_id,
                expires_at=expires_at,
            )
            work.api_keys.add(key)
            work.audit_log.append(entry(actor, now, AuditAction.KEY_MADE, after=key))
            made = next(one for one in _view(work, account_id)["keys"] if one["id"] == key.id)
        return MadeKeyView(key=made, secret=secret)

    def _validate(
        self, draft: ApiKeyDraft, now: datetime
    ) -> tuple[str, tuple[Permission, ...], tuple[str, ...], datetime | None]:
        checks = Validator(draft.parse_errors)
        name = checks.required_line("name", draft.name)
        wanted = frozenset(draft.scopes or ())
        unknown = sorted(wanted - frozenset(SCOPES))
        if unknown:
            checks.add_error(Code.SCOPE_UNKNOWN, "scopes", scope=unknown[0])
        elif not wanted:
            checks.add_error(Code.REQUIRED, "scopes")
        networks = tuple(network.strip() for network in draft.networks or ())
        wrong = next((network for network in networks if not is_network(network)), None)
        if wrong is not None:
            checks.add_error(Code.NETWORK_INVALID, "networks", network=wrong[:50])
        elif len(networks) > MAX_NETWORKS:
            checks.add_error(Code.ITEMS_TOO_MANY, "networks", most=MAX_NETWORKS)
        if draft.expires_on and draft.expires_on < day_of(now, self.zone):
            checks.add_error(Code.DATE_IN_PAST, "expires_on")
        checks.raise_if_invalid()
        expires_at = end_of(draft.expires_on, self.zone) if draft.expires_on else None
        allowed = with_implied_reads(map(Permission, wanted))
        return name, tuple(scope for scope in SCOPES if scope in allowed), networks, expires_at


@dataclass(frozen=True, slots=True)
class RevokeKey:
    """Revoke a key, starting with the next request."""

    begin: Begin
    clock: Clock

    @permitted(Permission.MANAGE_SERVICE_ACCOUNTS)
    def __call__(self, actor: Actor, key_id: int) -> None:
        now = self.clock()
        with self.begin() as work:
            key = work.api_keys.lock(key_id)
            if key is None:
                raise NotFound
            _revoke(work, actor, key, now)


@dataclass(frozen=True, slots=True)
class ReadOwnKey:
    """Read what the key of the calling program may do."""

    read: Read
    zone: tzinfo

    @permitted(Permission.READ_OWN_KEY)
    def __call__(self, actor: Actor) -> OwnKeyView:
        with self.read() as views:
            accounts = {account["id"]: account for account in views.service_accounts()}
        # Neither exists any more if it was revoked since the request was authenticated.
        account = accounts.get(actor.user_id)
        key = next((one for one in account["keys"] if one["id"] == actor.api_key_id), None) if account else None
        if account is None or key is None:
            raise NotFound
        expires_at = key["expires_at"]
        return OwnKeyView(
            name=key["name"],
            service_account=account["name"],
            permissions=sorted(actor.permissions - OF_EVERY_KEY),
            networks=key["networks"],
            expires_on=day_of(expires_at - timedelta(microseconds=1), self.zone) if expires_at else None,
        )


@dataclass(frozen=True, slots=True)
class EnsureReceiverAccount:
    """Return the built-in account for receiving messages, as an actor.

    The account is created the first time.
    """

    begin: Begin
    clock: Clock

    @retried
    def __call__(self) -> Actor:
        with self.begin() as work:
            account = work.users.find("email", unique_key(RECEIVER))
            if account is None:
                account = _account(RECEIVER)
                work.users.add(account)
                work.audit_log.append(entry(None, self.clock(), AuditAction.USER_REGISTERED, after=account))
        return receiver_actor(account.id)


def receiver_actor(user_id: int) -> Actor:
    """Return the actor that applies messages, with only those permissions."""
    return Actor(user_id=user_id, role=Role.SERVICE_ACCOUNT, staff_id=None, scopes=RECEIVER_SCOPES)


def _account(name: str) -> User:
    return User(email=name, role=Role.SERVICE_ACCOUNT, password_hash=None)


def _locked(work: UnitOfWork, account_id: int) -> User:
    account = work.users.lock(account_id)
    if account is None or account.deleted or account.role is not Role.SERVICE_ACCOUNT:
        raise NotFound
    return account


def checked_name(work: UnitOfWork, draft: ServiceAccountDraft, *, id: int) -> str:
    """Validate the name of a service account.

    It is stored in the place of an email, so it must not look like one: no email is ever sent to it.
    """
    checks = Validator(draft.parse_errors)
    name = checks.required_line("name", draft.name)
    if "@" in name:
        checks.add_error(Code.NAME_LIKE_EMAIL, "name")
    elif name:
        twin = work.users.find("email", unique_key(name))
        if twin is not None and twin.id != id:
            checks.add_error(Code.TAKEN, "name", what="service_accounts.name", value=name)
    checks.raise_if_invalid()
    return name


def _revoke(work: UnitOfWork, actor: Actor, before: ApiKey, at: datetime) -> None:
    if before.revoked_at is None:
        key = replace(before, revoked_at=at)
        work.api_keys.save(key)
        work.audit_log.append(entry(actor, at, AuditAction.KEY_REVOKED, before=before, after=key))


def _view(work: UnitOfWork, account_id: int) -> ServiceAccountView:
    return next(account for account in work.views.service_accounts() if account["id"] == account_id)


def _secret_of(prefix: str, random: str) -> str:
    body = KEY_PREFIX + prefix.rjust(_PREFIX_LENGTH, "0") + random.rjust(_RANDOM_LENGTH, "0")
    return body + _check(body)


def _check(body: str) -> str:
    """Return a checksum of a key's text.

    It finds typing errors without a query, and lets secret scanners verify keys in files.
    """
    number, letters = zlib.crc32(body.encode()), ""
    while len(letters) < _CHECK_LENGTH:
        number, digit = divmod(number, len(_LETTERS))
        letters = _LETTERS[digit] + letters
    return letters


def _random(length: int) -> str:
    return "".join(secrets.choice(_LETTERS) for _ in range(length))
