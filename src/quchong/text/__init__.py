"""Language-dependent parts: normal form, sentences, and removal of text before comparison."""

from quchong.text.element import element
from quchong.text.normalise import NORMALISER_VERSION, form, form_names
from quchong.text.prepare import STRIP_PATTERNS, STRIPPED, Edit, Prepared, Preparer
from quchong.text.sentences import sentences
from quchong.text.social import SOCIAL_STEPS, has_forward_mark, social_steps

__all__ = [
    "NORMALISER_VERSION",
    "SOCIAL_STEPS",
    "STRIPPED",
    "STRIP_PATTERNS",
    "Edit",
    "Prepared",
    "Preparer",
    "element",
    "form",
    "form_names",
    "has_forward_mark",
    "sentences",
    "social_steps",
]
