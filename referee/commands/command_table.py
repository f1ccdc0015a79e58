"""The command words: what a letter may ask for besides moves. The help pages print this table."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from referee.rulebooks.catalogue import CATALOGUE


@dataclass(frozen=True, slots=True)
class Word:
    """A command word.

    form: how to write it; capitals stand for what the writer fills in, brackets for what may be left out.
    meaning: one sentence without full stop.
    example: a whole line.
    in_game: whether it is worth listing in every letter about a game.
    more: other forms, for other uses of the word.
    further: whole lines that show these.
    """

    name: str
    form: str
    meaning: str
    example: str
    in_game: bool = False
    more: tuple[str, ...] = ()
    further: tuple[str, ...] = ()

    @property
    def forms(self) -> tuple[str, ...]:
        """All ways to write it."""
        return (self.form, *self.more)

    @property
    def examples(self) -> tuple[str, ...]:
        """Whole lines that can be read."""
        return (self.example, *self.further)


WORDS: tuple[Word, ...] = (
    Word(
        "register",
        "register NAME [LANGUAGE]",
        "tells the desk who you are; others see this name; the language may be en or fr",
        "register Anna",
        further=("register Anna fr",),
    ),
    Word(
        "help",
        "help [TOPIC]",
        "sends the help page, or the page about one word or game",
        "help confusion",
        True,
    ),
    Word("games", "games", "lists your games", "games"),
    Word("events", "events", "lists the events that you play in, or hold an office in", "events"),
    Word(
        "overview",
        "overview [late] [EVENT]",
        "shows how the games of your events stand, if you hold an office there: first what needs somebody",
        "overview",
        further=("overview late",),
    ),
    Word("status", "status [GAME]", "tells how a game stands", "status 17", True),
    Word(
        "challenge",
        "challenge WHOM RULES",
        "invites somebody, by name or by mail address",
        "challenge bert@example.com confusion",
        further=("challenge Bert confusion option sheets=off option colour=white",),
    ),
    Word("open", "open RULES", "offers a game to whoever joins first", "open confusion"),
    Word("join", "join GAME", "takes the free seat of an open game", "join 17"),
    Word(
        "accept",
        "accept [GAME]",
        "takes up a challenge; with other options than proposed, it answers with terms of your own",
        "accept",
        more=("accept [GAME] option KEY=VALUE",),
        further=("accept 17 option first=white",),
    ),
    Word("decline", "decline [GAME]", "turns a challenge down", "decline"),
    Word(
        "resign", "resign [GAME]", "gives the game up; as your whole letter it counts at once", "resign", True
    ),
    Word("draw", "draw [GAME]", "offers a draw, or agrees to one", "draw", True),
    Word(
        "agree",
        "agree RESULT [GAME]",
        "proposes how the game is to end: the colour that has won, draw, or none for giving it up without a result; "
        "alone, agrees to what is proposed to you",
        "agree draw",
        more=("agree [GAME]",),
        further=(
            "agree white",
            "agree",
        ),
    ),
    Word("confirm", "confirm", "says that you meant it, when the desk has asked", "confirm"),
    Word(
        "cancel",
        "cancel [GAME]",
        "takes back your challenge, plan or proposal to end a game, as long as it waits",
        "cancel 17",
    ),
    Word("record", "record [GAME]", "sends the game's record so far", "record", True),
    Word(
        "resend",
        "resend [NUMBER]",
        "sends a letter once more: the newest, or the one with that number, as its last line says",
        "resend 14",
    ),
    Word(
        "new tag",
        "new tag [GAME]",
        "changes the reply address of your letters about a game, when somebody else has seen one",
        "new tag 17",
    ),
    Word(
        "why",
        "why [COLOUR] LETTER [GAME]",
        "tells by which answers it is known what your piece can be; with a colour, that side's piece",
        "why H",
        True,
        further=("why yellow C",),
    ),
    Word(
        "preview",
        "preview MOVE",
        "tells what is known of a move before you make it, and changes nothing",
        "preview V-NW2",
    ),
    Word(
        "try",
        "try MOVE; if no MOVE",
        "leaves a plan for your coming turns: what to try next, and what after the answer",
        "try V-NW2; if no V-N1; if no C-S1",
        more=("try MOVE; then MOVE",),
        further=("try V-NW2; then V-N1",),
    ),
    Word(
        "press",
        "press TEXT",
        "passes what you write on to the other player; it goes on over the next lines, up to an empty one",
        "press Bravo!",
        True,
        more=("press all TEXT",),
        further=("press all Good game!",),
    ),
    Word(
        "mute",
        "mute [GAME]",
        "keeps your opponent's press from you, or lets it come again",
        "mute",
        more=("mute off [GAME]",),
        further=("mute off",),
    ),
    Word(
        "diary",
        "diary TEXT",
        "notes something for yourself, shown to both of you at the end; alone, it shows what you noted",
        "diary H = Cardinal?",
        more=("diary",),
        further=("diary",),
    ),
    Word(
        "claim",
        "claim TEXT",
        "brings something before the umpire",
        "claim L-S2: no?",
        more=("claim time",),
        further=("claim Bert has not written for two months.",),
    ),
    Word(
        "appeal",
        "appeal GAME/CASE TEXT",
        "asks somebody else to look at a ruling on your claim again, or at what an umpire has done in your game",
        "appeal 17/1 The letter says NW.",
        more=("appeal [GAME] TEXT", "appeal GAME act NUMBER TEXT", "appeal GAME DATE TEXT"),
        further=("appeal 17 The letter says NW.", "appeal 17 act 2 The letter says NW."),
    ),
    Word(
        "leave",
        "leave DATE DATE",
        "takes days off, from the one to the other, in which none of your time runs; alone, shows what you have taken",
        "leave 2027-07-01 2027-07-14",
        more=("leave", "leave off"),
    ),
    Word(
        "pause",
        "pause [GAME]",
        "offers that no time runs in a game for a while, or agrees to that",
        "pause 17",
    ),
    Word(
        "resume",
        "resume [GAME]",
        "ends a pause that you have agreed on, a day later, or takes your offer of one back",
        "resume 17",
    ),
    Word(
        "watch",
        "watch GAME",
        "lets you follow a game of others, where they have agreed to it, or ends that",
        "watch 17",
        more=("watch off [GAME]",),
        further=("watch off 17",),
    ),
    Word(
        "umpire",
        "umpire ACTION: REASON",
        "acts in a game as its umpire, if you are; you are shown first what would follow, and do it by confirming",
        "umpire pause 17 until 2027-01-03: Holidays.",
        further=("umpire take back 17 to 12 White: Misread.",),
    ),
    Word(
        "rematch",
        "rematch [GAME]",
        "offers your opponent the same game once more, with the colours exchanged",
        "rematch 17",
    ),
    Word(
        "set",
        "set reports text|html|json",
        "chooses how your letters look and how often they come, your time zone, and which addresses are yours",
        "set reports text",
        more=(
            "set sheets grid|list|picture",
            "set picture on|off",
            "set compass record|own",
            "set letters each|daily|urgent",
            "set calendar on|off",
            "set overview daily|weekly|off",
            "set hold 15m|1h|6h|1d|wait",
            "set language en|fr",
            "set zone CITY",
            "set address ADDRESS",
            "set second ADDRESS|none",
        ),
    ),
    Word(
        "bye",
        "bye",
        "as your whole letter: you leave, and what is known of you is erased; you are asked first",
        "bye",
    ),
)
"""In the order of the help page."""

OPTIONS = "options"
"""A topic: the options with which a game may be proposed."""
TIME = "time"
"""A topic: how time is counted."""
TOPICS: tuple[str, ...] = (
    *(word.name for word in WORDS),
    *(entry.name for entry in CATALOGUE),
    OPTIONS,
    TIME,
)
"""The topics of `help`: each word, each game, the options of a game, its time."""

THE_GAME = "rules"
"""A topic that stands for the page of the game that the letter is about."""
ABOUT_THE_GAME: frozenset[str] = frozenset(
    ("rules", "rule", "move", "moves", "types", "type", "pieces", "piece", "board")
)
"""Topics that are explained on the page of a game."""
THE_SHEETS = "sheets"
"""A topic that stands for that page's part on deduction sheets."""
ALSO_CALLED: Mapping[str, str] = {
    "option": OPTIONS,
    "sheet": THE_SHEETS,
    "deduction": THE_SHEETS,
    **dict.fromkeys(("dossier", "dossiers"), THE_SHEETS),
    **dict.fromkeys(("clock", "clocks", "calendar", "deadline", "deadlines"), TIME),
    **{word: entry.name for entry in CATALOGUE for word in entry.topics},
}
"""Other words for these topics, and topics that only the page of one game explains."""

SIDES: frozenset[str] = frozenset(seat for entry in CATALOGUE for seat in entry.seats)
"""The sides whose pieces `why` can be asked about."""
