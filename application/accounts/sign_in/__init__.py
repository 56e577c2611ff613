"""Proofs: password, provider, passkey, PIN and badge."""
