"""A whole bot: riverboat bot clients/examples/ten_lines.py --table ID."""

from riverboat.clients.bots import CALL, FOLD, Bot, View


class Careful(Bot):
    """Plays pairs and high cards, for as long as bets are smaller than the pot."""

    def act(self, view: View) -> int:
        low, high = sorted(card // 4 for card in view.holding)  # ranks, 0 for a two to 12 for an ace
        if low == high and view.public.raise_limits:
            return view.public.raise_limits[0]
        price = view.public.to_call
        return CALL if price == 0 or (high >= 9 and 2 * price < view.public.pot) else FOLD
