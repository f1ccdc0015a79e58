"""The stored data by subject: each module has queries, which change nothing, and classes that write.

Statements that a letter needs are built once, when their module is loaded: building one costs more than
running it. `which`, `who` and the like are their parameters. Those with _LOCKED lock what they find until the
transaction ends.
"""
