"""Stories of games between thirteen spies a side, with sealed answers (CF-10). Pages as in `stories`, in a folder of
their own."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from referee.rulebooks.rulebook import Seat
from tests.support.playing import Club, Correspondent
from tests.transcripts.stories_of_time import DAY, HOUR, clocks_start, passes

WHITE_DEAL = "A6 C8 E10 H11 K? L1 N3 O9 P7 S5 T12 V4 X2"
RED_DEAL = "A4 C8 E? H11 K5 L2 N1 O3 P7 S6 T10 V9 X12"
"""Red's K, a Novice, and its double agent, E, are few turns from the briefcase."""
DEAL = f"White={WHITE_DEAL}; Red={RED_DEAL}"
HONEST_DEAL = (
    f"White={WHITE_DEAL} ; Red={RED_DEAL}".replace(" X2", "")
    .replace(" X12", "")
    .replace("E?", "E12")
    .replace("K?", "K2")
)
"""By the code of honour: no X, and a type for everybody."""


def anna_and_bert(club: Club, deal: str = DEAL, **options: Any) -> tuple[Correspondent, Correspondent, int]:
    """Seat Anna on red, who begins, and Bert on white, before the story begins."""
    anna, bert = club.member("Anna"), club.member("Bert", "bert@example.com")
    seats = {"red": anna, "white": bert}
    game = club.starts(seats, first="red", rules="spies", deal=deal, **options)
    club.exchanges.clear()
    return anna, bert, game


ALL_TOKENS = {f"tokens.{side}": "reveal,move,swap" for side in ("white", "red")}
"""Both sides have every action token."""


def rounds(game: int, *turns: tuple[Correspondent, str]) -> None:
    """Play turns by letter, each in answer to the letter of this game that its player had last. A turn is one letter's
    lines, with bars between."""
    for who, lines in turns:
        who.replies(*lines.split(" | "), to=who.last_about(game))


def two_strangers_play_spies(club: Club) -> None:
    """Two strangers play spies

    Anna invites somebody who has never heard of the referee to a game of spies by `challenge`, and he answers
    `accept`. Every turn is sealed until the other side's next one comes. Where Anna's double agent attempts
    something, Bert says `allow` in the letter of his move. Then she writes `resign`.
    """
    anna = club.person("Anna")
    bert = club.person("Bert", "bert@example.com")
    anna.writes("register Anna", subject="Hello")
    anna.replies("challenge bert@example.com spies option colour=red option first=red")
    bert.replies("accept")
    rounds(1, (anna, "L-N1"), (bert, "L-S1"), (anna, "H-N2"), (bert, "allow | C-S1"), (anna, "resign"))


def sealed_answers(club: Club) -> None:
    """Sealed answers

    Anna hears nothing but a receipt of her turn, whether Bert has to be asked for the answer or not; what it was
    she hears with his next turn. L is a Probe, and nobody has to be asked. E is her double agent: so Bert is
    asked, and cannot move before he says `allow` or `deny`. What he has said stands.
    """
    anna, bert, game = anna_and_bert(club)
    rounds(
        game,
        (anna, "L-N1"),
        (bert, "L-S1"),
        (anna, "E-N3"),
        (bert, "C-S1"),
        (bert, "allow"),
        (bert, "deny | C-S1"),
        (anna, "E-NE1xZ"),
        (bert, "Well, well. | deny | A-S1"),
        (anna, "L-N1"),
    )


def standing_instructions(club: Club) -> None:
    """Standing instructions

    With `agent always`, `agent never` or `agent as` a type Bert says once for all how Anna's double agent is
    answered, in his turn or out of it; `agent ask` is how every game begins. What he says to one attempt goes
    before it. Anna notices nothing of all this.
    """
    anna, bert, game = anna_and_bert(club)
    rounds(
        game,
        (bert, "agent as Tower | agent as 14"),
        (anna, "E-N2"),
        (bert, "L-S1"),
        (anna, "E-N3"),
        (bert, "L-S1"),
        (anna, "E-NE1"),
        (bert, "agent never | allow | L-E1"),
        (bert, "agent ask"),
        (anna, "E-N1"),
    )


