"""Users and the proofs of who they are."""
