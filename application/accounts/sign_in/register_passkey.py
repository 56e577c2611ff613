"""Register a passkey: in a confirmed session, or by a link."""

import secrets
from dataclasses import dataclass, field, replace
from datetime import datetime, tzinfo

from application.accounts.ports.identity import SignInMethod
from application.accounts.ports.passkeys import Claim, Json, NewCredential, PasskeyRefused, Passkeys
from application.accounts.sessions.begin_session import BeginSession
from application.accounts.sessions.challenges import consume_challenge, new_challenge, raise_if_unavailable, refusal_of
from application.accounts.sessions.confirmed import lock_confirmed_session
from application.accounts.sessions.identify import SignedIn
from application.accounts.sign_in.unlock_with_passkey import with_second_factor
from application.accounts.users.password_links import digest_of, holder_of
from application.accounts.views import PasskeyView
from application.accounts.work import Begin, UnitOfWork
from application.audit.audit_log import entry
from application.common.clock import Clock
from application.common.draft import Draft
from application.common.entities import AuditAction
from application.common.entity_view import EntityView
from application.common.mail import Mailer, MailMessage
from application.common.use_case import permitted, retried
from domain.accounts.passkey import MAX_PASSKEYS, PASSKEY_NAME_LENGTH, Passkey, SecondFactorRule, SecretPurpose
from domain.accounts.user import User
from domain.common.day import day_of
from domain.common.errors import Code, Reason, Refused, Unauthenticated
from domain.common.policy import Actor, Permission
from domain.common.text import full_name
from domain.common.validation import Validator


