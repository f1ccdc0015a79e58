"""What is kept, by what it is about: in each module questions, which change nothing, and behind them what writes.

Statements that a letter needs are built once, when their module is loaded: building one costs more than running it.
`which`, `who` and the like are their parameters. Those with _LOCKED lock what they find until the transaction ends.
"""
