"""Keys of thousands of parts, which would take a reader minutes, are refused before anybody reads them."""

from __future__ import annotations

import time

import pytest

from referee.common.long_keys import MOST_DOTS, line_of_dots
from referee.rulebooks.cards.scenarios.scenario import read_scenario
from referee.rulebooks.limits import LARGEST_SCENARIO

CHAIN = ".".join("a" * (MOST_DOTS + 2))


@pytest.mark.parametrize(
    "text",
    [
        f"{CHAIN} = 1",
        f"[{CHAIN}]",
        f"[[{CHAIN}]]",
        f"x = {{ {CHAIN} = 1 }}",
        " . ".join("a" * (MOST_DOTS + 2)) + " = 1",
        ".".join(["1"] * (MOST_DOTS + 2)) + " = 1",
        ".".join(['"a"'] * (MOST_DOTS + 2)) + " = 1",
        ".".join(["'a'"] * (MOST_DOTS + 2)) + " = 1",
        # Behind texts that only seem to go on.
        f'"" = 1, {CHAIN}',
        f'x = [ """\n""", {{ {CHAIN} = 1 }}, "" ]',
        f'x = [ """a"""", {{ {CHAIN} = 1 }}, "" ]',
        f'x = [ """a""""", {{ {CHAIN} = 1 }}, "" ]',
        f"x = [ '''a'''', {{ {CHAIN} = 1 }}, '' ]",
        f'x = [ "\\"", {{ {CHAIN} = 1 }}, "" ]',
        f"x = [ '\\', {{ {CHAIN} = 1 }}, '' ]",
        f'x = [ """\\"""", {{ {CHAIN} = 1 }}, """" ]',
        f'x = 1 # "\n{CHAIN} = "',
        f"x = 1 # '''\n{CHAIN} = ''",
    ],
)
def test_a_key_of_many_parts_is_found(text: str) -> None:
    assert line_of_dots(f"format = 1\n{text}") in (2, 3)


@pytest.mark.parametrize(
    "text",
    [
        f'title = "A long pause{"." * 60}"',
        f"title = '{'.' * 60}'",
        f"format = 1 # {'.' * 60}",
        f'blurb = """\n{"." * 60}\n"""',
        f"polygon = [{', '.join(['[1.5, -2.25]'] * 60)}]",
        f"polygon=[{','.join(['[+1.5,2.5e3]'] * 60)}]",
        f"{'.'.join('a' * (MOST_DOTS + 1))} = 1",
        "",
    ],
)
def test_texts_numbers_and_comments_may_have_as_many_as_they_like(text: str) -> None:
    assert line_of_dots(text) is None


@pytest.mark.parametrize("sign", [".", '"', "'", '\\"', '"""', "'''", "#", "1.", "a.", "[", '"\\', "_1.1"])
def test_no_file_takes_long(sign: str) -> None:
    """A scenario as long as it may be is looked through in no time, and then read in little."""
    begun = time.process_time()
    for text in (
        f"a = {sign * LARGEST_SCENARIO}"[:LARGEST_SCENARIO],
        f"a{'.a' * (LARGEST_SCENARIO // 2 - 9)} = 1",
    ):
        line_of_dots(text)
        assert isinstance(read_scenario(text), tuple)
    lines = (f"a{n}{'.a' * MOST_DOTS} = 1" for n in range(LARGEST_SCENARIO // 60))
    assert isinstance(read_scenario("\n".join(lines)), tuple)
    assert time.process_time() - begun < 5


def test_it_is_told_where_they_stand() -> None:
    found = read_scenario(f"format = 1\n{CHAIN} = 1")
    assert isinstance(found, tuple)
    (fault,) = found
    assert fault.place is not None
    assert (fault.code, fault.place.line) == ("scenario-dots", 2)
    assert str(MOST_DOTS) in fault.sentence()
