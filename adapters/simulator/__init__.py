"""Simulated hospital and billing systems, to rehearse a connection."""
