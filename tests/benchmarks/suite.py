"""Share of the problem suite that an engine solves in a given time: `python -m tests.benchmarks.suite`.

A problem is solved if the engine plays one of its winning plays. All winning plays of every problem are known: each
legal play was solved exactly (tests/data/hard_positions.txt, collected by `suite_collect`). One thread is used, and one
process for each engine and time. Answers are appended to the --results file, and a run continues with those it holds.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import astuple
from pathlib import Path

import click

from gtp_capture.jit.warmup import loaded

from ..support.suite import Problem, problems
from .solved_play import Answer, Engine, engine_option, read, results_option, share


def answers(
    todo: list[Problem], command: str, limit: str, known: list[Answer], keep: Callable[[Answer], None]
) -> list[Answer]:
    """Return the answers of an engine to all problems; new ones are given to `keep` as they come."""
    found = {a.position: a for a in known if (a.engine, a.limit) == (command, limit)}
    missing = [problem for problem in todo if problem.key not in found]
    if missing:
        with Engine(command, limit, 1) as engine:
            for problem in missing:
                answer = Answer(command, limit, problem.key, *engine.note(problem.plays, problem.side))
                found[problem.key] = answer
                keep(answer)
    return [found[problem.key] for problem in todo]


def row(todo: list[Problem], given: list[Answer]) -> str:
    """Return the shares solved, for each size and for all, as cells; then the share of answers known to win."""
    right = [answer.move in problem.winning for problem, answer in zip(todo, given, strict=True)]
    cells = []
    for side in sorted({problem.side for problem in todo}):
        own = [solved for problem, solved in zip(todo, right, strict=True) if problem.side == side]
        cells.append(share(sum(own), len(own)))
    return " | ".join([*cells, share(sum(right), len(right)), share(sum(a.decided for a in given), len(given))])


@click.command()
@click.option("--limits", default="0.1 0.3 1 3", show_default=True, help="Seconds, or playouts with a `p` at the end.")
@engine_option
@results_option
def main(limits: str, engines: tuple[str, ...], results: Path | None) -> None:
    """Print the share of the problems that each engine solves within each limit."""
    todo, known = list(problems()), read(results)
    loaded()  # the engines load its code

    def keep(answer: Answer) -> None:
        if results is not None:
            with results.open("a", encoding="utf-8") as file:
                file.write("\t".join(map(str, astuple(answer))) + "\n")

    sizes = [f"{side}x{side}" for side in sorted({problem.side for problem in todo})]
    print(f"| engine | limit | {' | '.join([*sizes, 'all', 'said to be decided'])} |")
    print("|---" * (4 + len(sizes)) + "|")
    for command in engines:
        for limit in limits.split():
            print(f"| {command} | {limit} | {row(todo, answers(todo, command, limit, known, keep))} |", flush=True)


if __name__ == "__main__":
    main()
