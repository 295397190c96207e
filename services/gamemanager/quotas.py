"""Limits on the number of open tables, in total and per client."""

from collections.abc import Collection
from dataclasses import dataclass

from riverboat.errors import TooLarge

_SHARE = 4  # one client may have a quarter of all tables, unless a setting says otherwise


@dataclass(frozen=True, slots=True)
class TableQuota:
    """The most tables that may be open; `of_client` 0 means a quarter of them."""

    most: int
    of_client: int = 0

    def check(self, creators: Collection[str], creator: str, table_count: int = 1) -> None:
        """Raise TooLarge if `table_count` more tables exceed the quota.

        `creators` are the creators of all open tables; "" where unknown.
        """
        more = f"; {table_count} more were requested" if table_count > 1 else ""
        if len(creators) + table_count > self.most:
            limit = f", and the limit is {self.most}{more}" if more else ", which is the limit"
            raise TooLarge(f"{len(creators)} tables are open{limit}")
        most = self.of_client or max(1, self.most // _SHARE)
        own = sum(other == creator for other in creators) if creator else 0
        if own + table_count > most:
            limit = f", and the limit for one client is {most}{more}" if more else ", which is the limit for one client"
            raise TooLarge(f"{own} of your tables are open{limit}: close {'some' if more else 'one'} first")