def what_spies_are_played_with(club: Club) -> None:
    """What spies are played with

    The five variants are options, and so are the action tokens of each side: `open spies` says them, and so does
    the list of games that may be joined. What is not known, or cannot be meant, is named at once.
    """
    anna, bert = club.member("Anna"), club.member("Bert", "bert@example.com")
    club.exchanges.clear()
    anna.writes(
        "open spies option tokens=all option small-wrold=on",
        "open spies option tokens.red=reveal,swop option comrade=maybe",
        "open spies option first=yellow option tokens.white=reveal,reveal",
    )
    anna.replies(
        "open spies option small-world=on option comrade=on option tokens.red=swap option tokens.white=reveal,move"
    )
    bert.writes("games")
    bert.replies("join 1")


def by_the_code_of_honour(club: Club) -> None:
    """By the code of honour

    With `option code-of-honour=on` there are no double agents: twelve spies a side, nobody is asked for an answer,
    and nobody is removed from the game.
    """
    anna, bert, game = anna_and_bert(club, HONEST_DEAL, **{"code-of-honour": "on"})
    rounds(
        game,
        (anna, "E-NE1"),
        (bert, "agent never | eliminate C | L-S1"),
        (anna, "E-NW1"),
        (bert, "allow | K-S2"),
    )


def a_small_world(club: Club) -> None:
    """A small world

    With `option small-world=on` the outermost file on either side is dark: nobody can go there.
    """
    anna, bert, game = anna_and_bert(club, **{"small-world": "on"})
    rounds(game, (anna, "A-W2"), (anna, "A-W1"), (bert, "A-E1"), (anna, "A-W1"), (anna, "A-N2"))


def late_contact(club: Club) -> None:
    """Late contact

    With `option late-contact=on` the briefcase that is brought home has not won yet: the other side has one turn
    to capture or to remove the spy that holds it. Bert tries, and his Cardinal cannot.
    """
    anna, bert, game = anna_and_bert(club, **{"late-contact": "on"})
    rounds(
        game,
        (anna, "E-N4"),
        (bert, "agent always | A-S1"),
        (anna, "E-E1"),
        (bert, "A-S1"),
        (anna, "EZ-N4"),
        (bert, "A-S1"),
        (anna, "EZ-N1xX"),
        (bert, "H-NE1xE"),
        (anna, "L-N1"),
    )


def a_set_up_by_list_and_by_drawing(club: Club) -> None:
    """A set-up by list and by drawing

    With `option variable-setup=on` both arrange their spies before the first turn. All that is wrong with a set-up
    is named at once. Bert writes a list and Anna draws hers; nobody sees the other's before both are in.
    """
    anna, bert, game = anna_and_bert(club, **{"variable-setup": "on"})
    rounds(
        game,
        (anna, "L-N1"),
        (bert, "setup A1-1 A2-1 C12-1 E3-3 H4-1 K4-1 Q5-1 L6-2 N7-2"),
        (bert, "setup A1-1 C1-2 E3-1 H3-2 K5-1 L5-2 N6-1 O7-1 P7-2 S9-1 T9-2 V11-1 X11-2"),
        (bert, "status"),
        (anna, "setup | ..ACEHKLNO.. | ....PS.TV.."),
        (anna, "setup | ..NA.H.LEK. | ..CO.PXSTV."),
        (anna, "K-N1"),
        (bert, "L-S1"),
    )


def promotion_for_comrades(club: Club) -> None:
    """Promotion for comrades

    With `option comrade=on` every spy may be promoted that arrives on the far rank, if its player says so by a +
    behind the move: even Bert's Probe. Before it arrives there is nothing to wish for.
    """
    deal = DEAL.replace("L1", "L2").replace("X2", "X1")
    anna, bert, game = anna_and_bert(club, deal, comrade="on")
    rounds(
        game,
        (anna, "K-N1"),
        (bert, "L-S3+"),
        (bert, "L-S3"),
        (anna, "K-N1"),
        (bert, "L-S3"),
        (anna, "K-N1"),
        (bert, "L-S2xA"),
        (anna, "K-N1"),
        (bert, "L-S1xN+"),
        (anna, "K-N1"),
        (bert, "L-NE2"),
    )


