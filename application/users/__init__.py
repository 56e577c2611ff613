"""Accounts: other people's, one file per decision, with what ``session`` uses for one's own: rules, links, emails."""
