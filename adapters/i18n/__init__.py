"""Localization of the server's texts: one file for each language.

The client has its own.
"""