def double_agents_are_unmasked(club: Club) -> None:
    """Double agents are unmasked

    The double agent alone may not be promoted: who accepts for him by a + has unmasked him. Anna's arrives
    without, and then accepts; the briefcase would go to Bert, who will not have it: `allow without Z`. His own
    accepts at once, and with Anna's answer the briefcase is hers.
    """
    anna, bert, game = anna_and_bert(club, comrade="on")
    rounds(
        game,
        (anna, "E-N4"),
        (bert, "agent always | K-S4"),
        (anna, "agent always | E-N4xH"),
        (bert, "K-S4xC"),
        (anna, "E-N1xS"),
        (bert, "A-S1"),
        (anna, "E-W1xT+"),
        (bert, "allow without Z | K-S1xO+"),
        (anna, "K-N1"),
        (bert, "A-S1"),
    )


def the_token_reveal(club: Club) -> None:
    """The token Reveal 1

    Anna is shown one of her own spies, at once and alone. Bert hears which it was with her move, and she moves
    with another spy.
    """
    anna, bert, game = anna_and_bert(club, **ALL_TOKENS)
    rounds(
        game, (anna, "reveal C"), (anna, "C-NW1"), (anna, "K-N1"), (bert, "L-S1"), (anna, "reveal E | K-NW1")
    )


def the_token_move(club: Club) -> None:
    """The token Move 2

    Two attempts in one turn, by two spies of the own half. Both of Anna's are answered. Bert's second would have
    needed the first, which is refused: so it lapses.
    """
    anna, bert, game = anna_and_bert(club, **ALL_TOKENS)
    rounds(
        game,
        (anna, "move L-N1, K-NW1 | A-N1"),
        (bert, "C-S1 & O-S1"),
        (anna, "move A-N1 N-N1"),
        (anna, "L-N1"),
        (bert, "L-S1"),
    )


def the_token_swap(club: Club) -> None:
    """The token Swap 2

    Two of Anna's spies change places, and a third one moves. Bert hears it with her move; then he has them changed
    places too.
    """
    anna, bert, game = anna_and_bert(club, **ALL_TOKENS)
    rounds(
        game,
        (anna, "swap N L | N-N4"),
        (anna, "K-N1"),
        (bert, "A<>V | L-S1"),
        (anna, "N-N4"),
        (bert, "L-S1"),
    )


def a_handicap(club: Club) -> None:
    """A handicap

    Bert has all three action tokens, and Anna has none.
    """
    tokens = {"tokens.white": "reveal,move,swap", "tokens.red": "none"}
    anna, bert, game = anna_and_bert(club, **tokens)
    rounds(
        game,
        (anna, "reveal C | L-N1"),
        (bert, "reveal L | swap A V | A-S1"),
        (anna, "L-N1"),
        (bert, "A-S1 & L-S1"),
    )


def a_spy_is_removed(club: Club) -> None:
    """A spy is removed by its own side

    Anna believes that C is her double agent, and removes it before her move; once a turn, and not in the turn of
    another token. Bert sees that it was a Wimp; she does not. What it was stays secret to her until the end.
    """
    anna, bert, game = anna_and_bert(club, **ALL_TOKENS)
    rounds(
        game,
        (anna, "C-N1"),
        (bert, "L-S1"),
        (anna, "eliminate C"),
        (anna, "eliminate E | reveal E | C-NE1 | L-N1"),
        (bert, "L-S1"),
        (anna, "L-N1"),
    )


def the_opponent_s_double_agent_is_removed(club: Club) -> None:
    """The opponent's double agent is removed

    Bert's double agent has come too near: before her move Anna removes him, as she can do with nobody else. Both
    know then who he was, and she is not asked for any answer any more.
    """
    anna, bert, game = anna_and_bert(club)
    rounds(
        game,
        (anna, "L-N1"),
        (bert, "K-S4"),
        (anna, "eliminate their C | eliminate agent"),
        (anna, "allow | L-N1"),
        (bert, "L-S1"),
        (anna, "L-N1"),
        (bert, "eliminate agent | L-S1"),
    )


