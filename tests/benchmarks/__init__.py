"""How fast the service is, beside what the same machine can do at best: `uv run python -m tests.benchmarks`.

- `figures`      what is measured, its goals, and the median over rounds
- `prepared`     games in a database, replies to be played in them, and the reports that will answer these
- `mail`         posting replies, counting deliveries, a tap on a connection
- `service`      `referee run` in a process of its own, between Dovecot and Postfix
- `grown`        a database as it stands after years
- `end_to_end`, `quiet`, `connections`, `letters`, `pictures`, `transactions`, `growth`, `memory`: one or two figures
  each

No number stands alone: each is taken beside a floor in the same round, rounds are interleaved, and what counts is
the median of the rounds' ratios. Never part of the test-suite.
"""
