"""The writer's own lines, told from all that stands around them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.mail.message.limits import OWN_LINES
from referee.mail.message.plain_text import SeenLine, plain_lines
from referee.mail.message.quoting import own_lines

ADDRESS = "Referee <referee+abcdefghijklmnop@example.org>"


def own(text: str) -> list[str]:
    return [line.text for line in own_lines(plain_lines(text))]


@pytest.mark.parametrize(
    "announcement",
    [
        f"On Fri, Nov 27, 2026 at 9:04 PM {ADDRESS} wrote:",
        f"On Fri, Nov 27, 2026 at 9:04 PM {ADDRESS}\nwrote:",
        "On Fri, Nov 27, 2026 at 9:04 PM The Referee of All the Games We Play\n<referee@example.org>\nwrote:",
        f"Le ven. 27 nov. 2026 à 21:04, {ADDRESS} a écrit :",
        f"El vie, 27 nov 2026 a las 21:04, {ADDRESS} escribió:",
        f"Am Fr., 27. Nov. 2026 um 21:04 Uhr schrieb {ADDRESS}:",
        f"Il giorno ven 27 nov 2026 alle ore 21:04 {ADDRESS} ha scritto:",
        f"Op vr 27 nov 2026 om 21:04 schreef {ADDRESS}:",
        f"пт, 27 нояб. 2026 г. в 21:04, {ADDRESS}:",
        f"2026年11月27日(金) 21:04 {ADDRESS}：",
        "The Referee wrote:",
        "Am Freitag schrieb Referee:",
        "Op vrijdag schreef Referee:",
        "Den fredag skrev Referee:",
        "Referee ezt írta (időpont: 2026. nov. 27., P, 17:00):",
        f"Vào Th 6, 27 thg 11, 2026 lúc 17:00 {ADDRESS} đã viết:",
        "Il 27 nov Referee ha scritto",
        "Le 27 novembre, Referee a écrit",
        "Referee on 27.11.2026 17:00:00",
        "Referee---27/11/2026 05:00:00 PM---Your move, turn 1.",
    ],
)
def test_an_announced_quotation_is_dropped_with_its_announcement(announcement: str) -> None:
    quotation = "> C-N2\n> more"
    assert own(f"A-N1\n\n{announcement}\n\n{quotation}") == ["A-N1"]
    assert own(f"{announcement}\n{quotation}\n\nA-N1") == ["A-N1"]


@pytest.mark.parametrize(
    "announcement",
    [
        f"On Friday, 27 November 2026 at 21:04:33 CET, {ADDRESS} wrote:",
        f"On Fri, Nov 27, 2026 at 9:04 PM {ADDRESS}\nwrote:",
        f"Am 27.11.2026 um 21:04 schrieb {ADDRESS}:",
        "On 27 Nov 2026, at 21:04, Referee wrote:",
        "Am Freitag schrieb Referee:",
        "Den fredag skrev Referee:",
        "Le vendredi, Referee a écrit :",
        "Il giorno ven 27 nov 2026 alle ore 17:00 Referee ha scritto:",
        "Il 27 nov Referee ha scritto",
        "Il ven 27 nov Referee ha scritto",
        "Referee ezt írta (időpont: 2026. nov. 27., P, 17:00):",
        f"Vào Th 6, 27 thg 11, 2026 lúc 17:00 {ADDRESS} đã viết:",
        "Referee on 27.11.2026 17:00:00",
        "Referee---27/11/2026 05:00:00 PM---Your move, turn 1.",
        '"Referee" <referee@example.org>\n27/11/2026 17:00\n\nTo\nAnna\ncc\n\nSubject\ngame 1',
        "Referee\n2026-11-27 17:00\nAn\nAnna\nThema\nBetreff\nPartie",
        "##- Please type your reply above this line -##",
        "----- Reply above this line -----",
        "Bitte über dieser Zeile antworten",
        "Répondez au-dessus de cette ligne.",
    ],
)
def test_an_announced_quotation_without_marks_ends_the_text(announcement: str) -> None:
    assert own(f"A-N1\n\n{announcement}\n\nC-N2\nmore") == ["A-N1"]


def test_no_more_lines_than_a_person_writes_are_his_own() -> None:
    assert own("A-N1\n" * (OWN_LINES + 5)) == ["A-N1"] * OWN_LINES
    assert own("> E-N1\n" * OWN_LINES + "A-N1") == ["A-N1"]


def test_a_move_right_above_an_announcement_stays() -> None:
    assert own(f"A-N1\nOn Fri, Nov 27, 2026 {ADDRESS} wrote:\n> C-N2") == ["A-N1"]
    assert own("A-N1\nAs you say:\n> C-N2") == ["A-N1", "As you say:"]


@pytest.mark.parametrize("blanks", ["    ", "\t", "      ", "  \t"])
@pytest.mark.parametrize(
    "announcement",
    [
        "The Referee wrote:",
        f"On 27 Nov 2026 {ADDRESS} wrote:",
        f"2026-11-27 {ADDRESS}:",
        "Am Freitag schrieb Anna:",
    ],
)
def test_an_indented_text_below_an_announcement_is_a_quotation(announcement: str, blanks: str) -> None:
    quotation = f"{blanks}C-N2\n\n{blanks}more"
    assert own(f"{announcement}\n\n{quotation}\n\nA-N1") == ["A-N1"]
    assert own(f"A-N1\n{announcement}\n{quotation}") == ["A-N1"]


@pytest.mark.parametrize(
    "line",
    [
        "Here it is:",
        "I wrote:",
        "I move at 18:00:",
        "My address is anna@example.net:",
        "> Bert wrote:",
        "Anna",
    ],
)
def test_an_indented_move_is_the_writer_s_own(line: str) -> None:
    assert own(f"{line}\n    A-N1")[-1] == "A-N1"


@pytest.mark.parametrize(
    "line",
    [
        "On Friday I wrote:",
        "Am Freitag schrieb ich:",
        "On Friday, at last",
        "On 3 occasions my opponent wrote",
        "I am back on 27.11.2026",
        "27/11/2026 17:00",
        "I saw nothing above this line of pieces",
        "To",
    ],
)
def test_prose_that_resembles_an_announcement_ends_nothing(line: str) -> None:
    assert own(f"Hello\n{line}\nA-N1")[-1] == "A-N1"


def test_a_banner_that_asks_for_replies_above_it_is_dropped_where_there_is_none() -> None:
    assert own("## Reply above this line ##\n\nA-N1") == ["A-N1"]
    assert own("> q\n## Reply above this line ##\nA-N1") == ["A-N1"]


def test_a_colon_in_prose_announces_nothing() -> None:
    assert own("Here it is:\nA-N1") == ["Here it is:", "A-N1"]
    assert own("I move at 18:00:\nA-N1") == ["I move at 18:00:", "A-N1"]


@pytest.mark.parametrize(
    "head",
    [
        "From: Referee\nSent: Friday\nTo: Anna\nSubject: game",
        "From: Referee\nDate: Friday",
        "Von: Referee\nGesendet: Freitag\nAn: Anna\nBetreff: Spiel",
        "De : Referee\nEnvoyé : vendredi\nÀ : Anna\nObjet : partie",
        "De: Referee\nEnviado el: viernes\nPara: Anna\nAsunto: partida",
        "Da: Referee\nInviato: venerdì\nA: Anna\nOggetto: partita",
        "Van: Referee\nVerzonden: vrijdag\nAan: Anna\nOnderwerp: spel",
        "От: Referee\nОтправлено: пятница\nКому: Anna\nТема: игра",
        "差出人: Referee\n送信日時: 金曜日\n宛先: Anna\n件名: game",
        "发件人： Referee\n发送时间： 星期五",
        "보낸 사람: Referee\n받는 사람: Anna",
        "*From:* Referee\n*Sent:* Friday",
        "From: Referee\nTo: Anna, and a very long list of others,\n who are named here\nSubject: game",
        "-----Original Message-----\nFrom: Referee\nSent: Friday",
        "-----Ursprüngliche Nachricht-----",
        "-------- Message d'origine --------",
        "---------- Forwarded message ---------\nFrom: Referee",
        "Begin forwarded message:\n\nFrom: Referee\nDate: Friday",
        "Anfang der weitergeleiteten Nachricht:",
        "________________________________\nFrom: Referee\nSent: Friday",
    ],
)
def test_an_unmarked_letter_below_ends_the_text(head: str) -> None:
    assert own(f"A-N1\n\nBert\n\n{head}\n\nC-N2") == ["A-N1", "Bert"]


@pytest.mark.parametrize(
    "head",
    [
        "From: Referee\nSent: Friday\nTo: Bert",
        "----- Original Message -----",
        "----- Original Message -----\n\nFrom: Referee\nTo: Bert",
    ],
)
def test_the_head_of_a_marked_letter_is_dropped_alone(head: str) -> None:
    assert own(f"{head}\n\n> C-N2\n\nA-N1") == ["A-N1"]


def test_one_line_like_a_header_is_the_writer_s_own() -> None:
    assert own("To: whom it may concern\nA-N1") == ["To: whom it may concern", "A-N1"]
    assert own("A: it can be 1 or 2\nC: it is 8\nA-N1") == ["A: it can be 1 or 2", "C: it is 8", "A-N1"]


@pytest.mark.parametrize("mark", ["-- ", "--", "--\u00a0", "_" * 47])
def test_the_signature_and_a_list_s_footer_end_the_text(mark: str) -> None:
    assert own(f"A-N1\n{mark}\nC-N1") == ["A-N1"]


@pytest.mark.parametrize(
    "line", ["-- and then", "—", "---", "----------", "a -- b", "Sent from my telephone", "___"]
)
def test_what_only_resembles_a_signature_ends_nothing(line: str) -> None:
    assert own(f"A-N1\n{line}\nC-N1")[-1] == "C-N1"


def test_signed_text_is_unwrapped_and_keys_are_left_out() -> None:
    signed = (
        "-----BEGIN PGP SIGNED MESSAGE-----\nHash: SHA256\n\nA-N1\n- - C-N1\n"
        "-----BEGIN PGP SIGNATURE-----\n\nV-N1\n-----END PGP SIGNATURE-----\n"
        "-----BEGIN PGP PUBLIC KEY BLOCK-----\nK-N1\n-----END PGP PUBLIC KEY BLOCK-----\nO-N1\n"
    )
    assert own(signed) == ["A-N1", "C-N1", "O-N1"]


def test_lines_are_numbered_as_the_writer_saw_them() -> None:
    lines = own_lines(plain_lines("> q\n\n  1. A-N1 \n\u200b\nO–N1"))
    assert [(line.number, line.text, line.written) for line in lines] == [
        (3, "A-N1", "  1. A-N1 "),
        (5, "O-N1", "O–N1"),
    ]


@given(
    st.lists(
        st.sampled_from(["", "A-N1", "> q", "x@y 2026 wrote:", "From: a", "Sent: b", "--- x ---", "-- "])
    )
)
def test_own_lines_are_some_of_the_lines_in_their_order(texts: list[str]) -> None:
    lines = own_lines(plain_lines("\n".join(texts)))
    numbers = [line.number for line in lines]
    assert numbers == sorted(set(numbers))
    assert all(line.written == texts[line.number - 1] for line in lines)
    assert not any(line.text.startswith(">") for line in lines)


@given(st.lists(st.sampled_from(["", "Good evening!", "A-N1", "> q", "> C-N2"])))
def test_quotations_alone_never_cost_a_line(texts: list[str]) -> None:
    assert own("\n".join(texts)) == [text for text in texts if text and not text.startswith(">")]


def test_a_line_marked_as_quoted_by_its_reader_is_no_own_line() -> None:
    assert own_lines([SeenLine("A-N1", quoted=True)]) == ()
