"""A finished cheat sheet, and the notes about it for the terminal and the picture."""

import csv
from dataclasses import dataclass
from pathlib import Path

from riverboat.cards import Deck
from riverboat.clients.analysis.counts import counted
from riverboat.clients.console.views.grid import ColourScale
from riverboat.contracts.oracle import Cell, Equity


@dataclass(frozen=True, slots=True)
class Sheet:
    """All cells of a cheat sheet."""

    deck: Deck
    board: str
    opponent_counts: tuple[int, ...]
    cells: tuple[Cell, ...]
    seed: int | None  # of its rollouts; None if all is exact

    @property
    def deck_text(self) -> str:
        """ "" for the full deck, otherwise a word about the deck for titles."""
        return "" if self.deck.name == "52" else f" ({self.deck.name} deck)"

    def equities(self, opponent_count: int) -> dict[str, Equity]:
        """Return the equity of each class against a number of opponents."""
        return {cell.label: cell.equity for cell in self.cells if cell.opponent_count == opponent_count}

    def values(self, opponent_count: int) -> dict[str, float]:
        """Return the equity of each class in percent."""
        return {label: 100 * equity.equity for label, equity in self.equities(opponent_count).items()}

    def scale(self, opponent_count: int) -> ColourScale:
        """Return the scale from the worst to the best hand; a fair share of the pot is in the middle."""
        values = self.values(opponent_count).values()
        fair = 100 / (opponent_count + 1)
        return ColourScale(min(*values, fair), fair, max(*values, fair))

    def notes(self, opponent_counts: tuple[int, ...]) -> list[str]:
        """Return the meaning, source and precision of the numbers."""
        equities = [equity for count in opponent_counts for equity in self.equities(count).values()]
        rolled = [equity for equity in equities if not equity.exact]
        notes = ["ties count as their share"]
        if len(rolled) < len(equities):
            notes.append("against one opponent exact" if rolled else "exact")
        if rolled:
            error = max(equity.error for equity in rolled)
            notes.append(f"{max(equity.deal_count for equity in rolled):,} rollouts per hand")
            notes.append(f"standard error at most {100 * error:.2f} %")
            notes.append(f"seed {self.seed}")
        return notes


def opponents_text(opponent_count: int) -> str:
    """Return "1 opponent", "2 opponents" and so on."""
    return counted(opponent_count, "opponent")


def sheet_row(cell: Cell) -> dict[str, str | int | float | bool]:
    """Return a cell for programs."""
    equity = cell.equity
    return {
        "class": cell.label,
        "opponents": cell.opponent_count,
        "holdings": cell.holding_count,
        "equity": equity.equity,
        "win": equity.win,
        "tie": equity.tie,
        "error": equity.error,
        "deal_count": equity.deal_count,
        "exact": equity.exact,
    }


def write_csv(sheet: Sheet, path: Path) -> None:
    """Write every cell to a CSV file."""
    rows = [{**sheet_row(cell), "seed": "" if cell.equity.exact else sheet.seed} for cell in sheet.cells]
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, rows[0].keys())
        writer.writeheader()
        writer.writerows(rows)
