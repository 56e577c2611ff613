"""Other people's accounts: one file per decision. One's own account and session are in ``session``."""
