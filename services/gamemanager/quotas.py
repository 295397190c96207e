"""How many tables may be open, in all and of one client."""

from collections.abc import Collection
from dataclasses import dataclass

from riverboat.errors import TooLarge

_SHARE = 4  # of all tables one client may have one part in so many, unless a setting says otherwise


@dataclass(frozen=True, slots=True)
class TableQuota:
    """The most tables that may be open; `of_client` 0 means a quarter of them."""

    most: int
    of_client: int = 0

    def check(self, creators: Collection[str], creator: str) -> None:
        """TooLarge if one more table is too many; `creators` are those of all open tables, empty where not known."""
        if len(creators) >= self.most:
            raise TooLarge(f"{len(creators)} tables are open, which is the limit")
        most = self.of_client or max(1, self.most // _SHARE)
        own = sum(other == creator for other in creators) if creator else 0
        if own >= most:
            raise TooLarge(f"{own} of your tables are open, which is the limit for one client: close one first")
