"""Checkpoints: all that training needs to resume exactly, as tensors and JSON, so that reading runs no code."""

import json
from dataclasses import asdict

import torch
from safetensors.torch import load, save
from torch import Tensor

from riverboat.errors import InvalidInput
from riverboat.services.trainer.generation.samples import NOTE, read_note
from riverboat.services.trainer.learning.network import MakeNetwork, ValueNetwork
from riverboat.services.trainer.learning.training import Training
from riverboat.training.plans import Recipe
from riverboat.training.progress import Epoch


def write_checkpoint(training: Training) -> bytes:
    """Return the bytes of a checkpoint, after an epoch."""
    tensors: dict[str, Tensor] = {}
    for name, tensor in training.network.state_dict().items():
        tensors[f"network.{name}"] = tensor.contiguous()
    for name, tensor in training.best.items():
        tensors[f"best.{name}"] = tensor.contiguous()
    for number, state in training.optimizer.state_dict()["state"].items():
        for name, tensor in state.items():
            tensors[f"optimizer.{number}.{name}"] = tensor.contiguous()
    note = {
        "deck": training.deck,
        "recipe": asdict(training.recipe),
        "history": [asdict(epoch) for epoch in training.history],
    }
    return save(tensors, {NOTE: json.dumps(note, sort_keys=True)})


def read_checkpoint(data: bytes, deck: str, recipe: Recipe, make: MakeNetwork = ValueNetwork) -> Training:
    """Return the training of a checkpoint; InvalidInput if deck or recipe differ."""
    note = read_note(data)
    if note["deck"] != deck or Recipe(**note["recipe"]) != recipe:
        raise InvalidInput("checkpoint", "it belongs to a training with another deck or recipe")
    tensors = load(data)
    training = Training(deck, recipe, make)
    training.network.load_state_dict(_part(tensors, "network."))
    training.best = _part(tensors, "best.")
    training.history = [Epoch(**epoch) for epoch in note["history"]]
    state: dict[int, dict[str, Tensor]] = {}
    for name, tensor in _part(tensors, "optimizer.").items():
        number, _, field = name.partition(".")
        state.setdefault(int(number), {})[field] = tensor
    groups = training.optimizer.state_dict()["param_groups"]
    training.optimizer.load_state_dict({"state": state, "param_groups": groups})
    torch.manual_seed(recipe.seed)
    return training


def _part(tensors: dict[str, Tensor], prefix: str) -> dict[str, Tensor]:
    return {name.removeprefix(prefix): tensor for name, tensor in tensors.items() if name.startswith(prefix)}
