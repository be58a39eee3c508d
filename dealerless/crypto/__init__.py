"""Primitives over bytes, digests and keys; knows no poker."""
