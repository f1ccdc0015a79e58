"""How much of a letter is read, so that no letter costs more than a moment.

A letter that exceeds one of the first group is not read at all: its nature is UNREADABLE, and its writer
is told so. What exceeds one of the second group is cut at the end of a whole line.
"""

from __future__ import annotations

from referee.common.i18n import Phrase

LETTER_OCTETS = 10 * 1024 * 1024
HEADER_OCTETS = 128 * 1024
HEADER_LINES = 2_000
"""Of the letter's header and those of its parts together."""
FIELD_OCTETS = 32 * 1024
PART_HEADER_OCTETS = 8 * 1024
PART_DEPTH = 20
PARTS = 200
BOUNDARY_LINES = 5_000
"""Lines of a multipart that begin like a boundary, whether they are one or not."""

TEXT_OCTETS = 64 * 1024
TEXT_LINES = 2_000
QUOTED_OCTETS = 256 * 1024
"""So much of a text is looked through for lines that are not quoted, where its quotations leave no room for them."""
QUOTATIONS = 2_000
"""So many of them are left out there."""
OWN_LINES = 300
"""Of the lines above, the writer's own: nobody writes so many, and each of them is held against our letters."""
UNMARKED_LINES = 900
"""The same for lines with a quotation above them: a program may have left off the marks of most of it."""
LINE_CHARACTERS = 1_000
"""A longer line can be no command but press, and keeps its signs."""
MARKUP_OCTETS = 256 * 1024
"""Without large pictures, comments and styles, which are passed over first."""
LARGE_MARKUP_OCTETS = 2 * 1024 * 1024
"""So much is looked through for those."""
PASSED_OVER = 2_000
"""So many of each of these are looked for."""
MARKUP_TAGS = 8_000
"""Of all parts of a letter together, like the octets; a tag of many attributes counts as several."""
ATTRIBUTES_CHARACTERS = 2_000
"""Of one tag."""
ATTRIBUTES_TOGETHER = 256 * 1024
"""Of all tags of a letter, each counted up to the limit above."""
SUBJECT_CHARACTERS = 2_000
NAME_CHARACTERS = 200
ADDRESS_CHARACTERS = 254
MESSAGE_ID_CHARACTERS = 998
THREAD_IDS = 50
DATE_CHARACTERS = 100
STRUCTURED_FIELD_CHARACTERS = 2_000
"""So much is read of Content-Type and Content-Disposition; a longer From is nobody's."""
PARAMETERS = 30
"""Of one such field."""
RESULTS_CHARACTERS = 4_000
"""An Authentication-Results header beyond this is not looked into."""


class LimitExceeded(ValueError):
    """A letter exceeds what is read; `why` says which limit, for the writer."""

    def __init__(self, message: str, limit: int, **facts: str) -> None:
        self.why = Phrase(message, {"limit": limit, **facts})
        super().__init__(str(self.why))