def the_briefcase_comes_home(club: Club) -> None:
    """The briefcase comes home

    Anna's Novice takes the briefcase to the far rank. That has won at once: Bert sees it coming, and whatever he
    orders then is void.
    """
    anna, bert, game = anna_and_bert(club)
    rounds(
        game,
        (anna, "K-NW2"),
        (bert, "A-S1"),
        (anna, "K-N2"),
        (bert, "A-S1"),
        (anna, "KZ-N2"),
        (bert, "A-S1"),
        (anna, "KZ-N2"),
        (bert, "A-S1"),
        (anna, "KZ-N1xX"),
        (bert, "A-S1"),
    )


def a_double_agent_comes_home(club: Club) -> None:
    """A double agent comes home

    Bert allows all that Anna's double agent attempts, so that she takes it for a spy of worth. She does. When he
    sees what comes of it he gives up, but it is the briefcase that has won.
    """
    anna, bert, game = anna_and_bert(club)
    rounds(
        game,
        (anna, "E-N4"),
        (bert, "agent always | A-S1"),
        (anna, "E-E1"),
        (bert, "A-S1"),
        (anna, "EZ-N4"),
        (bert, "A-S1"),
        (anna, "EZ-N1xX"),
        (bert, "resign"),
    )


def the_clock_opens_the_seal(club: Club) -> None:
    """The clock opens the seal

    Bert does not answer. With `option lapse=soft` his time opens the seal of Anna's turn: he has given no
    instruction, so her double agent is denied. The turn he owes still, and he moves before Anna writes `claim
    time`. The next time he does not.
    """
    club.waits(2 * DAY)
    anna, bert, game = anna_and_bert(club, time="2d/move", lapse="soft")
    clocks_start(club)
    rounds(game, (anna, "E-N3"))
    clocks_start(club)
    passes(club, 2 * DAY + HOUR, "Bert's two days are over.")
    rounds(game, (bert, "allow | A-S1"), (anna, "E-N2"))
    clocks_start(club)
    rounds(game, (bert, "agent always"))
    passes(club, 2 * DAY + HOUR, "Bert's two days are over once more.")
    rounds(game, (anna, "claim time"))


def time_ends_a_sealed_game(club: Club) -> None:
    """Time ends a sealed game

    Bert's time is up, and the game is lost for him. Anna's last turn is answered first.
    """
    club.waits(2 * DAY)
    anna, _, game = anna_and_bert(club, time="2d/move", lapse="hard")
    clocks_start(club)
    rounds(game, (anna, "L-N3"))
    clocks_start(club)
    passes(club, DAY + HOUR, "A day has gone by: less than a day is left to Bert.")
    passes(club, DAY, "Bert's two days are over.")


def a_sealed_game_that_is_taken_back(club: Club) -> None:
    """A sealed game that is taken back

    The umpire takes the game back to Anna's turn: Bert's order goes with it, and what both had confided for their
    turns. The seal of the turn before is closed again, and Bert's instruction stays.
    """
    anna, bert, game = anna_and_bert(club)
    rounds(
        game,
        (anna, "L-N1"),
        (bert, "agent never | L-S1"),
        (anna, "eliminate C | E-N1"),
        (bert, "allow | A-S1"),
    )
    reason = "Red's letter said V-N1 and was read as E-N1."
    club.referee.umpire.take_back(game, 2, reason, seat=Seat("red"))
    club.noted("The umpire takes the game back to Red's turn 2.")
    rounds(game, (anna, "K-N1"), (bert, "L-S1"), (anna, "record"))


def a_plan_and_an_instruction(club: Club) -> None:
    """A plan and an instruction

    A plan may have to wait for an answer, and its delay would tell that there was one to give. So Bert leaves his
    with `agent never`, and it goes on by itself; with `agent ask` it ends.
    """
    anna, bert, game = anna_and_bert(club)
    rounds(
        game,
        (bert, "try L-S1; then L-S1; then L-S1"),
        (bert, "agent never | try L-S1; then L-S1; then L-S1"),
        (anna, "E-N1"),
        (anna, "L-N1"),
        (bert, "agent ask"),
        (anna, "L-N1"),
    )


def resigning_while_a_turn_is_sealed(club: Club) -> None:
    """Resigning while a turn is sealed

    Anna has ordered her turn, and then gives up by `resign` before Bert has moved. The seal is opened, and the
    deals are shown.
    """
    anna, bert, game = anna_and_bert(club)
    rounds(game, (anna, "L-N1"), (bert, "L-S1"), (anna, "E-N3"), (anna, "resign"))


