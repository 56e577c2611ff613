"""Imports of files.

``reading`` interprets files, ``rows`` turns rows into changes, and this package commits or undoes them. It knows no
file format.
"""
