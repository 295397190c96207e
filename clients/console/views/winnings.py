"""The winnings of one player over many hands, for people and for programs."""

import math
from typing import Any

from riverboat.arena.running_score import RunningScore


def winnings_words(won: RunningScore, big_blind: int) -> str:
    """Return "+120 ± 80 mbb/hand"."""
    mbb, margin = won.mbb(big_blind)
    return f"{mbb:+,.0f} ± {f'{margin:,.0f}' if math.isfinite(margin) else '?'} mbb/hand"


def winnings_dict(won: RunningScore, big_blind: int) -> dict[str, Any]:
    """Return winnings for programs."""
    mbb, margin = won.mbb(big_blind)
    margin_or_none = margin if math.isfinite(margin) else None
    return {"hands": won.hand_count, "chips": round(won.total), "mbb": mbb, "margin": margin_or_none}
