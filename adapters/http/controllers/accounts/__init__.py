"""Signing in, users, and keys of programs."""

from adapters.http.controllers.accounts import oidc, passkeys, service_accounts, session, users

ROUTES = (
    session.SessionController,
    oidc.OidcController,
    oidc.UserOidcController,
    passkeys.PasskeySignInController,
    passkeys.OwnPasskeyController,
    passkeys.PasskeyLinkController,
    passkeys.UserPasskeyController,
    session.OwnWardController,
    session.UserSessionController,
    session.BadgeController,
    session.OwnProfileController,
    service_accounts.ServiceAccountController,
    service_accounts.KeyController,
    users.UserController,
    users.InvitationController,
    users.PasswordController,
)
