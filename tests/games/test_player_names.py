"""What players may be called, and which names look alike."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.common.characters import is_another
from referee.games.player_names import (
    LONGEST_NAME,
    MOST_WORDS,
    better_name,
    check_name,
    holds_word,
    skeleton,
    tidy_name,
)
from referee.rulebooks.catalogue import RULEBOOKS


@pytest.mark.parametrize(
    "name",
    [
        "Anna", "Jean-Luc Picard", "Ægir", "O'Neill", "D’Artagnan", "A. B.", "J.R.R. Tolkien", "J.-P. Sartre",
        "St. John", "Anna & Bert", "Anna 2", "R2-D2", "Anna White", "An", "Đặng Thị", "Núria Marsal·là", "ʻOkina",
        "Анна Петрова", "Νίκος", "李雷", "山田 太郎", "がく", "김철수", "李 Lee",
        "กัญญา", "राम", "אנה", "آنا", "Անի", "ანა",
        "Jean-François", "O'Brien", "Sammy Davis Jr.", "Sammy Davis, Jr.", "J. R. R. Tolkien", "Müller-Lüdenscheidt",
        "张伟", "Ελένη", "Владимир", "Nguyễn Văn A", "van der Berg", "María José", "D'Artagnan", "Anna-Lena", "Dr. No",
        "Łukasz Żak", "İpek Şükrü", "Þór", "Sørina", "Ķēniņš", "Ɓala Ƙasim", "Ìyádé", "Əli", "Ɔfori",
        "Олександр Ґудзь", "Љубица", "Әлия Қайрат", "佐々木", "スーザン", "محمد علي", "Juan de la Cruz",
        "Mr. T", "Red Adair", "Gary Player", "Norman Mailer", "Won", "Will Self", "Anna!",
        "Seth Desker", "A. White", "Will White", "You Xiaodi",
    ],
)  # fmt: skip
def test_names_of_people_will_do(name: str) -> None:
    assert check_name(name) is None


@pytest.mark.parametrize(
    ("code", "names"),
    [
        ("name-length", ["", "   ", "x" * (LONGEST_NAME + 1), "ﷺ" * 3]),
        ("name-sign", ["a\x00b", "[game 3]", "x<y>", "a@b", "＠nna", "a/b", "a:b", "Anna (x)"]),
        ("name-sign", ["a\\b", "=?x", "Anna 🎲"]),
        # what is not seen, or turns the line round
        ("name-sign", ["An\u00adna", "Anna\u200b", "Anna\u202e", "\u2066Anna", "Anna\u3164"]),
        ("name-sign", ["\u115fAnna", "Anna\ufe0f", "An\u034fna"]),
        ("name-sign", ["Ꭺnna", "ꓮnna", "Ⲁnna", "Anna ٣"]),  # scripts that are not in wide use, and other digits
        # clicks, small capitals, signs of phonetics, raised letters, old and single ones
        ("name-sign", ["Wiǀǀiam", "WiƖƖiam", "Wɩllɩam", "ᴀɴɴᴀ", "ʀᴇꜰᴇʀᴇᴇ", "Ɑnna", "Annɐ", "Anna ˈ"]),
        ("name-sign", ["Νϝκη", "Ѵера", "Ꙗна", "Ԛира", "مـحـمـد", "ㅣ", "Ann\u02d0a"]),
        ("name-sign", ["Win+", "a@b", "a/b"]),
        ("name-sign", ["Anna²", "Anna①", "Carl Ⅳ", "Anna½", "𝐀nna", "ⓐnna", "Anna™"]),  # none is what it looks like
        ("name-digits", ["Anna 1234", "call 49 30 12", "A1-2.3,4"]),
        ("name-dot", ["http evil", "WWW Anna"]),
        ("name-marks", ["A\u0316\u0317\u0318nna", "\u0301Anna", "A \u0301nna", "A" + "\u0300\u0301" * 9]),
        ("name-letters", ["42", "...", "1.2", "ʻʼ", "- -"]),
        ("name-scripts", ["Аnna", "Anna Петрова", "Νina", "Anna-Νίκη", "Pаul", "Lее", "Иvan"]),
        ("name-scripts", ["Annа הנא", "Anna אנה", "Anna ა"]),
        ("name-dot", ["evil.example", "x.com", "Anna visit evil.example", "J.R.R.Tolkien", "www.anna"]),
        ("name-dash", ["Anna - Bert", "-Anna", "Anna -", "Anna--Bert", "Anna – Bert"]),
        ("name-reserved", ["Referee", "The Referee", "REFEREE", "Re-feree", "Referee·", "Réferee", "Referee!"]),
        ("name-reserved", ["Reƒeree", "Referees", "The Referee of Confusion", "Referee, Confusion", "Ref e ree"]),
        ("name-reserved", ["Anna Referee", "TheReferee", "Refereebot", "Umpire 1", "an umpire"]),
        ("name-reserved", ["Umpire of this game", "Operator", "Wh1te Re-feree", "Mail Desk", "Desks"]),
        ("name-reserved", ["System", "The System", "Game Over"]),
        ("name-reserved", ["Game Master", "Gamemaster", "Games", "Admin", "Ad-min", "Adm1ns", "Postmaster", "Resign"]),
        ("name-reserved", ["You have won. Write resign", "Your turn", "You won", "It is your move", "Your opponent"]),
        ("name-reserved", ["White", "White Yellow", "White-Yellow", "Wh1te", "red 5", "you", "me please", "now"]),
        ("name-reserved", ["Observer", "an observer", "Observateur", "Director"]),
        ("name-reserved", ["Reds", "A White", "White won", "You lost Victor", "Your turn, Yannick"]),
        ("name-reserved", ["Confusion", "Confusion 17", "Anna Confusion 17", "Confusion-17", "Confusion17", "Game 3"]),
        ("name-sentence", ["Anna. Victor", "It ended! Anna", "Why? Anna", "Anna,Bert", "Tolkien, John"]),
        ("name-sentence", ["Anna!Bert", "Bert. No. Yes.", "Ах. Анна"]),
        ("name-words", ["Anna Berta Carla Dora Emma Fanny", "A B C D E F", "Graf Johann von und zu Berg"]),
    ],
)  # fmt: skip
def test_names_that_would_mislead_will_not_do(code: str, names: list[str]) -> None:
    for name in names:
        fault = check_name(name)
        assert fault is not None and fault.code == code, name
        assert fault.sentence().isprintable()


def test_no_game_s_title_is_a_name_with_or_without_its_number() -> None:
    for rulebook in RULEBOOKS:
        for title in (rulebook.title, rulebook.name.upper()):
            assert check_name(title) is not None
            assert check_name(f"{title} 17") is not None


@pytest.mark.parametrize(
    "names",
    [
        ("Anna", "anna", "ANNA", " Anna ", "Ánna", "Ａｎｎａ", "ΑΝΝΑ", "A-n-n-a", "Anna.", "A nna"),
        ("Martin", "Martın", "rnartin", "MartIn", "M ARTIN"),
        ("Warner", "Wamer", "vvarner", "VVAMER"),
        ("Clara", "dara", "CIara", "C1ara", "c-lara"),
        ("Fofo", "ƒofo", "FØFØ", "f0f0"),
        ("Łukasz Đurić", "lukasz duric", "Łukasz Ðurić"),
        ("Ægir", "AEgir", "aegir"),
        ("Bill", "BiII", "Bi11", "bill", "Biłl".replace("ł", "l")),
        ("Bob", "B0b", "Вов".upper().replace("В", "B").replace("О", "O")),
        ("Coco", "Сосо", "СОСО"),  # the last two in Cyrillic
        ("Anna B", "Anna  B.", "anna b", "AnnaB"),
        ("Straße", "STRASSE"),
    ],
)
def test_names_that_look_alike_have_one_skeleton(names: tuple[str, ...]) -> None:
    assert len({skeleton(name) for name in names}) == 1


@pytest.mark.parametrize(
    ("one", "other"), [("Anna", "Anne"), ("Anna B", "Anna C"), ("か", "が"), ("राम", "रोम"), ("Анна", "Anna")]
)
def test_names_that_look_different_have_different_skeletons(one: str, other: str) -> None:
    assert skeleton(one) != skeleton(other)


@pytest.mark.parametrize(
    ("name", "better"),
    [
        ("Anna 🎲", "Anna"), ("[Anna]", "Anna"), ("Anna - Bert", "Anna Bert"), ("Tolkien, John", "Tolkien John"),
        ("Graf Johann von und zu Berg", "Graf Johann von und zu"),
        ("a@b.example", ""), ("Referee", ""), ("Game Over", ""), ("Your turn, Yannick", ""),
        ("x" * 41, ""), ("🎲", ""), ("", ""), ("Аnna", ""),
    ],
)  # fmt: skip
def test_of_a_name_that_will_not_do_is_proposed_what_will(name: str, better: str) -> None:
    assert better_name(name) == better


@pytest.mark.parametrize(
    ("name", "held"),
    [
        ("Club Desk", True),
        ("The club-desks", True),
        ("C1ubdesk", True),
        ("Club", False),
        ("Desk of a Club", False),
    ],
)
def test_a_word_is_found_in_a_name_however_it_is_parted(name: str, held: bool) -> None:
    assert holds_word(name, ["Club Desk"]) is held
    assert not holds_word(name, ["", "·"])


@given(st.text(max_size=60))
def test_any_text_is_a_name_or_has_a_reason_why_not(text: str) -> None:
    fault = check_name(text)
    if fault is None:
        kept = tidy_name(text)
        assert check_name(kept) is None and tidy_name(kept) == kept
        assert skeleton(kept) == skeleton(text) != ""
        assert len(kept.split()) <= MOST_WORDS
        assert kept.isprintable() and not set(kept) & set('@<>[]{}()"\\:;|`=%/\r\n')
    else:
        assert fault.sentence()
        better = better_name(text)
        assert not better or check_name(better) is None


@given(st.text("ab 12²①Ⅳ½𝐀ⓐªﬁＡ２é™", max_size=20))
def test_no_sign_of_a_name_becomes_another_unasked(text: str) -> None:
    """`signs`: what only looks like a plain sign is read as that nowhere."""
    assert [c for c in tidy_name(text) if is_another(c)] == [c for c in text if is_another(c)]
    if any(map(is_another, text)):
        assert check_name(text) is not None


@given(st.text(max_size=40))
def test_a_skeleton_does_not_depend_on_case_or_blanks(text: str) -> None:
    assert skeleton(text) == skeleton(f"  {text} ") == skeleton(tidy_name(text))
    if text.isascii():
        assert skeleton(text) == skeleton(text.upper()) == skeleton(text.lower())
