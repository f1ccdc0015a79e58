"""What the desk can say besides a game's own news: each code with the facts that its words need.

The words themselves are macros of the same names (with `_` for `-`) in `templates/notes.j2`.
"""

from __future__ import annotations

from collections.abc import Mapping

NOTES: Mapping[str, frozenset[str]] = {
    code: frozenset(facts.split())
    for code, facts in {
        # the writer himself
        "registered": "name plays played_here",
        "renamed": "name",
        "preference": "key value no_picture",
        "zone": "zone now",
        "letters": "value hour zone in_games",
        "overview": "value hour zone",
        "choices": "choices",
        "games": "count watched open more",
        "letters-off": "",
        "silenced": "who event games",
        "stranger": "",
        "nothing-read": "lines",
        "which-game": "asked lines",
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
        "challenge-waits": "who game alone countered rulebook options",
        "invitation": "who whom rules rulebook options newcomer seats",
        "challenged": "game whom rules rulebook options",
        "opened": "game rules rulebook options",
        "opened-to": "finished playing names",
        "declined": "game",
        "was-declined": "game who",
        "withdrawn": "game",
        "was-withdrawn": "game who",
        "rematch": "who colour game before rulebook options",
        "rematch-wanted": "who colour game before rulebook options",
        "countered": "who game rulebook options last seats",
        "was-countered": "who game rulebook options last seats",
        "whom-invited": "address colour",
        # during a game
        "confided": "orders due moved who",
        "draft-held": "why until zone",
        "draft-replaced": "replaced",
        "draft-failed": "fault orders",
        "draft-done": "chosen",
        "resign-confirm": "game who several",
        "offered": "game who end seat instead",
        "was-offered": "who due end seat",
        "offer-withdrawn": "who end",
        "offer-lapsed": "who end",
        "offer-untold": "who most",
        "cancelled": "game taken_back",
        "not-checked-in": "who",
        "record": "text",
        "new-tag": "game",
        "tag-leaked": "game",
        "why": "rulebook why",
        "preview": "rulebook preview due",
        "as-it-was": "what number then later",
        # time
        "time-up": "who game",
        "your-time-up": "who",
        "time-looked-at": "who",
        "leave": "leave new ended",
        "on-leave": "who first_day last_day",
        "back-from-leave": "who first_day last_day",
        "pause-offered": "game who",
        "pause-wanted": "who",
        "pause-withdrawn": "game who",
        "pause-begun": "game mine who opponent time",
        "pause-ends": "game opponent at zone",
        # plans
        "planned": "game rulebook steps due instead waits",
        "plan": "rulebook steps tried",
        "plan-used": "orders used_up",
        "plan-dropped": "why order fault",
        "plan-over": "",
        "frozen": "reason",
        "thawed": "",
        "taken-back": "turn seat moves reason who office corrected plan offer restored confided drafts",
        # what an umpire does
        "umpired": "act game seat until zone time turn orders end lines reason who office attempts plan mine comes "
        "left_by offer pause confided lasts then_left",
        "seat-taken": "game seat left_by reason who office",
        "seat-lost": "game reason who office",
        "proposal-closed": "game reason who office",
        "acts-hold": "paused until zone given rulings stopped",
        "deed-asked": "acts games event left stale told",
        "deed-done": "acts games event left told",
        "errand-begun": "event",
        "deed-gone": "",
        # what players write beside moves
        "press": "who signed all text lines",
        "pressed": "game who signed all lines unread",
        "muted": "who game",
        "unmuted": "who game",
        "noted": "turn lines unread",
        "diary": "noted over",
        # cases
        "claimed": "game opponent case over lines unread sent with_press late evidence office who",
        "appealed": "game opponent case deed others lines unread sent office who",
        "case-ruled": "case verdict unchanged answer lines appeal deed office who until zone elsewhere",
        "claims-stand": "numbers",
        "case": "game event case seat lines evidence deed ruling appeal press with_press by_letter handed_on",
        "appeal-ruled": "case verdict unchanged answer deed office who",
        "case-asked": "case verdict unchanged is_appeal answer seat name lines deed ruling appeal stale",
        "case-done": "case verdict unchanged is_appeal answer seat name",
        "case-back": "case office who",
        "case-taken": "case verdict unchanged is_appeal answer office who",
        "cases-left": "cases",
        # who watches
        "unwatched": "game",
        "watchers": "names late",
        "newcomers": "names",
        "overheard": "who signed text lines",
        # offices in events
        "office": "event office name newcomer beside",
        "office-over": "event office",
        "events": "events",
        "overseen": "overview zone said",
        # letters of ours that came back
        "unreachable": "who",
        "reachable": "who",
        "challenge-returned": "game",
        "missed": "count",
        "fell-back": "address count",
        "unseen": "numbers",
        # letters that were not taken at once
        "too-often": "most received",
        "last-answer": "",
        "held": "letters",
        "held-no-more": "",
        "held-elsewhere": "count",
        "confirmed-elsewhere": "",
        "address-new": "address days",
        "anothers-tag": "",
        "not-confirmed": "numbers may_be_old",
        "second-mailbox": "numbers",
        "unreadable": "reason",
        "too-large": "limit",
        "not-done": "lines again",
        "cut": "line",
        "set-aside": "received",
        # to the operator
        "letter-set-aside": "letter reason",
        "letter-in-hand": "letter ends",
        "mailbox-lost": "since reason",
        "post-was-closed": "since until reason",
        "disk-low": "free",
        "clock-ahead": "now newest",
        "clock-behind": "now newest",
        "clock-jumped": "by ahead now",
        "left-alone": "player",
        "letter-refused": "letter status cure",
        "letter-put-off": "letter status cure",
        "letters-uncertain": "uncertain",
        "games-unreached": "games",
        "player-unreachable": "player status",
        "left-unreadable": "games",
        "errand-unfinished": "event games",
    }.items()
}
"""Codes and the names of their facts. address: a further one of the reader's own, use: what it is to be, "main" or
"second"; second: his second one, "" for none; days: in which a change can be taken back, 0 for no longer; games,
proposals: what ends when he leaves, numbers and how many. open: numbers of games that he may join, more: there are
others. lines: lines of a letter. letters: that are held, each with its place among them from 1, when it was received,
its game, commands, what it means, which address that names, and whether it came to an own reply address.

again: they may be sent once more, by their writer, who stays a player.

alone: the word needs no game's number. end: that is proposed for a game (see games.results); seat: the reader's, of a
claim whose it is; instead: of what the other side had proposed. due: the reader is to move. no_picture: he wants his
sheets as a picture, and letters of plain text, which hold none. numbers: of letters, of held ones by their places, of
claims. received: when a letter came. preview: of a move, as the rulebook gives it. steps: a plan's
(games.conditional_orders); tried: its first order was tried already; waits: for an answer that its reader owes;
instead: of an earlier plan; orders: those that it gave; used_up: nothing is left of it; fault: why its next one could
not be tried, else None. then, later: scenes of the board as it was when a turn or a letter (what, number) was the
newest, and of what has happened from there on. options: those of a proposal by their keys, as they were written, the
proposer's colour among them. rules: a game's title; rulebook: the name of its folder, where the templates for its
options and for `why` lie; why: what it explains. who: a player's name, or his colour.

Of what a player wrote: text, its number, lines, its lines, and unread, those that look like something for the desk to
do; signed: with his name; all: for all who may read; turn, at which; noted, press: all that he has noted, what was
written lately, each with turn and lines, press with seat and time as well; over: the game is; claim: its number among
the game's, sent: to the operator, with_press: it is about press. before: the game that is to be repeated; colour: the
reader's seat in it, or that of whoever was invited by that address; countered: these are terms in answer to others;
last: no further terms are taken. Of those who watch: names; late: so many turns.

Of what an umpire does: act, as in handlers.notices.DEEDS; seat, whom or whose it is about, "" for both; until when a
pause lasts; time that is given; turn, orders, end and lines (of a ruling in words) as it names them; attempts, with
their answers, that were ruled on by it; restored, that stand again; who and office, who does it; mine, the reader's
seat; comes, left_by, who takes a seat and who had it; lasts, until when the move that is due has with time that was
given, None where it is for the next. beside: the other officers. acts: such facts, of what an officer asks for;
games, event, where; left, games in which it cannot be done; stale: it was asked about before, and the game, or the
case, has gone on; told, who gets a letter; gone, the attempts that count no more then. Of what was done already and
holds: paused, until when; given, time with the seat; rulings, the lines of each; stopped: why the game is frozen.

leave: what the reader has taken, for each event, "" for games of none: with games, in which it holds, taken, each with
its first and last day, zone and days, and left, of which years how many. new, ended: such leave that his letter has
taken, or ended, with begun. first_day, last_day: of leave, as they are written. at: when a pause ends.

event: what an event is called; office: one of those in games.tournaments.officers, the reader's; newcomer: he was
registered for it, as name. events: of the reader's, each with event, offices, mine, the numbers of his running games,
and playing, how many there are in all. overview: of the games that the reader runs (reports.overview), said: what
stands in it that people have said."""

ASKING: frozenset[str] = frozenset(
    (
        "address-asked",
        "address-new",
        "bye-confirm",
        "case-asked",
        "deed-asked",
        "held",
        "invitation",
        "rematch-wanted",
        "resign-confirm",
        "seat-taken",
        "taken-back",
        "was-countered",
        "was-offered",
    )
)
"""Codes of notes that ask their reader something, or change the ground under him: wherever they stand among others, a
letter begins with the first."""


def check_note(code: str, facts: Mapping[str, object]) -> None:
    """Raise ValueError for a code that has no words, or facts that are not exactly those it needs."""
    if code not in NOTES:
        raise ValueError(f"no words are known for the note {code!r}")
    if set(facts) != NOTES[code]:
        raise ValueError(f"the note {code!r} needs the facts {sorted(NOTES[code])}, not {sorted(facts)}")
