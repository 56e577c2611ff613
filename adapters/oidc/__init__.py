"""Sign-in with an account of the hospital's identity provider (OIDC)."""
