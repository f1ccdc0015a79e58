"""The archive as static pages, which need no server, request nothing from elsewhere, and work from a folder.

- `visibility`       which games may be shown, and how much of a running one
- `page_data`        these games, read from the database into plain values
- `withdrawn_turns`  which comments belong to turns that were taken back
- `stagers`          a game as its page plays it: its rulebook puts it on a stage (`rulebooks/stages`)
- `battle…`          what the page of a battle shows without its script: `battle_paths` draws the things on the table
- `programs`         the small programs that check records, offered with them
- `pages`            plain values become pages, through `templates/site`
- `folder`           pages become files, of which only changed ones are written; `disk` writes them
- `publishing`       all of it, one game after the other
"""

from referee.archive.site.page_data import WRITINGS
from referee.archive.site.publishing import Published, publish

__all__ = ["WRITINGS", "Published", "publish"]
