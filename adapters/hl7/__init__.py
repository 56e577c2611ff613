"""HL7 v2: ADT parser, DFT writer, MLLP server and client.

The effects of messages are in the use cases.
"""
