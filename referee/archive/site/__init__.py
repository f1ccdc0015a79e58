"""The archive as static pages, which need no server, ask nobody for anything, and work from a folder.

- `released`    which games may be shown, and how much of one that is being played
- `shown`       these games, read from the database into plain values
- `stage`       a game as its page plays it; `stagers` says which rulebooks have one, and `abbott` makes it
- `battle…`     the same for battles: `battle` tells what happened, `battle_frames` where all stood, `battle_map` draws
- `programs`    the small programs that check records, handed out with them
- `pages`       plain values become pages, through `templates/site`
- `folder`      pages become files, of which only those are written that have changed
- `publishing`  all of it, one game after the other
"""

from referee.archive.site.page_data import WRITINGS
from referee.archive.site.publishing import Published, publish

__all__ = ["WRITINGS", "Published", "publish"]
