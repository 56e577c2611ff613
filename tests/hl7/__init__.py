"""Messages of HL7 v2, read, written and sent over the wire. What they do to sheets belongs in contracts/."""
