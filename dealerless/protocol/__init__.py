"""Events, envelopes, the one table of transitions, dealing, and the session without I/O."""
