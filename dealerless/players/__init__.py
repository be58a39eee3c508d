"""Automatic players."""
