"""Reading, writing and sending HL7 v2 messages.

Tests of their effects on sheets belong in use_cases/inbound.
"""
