"""HL7 v2 on the wire: ADT parsed, DFT written, MLLP both ways. What messages do is in the use cases."""
