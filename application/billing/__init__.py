"""Use cases of charges and their messages."""
