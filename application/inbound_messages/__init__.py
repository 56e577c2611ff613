"""Inbound messages, such as ADT of the hospital's system: kept, judged, applied or held until somebody decides."""
