"""Environments for reinforcement learning, over the compiled rules: PettingZoo's AEC, Gymnasium's Env and VectorEnv.

Importing `riverboat.clients.gym` registers `riverboat/Holdem-v0` with Gymnasium. The extra `gym` installs PettingZoo
and Gymnasium.
"""

from riverboat.rpc.installation import how_to_install

try:
    from gymnasium.envs.registration import register
except ImportError as error:
    raise ImportError(f"these environments need gymnasium and pettingzoo: {how_to_install('gym')}") from error

register(
    id="riverboat/Holdem-v0",
    entry_point="riverboat.clients.gym.single_table:SingleTable",
    vector_entry_point="riverboat.clients.gym.many_tables:ManyTables",
)
