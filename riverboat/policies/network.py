"""Policies that are networks: one ONNX file with a network for each street. Importing this needs onnxruntime.

The file has an input for each street [B, F] and an output [B, A], both named after the street; its metadata has the
policy's facts, in the same JSON as the files of other policies.
"""

import json
from dataclasses import dataclass
from typing import Any

import numpy as np
import onnxruntime

from riverboat.errors import InvalidInput
from riverboat.features.card_features import feature_count
from riverboat.policies.policy import F32, LearnedPolicy
from riverboat.policies.policy_files import FORMAT, policy_about, read_menu
from riverboat.streets import STREETS

METADATA = "riverboat"
CHANCES = "_chances"  # after the street's name: the output
_LOG_ERRORS = 3
_NOT_WHILE_LOADING = ["ConstantFolding"]  # see riverboat.nets.network


@dataclass(frozen=True, slots=True, eq=False)
class StreetNetwork:
    """The network of one street in a file of several."""

    session: Any
    street: str
    nothing: dict[str, F32]  # inputs of all streets: onnxruntime wants every input of a file, and uses one
    options: Any

    def chances(self, features: F32) -> F32:
        """Return the chances of the choices for situations with these features [B, F] -> [B, A]."""
        try:
            inputs = {**self.nothing, self.street: np.ascontiguousarray(features, np.float32)}
            chances: F32 = self.session.run([self.street + CHANCES], inputs, self.options)[0]
        except Exception as error:  # onnxruntime has many exception types
            raise InvalidInput("", f"the network fails: {str(error)[:200]}") from None
        if len(chances) != len(features) or not np.isfinite(chances).all():
            raise InvalidInput("", "the network does not give finite chances for each situation")
        return chances


def read_network_policy(data: bytes, threads: int = 1) -> LearnedPolicy:
    """Return the policy of an ONNX file; raise InvalidInput if it is not one."""
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads, options.inter_op_num_threads = threads, 1
    options.log_severity_level = _LOG_ERRORS
    try:
        session: Any = onnxruntime.InferenceSession(
            data, options, providers=["CPUExecutionProvider"], disabled_optimizers=_NOT_WHILE_LOADING
        )
    except Exception as error:  # as above
        raise InvalidInput("", f"onnxruntime cannot run this file: {str(error)[:200]}") from None
    try:
        entries = json.loads(session.get_modelmeta().custom_metadata_map[METADATA])
        if entries["format"] != FORMAT:
            raise InvalidInput("format", f"must be {FORMAT!r}, not {str(entries['format'])[:40]!r}")
        menus = tuple(read_menu(fractions) for fractions in entries["fractions"])
        widths = {node.name: node.shape[-1] for node in session.get_inputs()}
        nothing = {street: np.zeros((1, widths[street]), np.float32) for street in STREETS}
        only = onnxruntime.RunOptions()
        only.only_execute_path_to_fetches = True  # the other streets' networks stay idle
        models = tuple(StreetNetwork(session, street, nothing, only) for street in STREETS)
        policy = policy_about(entries, menus, models)
    except (KeyError, TypeError, ValueError) as error:
        raise InvalidInput("", f"not a policy: {type(error).__name__} {str(error)[:60]}") from None
    _check_shapes(session, policy, widths)
    return policy


def _check_shapes(session: Any, policy: LearnedPolicy, widths: dict[str, int]) -> None:
    board_sizes = policy.deck.board_sizes
    wanted = {
        street: feature_count(policy.deck, size) + len(STREETS)
        for street, size in zip(STREETS, board_sizes, strict=True)
    }
    choices = {street + CHANCES: len(menu) for street, menu in zip(STREETS, policy.menus, strict=True)}
    outputs = {node.name: node.shape[-1] for node in session.get_outputs()}
    if widths != wanted or outputs != choices:
        raise InvalidInput("", f"its inputs and outputs are {widths} and {outputs}, not {wanted} and {choices}")
