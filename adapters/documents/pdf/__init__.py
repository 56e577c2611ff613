"""PDF of sheets and reports: pages, fonts and charts.

Use cases decide the content.
"""
