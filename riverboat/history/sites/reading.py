"""Hands of the largest sites as histories."""

from collections.abc import Iterator
from dataclasses import replace
from decimal import Decimal
from typing import Any

from riverboat.errors import InvalidInput
from riverboat.history.hand import History, HistoryEvent, Show
from riverboat.history.phh import UnreadHand
from riverboat.history.sites.formats import SiteFormat, site_of
from riverboat.history.sites.lines import SiteAct, SiteHand, SiteSeat, hands_of, read_hand
from riverboat.rules.betting import CALL, FOLD
from riverboat.rules.events import BoardDealt, Move
from riverboat.rules.variant import Variant, fixed_limit, no_limit, pot_limit

_POSTS = ("ante", "both", "dead", "small", "big", "straddle")
_LIMITS = {"no limit": "no", "nl": "no", "pot limit": "pot", "pl": "pot", "limit": "fixed", "fl": "fixed",
           "fix limit": "fixed", "fixed limit": "fixed"}  # fmt: skip
_GAMES = ("hold'em", "holdem", "texas hold'em", "texas holdem")
_CENTS = 2


def read_site(text: str) -> Iterator[History | UnreadHand]:
    """Yield the hands of a site's text, and in their places those that cannot be read."""
    site = site_of(text)
    if site is None:
        raise InvalidInput("", "not a hand history of a known site")
    for line, lines in hands_of(site, text):
        yield read_one(site, line, lines)


def read_one(site: SiteFormat, line: int, lines: list[str]) -> History | UnreadHand:
    """Return the hand that begins at a line of the file; an error names the line that is wrong."""
    try:
        return _Assembly(read_hand(site, line, lines)).history()
    except InvalidInput as error:
        named = error if error.field.startswith("line ") else InvalidInput(f"line {line}", str(error))
        return UnreadHand(line, "", named)