@dataclass(frozen=True, slots=True, kw_only=True)
class PasskeyDraft(Draft):
    """The answer of the browser, and a name for the passkey."""

    credential: dict[str, object] | None = field(default=None, repr=False)
    name: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class LinkedPasskeyDraft(PasskeyDraft):
    """The same on the page of a link."""

    token: str | None = field(default=None, repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class PasskeyLinkToken(Draft):
    """The secret of a link."""

    token: str | None = field(default=None, repr=False)


@dataclass(frozen=True, slots=True)
class LinkOptions:
    """For whom a link is, and the options for the browser."""

    email: str
    name: str | None
    options: Json


@dataclass(frozen=True, slots=True)
class BeginPasskeyRegistration:
    """Return the options for registering a passkey."""

    begin: Begin
    clock: Clock
    zone: tzinfo
    second_factor: SecondFactorRule
    passkeys: Passkeys
    begin_session: BeginSession

    @permitted(Permission.EDIT_OWN_ACCOUNT)
    def own(self, signed_in: SignedIn) -> Json:
        """Return the options for the own account, in a confirmed session.

        Where the role needs a second factor, a password alone must not register the first passkey: it may be stolen.
        That takes a link, or the session of a new account's activation.
        """
        actor = signed_in.actor
        raise_if_unavailable(self.passkeys)
        now = self.clock()
        with self.begin() as work:
            user = work.users.lock(actor.user_id)
            if user is None or user.deleted:
                raise Unauthenticated
            session = lock_confirmed_session(work, signed_in, now)
            if self.second_factor.is_in_force(user.role, day_of(now, self.zone)) and not (
                session.how.has_second_factor
                or (session.how is SignInMethod.ACTIVATION and not work.passkeys.of_user(user.id))
            ):
                raise Refused(Reason(Code.PASSKEY_LINK_REQUIRED))
            return _options(work, self.passkeys, user, now)

    @retried
    def by_link(self, draft: PasskeyLinkToken) -> LinkOptions:
        """Return the options for the account of a link, which stays valid."""
        checks = Validator(draft.parse_errors)
        token = checks.required_line("token", draft.token)
        checks.raise_if_invalid()
        raise_if_unavailable(self.passkeys)
        now = self.clock()
        with self.begin() as work:
            link = work.passkey_secrets.get(digest_of(token), SecretPurpose.LINK)
            user = holder_of(work, link, now, self.begin_session)
            staff = work.staff.get(user.staff_id) if user.staff_id else None
            name = full_name(staff.name, staff.first_surname, staff.second_surname) if staff else None
            return LinkOptions(user.email, name, _options(work, self.passkeys, user, now))


@dataclass(frozen=True, slots=True)
class RegisterPasskey:
    """Register a passkey, and email its owner."""

    begin: Begin
    clock: Clock
    passkeys: Passkeys
    begin_session: BeginSession
    mailer: Mailer

    @permitted(Permission.EDIT_OWN_ACCOUNT)
    def own(
        self, signed_in: SignedIn, draft: PasskeyDraft, address: str = "", client: str = "", language: str = "es"
    ) -> PasskeyView:
        """Register a passkey of the own account.

        The session has then a second factor.
        """
        actor = signed_in.actor
        name, claim, new = self._read(Validator(draft.parse_errors), draft)
        now = self.clock()
        with self.begin() as work:
            user = work.users.lock(actor.user_id)
            session = work.sessions.lock(signed_in.session_id, now)
            if user is None or user.deleted or session is None:
                raise Unauthenticated
            passkey = _add(work, user, claim, new, name, now, address=address, client=client)
            work.sessions.save(with_second_factor(session))
        self.mailer.send(MailMessage(user.email, "passkey_registered", language, now))
        return passkey_view(passkey)

    @retried
    def by_link(
        self, draft: LinkedPasskeyDraft, address: str = "", client: str = "", language: str = "es"
    ) -> PasskeyView:
        """Register a passkey of the account of a link, which is used up."""
        checks = Validator(draft.parse_errors)
        token = checks.required_line("token", draft.token)
        name, claim, new = self._read(checks, draft)
        now = self.clock()
        with self.begin() as work:
            link = work.passkey_secrets.consume(digest_of(token), SecretPurpose.LINK)
            user = holder_of(work, link, now, self.begin_session)
            made_by = link.made_by if link else None
            passkey = _add(work, user, claim, new, name, now, address=address, client=client, made_by=made_by)
        self.mailer.send(MailMessage(user.email, "passkey_registered", language, now))
        return passkey_view(passkey)

    def _read(self, checks: Validator, draft: PasskeyDraft) -> tuple[str, Claim, NewCredential]:
        """Return the name, and the verified credential with its challenge."""
        name = checks.required_line("name", draft.name, longest=PASSKEY_NAME_LENGTH)
        if not draft.credential:
            checks.add_error(Code.REQUIRED, "credential")
        checks.raise_if_invalid()
        credential = draft.credential or {}
        try:
            claim = self.passkeys.read_claim(credential)
            return name, claim, self.passkeys.verify_new(credential, claim.challenge)
        except PasskeyRefused as refused:
            raise refusal_of(refused) from None


_PASSKEY = EntityView[PasskeyView](PasskeyView, Passkey, "suspected")


def passkey_view(passkey: Passkey) -> PasskeyView:
    """Return a passkey as its owner and administrators see it."""
    return _PASSKEY.of(passkey, suspected=passkey.suspected_at is not None)


def _options(work: UnitOfWork, passkeys: Passkeys, user: User, now: datetime) -> Json:
    """Return the options for a user, who may have another passkey."""
    if user.password_hash is None:
        raise Refused(Reason(Code.PASSWORD_NOT_CHOSEN))
    known = work.passkeys.of_user(user.id)
    if len(known) >= MAX_PASSKEYS:
        raise Refused(Reason(Code.PASSKEYS_TOO_MANY, params={"most": MAX_PASSKEYS}))
    handle = user.passkey_handle
    if handle is None:
        handle = secrets.token_bytes(32)
        work.users.save(replace(user, passkey_handle=handle))
    challenge = new_challenge(work, SecretPurpose.REGISTER, user.id, now)
    return passkeys.creation_options(user.email, handle, challenge, known)


def _add(
    work: UnitOfWork,
    user: User,
    claim: Claim,
    new: NewCredential,
    name: str,
    now: datetime,
    *,
    address: str,
    client: str,
    made_by: int | None = None,
) -> Passkey:
    try:
        consume_challenge(work, claim.challenge, SecretPurpose.REGISTER, user.id, now)
    except PasskeyRefused as refused:
        raise refusal_of(refused) from None
    if work.passkeys.lock(new.credential_id):
        raise Refused(Reason(Code.PASSKEY_TAKEN))
    if len(work.passkeys.of_user(user.id)) >= MAX_PASSKEYS:
        raise Refused(Reason(Code.PASSKEYS_TOO_MANY, params={"most": MAX_PASSKEYS}))
    passkey = Passkey(
        user_id=user.id,
        credential_id=new.credential_id,
        public_key=new.public_key,
        sign_count=new.sign_count,
        transports=new.transports,
        backed_up=new.backed_up,
        aaguid=new.aaguid,
        name=name,
        made_by=made_by,
        made_at=now,
    )
    work.passkeys.add(passkey)
    actor = Actor(user_id=user.id, role=user.role, staff_id=user.staff_id)
    noted = {"passkey": name, "address": address, "client": client}
    work.audit_log.append(entry(actor, now, AuditAction.PASSKEY_REGISTERED, before=user, after=user, **noted))
    return passkey
