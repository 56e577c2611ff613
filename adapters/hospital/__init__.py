"""The hospital's profile, the list of several hospitals, and the current one."""
