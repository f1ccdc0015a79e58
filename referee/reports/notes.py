"""What the desk can say besides a game's own news: each code with the facts that its words need.

The words themselves are macros of the same names (with `_` for `-`) in `templates/notes.j2`.
"""

from __future__ import annotations

from collections.abc import Mapping

NOTES: Mapping[str, frozenset[str]] = {
    code: frozenset(facts.split())
    for code, facts in {
        # the writer himself
        "registered": "name",
        "renamed": "name",
        "preference": "key value no_picture",
        "games": "count",
        "letters-off": "",
        "stranger": "",
        "nothing-read": "lines",
        # his addresses, and leaving
        "address-wanted": "address use",
        "address-asked": "who use",
        "address-as-before": "word",
        "address-from-there": "address",
        "address-changed": "address days",
        "address-left": "days",
        "address-lost": "days",
        "address-back": "address second",
        "address-kept": "days",
        "address-taken": "",
        "too-late": "",
        "second-added": "address",
        "second-removed": "",
        "bye-confirm": "games proposals",
        "bye-done": "",
        # who plays whom
        "challenge-waits": "who game alone",
        "invitation": "who whom rules rulebook options newcomer",
        "challenged": "game whom rules rulebook options",
        "opened": "game rules rulebook options",
        "declined": "game",
        "was-declined": "game who",
        "withdrawn": "game",
        "was-withdrawn": "game who",
        # during a game
        "resign-confirm": "game",
        "draw-offered": "game who",
        "draw-was-offered": "who due",
        "draw-was-withdrawn": "who",
        "draw-lapsed": "who",
        "draw-untold": "who most",
        "cancelled": "game",
        "record": "text",
        "new-tag": "game",
        "tag-leaked": "game",
        "why": "rulebook why",
        "frozen": "reason",
        "thawed": "",
        # letters of ours that came back
        "unreachable": "who",
        "reachable": "who",
        "challenge-returned": "game",
        "missed": "count",
        "fell-back": "address count",
        "unseen": "numbers",
        # letters that were not taken at once
        "too-often": "most letter",
        "held": "letters",
        "held-no-more": "",
        "not-confirmed": "numbers",
        "second-mailbox": "numbers",
        "unreadable": "reason",
        "too-large": "limit",
        "set-aside": "letter",
        # to the operator
        "letter-set-aside": "letter reason",
        "letter-in-hand": "letter ends",
        "mailbox-lost": "since reason",
        "post-was-closed": "since until reason",
        "disk-low": "free",
        "clock-ahead": "now newest",
        "clock-behind": "now newest",
        "clock-jumped": "by ahead now",
        "letter-refused": "letter status",
        "player-unreachable": "player status",
        "left-unreadable": "games",
    }.items()
}
"""Codes and the names of their facts. address: a further one of the reader's own, use: what it is to be, "main" or
"second"; second: his second one, "" for none; days: in which a change can be taken back, 0 for no longer; games,
proposals: what ends when he leaves, numbers and how many. lines: lines of a letter. letters: that are held, each with
its number, when it was received, its game, commands, what it means, which address that names, and whether it came to an
own reply address.

alone: the word needs no game's number. due: the reader is to move. no_picture: he wants his sheets as a picture, and
letters of plain text, which hold none. numbers: of letters. options: those of a proposal by their
keys, as they were written, the proposer's colour among them. rules: a game's title; rulebook: the name of its folder,
where the templates for its options and for `why` lie; why: what it explains. who: a player's name, or his colour."""


def check_note(code: str, facts: Mapping[str, object]) -> None:
    """Raise ValueError for a code that has no words, or facts that are not exactly those it needs."""
    if code not in NOTES:
        raise ValueError(f"no words are known for the note {code!r}")
    if set(facts) != NOTES[code]:
        raise ValueError(f"the note {code!r} needs the facts {sorted(NOTES[code])}, not {sorted(facts)}")
