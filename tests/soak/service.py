"""`referee run`, but for its pauses: seconds here, for a soak cannot wait for minutes.

The same program otherwise, in a process of its own, so that it can be killed. No other process shares its database:
what is claimed by another is a dead one's, and on PostgreSQL, too, it need not be left to it for a while.
"""

from __future__ import annotations

from datetime import timedelta

from referee.cli.main import main
from referee.mail.outbox import retry, sender
from referee.store import service_runs

retry.FIRST_PAUSE = timedelta(seconds=1)
retry.LONGEST_PAUSE = timedelta(seconds=10)
sender.LONGEST_PAUSE = 3.0
service_runs.SILENT_FOR = 0.0

if __name__ == "__main__":
    main()
