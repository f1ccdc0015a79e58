"""Own lines become commands; prose is passed over; what is nearly a command is a fault."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.commands.command import (
    Accept,
    Challenge,
    Command,
    Help,
    Open,
    Order,
    Register,
    Resign,
    SetPreference,
    Status,
    Why,
)
from referee.commands.command_table import OPTIONS, THE_GAME, THE_SHEETS, TOPICS, WORDS, Word
from referee.commands.grammar import MOST_COMMANDS, Grammar, Understanding
from referee.commands.vocabulary import vocabulary
from referee.common.faults import Fault, Place
from referee.common.i18n import LANGUAGES
from referee.mail.message.message import OwnLine


def looks_like_order(text: str) -> bool:
    return re.fullmatch(r"[A-Z]{1,2} ?- ?\S+", text, re.IGNORECASE) is not None


GRAMMAR = Grammar(looks_like_order, ("confusion", "spies"), ("resign", "confusion"))
DESK = Grammar(looks_like_order, ("confusion",), TOPICS)


def read_all(*texts: str) -> Understanding:
    return GRAMMAR.read([OwnLine(number, text) for number, text in enumerate(texts, 1)])


def read(text: str) -> Command | Fault | None:
    return GRAMMAR.read_line(OwnLine(3, text))


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("V-NW2xZ", "V-NW2xZ"),
        ("18: V-NW2", "18: V-NW2"),
        ("game 18 V-NW2", "18: V-NW2"),
        ("Game 18: V-NW2", "18: V-NW2"),
        ("register Anna", "register Anna"),
        ("REGISTER Anna Ferrand en", "register Anna Ferrand en"),
        ("register Ａｎｎａ", "register Anna"),
        ("register: Dora", "register Dora"),
        ("help", "help"),
        ("help confusion moves", "help confusion"),
        ("Help resign", "help resign"),
        ("games", "games"),
        ("Games.", "games"),
        ("status", "status"),
        ("status 17", "status 17"),
        ("status [game 17]", "status 17"),
        ("17: status", "status 17"),
        ("challenge Bert confusion", "challenge Bert confusion"),
        ("Challenge Bert van Dam Confusion", "challenge Bert van Dam confusion"),
        (
            "challenge bert@example.net confusion option sheets=off option colour=white",
            "challenge bert@example.net confusion option sheets=off option colour=white",
        ),
        ("open spies", "open spies"),
        ("join 4", "join 4"),
        ("Accept!", "accept"),
        ("accept game 17", "accept 17"),
        (
            "accept 17 option First=Yellow option sheets=off",
            "accept 17 option first=yellow option sheets=off",
        ),
        ("17: accept option colour=white", "accept 17 option colour=white"),
        ("rematch", "rematch"),
        ("rematch game 4", "rematch 4"),
        ("watch 17", "watch 17"),
        ("Watch game 17.", "watch 17"),
        ("17: watch", "watch 17"),
        ("watch off", "watch off"),
        ("Watch OFF 17", "watch off 17"),
        ("17: watch off", "watch off 17"),
        ("decline", "decline"),
        ("resign", "resign"),
        ("Draw", "draw"),
        ("agree", "agree"),
        ("agree 17", "agree 17"),
        ("Agree White", "agree white"),
        ("agree none game 17", "agree none 17"),
        ("17: agree draw", "agree draw 17"),
        ("confirm", "confirm"),
        ("cancel 17", "cancel 17"),
        ("record", "record"),
        ("resend", "resend"),
        ("Resend #14!", "resend 14"),
        ("17: resend 2", "17: resend 2"),
        ("why H", "why H"),
        ("Why h?", "why H"),
        ("why H.", "why H"),
        ("WHY Yellow h ?", "why yellow H"),
        ("why white H", "why white H"),
        ("17: why H", "why H 17"),
        ("why H 17", "why H 17"),
        ("why H, game 17?", "why H 17"),
        ("why white H 17", "why white H 17"),
        ("why B", "why B"),
        ("why RI1", "why RI1"),
        ("Why bc12, 17?", "why BC12 17"),
        ("set reports json", "set reports json"),
        ("set sheets list", "set sheets list"),
        ("Set SHEETS Picture", "set sheets picture"),
        ("set address Anna@Example.NET", "set address Anna@example.net"),
        ("set address <mailto:anna@example.net>.", "set address anna@example.net"),
        ("Set second anna@bücher.example", "set second anna@xn--bcher-kva.example"),
        ("set second NONE", "set second none"),
        ("Bye!", "bye"),
    ],
)
def test_a_word_of_the_desk_is_read_in_any_case(text: str, written: str) -> None:
    found = read(text)
    assert isinstance(found, Command)
    assert found.write() == written


@pytest.mark.parametrize(
    "text",
    [
        "Open your eyes!",
        "Agree with you on that.",
        "agree none, please",
        "Watch out!",
        "watch off the coast",
        "watch",
        "Help me please",
        "accept my apologies",
        "resign yourself to it",
        "Draw your own conclusions",
        "I resign",
        "status quo",
        "set the table for two",
        "games are fun",
        "Hello referee,",
        "Accepted with many thanks",
        "resign?",
        "Registered mail came this morning",
        "challenge me if you dare",
        "I shall challenge you one day",
        "record time",
        "accept 17 thanks",
        "why",
        "Why?",
        "why not",
        "why are you so slow?",
        "why H is it",
        "why is it H",
        "why blue-eyed H",
        "why H, please",
        "why 7",
        "why white",
        "why yellow",
        "",
    ],
)
def test_prose_that_begins_with_a_word_of_the_desk_is_passed_over(text: str) -> None:
    assert read(text) is None


@pytest.mark.parametrize(
    ("text", "code", "suggestion"),
    [
        ("challenge Bert", "no-rules", "challenge Bert confusion"),
        ("challenge Bert confuson", "no-rules", "challenge Bert confusion"),
        ("open confussion", "no-rules", "open confusion"),
        ("register Anna de", "no-language", "register Anna"),
        ("register a@b", "name-sign", ""),
        ("register Referee·", "name-reserved", ""),
        ("Register me please", "name-reserved", ""),
        ("register White", "name-reserved", ""),
        ("register 123", "name-letters", ""),
        (f"register {'x' * 41}", "name-length", ""),
        ("challenge Bert confusion option sheets", "option", "option sheets=off"),
        ("set report json", "no-preference", "set reports json"),
        ("set report grid", "no-preference", "set reports text"),
        ("set sheet list", "no-preference", "set sheets list"),
        ("set board picture", "no-preference", "set sheets picture"),
        ("set sheets pictures", "no-preference-value", "set sheets picture"),
        ("set sheets off", "sheets-of-a-game", ""),
        ("set reports jsn", "no-preference-value", "set reports json"),
        ("set language de", "no-language", "set language en"),
        ("challenge Anna chess", "no-rules", "challenge Anna confusion"),
        ("challange Anna confusion", "no-word", "challenge Anna confusion"),
        ("acept", "no-word", "accept"),
        ("17: resing", "no-word", "17: resign"),
        ("regster Dora", "no-word", "register Dora"),
        ("agree whit", "no-end", "agree white"),
        ("agree tie 3", "no-end", "agree draw 3"),
        ("agree draw?", "no-end", "agree draw"),
        ("agree V-NW2", "two-in-one", ""),
        ("help mov", "no-topic", "help move"),
        ("help nonsense", "no-topic", "help"),
        ("help confuson", "no-topic", "help confusion"),
        ("help resing", "no-topic", "help resign"),
        ("register", "name-missing", ""),
        ("register:", "name-missing", ""),
        ("register YOUR NAME", "name-reserved", ""),
        ("resign A-N1", "two-in-one", ""),
    ],
)
def test_a_line_that_is_nearly_a_command_is_a_fault_with_what_was_perhaps_meant(
    text: str, code: str, suggestion: str
) -> None:
    found = read(text)
    assert isinstance(found, Fault)
    assert (found.code, found.suggestion) == (code, suggestion)
    assert found.place is not None and found.place.line == 3
    assert found.reason() and "{" not in found.sentence()


@pytest.mark.parametrize(
    "topic", ["rules", "Rules", "move", "moves", "types", "pieces", "board", "CF-4.2", "cf-11.1"]
)
def test_what_is_told_on_the_page_of_the_game_leads_there(topic: str) -> None:
    asked = read(f"help {topic}")
    assert isinstance(asked, Help) and asked.topic == THE_GAME
    assert asked.write() == "help rules"
    assert isinstance(read(asked.write()), Help)


@pytest.mark.parametrize(
    ("said", "topic"),
    [("sheets", THE_SHEETS), ("sheet", THE_SHEETS), ("option", OPTIONS), ("options", OPTIONS)],
)
def test_sheets_and_options_have_a_page_by_whatever_number_they_are_asked_about(
    said: str, topic: str
) -> None:
    asked = DESK.read_line(OwnLine(1, f"help {said}"))
    assert isinstance(asked, Help) and asked.topic == topic
    again = DESK.read_line(OwnLine(1, asked.write()))
    assert isinstance(again, Help) and again.topic == topic


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("word", WORDS, ids=lambda word: word.name)
def test_every_example_of_a_help_page_is_read_as_its_word_in_every_language(
    word: Word, language: str
) -> None:
    """As the language writes it, with names and texts of its own."""
    spelt = vocabulary(language)
    for example in word.examples:
        found = DESK.in_language(language).read_line(OwnLine(1, spelt.writer.write_sample(example)))
        assert isinstance(found, Command) and type(found) is type(DESK.read_line(OwnLine(1, example)))
        assert found.word.startswith(word.name)


def test_a_suggestion_is_itself_read() -> None:
    """What the desk proposes, it takes."""
    for text in (
        "challenge Bert", "challenge Anna chess", "open confussion", "set report json", "set reports jsn",
        "set language de", "acept", "challange Bert spies", "17: resing", "help mov", "help nonsense",
    ):  # fmt: skip
        found = read(text)
        assert isinstance(found, Fault)
        assert isinstance(read(found.suggestion), Command)


def test_a_letter_is_read_line_by_line_and_every_line_is_accounted_for() -> None:
    lines = [
        OwnLine(n, text)
        for n, text in enumerate(["Hello,", "V-NW2", "nice game", "challenge Bert", "games"], 1)
    ]
    read = GRAMMAR.read(lines)
    assert [command.write() for command in read.commands] == ["V-NW2", "games"]
    assert [fault.code for fault in read.faults] == ["no-rules"]
    assert [line.number for line in read.passed_over] == [1, 3]
    assert not read.empty


@pytest.mark.parametrize(
    "line", ["I resign", "Resign yourself to it", "shall we call it a draw?", "accept, thanks"]
)
def test_a_line_that_may_have_been_meant_is_named_beside_a_command(line: str) -> None:
    read = GRAMMAR.read([OwnLine(1, "V-NW2"), OwnLine(2, line), OwnLine(3, "drawn from life")])
    assert [(fault.code, fault.excerpt) for fault in read.faults] == [("passed-over", line)]
    assert [each.number for each in read.passed_over] == [3]


@pytest.mark.parametrize("line", ["Why not?", "why so fast, my friend?"])
def test_a_question_that_begins_with_why_is_no_command_that_was_missed(line: str) -> None:
    read = GRAMMAR.read([OwnLine(1, "V-NW2"), OwnLine(2, line)])
    assert read.faults == ()
    assert [each.number for each in read.passed_over] == [2]


def test_a_line_that_may_have_been_meant_is_passed_over_where_there_is_no_command() -> None:
    read = GRAMMAR.read([OwnLine(1, "I resign")])
    assert read.empty


def test_a_letter_of_five_hundred_commands_is_read_up_to_the_limit_and_says_so_once() -> None:
    read = GRAMMAR.read([OwnLine(n, "status") for n in range(1, 501)])
    assert len(read.commands) == MOST_COMMANDS
    assert [fault.code for fault in read.faults] == ["too-many"]


def test_a_letter_of_five_hundred_slips_is_read_up_to_the_limit_and_says_so_once() -> None:
    read = GRAMMAR.read([OwnLine(n, "statos") for n in range(1, 500)] + [OwnLine(500, "status")])
    assert [fault.code for fault in read.faults] == ["no-word"] * MOST_COMMANDS + ["too-many"]
    assert read.faults[-1].place == Place(MOST_COMMANDS + 1, 1)
    assert not read.commands


def test_of_many_lines_that_may_have_been_meant_not_all_are_named() -> None:
    lines = [OwnLine(1, "status"), *(OwnLine(n, "perhaps I resign") for n in range(2, 500))]
    read = GRAMMAR.read(lines)
    assert len(read.faults) == MOST_COMMANDS
    assert len(read.commands) + len(read.faults) + len(read.passed_over) == len(lines)


@given(st.text(max_size=60))
def test_any_line_is_a_command_a_fault_or_prose(text: str) -> None:
    found = read(" ".join(text.split()))
    assert found is None or isinstance(found, Command | Fault)
    if isinstance(found, Fault):
        assert found.sentence()


@given(
    st.one_of(
        st.builds(
            lambda n: f"register {n}", st.from_regex(r"[A-Za-z]{3,9}( [A-Z][a-z]{2,8})?", fullmatch=True)
        ),
        st.builds(lambda n: f"status {n}", st.integers(1, 10**8)),
        st.builds(
            lambda a, o: f"challenge {a} confusion{o}",
            st.sampled_from(["Bert", "b@example.net"]),
            st.sampled_from(["", " option sheets=off", " option first=white"]),
        ),
    )
)
def test_what_a_command_writes_reads_as_the_same_command(text: str) -> None:
    found = read(text)
    if isinstance(found, Command):
        again = read(found.write())
        assert isinstance(again, Command) and again.write() == found.write()


def test_each_word_becomes_its_own_command() -> None:
    kinds = {
        "register Anna": Register, "help": Help, "status": Status, "challenge Bert confusion": Challenge,
        "open confusion": Open, "accept": Accept, "resign": Resign, "set reports text": SetPreference, "V-N1": Order,
        "why H": Why,
    }  # fmt: skip
    assert all(isinstance(read(text), kind) for text, kind in kinds.items())


def test_a_leading_game_number_is_one_also_where_the_whole_line_looks_like_an_order() -> None:
    found = Grammar(lambda text: True, ("confusion",), ()).read_line(OwnLine(1, "18: V-NW2"))
    assert isinstance(found, Order)
    assert (found.game, found.text) == (18, "V-NW2")


@pytest.mark.parametrize("text", ["resign please", "Resign now!", "draw please"])
def test_a_grave_word_with_another_is_said_not_to_have_been_done(text: str) -> None:
    """Its page alone would leave the writer to wonder whether he has resigned."""
    understood = read_all(text)
    assert not understood.commands
    (fault,) = understood.faults
    assert fault.code == "grave-word"
    assert "nothing was done" in fault.reason()
    assert fault.suggestion in ("resign", "draw")


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("challenge Anna confusion first=white", "challenge Anna confusion option first=white"),
        ("open confusion sheets=off press=off", "open confusion option sheets=off option press=off"),
        ("open confusion option sheets=off press=off", "open confusion option sheets=off option press=off"),
    ],
)
def test_options_are_known_without_the_word_for_them(text: str, written: str) -> None:
    found = read(text)
    assert isinstance(found, Command)
    assert found.write() == written


@pytest.mark.parametrize(
    ("text", "topic"),
    [
        ("why", "why"),
        ("Why?", "why"),
        ("why white", "why"),
        ("set sheet-like", "set"),
        ("challenge", "challenge"),
        ("open", "open"),
    ],
)
def test_a_letter_of_half_a_command_is_answered_by_the_page_about_its_word(text: str, topic: str) -> None:
    (found,) = read_all(text).commands
    assert (found.word, found.write()) == ("help", f"help {topic}")


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("set", "set"),
        ("Set.", "set"),
        ("set picture off", "set picture off"),
        ("SET Picture No", "set picture off"),
        ("set compass own", "set compass own"),
        ("set letters daily", "set letters daily"),
        ("set letters urgent", "set letters urgent"),
        ("set letters quiet", "set letters quiet"),
    ],
)
def test_what_can_be_set_is_read(text: str, written: str) -> None:
    (found,) = read_all(text).commands
    assert found.write() == written


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("set letters dayly", "set letters daily"),
        ("set compas own", "set compass own"),
        ("set picture of", "set picture off"),
    ],
)
def test_a_choice_that_is_misspelt_is_asked_about(text: str, meant: str) -> None:
    (fault,) = read_all(text).faults
    assert fault.suggestion == meant


@pytest.mark.parametrize(
    "text", ["Why not meet on Sunday?", "Open your eyes!", "What now?", "Set them free, all of them"]
)
def test_prose_is_still_passed_over(text: str) -> None:
    assert read_all(text).empty


@pytest.mark.parametrize(
    ("lines", "asked_about"),
    [
        (("V-N1", "why?"), 0),
        (("V-N1", "why yellow's S"), 1),
        (("why A", "why W A"), 1),
        (("why A", "why Q white"), 1),
        (("V-N1", "Why am I losing?"), 0),
        (("V-N1", "Why I ask:"), 0),
    ],
)
def test_beside_commands_only_a_why_that_names_a_piece_is_asked_about(
    lines: tuple[str, ...], asked_about: int
) -> None:
    assert len(read_all(*lines).faults) == asked_about


@pytest.mark.parametrize("line", ["why H and K", "why H, K", "why H K", "why H white", "why K or my L?"])
def test_a_question_about_several_pieces_is_answered_with_how_to_ask(line: str) -> None:
    for lines in ((line,), ("V-N1", line)):
        (fault,) = read_all(*lines).faults
        assert fault.code == "one-piece"
        assert fault.suggestion == f"why {line.split()[1].strip(',')}"


@pytest.mark.parametrize("line", ["why: H", "why, H", "Why: h?"])
def test_a_stop_behind_why_does_not_matter(line: str) -> None:
    found = read(line)
    assert isinstance(found, Why)
    assert found.subject == "H"


@pytest.mark.parametrize("letter", [("Bye",), ("bye.",)])
def test_bye_is_a_command_where_it_is_the_whole_letter(letter: tuple[str, ...]) -> None:
    assert [command.write() for command in read_all(*letter).commands] == ["bye"]


@pytest.mark.parametrize(
    "letter", [("V-NW2", "Bye"), ("Bye,", "Anna"), ("bye", "Anna"), ("status", "bye bye", "Anna")]
)
def test_elsewhere_bye_is_a_farewell_that_is_passed_over_in_silence(letter: tuple[str, ...]) -> None:
    found = read_all(*letter)
    assert not found.faults
    assert "bye" not in [command.write() for command in found.commands]
    assert any("bye" in line.text.lower() for line in found.passed_over)
    assert [line.number for line in found.passed_over] == sorted(line.number for line in found.passed_over)


@pytest.mark.parametrize("said", ["nobody", "ännä@example.net", "a@b@c.example", "thoughts"])
def test_what_is_no_address_cannot_be_set_as_one(said: str) -> None:
    fault = read(f"set address {said}")
    assert isinstance(fault, Fault)
    assert fault.code == "no-address"
    assert fault.place == Place(3, len("set address ") + 1)


@pytest.mark.parametrize(
    ("lines", "written"),
    [
        (["accept 1 option", "sheets=off"], "accept 1 option sheets=off"),
        (["accept 1", "option sheets=off option colour=white"], "accept 1 option sheets=off option colour=white"),
        (["accept 1 option sheets=off", "", "press=off", "option first=white"],
         "accept 1 option sheets=off option press=off option first=white"),
        (["17: accept", "colour=lot"], "accept 17 option colour=lot"),
        (["accept 2 sheets=off"], "accept 2 option sheets=off"),
        (["challenge Bert confusion option sheets=off", "option colour=white"],
         "challenge Bert confusion option sheets=off option colour=white"),
        (["open confusion option sheets=off option", "finished=3"],
         "open confusion option sheets=off option finished=3"),
    ],
)  # fmt: skip
def test_options_that_a_mail_program_has_broken_off_belong_to_the_line_above(
    lines: list[str], written: str
) -> None:
    read = GRAMMAR.read([OwnLine(number, text) for number, text in enumerate(lines, 1) if text])
    assert [command.write() for command in read.commands] == [written]
    assert not read.faults


@pytest.mark.parametrize(
    ("lines", "faults"),
    [
        (["accept 1 option"], [("option", 1, 10)]),
        (["accept option"], [("option", 1, 8)]),
        (["accept 1 option sheets=off option", "Best wishes, Bert"], [("option", 1, 28)]),
        (["accept 1", "option sheets off"], [("option", 2, 8)]),
        (["challenge Bert confusion", "option sheets="], [("option", 2, 8)]),
        (["accept 1", "Dear Bert,", "option sheets=off"], [("terms-unread", 1, 1), ("options-alone", 3, 1)]),
        (["open confusion", "Dear Bert,", "sheets=off"], [("terms-unread", 1, 1), ("options-alone", 3, 1)]),
        (["join 3", "option sheets=off"], [("takes-no-options", 2, 1)]),
        (["rematch 3 sheets=off"], [("takes-no-options", 1, 11)]),
        (["option sheets=off"], [("options-alone", 1, 1)]),
    ],
)
def test_nothing_is_proposed_or_taken_up_whose_terms_could_not_be_read(
    lines: list[str], faults: list[tuple[str, int, int]]
) -> None:
    read = read_all(*lines)
    assert read.commands == ()
    assert [(each.code, each.place.line, each.place.column) for each in read.faults if each.place] == faults


@pytest.mark.parametrize(
    "below", ["Option two would be nicer", "Options are a wonderful thing", "E=mc2 said Albert"]
)
def test_prose_below_an_answer_is_no_option_of_it(below: str) -> None:
    read = read_all("accept 1", below)
    assert [command.write() for command in read.commands] == ["accept 1"]
    assert [line.text for line in read.passed_over] == [below]


@pytest.mark.parametrize(
    ("guard", "written"),
    [
        ("@3", "@3"),
        ("@turn 3", "@3"),
        ("@turn #3", "@3"),
        ("@ turn#3", "@3"),
        ("@tour #3", "@3"),
        ("@#3", "@letter 3"),
        ("@letter 3", "@letter 3"),
        ("@ letter #3", "@letter 3"),
        ("@lettre #3", "@letter 3"),
    ],
)
def test_a_turn_is_never_taken_for_a_letter(guard: str, written: str) -> None:
    move = read(f"V-N2 {guard}")
    assert isinstance(move, Order)
    assert move.guard is not None
    assert move.guard.write() == written


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("set letters", "letters can be each, daily, urgent; write which behind it"),
        ("Set sheets.", "sheets can be grid, list, picture; write which behind it"),
        ("set zone", "the city is missing"),
        ("set address", "the address is missing; write it behind address"),
    ],
)
def test_a_key_alone_is_answered_with_its_values(line: str, said: str) -> None:
    found = read(line)
    assert isinstance(found, Fault) and found.code == "value-missing"
    assert found.reason().startswith(said)


TOKENS = (
    *(
        "first=white",
        "x=http://x.example/",
        "=",
        "a=",
        "=b",
        "option",
        "rules=spies",
        "1",
        "18:",
        "#2",
        "-1",
        "99999999999",
    ),
    *(
        "confusion",
        "spies",
        "anna@example.net",
        "Anna",
        "off",
        "on",
        "text",
        "to",
        ":",
        ",",
        "\u00bd",
        "V-NW2",
        "if",
        "no",
        ";",
    ),
)


@given(
    st.sampled_from(sorted(LANGUAGES)),
    st.sampled_from([word for each in WORDS for word in (each.name, f"{each.name}:")]),
    st.lists(st.sampled_from(TOKENS), max_size=5),
)
def test_whatever_stands_behind_a_word_of_the_desk_is_read(
    language: str, word: str, behind: list[str]
) -> None:
    line = OwnLine(1, " ".join([vocabulary(language).writer.write(word.rstrip(":")), *behind]))
    Grammar(looks_like_order, ("confusion", "spies"), TOPICS, language).read([line])


@pytest.mark.parametrize(
    ("line", "meant"), [("challenge first=white", "challenge WHOM"), ("open option first=white", "open")]
)
def test_options_without_a_game_are_answered_with_what_is_missing(line: str, meant: str) -> None:
    fault = read(line)
    assert isinstance(fault, Fault) and fault.code == "no-rules"
    assert fault.suggestion == f"{meant} confusion"
