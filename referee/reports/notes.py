"""What the service can say besides a game's own news: each code with the facts that its text needs.

The text is a macro of the same name (with `_` for `-`) in `templates/notes.j2`.
"""

from __future__ import annotations

from collections.abc import Mapping

NOTES: Mapping[str, frozenset[str]] = {
    code: frozenset(facts.split())
    for code, facts in {
        # the writer's own account
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
        # the writer's addresses, and leaving
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
        # umpires' actions
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
        # players' comments
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
        # observers
        "unwatched": "game",
        "watchers": "names late",
        "newcomers": "names",
        "overheard": "who signed text lines",
        # officers of tournaments
        "office": "event office name newcomer beside",
        "office-over": "event office",
        "events": "events",
        "overseen": "overview zone said",
        # our letters that bounced
        "unreachable": "who",
        "reachable": "who",
        "challenge-returned": "game",
        "missed": "count",
        "fell-back": "address count",
        "unseen": "numbers",
        # letters that were held
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
"""Codes and the names of their facts.

Accounts and games:
address: another one of the reader's own. use: its intended use, "main" or "second".
second: the reader's second address, "" for none.
days: how long a change can be taken back, 0 for no longer.
games, proposals: what ends when the reader leaves, as numbers and as a count.
open: numbers of games that the reader may join. more: there are others.
lines: lines of a letter.
letters: held letters, each with its place from 1, when it was received, its game, commands and meaning, the
    address that the meaning names, and whether it came to a reply address of its own.
again: the letters may be sent once more by their writer, who stays a player.
alone: the command needs no game number.
end: the end proposed for a game (see games.results).
seat: the reader's; of a claim, its owner's.
instead: what the other side had proposed.
due: the reader is to move.
no_picture: the reader wants sheets as a picture, and text-only letters, which hold none.
numbers: of letters, of held ones by their places, of claims.
received: when a letter came.
preview: of a move, as the rulebook gives it.
steps: a plan's (games.conditional_orders).
tried: the plan's first order was tried already. waits: for an answer that the reader owes.
instead: replaces an earlier plan. orders: those that the plan gave.
used_up: nothing of the plan is left. fault: why its next order could not be tried, else None.
then, later: scenes of the board: as it was when a turn or a letter (what, number) was the newest, and
    everything since.
options: of a proposal, by key, as they were written, the proposer's colour among them.
rules: a game's title.
rulebook: the name of its folder, which holds the templates for its options and for `why`. why: what it
    explains.
who: a player's name, or colour.

Comments by players:
text: the comment. number: its number. lines: its lines. unread: lines that look like commands.
signed: with the player's name. all: for everyone who may read. turn: when it was written.
noted, press: everything the player has noted, and recent comments, each with turn and lines; press with seat
    and time too.
over: the game is over.
claim: its number in the game. sent: to the operator. with_press: it is about press.
before: the game to be repeated.
colour: the reader's seat in it, or that of the person invited by that address.
countered: these are terms in answer to others. last: no further terms are accepted.
names: of observers. late: their delay in turns.

Umpires' actions:
act: as in handlers.notices.ACTIONS.
seat: which seat it concerns, "" for both.
until: when a pause ends. time: the time given. turn, orders, end, lines (of a ruling in words): as the action
    names them.
attempts: those it adjudicated, with their answers. restored: those that stand again.
who, office: who does it. mine: the reader's seat.
comes, left_by: who takes a seat, and who had it.
lasts: the new deadline of the pending move after time was given, None where it is for the next move.
beside: the other officers.
acts: such facts, of an officer's request. games, event: where. left: games in which it is impossible.
stale: the request is outdated, since the game or the case has moved on.
told: who gets a letter. gone: attempts that no longer count.
paused: until when. given: time with the seat. rulings: the lines of each. stopped: why the game is frozen.

Leave and tournaments:
leave: the reader's, for each tournament, "" for games of none: games where it applies, taken (each with first
    and last
    day), zone, days, and left (years with days left).
new, ended: leave that the reader's letter has begun or ended, with begun.
first_day, last_day: of leave, as they are written.
at: when a pause ends.
event: a tournament's name.
office: the reader's, one of those in games.tournaments.officers.
newcomer: the reader was registered for it, as name.
events: the reader's, each with event, offices, mine (the numbers of their running games) and playing (a
    count).
overview: of the games that the reader runs (reports.overview). said: quotations from people in it.
"""

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
"""Codes of notes that ask the reader something or change what they rely on.

A letter begins with the first of them.
"""


def check_note(code: str, facts: Mapping[str, object]) -> None:
    """Raise ValueError for an unknown code, or for facts that are not exactly those it needs."""
    if code not in NOTES:
        raise ValueError(f"no words are known for the note {code!r}")
    if set(facts) != NOTES[code]:
        raise ValueError(f"the note {code!r} needs the facts {sorted(NOTES[code])}, not {sorted(facts)}")
