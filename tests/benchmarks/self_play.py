"""A network that learns first capture by games against itself, in NumPy alone: a baseline of `yardstick`.

    python -m tests.benchmarks.self_play --steps 6000

Q-learning for two players (Littman 1994; a replay memory as of Mnih et al. 2015): the value of an action is the reward,
or the negative of the best value of the opponent after it.
"""

from __future__ import annotations

from itertools import pairwise
from typing import Any, Final

import click
import numpy as np
import numpy.typing as npt

from gtp_capture.environment import BatchEnv, random_agent
from gtp_capture.yardstick import measure

Array = npt.NDArray[Any]

BOARDS: Final = 64
"""Games at the same time."""
HIDDEN: Final = 192
MEMORY: Final = 800
"""Steps of all boards that are kept to learn from."""
BATCH: Final = 256
RATE: Final = 1e-3
EXPLORED: Final = 0.2
"""The share of moves by chance."""
OPENING: Final = (0, 6)
"""The least and the most random plays at the start of a game."""
TARGET: Final = 100
"""Steps after which the network that gives the targets is replaced."""


class Network:
    """A network with two hidden layers: stones, own 1 and others -1, to a value of -1 to 1 for each action."""

    def __init__(self, points: int, rng: np.random.Generator) -> None:
        sizes = [points, HIDDEN, HIDDEN, points + 1]
        self.weights = [rng.normal(0, np.sqrt(2 / n), (n, m)) for n, m in pairwise(sizes)]
        self.weights += [np.zeros(m) for m in sizes[1:]]
        self.moments = [(np.zeros_like(w), np.zeros_like(w)) for w in self.weights]
        self.steps = 0

    def values(self, stones: Array, weights: list[Array]) -> tuple[Array, list[Array]]:
        """Return the values of all actions by these weights, and the input of each layer."""
        layers = [stones]
        for layer, bias in zip(weights[:2], weights[3:5], strict=True):
            layers.append(np.maximum(layers[-1] @ layer + bias, 0))
        return np.tanh(layers[-1] @ weights[2] + weights[5]), layers

    def learn(self, stones: Array, actions: Array, targets: Array) -> None:
        """Bring the values of actions nearer to their targets by one step of Adam (Kingma and Ba 2015)."""
        values, layers = self.values(stones, self.weights)
        error = np.zeros_like(values)
        rows = np.arange(len(actions))
        error[rows, actions] = (values[rows, actions] - targets) * (1 - values[rows, actions] ** 2) / len(actions)
        gradients: list[Array] = [np.zeros(0)] * 6
        for n in (2, 1, 0):
            gradients[n], gradients[n + 3] = layers[n].T @ error, error.sum(axis=0)
            error = (error @ self.weights[n].T) * (layers[n] > 0)
        self.steps += 1
        for weight, gradient, (first, second) in zip(self.weights, gradients, self.moments, strict=True):
            first += 0.1 * (gradient - first)
            second += 0.001 * (gradient**2 - second)
            scale = np.sqrt(second / (1 - 0.999**self.steps)) + 1e-8
            weight -= RATE * first / (1 - 0.9**self.steps) / scale


class Learner:
    """Plays the legal action with the greatest value; an agent, which is a function of observations."""

    def __init__(self, size: int, seed: int) -> None:
        self.size, self.rng = size, np.random.default_rng(seed)
        self.network = Network(size * size, self.rng)
        self.env, self.chance = BatchEnv(BOARDS, size=size, seed=seed, plies=OPENING), random_agent(seed)

    def __call__(self, observations: Array, legal: Array) -> Array:
        return self.best(stones_of(observations), legal, self.network.weights)[0]

    def best(self, stones: Array, legal: Array, weights: list[Array]) -> tuple[Array, Array]:
        """Return the legal actions with the greatest values, and these."""
        values = np.where(legal, self.network.values(stones, weights)[0], -np.inf)
        return values.argmax(axis=1), values.max(axis=1)

    def train(self, steps: int) -> None:
        """Play `steps` moves on each board, and learn from a batch of moves after each."""
        now, memory, older = self.env.reset(), list[tuple[Array, ...]](), self.network.weights
        for step in range(steps):
            explored = self.rng.random(BOARDS) < EXPLORED
            chosen = np.where(explored, self.chance(now.observations, now.legal), self(now.observations, now.legal))
            after = self.env.step(chosen)
            moved = (stones_of(now.observations), chosen, after.rewards, stones_of(after.observations), after.legal)
            over = now.terminated  # a board whose game was over has not moved
            kept = tuple(part[~over] for part in moved)
            memory.append(kept) if len(memory) < MEMORY else memory.__setitem__(step % MEMORY, kept)
            now = after
            parts = [memory[k] for k in self.rng.integers(len(memory), size=BATCH // 16)]
            stones, actions, gained, following, possible = map(np.concatenate, zip(*parts, strict=True))
            few = self.rng.integers(len(actions), size=BATCH)
            best = self.best(following[few], possible[few], older)[1]
            self.network.learn(stones[few], actions[few], np.where(gained[few] == 0, -best, gained[few]))
            if step % TARGET == 0:
                older = [w.copy() for w in self.network.weights]


def stones_of(observations: Array) -> Array:
    """Return the stones of positions in rows: 1 for the side to move, -1 for the other one."""
    return (observations[:, 0].astype(float) - observations[:, 1]).reshape(len(observations), -1)


@click.command()
@click.option("--size", default=4, show_default=True)
@click.option("--steps", default=6000, show_default=True, help="Moves on each of the boards.")
@click.option("--seed", default=1, show_default=True)
def main(size: int, steps: int, seed: int) -> None:
    """Train, and print the measurement before and after."""
    learner = Learner(size, seed)
    for number in (0, steps):
        learner.train(number)
        report = measure(learner, f"capture-go-{size}x{size}", games=0)
        click.echo(f"after {number} steps: thrown {report.thrown}; held {report.held}; regret {report.regret}")


if __name__ == "__main__":
    main()
