"""Tests of the sign-in at an identity provider (OIDC)."""
