"""Poker between parties who trust nobody, with a record that anybody can check.

Importing the package imports none of its parts: each sub-package is loaded by whoever needs it, so that a
command that only prints its help does not pay for numpy or for the cryptography library.
"""

__version__ = "0.1.0"
