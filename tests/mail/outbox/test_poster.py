"""The poster between a queue in a list and a post that does as it is told."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from types import SimpleNamespace

import pytest
from structlog.testing import capture_logs

from referee.common.clock import FixedClock
from referee.common.errors import DeliveryRefused, StoreUnreachable
from referee.mail.outbox import sender
from referee.mail.outbox.sender import Posted, Poster
from referee.mail.outbox.transport import PostClosed, Posting
from tests.mail.outbox.fakes import NOW, ListQueue, Waiting
from tests.support.waiting import FOR_EVER, PATIENCE, let_others_go_on, until


class ObedientPost:
    """A post whose letters meet the fate that `fates` has for their id, in order; most simply arrive."""

    def __init__(self, lanes: int = 3) -> None:
        self.lanes = lanes
        self.fates: dict[int, list[Exception]] = {}
        self.posted: list[int] = []
        self.at_once = 0
        self.most_at_once = 0
        self.slow: set[int] = set()
        self.slow_started = threading.Event()
        self.closed = threading.Event()

    async def send(self, posting: Posting) -> str:
        self.at_once += 1
        self.most_at_once = max(self.most_at_once, self.at_once)
        try:
            if posting.id in self.slow:
                self.slow_started.set()
                await asyncio.Event().wait()
            await let_others_go_on()
        finally:
            self.at_once -= 1
        fates = self.fates.get(posting.id)
        if fates:
            raise fates.pop(0)
        self.posted.append(posting.id)
        return f"taken {posting.id}"

    async def close(self) -> None:
        self.closed.set()


def later() -> DeliveryRefused:
    return DeliveryRefused("451 later", code=451, temporary=True)


def never() -> DeliveryRefused:
    return DeliveryRefused("550 never", code=550, temporary=False)


def perhaps() -> DeliveryRefused:
    return DeliveryRefused("no answer", temporary=True, uncertain=True)


@pytest.fixture
def queue() -> ListQueue:
    return ListQueue()


@pytest.fixture
def post() -> ObedientPost:
    return ObedientPost()


@pytest.fixture
def poster(queue: ListQueue, post: ObedientPost) -> Iterator[Poster]:
    made = Poster(queue, post, FixedClock(NOW), linger=0.05)
    yield made
    assert made.stop(PATIENCE)
    assert made.failure is None


# Going through the queue once


def test_each_due_letter_is_posted_and_its_answer_kept(
    queue: ListQueue, post: ObedientPost, poster: Poster
) -> None:
    queue.put(*(Waiting.make(number) for number in range(1, 101)))
    assert poster.post_due_once() == Posted(sent=100, failures=0)
    assert queue.sent == {number: f"taken {number}" for number in range(1, 101)}
    assert post.most_at_once == post.lanes
    assert post.closed.is_set()


def test_results_are_kept_many_at_a_time(queue: ListQueue, poster: Poster) -> None:
    queue.put(*(Waiting.make(number) for number in range(1, 101)))
    poster.post_due_once()
    assert len(queue.accepted_calls) <= 20


def test_a_letter_that_is_no_longer_ours_is_not_posted_but_given_back(post: ObedientPost) -> None:
    """Given that a letter in hand is somebody else's by now, as when this machine has slept, when its turn comes, then
    it is given back, and those of other readers are posted."""

    class Forgetful(ListQueue):
        def holds(self, id_: int) -> bool:
            return super().holds(id_) and not (id_ == 2 and self.claims == 1)

    queue = Forgetful()
    queue.put(*(Waiting.make(number) for number in range(1, 4)))
    assert Poster(queue, post, FixedClock(NOW)).post_due_once() == Posted(sent=3, failures=1)
    assert queue.released == [2]


def test_an_empty_queue_is_gone_through_at_once(queue: ListQueue, poster: Poster) -> None:
    assert poster.post_due_once() == Posted(sent=0, failures=0)
    assert poster.post_due_once() == Posted(sent=0, failures=0)


def test_a_refused_letter_is_tried_once_and_put_off(
    queue: ListQueue, post: ObedientPost, poster: Poster
) -> None:
    queue.put(Waiting.make(1), Waiting.make(2))
    post.fates[1] = [later()]
    assert poster.post_due_once() == Posted(sent=1, failures=1)
    ((id_, at, answer, uncertain),) = queue.put_off
    assert (id_, answer, uncertain) == (1, "451 later", False)
    assert NOW + timedelta(minutes=1) <= at <= NOW + timedelta(minutes=2)


def test_a_letter_refused_for_good_is_given_up(queue: ListQueue, post: ObedientPost, poster: Poster) -> None:
    queue.put(Waiting.make(1))
    post.fates[1] = [never()]
    assert poster.post_due_once() == Posted(sent=0, failures=1)
    assert queue.given_up == {1: "550 never"}


def test_an_uncertain_letter_is_put_off_as_uncertain(
    queue: ListQueue, post: ObedientPost, poster: Poster
) -> None:
    queue.put(Waiting.make(1))
    post.fates[1] = [perhaps()]
    poster.post_due_once()
    assert [entry[3] for entry in queue.put_off] == [True]


def test_a_letter_that_is_uncertain_once_more_stands_in_the_log_as_an_error(
    queue: ListQueue, post: ObedientPost, poster: Poster
) -> None:
    for before in (0, 1):
        queue.put(Waiting.make(1, tries=before, uncertain=before))
        post.fates[1] = [perhaps()]
        with capture_logs() as logged:
            poster.post_due_once()
        assert [each["log_level"] for each in logged].count("error") == before


def test_letters_to_one_reader_go_one_after_the_other(
    queue: ListQueue, post: ObedientPost, poster: Poster
) -> None:
    queue.put(*(Waiting.make(number, "anna@example.net") for number in range(1, 31)))
    poster.post_due_once()
    assert post.posted == list(range(1, 31))
    assert post.most_at_once == 1


def test_letters_behind_one_that_has_to_wait_are_given_back(
    queue: ListQueue, post: ObedientPost, poster: Poster
) -> None:
    queue.put(*(Waiting.make(number, "anna@example.net") for number in (1, 2, 3)), Waiting.make(4))
    post.fates[1] = [later()]
    poster.post_due_once()
    assert post.posted == [4]
    assert queue.released == [2, 3]


def test_letters_behind_one_that_is_given_up_go_on(
    queue: ListQueue, post: ObedientPost, poster: Poster
) -> None:
    queue.put(*(Waiting.make(number, "anna@example.net") for number in (1, 2)))
    post.fates[1] = [never()]
    poster.post_due_once()
    assert post.posted == [2]


def test_a_closed_post_gives_all_letters_back_and_says_why(
    queue: ListQueue, post: ObedientPost, poster: Poster
) -> None:
    queue.put(*(Waiting.make(number) for number in range(1, 11)))
    post.fates = {number: [PostClosed("the server is away")] for number in range(1, 11)}
    assert poster.post_due_once() == Posted(sent=0, failures=10)
    assert sorted(queue.released) == list(range(1, 11))
    assert queue.put_off == []
    assert poster.trouble == "the server is away"
    post.fates.clear()
    assert poster.post_due_once() == Posted(sent=10, failures=0)
    assert poster.trouble == ""


def test_a_letter_that_makes_the_post_fail_is_put_off_alone(
    queue: ListQueue, post: ObedientPost, poster: Poster
) -> None:
    queue.put(Waiting.make(1), Waiting.make(2))
    post.fates[1] = [KeyError("a mistake of ours")]
    assert poster.post_due_once() == Posted(sent=1, failures=1)
    assert [entry[0] for entry in queue.put_off] == [1]


def test_what_becomes_of_letters_is_counted_and_the_post_is_known_to_answer(
    queue: ListQueue, post: ObedientPost, poster: Poster
) -> None:
    queue.put(*(Waiting.make(number) for number in range(1, 5)))
    post.fates = {1: [never()], 2: [later()], 3: [PostClosed("the server is away")]}
    poster.post_due_once()
    assert poster.done.so_far()["refused"] == 1
    assert poster.done.so_far()["put-off"] == 1
    assert poster.door.out_for > 0
    queue.put(Waiting.make(5))
    post.fates.clear()
    poster.post_due_once()
    assert poster.done.so_far()["accepted"] >= 1
    assert poster.door.out_for == 0
    assert poster.door.silent_for is not None


@dataclass
class QueueThatGoesAway(ListQueue):
    """A queue that is out of reach for so many calls once a letter was accepted."""

    away_for: int = 0

    def accepted(self, results: Sequence[tuple[int, str]]) -> None:
        self.unreachable, self.away_for = self.unreachable or self.away_for, 0
        super().accepted(results)


def test_what_was_accepted_is_kept_however_the_queue_goes_away_meanwhile(post: ObedientPost) -> None:
    """Given letters that are posted once by hand, when the database is out of reach just then, then the results are
    told when it is back: a letter of which that is not known would go out again."""
    queue = QueueThatGoesAway(away_for=2)
    queue.put(Waiting.make(1), Waiting.make(2))
    post.fates[2] = [never()]
    assert Poster(queue, post, FixedClock(NOW)).post_due_once() == Posted(sent=1, failures=1)
    assert (queue.sent, queue.given_up) == ({1: "taken 1"}, {2: "550 never"})
    assert queue.claimed == set()


def test_what_was_accepted_is_kept_when_no_more_can_be_claimed(post: ObedientPost) -> None:
    class OneClaim(ListQueue):
        def claim(self, now: datetime, limit: int) -> list[Waiting]:
            if self.claims:
                raise StoreUnreachable("the database is away")
            return super().claim(now, limit)

    queue = OneClaim()
    queue.put(Waiting.make(1))
    with pytest.raises(StoreUnreachable):
        Poster(queue, post, FixedClock(NOW)).post_due_once()
    assert queue.sent == {1: "taken 1"}


def test_whoever_stops_waits_for_a_queue_no_longer_than_once_more(
    post: ObedientPost, monkeypatch: pytest.MonkeyPatch
) -> None:
    queue = QueueThatGoesAway(away_for=1_000)
    queue.put(Waiting.make(1))
    poster = Poster(queue, post, FixedClock(NOW))

    def stop() -> None:
        until(lambda: queue.away_for == 0 and queue.unreachable < 1_000)
        poster.stop()

    stopping = threading.Thread(target=stop)
    stopping.start()
    monkeypatch.setattr(sender, "time", SimpleNamespace(monotonic=lambda: 1.0))  # no pause ends by itself
    with pytest.raises(StoreUnreachable):
        poster.post_due_once()
    stopping.join()
    assert queue.unreachable == 997, "it was tried once more, and at the end"


# In a thread


def test_letters_that_wait_at_the_start_are_posted(queue: ListQueue, poster: Poster) -> None:
    queue.put(*(Waiting.make(number) for number in range(1, 51)))
    poster.start()
    queue.wait_until_empty()


def test_a_woken_poster_posts_what_was_put_into_the_queue(queue: ListQueue, poster: Poster) -> None:
    poster.start()
    for number in range(1, 6):
        queue.put(Waiting.make(number))
        poster.wake()
        queue.wait_until_empty()


def test_a_poster_that_nobody_wakes_looks_now_and_then(queue: ListQueue, post: ObedientPost) -> None:
    poster = Poster(queue, post, FixedClock(NOW), poll=0.05)
    poster.start()
    until(lambda: queue.claims > 0)
    queue.put(Waiting.make(1))
    queue.wait_until_empty()
    assert poster.stop(PATIENCE)


def test_an_idle_poster_hardly_asks_the_queue(queue: ListQueue, post: ObedientPost, poster: Poster) -> None:
    poster.start()
    assert post.closed.wait(PATIENCE), "it has had nothing to post for a while"
    assert queue.claims <= 2


def test_connections_are_closed_when_nothing_has_been_posted_for_a_while(
    queue: ListQueue, post: ObedientPost, poster: Poster
) -> None:
    poster.start()
    queue.put(Waiting.make(1))
    poster.wake()
    queue.wait_until_empty()
    assert post.closed.wait(PATIENCE)


def test_a_closed_post_is_tried_again_after_a_pause(
    queue: ListQueue, post: ObedientPost, poster: Poster
) -> None:
    post.fates[1] = [PostClosed("the server is away")]
    queue.put(Waiting.make(1))
    poster.start()
    until(lambda: poster.trouble == "the server is away")
    queue.wait_until_empty()
    until(lambda: poster.trouble == "")
    assert queue.put_off == []


def test_results_survive_a_queue_that_is_away_for_a_while(
    queue: ListQueue, post: ObedientPost, poster: Poster
) -> None:
    poster.start()
    until(lambda: queue.claims > 0)
    post.slow.clear()
    queue.put(Waiting.make(1))
    claims = queue.claims
    poster.wake()
    until(lambda: queue.claims > claims)
    queue.unreachable = 1
    queue.wait_until_empty()
    assert post.posted == [1]


def test_stopping_gives_back_what_is_not_on_its_way_and_breaks_off_what_is(
    queue: ListQueue, post: ObedientPost
) -> None:
    poster = Poster(queue, post, FixedClock(NOW))
    queue.put(*(Waiting.make(number) for number in range(1, 11)))
    post.slow = set(range(1, 11))
    poster.start()
    assert post.slow_started.wait(PATIENCE)
    assert poster.stop(PATIENCE)
    assert sorted(queue.released) == list(range(1, 11))
    assert queue.claimed == set()


def test_stopping_an_idle_poster_wakes_it(queue: ListQueue, post: ObedientPost) -> None:
    poster = Poster(queue, post, FixedClock(NOW), poll=FOR_EVER, linger=FOR_EVER)
    poster.start()
    until(lambda: queue.claims > 0)
    assert poster.stop(PATIENCE)


def test_a_poster_that_was_not_started_can_be_woken_and_stopped(poster: Poster) -> None:
    poster.wake()
    assert poster.stop()


# Letters that are too large

FORMS = {"without pictures": b"no picture", "as text alone": b"text", "in brief": b"brief"}


class NarrowPost(ObedientPost):
    """A post that finds letters too large. takes: what it takes."""

    def __init__(self) -> None:
        super().__init__()
        self.takes = b""
        self.tried: list[bytes] = []

    async def send(self, posting: Posting) -> str:
        answer = await super().send(posting)
        self.tried.append(posting.content)
        if posting.content != self.takes:
            raise DeliveryRefused(
                "552 5.3.4 too big", code=552, temporary=False, status="5.3.4", too_large=True
            )
        return answer


@pytest.mark.parametrize(
    ("takes", "tries", "form"),
    [(content, tries, name) for tries, (name, content) in enumerate(FORMS.items(), 2)],
)
def test_a_letter_that_is_too_large_goes_in_the_largest_form_that_is_taken(
    queue: ListQueue, takes: bytes, tries: int, form: str
) -> None:
    post = NarrowPost()
    post.takes = takes
    queue.put(Waiting.make(1, forms=FORMS))
    assert Poster(queue, post, FixedClock(NOW)).post_due_once() == Posted(sent=1, failures=0)
    assert queue.sent == {1: f"taken 1 ({form}, since it was too large)"}
    assert post.tried == [Waiting.make(1).content, *FORMS.values()][:tries]


def test_a_letter_that_is_too_large_in_every_form_is_refused(queue: ListQueue) -> None:
    post = NarrowPost()
    queue.put(Waiting.make(1, forms=FORMS))
    assert Poster(queue, post, FixedClock(NOW)).post_due_once() == Posted(sent=0, failures=1)
    assert queue.given_up == {1: "552 5.3.4 too big"}
    assert len(post.tried) == 4


@pytest.mark.parametrize("other", [never, later, perhaps, lambda: PostClosed("the server is away")])
def test_what_becomes_of_a_smaller_form_for_another_reason_becomes_of_the_letter(
    queue: ListQueue, other: Callable[[], DeliveryRefused]
) -> None:
    post = ObedientPost()
    too_large = DeliveryRefused("552 too big", code=552, temporary=False, too_large=True)
    post.fates[1] = [too_large, other()]
    queue.put(Waiting.make(1, forms=FORMS))
    poster = Poster(queue, post, FixedClock(NOW))
    assert poster.post_due_once() == Posted(sent=0, failures=1)
    assert post.posted == []
    told = [*queue.given_up.values(), *(answer for _, _, answer, _ in queue.put_off), poster.trouble]
    assert str(other()) in told


def test_a_letter_that_is_refused_for_another_reason_is_tried_in_no_smaller_form(
    queue: ListQueue, post: ObedientPost, poster: Poster
) -> None:
    post.fates[1] = [never()]
    queue.put(Waiting.make(1, forms=FORMS))
    poster.post_due_once()
    assert queue.given_up == {1: "550 never"}
    assert post.posted == []
