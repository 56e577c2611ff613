"""Turn rows into changes, one module per noun.

The changes go through the same use cases as those of users.
"""
