"""Training runs in progress, and the networks that they made."""

import json
from dataclasses import asdict
from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Route

from riverboat.clients.console.views.networks import networks_dict
from riverboat.clients.console.views.runs import run_line, share_done, what_it_trains
from riverboat.clients.web.gateway import Gateway
from riverboat.contracts.trainer import ModelAnswer, RunStatus


class RunRoutes:
    """Requests about runs and networks."""

    def __init__(self, gateway: Gateway) -> None:
        self._gateway = gateway

    def routes(self) -> list[Route]:
        """Return the routes."""
        return [Route("/api/runs", self.runs), Route("/api/models", self.models)]

    async def runs(self, request: Request) -> JSONResponse:
        """Answer with all runs and their curves."""
        self._gateway.admitted(request)
        return JSONResponse(await self._gateway.calls.long(self._runs))

    def _runs(self) -> dict[str, Any]:
        trainer = self._gateway.links.trainer()
        runs = [_run(status) for status in trainer.runs()] if trainer else []
        return {"has_trainer": trainer is not None, "runs": runs}

    async def models(self, request: Request) -> JSONResponse:
        """Answer with the networks in use and those that were trained, each with its card."""
        self._gateway.admitted(request)
        return JSONResponse(await self._gateway.calls.long(self._models))

    def _models(self) -> dict[str, Any]:
        trainer = self._gateway.links.trainer()
        trained = trainer.models() if trainer else []
        known = networks_dict(self._gateway.links.resolver().networks(), trained)
        return known | {"cards": {model.name: _card(model) for model in trained}}


def _card(model: ModelAnswer) -> Any:
    try:
        return json.loads(model.card)
    except ValueError:
        return model.card


def _run(status: RunStatus) -> dict[str, Any]:
    curves: dict[str, list[list[float]]] = {}
    if status.epochs:
        curves["training loss"] = [[epoch.number, epoch.train_loss] for epoch in status.epochs]
        curves["validation loss"] = [[epoch.number, epoch.held_out_loss] for epoch in status.epochs]
    for each in status.rounds:
        for name, value in each.measures.items():
            curves.setdefault(name, []).append([each.number, value])
    plan = asdict(status.plan) if status.plan is not None else {}
    return {
        "id": status.run_id,
        "trains": what_it_trains(status.plan),
        "stage": status.stage.value,
        "is_over": status.stage.is_over,
        "line": run_line(status),
        "done": round(share_done(status), 4),
        "seconds_left": status.seconds_left,
        "model": status.model,
        "curves": curves,
        "plan": json.loads(json.dumps(plan, default=str)),
    }
