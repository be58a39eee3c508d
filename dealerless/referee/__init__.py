"""Replays a transcript: verdict, blame and evidence."""
