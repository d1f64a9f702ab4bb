"""Words of the page of a service, in English; the catalogues have the Chinese."""

WORDS = {"serve.title": "Have we seen this?"}
"""Words by their keys."""
