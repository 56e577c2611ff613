"""Passkeys: register them, and sign in, confirm or unlock with them."""
