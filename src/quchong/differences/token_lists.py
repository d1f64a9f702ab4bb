"""Lists of tokens that questions about edits look for."""

from __future__ import annotations

from functools import cache

from quchong.differences import addressed, asking, choices, denials, direction, inserted, phrasals, ranks, voice
from quchong.differences.edit_tokens import (
    ASKS,
    CALLS,
    CHOOSES,
    DENIES,
    DIRECTS,
    PASSIVE,
    PHRASES,
    QUESTIONS,
    RANKS,
    TURNS,
    TokenLists,
)
from quchong.kernels.text import TextTables


@cache
def token_lists(tables: TextTables) -> TokenLists:
    """Return all tokens that mark an edit for reading, with the lists they are in."""
    return TokenLists.from_lists(
        {
            ASKS: asking.asking_tokens(tables),
            CHOOSES: choices.choosing_tokens(tables),
            DIRECTS: direction.directing_tokens(tables),
            DENIES: denials.denying_tokens(),
            RANKS: ranks.ranking_tokens(),
            TURNS: inserted.TURNING,
            CALLS: addressed.GIVEN_TOKENS,
            PASSIVE: voice.passive_tokens(tables),
            PHRASES: phrasals.phrasing_tokens(tables),
            QUESTIONS: asking.question_tokens(tables),
        }
    )
