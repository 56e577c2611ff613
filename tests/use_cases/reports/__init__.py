"""Use cases of reports, shifts and worklists."""
