"""One view model of a match, rendered as text and as JSON."""
