"""An equity in the terminal."""

from collections.abc import Sequence

from rich.table import Table
from rich.text import Text

from riverboat.clients.console.views.output import note, out, percent
from riverboat.clients.console.views.sheet import opponents_text
from riverboat.contracts.oracle import Equity

_BAR_WIDTH = 50  # columns


def print_equity(title: str, equity: Equity, seed: int) -> None:
    """Print an equity as numbers and as a bar of wins, ties and losses."""
    out.print(Text(title, style="bold"))
    table = Table(box=None, show_header=False, padding=(0, 2, 0, 0))
    shares = (("equity", equity.equity), ("win", equity.win), ("tie", equity.tie), ("lose", lose_share(equity)))
    for name, value in shares:
        table.add_row(name, Text(percent(value), style="bold" if name == "equity" else ""))
    out.print(table)
    wins, ties = round(_BAR_WIDTH * equity.win), round(_BAR_WIDTH * equity.tie)
    bar = Text("█" * wins, style="green") + Text("▒" * ties, style="yellow")
    out.print(bar + Text("░" * max(0, _BAR_WIDTH - wins - ties), style="red"))
    if equity.exact:
        note(f"exact: all {equity.deal_count:,} deals")
    else:
        note(f"± {percent(equity.error, 3)} standard error, {equity.deal_count:,} rollouts, --seed {seed}")


def lose_share(equity: Equity) -> float:
    """Return how often the holding loses."""
    return max(0.0, 1 - equity.win - equity.tie)


def equity_title(holding: str, opponents: Sequence[str], board: str, deck: str) -> str:
    """Return "AhKh  against QQ+ and 2 opponents with random cards  on Td9d2c"."""
    named = [text for text in opponents if text.lower() != "random"]
    count = len(opponents) - len(named)
    if count:
        named.append("random cards" if len(opponents) == 1 else f"{opponents_text(count)} with random cards")
    where = (f"  on {board}" if board else "") + ("" if deck == "52" else f"  ({deck} deck)")
    return f"{holding}  against {' and '.join(named)}{where}"
