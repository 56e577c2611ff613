"""Localization of the server's texts in Spanish and English.

The client has its own.
"""
