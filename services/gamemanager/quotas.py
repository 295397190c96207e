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

    def check(self, creators: Collection[str], creator: str, table_count: int = 1) -> None:
        """TooLarge if so many more tables are too many.

        `creators` are those of all open tables, empty where not known.
        """
        more = f"; {table_count} more are wanted" if table_count > 1 else ""
        if len(creators) + table_count > self.most:
            limit = f", and the limit is {self.most}{more}" if more else ", which is the limit"
            raise TooLarge(f"{len(creators)} tables are open{limit}")
        most = self.of_client or max(1, self.most // _SHARE)
        own = sum(other == creator for other in creators) if creator else 0
        if own + table_count > most:
            limit = f", and the limit for one client is {most}{more}" if more else ", which is the limit for one client"
            raise TooLarge(f"{own} of your tables are open{limit}: close {'some' if more else 'one'} first")
