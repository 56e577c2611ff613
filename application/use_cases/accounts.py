"""Use cases of signing in, users and keys, by group."""

from dataclasses import dataclass

from application.accounts.sessions.browse_users import BrowseUsers
from application.accounts.sessions.device_proof import BindDevice, MakeNonce
from application.accounts.sessions.identify import Identify
from application.accounts.sessions.lock_session import LockSession
from application.accounts.sessions.note_use import TouchApiKey, TouchSession
from application.accounts.sessions.service_accounts import (
    CreateApiKey,
    CreateServiceAccount,
    DeleteServiceAccount,
    EnsureReceiverAccount,
    ListServiceAccounts,
    ReadOwnKey,
    RevokeKey,
    UpdateServiceAccount,
)
from application.accounts.sessions.sessions import EndDeviceSessions, EndSessions, ListSessions
from application.accounts.sessions.sign_out import SignOut
from application.accounts.sign_in.badges import AddBadge, FindBadge, ListBadges, RemoveBadge
from application.accounts.sign_in.begin_oidc_sign_in import BeginOidcSignIn
from application.accounts.sign_in.end_at_provider import EndSessionsByProvider, ReadLogoutUrl
from application.accounts.sign_in.finish_oidc_sign_in import FinishOidcSignIn
from application.accounts.sign_in.link_oidc import BeginLinkingOidc, LinkOidc
from application.accounts.sign_in.manage_passkeys import ListPasskeys, RemovePasskey, RenamePasskey
from application.accounts.sign_in.passkey_links import HandOutPasskeyLink
from application.accounts.sign_in.pins import RemovePin, SetPin
from application.accounts.sign_in.register_passkey import BeginPasskeyRegistration, RegisterPasskey
from application.accounts.sign_in.second_factor import GiveSecondFactor
from application.accounts.sign_in.sign_in import SignIn
from application.accounts.sign_in.sign_in_with_passkey import BeginPasskeySignIn, SignInWithPasskey
from application.accounts.sign_in.unlink_oidc import UnlinkOidc
from application.accounts.sign_in.unlock_session import UnlockSession
from application.accounts.sign_in.unlock_with_passkey import BeginPasskeyUnlock
from application.accounts.users.assign_profile import AssignProfile
from application.accounts.users.change_own_account import ChangeOwnAccount
from application.accounts.users.choose_own_ward import ChooseOwnWard
from application.accounts.users.choose_password import ChoosePassword
from application.accounts.users.complete_profile import CompleteProfile
from application.accounts.users.delete_user import DeleteUser
from application.accounts.users.first_administrator import CheckSetup, CreateFirstAdministrator, CreateSetupLink
from application.accounts.users.imported_links import CreateImportedLinks
from application.accounts.users.invite_user import InviteUser
from application.accounts.users.judge_password import CheckPasswordStrength
from application.accounts.users.own_account import ReadOwnAccount, ReadOwnProfile
from application.accounts.users.password_links import CreateResetLink, RequestPasswordReset
from application.accounts.users.read_link import ReadPasswordLink
from application.accounts.users.register_user import RegisterUser
from application.accounts.users.update_user import UpdateUser


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionUseCases:
    sign_in: SignIn
    sign_out: SignOut
    identify: Identify
    lock: LockSession
    unlock: UnlockSession
    make_nonce: MakeNonce
    bind_device: BindDevice
    set_pin: SetPin
    remove_pin: RemovePin
    list: ListSessions
    end: EndSessions
    end_on_device: EndDeviceSessions
    touch: TouchSession
    touch_key: TouchApiKey
    begin_oidc: BeginOidcSignIn
    finish_oidc: FinishOidcSignIn
    read_logout_url: ReadLogoutUrl
    end_by_provider: EndSessionsByProvider


@dataclass(frozen=True, slots=True, kw_only=True)
class PasskeyUseCases:
    begin_sign_in: BeginPasskeySignIn
    sign_in: SignInWithPasskey
    give_second_factor: GiveSecondFactor
    begin_unlock: BeginPasskeyUnlock
    begin_registration: BeginPasskeyRegistration
    register: RegisterPasskey
    list: ListPasskeys
    rename: RenamePasskey
    remove: RemovePasskey
    hand_out_link: HandOutPasskeyLink


@dataclass(frozen=True, slots=True, kw_only=True)
class BadgeUseCases:
    list: ListBadges
    add: AddBadge
    remove: RemoveBadge
    find: FindBadge


@dataclass(frozen=True, slots=True, kw_only=True)
class AccountUseCases:
    read: ReadOwnAccount
    change: ChangeOwnAccount
    read_profile: ReadOwnProfile
    complete_profile: CompleteProfile
    choose_ward: ChooseOwnWard
    check_password: CheckPasswordStrength
    read_link: ReadPasswordLink
    choose_password: ChoosePassword
    request_password_reset: RequestPasswordReset
    begin_linking_oidc: BeginLinkingOidc
    link_oidc: LinkOidc


@dataclass(frozen=True, slots=True, kw_only=True)
class UserUseCases:
    reader: BrowseUsers
    register: RegisterUser
    invite: InviteUser
    assign_profile: AssignProfile
    update: UpdateUser
    delete: DeleteUser
    create_reset_link: CreateResetLink
    create_setup_link: CreateSetupLink
    check_setup: CheckSetup
    create_first_administrator: CreateFirstAdministrator
    create_imported_links: CreateImportedLinks
    unlink_oidc: UnlinkOidc


@dataclass(frozen=True, slots=True, kw_only=True)
class ServiceAccountUseCases:
    list: ListServiceAccounts
    create: CreateServiceAccount
    update: UpdateServiceAccount
    delete: DeleteServiceAccount
    create_key: CreateApiKey
    revoke_key: RevokeKey
    read_own_key: ReadOwnKey
    ensure_receiver: EnsureReceiverAccount


@dataclass(frozen=True, kw_only=True)
class AccountGroups:
    session: SessionUseCases
    passkeys: PasskeyUseCases
    badges: BadgeUseCases
    account: AccountUseCases
    users: UserUseCases
    service_accounts: ServiceAccountUseCases
