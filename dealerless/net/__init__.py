"""Transports, untrusted by design: in memory, and TCP under TLS."""