def watching_spies(club: Club) -> None:
    """Watching spies

    Whoever has written `watch` hears what both players hear: turns when they are answered, and never an
    instruction.
    """
    anna, bert, game = anna_and_bert(club, watchers="on")
    carl = club.member("Carl")
    club.exchanges.clear()
    carl.writes(f"watch {game}")
    rounds(
        game,
        (anna, "E-N3"),
        (bert, "agent never | allow | L-S1"),
        (anna, "eliminate agent | L-N1"),
        (bert, "L-S1"),
        (carl, "status | record"),
    )


def what_is_known_of_spies(club: Club) -> None:
    """What is known of spies

    One answer proves nothing of a spy that may be the double agent, two that contradict each other prove that it
    is. The word `why` says by which answers something is known, `preview` what a move can teach, `record` all so
    far.
    """
    anna, bert, game = anna_and_bert(club, **ALL_TOKENS)
    rounds(
        game,
        (anna, "E-N3"),
        (bert, "allow | L-S1"),
        (anna, "reveal K | L-N1"),
        (bert, "L-E1"),
        (anna, "preview E-NE1 | why E | why K | why white L"),
        (anna, "E-NE1"),
        (bert, "allow | L-S1"),
        (anna, "why E | record"),
    )


WHOLE_GAME = {
    "small-world": "on",
    "late-contact": "on",
    "variable-setup": "on",
    "comrade": "on",
    **ALL_TOKENS,
}
"""All that goes together; by the code of honour half of it would not be there."""


def a_whole_game_of_spies(club: Club) -> None:
    """A whole game of spies

    With every variant but the code of honour, every action token, and both ways to remove a spy. Anna's Rocket
    brings the briefcase to Bert's first rank and is captured there; her double agent betrays himself; and Bert's
    Novice brings the briefcase to hers, where nobody captures it.
    """
    anna, bert, game = anna_and_bert(club, **WHOLE_GAME)
    rounds(
        game,
        (bert, "setup A3-2 C4-2 E5-2 H7-2 K8-2 L9-2 N3-1 O4-1 P5-1 S7-1 T8-1 V9-1 X6-1"),
        (anna, "setup | ..ACENHKL.. | ..OPX.STV.."),
        (anna, "reveal N"),
        (anna, "E-N3"),
        (bert, "allow | swap A V | L-S4"),
        (anna, "N-N4xZ & K-NW1"),
        (bert, "eliminate P | L-S3"),
        (anna, "swap A L | NZ-N4"),
        (bert, "reveal K | H-E1xN"),
        (anna, "eliminate agent | NZ-N1xX+"),
        (bert, "S-E1xN & C-SE1"),
        (anna, "E-N4"),
        (bert, "agent always | SZ-S2"),
        (anna, "E-N1xH"),
        (bert, "SZ-S2"),
        (anna, "E-N1+"),
        (bert, "allow without Z | SZ-S2"),
        (anna, "A-N1"),
        (bert, "SZ-S2"),
        (anna, "C-N1"),
        (bert, "SZ-S2+"),
        (anna, "X-E1xS"),
        (bert, "A-S1"),
    )


STORIES_OF_SPIES: tuple[Callable[[Club], None], ...] = (
    two_strangers_play_spies,
    sealed_answers,
    standing_instructions,
    what_spies_are_played_with,
    by_the_code_of_honour,
    a_small_world,
    late_contact,
    a_set_up_by_list_and_by_drawing,
    promotion_for_comrades,
    double_agents_are_unmasked,
    the_token_reveal,
    the_token_move,
    the_token_swap,
    a_handicap,
    a_spy_is_removed,
    the_opponent_s_double_agent_is_removed,
    the_briefcase_comes_home,
    a_double_agent_comes_home,
    the_clock_opens_the_seal,
    time_ends_a_sealed_game,
    a_sealed_game_that_is_taken_back,
    a_plan_and_an_instruction,
    resigning_while_a_turn_is_sealed,
    watching_spies,
    what_is_known_of_spies,
    a_whole_game_of_spies,
)
