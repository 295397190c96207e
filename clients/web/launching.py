"""Starting the page: the steps that `riverboat web` and the container image share."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from riverboat.clients.local.laboratory import Laboratory
from riverboat.clients.remote.refusals import Refused
from riverboat.clients.web import settings
from riverboat.clients.web.app import application
from riverboat.clients.web.experiment.plan import ExperimentPlan
from riverboat.clients.web.gateway import WebOptions
from riverboat.clients.web.links import Links
from riverboat.clients.web.server import address_of, check_exposure, listen, serve
from riverboat.tables.agent_names import names_instead, split_agent_name


@dataclass(frozen=True, slots=True, kw_only=True)
class Launch:
    """How to serve the page, and an experiment if there is one."""

    host: str
    port: int
    certificate: Path | None = None
    key: Path | None = None
    force: bool = False
    experiment: ExperimentPlan | None = None
    state: Path | None = None  # folder for sessions that survive a restart

    @property
    def options(self) -> WebOptions:
        """The options of the server, with those of the environment."""
        return WebOptions(
            host=self.host,
            port=self.port,
            names=settings.names(),
            password=settings.password(),
            certificate=self.certificate,
            key=self.key,
            state=self.experiment.folder if self.experiment else self.state,
            force=self.force,
        )

    def check(self) -> None:
        """Refuse bad options before any service is started."""
        check_exposure(self.options)
        for option, path in (("--certificate", self.certificate), ("--key", self.key)):
            if path is not None and not path.is_file():
                raise Refused(f"{option}: there is no file {path}")
        listen(self.options).close()  # a port that is taken is refused before services are started

    def check_agents(self, offered: Sequence[str]) -> None:
        """Refuse an experiment with an agent that no host offers."""
        for name in self.experiment.agents if self.experiment else ():
            if not {name, split_agent_name(name)[0]} & set(offered):
                raise Refused(f"--agents: no agent is called {name[:30]!r}; {names_instead(name, offered)}")

    def run(self, laboratory: Laboratory, announce: Callable[[str, str], None]) -> None:
        """Serve until SIGINT or SIGTERM; `announce` gets the address, and the experiment's results line or ""."""
        options = self.options
        links = Links(
            games=laboratory.games, oracle=laboratory.oracle, resolver=laboratory.resolver, trainer=laboratory.trainer
        )
        with listen(options) as listening:
            address = address_of(listening, options)
            announce(address, self._more(address))
            serve(application(links, options, self.experiment), listening, options)

    def _more(self, address: str) -> str:
        if self.experiment is None:
            return ""
        return f"results: {address}experiment/results with the key {self.experiment.key}"
