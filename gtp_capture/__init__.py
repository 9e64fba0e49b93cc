"""Capture Go and its family: rules, players, and an engine that speaks the Go Text Protocol."""

from .go.game import Game, GameError, IllegalMoveError
from .go.position import Move, Outcome, Position, Termination
from .go.rules import PRESETS, Ko, Passing, Rules, RulesError, Scoring
from .go.vertex import BLACK, EMPTY, PASS, RESIGN, WHITE

__version__ = "0.1.0"

__all__ = [
    "BLACK",
    "EMPTY",
    "PASS",
    "PRESETS",
    "RESIGN",
    "WHITE",
    "Game",
    "GameError",
    "IllegalMoveError",
    "Ko",
    "Move",
    "Outcome",
    "Passing",
    "Position",
    "Rules",
    "RulesError",
    "Scoring",
    "Termination",
]
