"""HL7 v2 on the wire: messages read and written, and how they are framed. What they do is in the use cases."""
