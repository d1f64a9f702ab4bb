"""One file per paper or family: a frozen dataclass that composes stations. No method imports another."""