class _Assembly:
    """One hand, put together: seats from the left of the button, chips as integers."""

    def __init__(self, hand: SiteHand) -> None:
        self._hand = hand
        self._seats = _in_order(hand)
        self._seat_of = {seat.name: place for place, seat in enumerate(self._seats)}
        self._decimals = _decimals(hand)
        self._paid = [0] * len(self._seats)  # on this street
        self._stacks = [self._chips(seat.stack) for seat in self._seats]
        self._left = list(self._stacks)

    def history(self) -> History:
        """Return the hand."""
        if len(self._seats) < 2:
            raise InvalidInput("", "fewer than two players were dealt in")
        variant = self._variant()
        events = list(self._events())
        holdings = tuple(self._hand.cards.get(seat.name) for seat in self._seats)
        number = self._hand.number
        extra: dict[str, Any] = {"venue": self._hand.site.name, **self._hand.date}
        if self._hand.hero:
            extra["_player"] = self._hand.hero
        return History(
            variant=variant,
            stacks=tuple(self._stacks),
            holdings=holdings,
            events=tuple(events),
            names=tuple(seat.name for seat in self._seats),
            finishing_stacks=tuple(self._left),
            label=int(number) if number.isdigit() else number,
            extra=extra,
            decimals=self._decimals,
            line=self._hand.line,
        )

    def _chips(self, value: Decimal) -> int:
        return int(value.scaleb(self._decimals))

    # Blinds

    def _variant(self) -> Variant:
        hand = self._hand
        limit = _LIMITS.get(hand.limit, "")
        if not any(hand.game.startswith(name) for name in _GAMES) or not limit:
            raise InvalidInput("", f"{hand.game} {hand.limit} is not supported; hold'em is")
        small, big = self._chips(hand.small), self._chips(hand.big)
        count = len(self._seats)
        blinds, posts, antes = [0] * count, [0] * count, [0] * count
        for act in hand.acts:
            if act.kind in _POSTS and act.name in self._seat_of:
                self._post(act, blinds, posts, antes)
        if limit == "fixed":  # such a site's header has the bets, which are twice the blinds
            game = fixed_limit(small, small_blind=max(1, small // 2))
        else:
            game = no_limit(small, big) if limit == "no" else pot_limit(small, big)
        lists = (self._as_posted(chips) for chips in (blinds, posts, antes))
        blinds_list, posts_list, ante_list = lists
        same = len(set(antes)) == 1 or not any(antes)
        whole = max(antes)
        short = all(ante in (whole, self._stacks[seat]) for seat, ante in enumerate(antes))
        return replace(
            game,
            blinds=blinds_list,
            posts=posts_list,
            antes=() if not whole else (whole,) if same or short else ante_list,
            free_folds=True,  # people fold where they could check
        )

    def _post(self, act: SiteAct, blinds: list[int], posts: list[int], antes: list[int]) -> None:
        hand, seat, chips = self._hand, self._seat_of[act.name], self._chips(act.chips)
        small, big = self._chips(hand.small), self._chips(hand.big)
        if hand.limit in ("limit", "fl") and act.kind in ("small", "big"):
            small, big = chips, chips
        is_short = chips >= self._stacks[seat] - antes[seat]  # all-in by the post: the rules know its whole size
        if act.kind == "ante":
            antes[seat] += chips
        elif act.kind == "both":
            posts[seat], antes[seat] = big, antes[seat] + chips - big
        elif act.kind == "dead":
            posts[seat], antes[seat] = chips, antes[seat] + self._chips(act.dead)
        elif act.kind == "small":
            blinds[seat] = small if is_short else chips
        elif act.kind == "big" and any(blind >= big for blind in blinds):
            posts[seat] = chips  # a newcomer's: the big blind was posted already
        elif act.kind == "big":
            blinds[seat] = big if is_short else chips
        else:
            blinds[seat] = chips

    def _as_posted(self, by_seat: list[int]) -> tuple[int, ...]:
        """Return a list as variants have it: turned around for two, without zeros at the end."""
        listed = by_seat[::-1] if len(by_seat) == 2 else by_seat
        last = max((place + 1 for place, chips in enumerate(listed) if chips), default=0)
        return tuple(listed[:last])

    # Events

    def _events(self) -> Iterator[HistoryEvent]:
        winners = {act.name for act in self._hand.acts if act.kind == "win"}
        for act in self._hand.acts:
            if act.kind == "deal":
                self._paid = [0] * len(self._seats)
                yield BoardDealt(act.cards)
                continue
            if act.name not in self._seat_of:
                continue
            event = self._event(act, act.name in winners)
            if event is not None:
                yield event
        if not any(act.kind == "return" for act in self._hand.acts):
            self._return_uncalled()

    def _return_uncalled(self) -> None:
        """Give back what nobody called, where the site does not say it."""
        second, highest = sorted(self._paid)[-2:]
        self._left[self._paid.index(highest)] += highest - second

    def _event(self, act: SiteAct, is_winner: bool) -> HistoryEvent | None:
        seat, chips = self._seat_of[act.name], self._chips(act.chips)
        match act.kind:
            case "win" | "return":
                self._left[seat] += chips
                return None
            case "ante":
                self._left[seat] -= chips
                return None
            case "both" | "dead" | "small" | "big" | "straddle":
                dead = chips - self._chips(self._hand.big) if act.kind == "both" else 0
                extra = self._chips(act.dead)
                self._pay(seat, chips - max(0, dead))
                self._left[seat] -= max(0, dead) + extra
                return None
            case "fold":
                return Move(seat, FOLD)
            case "check":
                return Move(seat, CALL)
            case "call":
                self._pay(seat, chips)
                return Move(seat, CALL)
            case "bet" | "raise" | "push":
                return self._raise(seat, chips, is_total=act.kind == "raise" and not self._hand.site.raises_by)
            case "show":
                return Show(seat, act.cards)
            case "muck" if not is_winner:
                return Show(seat)
        return None

    def _raise(self, seat: int, chips: int, *, is_total: bool) -> Move:
        highest = max(self._paid)
        self._pay(seat, chips - self._paid[seat] if is_total else chips)
        # All-in for no more than the bet is a call.
        return Move(seat, self._paid[seat] if self._paid[seat] > highest else CALL)

    def _pay(self, seat: int, chips: int) -> None:
        self._paid[seat] += chips
        self._left[seat] -= chips


def _in_order(hand: SiteHand) -> list[SiteSeat]:
    """Return the players who were dealt in, from the left of the button; the button, if somebody sits there, last."""
    active = {act.name for act in hand.acts if act.kind in (*_POSTS, "fold", "check", "call", "bet", "raise", "push")}
    seats = [seat for seat in hand.seats if not seat.sits_out or seat.name in active]
    return sorted(seats, key=lambda seat: (seat.place <= hand.button, seat.place))


def _decimals(hand: SiteHand) -> int:
    values = [hand.small, hand.big, *(seat.stack for seat in hand.seats), *(act.chips for act in hand.acts)]
    return 0 if all(value == value.to_integral_value() for value in values) else _CENTS
