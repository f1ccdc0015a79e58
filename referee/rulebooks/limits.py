"""Size limits of the files that rulebooks read, in characters; known before a rulebook is loaded."""

LARGEST_TABLE = 100_000
"""The largest movement table."""
LARGEST_SCENARIO = 40_000
"""The largest scenario."""
