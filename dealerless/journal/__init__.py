"""The append-only file of frames, the file of secrets, and their locks."""
