"""Ports that answer one kind of question each, by topic.

``application.ports.views.Views`` has all of them.
"""
