"""Views: the shapes of answers, and list queries.

Reads bypass the domain: adapters fill these shapes directly from the stored data. Ids are positive integers. Money and
quantities are exact decimals. Moments are aware and in UTC.
"""
